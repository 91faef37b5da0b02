/*
 * The sessions that come with benchtop: what five reports of a course on
 * operating systems printed about their machines, a.json .. e.json among the
 * assets. They have figures without trials (results.h), each with its source.
 *
 * Wherever a session's file is named, "published:a" names one of them.
 */
#ifndef BENCHTOP_PUBLISHED_H
#define BENCHTOP_PUBLISHED_H

#include "session.h"

/* "published:a", ..; NULL-terminated: for completion. */
extern const char *const published_names[];

/* Is this the name of a published session, whether there is one or not? */
bool published_is(const char *name);
/* The path that such a name stands for, that of kept_path() for any other; to
 * be freed. NULL with a sentence where there is none. */
char *published_path(const char *name, struct error *);
/* session_load() of published_path(); of such a session nobody
 * can save over the file. */
struct session *session_open(const char *name, struct error *);

/* Every run of every published session that is installed. */
struct published_set {
	struct session **sessions;
	size_t session_count;
	struct published_run *runs;
	size_t run_count;
};
void published_load(struct published_set *);
void published_free(struct published_set *);

#endif
