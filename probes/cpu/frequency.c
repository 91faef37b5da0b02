/* How fast does the counter tick, and the core? */
#include <math.h>
#include <stdio.h>

#include "digest.h"
#include "facts.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"
#include "ruler.h"

struct args {
	int64_t window_ns, count;
};

static const struct param params[] = {
	{ .name = "window",
		.label = "window",
		.help = "time between two readings of both clocks",
		.preset = "1s",
		WHOLE_FIELD(struct args, window_ns),
		.unit = UNIT_NS,
		.min = 10e6,
		.max = 10e9 },
	{ .name = "count",
		.label = "windows",
		.help = "in all, divided among the launches",
		.preset = "20",
		WHOLE_FIELD(struct args, count),
		.unit = UNIT_COUNT,
		.min = 6,
		.max = 1000 },
	{ .name = NULL },
};

enum { TICK_RATE, CORE_RATE, MULTIPLY_RATE, DRIFT };
static const struct metric metrics[] = {
	{ .name = "tick-rate",
		.label = "rate of the counter",
		.unit = UNIT_HZ,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "core-rate",
		.label = "core rate, by additions",
		.unit = UNIT_HZ,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "multiply-rate",
		.label = "core rate, by multiplications",
		.unit = UNIT_HZ,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "drift",
		.label = "drift of the counter",
		.unit = UNIT_PPM,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

enum {
	LAUNCHES_USUAL = 10,
	LAUNCHES_FEW = 6,
	TRIES = 5,
	LOOKS_MOST = 8192,
};

static void plan_for(const void *context, struct plan *plan)
{
	const struct args *args = context;
	double windows_ns;

	plan->launches =
		args->count >= LAUNCHES_USUAL ? LAUNCHES_USUAL : LAUNCHES_FEW;
	plan->trials =
		(unsigned)((args->count + plan->launches - 1) / plan->launches);
	/* One more window for the pilot; the rest is for the forks. */
	windows_ns =
		(double)args->window_ns * (plan->launches * plan->trials + 1);
	plan->budget_ns = (int64_t)(windows_ns * 1.2 + 2e9);
}

/* Measurements of the rulers in a window. */
struct looks {
	double add[LOOKS_MOST], multiply[LOOKS_MOST];
	size_t agreed; /* additions measured without a co-runner */
	size_t all;    /* multiplications */
	double cycles; /* cycles per multiplication, as agreed; else 0 */
	struct ruler_look best;
};

static void take_look(struct probe *probe, struct looks *looks)
{
	struct ruler_look look = ruler_look(probe->source, TRIES);
	double cycles = ruler_agree(&look);

	if (look.multiply < looks->best.multiply)
		looks->best = look;
	/* In a long window later measurements replace earlier ones. */
	looks->multiply[looks->all++ % LOOKS_MOST] = look.multiply;
	if (!(cycles > 0))
		return;
	looks->add[looks->agreed++ % LOOKS_MOST] = look.add;
	looks->cycles = cycles;
}

static size_t kept(size_t count)
{
	return count < LOOKS_MOST ? count : LOOKS_MOST;
}

/* The median shows the usual frequency. If every addition was slowed, only
 * multiplications are used: the fastest, because a co-runner that multiplies
 * slows the others. */
static void put_rates(struct probe *probe, struct looks *looks, double hz)
{
	size_t n = kept(looks->all);
	double cycles = looks->cycles > 0 ? looks->cycles :
					ruler_assume(&looks->best);

	values_sort(looks->multiply, n);
	double multiply_ticks = quantile_sorted(looks->multiply, n,
		looks->agreed ? .5 : .05);
	double core_hz = looks->agreed ?
		hz / median_of(looks->add, kept(looks->agreed)) :
		NAN;
	probe_value(probe, CORE_RATE, core_hz);
	probe_value(probe, MULTIPLY_RATE, hz / multiply_ticks * cycles);
	if (looks->agreed < looks->all)
		probe_note(probe, "rulers",
			"additions ran at full speed in %.3g %% of the "
			"samples; a co-runner slowed the others",
			100.0 * (double)looks->agreed / (double)looks->all);
}

/* The rulers run through the whole window, alternating additions and
 * multiplications. */
static void trial(struct probe *probe, uint64_t ops)
{
	static struct looks looks;
	const struct args *args = probe->args;
	struct moment first = moment_now(probe->source);

	(void)ops;
	looks.agreed = looks.all = 0;
	looks.cycles = 0;
	looks.best = (struct ruler_look){ INFINITY, INFINITY };
	while (tick_raw_ns() - first.raw_ns < (uint64_t)args->window_ns) {
		take_look(probe, &looks);
		probe_alive(probe);
	}
	struct moment last = moment_now(probe->source);
	double hz = (last.ticks - first.ticks) * 1e9 /
		(double)(last.raw_ns - first.raw_ns);

	probe_value(probe, TICK_RATE, hz);
	put_rates(probe, &looks, hz);
	probe_value(probe, DRIFT, (hz / probe->tick_hz - 1) * 1e6);
}

/* ---- findings --------------------------------------------------------- */

static bool median_of_metric(const struct results *results, unsigned metric,
	struct digest *digest)
{
	return results->point_count &&
		digest_of(results, &results->points[0], metric, digest);
}

static void find_counter(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	struct digest ticks;
	struct text others = { 0 };

	if (!median_of_metric(results, TICK_RATE, &ticks))
		return;
	double hz = ticks.summary.median;
	double half =
		(ticks.summary.interval.high - ticks.summary.interval.low) / 2;
	if (ticks.summary.has_interval)
		text_add(&others, " +- %.3f ppm", half / hz * 1e6);
	if (facts->kernel_hz > 0)
		text_add(&others, "; the kernel reports %.6f MHz (%+.1f ppm)",
			facts->kernel_hz / 1e6,
			(hz / facts->kernel_hz - 1) * 1e6);
	if (facts->cpuid_hz > 0)
		text_add(&others, "; cpuid reports %.6f MHz",
			facts->cpuid_hz / 1e6);
	struct finding *finding = finding_value(findings, "tick-rate", hz,
		UNIT_HZ, "the counter ticks at %.6f MHz%s", hz / 1e6,
		text_chars(&others));
	if (ticks.summary.has_interval)
		finding_interval(finding, ticks.summary.interval.low,
			ticks.summary.interval.high);
	text_free(&others);
}

/* Uses multiplications, which a co-runner hardly slows; additions confirm
 * it. */
static void find_core(const struct results *results, struct findings *findings)
{
	struct digest core, multiply;

	if (!median_of_metric(results, MULTIPLY_RATE, &multiply) ||
		!multiply.summary.trials)
		return;
	double hz = multiply.summary.median;
	bool added = median_of_metric(results, CORE_RATE, &core) &&
		core.summary.trials;
	if (added)
		finding_value(findings, "core-rate", hz, UNIT_HZ,
			"the core runs at %.4f GHz; additions and "
			"multiplications agree within %.2f %%",
			hz / 1e9, fabs(core.summary.median / hz - 1) * 100);
	else
		finding_value(findings, "core-rate", hz, UNIT_HZ,
			"the core runs at %.4f GHz by multiplications; a "
			"co-runner slowed all additions",
			hz / 1e9);
	finding_value(findings, "cycles-per-tick", hz / results->clock.hz,
		UNIT_NONE,
		"a tick is %.4f core cycles: the counter does not follow the "
		"core frequency",
		hz / results->clock.hz);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_counter(results, facts, findings);
	find_core(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	(void)context;
	double hz = facts->kernel_hz > 0 ? facts->kernel_hz : facts->cpuid_hz;

	if (hz <= 0) {
		prediction->hardware = (struct range){ 1e6, 6e9 };
		prediction_sum(prediction);
		snprintf(prediction->why, sizeof prediction->why,
			"neither kernel nor processor reports the rate: "
			"counters tick at 1 MHz to 6 GHz");
		return;
	}
	/* The kernel's own calibration is accurate to about 100 ppm. */
	prediction->hardware = (struct range){ hz * .9999, hz * 1.0001 };
	prediction_sum(prediction);
	snprintf(prediction->why, sizeof prediction->why,
		"frequency reported by the %s, accurate to 100 ppm",
		facts->kernel_hz > 0 ? "kernel" : "processor");
}

const struct experiment probe_cpu_frequency = {
	.name = "cpu.frequency",
	.title = "Clock frequencies",
	.question = "How fast does the counter tick, and the core?",
	.method = "Each end of a window reads the counter between two readings "
		"of CLOCK_MONOTONIC_RAW and keeps the narrowest of fifteen "
		"brackets. Ticks divided by nanoseconds are the rate of the "
		"counter. Within the window, chains of additions (one cycle "
		"each) and of multiplications (a known few cycles each) are "
		"timed repeatedly, in registers. The median time of a link "
		"gives the core frequency. Additions of a constant are not "
		"used, because recent cores eliminate them. Drift compares the "
		"rate in the window with the calibration of this run.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.watched = "multiply-rate",
	.plan = { .ops = 1, .trials = 2, .budget_ns = 30000000000 },
	.traits = TRAIT_COLD,
	.plan_for = plan_for,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
