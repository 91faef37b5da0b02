/* Shared by the parts of the worker; private to it. */
#ifndef BENCHTOP_WORKER_INTERNAL_H
#define BENCHTOP_WORKER_INTERNAL_H

#include <sys/resource.h>

#include "counters.h"
#include "disturb.h"
#include "memory_ruler.h"
#include "worker.h"

struct worker {
	const struct launch_job *job;
	struct probe probe;
	bool rseq;         /* switches are detected per trial */
	double overhead;   /* of an empty pair, ticks */
	uint64_t burst_ns; /* FIFO: start of the current burst */
	struct memory_ruler ruler;
	uint64_t ruled_ns; /* last reading of the ruler */
};

/* Trials between two readings of the kernel's counters. */
struct batch {
	struct rusage usage;
	uint64_t began_ns;
	unsigned trials;
};
void batch_begin(struct worker *, struct batch *);
void batch_end(struct worker *, struct batch *);
/* After a trial: ends the batch if it is old enough and begins another. Returns
 * false if the launch ends. */
bool batch_goes_on(struct worker *, struct batch *);

/* Installs handlers that store a fault's signal and address in the header
 * before the worker ends. */
void worker_watch_faults(struct tape_header *);
void worker_phase(struct worker *, enum worker_phase);
/* Reports to the lab that the worker is alive. */
void worker_alive(const struct worker *);
void worker_put(struct worker *, struct sample);
void worker_put_canary(struct worker *);

/* True if the experiment has ended the run. */
bool worker_failed(const struct worker *);
/* True if the lab wants the launch to end, or the tape is nearly full. */
bool worker_ends(const struct worker *);
/* Emits the start of a visit; `canary_every` as in sample.h. */
void worker_put_visit(struct worker *, size_t point, unsigned clone,
	unsigned canary_every);
/* Prepares a point. Returns false if it must be skipped (the reason is on the
 * tape). */
bool worker_set_up(struct worker *, size_t point, unsigned clone);
void worker_clean_up(struct worker *);
/* Runs trials without emission: at least three, for at least the warm-up of
 * the plan. */
void worker_warm_up(struct worker *, uint64_t ops);

/* Visits both points of a schedule at once, alternating trial by trial, in
 * random order in each pair, so that drift and temporary load affect both
 * alike. */
void worker_visit_pair(struct worker *, unsigned clone);

/* Sets up each point again for trials that are counted, not timed. */
void worker_count(struct worker *);

/* The pilot: sizes the point that is set up. Returns a SAMPLE_SIZED, in which
 * `at`, the time of set-up and clean-up, is missing. */
struct sample worker_size(struct worker *, size_t point);

#endif
