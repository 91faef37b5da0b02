/* A simulated machine. */
#include "simulated.h"

#include <stdlib.h>
#include <string.h>

void sim_lru(const struct sim_cache *cache, uint64_t line_bytes,
	const uint32_t *lines, size_t n, unsigned char *missed)
{
	uint32_t sets =
		(uint32_t)(cache->kib * 1024 / line_bytes / cache->ways);
	unsigned *count = calloc(sets, sizeof *count);

	/* In cyclic access, each line of a set with more lines than ways is
	 * evicted before it is needed again. */
	for (size_t i = 0; i < n; i++)
		count[lines[i] % sets]++;
	for (size_t i = 0; i < n; i++)
		missed[i] = count[lines[i] % sets] > cache->ways;
	free(count);
}

void sim_random(const struct sim_cache *cache, uint64_t line_bytes,
	const uint32_t *lines, size_t n, unsigned char *missed,
	uint64_t *random)
{
	enum { LAPS = 5 };
	uint32_t sets =
		(uint32_t)(cache->kib * 1024 / line_bytes / cache->ways);
	uint32_t *held = calloc((size_t)sets * cache->ways, sizeof *held);

	for (int lap = 0; lap < LAPS; lap++)
		for (size_t i = 0; i < n; i++) {
			uint32_t *set = held + lines[i] % sets * cache->ways;
			unsigned way = 0, free_way = cache->ways;

			for (; way < cache->ways; way++) {
				if (set[way] == lines[i] + 1)
					break;
				if (!set[way])
					free_way = way;
			}
			missed[i] = way == cache->ways;
			if (!missed[i])
				continue;
			if (free_way == cache->ways)
				free_way = (unsigned)random_below(random,
					cache->ways);
			set[free_way] = lines[i] + 1;
		}
	free(held);
}

/* The lines of a chain of `bytes`: whole pages at random frames, with the lines
 * of a page together. If a way of the first level is not larger than a page,
 * only the offset in the page matters. */
static size_t sim_lines(const struct simulated *machine, uint64_t bytes,
	uint32_t *lines, uint64_t *random)
{
	uint64_t per_page = machine->page_bytes / machine->line_bytes;
	size_t n = bytes / machine->line_bytes;
	uint64_t frame = 0;

	for (size_t i = 0; i < n; i++) {
		if (i % per_page == 0)
			frame = random_below(random, 1 << 24);
		lines[i] = (uint32_t)(frame * per_page + i % per_page);
	}
	return n;
}

static double sim_time(const struct simulated *machine, uint64_t bytes,
	uint64_t *random)
{
	uint32_t *lines =
		calloc(bytes / machine->line_bytes + 1, sizeof *lines);
	size_t all = sim_lines(machine, bytes, lines, random), n = all;
	unsigned char *missed = calloc(all + 1, 1);
	double sum = 0;

	for (int level = 0; level < SIM_LEVELS && n; level++) {
		const struct sim_cache *cache = &machine->cache[level];
		size_t left = 0;

		if (cache->policy == LRU)
			sim_lru(cache, machine->line_bytes, lines, n, missed);
		else
			sim_random(cache, machine->line_bytes, lines, n, missed,
				random);
		for (size_t i = 0; i < n; i++)
			if (missed[i])
				lines[left++] = lines[i];
		sum += (double)(n - left) * cache->ns;
		n = left;
	}
	sum += (double)n * machine->memory_ns;
	free(lines);
	free(missed);
	return sum / (double)all;
}

static int sim_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void sim_run(const struct simulated *machine, unsigned spiked, uint64_t seed,
	struct sim_curve *curve)
{
	uint64_t last_kib = machine->cache[SIM_LEVELS - 1].kib;
	uint64_t most = (last_kib > 8192 ? 2 : 4) * 1024 * last_kib;

	curve->n = 0;
	for (uint64_t octave = 4096; octave < most; octave *= 2)
		for (uint64_t eighth = 8; eighth < 16; eighth++) {
			uint64_t bytes = octave / 8 * eighth;
			double draw[3];

			/* Random eviction needs no average over layouts. */
			for (int i = 0; i < 3; i++)
				draw[i] = i &&
						machine->cache[0].policy ==
							RANDOM ?
					draw[0] :
					sim_time(machine, bytes, &seed);
			qsort(draw, 3, sizeof *draw, sim_compare);
			double noise = 0;
			for (int i = 0; i < 12; i++)
				noise += (double)random_below(&seed, 1000) /
						1000 -
					.5;
			double time = draw[1] * (1 + .01 * noise);
			if (spiked && random_below(&seed, spiked) == 0)
				time *= 1.1 +
					(double)random_below(&seed, 190) / 100;
			curve->sizes[curve->n] = (double)bytes;
			curve->times[curve->n++] = time;
		}
}
