/*
 * The sessions that are part of benchtop: figures that five reports of a course
 * on operating systems printed about their machines, a.json .. e.json among the
 * assets (assets.h). They have figures without trials (results.h), each with
 * its source.
 *
 * "published:a" can be used wherever a session's file is expected.
 */
#ifndef BENCHTOP_PUBLISHED_H
#define BENCHTOP_PUBLISHED_H

#include "assets.h"
#include "session.h"

/* "published:a", ..; NULL-terminated: for completion. */
extern const char *const published_names[];

/* True for a name with the prefix of published sessions. */
bool published_is(const char *name);
/* NULL if there is no such session. */
const struct asset *published_file(const char *name);
/* The name itself for a published session, else that of kept_path(). The caller
 * frees it. NULL with an error if there is no such session. */
char *published_path(const char *name, struct error *);
/* Adds the text of a session file, or of a published session by its name. A
 * file of such a name is read as ./published:a. */
int session_file_read(const char *path, struct text *, struct error *);
/* session_load() of published_path(). A published session cannot be saved over
 * its file. */
struct session *session_open(const char *name, struct error *);

/* All runs of all published sessions. */
struct published_set {
	struct session **sessions;
	size_t session_count;
	struct published_run *runs;
	size_t run_count;
};
void published_load(struct published_set *);
void published_free(struct published_set *);

#endif
