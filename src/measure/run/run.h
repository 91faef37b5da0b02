/*
 * A run, from the command to its results: all launches of one experiment at all
 * points of a sweep.
 *
 *     clock -> siblings -> quiet -> pilot -> launch 1 .. n
 *         -> done | stopped | failed
 *
 * A run has one child at a time and never blocks. The lab's loop polls
 * run_descriptor() and calls run_step() when it is readable, and at least ten
 * times a second while the run is active. The next step adds what a worker has
 * published to the results. If the worker dies, the published samples are kept
 * and the run fails, with a sentence that has the cause, the point and the
 * phase.
 */
#ifndef BENCHTOP_RUN_H
#define BENCHTOP_RUN_H

#include "common.h"
#include "param.h"
#include "place.h"
#include "results.h"

struct run;

/* Calibrations of earlier runs of this lab, by processor. */
struct clock_cache {
	struct clock_facts facts[CPUS_MAX];
	uint64_t measured_ns[CPUS_MAX]; /* 0: not yet calibrated */
	/* The other processor whose skew was checked, plus one; 0: none. */
	int second[CPUS_MAX];
	char *canary_path; /* of canary_known.h; NULL: nothing is kept */
};

/* Keeps a new calibration of a processor, after canary_recall() has compared it
 * with those of other labs. `second`: the processor whose skew was checked; -1:
 * none. */
void clock_cache_keep(struct clock_cache *, int cpu, int second,
	struct clock_facts *);
/* Keeps a lower canary_alone, which the canaries of a run have shown
 * (sharing.h), for later runs and labs. */
void clock_cache_correct(struct clock_cache *, int cpu, double alone);

struct run_request {
	const struct experiment *experiment;
	const struct param_set *args;
	const struct common *common;
	bool budget_asked; /* otherwise the experiment's own budget is used */
	bool abba;         /* alternate the two points: A B, B A, A B, .. */
	bool blocked;      /* by visits, even if alternating by trials is
			    * possible */
	const struct prediction *prediction; /* the user's; NULL: none */
	const struct facts *facts; /* for the model and the findings; must exist
				    * as long as the run */
	const char *line;          /* the command that repeats the run */
	struct places *places;
	struct clock_cache *clocks;
	bool executes; /* workers execute the program; launch.h */
};

/* Starts a run. Everything in the request except places and clocks is copied
 * before it returns. Returns NULL with an error, without side effects. */
struct run *run_start(const struct run_request *, struct error *);

/* Checks that these points can be measured in one run, as far as that is known
 * beforehand. Returns 0, or -1 with an error. */
int run_check(const struct experiment *, const struct param_set *args,
	struct error *);
/* Adds cautions that the user should read before the run; usually nothing. */
void run_caution(const struct experiment *, const struct param_set *args,
	struct text *);

/* The descriptor to poll for reading; -1 if only time must pass. */
int run_descriptor(struct run *);
/* Processes new samples; enters the next stage when the child has ended. */
void run_step(struct run *);
/* Asks the worker to end after its present trial. A worker in set-up that does
 * not end within half a second is killed. Results are kept. */
void run_stop(struct run *);
/* The same at once: the worker is killed; published samples are kept. For a
 * program that ends. */
void run_cut(struct run *);

bool run_over(const struct run *);
/* Derives the findings of a run that is over and the notes at its points,
 * unless they exist. For a small run they already do; for a large run it takes
 * longer than a key may wait. */
void run_find(struct run *);
/* The result: STATUS_OK, _INTERRUPTED (stopped by the user), _WORKER or
 * _NETWORK. */
enum status run_status(const struct run *);

/* Updated by every step. Owned by the run until run_take(). */
struct results *run_results(struct run *);
struct results *run_take(struct run *);
/* Ends a run at once if it is active. Removes its tape, or keeps it for
 * `recover` if the results could not be saved. */
void run_close(struct run *, bool keep_tape);

/* The file of the run's packets (packets.h); -1: no capture. run_take_packets()
 * transfers ownership of the descriptor. */
int run_packets(const struct run *);
int run_take_packets(struct run *);

enum run_stage {
	STAGE_CLOCK,
	STAGE_SIBLINGS,
	STAGE_QUIET, /* waiting for an unshared core */
	STAGE_PILOT,
	STAGE_LAUNCH,
	STAGE_OVER, /* only the figures must still be computed */
};

struct progress {
	enum run_stage stage;
	unsigned launch;   /* the current launch, from 1; 0 before the first */
	unsigned launches; /* expected total, at this moment */
	/* During the pilot: the current point, from 1, and the number of
	 * points. */
	size_t sizing, points;
	bool stopping; /* a launch ends after its present trial */
	double share; /* 0 .. 1, never decreases */
	double elapsed_s;
	bool foretold;   /* the pilot has ended, so left_s is known */
	double left_s;   /* 0 if unknown */
	bool lab_shares; /* drawing would use the processor of a trial */
	bool lab_beside; /* .. or its SMT sibling: draw seldom */
};
void run_progress(struct run *, struct progress *);
/* Expected wall time of a run with these parameters, s: an upper bound from the
 * plan alone, for `show`. */
double run_expected_s(const struct experiment *, const struct common *);

/* Converts an orphaned tape to results, marked as recovered. The args are those
 * of the tape's line. */
struct results *run_recover(const struct experiment *,
	const struct param_set *args, const struct facts *, const char *path,
	struct error *);

#endif
