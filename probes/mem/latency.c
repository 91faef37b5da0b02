/* How long does a load take, by array size and stride? */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "basis.h"
#include "buffer.h"
#include "cache_sizes.h"
#include "caches.h"
#include "chain.h"
#include "digest.h"
#include "highlight.h"
#include "memory.h"
#include "memory_level.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"

enum {
	LOADS_LEAST = 1000, /* of a trial */
	/* Trials of a visit: all lines of 64 bytes in a group of 2 MiB. */
	TRIALS_LEAST = CHAIN_LOCAL_BYTES / 64 / LOADS_LEAST + 1,
	PILOT_BYTES = 32 << 20,
};

struct args {
	int64_t size_bytes, stride_bytes;
	int order, pages, unroll;
};

static const struct param params[] = {
	{ .name = "size",
		.label = "array size",
		.help = "one pointer per stride; auto reaches four times the "
			"last-level cache, in a guest at most 256M",
		.preset = "1K..auto/4",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 256,
		.max = 0x1p40,
		.range_end = caches_reach_bytes },
	{ .name = "stride",
		.label = "stride",
		.help = "distance between nodes; below 8 the pointers have "
			"four bytes",
		.preset = "64",
		WHOLE_FIELD(struct args, stride_bytes),
		.unit = UNIT_BYTES,
		.min = CHAIN_STRIDE_LEAST,
		.max = 16 << 20 },
	{ .name = "order",
		.label = "order",
		.help = "order of nodes: local (within groups of 2 MiB, the "
			"load alone), random (page walks included), "
			"page-local, jitter, forward, backward",
		.preset = "local,random",
		CHOICE_FIELD(struct args, order),
		.choices = order_choices },
	PAGES_ROW(struct args, pages),
	{ .name = "unroll",
		.label = "loads in the loop",
		.help = "one after another before the loop branch",
		.preset = "100",
		CHOICE_FIELD(struct args, unroll),
		.choices = unroll_choices },
	{ .name = NULL },
};

enum { LOAD };
static const struct metric metrics[] = {
	{ .name = "load", .label = "time per load", .unit = UNIT_NS },
	{ .name = NULL },
};

static struct chain chain;

/* ---- one visit -------------------------------------------------------- */

static void note_what_it_is(struct probe *probe, const struct arena *arena)
{
	struct text pages = { 0 };

	caches_note_serving(probe, chain.nodes, chain.stride_bytes);
	buffer_describe(&arena->buffer, &pages);
	probe_note(probe, "pages", "%s", text_chars(&pages));
	probe_note(probe, "chain", "one cycle of %" PRIu64 " nodes",
		chain.nodes);
	text_free(&pages);
}

/* The pilot builds a part of a large chain. It is enough to estimate the time
 * for the whole, and its loads take nearly as long. The whole is built if only
 * that can show whether reserved pages or low addresses are available. */
static uint64_t bytes_to_make(struct probe *probe)
{
	const struct args *args = probe->args;
	uint64_t size_bytes = (uint64_t)args->size_bytes;
	uint64_t most = PILOT_BYTES;

	/* A part needs enough nodes to be like the whole. */
	if ((uint64_t)args->stride_bytes > most / 4096)
		most = (uint64_t)args->stride_bytes * 4096;
	if (probe->launch || size_bytes <= most || args->pages == PAGES_HUGE ||
		args->stride_bytes < CHAIN_STRIDE_WIDE)
		return size_bytes;
	probe->share = (double)most / (double)size_bytes;
	return most;
}

static int64_t footprint(const void *args)
{
	return ((const struct args *)args)->size_bytes;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	uint64_t whole_bytes = (uint64_t)args->size_bytes;
	uint64_t size_bytes = bytes_to_make(probe);
	uint64_t stride_bytes = (uint64_t)args->stride_bytes;
	const struct arena *arena;
	char *base;

	if (!chain_nodes(size_bytes, stride_bytes))
		return probe_unavailable(probe,
			"an array of %" PRIu64 " bytes has no two nodes "
			"%" PRIu64 " bytes apart: expected a larger size or a "
			"smaller stride",
			size_bytes, stride_bytes);
	if (arena_check(probe, whole_bytes, (enum pages)args->pages))
		return -1;
	arena = arena_take(probe, size_bytes, (enum pages)args->pages,
		stride_bytes < CHAIN_STRIDE_WIDE, &base);
	if (!arena)
		return -1;
	chain_build(&chain, base, size_bytes, stride_bytes,
		(enum order)args->order, probe_random(probe), probe);
	if (!chain_warm(&chain, whole_bytes, probe))
		return probe_invalid(probe,
			"the chain of %" PRIu64 " nodes is not one cycle",
			chain.nodes);
	if (probe->launch)
		note_what_it_is(probe, arena);
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	enum unroll unroll = (enum unroll)args->unroll;
	uint64_t turns = ops / unroll_loads[unroll];
	uint64_t rest = ops % unroll_loads[unroll];

	probe_start(probe);
	chain_walk(&chain, unroll, turns);
	if (rest)
		chain_walk(&chain, UNROLL_1, rest);
	probe_stop(probe, LOAD, ops);
}

