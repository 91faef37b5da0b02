/*
 * Prediction of a bandwidth, from the level that the size fits. For a cache of
 * each core, each thread's share of the size counts.
 *
 * Memory: Little's law, from the number of lines in flight and the latency of a
 * load. Caches: bytes per cycle and core, from the least that 16-byte vectors
 * achieve to what the widest port can do. The ports are from optimisation
 * manuals of processors since 2013; a second or third level sustains half of
 * that or less. Non-temporal stores go to memory at any size.
 */
#ifndef BENCHTOP_TRAFFIC_EXPECT_H
#define BENCHTOP_TRAFFIC_EXPECT_H

#include "kernels.h"
#include "results.h"

struct traffic_wish {
	enum kernel_op op;
	int kernel;        /* index into kernel_names */
	double threads;    /* at least 1 */
	double size_bytes; /* of all threads, as typed; 0: larger than the
			    * caches */
};

void traffic_expect(const struct traffic_wish *, const struct facts *,
	struct prediction *);

#endif
