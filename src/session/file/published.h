/*
 * The sessions that are installed with benchtop: figures that five reports of a
 * course on operating systems printed about their machines, a.json .. e.json
 * among the assets. They have figures without trials (results.h), each with its
 * source.
 *
 * "published:a" can be used wherever a session's file is expected.
 */
#ifndef BENCHTOP_PUBLISHED_H
#define BENCHTOP_PUBLISHED_H

#include "session.h"

/* "published:a", ..; NULL-terminated: for completion. */
extern const char *const published_names[];

/* True for the name of a published session, whether it is installed or not. */
bool published_is(const char *name);
/* The path for such a name; for other names that of kept_path(). The caller
 * frees it. NULL with an error if the session is not installed. */
char *published_path(const char *name, struct error *);
/* session_load() of published_path(). A published session cannot be saved over
 * its file. */
struct session *session_open(const char *name, struct error *);

/* All runs of all installed published sessions. */
struct published_set {
	struct session **sessions;
	size_t session_count;
	struct published_run *runs;
	size_t run_count;
};
void published_load(struct published_set *);
void published_free(struct published_set *);

#endif
