/* Shared by the parts of a run; private to it. */
#ifndef BENCHTOP_RUN_INTERNAL_H
#define BENCHTOP_RUN_INTERNAL_H

#include "child.h"
#include "clock.h"
#include "counters.h"
#include "feed.h"
#include "others.h"
#include "plan.h"
#include "quiet.h"
#include "run.h"
#include "siblings.h"
#include "tape.h"
#include "watch.h"

struct run {
	const struct experiment *experiment;
	struct param_set args; /* owned */
	struct common common;
	bool common_budget_asked;
	const struct facts *facts;       /* the lab's */
	struct places *places;           /* the lab's */
	struct clock_cache *clocks;      /* the lab's */
	bool executes;                   /* as requested */
	struct place place;
	struct counted counters;
	char *counters_note; /* what is not counted, as warned, owned; NULL */
	bool applied;     /* the lab has been moved aside */
	struct plan plan; /* the experiment's, for these arguments */
	struct schedule schedule;
	struct results *results; /* owned until run_take() */
	struct feed feed;
	struct tape tape;
	uint64_t fed;   /* samples read from the tape */
	int packets_fd; /* -1: no capture */
	int ruler_fd;   /* memory ruler; -1: none */
	int lock;       /* on the processor; -1 */

	enum run_stage stage;
	struct job job;     /* of the stages before the pilot */
	struct child child; /* the worker */
	struct others others;
	unsigned launch;    /* number of the current launch */
	unsigned counted;   /* launches so far that count */
	unsigned needed;    /* expected number of launches that count */
	unsigned looked_at; /* value of `counted` at the last check */
	uint64_t began_ns, launch_began_ns;
	double launch_took_ns; /* smoothed */
	/* limit_ns: when the run should end, by the budget or the announced
	 * time. most_ns: the maximum if launches are slower than the pilot. */
	double limit_ns, most_ns;
	double foreseen_ns; /* announced during the pilot; 0: nothing */
	uint64_t forecasts; /* the warnings that are forecasts, as bits */
	struct watch watch;
	uint32_t alive; /* last value in the header */
	bool cramped; /* the tape cannot grow for the launch */
	bool stopping, cut;
	enum watch_verdict hung; /* why the worker was killed */
	uint64_t stopping_ns;    /* time of the request */
	bool found;              /* the findings are derived */
	double share;            /* of progress: never decreases */
};

double run_elapsed_ns(const struct run *);
/* At the end: replaces the forecasts by the time that the run took. */
void run_settle_forecasts(struct run *);
/* What the pilot found of a point. */
void run_take_sizing(const struct run *, size_t point, struct sizing *);
/* During the pilot: warns if the points sized so far, or requested trials,
 * exceed the budget several times. */
void run_foresee(struct run *);
/* After the pilot: sets the time limit. A run that will exceed its budget warns
 * before its first launch. */
void run_set_limit(struct run *);
/* The reason to end now, after a launch; STOP_NONE: the run continues. */
enum stop_reason run_reason_to_end(struct run *);
/* Stores the calibration. Then finds the sibling if it is unknown, waits for an
 * unshared core if that is requested, and begins the pilot. */
void run_use_clock(struct run *, const struct clock_facts *);
/* Plans the processors with the known sibling; moves the lab. */
int run_place(struct run *, struct error *);
/* Before the first launch: begins to count other tasks on the processors that
 * the run measures on. */
void run_begin_others(struct run *);
/* The part of their time that others have taken from the run. */
double run_share_of_others(const struct run *);
/* At the end: states what others took, here and on the whole machine. */
void run_warn_of_others(struct run *);
/* Adds the points of a sweep with their texts, arguments and weights. */
void run_describe_points(struct results *, const struct experiment *,
	const struct param_set *);
/* Adds "the worker died of SIGSEGV at 0x10 in trials of call=getppid; 120
 * samples are kept". */
void run_describe_death(const struct run *, int status, struct text *);
/* Completes the results: refined clock, findings, duration. */
void run_finish(struct run *);

#endif
