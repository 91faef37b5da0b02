/* What caches does this machine really have? */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "caches.h"
#include "chain.h"
#include "digest.h"
#include "dots.h"
#include "facts.h"
#include "load_curve.h"
#include "nominal.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"
#include "steps.h"

struct args {
	int64_t max_bytes;
};

static const struct param params[] = {
	{ .name = "max",
		.label = "largest array",
		.help = "auto: twice the last-level cache, at least 64M, at "
			"most 1G and a quarter of the available memory",
		.preset = "auto",
		WHOLE_FIELD(struct args, max_bytes),
		.unit = UNIT_BYTES,
		.min = 256 << 10,
		.max = 0x1p36,
		.automatic = true },
	{ .name = NULL },
};

enum { L1, L2, L3, LINE, CAPACITY, ENTRIES, PAIRS, METRICS };
#define PER_LAUNCH(typed, what) \
	{ \
		.name = (typed), .label = what ", per launch", \
		.unit = UNIT_BYTES, .better = NEITHER_IS_BETTER, \
		.kind = METRIC_VALUE \
	}
#define CURVE(typed, over, x, x_unit, found) \
	.name = (typed), .label = "ns per load over " over, .unit = UNIT_NS, \
	.kind = METRIC_TRACE, .across = x, .across_unit = UNIT_##x_unit, \
	.levels = (found)
static const struct metric metrics[] = {
	[L1] = PER_LAUNCH("l1", "first level"),
	[L2] = PER_LAUNCH("l2", "second level"),
	[L3] = PER_LAUNCH("l3", "third level"),
	[LINE] = PER_LAUNCH("line", "line"),
	[CAPACITY] = { CURVE("capacity", "bytes, page-local", "size", BYTES,
		"L1d L2 L3 memory") },
	[ENTRIES] = { CURVE("entries", "pages, one line each", "page", COUNT,
		"TLB1 TLB2 walks") },
	[PAIRS] = { CURVE("pairs", "the distance of two lines", "apart", BYTES,
		"line another") },
	{ .name = NULL },
};

/* ---- what is measured ------------------------------------------------- */

enum {
	SIZE_LEAST = 4096,
	SIZE_DEAR = 64 << 20, /* larger sizes: every second launch only */
	PAGES_LEAST = 16,
	PAGES_MOST = 8192,
	PAGE_STRIDE = CHAIN_PAGE_BYTES + 64, /* a different line of each page */
	BLOCK = 512,
	TURNS = 82,
	LOADS = 100 * TURNS,
	TRIALS_LEAST = 11,
	TRIALS_MOST = 31,
	CHEAP_NS = 2000000,
	ITEMS_MOST = LOAD_CURVE_MOST,
	LEVELS = 3,
};

/* 60 would straddle two lines; these do not. */
static const unsigned distances[] = { 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 96,
	112, 128, 160, 192, 224, 256, 320 };
enum { DISTANCES = sizeof distances / sizeof *distances };

struct item {
	unsigned metric; /* the trace to which it belongs */
	uint64_t x;
};
struct items {
	struct item list[ITEMS_MOST];
	size_t count;
};

/* Eight sizes per octave. */
static void add_octaves(struct items *items, unsigned metric, uint64_t least,
	uint64_t most)
{
	for (uint64_t octave = least; octave <= most; octave *= 2)
		for (uint64_t eighth = 8; eighth < 16; eighth++) {
			uint64_t x = octave / 8 * eighth;

			if (x <= most && items->count < ITEMS_MOST)
				items->list[items->count++] =
					(struct item){ metric, x };
		}
}

static uint64_t list_items(const struct args *args, struct items *items)
{
	int64_t most = args->max_bytes == PARAM_AUTO ?
		caches_reach(2, 64 << 20) :
		args->max_bytes;

	items->count = 0;
	add_octaves(items, CAPACITY, SIZE_LEAST, (uint64_t)most);
	add_octaves(items, ENTRIES, PAGES_LEAST, PAGES_MOST);
	for (size_t i = 0; i < DISTANCES; i++)
		items->list[items->count++] =
			(struct item){ PAIRS, distances[i] };
	return (uint64_t)most;
}

static void plan_for(const void *args, struct plan *plan)
{
	static struct items items;

	list_items(args, &items);
	plan->trials = (unsigned)items.count;
}

