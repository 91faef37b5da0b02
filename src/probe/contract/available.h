/*
 * How much memory can be allocated without the out-of-memory killer.
 *
 * The minimum of two figures, less an eighth. The first is the kernel's
 * estimate (MemAvailable: memory that is free or reclaimable without swapping).
 * The second is what the memory groups of this process still allow: cgroup v2
 * memory.max - memory.current of the group and all its ancestors; v1
 * memory.limit_in_bytes - memory.usage_in_bytes; inactive file pages, which the
 * kernel reclaims first, are not counted as used. The eighth is a reserve: the
 * figures are estimates, other processes allocate too, and page tables need
 * memory.
 */
#ifndef BENCHTOP_AVAILABLE_H
#define BENCHTOP_AVAILABLE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Bytes; UINT64_MAX if unknown. `root` is a prefix of /proc and /sys, for
 * tests; "" is this machine. */
uint64_t memory_available(const char *root);
/* Sets the error for a request larger than the available memory, in bytes.
 * `what` begins the sentence: "a copy ", or "". Always returns -1. */
int memory_refuse(const char *what, double needed, double available,
	struct error *);
/* Sets the error for a mapping that the kernel refused with an error number.
 * Mentions 'ulimit -v' if it limits the address space. Always returns -1. */
int memory_refuse_map(size_t size_bytes, int number, struct error *);

/* A quarter of the available memory, at least 4 MiB: the size for an experiment
 * that chooses its own. The value is read once for the process and its workers,
 * because all launches of a run must use the same size. So the lab has to call
 * this before it forks a worker. */
uint64_t memory_quarter(void);

#endif
