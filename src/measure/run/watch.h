/*
 * The watchdog: is a child stuck, or only slow?
 *
 * A child shows by itself that it lives: it publishes samples, or counts up
 * `alive` in the header of its tape. One that has shown nothing for a second
 * is looked at from outside. A page fault is progress: a buffer of gigabytes
 * is made by faults, and on a machine whose memory comes slowly even a part of
 * it takes seconds. Time for which a thread of it waited for a processor is
 * not silence but somebody else's load. What neither shows anything, nor
 * faults, nor waits, is stuck once that has lasted ten seconds, and three of
 * its longest trials more. What faults without end is stuck too, after ten
 * times as long without a sign of its own, time that it waited not counted.
 */
#ifndef BENCHTOP_WATCH_H
#define BENCHTOP_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the kernel counts of a process, all its threads together. */
struct watch_signs {
	uint64_t faults; /* minor and major, those of threads that ended too */
	uint64_t waited_ns; /* runnable without a processor (schedstat) */
};
/* False where nothing can be read: it has ended. A kernel that keeps no
 * schedstat counts no waiting. `root` goes before /proc, for tests. */
bool watch_read(const char *root, pid_t, struct watch_signs *);

struct watch {
	uint64_t told_ns;   /* the last sign of life of its own */
	double waited_ns;   /* for a processor, since then */
	double limit_ns;    /* it may go without one; 0: as said above */
	uint64_t heard_ns;  /* that, or a page fault */
	uint64_t looked_ns; /* 0: not since then */
	double excused_ns;  /* of the time since then */
	struct watch_signs seen;
};

enum watch_verdict {
	WATCH_LIVES,
	WATCH_SILENT,  /* neither shows nor does anything */
	WATCH_ENDLESS, /* faults, and shows nothing */
};

/* It has shown that it lives, or has just been started; the limit stays. */
void watch_heard(struct watch *, uint64_t now_ns);
/* Should it be looked at from outside? Not while it shows something itself:
 * to look costs the lab time that a measurement may feel. */
bool watch_wants(const struct watch *, uint64_t now_ns);
/* Takes over what was seen of it. */
void watch_look(struct watch *, const struct watch_signs *, uint64_t now_ns);
/* Has it been silent for too long, its longest trial taking `trial_ns`? */
enum watch_verdict watch_stuck(const struct watch *, double trial_ns,
	uint64_t now_ns);

#endif
