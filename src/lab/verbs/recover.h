/*
 * What a killed lab left behind, and whether a session is true to itself.
 */
#ifndef BENCHTOP_RECOVER_H
#define BENCHTOP_RECOVER_H

#include "command.h"

/* Makes a run of an orphaned tape, adds it to the session, autosaves, and
 * only then removes the tape. */
enum outcome recover_tape(struct lab *, const char *path, struct reply *);
/* The same with every orphan, removing files that never became tapes. A tape
 * that cannot be read stays and is named; it is a failure only where nothing
 * else was recovered. */
enum outcome recover_all(struct lab *, struct reply *);

/* Derives the findings of a session's runs again and compares: what
 * session_verify() cannot do, because experiments make them. Adds to
 * *checked. */
int verify_findings(struct lab *, const char *path, size_t *checked,
	struct error *);

#endif
