/* Results by hand, of the experiments of the fixture lab. */
#include "made.h"

#include <math.h>

#include "unit/lab/lab_fixture.h"

static const char *const one[] = { "getppid" };
static const char *const three[] = { "getppid", "getpid", "read" };

enum { TRIALS = 600 };

static struct results *single(void)
{
	return fixture_results(&fixture_syscall, one, 1);
}

static uint16_t *flags_of(struct results *results, size_t point)
{
	return results->points[point].series[0].flags.data;
}

static uint64_t *ticks_of(struct results *results, size_t point)
{
	return results->points[point].series[0].raw.data;
}

/* Sets flags on `of_them` trials of every `each`, and makes these trials
 * longer. */
static void flag(struct results *results, size_t point, unsigned each,
	unsigned of_them, unsigned flags, unsigned more)
{
	for (unsigned i = 0; i < TRIALS; i++) {
		bool is = i % each < of_them;

		flags_of(results, point)[i] = is ? (uint16_t)flags : 0;
		ticks_of(results, point)[i] += is ? more : 0;
	}
}

static struct results *noisy(void)
{
	struct results *results = single();

	flag(results, 0, 10, 6, FLAG_SHARED, 600);
	return results;
}

static struct results *never_alone(void)
{
	struct results *results = single();

	flag(results, 0, 50, 49, FLAG_SHARED, 600);
	finding_add(&results->findings, "entry",
		"the kernel mitigates these processor vulnerabilities, some "
		"at every entry: spectre_v1, spectre_v2");
	return results;
}

/* The only other processor is the SMT sibling. */
static struct results *one_core(void)
{
	struct results *results = never_alone();

	results->place.lab_beside = true;
	return results;
}

/* The digits of a range that is this wide would round its beginning to 0. */
static struct results *tiny_bound(void)
{
	struct results *results = single();

	results->prediction = (struct prediction){
		.set = true,
		.by = BY_USER,
		.total = { .0213, 90 },
	};
	return results;
}

static struct results *excluded(void)
{
	struct results *results = single();

	flag(results, 0, 1, 1, FLAG_PREEMPTED, 0);
	return results;
}

static struct results *few(void)
{
	struct results *results = single();

	results->points[0].visit_count = 4;
	results->launch_count = 4;
	results->stopped.reason = STOP_BUDGET;
	return results;
}

/* An interval that is wider than requested, but within the resolution. */
static struct results *resolved(void)
{
	struct results *results = single();

	for (size_t i = 0; i < results->launch_count; i++)
		results->launches[i].jitter = 400;
	return results;
}

static struct results *below(void)
{
	struct results *results = single();

	for (size_t i = 0; i < results->launch_count; i++)
		results->launches[i].jitter = 40000;
	return results;
}

static struct results *invalid(void)
{
	struct results *results = single();

	results->points[0].state = POINT_INVALID;
	results->points[0].why = xstrdup("the work was optimised away");
	return results;
}

static struct results *without(enum point_state state, const char *why)
{
	struct results *results = results_new("cpu.syscall");
	struct point *point;

	results_describe(results, &fixture_syscall);
	results->state = RUN_DONE;
	results->stopped.reason = STOP_UNAVAILABLE;
	results->place.cpu = 3;
	point = results_add_point(results);
	point->values[0] = xstrdup("getppid");
	point->values[1] = xstrdup("4K");
	point->state = state;
	point->why = xstrdup(why);
	return results;
}

static struct results *unavailable(void)
{
	return without(POINT_UNAVAILABLE,
		"this kernel has no such call, and a filter of the container "
		"ends a process that tries it");
}

static struct results *sweep(void)
{
	struct results *results = fixture_results(&fixture_latency, three, 3);

	flag(results, 1, 50, 49, FLAG_SHARED, 400);
	results_warn(results,
		"slower than the pilot expected, 6 launches of all points take "
		"about 1.255 s, longer than budget=1.000 s");
	return results;
}

