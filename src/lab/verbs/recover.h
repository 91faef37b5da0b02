/*
 * Recovers the runs of a killed lab, and verifies the findings of a session.
 */
#ifndef BENCHTOP_RECOVER_H
#define BENCHTOP_RECOVER_H

#include "command.h"

/* Converts an orphaned tape to a run, adds it to the session and autosaves.
 * Removes the tape only if the session was saved. */
enum outcome recover_tape(struct lab *, const char *path, struct reply *);
/* Recovers every orphaned tape, and removes what killed workers left behind. An
 * unreadable tape is kept and named, and makes the reply a failure. */
enum outcome recover_all(struct lab *, struct reply *);

/* Derives the findings of a session's runs again and compares them with the
 * file. session_verify() cannot do this, because findings are made by
 * experiments. Adds the number of checked members to *checked. */
int verify_findings(struct lab *, const char *path, size_t *checked,
	struct error *);

#endif
