/*
 * Interrupts of a processor, counted by the kernel: /proc/interrupts. Reading
 * it takes 50 to 100 us, more on large machines.
 */
#ifndef BENCHTOP_INTERRUPTS_H
#define BENCHTOP_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

struct interrupts {
	uint64_t all;
	uint64_t timer; /* of these, by the processor's own timer */
};

/* Counts since the start of the machine. False: not reported for this
 * processor. `root` is a prefix of /proc, for tests; "" is this machine. */
bool interrupts_read(struct interrupts *, const char *root, int cpu);

#endif
