/* What the parts of a run share. Private to it. */
#ifndef BENCHTOP_RUN_INTERNAL_H
#define BENCHTOP_RUN_INTERNAL_H

#include "child.h"
#include "clock.h"
#include "feed.h"
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
	struct fork_server *fork_server; /* the lab's; NULL */
	struct place place;
	bool applied;     /* the lab has been moved aside */
	struct plan plan; /* the experiment's, of these arguments */
	struct schedule schedule;
	struct results *results; /* owned until run_take() */
	struct feed feed;
	struct tape tape;
	uint64_t fed;   /* samples taken off the tape */
	int packets_fd; /* -1: this run captures nothing */
	int ruler_fd;   /* of memory; -1: none */
	int lock;       /* on the processor; -1 */

	enum run_stage stage;
	struct job job;     /* of the stages before the pilot */
	struct child child; /* the worker */
	unsigned launch;    /* number of the present one */
	unsigned counted;   /* launches so far that count */
	unsigned needed;    /* launches that are expected to be */
	unsigned looked_at; /* how many counted at the last look */
	uint64_t began_ns, launch_began_ns;
	double launch_took_ns; /* smoothed */
	/* When it should be over: the budget, or what was said beforehand;
	 * and what it may come to when launches are slower than the pilot. */
	double limit_ns, most_ns;
	struct watch watch;
	uint32_t alive; /* as last seen in the header */
	bool stopping, cut;
	enum watch_verdict hung; /* why the worker was ended */
	uint64_t stopping_ns;    /* when that was asked for */
	bool found;              /* the findings are there */
	double share;            /* of progress: never falls */
};

double run_elapsed_ns(const struct run *);
/* After the pilot: how long it may take. A run that cannot keep its budget says
 * so before its first launch. */
void run_set_limit(struct run *);
/* Why it should end now, after a launch; STOP_NONE: the run continues. */
enum stop_reason run_reason_to_end(struct run *);
/* Takes a measured clock over, looks for the sibling where it is not known,
 * waits for a quiet core where that is asked for, and begins the pilot. */
void run_use_clock(struct run *, const struct clock_facts *);
/* Plans who runs where, with what is known of the sibling; moves the lab. */
int run_place(struct run *, struct error *);
/* Adds the points of a sweep with their texts, arguments and weights. */
void run_describe_points(struct results *, const struct experiment *,
	const struct param_set *);
/* "the worker died of SIGSEGV at 0x10 in trials of call=getppid; 120 samples
 * are kept". */
void run_describe_death(const struct run *, int status, struct text *);
/* Closes the books: refined clock, findings, time taken. */
void run_finish(struct run *);

#endif
