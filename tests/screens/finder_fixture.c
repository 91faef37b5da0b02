/* A lab whose last run found levels along its traces. */
#include "finder_fixture.h"

struct finder_args {
	int64_t max_bytes;
};

static const struct param finder_params[] = {
	{ .name = "max",
		.label = "largest array",
		.help = "of all",
		.preset = "auto",
		WHOLE_FIELD(struct finder_args, max_bytes),
		.unit = UNIT_BYTES,
		.min = 1 << 20,
		.max = 1 << 30,
		.automatic = true },
	{ .name = NULL },
};

enum { FINDER_L1, FINDER_SIZES, FINDER_PAGES, FINDER_PAIRS, FINDER_EVENTS };

#define FINDER_TRACE(NAME, LABEL, ACROSS, X_UNIT, LEVELS) \
	{ \
		.name = NAME, .label = LABEL, .unit = UNIT_NS, \
		.kind = METRIC_TRACE, .across = ACROSS, .across_unit = X_UNIT, \
		.levels = LEVELS, \
	}

static const struct metric finder_metrics[] = {
	[FINDER_L1] = { .name = "l1",
		.label = "first level",
		.unit = UNIT_BYTES,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	[FINDER_SIZES] = FINDER_TRACE("capacity", "ns per load over bytes",
		"size", UNIT_BYTES, "L1d L2 L3 memory"),
	[FINDER_PAGES] = FINDER_TRACE("entries", "ns per load over pages",
		"page", UNIT_COUNT, "TLB1 TLB2 walks"),
	[FINDER_PAIRS] = FINDER_TRACE("pairs", "ns per load of a pair", "apart",
		UNIT_BYTES, "line another"),
	[FINDER_EVENTS] = { .name = "pauses",
		.label = "pauses",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "time",
		.across_unit = UNIT_NS,
		.events = true },
	{ .name = NULL },
};

static const struct experiment finder_experiment = {
	.name = "mem.hierarchy",
	.title = "Cache hierarchy",
	.question = "What caches are there?",
	.method = "Chains of growing sizes are walked.",
	.params = finder_params,
	.args_size = sizeof(struct finder_args),
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL }),
	.metrics = finder_metrics,
	.trial = fixture_trial,
};

const struct experiment *const finder_list[] = { &finder_experiment,
	&swept_latency, NULL };

static void finder_dot(struct point *point, unsigned metric, double x, double y,
	unsigned launch)
{
	double noise = 1 + fixture_noise((unsigned)x + launch) / 5120.;
	struct column *trace = &point->series[metric].trace;

	*(struct trace_point *)column_add(trace) =
		(struct trace_point){ x, y * noise, launch };
}

/* Largest first, because a launch visits its sizes in any order. */
static void finder_launch(struct point *point, unsigned launch)
{
	*(double *)column_add(&point->series[FINDER_L1].raw) = 31.2 * 1024;
	*(uint16_t *)column_add(&point->series[FINDER_L1].flags) = 0;
	point->series[FINDER_L1].slices[launch].count++;
	for (int quarter = 60; quarter >= 0; quarter--)
		finder_dot(point, FINDER_SIZES, 4096 * exp2(quarter / 4.),
			swept_ns(4096 * exp2(quarter / 4.), false), launch);
	for (int quarter = 36; quarter >= 0; quarter--) {
		double pages = rint(16 * exp2(quarter / 4.));

		finder_dot(point, FINDER_PAGES, pages,
			pages < 64           ? .95 :
				pages < 1536 ? 2.9 :
					       12,
			launch);
	}
	for (int apart = 128; apart >= 8; apart -= 8)
		finder_dot(point, FINDER_PAIRS, apart, apart < 64 ? 1.9 : 3,
			launch);
	for (int ms = 1; ms < 1000; ms += 3)
		finder_dot(point, FINDER_EVENTS, ms * 1e6 + launch * 1e5,
			ms % 4 ? 12000 : 8e6, launch);
}

void finder_level(struct results *results, const char *name, double found,
	enum unit unit, const char *verdict)
{
	struct text text = { 0 };

	unit_show(&text, unit, found);
	finding_interval(finding_value(&results->findings, name, found, unit,
				 "%s holds %s: %s", name, text_chars(&text),
				 verdict),
		.9 * found, 1.1 * found);
	text_free(&text);
}

struct results *finder_results(bool found)
{
	struct results *results = swept_results(&finder_experiment);
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup("auto");
	for (unsigned launch = 0; launch < SWEPT_LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);

		visit->launch = launch;
		visit->trials = 1;
		point->series[FINDER_L1].ops = 1;
		finder_launch(point, launch);
	}
	if (!found)
		return results;
	finder_level(results, "L1d", 31.2 * 1024, UNIT_BYTES,
		"agrees with the kernel's 32 KiB; .95 ns within, 2.7 ns "
		"beyond");
	finder_level(results, "L2", .96 * (1 << 20), UNIT_BYTES,
		"uncertain, the kernel reports 1 MiB");
	results->findings.list[1].uncertain = true;
	finder_level(results, "L3", 25. * (1 << 20), UNIT_BYTES,
		"effective 25 MiB of nominal 32 MiB (78 %)");
	finding_value(&results->findings, "line", 64, UNIT_BYTES,
		"a line is 64 bytes: agrees with the kernel");
	finder_level(results, "TLB1", 64, UNIT_COUNT, "beyond, 2 ns more");
	finder_level(results, "TLB2", 1536, UNIT_COUNT, "beyond, 9 ns more");
	return results;
}