/* ---- findings: a figure for each level -------------------------------- */

/* True for points of one order that otherwise differ only in size. */
static bool is_like_first(const struct results *results,
	const struct args *args, enum order order)
{
	const struct args *first = results->points[0].args;

	return args && first && args->order == (int)order &&
		args->stride_bytes == first->stride_bytes &&
		args->pages == first->pages && args->unroll == first->unroll;
}

/* The time of a load; cycles at the frequencies of the points. */
struct level_time {
	double ns, cycles;
};

/* The headline of a point with enough data, which the table of levels needs,
 * too. */
static bool take_point(const struct results *results,
	const struct point *point, double *ns, double *cycles)
{
	struct digest digest;

	if (!results_median(results, point, LOAD, ns) ||
		!digest_of(results, point, LOAD, &digest) ||
		digest.quality == QUALITY_NOT_ENOUGH)
		return false;
	*cycles = digest.has_cycles ? digest.cycles.median : NAN;
	return true;
}

/* The median over the middle half of the sizes that one level serves; for
 * memory over the largest quarter, because a part of a smaller array is still
 * cached. The points must be in ascending order of size, as in a usual
 * sweep. */
static struct level_time plateau_of(const struct results *results,
	enum memory_level level, enum order order)
{
	double *ns = xcalloc(2 * results->point_count, sizeof *ns);
	double *cycles = ns + results->point_count;
	size_t n = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (point_served_by(point, level) &&
			is_like_first(results, point->args, order) &&
			take_point(results, point, &ns[n], &cycles[n]))
			n++;
	}
	size_t first = n / 4, last = n - n / 4;
	if (level == LEVEL_MEMORY) {
		first = n - (n + 3) / 4;
		last = n;
	}
	struct level_time plateau = { NAN, NAN };
	if (n)
		plateau = (struct level_time){
			.ns = median_of(ns + first, last - first),
			.cycles = median_of(cycles + first, last - first),
		};
	free(ns);
	return plateau;
}

static void add_time(const struct level_time *plateau, struct text *text)
{
	unit_show(text, UNIT_NS, plateau->ns);
	if (isfinite(plateau->cycles))
		text_add(text, " (%.1f cycles)", plateau->cycles);
}

/* Adds the stride if the sweep has several. */
static void add_stride(const struct results *results, struct text *text)
{
	for (size_t i = 0; i < results->param_count; i++)
		if (!strcmp(results->param_names[i], "stride") &&
			results_changes(results, i))
			text_add(text, ", stride %s",
				results->points[0].values[i]);
}

/* Hardware prefetchers fetch the lines of these before they are needed. */
static bool is_prefetched(enum order order)
{
	return order == ORDER_FORWARD || order == ORDER_BACKWARD;
}

static void find_load(const struct results *results, const char *level,
	enum order order, const struct level_time *plateau,
	struct findings *findings)
{
	struct text name = { 0 }, time = { 0 }, stride = { 0 };

	text_add(&name, "%s-%s", level, order_choices[order]);
	add_time(plateau, &time);
	add_stride(results, &stride);
	finding_value(findings, text_chars(&name), plateau->ns, UNIT_NS,
		"%s serves a load in %s, order %s%s%s", level,
		text_chars(&time), order_choices[order],
		is_prefetched(order) ? ", with prefetching" : "",
		text_chars(&stride));
	text_free(&name);
	text_free(&time);
	text_free(&stride);
}

static void find_walks(const char *level, double local_ns, double random_ns,
	struct findings *findings)
{
	struct text name = { 0 }, time = { 0 };
	double walks_ns = random_ns - local_ns;

	text_add(&name, "%s-walks", level);
	unit_show(&time, UNIT_NS, walks_ns);
	finding_value(findings, text_chars(&name), walks_ns, UNIT_NS,
		"page walks take %s of a random load from %s, %.0f %% of its "
		"time",
		text_chars(&time), level, 100 * walks_ns / random_ns);
	text_free(&name);
	text_free(&time);
}

static void find_level(const struct results *results, enum memory_level level,
	struct findings *findings)
{
	const char *name = memory_level_name(level);
	struct level_time times[ORDERS];

