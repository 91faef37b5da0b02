/* Cores and caches, read from sysfs. */
#include "cpu_map.h"

#include <stdio.h>
#include <string.h>

#include "peek.h"
#include "unit.h"

#define CPUS "/sys/devices/system/cpu"

enum { INDEXES = 10 };

/* SMT siblings form a core, which is counted at its lowest processor. */
static void add_core(const char *root, struct cpu_map *map, size_t cpu)
{
	struct cpu_map_core core = { .cpu = { (int)cpu }, .threads = 1 };
	struct processors siblings;
	char list[256];

	if (peek_line(root, list, sizeof list,
		    CPUS "/cpu%zu/topology/thread_siblings_list", cpu) &&
		processors_read(list, &siblings)) {
		for (size_t i = 0; i < cpu; i++)
			if (siblings.has[i])
				return;
		for (size_t i = cpu + 1;
			i < PROCESSORS_MAX && core.threads < CPU_MAP_THREADS;
			i++)
			if (siblings.has[i])
				core.cpu[core.threads++] = (int)i;
	}
	if (map->cores == CPU_MAP_CORES) {
		map->left_out++;
		return;
	}
	if (core.threads > map->threads)
		map->threads = core.threads;
	map->core[map->cores++] = core;
}

static struct cpu_map_level *level_named(struct cpu_map *map, const char *name)
{
	for (size_t i = 0; i < map->levels; i++)
		if (!strcmp(map->level[i].name, name))
			return &map->level[i];
	if (map->levels == CPU_MAP_LEVELS)
		return NULL;
	struct cpu_map_level *level = &map->level[map->levels++];
	snprintf(level->name, sizeof level->name, "%s", name);
	for (size_t i = 0; i < CPU_MAP_CORES; i++)
		level->share[i] = -1;
	return level;
}

/* "48K", "1024K", "32M". */
static double size_of(const char *text)
{
	struct error error;
	double bytes;

	return unit_parse(UNIT_BYTES, text, strlen(text), &bytes, &error) ?
		0 :
		bytes;
}

/* A cache is identified by the lowest processor that shares it. */
static void add_cache(const char *root, struct cpu_map *map, size_t core,
	int index)
{
	int cpu = map->core[core].cpu[0];
	char number[8], type[32], list[256], size[32] = "", name[8];
	struct processors share;

#define AT CPUS "/cpu%d/cache/index%d/"
	if (!peek_line(root, number, sizeof number, AT "level", cpu, index) ||
		!peek_line(root, type, sizeof type, AT "type", cpu, index) ||
		!strcmp(type, "Instruction") ||
		!peek_line(root, list, sizeof list, AT "shared_cpu_list", cpu,
			index) ||
		!processors_read(list, &share))
		return;
	peek_line(root, size, sizeof size, AT "size", cpu, index);
#undef AT
	snprintf(name, sizeof name, "L%.2s%s", number,
		!strcmp(type, "Data") ? "d" : "");
	struct cpu_map_level *level = level_named(map, name);
	int least = 0;
	while (least < PROCESSORS_MAX && !share.has[least])
		least++;
	if (!level)
		return;
	level->share[core] = least;
	if (!(level->size_bytes > 0))
		level->size_bytes = size_of(size);
}

void cpu_map_read(const char *root, struct cpu_map *map)
{
	struct processors online;
	char list[256];

	*map = (struct cpu_map){ 0 };
	if (!peek_line(root, list, sizeof list, CPUS "/online") ||
		!processors_read(list, &online))
		return;
	for (size_t i = 0; i < PROCESSORS_MAX; i++)
		if (online.has[i])
			add_core(root, map, i);
	for (size_t core = 0; core < map->cores; core++)
		for (int index = 0; index < INDEXES; index++)
			add_cache(root, map, core, index);
}
