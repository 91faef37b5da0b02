/* Threads that load the memory beside a measurement. */
#include "loaders.h"

#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "quantile.h"

enum {
	FINE_BYTES = 4 << 10,
	COARSE_BYTES = 1 << 20,
	ATTEMPTS = 5, /* of each kernel, in loaders_choose() */
	ATTEMPT_NS = 4000000,
	CANDIDATES = 16,
	SAMPLES = 16, /* words of a block that are checked after a run */
};

struct loader {
	_Alignas(256) uint64_t at; /* offset of the next block in the slice */
	/* The last run: */
	uint64_t first; /* offset of its first block */
	uint64_t blocks, sum, expected;
	uint64_t end; /* of the last block and its pause */
	uint64_t sample[SAMPLES]; /* words of the first block */
};

/* ---- memory ----------------------------------------------------------- */

enum { FROM, TO, BUFFERS };

static struct kept {
	struct buffer buffer;
	uint64_t slice_bytes;
	unsigned threads;
} kept[BUFFERS];

static char *slice_of(const struct loaders *b, const struct buffer *buffer,
	unsigned member)
{
	return buffer->start + (member - 1) * b->slice_bytes;
}

static void fill_from(void *context, unsigned member)
{
	struct loaders *b = context;

	if (!member)
		return;
	uint64_t *word = (uint64_t *)slice_of(b, &kept[FROM].buffer, member);

	for (uint64_t i = 0; i < b->slice_bytes / sizeof *word; i++)
		word[i] = i + 1;
}

static void fill_to(void *context, unsigned member)
{
	struct loaders *b = context;

	if (member)
		memset(slice_of(b, &kept[TO].buffer, member), 1,
			b->slice_bytes);
}

/* Each thread touches its own slice first, so that the slice is on its NUMA
 * node. */
static int open_buffer(struct loaders *b, int which, struct error *error)
{
	struct kept *one = &kept[which];
	struct buffer_wish wish = {
		.size_bytes = b->slice_bytes * (b->threads - 1),
		.pages = b->pages,
		.untouched = true,
	};
	bool interrupted;

	if (one->buffer.start && one->buffer.pages == b->pages &&
		one->slice_bytes == b->slice_bytes &&
		one->threads == b->threads)
		return 0;
	buffer_close(&one->buffer);
	if (buffer_open(&one->buffer, &wish, b->probe, error))
		return -1;
	one->slice_bytes = b->slice_bytes;
	one->threads = b->threads;
	team_run(&b->team, which == FROM ? fill_from : fill_to, b,
		&interrupted);
	probe_alive(b->probe);
	if (!buffer_verify(&one->buffer, error))
		return 0;
	buffer_close(&one->buffer);
	return -1;
}

static int open_buffers(struct loaders *b, struct error *error)
{
	if (b->op != KERNEL_WRITE && open_buffer(b, FROM, error))
		return -1;
	if (b->op != KERNEL_READ && open_buffer(b, TO, error))
		return -1;
	b->from = &kept[b->op == KERNEL_WRITE ? TO : FROM].buffer;
	b->to = &kept[b->op == KERNEL_READ ? FROM : TO].buffer;
	return 0;
}

static uint64_t slice_bytes_of(const struct loaders *b)
{
	uint64_t whole_bytes = b->pages == PAGES_4K ? COARSE_BYTES : HUGE_BYTES;
	uint64_t each_bytes = b->size_bytes / (b->threads - 1);

	return each_bytes / whole_bytes * whole_bytes;
}

int loaders_start(struct loaders *b, struct probe *probe,
	struct error *error)
{
	b->probe = probe;
	b->slice_bytes = slice_bytes_of(b);
	if (!b->slice_bytes)
		return error_set(error, STATUS_USAGE,
			"%u threads need at least %u MiB of memory to load",
			b->threads - 1, (b->threads - 1) * 2);
	b->list = aligned_alloc(_Alignof(struct loader),
		b->threads * sizeof *b->list);
	int failed = b->list ?
		team_start(&b->team, b->cpus, b->threads, probe) :
		-1;
	if (failed) {
		free(b->list);
		return error_set(error, STATUS_USAGE,
			"cannot start %u threads: %s", b->threads - 1,
			strerror(-failed));
	}
	/* At a random place: the beginning may still be cached. */
	for (unsigned m = 0; m < b->threads; m++)
		b->list[m] = (struct loader){
			.at = FINE_BYTES *
				probe_random_below(probe,
					b->slice_bytes / FINE_BYTES),
		};
	if (open_buffers(b, error)) {
		loaders_stop(b);
		return -1;
	}
	return 0;
}