/* ---- one launch ------------------------------------------------------- */

static struct {
	struct items items;
	size_t next;
	struct dot dots[METRICS][ITEMS_MOST];
	size_t counts[METRICS];
	struct caches caches;
	struct chain chain;
} state;

static void note_what_the_kernel_says(struct probe *probe)
{
	struct text ways = { 0 };

	caches_write_ways(&state.caches, &ways);
	if (ways.length)
		probe_note(probe, "ways", "%s", text_chars(&ways));
	if (state.caches.count)
		probe_note(probe, "line", "%u",
			state.caches.list[0].line_bytes);
	text_free(&ways);
}

static int setup(struct probe *probe)
{
	struct items *items = &state.items;

	if (arena_check(probe, list_items(probe->args, items), PAGES_4K))
		return -1;
	for (size_t i = items->count; i > 1; i--) {
		size_t other = probe_random_below(probe, i);
		struct item item = items->list[i - 1];

		items->list[i - 1] = items->list[other];
		items->list[other] = item;
	}
	state.next = 0;
	memset(state.counts, 0, sizeof state.counts);
	caches_read(&state.caches, "", probe->cpu);
	note_what_the_kernel_says(probe);
	return 0;
}

/* The geometric mean of the first two cache sizes, by the kernel. Only one line
 * of eight is used, which occupies a cache correspondingly less. */
static uint64_t pairs_bytes(void)
{
	const struct cache *list = state.caches.list;

	if (state.caches.count < 2)
		return 128 << 10;
	return (uint64_t)sqrt(
		(double)list[0].size_bytes * (double)list[1].size_bytes);
}

static int make_chain(struct probe *probe, const struct item *item)
{
	uint64_t seed = probe_random(probe);
	uint64_t bytes = item->metric == CAPACITY ? item->x :
		item->metric == ENTRIES           ? item->x * PAGE_STRIDE :
						    pairs_bytes();
	char *base;

	if (!arena_take(probe, bytes, PAGES_4K, false, &base))
		return -1;
	if (item->metric == CAPACITY)
		chain_build(&state.chain, base, bytes, 64, ORDER_PAGE_LOCAL,
			seed, probe);
	else if (item->metric == ENTRIES)
		chain_build(&state.chain, base, bytes, PAGE_STRIDE,
			ORDER_RANDOM, seed, probe);
	else
		chain_build_pairs(&state.chain, base, bytes / BLOCK, BLOCK,
			item->x, seed);
	for (unsigned laps = chain_laps_to_warm(bytes); laps; laps--)
		if (!chain_lap(&state.chain, probe))
			return probe_invalid(probe,
				"a chain of %" PRIu64 " nodes is not one cycle",
				state.chain.nodes);
	chain_walk(&state.chain, UNROLL_100, TURNS);
	return 0;
}

/* The lower quartile of several walks, because noise only adds time. */
static double time_per_load(struct probe *probe)
{
	double ticks[TRIALS_MOST], sum = 0;
	double cheap = CHEAP_NS * 1e-9 * probe->tick_hz;
	size_t n = 0;

	while (n < TRIALS_LEAST || (n < TRIALS_MOST && sum < cheap)) {
		uint64_t start = probe_now(probe);

		chain_walk(&state.chain, UNROLL_100, TURNS);
		ticks[n] = (double)(probe_now(probe) - start);
		sum += ticks[n++];
	}
	values_sort(ticks, n);
	return quantile_sorted(ticks, n, .25) / LOADS * 1e9 / probe->tick_hz;
}

static size_t find_levels(const struct load_curve *capacity,
	const unsigned *ways, size_t known, struct step steps[STEPS_MOST])
{
	return steps_find(capacity->x, capacity->y, capacity->n, ways, known,
		steps);
}

