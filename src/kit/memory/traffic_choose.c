/* Choosing the fastest kernel of this machine. */
#include <stdlib.h>

#include "caches.h"
#include "probe.h"
#include "traffic_internal.h"

enum {
	CANDIDATES = 16,
	FINALISTS = 3,
	ROUNDS = 2,               /* of the finalists, at least */
	ROUNDS_MOST = 8,          /* most rounds, for short tries */
	ATTEMPTS = 3,             /* at a short try that is interrupted */
	CACHED_BYTES = 4 << 20,   /* least bytes per try, by repetition */
	ENOUGH_BYTES = 256 << 20, /* bytes that suffice for all tries of a
				   * kernel */
};

struct candidate {
	const struct kernel *kernel;
	double rate; /* lines per tick, the best of its tries */
};

/* The final uses enough chunks that the last ones have left the caches when the
 * next kernel starts; otherwise a kernel would pay for the stores of the
 * previous one. A quarter of that suffices to exclude slow kernels first. */
static uint64_t chunks_of_try(const struct traffic *traffic, bool final)
{
	uint64_t share = 2 * traffic_cache_bytes() / traffic->threads;
	uint64_t enough = share / (final ? 1 : 4) / traffic->chunk_bytes + 1;

	if (traffic->chunks > 1)
		return enough < traffic->chunks ? enough : traffic->chunks;
	return CACHED_BYTES / traffic->chunk_bytes + 1;
}

/* Short tries are repeated more often, because on a busy machine a time slice
 * can spoil a whole try. */
static unsigned rounds_of(const struct traffic *traffic, bool final)
{
	uint64_t bytes =
		64 * traffic_lines(traffic, chunks_of_try(traffic, final));
	uint64_t rounds = ENOUGH_BYTES / bytes;
	unsigned least = final ? ROUNDS : 1;

	if (rounds < least)
		return least;
	return rounds < ROUNDS_MOST ? (unsigned)rounds : ROUNDS_MOST;
}

static void try_kernel(struct traffic *traffic, struct candidate *candidate,
	bool final)
{
	struct probe *probe = traffic->probe;
	uint64_t ops = chunks_of_try(traffic, final);
	unsigned attempts = rounds_of(traffic, final) > ROUNDS ? ATTEMPTS : 1;
	bool interrupted = true;

	for (unsigned i = 0; i < attempts && interrupted; i++) {
		uint64_t end = traffic_run(traffic, candidate->kernel, ops,
			&interrupted);
		double rate = (double)traffic_lines(traffic, ops) /
			(double)(end - probe->start);

		if (rate > candidate->rate)
			candidate->rate = rate;
		probe_alive(probe);
	}
}

static int by_rate(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->rate < y->rate) - (x->rate > y->rate);
}

static size_t gather(enum kernel_op op, struct candidate *candidates)
{
	const struct kernel *each;
	size_t count = 0;

	for (size_t i = 0; (each = kernel_at(i)) && count < CANDIDATES; i++)
		if (each->op == op && kernel_runs(each))
			candidates[count++] = (struct candidate){ each, 0 };
	return count;
}

static void note_tried(const struct traffic *traffic,
	const struct candidate *candidates, size_t count)
{
	double line_bytes = traffic->op == KERNEL_COPY ? 128 : 64;
	struct text text = { 0 };

	for (size_t i = 0; i < count; i++)
		text_add(&text, "%s%s %.1f", i ? ", " : "",
			candidates[i].kernel->name,
			line_bytes * traffic->probe->tick_hz *
				candidates[i].rate * 1e-9);
	probe_note(traffic->probe, "tried", "GB/s, the best of a few: %s",
		text_chars(&text));
	text_free(&text);
}

/* Rounds in random order; then sorts the candidates, fastest first. */
static void try_all(struct traffic *traffic, struct candidate *candidates,
	size_t count, bool final)
{
	unsigned rounds = rounds_of(traffic, final);

	for (size_t i = 0; i < count; i++)
		candidates[i].rate = 0;
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < count; i++) {
			size_t j = i +
				probe_random_below(traffic->probe, count - i);
			struct candidate drawn = candidates[j];

			candidates[j] = candidates[i];
			candidates[i] = drawn;
			try_kernel(traffic, &candidates[i], final);
		}
	qsort(candidates, count, sizeof *candidates, by_rate);
}

const struct kernel *traffic_choose(struct traffic *traffic)
{
	struct candidate candidates[CANDIDATES];
	size_t count = gather(traffic->op, candidates);
	size_t finalists = count < FINALISTS ? count : FINALISTS;

	try_all(traffic, candidates, count, false);
	try_all(traffic, candidates, finalists, true);
	note_tried(traffic, candidates, count);
	return candidates[0].kernel;
}
