/*
 * The simplest measurement of a load's latency, for comparison with
 * mem.latency: it contains no code of benchtop.
 *     plain_chase CPU SIZE STRIDE random|local DRAWS
 * An array of pointers in 4 KiB pages, in an order shuffled by Fisher and
 * Yates: all nodes, or those of each 2 MiB and the order of these groups. It is
 * walked 1024 loads at a time, through a dozen complete groups if lines are 64
 * bytes, because prefetching helps the end of each group more than its
 * beginning. Prints the median over draws of the medians, in ns.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LOADS = 1024, TRIALS = 384, DRAWS_MOST = 64, GROUP = 2 << 20 };

static uint32_t random_state[4];

/* xoshiro128**, Blackman and Vigna. */
static uint32_t draw(void)
{
	uint32_t *s = random_state;
	uint32_t result = s[1] * 5, t = s[1] << 9;

	result = (result << 7 | result >> 25) * 9;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 11 | s[3] >> 21;
	return result;
}

static void shuffle(uint32_t *order, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t other = (uint64_t)draw() * i >> 32;
		uint32_t swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
}

static uint32_t *order_of(size_t nodes, size_t per_group)
{
	size_t groups = (nodes + per_group - 1) / per_group, at = 0;
	uint32_t *order = malloc(nodes * sizeof *order);
	uint32_t *group = malloc(groups * sizeof *group);

	if (!order || !group)
		exit(1);
	for (size_t g = 0; g < groups; g++)
		group[g] = (uint32_t)g;
	shuffle(group, groups);
	for (size_t g = 0; g < groups; g++) {
		size_t first = group[g] * per_group, begin = at;

		for (size_t i = first; i < first + per_group && i < nodes; i++)
			order[at++] = (uint32_t)i;
		shuffle(order + begin, at - begin);
	}
	free(group);
	return order;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, compare);
	return values[n / 2];
}

static double measure(size_t size, size_t stride, size_t per_group)
{
	size_t nodes = size / stride;
	uint32_t *order = order_of(nodes, per_group ? per_group : nodes);
	char *array = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double times[TRIALS];
	size_t laps = size <= 96 << 20 ? 4 : 1;

	if (array == MAP_FAILED)
		exit(1);
	madvise(array, size, MADV_NOHUGEPAGE);
	memset(array, 1, size);
	for (size_t i = 0; i < nodes; i++)
		*(void **)(array + order[i] * stride) =
			array + order[(i + 1) % nodes] * stride;
	void *volatile *at = (void *volatile *)(array + order[0] * stride);
	free(order);
	for (size_t i = 0; i < laps * nodes; i++)
		at = *at;
	for (int trial = 0; trial < TRIALS; trial++) {
		double begin = now_ns();

#pragma GCC unroll 128
		for (int i = 0; i < LOADS; i++)
			at = *at;
		times[trial] = (now_ns() - begin) / LOADS;
	}
	munmap(array, size);
	return median(times, TRIALS);
}

int main(int argc, char **argv)
{
	double draws[DRAWS_MOST];
	cpu_set_t cpus;

	if (argc != 6)
		return 2;
	size_t size = strtoull(argv[2], NULL, 10);
	size_t stride = strtoull(argv[3], NULL, 10);
	size_t count = strtoull(argv[5], NULL, 10);
	if (stride < sizeof(void *) || size < 2 * stride || !count ||
		count > DRAWS_MOST)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET(strtoull(argv[1], NULL, 10), &cpus);
	if (sched_setaffinity(0, sizeof cpus, &cpus))
		return 1;
	for (int i = 0; i < 4; i++)
		random_state[i] = (uint32_t)now_ns() * 2654435761u + 1;
	for (size_t i = 0; i < count; i++)
		draws[i] = measure(size, stride,
			strcmp(argv[4], "local") ? 0 : GROUP / stride);
	printf("%.4f\n", median(draws, count));
	return 0;
}