/* Emits the results of this launch alone. */
static void emit_values(struct probe *probe)
{
	static struct load_curve curve;
	struct step steps[STEPS_MOST];
	unsigned ways[CACHES_MAX];

	for (size_t i = 0; i < state.caches.count; i++)
		ways[i] = state.caches.list[i].ways;
	curve.n = dots_medians(state.dots[CAPACITY], state.counts[CAPACITY],
		curve.x, curve.y);
	size_t n = find_levels(&curve, ways, state.caches.count, steps);
	for (unsigned i = 0; i < n && i < LEVELS; i++)
		probe_value(probe, L1 + i, steps[i].capacity);
	curve.n = dots_medians(state.dots[PAIRS], state.counts[PAIRS], curve.x,
		curve.y);
	if (load_curve_line(&curve) > 0)
		probe_value(probe, LINE, load_curve_line(&curve));
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct item *item = &state.items.list[state.next];
	unsigned metric = item->metric;
	bool left_out = metric == CAPACITY && item->x > SIZE_DEAR &&
		probe->launch % 2 == 0;

	(void)ops;
	state.next = (state.next + 1) % state.items.count;
	if (!left_out && make_chain(probe, item))
		return;
	if (!left_out) {
		struct dot dot = { (double)item->x, time_per_load(probe) };

		probe_trace(probe, metric, dot.x, dot.y);
		if (state.counts[metric] < ITEMS_MOST)
			state.dots[metric][state.counts[metric]++] = dot;
	}
	probe_alive(probe);
	if (state.next == 0)
		emit_values(probe);
}

/* ---- findings from all launches --------------------------------------- */

/* The range of all capacities that fit about as well, and of single
 * launches. */
static struct range interval_of(const struct results *results,
	const struct step *step, unsigned metric)
{
	struct range range = { step->least, step->most };
	struct digest digest;

	if (metric > L3 ||
		!digest_of(results, &results->points[0], metric, &digest) ||
		!digest.summary.has_interval)
		return range;
	range.low = fmin(range.low, digest.summary.interval.low);
	range.high = fmax(range.high, digest.summary.interval.high);
	return range;
}

/* The upper plateau was not measured: only the bound `least` is known. */
static void find_open_level(const char *name, const struct step *step,
	double least, double curve_end, struct findings *findings)
{
	struct text size = { 0 }, end = { 0 };

	unit_show(&size, UNIT_BYTES, least);
	unit_show(&end, UNIT_BYTES, curve_end);
	struct finding *finding = finding_value(findings, name, least,
		UNIT_BYTES,
		"%s holds at least %s, uncertain: the curve ends on the slope "
		"at %s; %.3g ns within",
		name, text_chars(&size), text_chars(&end), step->below);
	finding->uncertain = true;
	text_free(&size);
	text_free(&end);
}

static void find_level(const char *name, const struct step *step,
	struct range range, double nominal, struct findings *findings)
{
	struct text size = { 0 }, low = { 0 }, high = { 0 }, verdict = { 0 };

	unit_show(&size, UNIT_BYTES, step->capacity);
	unit_show(&low, UNIT_BYTES, range.low);
	unit_show(&high, UNIT_BYTES, range.high);
	nominal_verdict(step->capacity, range.low, range.high, step->uncertain,
		nominal, &verdict);
	struct finding *finding = finding_value(findings, name, step->capacity,
		UNIT_BYTES,
		"%s holds %s [%s, %s] by all launches: %s; %.3g ns within, "
		"%.3g ns beyond",
		name, text_chars(&size), text_chars(&low), text_chars(&high),
		text_chars(&verdict), step->below, step->above);
	finding_interval(finding, range.low, range.high);
	finding->uncertain = step->uncertain;
	text_free(&size);
	text_free(&low);
	text_free(&high);
	text_free(&verdict);
}

static void find_capacities(const struct results *results,
	const struct facts *facts, const struct load_curve *capacity,
	struct findings *findings)
{
	static const char *const names[LEVELS] = { "L1d", "L2", "L3" };
	const double nominal[LEVELS] = { facts->l1d_bytes, facts->l2_bytes,
		facts->llc_bytes };
	unsigned ways[CACHES_MAX];
	struct step steps[STEPS_MOST];
	size_t known =
		caches_read_ways(point_note(&results->points[0], "ways"), ways);
	size_t n = find_levels(capacity, ways, known, steps);

	for (size_t i = 0, level = 0; i < n && level < LEVELS; i++, level++) {
		level = steps_nearest(nominal, LEVELS, level,
			steps[i].capacity);
		struct range range =
			interval_of(results, &steps[i], L1 + (unsigned)i);
		if (steps[i].open)
			find_open_level(names[level], &steps[i], range.low,
				capacity->x[capacity->n - 1], findings);
		else
			find_level(names[level], &steps[i], range,
				nominal[level], findings);
	}
	if (!n)
		finding_add(findings, "levels",
			"no cache level is visible: the curve is too short or "
			"too noisy");
}

