/*
 * Recovery of a killed lab's runs, and verification of a session's findings.
 */
#ifndef BENCHTOP_RECOVER_H
#define BENCHTOP_RECOVER_H

#include "command.h"

/* Converts an orphaned tape to a run, adds it to the session, autosaves, and
 * only then removes the tape. */
enum outcome recover_tape(struct lab *, const char *path, struct reply *);
/* The same for every orphan; removes files that never became tapes. An
 * unreadable tape is kept and named; it is a failure only if nothing else was
 * recovered. */
enum outcome recover_all(struct lab *, struct reply *);

/* Derives the findings of a session's runs again and compares them.
 * session_verify() cannot do this, because experiments make findings. Adds to
 * *checked. */
int verify_findings(struct lab *, const char *path, size_t *checked,
	struct error *);

#endif
