/* Sizes of caches, from two sides. */
#include "cache_sizes.h"

#include <string.h>

const char *const cache_size_names[CACHE_SIZES] = { "L1d", "L2", "L3" };

static void take_finding(struct cache_sizes *sizes,
	const struct finding *finding)
{
	for (int i = 0; i < CACHE_SIZES; i++) {
		if (!finding->has_value || !(finding->value > 0) ||
			strcmp(finding->name, cache_size_names[i]) != 0)
			continue;
		sizes->bytes[i] = finding->value;
		sizes->found[i] = true;
	}
}

/* Later runs come later and win. */
void cache_sizes_of(const struct facts *facts, struct cache_sizes *sizes)
{
	*sizes = (struct cache_sizes){
		.bytes = { facts->l1d_bytes, facts->l2_bytes,
			facts->llc_bytes },
	};
	for (size_t i = 0; i < facts->earlier_count; i++) {
		const struct results *results = facts->earlier[i];

		if (strcmp(results->experiment, "mem.hierarchy") != 0)
			continue;
		for (size_t k = 0; k < results->findings.count; k++)
			take_finding(sizes, &results->findings.list[k]);
	}
}

int cache_sizes_level(const struct cache_sizes *sizes, double bytes)
{
	int level = 0;

	while (level < CACHE_SIZES && bytes > sizes->bytes[level])
		level++;
	return level;
}

const char *cache_sizes_by(const struct cache_sizes *sizes, int level)
{
	return sizes->found[level] ? "by mem.hierarchy, this session" :
				     "by the kernel";
}
