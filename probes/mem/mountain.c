/* What does locality buy? */
#include <math.h>
#include <stdio.h>

#include "arena.h"
#include "cache_sizes.h"
#include "caches.h"
#include "digest.h"
#include "facts.h"
#include "memory_level.h"
#include "probe.h"
#include "results.h"

enum { READ_BYTES = 8, LINE_BYTES = 64 };

struct args {
	int64_t size_bytes, stride_bytes;
};

static const struct param params[] = {
	{ .name = "size",
		.label = "array size",
		.help = "read from start to end repeatedly",
		.preset = "1K..64M",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 256,
		.max = 0x1p40 },
	{ .name = "stride",
		.label = "stride",
		.help = "distance between two reads of 8 bytes",
		.preset = "16..384+16",
		WHOLE_FIELD(struct args, stride_bytes),
		.unit = UNIT_BYTES,
		.min = READ_BYTES,
		.max = 16 << 20 },
	{ .name = NULL },
};

enum { THROUGHPUT, READ };

static bool bytes_per_time(const void *args, double *weight)
{
	(void)args;
	weight[READ] = 1. / READ_BYTES;
	return true;
}

static const struct metric metrics[] = {
	[THROUGHPUT] = { .name = "throughput",
		.label = "bytes read",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_DERIVED,
		.derive = bytes_per_time,
		.rate = true },
	[READ] = { .name = "read", .label = "time per read", .unit = UNIT_NS },
	{ .name = NULL },
};

/* ---- reading ---------------------------------------------------------- */

static struct {
	const char *start;
	uint64_t reads; /* of one pass */
	uint64_t next;  /* where the last trial stopped */
} state;

/* A load on whose value nothing depends, from any address. In assembly, so that
 * it can neither be omitted nor widened. */
struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

static inline void load(const char *at)
{
	const struct word *word = (const struct word *)at;
	uint64_t value;

#if defined(__x86_64__)
	__asm__ volatile("mov %1, %0" : "=r"(value) : "m"(*word));
#elif defined(__aarch64__)
	__asm__ volatile("ldr %0, %1" : "=r"(value) : "m"(*word));
#endif
}

/* Eight addresses relative to one, so that no read waits for the addition of
 * the previous read. */
static __attribute__((noinline)) void read_some(const char *at,
	uint64_t stride_bytes, uint64_t reads)
{
	const uint64_t one = stride_bytes, three = 3 * one, five = 5 * one,
		       seven = 7 * one;

	for (; reads >= 8; reads -= 8) {
		load(at);
		load(at + one);
		load(at + 2 * one);
		load(at + three);
		load(at + 4 * one);
		load(at + five);
		load(at + 2 * three);
		load(at + seven);
		at += 8 * one;
	}
	for (; reads; reads--) {
		load(at);
		at += one;
	}
}

/* Continues where the last pass stopped: an array is read to its end. */
static void read_on(uint64_t stride_bytes, uint64_t reads)
{
	while (reads) {
		uint64_t left = state.reads - state.next;
		uint64_t now = reads < left ? reads : left;

		read_some(state.start + state.next * stride_bytes, stride_bytes,
			now);
		state.next = now < left ? state.next + now : 0;
		reads -= now;
	}
}

static int64_t footprint(const void *args)
{
	return ((const struct args *)args)->size_bytes;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	uint64_t size_bytes = (uint64_t)args->size_bytes;
	uint64_t stride_bytes = (uint64_t)args->stride_bytes;
	char *start;

	if (size_bytes < stride_bytes + READ_BYTES)
		return probe_unavailable(probe,
			"an array of %llu bytes has no two reads %llu bytes "
			"apart: expected a larger size or a smaller stride",
			(unsigned long long)size_bytes,
			(unsigned long long)stride_bytes);
	if (!arena_take(probe, size_bytes, PAGES_4K, false, &start))
		return -1;
	state.start = start;
	state.reads = (size_bytes - READ_BYTES) / stride_bytes + 1;
	state.next = 0;
	for (int pass = 0; pass < 2; pass++) {
		read_on(stride_bytes, state.reads);
		probe_alive(probe);
	}
	caches_note_serving(probe, state.reads, stride_bytes);
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t stride_bytes = (uint64_t)args->stride_bytes;

	probe_start(probe);
	read_on(stride_bytes, ops);
	probe_stop(probe, READ, ops);
}

