/* Which kernel is the fastest here, and what serves it? */
#include <math.h>
#include <stdlib.h>

#include "caches.h"
#include "probe.h"
#include "traffic.h"

enum {
	CANDIDATES = 16,
	FINALISTS = 3,
	ROUNDS = 2,               /* of the finalists */
	CACHED_BYTES = 4 << 20,   /* passed at least, by repeating */
	UNKNOWN_BYTES = 64 << 20, /* of a last-level cache nobody tells of */
};

struct candidate {
	const struct kernel *kernel;
	double ticks; /* the least, of a try */
};

uint64_t traffic_cache_bytes(void)
{
	uint64_t known = caches_last_total("");

	return known ? known : UNKNOWN_BYTES;
}

static const char *level_beyond(uint64_t bytes)
{
	uint64_t last_bytes = caches_last_total("");

	if (!last_bytes)
		return "unknown: no cache is known";
	if (bytes <= last_bytes)
		return "fits the last-level cache";
	return bytes < 4 * last_bytes ?
		"memory, and in part the last-level cache" :
		"memory";
}

void traffic_level(const struct traffic *traffic, struct text *text)
{
	uint64_t buffers = traffic->op == KERNEL_COPY ? 2 : 1;
	uint64_t each_bytes = buffers * traffic->chunks * traffic->chunk_bytes;
	struct caches caches;

	caches_read(&caches, "", traffic->probe->cpu);
	for (size_t i = 0; i + 1 < caches.count; i++)
		if (each_bytes <= caches.list[i].size_bytes) {
			text_add(text, "fits %s of each core",
				caches.list[i].name);
			return;
		}
	text_add(text, "%s", level_beyond(each_bytes * traffic->threads));
}

/* So many chunks that those passed last have left the caches, in part, when
 * the next kernel comes: a try is short, and its order drawn. */
static uint64_t chunks_of_try(const struct traffic *traffic)
{
	uint64_t share = 2 * traffic_cache_bytes() / traffic->threads;
	uint64_t enough = share / traffic->chunk_bytes + 1;

	if (traffic->chunks > 1)
		return enough < traffic->chunks ? enough : traffic->chunks;
	return CACHED_BYTES / traffic->chunk_bytes + 1;
}

static void try_kernel(struct traffic *traffic, struct candidate *candidate)
{
	struct probe *probe = traffic->probe;
	bool interrupted;
	uint64_t end = traffic_run(traffic, candidate->kernel,
		chunks_of_try(traffic), &interrupted);

	candidate->ticks = fmin(candidate->ticks, (double)(end - probe->start));
	probe_alive(probe);
}

static int by_ticks(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

static size_t gather(enum kernel_op op, struct candidate *candidates)
{
	const struct kernel *each;
	size_t count = 0;

	for (size_t i = 0; (each = kernel_at(i)) && count < CANDIDATES; i++)
		if (each->op == op && kernel_runs(each))
			candidates[count++] =
				(struct candidate){ each, INFINITY };
	return count;
}

static void note_tried(const struct traffic *traffic,
	const struct candidate *candidates, size_t count)
{
	double bytes =
		64.0 * (double)traffic_lines(traffic, chunks_of_try(traffic));
	struct text text = { 0 };

	if (traffic->op == KERNEL_COPY)
		bytes *= 2;
	for (size_t i = 0; i < count; i++)
		text_add(&text, "%s%s %.1f", i ? ", " : "",
			candidates[i].kernel->name,
			bytes * traffic->probe->tick_hz / candidates[i].ticks *
				1e-9);
	probe_note(traffic->probe, "tried", "GB/s, the best of few: %s",
		text_chars(&text));
	text_free(&text);
}

const struct kernel *traffic_choose(struct traffic *traffic)
{
	struct candidate candidates[CANDIDATES];
	size_t count = gather(traffic->op, candidates);

	for (size_t i = 0; i < count; i++) {
		size_t j = i + probe_random_below(traffic->probe, count - i);
		struct candidate drawn = candidates[j];

		candidates[j] = candidates[i];
		candidates[i] = drawn;
		try_kernel(traffic, &candidates[i]);
	}
	qsort(candidates, count, sizeof *candidates, by_ticks);
	for (size_t i = 0; i < ROUNDS * FINALISTS; i++)
		if (i % FINALISTS < count)
			try_kernel(traffic, &candidates[i % FINALISTS]);
	qsort(candidates, count, sizeof *candidates, by_ticks);
	note_tried(traffic, candidates, count);
	return candidates[0].kernel;
}
