/*
 * The watchdog: distinguishes a stuck child from a slow one.
 *
 * A child shows progress by publishing samples or increasing `alive` in the
 * header of its tape. After a second without progress, the lab examines the
 * process. A page fault is progress: filling a buffer of gigabytes causes many
 * faults, and on a machine that provides memory slowly, even a part of it takes
 * seconds. Time in which a thread is runnable without a processor is not
 * counted as silence: it is caused by other load.
 *
 * A child is stuck after ten seconds, plus three of its longest trials, without
 * progress, page faults or waiting. A child that only causes page faults is
 * stuck after ten times that, again without the time in which it waited.
 */
#ifndef BENCHTOP_WATCH_H
#define BENCHTOP_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The kernel's counts for a process, over all its threads. */
struct watch_signs {
	uint64_t faults; /* minor and major, ended threads included */
	uint64_t waited_ns; /* runnable without a processor (schedstat) */
};
/* Returns false if the process has ended. Without schedstat, waited_ns is 0.
 * `root` is a prefix of /proc, for tests. */
bool watch_read(const char *root, pid_t, struct watch_signs *);

struct watch {
	uint64_t told_ns;   /* time of the last progress of its own */
	double waited_ns;   /* for a processor, since then */
	double limit_ns;    /* allowed without progress; 0: as described
			     * above */
	uint64_t heard_ns;  /* time of the last progress or page fault */
	uint64_t looked_ns; /* time of the last examination; 0: none since */
	double excused_ns;  /* waiting time to subtract */
	struct watch_signs seen;
};

enum watch_verdict {
	WATCH_LIVES,
	WATCH_SILENT,  /* no progress, no page faults */
	WATCH_ENDLESS, /* page faults, but no progress */
};

/* Call on progress, and at the start; the limit is kept. */
void watch_heard(struct watch *, uint64_t now_ns);
/* True if the process should be examined. Not while it shows progress: the
 * examination costs time that a measurement may notice. */
bool watch_wants(const struct watch *, uint64_t now_ns);
/* Stores the result of an examination. */
void watch_look(struct watch *, const struct watch_signs *, uint64_t now_ns);
/* True if the child has been silent for too long; its longest trial takes
 * `trial_ns`. */
enum watch_verdict watch_stuck(const struct watch *, double trial_ns,
	uint64_t now_ns);

#endif
