/* The table of causes, and its sentences. */
#include <string.h>

#include "check.h"
#include "gap_cause.h"
#include "gap_tell.h"
#include "unit/probe/named.h"

enum { LOST, LONGEST, WATCHED, SHARE, GAPS = SHARE + GAP_CAUSES };

#define VALUE(text, of) \
	{ .name = text, .label = text, .unit = of, .kind = METRIC_VALUE }
#define TRACE(text) \
	{ .name = text, .label = text, .unit = UNIT_NS, \
		.kind = METRIC_TRACE, .across = "time", .across_unit = UNIT_NS }

static const struct param params[] = { { .name = NULL } };
static const struct metric metrics[] = {
	VALUE("lost", UNIT_PERCENT),
	VALUE("longest", UNIT_NS),
	VALUE("watched", UNIT_NS),
	VALUE("task", UNIT_PERCENT),
	VALUE("timer", UNIT_PERCENT),
	VALUE("interrupt", UNIT_PERCENT),
	VALUE("host", UNIT_PERCENT),
	TRACE("task-gaps"),
	TRACE("timer-gaps"),
	TRACE("interrupt-gaps"),
	TRACE("host-gaps"),
	{ .name = NULL },
};
static const struct experiment experiment = {
	.name = "cpu.gaps",
	.title = "Gaps",
	.question = "Where are they?",
	.method = "They are listed.",
	.params = params,
	.args_size = sizeof(int),
	.metrics = metrics,
};
static const struct gap_metrics which = { LOST, LONGEST, WATCHED, SHARE, GAPS };

static void add_value(struct point *point, unsigned metric, double value)
{
	struct series *series = &point->series[metric];

	*(double *)column_add(&series->raw) = value;
	*(uint16_t *)column_add(&series->flags) = 0;
	series->slices[point->visit_count - 1].count++;
}

static void add_gap(struct point *point, enum gap_cause cause, double at_ns,
	double took_ns)
{
	*(struct trace_point *)column_add(&point->series[GAPS + cause].trace) =
		(struct trace_point){ at_ns, took_ns,
			(uint32_t)point->visit_count - 1 };
}

/* Tasks take 50 us every 10 ms, and the interrupts that wake them 2 us. */
static void add_launch(struct results *results, double watched_ns,
	double host_ns)
{
	struct point *point = results->points;
	size_t tasks = (size_t)(watched_ns / 10e6);
	double task_ns = (double)tasks * 50e3, rest_ns = (double)tasks * 2e3;

	results_add_launch(results);
	point_add_visit(results, point)->trials = 1;
	for (size_t i = 0; i < tasks; i++)
		add_gap(point, GAP_TASK, (double)i * 10e6 + 1e6, 50e3);
	if (host_ns > 0)
		add_gap(point, GAP_HOST, 5e6, host_ns);
	add_value(point, LOST, (task_ns + rest_ns + host_ns) / watched_ns);
	add_value(point, LONGEST, fmax(host_ns, 52e3));
	add_value(point, WATCHED, watched_ns);
	add_value(point, SHARE + GAP_TASK, task_ns / watched_ns);
	add_value(point, SHARE + GAP_TIMER, 0);
	add_value(point, SHARE + GAP_INTERRUPT, rest_ns / watched_ns);
	add_value(point, SHARE + GAP_HOST, host_ns / watched_ns);
}

static struct results *told(void)
{
	struct results *results = results_new(experiment.name);

	results_describe(results, &experiment);
	results_add_point(results);
	/* The median launch has no gap of the host. */
	add_launch(results, 1e9, 0);
	add_launch(results, 1e9, 0);
	add_launch(results, 2e9, 40e6);
	gaps_tell(results, results->points, &which, &results->findings);
	return results;
}

static void assert_cell(const struct results *results, const char *name,
	double value)
{
	const struct finding *finding = finding_named(&results->findings, name);

	if (!finding)
		fail_msg("no %s", name);
	assert_within(finding->value, value, 1e-6);
}

static void test_table(void **state)
{
	struct results *results = told();

	assert_cell(results, "lost:overall", (400 * 52e3 + 40e6) / 4e9);
	assert_cell(results, "lost:longest", 40e6);
	assert_cell(results, "task:overall", .005);
	assert_cell(results, "task:longest", 50e3);
	assert_cell(results, "task:typical", 50e3);
	assert_cell(results, "task:rate", 100);
	assert_cell(results, "interrupt:overall", 400 * 2e3 / 4e9);
	assert_cell(results, "host:overall", .01);
	assert_cell(results, "host:rate", .25);
	/* Without gaps of its own, and without lost time. */
	assert_null(finding_named(&results->findings, "interrupt:typical"));
	assert_null(finding_named(&results->findings, "timer:overall"));
	results_free(results);
}

static void assert_sentence(const struct results *results, const char *name,
	const char *sentence)
{
	const struct finding *finding = finding_named(&results->findings, name);

	assert_non_null(finding);
	assert_string_equal(finding->sentence, sentence);
}

static void test_sentences(void **state)
{
	struct results *results = told();

	assert_sentence(results, "lost",
		"all launches together: 1.52 % of 4.000 s is lost; the metrics "
		"are medians of the launches");
	assert_sentence(results, "task",
		"another task: 0.500 % of the time of all launches; typical "
		"gaps of 50.00 us, every 10.00 ms");
	assert_sentence(results, "interrupt",
		"other interrupt: 0.0200 % of the time of all launches, "
		"including 0.0200 % in gaps with another task");
	assert_sentence(results, "host",
		"host or firmware: 1.00 % of the time of all launches; typical "
		"gaps of 40.00 ms, 0.25 per second, irregularly");
	assert_sentence(results, "gaps",
		"gaps: 400 of 10..100 us, 1 above 10 ms");
	results_free(results);
}

/* One long gap of a task takes more than those of 50 us every 10 ms. */
static void test_share_of_typical_gaps(void **state)
{
	struct results *results = results_new(experiment.name);
	struct point *point;

	results_describe(results, &experiment);
	results_add_point(results);
	add_launch(results, 1e9, 0);
	point = results->points;
	add_gap(point, GAP_TASK, 995e6, 6e6);
	*(double *)point->series[SHARE + GAP_TASK].raw.data += .006;
	gaps_tell(results, point, &which, &results->findings);
	assert_sentence(results, "task",
		"another task: 1.10 % of the time of all launches; 0.500 % in "
		"typical gaps of 50.00 us, every 10.00 ms");
	results_free(results);
}

/* A rate above 1000 has no exponent. */
static void test_high_rate(void **state)
{
	struct results *results = results_new(experiment.name);
	struct point *point;

	results_describe(results, &experiment);
	results_add_point(results);
	add_launch(results, 1e9, 6780 * 2e3);
	point = results->points;
	point->series[GAPS + GAP_HOST].trace.count = 0;
	for (int i = 0; i < 6780; i++)
		add_gap(point, GAP_HOST, i * i * 20., 2e3);
	gaps_tell(results, point, &which, &results->findings);
	assert_sentence(results, "host",
		"host or firmware: 1.36 % of the time of all launches; typical "
		"gaps of 2.000 us, 6780 per second, irregularly");
	results_free(results);
}

static void test_nothing_watched(void **state)
{
	struct results *results = results_new(experiment.name);

	results_describe(results, &experiment);
	results_add_point(results);
	gaps_tell(results, results->points, &which, &results->findings);
	assert_int_equal(results->findings.count, 0);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_share_of_typical_gaps),
		cmocka_unit_test(test_high_rate),
		cmocka_unit_test(test_nothing_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
