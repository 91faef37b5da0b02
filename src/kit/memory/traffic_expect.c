/* Predictions of bandwidth. */
#include "traffic_expect.h"

#include <math.h>
#include <stdio.h>

#include "basis.h"
#include "cache_sizes.h"
#include "memory_load.h"
#include "text.h"

enum { LINE_BYTES = 64 };

/* Bytes per cycle and core that the program moves; both directions of a
 * copy. */
static const struct range per_cycle[CACHE_SIZES][KERNEL_OPS] = {
	{ { 32, 128 }, { 16, 64 }, { 32, 128 } },
	{ { 16, 64 }, { 6, 48 }, { 10, 64 } },
	{ { 4, 32 }, { 3, 24 }, { 4, 28 } },
};

/* Little's law. Prefetching into the second level at least doubles the number
 * of lines in flight that a core's own buffers allow. */
static void expect_memory(const struct traffic_wish *wish, const char *why_not,
	const struct facts *facts, struct prediction *prediction)
{
	struct range load_ns = { 80, 130 };
	const struct results *measured = memory_load(facts, &load_ns);
	double low = 12 * LINE_BYTES / load_ns.high * 1e9;
	double high = 48 * LINE_BYTES / load_ns.low * 1e9;

	/* The bytes of a copy count twice; a written line is also read. */
	if (wish->op == KERNEL_WRITE)
		low /= 2;
	high *= wish->threads;
	if (facts->memory_peak > low && facts->memory_peak < high)
		high = facts->memory_peak;
	prediction->hardware = (struct range){ low, high };
	snprintf(prediction->why, sizeof prediction->why,
		"%s: 12 to 48 lines of 64 B in flight, %.0f to %.0f ns each"
		"%s%s%s; threads: up to %.0f",
		why_not, load_ns.low, load_ns.high, measured ? " (" : "",
		measured ? measured->experiment : "",
		measured ? ", this session)" : "", wish->threads);
}

/* One 8-byte word per instruction, or microcode. */
static bool is_narrow(const struct traffic_wish *wish)
{
	const struct kernel *kernel =
		kernel_find(wish->op, kernel_names[wish->kernel]);

	return kernel && kernel->regions < 2;
}

static struct range cache_rate(const struct traffic_wish *wish,
	const struct cache_sizes *sizes, int level, double filled)
{
	enum { NARROW_LEAST = 2, NARROW_MOST = 24 };
	struct range rate = per_cycle[level][wish->op];

	/* If the data hardly fits, a part is served by the next level. */
	if (filled > .75 * sizes->bytes[level])
		rate.low = level + 1 < CACHE_SIZES ?
			per_cycle[level + 1][wish->op].low :
			rate.low / 2;
	if (is_narrow(wish)) {
		rate.low = fmin(rate.low, NARROW_LEAST);
		/* The width of memset and memcpy is chosen by the library. */
		if (kernel_find(wish->op, kernel_names[wish->kernel])->regions >
			0)
			rate.high = fmin(rate.high, NARROW_MOST);
	}
	return rate;
}

static void expect_cache(const struct traffic_wish *wish,
	const struct cache_sizes *sizes, int level, double filled,
	const struct facts *facts, struct prediction *prediction)
{
	struct basis basis = { .facts = facts, .cycles = true };
	struct range rate = cache_rate(wish, sizes, level, filled);
	double per_s = 1e9 / facts_cycles_ns(facts, 1);
	struct text filling = { 0 }, size = { 0 }, by = { 0 };
	bool shared = level + 1 == CACHE_SIZES;
	/* For some seconds a core can exceed its nominal frequency. */
	double boost = facts->core_hz > 0 ? 1 : 1.5;

	unit_show(&filling, UNIT_BYTES, filled);
	unit_show(&size, UNIT_BYTES, sizes->bytes[level]);
	cache_sizes_say(sizes, level, &by);
	prediction->hardware.high = rate.high * per_s * boost * wish->threads;
	/* Threads may be SMT siblings, or share one cache. */
	prediction->hardware.low = rate.low * per_s *
		(shared || wish->threads < 2 ? 1 : wish->threads / 2);
	basis_say(&basis, prediction,
		"%s%s fit %s (%s %s): %.3g to %.3g bytes per cycle and core%s",
		shared ? "" : "each thread's ", text_chars(&filling),
		cache_size_name(level), text_chars(&size),
		text_chars(&by), rate.low, rate.high,
		boost > 1 ? ", 1.5 times that in boost" : "");
	text_free(&filling);
	text_free(&size);
	text_free(&by);
}

static bool streams(const struct traffic_wish *wish)
{
	const struct kernel *kernel =
		kernel_find(wish->op, kernel_names[wish->kernel]);

	return kernel && kernel->store == STORE_STREAMS;
}

void traffic_expect(const struct traffic_wish *wish, const struct facts *facts,
	struct prediction *prediction)
{
	double all = wish->size_bytes * (wish->op == KERNEL_COPY ? 2 : 1);
	double each = all / wish->threads;
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	int level = cache_sizes_level(&sizes, each);
	/* The last level is shared by all threads. */
	if (level + 1 == CACHE_SIZES && all > sizes.bytes[level])
		level = CACHE_SIZES;
	if (!(all > 0))
		expect_memory(wish, "from memory", facts, prediction);
	else if (streams(wish))
		expect_memory(wish, "past the caches to memory", facts,
			prediction);
	else if (level == CACHE_SIZES)
		expect_memory(wish, "fits no known cache", facts,
			prediction);
	else
		expect_cache(wish, &sizes, level,
			level + 1 < CACHE_SIZES ? each : all, facts,
			prediction);
	prediction_sum(prediction);
}
