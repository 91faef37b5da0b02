/*
 * For tests of threads that move memory with bandwidth kernels: a probe without
 * a worker, processors for the threads, and kernels that skip work.
 */
#ifndef BENCHTOP_LIES_H
#define BENCHTOP_LIES_H

#include "kernels.h"
#include "probe.h"

/* A probe that counts the calls of probe_invalid(). */
struct probe counting_probe(void);
extern size_t invalid;

/* Distributes threads over all permitted processors in turn. Returns 0 or
 * -1. */
int spread_threads(int *cpus, size_t count);

/* Fails unless every kernel that skips work is caught. `invalid_after` runs and
 * verifies a kernel, and returns the value of `invalid` then; it is 0
 * before. */
void assert_lies_are_caught(size_t (*invalid_after)(const struct kernel *));

#endif
