/*
 * The figures of every valid point in a stored session, as the file has them: a
 * point for each metric, or for the watched one only. The file is scanned
 * (kept.h), not parsed: trials are skipped. kept_index.h has the points of all
 * kept sessions.
 */
#ifndef BENCHTOP_KEPT_POINTS_H
#define BENCHTOP_KEPT_POINTS_H

#include "digest.h"
#include "session.h"
#include "surroundings.h"

/* The figure of a point in one regime. */
struct kept_figure {
	double median; /* NaN: none */
	bool has_interval;
	struct range interval;
};

struct kept_point {
	size_t session; /* its number, as kept.h counts */
	size_t run;     /* in the session, from 0 */
	uint64_t identity; /* run_identity.h: copies have the same */
	char started[32];
	char experiment[32];
	char *setting; /* "call=getppid via=raw", owned */
	const struct surroundings *surroundings; /* of the session */
	char metric[40];
	enum unit unit;
	struct kept_figure headline, shared; /* `shared` from schema 1.3 on */
	enum regime regime; /* of the headline */
	double *launches; /* medians, owned; NULL below schema 1.4 */
	size_t launch_count;
	double alone; /* fraction of the trials alone on the core; NaN */
	double others; /* of the processors' time, used by other tasks; NaN */
	enum quality quality;
	/* The run's canary, ns per multiplication, and the point's memory
	 * ruler, ns per reading (of 64 loads): medians; NaN: none. */
	double canary_ns, ruler_ns;
};

struct kept_points {
	struct kept_point *list; /* owned */
	size_t count;
	struct surroundings **sessions; /* owned; with a point */
	size_t session_count;
};

/* Adds the points of all experiments in a file, with every metric; nothing if
 * it is not a session. False: the file cannot be read. */
bool kept_points_add(const char *path, struct kept_points *);
/* The same with the metric that each experiment names as watched, as `history`
 * does, or with its first. `experiments` ends with NULL, as in a registry;
 * NULL: always the first. */
bool kept_points_watched(const char *path,
	const struct experiment *const *experiments, struct kept_points *);
/* The metric that an experiment names as watched; NULL: its first. */
const char *kept_watched(const struct experiment *const *, const char *name);
/* Adds the points of one experiment in a kept session with this metric (NULL:
 * every one), if the session is of the machine, which is known by its host name
 * and its processor, if that is not "". */
void kept_points_of(const struct machine *, const char *experiment,
	const char *metric, const char *path, size_t session,
	struct kept_points *);
void kept_points_free(struct kept_points *);
/* Is each point one that an earlier session has, too? To be freed. */
bool *kept_points_repeated(const struct kept_points *);

/* True if the setting of the point has this "name=value". */
bool kept_point_has(const struct kept_point *, const char *pair);
/* True if the figure is from an unshared core and has enough data. */
bool kept_point_counts(const struct kept_point *);

#endif
