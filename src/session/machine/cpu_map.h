/*
 * The processors as a map: which belong to one core, and which cores share a
 * cache, by sysfs (cpu/cpuN/topology, cpu/cpuN/cache).
 */
#ifndef BENCHTOP_CPU_MAP_H
#define BENCHTOP_CPU_MAP_H

#include <stddef.h>

enum { CPU_MAP_CORES = 256, CPU_MAP_THREADS = 8, CPU_MAP_LEVELS = 6 };

struct cpu_map_core {
	int cpu[CPU_MAP_THREADS]; /* its processors, the least first */
	size_t threads;
};

/* Caches of one kind: "L1d", "L2". Cores of one number share one. */
struct cpu_map_level {
	char name[8];
	double size_bytes; /* of the first core's */
	int share[CPU_MAP_CORES];
};

struct cpu_map {
	struct cpu_map_core core[CPU_MAP_CORES];
	size_t cores;    /* on the map */
	size_t threads;  /* of the core that has most */
	size_t left_out; /* cores that have no room on it */
	struct cpu_map_level level[CPU_MAP_LEVELS]; /* for data; the nearest
						     * first */
	size_t levels;
};

/* Without sysfs there are no cores. Paths are taken below `root`. */
void cpu_map_read(const char *root, struct cpu_map *);

#endif