void loaders_stop(struct loaders *b)
{
	team_stop(&b->team);
	free(b->list);
	b->list = NULL;
}

/* ---- running ---------------------------------------------------------- */

static void wait_until(const struct loaders *b, uint64_t time)
{
	while ((int64_t)(probe_now(b->probe) - time) < 0 &&
		!atomic_load_explicit(&b->over, memory_order_relaxed))
		spin_pause();
}

/* The sum of the words at[0 .. bytes) of a slice for reading. */
static uint64_t sum_at(uint64_t at, uint64_t bytes)
{
	uint64_t first = at / sizeof(uint64_t) + 1;
	uint64_t words = bytes / sizeof(uint64_t);

	return words * first + words * (words - 1) / 2;
}

/* Without a fence, which after each small block would limit the rate. The clock
 * after it waits for all loads too, hence large blocks where there is no pause:
 * with 256 KiB the rate was 5 to 10 % lower. */
static uint64_t run_block(const struct loaders *b, unsigned member,
	uint64_t at)
{
	return kernel_run(b->kernel, slice_of(b, b->to, member) + at,
		slice_of(b, b->from, member) + at, b->block_bytes, b->word);
}

static uint64_t first_block(const struct loaders *b, unsigned member)
{
	uint64_t at = b->list[member].at;

	return at + b->block_bytes > b->slice_bytes ? 0 : at;
}

static void load(struct loaders *b, unsigned member)
{
	struct loader me = b->list[member];

	me.blocks = me.sum = me.expected = 0;
	me.end = b->probe->start;
	me.at = me.first = first_block(b, member);
	while (!atomic_load_explicit(&b->over, memory_order_relaxed)) {
		me.sum += run_block(b, member, me.at);
		uint64_t now = probe_now(b->probe);
		me.expected += sum_at(me.at, b->block_bytes);
		me.at += b->block_bytes;
		if (me.at + b->block_bytes > b->slice_bytes)
			me.at = 0;
		/* The last block may end after the work. */
		if (!atomic_load_explicit(&b->over, memory_order_relaxed)) {
			me.blocks++;
			me.end = now + b->pause;
		}
		if (b->pause)
			wait_until(b, now + b->pause);
	}
	b->list[member] = me;
}

/* The first block that the next run will write. */
static char *first_written(const struct loaders *b, unsigned member)
{
	return slice_of(b, b->to, member) + first_block(b, member);
}

/* Changes words so that their values after the run prove that it wrote them.
 * A cleared block would be dirty in the caches of the caller, who is timed. */
static void spoil(struct loaders *b)
{
	for (unsigned m = 1; m < b->threads; m++)
		for (size_t i = 0; i < SAMPLES; i++) {
			uint64_t *sample = &b->list[m].sample[i];

			*sample = probe_random_below(b->probe,
				b->block_bytes / sizeof(uint64_t));
			((uint64_t *)first_written(b, m))[*sample] = 0;
		}
}

static void run_member(void *context, unsigned member)
{
	struct loaders *b = context;

	if (member) {
		load(b, member);
		return;
	}
	b->work(b->context);
	b->end = probe_end(b->probe);
	atomic_store_explicit(&b->over, true, memory_order_relaxed);
}

/* Sets the rate; false if a thread completed no block. */
static bool sum_rates(struct loaders *b)
{
	double bytes = (double)b->block_bytes * (b->op == KERNEL_COPY ? 2 : 1);
	bool all = true;

	b->per_s = 0;
	for (unsigned m = 1; m < b->threads; m++) {
		const struct loader *thread = &b->list[m];

		all &= thread->blocks > 0;
		if (thread->blocks)
			b->per_s += bytes * (double)thread->blocks *
				b->probe->tick_hz /
				(double)(thread->end - b->probe->start);
	}
	return all;
}

