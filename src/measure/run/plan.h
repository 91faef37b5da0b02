/*
 * The plan of a run: how many operations a trial, trials a launch, launches,
 * and when it is enough.
 *
 * Operations: a trial should last T = 5 us, but at least a thousand quanta
 * and twenty clock overheads (so that the clock is below a few percent), and
 * at most a twentieth of the kernel's tick (so that at most one trial in
 * twenty holds one).
 * Trials: a launch should spend 50 ms on what is cheap, shared over the points
 * of a sweep but 5 ms each, and take 200 trials of each point where the budget
 * allows it, fewer where it does not: launches come first, they are the unit
 * of inference. But a set-up that has been paid for is used: its trials may
 * take a tenth of its time whatever the budget, since fewer would save nothing
 * and leave their own scatter in the launch's median.
 * Launches: the interval is looked at after 6, 10, 15, 20 and 30 of them; the
 * looks are few and fixed, because an interval looked at after every launch
 * covers less than it says. At ten or more a run is done when the half-width
 * is within the precision, or within the clock's resolution over ops. A launch
 * counts where half of its points have a figure on a core of its own, or one
 * that a co-runner does not change (regime.h). While the budget lasts others
 * are made: a co-runner comes and goes within seconds. That is no choice by
 * result, since the canary knows nothing of what is timed.
 * Draws: where an experiment allows it (probe.h, draws_least), points that are
 * a thousand times dearer than others do not decide how often the others are
 * measured. All points may take the same time in all, and a point that needs
 * more for a visit than its share of a launch is visited by fewer launches.
 */
#ifndef BENCHTOP_PLAN_H
#define BENCHTOP_PLAN_H

#include "common.h"
#include "results.h"

enum {
	LAUNCHES_PRECISE = 10, /* the first look that may end a run */
	TRIALS_USUAL = 200,
	TRIALS_MOST = 10000, /* of a visit */
	OPS_MOST = 1 << 30,
};

/* How long a trial should be, in ticks. */
struct window {
	double least, target, most;
};
struct window plan_window(const struct clock_facts *);

/* One point of a run, as the pilot found it. */
struct sizing {
	bool skip;  /* unavailable here */
	bool ruler; /* the memory ruler stands beside its trials */
	uint64_t ops;
	uint16_t found;        /* by the probe; probe.h */
	double trial_ns;       /* one trial, canary and all */
	double setup_ns;       /* set-up and warm-up of one visit */
	unsigned trials;       /* of a visit */
	unsigned trials_fixed; /* by the experiment, for these arguments; 0 */
	unsigned canary_every; /* trials; 0: no canary */
	unsigned draws;        /* of schedule.draws_of launches visit it */
};

struct schedule {
	struct sizing *points; /* owned */
	size_t count;
	unsigned clones;
	bool fixed_ops;             /* the experiment's plan says how many */
	uint64_t ops_least;         /* where it does not; 0 counts as 1 */
	unsigned emits;             /* samples a trial emits */
	unsigned traces;            /* samples of traces a visit emits */
	unsigned canary_multiplies; /* how long a canary is; disturb.h */
	unsigned launches_least, launches_most;
	unsigned draws_of; /* launches the draws are spread over */
	bool abba;         /* two points in the order A B, B A, A B, .. */
	bool paired;       /* the same, in turns trial by trial */
	double launch_ns;  /* expected, fork and all */
	uint64_t samples;  /* of one launch, generously */
};

/* Fills in trials, canaries and the expected time, once the points' ops and
 * times are known and `spent_ns` of the budget are gone. */
void plan_trials(struct schedule *, const struct plan *, const struct common *,
	double spent_ns);

/* Does launch `number`, from 1, visit the point? */
bool plan_visits(const struct schedule *, size_t point, unsigned number);

/* Launches so far that count. */
unsigned plan_counted(const struct results *);
/* Launches after which the interval is looked at next. */
unsigned plan_next_look(unsigned launches);
/* Is every point's headline as precise as asked? */
bool plan_precise(const struct results *, double precision);
/* Launches that will be needed: from the widest of the points' intervals. */
unsigned plan_launches_needed(const struct results *, double precision,
	unsigned most);

#endif