	for (enum order order = 0; order < ORDERS; order++) {
		times[order] = plateau_of(results, level, order);
		if (isfinite(times[order].ns))
			find_load(results, name, order, &times[order],
				findings);
	}
	/* If the TLB covers all pages, the two orders are equal. */
	if (times[ORDER_RANDOM].ns > 1.05 * times[ORDER_LOCAL].ns)
		find_walks(name, times[ORDER_LOCAL].ns, times[ORDER_RANDOM].ns,
			findings);
}

/* The level that serves a point, if no earlier point has it; else
 * LEVEL_UNKNOWN. */
static enum memory_level new_level(const struct results *results, size_t i)
{
	struct serving serving;

	if (!point_serving(&results->points[i], &serving) ||
		!point_served_by(&results->points[i], serving.level))
		return LEVEL_UNKNOWN;
	while (i--)
		if (point_served_by(&results->points[i], serving.level))
			return LEVEL_UNKNOWN;
	return serving.level;
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		enum memory_level level = new_level(results, i);

		if (level)
			find_level(results, level, findings);
	}
	cache_sizes_tell(results, facts, findings);
}

/* ---- prediction ------------------------------------------------------- */

/* Beyond a few thousand pages each load also waits for a page walk: a table
 * entry from a cache, or from memory. */
static double walks_high_ns(const struct facts *facts, const struct args *args)
{
	double pages = (double)args->size_bytes / 4096;

	if (args->order != ORDER_RANDOM || args->pages != PAGES_4K)
		return args->size_bytes > 64 * 4096 ?
			facts_cycles_ns(facts, CHAIN_LOCAL_WALK_CYCLES) :
			0;
	if (pages <= 64)
		return 0;
	if (pages <= 1536)
		return facts_cycles_ns(facts, 10);
	return pages <= 65536 ? 60 : 200;
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double first = facts_cycles_ns(facts, 3);
	bool guessed = args->order >= ORDER_PAGE_LOCAL;
	struct basis basis = { .facts = facts, .cycles = true };
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	struct cache_load expected =
		cache_sizes_load(facts, &sizes, (double)args->size_bytes);
	/* Only the first load of each line goes beyond the nearest cache. What
	 * a prefetcher guesses comes from there too. */
	if (args->stride_bytes < 64) {
		double share = (double)args->stride_bytes / 64;

		expected.ns.low = first + share * (expected.ns.low - first);
	}
	if (guessed)
		expected.ns.low = first;
	double walks_ns = walks_high_ns(facts, args);
	struct text walks = { 0 }, by = { 0 };

	cache_sizes_say(&sizes, expected.level, &by);
	if (walks_ns > 0)
		text_add(&walks, " page walks up to %.0f ns;", walks_ns);
	prediction->hardware = expected.ns;
	prediction->hardware.high += walks_ns;
	prediction->software = (struct range){ 0, 0 };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"from %s: 3 to 5 cycles L1d, 11 to 17 L2, 35 to 110 L3, 80 to "
		"160 ns memory;%s sizes %s; no software",
		expected.from, text_chars(&walks), text_chars(&by));
	text_free(&walks);
	text_free(&by);
}

const struct experiment probe_mem_latency = {
	.name = "mem.latency",
	.title = "Memory latency",
	.question = "How long does a load take, by array size and stride?",
	.method =
		"Each load of a pointer chain returns the address of the next, "
		"so loads cannot overlap. The chain is one cycle through every "
		"node, by construction; the lap that warms the caches verifies "
		"this. Each walk continues where the last one stopped, so that "
		"a large array stays large. Each launch draws a new chain on "
		"new pages. A trial is at least 1000 loads. Fewer launches "
		"draw the large arrays, whose chains take long to build. Order "
		"local stays in groups of 2 MiB and shows the load alone. A "
		"visit walks whole groups, because the adjacent-line "
		"prefetcher makes the end of a group cheaper than its "
		"beginning (not with a stride of 256). Order random includes "
		"page walks. Orders page-local, jitter, forward and backward "
		"let prefetchers guess.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = LOADS_LEAST,
		.budget_ns = 30000000000,
		.trials_least = TRIALS_LEAST,
		.draws_least = 2 },
	.sensitive_to = SENSITIVE_MEMORY,
	PROVIDES({ QUANTITY_LOCAL_LOAD, "load", "order=local" },
		{ QUANTITY_RANDOM_LOAD, "load", "order=random" }),
	.footprint = footprint,
	.setup = setup,
	HIGHLIGHTS({ "load, 1 KiB", "load", "size=1K" },
		{ "random load, 64 MiB", "load", "size=64M order=random" }),
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
