/* What the parts of the worker share. Private to it. */
#ifndef BENCHTOP_WORKER_INTERNAL_H
#define BENCHTOP_WORKER_INTERNAL_H

#include <sys/resource.h>

#include "disturb.h"
#include "memory_ruler.h"
#include "worker.h"

struct worker {
	const struct launch_job *job;
	struct probe probe;
	bool rseq;         /* switches are seen trial by trial */
	double overhead;   /* of an empty pair, ticks */
	uint64_t burst_ns; /* FIFO: when the present burst began */
	struct memory_ruler ruler;
	uint64_t ruled_ns; /* when it was last read */
};

/* Trials between two looks at what the kernel counted. */
struct batch {
	struct rusage usage;
	uint64_t began_ns;
	unsigned trials;
};
void batch_begin(struct worker *, struct batch *);
void batch_end(struct worker *, struct batch *);
/* After a trial: ends the batch where it is old enough and begins another.
 * False: the launch ends. */
bool batch_goes_on(struct worker *, struct batch *);

/* From now on a fault leaves its signal and address in the header before it
 * ends the worker. */
void worker_watch_faults(struct tape_header *);
void worker_phase(struct worker *, enum worker_phase);
/* Shows the lab that the worker lives. */
void worker_alive(const struct worker *);
void worker_put(struct worker *, struct sample);
void worker_put_canary(struct worker *);

/* The lab wants the launch to end, or the tape is nearly full. */
bool worker_ends(const struct worker *);
/* Announces a visit of a point: `canary_every` as in sample.h. */
void worker_put_visit(struct worker *, size_t point, unsigned clone,
	unsigned canary_every);
/* Prepares a point. False: skip it (the sentence is on the tape). */
bool worker_set_up(struct worker *, size_t point, unsigned clone);
void worker_clean_up(struct worker *);
/* Trials without emission: at least three and at least `least_ns`. */
void worker_warm_up(struct worker *, uint64_t ops, double least_ns);
enum { WARM_NS = 1000 * 1000 };

/* Visits both points of a schedule at once, in turns trial by trial: in random
 * order in each pair, so that what drifts or comes and goes hits both alike. */
void worker_visit_pair(struct worker *, unsigned clone);

/* The pilot: sizes the point that is set up and emits SAMPLE_SIZED. */
void worker_size(struct worker *, size_t point, double setup_ns);

#endif
