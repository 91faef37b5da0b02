/*
 * A map of the processors: which belong to one core, and which cores share a
 * cache, from sysfs (cpu/cpuN/topology, cpu/cpuN/cache).
 */
#ifndef BENCHTOP_CPU_MAP_H
#define BENCHTOP_CPU_MAP_H

#include <stddef.h>

enum { CPU_MAP_CORES = 256, CPU_MAP_THREADS = 8, CPU_MAP_LEVELS = 6 };

struct cpu_map_core {
	int cpu[CPU_MAP_THREADS]; /* its processors, in ascending order */
	size_t threads;
};

/* Caches of one kind: "L1d", "L2". Cores with the same number share one
 * cache. */
struct cpu_map_level {
	char name[8];
	double size_bytes; /* of the first core's cache */
	int share[CPU_MAP_CORES];
};

struct cpu_map {
	struct cpu_map_core core[CPU_MAP_CORES];
	size_t cores;    /* in the map */
	size_t threads;  /* maximum per core */
	size_t left_out; /* cores that do not fit in the map */
	struct cpu_map_level level[CPU_MAP_LEVELS]; /* data caches, nearest to
						     * the core first */
	size_t levels;
};

/* Reads the map below `root`. Without sysfs there are no cores. */
void cpu_map_read(const char *root, struct cpu_map *);

#endif
