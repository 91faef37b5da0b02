/* Findings, predictions, and their facts. */
#include "digest.h"
#include "facts.h"
#include "trials.h"

static void findings_have_values_and_intervals(void **state)
{
	struct findings findings = { 0 };

	finding_add(&findings, "layout", "%d layouts", 16);
	struct finding *one = finding_value(&findings, "per-argument", 1.5,
		UNIT_CYCLES, "%.1f cycles each", 1.5);
	finding_interval(one, 1.4, 1.6);
	finding_value(&findings, "nothing", NAN, UNIT_NS, "no figure");
	assert_int_equal(findings.count, 3);
	assert_string_equal(findings.list[0].name, "layout");
	assert_string_equal(findings.list[0].sentence, "16 layouts");
	assert_false(findings.list[0].has_value);
	one = &findings.list[1];
	assert_string_equal(one->sentence, "1.5 cycles each");
	assert_true(one->has_value && one->has_interval);
	assert_near(one->value, 1.5);
	assert_near(one->interval.high, 1.6);
	assert_int_equal(one->unit, UNIT_CYCLES);
	/* A value that is not a finite number is not shown as a number. */
	assert_false(findings.list[2].has_value);
	finding_interval(one, NAN, 2);
	assert_false(one->has_interval);
	finding_interval(one, 1, INFINITY);
	assert_false(one->has_interval);
	findings_free(&findings);
	assert_int_equal(findings.count, 0);
	findings_free(&findings);
}

static void a_prediction_is_a_sum(void **state)
{
	struct prediction prediction = { .hardware = { 20, 40 },
		.software = { 100, 250 } };

	prediction_sum(&prediction);
	assert_true(prediction.set);
	assert_near(prediction.total.low, 120);
	assert_near(prediction.total.high, 290);
}

static void facts_take_over_a_clock(void **state)
{
	struct facts facts = { .core_hz = 4e9 };
	struct clock_facts clock = { .hz = 2e9,
		.core_hz = 2.5e9,
		.cycles_trusted = true,
		.overhead = 46 };

	facts_use_clock(&facts, &(struct clock_facts){ .hz = 0 });
	assert_near(facts.core_hz, 4e9);
	facts_use_clock(&facts, &clock);
	assert_near(facts.tick_hz, 2e9);
	assert_near(facts.core_hz, 2.5e9);
	assert_near(facts_cycles_ns(&facts, 10), 4);
	/* If the rulers disagree, the core's frequency is unknown: 3 GHz is
	 * assumed. */
	clock.cycles_trusted = false;
	facts_use_clock(&facts, &clock);
	assert_true(facts.core_hz == 0);
	assert_near(facts_cycles_ns(&facts, 3), 1);
}

/* ---- earlier results --------------------------------------------------- */

static const struct experiment provider = {
	PROVIDES({ QUANTITY_SYSTEM_CALL, "time", "call=getppid" },
		{ QUANTITY_SWITCH, "other", "call=times" },
		{ QUANTITY_FILE_READ, "time", NULL },
		{ QUANTITY_PROCEDURE_CALL, "speed", NULL })
};

static struct results *earlier(const char *value, uint64_t ticks,
	unsigned launches)
{
	struct results *results = new_results();

	results->descriptor = &provider;
	results->param_names = xcalloc(1, sizeof *results->param_names);
	results->param_names[0] = xstrdup("call");
	results->param_count = 1;
	timed_metric(results, "time");
	timed_metric(results, "other");
	struct point *point = results_add_point(results);
	point->values[0] = xstrdup(value);
	point->series[0].ops = point->series[1].ops = 1;
	for (unsigned i = 0; i < launches; i++) {
		new_launch(results)->jitter = 0;
		new_visit(results, 0, 0);
		new_trial(results, 0, 0, ticks + 40 + i, 0);
		new_trial(results, 0, 1, 2 * ticks + 40, 0);
	}
	return results;
}

