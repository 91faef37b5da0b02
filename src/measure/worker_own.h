/* What the parts of the worker share. Private to it. */
#ifndef BENCHTOP_WORKER_OWN_H
#define BENCHTOP_WORKER_OWN_H

#include <sys/resource.h>

#include "disturb.h"
#include "worker.h"

struct worker {
	const struct launch_job *job;
	struct probe probe;
	bool rseq;            /* switches are seen trial by trial */
	double overhead;      /* of an empty pair, ticks */
	uint64_t patience_ns; /* it may still wait for calm */
	uint64_t burst_ns;    /* FIFO: when the present burst began */
};

/* From now on a fault leaves its signal and address in the header before it
 * ends the worker. */
void worker_watch_faults(struct tape_header *);
void worker_phase(struct worker *, enum worker_phase);
/* Shows the lab that the worker lives. */
void worker_alive(const struct worker *);
/* Sleeps until the core is calm, as long as the launch has patience. */
void worker_await_calm(struct worker *);
/* One trial with emission; the engine's own clock around it, ns. */
void worker_put(struct worker *, struct sample);

/* The pilot: sizes the point that is set up and emits SAMPLE_SIZED. */
void worker_size(struct worker *, size_t point, double setup_ns);

#endif
