/*
 * How much memory can be taken without anybody being killed for it.
 *
 * The least of what the kernel says is available (MemAvailable: free, or
 * given up without swapping) and what the memory groups that hold this process
 * still allow (cgroup v2 memory.max - memory.current of the group and of all
 * above it; v1 memory.limit_in_bytes - memory.usage_in_bytes), less an eighth:
 * the figure is an estimate, others allocate too, and tables of pages come on
 * top.
 */
#ifndef BENCHTOP_AVAILABLE_H
#define BENCHTOP_AVAILABLE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Bytes; UINT64_MAX where nothing can be known. `root` goes before /proc and
 * /sys, for tests; "" is this machine. */
uint64_t memory_available(const char *root);
/* The sentence of who needs more than is available, in bytes: `what` begins it,
 * "a copy ", or "". Always -1. */
int memory_refuse(const char *what, double needed, double available,
	struct error *);
/* The sentence of a mapping that the kernel refused with an error number; where
 * 'ulimit -v' limits the address space it says so. Always -1. */
int memory_refuse_map(size_t size_bytes, int number, struct error *);

/* A quarter of that on this machine, at least 4 MiB: what an experiment takes
 * that chooses for itself. Looked up once for the life of the process and its
 * workers, since all launches of a run must take as much: the lab has to ask
 * before it forks one. */
uint64_t memory_quarter(void);

#endif