/* ---- findings --------------------------------------------------------- */

struct corner {
	const struct point *point;
	double throughput;
};

/* The point with the largest (sign 1) or least (sign -1) throughput. */
static struct corner find_corner(const struct results *results, double sign)
{
	struct corner corner = { .throughput = -sign * INFINITY };

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		double throughput;

		if (!results_median(results, point, THROUGHPUT, &throughput) ||
			sign * (throughput - corner.throughput) <= 0)
			continue;
		corner = (struct corner){ point, throughput };
	}
	return corner;
}

static void tell_corner(const struct results *results,
	const struct corner *corner, const char *name, const char *what,
	struct findings *findings)
{
	struct text rate = { 0 }, where = { 0 };

	unit_show(&rate, UNIT_BYTES_PER_S, corner->throughput);
	point_describe(results, corner->point, false, &where);
	finding_value(findings, name, corner->throughput, UNIT_BYTES_PER_S,
		"%s is %s at %s", what, text_chars(&rate), text_chars(&where));
	text_free(&rate);
	text_free(&where);
}

/* A single point is not a mountain, even if a sweep was requested. */
static void find_corners(const struct results *results,
	struct findings *findings)
{
	struct corner summit = find_corner(results, 1);
	struct corner foot = find_corner(results, -1);

	if (summit.point == foot.point)
		return;
	tell_corner(results, &summit, "peak", "the highest throughput",
		findings);
	tell_corner(results, &foot, "foot", "the lowest throughput", findings);
}

/* The measured point with that size and stride, or NULL. */
static const struct point *point_at(const struct results *results,
	int64_t size_bytes, int64_t stride_bytes, double *throughput)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;

		if (args && args->size_bytes == size_bytes &&
			args->stride_bytes == stride_bytes)
			return results_median(results, point, THROUGHPUT,
				       throughput) ?
				point :
				NULL;
	}
	return NULL;
}

/* The rank of the level that serves a point: 2 for L1d, 3 between that and L2,
 * ..; 0 if unknown. */
static unsigned distance_of(const struct point *point)
{
	struct serving serving;

	if (!point_serving(point, &serving))
		return 0;
	return 2 * (unsigned)serving.level + (serving.also != LEVEL_UNKNOWN);
}

struct extent {
	int64_t least, most;
};

static void widen(struct extent *extent, int64_t value)
{
	if (!extent->most || value < extent->least)
		extent->least = value;
	if (value > extent->most)
		extent->most = value;
}

/* If one level serves both sizes, the smaller array has no advantage from a
 * cache. */
static void find_temporal(const struct results *results,
	const struct extent *sizes, int64_t stride_bytes,
	struct findings *findings)
{
	double near_rate, far_rate;
	const struct point *near =
		point_at(results, sizes->least, stride_bytes, &near_rate);
	const struct point *far =
		point_at(results, sizes->most, stride_bytes, &far_rate);

	if (near && far && distance_of(near) &&
		distance_of(near) < distance_of(far))
		finding_value(findings, "temporal", near_rate / far_rate,
			UNIT_NONE,
			"data in %s is read %.1f times as fast as in the "
			"largest array, at stride %lld",
			point_note(near, "level"), near_rate / far_rate,
			(long long)stride_bytes);
}

/* Each along one edge of the mountain: the gain from using whole lines for the
 * largest array, and from a small array at the widest stride up to a line. */
static void find_locality(const struct results *results,
	struct findings *findings)
{
	struct extent sizes = { 0 }, strides = { 0 };
	double dense, sparse;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;