static void the_latest_measurement_counts(void **state)
{
	struct results *list[] = { earlier("getppid", 100, 6),
		earlier("times", 500, 6), earlier("getppid", 200, 6),
		earlier("getppid", 300, 6) };
	struct facts facts = { .earlier = (const struct results *const *)list,
		.earlier_count = 4 };
	struct range range;

	list[3]->state = RUN_FAILED;
	assert_ptr_equal(
		facts_measured(&facts, QUANTITY_SYSTEM_CALL, NULL, &range),
		list[2]);
	assert_near(range.low, 200);
	assert_near(range.high, 205);
	assert_ptr_equal(facts_measured(&facts, QUANTITY_SWITCH, NULL, &range),
		list[1]);
	assert_near(range.low, 1000);
	/* Provided at all points: without a condition the first point is used,
	 * otherwise the one that matches. */
	assert_non_null(
		facts_measured(&facts, QUANTITY_FILE_READ, NULL, &range));
	assert_near(range.low, 200);
	assert_non_null(facts_measured(&facts, QUANTITY_FILE_READ, "call=times",
		&range));
	assert_near(range.low, 500);
	range = (struct range){ 1, 2 };
	assert_null(facts_measured(&facts, QUANTITY_COPY_RATE, NULL, &range));
	assert_null(
		facts_measured(&facts, QUANTITY_PROCEDURE_CALL, NULL, &range));
	assert_null(facts_measured(&facts, QUANTITY_FILE_READ, "call=getpid",
		&range));
	assert_null(facts_measured(&facts, QUANTITY_SYSTEM_CALL, "call=times",
		&range));
	assert_near(range.high, 2);
	list[2]->points[0].state = POINT_INVALID;
	assert_non_null(
		facts_measured(&facts, QUANTITY_SYSTEM_CALL, NULL, &range));
	assert_near(range.low, 100);
	for (size_t i = 0; i < 4; i++)
		results_free(list[i]);
}

/* Too few launches for an interval: the median alone. */
static void few_launches_give_a_median(void **state)
{
	struct results *one = earlier("getppid", 100, 3);
	const struct results *list[] = { one };
	struct facts facts = { .earlier = list, .earlier_count = 1 };
	struct range range;

	assert_non_null(
		facts_measured(&facts, QUANTITY_SYSTEM_CALL, NULL, &range));
	assert_near(range.low, 101);
	assert_near(range.high, 101);
	results_free(one);
}

/* A point whose value is below that of the first belongs to another line. */
static double from_the_first(const void *args, const void *first)
{
	double x = *(const double *)args;

	return x < *(const double *)first ? (double)NAN : x;
}

/* A line through medians 100 + 5 x. Points without x, of another line than the
 * first, or without arguments are left out. */
static void a_line_goes_through_medians(void **state)
{
	static const double x[] = { NAN, 1, 2, .5, 4 };
	static const uint64_t took[] = { 9000, 105, 110, 9000, 120, 9000 };
	struct results *results = new_results();
	struct slope line;

	timed_metric(results, "time");
	new_launch(results);
	for (size_t i = 0; i < 6; i++) {
		struct point *point = results_add_point(results);

		point->series[0].ops = 1;
		if (i < 5) {
			point->args = xcalloc(1, sizeof *x);
			memcpy(point->args, &x[i], sizeof *x);
		}
		new_visit(results, i, 0);
		for (int n = 0; n < 3; n++)
			new_trial(results, i, 0, 40 + took[i], 0);
	}
	assert_true(results_slope(results, 0, from_the_first, &line));
	assert_near(line.slope, 5);
	assert_near(line.intercept, 100);
	/* Two points are not enough for a line. */
	*(double *)results->points[4].args = NAN;
	assert_false(results_slope(results, 0, from_the_first, &line));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_have_values_and_intervals),
		cmocka_unit_test(a_prediction_is_a_sum),
		cmocka_unit_test(facts_take_over_a_clock),
		cmocka_unit_test(the_latest_measurement_counts),
		cmocka_unit_test(few_launches_give_a_median),
		cmocka_unit_test(a_line_goes_through_medians),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