uint64_t loaders_run(struct loaders *b, const struct kernel *kernel,
	double pause_ns, void (*work)(void *context), void *context,
	bool *interrupted)
{
	b->kernel = kernel;
	b->pause = (uint64_t)(pause_ns * 1e-9 * b->probe->tick_hz);
	b->block_bytes = b->pause ? FINE_BYTES : COARSE_BYTES;
	b->word = kernel_word_after(b->word);
	b->work = work;
	b->context = context;
	atomic_store(&b->over, false);
	if (b->op != KERNEL_READ)
		spoil(b);
	team_run(&b->team, run_member, b, interrupted);
	if (!sum_rates(b))
		*interrupted = true;
	return b->end;
}

/* ---- verification ----------------------------------------------------- */

/* The samples of a thread that do not have what the run wrote. */
static size_t wrong_samples(const struct loaders *b, unsigned member)
{
	const struct loader *thread = &b->list[member];
	const uint64_t *to = (const uint64_t *)(slice_of(b, b->to, member) +
		thread->first);
	const uint64_t *from = (const uint64_t *)(slice_of(b, b->from, member) +
		thread->first);
	size_t wrong = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		uint64_t at = thread->sample[i];

		wrong += to[at] != (b->op == KERNEL_COPY ? from[at] : b->word);
	}
	return wrong;
}

void loaders_check(const struct loaders *b)
{
	unsigned wrong = 0;

	for (unsigned m = 1; m < b->threads; m++) {
		const struct loader *thread = &b->list[m];

		if (b->op == KERNEL_READ)
			wrong += thread->sum != thread->expected;
		else if (thread->blocks)
			wrong += wrong_samples(b, m) > 0;
	}
	if (wrong)
		probe_invalid(b->probe,
			"%s %s: wrong data by %u of %u threads: the kernel "
			"skipped work",
			kernel_ops[b->op], b->kernel->name, wrong,
			b->threads - 1);
}

static bool is_proven(const struct loaders *b, unsigned member)
{
	uint64_t first = b->list[member].first;
	const char *to = slice_of(b, b->to, member) + first;

	if (b->op == KERNEL_COPY)
		return !memcmp(to, slice_of(b, b->from, member) + first,
			b->block_bytes);
	return kernel_wrote(to, b->block_bytes, b->word);
}

static void pass_time(void *context)
{
	const struct loaders *b = context;
	uint64_t end = b->probe->start +
		(uint64_t)(ATTEMPT_NS * 1e-9 * b->probe->tick_hz);

	while ((int64_t)(probe_now(b->probe) - end) < 0)
		spin_pause();
}

void loaders_prove(struct loaders *b, const struct kernel *kernel)
{
	bool interrupted;

	b->block_bytes = COARSE_BYTES;
	for (unsigned m = 1; b->op != KERNEL_READ && m < b->threads; m++)
		memset(first_written(b, m), 0, b->block_bytes);
	loaders_run(b, kernel, 0, pass_time, b, &interrupted);
	loaders_check(b);
	for (unsigned m = 1; b->op != KERNEL_READ && m < b->threads; m++)
		if (b->list[m].blocks && !is_proven(b, m))
			probe_invalid(b->probe,
				"%s %s: some bytes read back are wrong",
				kernel_ops[b->op], kernel->name);
}

/* ---- choosing --------------------------------------------------------- */

struct candidate {
	const struct kernel *kernel;
	double rates[ATTEMPTS];
};

/* Only kernels that return the sum prove that they read. */
static size_t gather(enum kernel_op op, struct candidate *candidates)
{
	const struct kernel *each;
	size_t count = 0;

	for (size_t i = 0; (each = kernel_at(i)) && count < CANDIDATES; i++)
		if (each->op == op && kernel_runs(each) &&
			(op != KERNEL_READ || each->sums))
			candidates[count++].kernel = each;
	return count;
}

const struct kernel *loaders_choose(struct loaders *b)
{
	struct candidate candidates[CANDIDATES];
	size_t count = gather(b->op, candidates);
	const struct kernel *best = NULL;
	double most = 0;
	bool interrupted;

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		/* Another one is first in each attempt. */
		size_t start = probe_random_below(b->probe, count);

		for (size_t i = 0; i < count; i++) {
			struct candidate *one =
				&candidates[(start + i) % count];

			loaders_run(b, one->kernel, 0, pass_time, b,
				&interrupted);
			one->rates[attempt] = b->per_s;
			probe_alive(b->probe);
		}
	}
	for (size_t i = 0; i < count; i++) {
		double rate = median_of(candidates[i].rates, ATTEMPTS);

		if (!best || rate > most) {
			best = candidates[i].kernel;
			most = rate;
		}
	}
	return best;
}