		if (!args || args->stride_bytes > LINE_BYTES)
			continue;
		widen(&sizes, args->size_bytes);
		widen(&strides, args->stride_bytes);
	}
	if (strides.most == LINE_BYTES && strides.least < LINE_BYTES &&
		point_at(results, sizes.most, strides.least, &dense) &&
		point_at(results, sizes.most, LINE_BYTES, &sparse))
		finding_value(findings, "spatial", dense / sparse, UNIT_NONE,
			"stride %lld, not %d, reads the largest array %.1f "
			"times as fast: it uses whole lines",
			(long long)strides.least, LINE_BYTES, dense / sparse);
	find_temporal(results, &sizes, strides.most, findings);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_corners(results, findings);
	find_locality(results, findings);
	cache_sizes_tell(results, facts, findings);
}

/* ---- prediction ------------------------------------------------------- */

/* Time of a load by mem.latency at this size, or by the latencies of caches. */
static struct range latency_ns(const struct facts *facts, int64_t size_bytes,
	bool *measured)
{
	struct text where = { 0 };
	struct cache_sizes sizes;
	struct range range;

	text_add(&where, "size=");
	unit_write_whole(&where, UNIT_BYTES, size_bytes);
	*measured = facts_measured(facts, QUANTITY_LOCAL_LOAD,
		text_chars(&where), &range);
	text_free(&where);
	if (*measured)
		return range;
	cache_sizes_of(facts, &sizes);
	return cache_sizes_load(facts, &sizes, (double)size_bytes).ns;
}

/* At best three reads per cycle, or whole lines at the rate of memory. At worst
 * one line after the other, with the reads of a line sharing its time. */
static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double share = fmin((double)args->stride_bytes / LINE_BYTES, 1);
	double best = READ_BYTES / facts_cycles_ns(facts, 1. / 3) * 1e9;
	bool latency_known, bandwidth_known;
	struct cache_sizes sizes;
	struct range bandwidth;
	struct range load = latency_ns(facts, args->size_bytes, &latency_known);

	bandwidth_known = facts_measured(facts, QUANTITY_READ_RATE, NULL,
		&bandwidth);
	cache_sizes_of(facts, &sizes);
	if (bandwidth_known &&
		cache_sizes_level(&sizes, (double)args->size_bytes) ==
			CACHE_SIZES)
		best = fmin(best,
			bandwidth.high * READ_BYTES / LINE_BYTES / share);
	double worst_ns = facts_cycles_ns(facts, 1) + share * load.high;
	prediction->hardware.low = fmin(READ_BYTES / worst_ns * 1e9, best);
	prediction->hardware.high = best;
	prediction->software = (struct range){ 0, 0 };
	prediction_sum(prediction);
	snprintf(prediction->why, sizeof prediction->why,
		"8 B per load of %.3g ns (%s) to %s", load.high,
		latency_known ? "mem.latency, this session" : "by cache level",
		bandwidth_known ? "mem.bandwidth's lines, this session" :
				  "three reads a cycle");
}

const struct experiment probe_mem_mountain = {
	.name = "mem.mountain",
	.title = "Memory mountain",
	.question = "What does locality buy?",
	.method =
		"An array is read repeatedly from its beginning to its end: 8 "
		"bytes every stride, eight independent reads in the loop. A "
		"trial continues where the last one stopped. Two passes warm "
		"the caches. Along the sizes the mountain shows the benefit of "
		"caches, along the strides that of whole lines and of "
		"prefetching (Bryant and O'Hallaron, \"Computer Systems: A "
		"Programmer's Perspective\", chapter 6). In arrays of a few "
		"reads the figure includes the loop.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .budget_ns = 30000000000,
		.trials_least = 11,
		.draws_least = 6 },
	.sensitive_to = SENSITIVE_MEMORY,
	.footprint = footprint,
	.setup = setup,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
