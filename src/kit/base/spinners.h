/*
 * Threads that run all the time on processors of their own and share the
 * address space. Each counts, so that an experiment can tell whether all of
 * them ran during a trial.
 */
#ifndef BENCHTOP_SPINNERS_H
#define BENCHTOP_SPINNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spinner;

struct spinners {
	size_t count;
	struct spinner *list; /* owned */
	uint32_t quit;
};

/* Starts one thread on each processor. Returns 0 or -errno. The struct must not
 * be moved before spinners_stop(), which is also called after an error. */
int spinners_start(struct spinners *, const int *cpus, size_t count);
void spinners_stop(struct spinners *);

/* Remembers the counts; true if each count has changed since then. */
void spinners_note(struct spinners *);
bool spinners_ran(const struct spinners *);

#endif
