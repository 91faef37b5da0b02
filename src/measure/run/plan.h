/*
 * The plan of a run: operations per trial, trials per launch, launches, and
 * when to stop.
 *
 * Operations: a trial should last T = 5 us. It lasts at least a thousand quanta
 * and twenty clock overheads, so that the clock's error is below a few percent.
 * It lasts at most a twentieth of the timer interrupt's period, so that at most
 * one trial in twenty contains an interrupt.
 *
 * Trials: a launch should spend 50 ms on cheap points, shared over the points
 * of a sweep but at least 5 ms each. It makes 200 trials of each point if the
 * budget allows it. If not, it makes fewer, because launches have priority:
 * they are the unit of inference. But trials may take a tenth of the set-up's
 * time at any budget: fewer would save nothing, and their scatter would affect
 * the launch's median.
 *
 * Launches: the interval is checked after 6, 10, 15, 20 and 30 launches. These
 * checks are few and fixed, because an interval that is checked after every
 * launch has less than its nominal coverage. From ten launches on, a run stops
 * when the half-width is within the precision, or within the clock's resolution
 * divided by ops. A launch counts if half of its points have a figure on an
 * unshared core, or one that a co-runner does not change (regime.h). Within the
 * budget, launches that do not count are replaced: a co-runner comes and goes
 * within seconds. This does not select by result, because the canary is
 * independent of what is timed.
 *
 * Draws: if an experiment allows it (draws_least in probe.h), points that are a
 * thousand times more expensive than others do not determine how often the
 * others are measured. All points may take the same total time. A point whose
 * visit needs more than its share of a launch is visited by fewer launches.
 */
#ifndef BENCHTOP_PLAN_H
#define BENCHTOP_PLAN_H

#include "common.h"
#include "results.h"

enum {
	LAUNCHES_PRECISE = 10, /* the first check that may end a run */
	TRIALS_USUAL = 200,
	TRIALS_MOST = 10000, /* of a visit */
	OPS_MOST = 1 << 30,
	BATCH_NS = 1000 * 1000, /* trials that share a reading of counters */
};

/* What an experiment declares about one point. */
struct plan plan_at(const struct experiment *, const struct param_set *,
	size_t point);

/* The length of a trial, in ticks. */
struct window {
	double least, target, most;
};
struct window plan_window(const struct clock_facts *);

/* One point of a run, as measured by the pilot. */
struct sizing {
	bool skip;  /* unavailable on this machine */
	bool ruler; /* the memory ruler runs beside its trials */
	uint64_t ops;
	uint16_t found;        /* by the probe; probe.h */
	double trial_ns;       /* one trial, with its share of the canary */
	double setup_ns;       /* set-up, warm-up and clean-up of one
				* visit */
	unsigned trials;       /* of a visit */
	uint64_t ops_least;    /* if ops are not fixed; 0 counts as 1 */
	unsigned trials_fixed; /* set by the experiment for these arguments; 0:
				* not set */
	unsigned canary_every; /* trials; 0: no canary */
	unsigned draws;        /* number of draws_of launches that visit it */
};

struct schedule {
	struct sizing *points; /* owned */
	size_t count;
	unsigned clones;
	bool fixed_ops;             /* ops are set by the experiment's plan */
	unsigned emits;             /* samples per trial */
	unsigned traces;            /* trace samples per visit */
	unsigned counters;          /* samples per counted trial */
	unsigned canary_multiplies; /* length of a canary; canary.h */
	unsigned launches_least, launches_most;
	unsigned draws_of; /* launches over which the draws are spread */
	bool abba;         /* two points in the order A B, B A, A B, .. */
	bool paired;       /* the same, alternating trial by trial */
	double launch_ns;  /* expected, with the fork */
	uint64_t samples;  /* upper bound for one launch */
};

/* Fills in trials, canaries and the expected time, after the points' ops and
 * times are known. `spent_ns` of the budget are already used. */
void plan_trials(struct schedule *, const struct plan *, const struct common *,
	double spent_ns);

/* The least warm-up of one visit: a millisecond of each point in a launch, in
 * which its clones share. Each of them also has three trials. */
double plan_warm_up_ns(const struct schedule *);

/* The trials of a visit that are counted (counters.h): a tenth more. Never as
 * many as are timed: as many values would have the flags of those. */
unsigned plan_counted_trials(const struct sizing *);

/* True if launch `number`, from 1, visits the point. */
bool plan_visits(const struct schedule *, size_t point, unsigned number);

/* The number of launches so far that count. */
unsigned plan_counted(const struct results *);
/* The number of launches at the next check of the interval. */
unsigned plan_next_look(unsigned launches);
/* True if every point's headline has the required precision. */
bool plan_precise(const struct results *, double precision);
/* The expected number of necessary launches, from the widest interval of the
 * points. */
unsigned plan_launches_needed(const struct results *, double precision,
	unsigned most);

#endif