/* The first point was reached in too few launches for an interval. */
static struct results *out_of_time(void)
{
	struct results *results = fixture_results(&fixture_latency, three, 2);

	results->points[0].visit_count = 4;
	results->stopped.reason = STOP_BUDGET;
	return results;
}

static struct results *holes(void)
{
	struct results *results = sweep();

	results->points[0].state = POINT_UNAVAILABLE;
	results->points[0].why = xstrdup(
		"a filter of the container ends a process that tries it, as "
		"its log shows");
	return results;
}

/* Predicted in cycles; the core's frequency is known. */
static struct results *in_cycles(void)
{
	struct results *results = single();

	results->clock.core_hz = 1.5 * results->clock.hz;
	results->clock.cycles_trusted = true;
	results->clock.canary_cycles = 600;
	for (size_t v = 0; v < results->points[0].visit_count; v++)
		results->points[0].visits[v].usual = 400;
	results->prediction = (struct prediction){
		.set = true,
		.by = BY_USER,
		.in_cycles = true,
		.hardware = { 100, 300 },
		.total = { 100, 300 },
	};
	return results;
}

/* `ab` with one setting that cannot run. */
static struct results *one_of_two(void)
{
	struct results *results = fixture_results(&fixture_syscall, three, 2);

	results->plan.abba = true;
	results->points[1].state = POINT_UNAVAILABLE;
	results->points[1].why = xstrdup("this kernel has no such call");
	return results;
}

/* A sweep with `count` sizes for each of `calls` calls. */
static struct results *sizes(size_t calls, size_t count)
{
	const char *names[64];
	struct results *results;

	for (size_t i = 0; i < calls * count; i++)
		names[i] = three[i / count];
	results = fixture_results(&fixture_latency, names, calls * count);
	for (size_t i = 0; i < calls * count; i++) {
		struct point *point = &results->points[i];
		struct text size = { 0 };

		text_add(&size, "%zuK", (size_t)1 << i % count % 14);
		free(point->values[1]);
		point->values[1] = text_take(&size);
	}
	return results;
}

static struct results *matrix(void)
{
	return sizes(3, 8);
}

/* Sizes from 1K on, with a knee at 32K and at 1M. */
static struct results *curve(void)
{
	enum { SIZES = 30 };
	const char *names[SIZES];
	struct results *results;

	for (size_t i = 0; i < SIZES; i++)
		names[i] = three[0];
	results = fixture_results(&fixture_latency, names, SIZES);
	for (size_t i = 0; i < SIZES; i++) {
		struct point *point = &results->points[i];
		double bytes = 1024 * pow(2, (double)i / 2);
		const char *level = bytes <= 32768 ? "L1d" :
			bytes <= 1 << 20	   ? "L2" : "memory";
		unsigned more = bytes <= 32768 ? 0 :
			bytes <= 1 << 20       ? 4000 : 90000;
		struct text size = { 0 };

		text_add(&size, "%.0f", bytes);
		free(point->values[1]);
		point->values[1] = text_take(&size);
		point_add_note(point, "level", level);
		for (unsigned t = 0; t < TRIALS; t++)
			ticks_of(results, i)[t] += more - 900 * i;
	}
	return results;
}

const struct made made_states[] = {
	{ "noisy", noisy },
	{ "never-alone", never_alone },
	{ "one-core", one_core },
	{ "tiny-bound", tiny_bound },
	{ "excluded", excluded },
	{ "few", few },
	{ "resolved", resolved },
	{ "below", below },
	{ "invalid", invalid },
	{ "unavailable", unavailable },
	{ "in-cycles", in_cycles },
	{ "one-of-two", one_of_two },
	{ "sweep", sweep },
	{ "out-of-time", out_of_time },
	{ "holes", holes },
	{ "matrix", matrix },
	{ "curve", curve },
	{ .name = NULL },
};