static void find_line(const struct results *results, struct findings *findings)
{
	static struct load_curve pairs;
	const char *note = point_note(&results->points[0], "line");
	double nominal = note ? strtod(note, NULL) : 0;

	load_curve_pool(results, PAIRS, &pairs);
	double line = load_curve_line(&pairs);
	if (line <= 0)
		return;
	bool odd = nominal > 0 && line != nominal &&
		fmod(log2(line), 1) > 0;
	struct finding *finding = finding_value(findings, "line", line,
		UNIT_BYTES, "a line is %.0f bytes: %s", line,
		nominal <= 0            ? "the kernel reports no size" :
			line == nominal ? "agrees with the kernel" :
			odd             ? "uncertain, not a power of two" :
					  "the kernel reports another size");
	finding->uncertain = odd;
}

/* One line of each page fills the caches too. A step at as many lines as fill
 * one of the caches is a step of that cache. */
static bool is_caches(const struct results *results,
	const struct load_curve *capacity, const struct step *step)
{
	unsigned ways[CACHES_MAX];
	struct step caches[STEPS_MOST];
	size_t known =
		caches_read_ways(point_note(&results->points[0], "ways"), ways);
	size_t n = find_levels(capacity, ways, known, caches);

	for (size_t i = 0; i < n; i++)
		if (fabs(log2(step->half * 64 / caches[i].half)) < .3)
			return true;
	return false;
}

/* The kernel reports no ways for the TLB. So the figure is the half rise, and
 * its beginning and end are the interval. */
static void find_entries(const struct results *results,
	const struct load_curve *capacity, struct findings *findings)
{
	static struct load_curve entries;
	struct step steps[STEPS_MOST];
	int tables = 0;

	load_curve_pool(results, ENTRIES, &entries);
	size_t n = steps_find(entries.x, entries.y, entries.n, NULL, 0, steps);
	for (size_t i = 0; i < n && tables < 2; i++) {
		const struct step *step = &steps[i];
		char name[16];

		if (is_caches(results, capacity, step))
			continue;
		snprintf(name, sizeof name, "TLB%d", ++tables);
		struct finding *finding = finding_value(findings, name,
			step->half, UNIT_COUNT,
			"the %s-level TLB holds about %.0f pages [%.0f, %.0f]"
			"%s; beyond, a load takes %.3g ns more",
			tables > 1 ? "second" : "first", step->half,
			step->start, step->end,
			step->uncertain ? ", uncertain" : "",
			step->above - step->below);
		finding_interval(finding, step->start, step->end);
		finding->uncertain = step->uncertain;
	}
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	static struct load_curve capacity;

	if (!results->point_count)
		return;
	load_curve_pool(results, CAPACITY, &capacity);
	find_capacities(results, facts, &capacity, findings);
	find_line(results, findings);
	find_entries(results, &capacity, findings);
}

static void predict(const struct facts *facts, const void *args,
	struct prediction *prediction)
{
	double l1 = facts->l1d_bytes;

	(void)args;
	prediction->hardware = l1 > 0 ? (struct range){ .85 * l1, 1.15 * l1 } :
					(struct range){ 16 << 10, 192 << 10 };
	prediction_sum(prediction);
	snprintf(prediction->why, sizeof prediction->why, "%s",
		l1 > 0 ? "the kernel's size of the first level, +-15 %" :
			 "first levels have 16 to 192 KiB");
}

const struct experiment probe_mem_hierarchy = {
	.name = "mem.hierarchy",
	.title = "Cache hierarchy",
	.question = "What caches does this machine really have?",
	.method =
		"Each launch measures load times in random order, on newly "
		"drawn pages. Page-local chains of eight sizes an octave use "
		"few pages at a time and show capacities. Chains of one line "
		"per page show translations. Pairs of loads some bytes apart "
		"show lines. The medians over the launches form a curve, which "
		"is made ascending. Its steps are found by their slope. Each "
		"capacity is fitted by the miss ratios of even, "
		"least-recently-used and random replacement; models that fit "
		"about equally well define the interval. A last-level cache "
		"that is shared or provided by a host is called effective.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .budget_ns = 60000000000 },
	.traits = TRAIT_COLD | TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_MEMORY,
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL }),
	.plan_for = plan_for,
	.setup = setup,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
