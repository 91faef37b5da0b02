/* Cores, packages, nodes and caches of the machine, by hwloc. */
#include "machine_internal.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "processors.h"

static unsigned objects(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	int count = hwloc_get_nbobjs_by_type(topology, type);

	/* Less than 0: the type occurs at several depths. */
	return count > 0 ? (unsigned)count : 0;
}

static bool same_cache(const struct machine_cache *a,
	const struct machine_cache *b)
{
	return a->size_bytes == b->size_bytes && a->shared_by == b->shared_by;
}

/* Counts a cache together with equal ones of its level, which begin at `first`:
 * a machine with two kinds of core has two kinds of each cache. */
static void add_cache(struct machine *machine, size_t first,
	const struct machine_cache *cache)
{
	for (size_t i = first; i < machine->cache_count; i++)
		if (same_cache(&machine->caches[i], cache)) {
			machine->caches[i].count++;
			return;
		}
	if (machine->cache_count < MACHINE_CACHES)
		machine->caches[machine->cache_count++] = *cache;
}

static void read_caches(hwloc_topology_t topology, const char *name,
	hwloc_obj_type_t type, struct machine *machine)
{
	size_t first = machine->cache_count;
	hwloc_obj_t object = NULL;

	while ((object = hwloc_get_next_obj_by_type(topology, type, object))) {
		const struct hwloc_cache_attr_s *is = &object->attr->cache;
		int sharers = hwloc_bitmap_weight(object->cpuset);
		struct machine_cache cache = {
			.size_bytes = (double)is->size,
			.count = 1,
			.line_bytes = is->linesize,
			.ways = is->associativity > 0 ?
				(unsigned)is->associativity :
				0,
			.shared_by = sharers > 0 ? (unsigned)sharers : 0,
		};

		snprintf(cache.name, sizeof cache.name, "%s", name);
		if (is->size)
			add_cache(machine, first, &cache);
	}
}

static void read_topology(hwloc_topology_t topology, struct machine *machine)
{
	hwloc_obj_t core = NULL;

	machine->cores = objects(topology, HWLOC_OBJ_CORE);
	machine->packages = objects(topology, HWLOC_OBJ_PACKAGE);
	machine->nodes = objects(topology, HWLOC_OBJ_NUMANODE);
	while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE,
			core))) {
		int threads = hwloc_bitmap_weight(core->cpuset);

		if (threads > (int)machine->threads_per_core)
			machine->threads_per_core = (unsigned)threads;
	}
	read_caches(topology, "L1d", HWLOC_OBJ_L1CACHE, machine);
	read_caches(topology, "L1i", HWLOC_OBJ_L1ICACHE, machine);
	read_caches(topology, "L2", HWLOC_OBJ_L2CACHE, machine);
	read_caches(topology, "L3", HWLOC_OBJ_L3CACHE, machine);
	read_caches(topology, "L4", HWLOC_OBJ_L4CACHE, machine);
}

void machine_read_topology(struct machine *machine)
{
	hwloc_topology_t topology;

	/* hwloc would print its warnings on the screen. */
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology))
		return;
	/* The x86 component runs cpuid on every processor; sysfs has the same
	 * information. */
	hwloc_topology_set_components(topology,
		HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	if (!nodes_are_listed())
		hwloc_topology_set_components(topology,
			HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
	hwloc_topology_set_icache_types_filter(topology,
		HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_flags(topology,
		HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (!hwloc_topology_load(topology))
		read_topology(topology, machine);
	hwloc_topology_destroy(topology);
}
