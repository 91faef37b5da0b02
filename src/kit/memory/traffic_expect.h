/*
 * What a bandwidth could be, before it is measured: by the level that the size
 * fits, each thread's share of it for what each core has of its own.
 *
 * Memory by Little's law: so many lines are on their way at once, each for as
 * long as a load takes. Caches by bytes a cycle and core, from the least that
 * vectors of 16 bytes get to what the widest port could do: optimisation
 * manuals of processors since 2013 tell the ports, and what a second or third
 * level keeps up of it is half of that, or less. Non-temporal stores go to
 * memory whatever the size.
 */
#ifndef BENCHTOP_TRAFFIC_EXPECT_H
#define BENCHTOP_TRAFFIC_EXPECT_H

#include "kernels.h"
#include "results.h"

struct traffic_wish {
	enum kernel_op op;
	int kernel;        /* index into kernel_names */
	double threads;    /* at least 1 */
	double size_bytes; /* of all threads, as typed; 0: larger than caches */
};

void traffic_expect(const struct traffic_wish *, const struct facts *,
	struct prediction *);

#endif
