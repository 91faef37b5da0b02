/*
 * A contest: threads that perform the same operation at the same time.
 *
 * All members start together and continue until member 0 has performed its
 * number of operations. Each of the others completes the operation that it is
 * performing then. Its rate is its operations by the time until its own end: by
 * the common end, a part of an operation would count as a whole. The rates add
 * up. If each member performed a fixed number instead, a slow one would finish
 * without competition, and a fast one's figure would look like that of all.
 */
#ifndef BENCHTOP_CONTEST_H
#define BENCHTOP_CONTEST_H

#include "team.h"

struct contest;

/* Contenders are two pairs of lines apart: processors fetch adjacent lines
 * together. */
struct contender {
	_Alignas(256) struct contest *contest;
	unsigned number; /* from 0 */
	uint64_t most;   /* operations of member 0; no limit for the others */
	/* Set by the work, once, when it ends: */
	uint64_t count;  /* operations performed */
	uint64_t change; /* for the experiment's verification */
	uint64_t extra;  /* another count, such as of failures */
};

/* Performs operations while contest_continues(). */
typedef void contest_work(void *context, struct contender *);

struct contest {
	struct team team;
	struct contender *contenders; /* owned */
	contest_work *work;
	void *context;
	_Alignas(256) _Atomic bool over;
	/* Of the last contest: */
	_Alignas(256) uint64_t total; /* operations of all members */
	uint64_t change, extra;       /* sums */
	double interval_ns;           /* from one operation of any member to the
				       * next */
	double fairness;              /* least / most rate, 0 .. 1 */
};

/* Starts `threads` (PARAM_AUTO: all) members on the processors of the probe's
 * row. `sleeps`: members may sleep by design, which is then no interruption.
 * Returns 0, or -1 after probe_unavailable(). The struct must not be moved. */
int contest_start(struct contest *, int64_t threads, bool sleeps,
	struct probe *);
void contest_stop(struct contest *);

/* Runs one contest and emits a trial of a timed metric: the mean time of a
 * member per operation. Emits `ops` operations, because trials must not differ
 * in their number. */
void contest_trial(struct contest *, contest_work *, void *context,
	unsigned metric, uint64_t ops);

static inline bool contest_continues(const struct contender *me, uint64_t done)
{
	return done < me->most &&
		!atomic_load_explicit(&me->contest->over,
			memory_order_relaxed);
}

#endif
