/*
 * A run, from the command to its results: all launches of one experiment at
 * all points of a sweep.
 *
 *     clock -> siblings -> quiet -> pilot -> launch 1 .. n
 *         -> done | stopped | failed
 *
 * A run owns one child at a time and never waits: the lab's loop polls
 * run_descriptor() and calls run_step() when it is readable, and at least ten
 * times a second while the run goes on. What a worker publishes is in the
 * results at the next step; when the worker dies, whatever it published is
 * kept and the run ends as failed with a sentence that says of what, where
 * and in which phase it died.
 */
#ifndef BENCHTOP_RUN_H
#define BENCHTOP_RUN_H

#include "common.h"
#include "param.h"
#include "place.h"
#include "results.h"

struct fork_server;
struct run;

/* Clocks that were measured by earlier runs of this lab, by processor. */
struct clock_cache {
	struct clock_facts facts[CPU_SETSIZE];
	uint64_t measured_ns[CPU_SETSIZE]; /* 0: not yet */
	/* The other processor whose counter was then held against this one's,
	 * and one more, so that 0 is none. */
	int second[CPU_SETSIZE];
};

struct run_request {
	const struct experiment *experiment;
	const struct param_set *args;
	const struct common *common;
	bool budget_asked; /* else the experiment's own budget wins */
	bool abba;         /* the two points in turns: A B, B A, A B, .. */
	bool blocked;      /* visit by visit, though trial by trial would do */
	const struct prediction *prediction; /* the user's; NULL: none */
	const struct facts *facts; /* for the model and the findings; must live
				    * as long as the run */
	const char *line;          /* that repeats the run */
	struct places *places;
	struct clock_cache *clocks;
	struct fork_server *fork_server; /* of the workers; NULL: none */
};

/* Starts; everything of the request but places, clocks and fork server is
 * copied or used up before it returns. NULL with a sentence: nothing has
 * happened. */
struct run *run_start(const struct run_request *, struct error *);

/* Can these points be measured in one run, for all that is known before? */
int run_check(const struct experiment *, const struct param_set *args,
	struct error *);
/* Adds what should be read before they are measured; nothing for most. */
void run_caution(const struct experiment *, const struct param_set *args,
	struct text *);

/* To poll for reading; -1 while there is nothing to wait for but time. */
int run_descriptor(struct run *);
/* Takes what is new, goes on to the next stage when the child has ended. */
void run_step(struct run *);
/* Asks the worker to end after its present trial; one that is only setting up
 * and does not end within half a second is killed. Results stay. */
void run_stop(struct run *);
/* The same at once: the worker is killed, what it has published is kept. For
 * leaving when nobody waits any more. */
void run_cut(struct run *);

bool run_over(const struct run *);
/* Derives the findings of a run that is over, unless they are there: those of
 * a small one are, those of a large one take longer than a key may wait. */
void run_find(struct run *);
/* How it ended: STATUS_OK, _INTERRUPTED (stopped by the user), _WORKER
 * or _NETWORK. */
enum status run_status(const struct run *);

/* Live: grows with every step. Owned by the run until run_take(). */
struct results *run_results(struct run *);
struct results *run_take(struct run *);
/* Ends a run at once if it still goes on; removes its tape, or keeps it for
 * `recover` when the results could not be saved. */
void run_close(struct run *, bool keep_tape);

/* The file of its packets (kit/packets.h), the run's own; -1: it captures
 * nothing. run_take_packets() gives the descriptor away. */
int run_packets(const struct run *);
int run_take_packets(struct run *);

enum run_stage {
	STAGE_CLOCK,
	STAGE_SIBLINGS,
	STAGE_QUIET, /* waiting for a core of its own */
	STAGE_PILOT,
	STAGE_LAUNCH,
	STAGE_OVER, /* what is left is to work out the figures */
};

struct progress {
	enum run_stage stage;
	unsigned launch;   /* the present one, from 1; 0 before the first */
	unsigned launches; /* expected in all, at this moment */
	/* While the pilot finds out how long everything takes: the point that
	 * it is at, from 1, of so many. */
	size_t sizing, points;
	double share; /* 0 .. 1, never falls */
	double elapsed_s;
	bool foretold;   /* the pilot has ended: it is known what is left */
	double left_s;   /* 0 where it is not */
	bool lab_shares; /* drawing would take the processor of a trial */
	bool lab_beside; /* .. or half of its core: draw seldom */
};
void run_progress(struct run *, struct progress *);
/* Expected wall time of a run with these parameters, s: from the plan alone,
 * an upper bound; for `show`. */
double run_expected_s(const struct experiment *, const struct common *);

/* Makes results of an orphaned tape; the run is marked as recovered. The
 * args are those of the tape's line. */
struct results *run_recover(const struct experiment *,
	const struct param_set *args, const struct facts *, const char *path,
	struct error *);

#endif
