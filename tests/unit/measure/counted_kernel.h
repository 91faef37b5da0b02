/* A kernel with counters that a test invents: what it offers, what was opened,
 * and what each read returns. */
#ifndef BENCHTOP_TEST_COUNTED_KERNEL_H
#define BENCHTOP_TEST_COUNTED_KERNEL_H

#include "counters.h"

enum { COUNTED_FDS = 32 };

/* What the kernel of a case offers. */
extern struct counted_offers {
	int missing[COUNTERS]; /* error of each counter; 0: it exists */
	int kernel;            /* error if the kernel's work is to be counted */
	int all;               /* error of every call */
	unsigned fits;         /* of the processor in a group; 0: all */
} offers;

/* What was opened and is read. */
extern struct counted_kernel {
	bool open[COUNTED_FDS];
	unsigned opened, in_group;
	bool on;
	uint64_t at[COUNTERS]; /* present counts, in the order of the group */
	uint64_t step[COUNTERS]; /* added by each read */
	uint64_t enabled_ns, running_ns;
	uint64_t lost_ns; /* of the time, in which the group is not running */
	size_t short_bytes;
} kernel;

extern const struct counter_calls fake;

/* The set-up of a case: everything is offered, nothing is open. */
int begin_case(void **state);
void all_are_closed(void);

#define CASE(name) cmocka_unit_test_setup(name, begin_case)

#endif
