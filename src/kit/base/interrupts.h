/*
 * Interrupts of processors, counted by the kernel since its start:
 * /proc/interrupts (proc(5)). Reading it takes 50 to 100 us, more on large
 * machines.
 */
#ifndef BENCHTOP_INTERRUPTS_H
#define BENCHTOP_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interrupts {
	uint64_t all;
	uint64_t timer; /* of these, by the processor's own timer */
	uint64_t tlb;   /* of these, TLB shootdowns */
	bool has_tlb;   /* false: the kernel does not count them */
};

/* Sums over `count` processors. False: one of them is not reported. `root` is a
 * prefix of /proc, for tests; "" is this machine. */
bool interrupts_read(struct interrupts *, const char *root, const int *cpus,
	size_t count);

#endif
