/* Results: descriptions, look-ups, and conversion from ticks to values. */
#include "gather.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "digest.h"
#include "random.h"
#include "text.h"
#include "trials.h"

struct args {
	int64_t size;
	int call;
};

static const char *const calls[] = { "getppid", "times", NULL };

static const struct param params[] = {
	{ .name = "size",
		.label = "size",
		.help = "of it",
		.preset = "4K",
		WHOLE_FIELD(struct args, size) },
	{ .name = "call",
		.label = "call",
		.help = "which",
		.preset = "times",
		CHOICE_FIELD(struct args, call),
		.choices = calls },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time of it", .unit = UNIT_NS },
	{ .name = "rate",
		.label = "how many",
		.unit = UNIT_COUNT,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

static const struct experiment experiment = {
	.name = "group.name",
	.title = "A title",
	.params = params,
	.metrics = metrics,
	.traits = TRAIT_COLD | TRAIT_FAULTS,
};

static void add_point(struct results *results, const char *size,
	const char *call)
{
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup(size);
	point->values[1] = xstrdup(call);
}

static struct results *described(void)
{
	struct results *results = new_results();

	results_describe(results, &experiment);
	add_point(results, "4K", "getppid");
	add_point(results, "8K", "getppid");
	return results;
}

static void an_experiment_is_described(void **state)
{
	struct results *results = described();

	assert_string_equal(results->experiment, "group.name");
	assert_string_equal(results->title, "A title");
	assert_int_equal(results->plan.traits, TRAIT_COLD | TRAIT_FAULTS);
	assert_int_equal(results->metric_count, 2);
	assert_int_equal(results->metrics[1].better, MORE_IS_BETTER);
	assert_int_equal(results->metrics[1].kind, METRIC_VALUE);
	assert_int_equal(results_metric(results, "rate"), 1);
	assert_int_equal(results_metric(results, "Rate"), -1);
	assert_int_equal(results_param(results, "call"), 1);
	assert_int_equal(results_param(results, ""), -1);
	assert_int_equal(results->place.cpu, -1);
	results_free(results);
	results_free(NULL);
}

static void points_are_found_and_named(void **state)
{
	struct results *results = described();
	struct text text = { 0 };

	const struct point *second = &results->points[1];
	assert_string_equal(point_value(results, second, "size"), "8K");
	assert_null(point_value(results, second, "sise"));
	assert_ptr_equal(results_where(results, NULL), &results->points[0]);
	assert_ptr_equal(results_where(results, ""), &results->points[0]);
	assert_ptr_equal(results_where(results, "size=8K"), second);
	assert_ptr_equal(results_where(results, "call=getppid size=8K"),
		second);
	assert_null(results_where(results, "call=times size=8K"));
	assert_null(results_where(results, "size=16K"));
	assert_null(results_where(results, "colour=red"));
	assert_null(results_where(results, "8K"));
	point_describe(results, second, false, &text);
	assert_string_equal(text_chars(&text), "size=8K call=getppid");
	text_clear(&text);
	point_describe(results, second, true, &text);
	assert_string_equal(text_chars(&text), "size=8K");
	text_free(&text);
	results_free(results);
}

static void notes_and_warnings_are_kept(void **state)
{
	struct results *results = described();
	struct point *point = &results->points[0];
	unsigned version = results->version;

	point_add_note(point, "pages", "huge");
	point_add_note(point, "sibling", "idle");
	point_add_note(point, "pages", "small");
	assert_int_equal(point->note_count, 2);
	assert_string_equal(point_note(point, "pages"), "small");
	assert_null(point_note(point, "page"));
	results_warn(results, "%d neighbours", 3);
	assert_int_equal(results->warning_count, 1);
	assert_string_equal(results->warnings[0], "3 neighbours");
	assert_true(results->version > version);
	results_free(results);
}

/* ---- a trial ---------------------------------------------------------- */

static bool trial(const struct results *results, unsigned metric, size_t i,
	enum scale scale, double *value)
{
	unsigned flags;

	return results_trial(results, &results->points[0], metric, 0, i, scale,
		value, &flags);
}

static void a_trial_is_net_and_per_operation(void **state)
{
	struct results *results = described();
	double value;

	results->clock.hz = 2e9;
	new_launch(results)->overhead = 46;
	new_visit(results, 0, 0);
	results->points[0].series[0].ops = 50;
	new_trial(results, 0, 0, 10046, 0);
	new_trial(results, 0, 0, 40, 0);
	/* The clock stepped back: the ticks are negative. */
	new_trial(results, 0, 0, (uint64_t)-54, FLAG_BACKWARDS);
	new_value(results, 0, 1, 3.5);
	assert_true(trial(results, 0, 0, SCALE_UNIT, &value));
	assert_near(value, 100);
	/* Less than an empty pair of readings: the negative value is kept. */
	assert_true(trial(results, 0, 1, SCALE_UNIT, &value));
	assert_near(value, -.06);
	assert_true(trial(results, 0, 2, SCALE_UNIT, &value));
	assert_near(value, -1);
	assert_false(trial(results, 0, 3, SCALE_UNIT, &value));
	assert_true(trial(results, 1, 0, SCALE_UNIT, &value));
	assert_near(value, 3.5);
	assert_false(trial(results, 1, 1, SCALE_UNIT, &value));
	/* A value that was not timed has no cycles. */
	assert_false(trial(results, 1, 0, SCALE_CYCLES, &value));
	results_free(results);
}

/* Cycles come from the canaries on both sides of a trial, whatever the
 * core's frequency was at the time. */
static void cycles_come_from_the_canaries(void **state)
{
	struct results *results = described();
	double value;

	new_launch(results);
	new_visit(results, 0, 0)->canary_every = 2;
	results->points[0].series[0].ops = 10;
	for (int i = 0; i < 5; i++)
		new_trial(results, 0, 0, 1040, 0);
	new_canary(results, 0, 340); /* 600 cycles in 300 ticks */
	new_canary(results, 0, 340);
	new_canary(results, 0, 640); /* in 600: half the frequency */
	assert_true(trial(results, 0, 0, SCALE_CYCLES, &value));
	assert_near(value, 200);
	assert_true(trial(results, 0, 1, SCALE_CYCLES, &value));
	assert_near(value, 200);
	assert_true(trial(results, 0, 2, SCALE_CYCLES, &value));
	assert_near(value, 100 * 600 / 450.);
	/* After the last canary, only the one before is used. */
	assert_true(trial(results, 0, 4, SCALE_CYCLES, &value));
	assert_near(value, 100);
	results->clock.cycles_trusted = false;
	assert_true(trial(results, 0, 0, SCALE_CYCLES, &value));
	assert_true(isnan(value));
	results_free(results);
}

/* Every flag is an interruption or a condition. */
static void only_interruptions_exclude(void **state)
{
	assert_int_equal(FLAGS_EXCLUDED, FLAGS_INTERRUPTED | FLAG_WARMUP);
	assert_int_equal(FLAGS_EXCLUDED & FLAGS_CONDITIONS, 0);
	assert_int_equal(FLAGS_EXCLUDED | FLAGS_CONDITIONS,
		(1u << FLAG_COUNT) - 1);
	for (unsigned bit = 0; bit < FLAG_COUNT; bit++)
		assert_string_not_equal(sample_flag_name(
						(enum sample_flag)(1u << bit)),
			"unknown");
}

/* ---- derived metrics -------------------------------------------------- */

static void derived_metrics_are_weighted_sums(void **state)
{
	struct results *results = new_results();
	unsigned flags;
	double value;

	timed_metric(results, "user");
	timed_metric(results, "system");
	results_add_metric(results, "both", "both", UNIT_NS, LESS_IS_BETTER,
		METRIC_DERIVED, false);
	results_add_metric(results, "rate", "rate", UNIT_COUNT, MORE_IS_BETTER,
		METRIC_DERIVED, true);
	struct point *point = results_add_point(results);
	point->series[0].ops = 1;
	point->series[1].ops = 2;
	point->series[2].derived = point->series[3].derived = true;
	point->series[2].weight[0] = 1;
	point->series[2].weight[1] = -.5;
	point->series[3].weight[1] = 1;
	new_launch(results);
	new_visit(results, 0, 0);
	new_trial(results, 0, 0, 140, FLAG_FAULTED);
	new_trial(results, 0, 1, 240, FLAG_MIGRATED);
	assert_true(results_trial(results, point, 2, 0, 0, SCALE_UNIT, &value,
		&flags));
	/* 100 - 200 / 2 / 2, with the flags of all its parts. */
	assert_near(value, 50);
	assert_int_equal(flags, FLAG_FAULTED | FLAG_MIGRATED);
	assert_true(results_trial(results, point, 3, 0, 0, SCALE_UNIT, &value,
		&flags));
	assert_near(value, 1e7);
	assert_int_equal(flags, FLAG_MIGRATED);
	/* A trial with a missing part, and a metric without parts. */
	new_trial(results, 0, 0, 140, 0);
	assert_false(results_trial(results, point, 2, 0, 1, SCALE_UNIT, &value,
		&flags));
	point->series[3].weight[1] = 0;
	assert_false(results_trial(results, point, 3, 0, 0, SCALE_UNIT, &value,
		&flags));
	results_free(results);
}

/* Two timed metrics, two derived from them, and a value. The second has one
 * trial less than the first. */
static struct results *mixed(size_t trials)
{
	struct results *results = new_results();
	uint64_t random = 3;

	timed_metric(results, "user");
	timed_metric(results, "system");
	results_add_metric(results, "both", "both", UNIT_NS, LESS_IS_BETTER,
		METRIC_DERIVED, false);
	results_add_metric(results, "rate", "rate", UNIT_COUNT, MORE_IS_BETTER,
		METRIC_DERIVED, true);
	results_add_metric(results, "value", "value", UNIT_COUNT,
		MORE_IS_BETTER, METRIC_VALUE, false);
	struct point *point = results_add_point(results);
	point->series[0].ops = 3;
	point->series[1].ops = 7;
	point->series[2].derived = point->series[3].derived = true;
	point->series[2].weight[0] = 1;
	point->series[2].weight[1] = -.5;
	point->series[3].weight[1] = 1;
	new_launch(results)->overhead = 41.3;
	new_visit(results, 0, 0)->canary_every = 5;
	point->visits[0].usual = 310;
	for (size_t i = 0; i < trials; i++) {
		if (i % 5 == 0)
			new_canary(results, 0,
				(uint32_t)(340 + random_below(&random, 9)));
		for (unsigned m = 0; m + i / (trials - 1) < 2; m++)
			new_trial(results, 0, m,
				1000 + random_below(&random, 500),
				(unsigned)random_below(&random,
					1 << FLAG_COUNT));
		new_value(results, 0, 4, (double)random_below(&random, 99));
	}
	return results;
}

static void check_reading(const struct results *results, unsigned metric,
	enum scale scale)
{
	const struct point *point = &results->points[0];
	size_t next = 0, step = trial_step(results);
	struct reading reading;
	unsigned flags;
	double value;

	reading.next = 0;
	while (results_read(results, point, metric, 0, scale, &reading)) {
		assert_int_equal(reading.first, next);
		for (size_t i = 0; i < reading.count; i++, next += step) {
			assert_true(results_trial(results, point, metric, 0,
				next, scale, &value, &flags));
			assert_true(reading.values[i] == value);
			assert_int_equal(reading.flags[i], flags);
		}
	}
	assert_false(results_trial(results, point, metric, 0, next, scale,
		&value, &flags));
}

static void many_are_read_as_one_by_one(void **state)
{
	struct results *results = mixed(2 * READ_AT_ONCE + 30);

	for (unsigned metric = 0; metric < results->metric_count; metric++)
		for (results->each = 0; results->each < 8; results->each += 7) {
			check_reading(results, metric, SCALE_UNIT);
			check_reading(results, metric, SCALE_CYCLES);
		}
	results_free(results);
}

/* ---- launches and layouts --------------------------------------------- */

static void launches_have_medians_and_times(void **state)
{
	struct results *results = described();
	double *medians, *at_s;
	struct digest digest;

	results->points[0].series[0].ops = 1;
	for (unsigned launch = 0; launch < 4; launch++) {
		new_launch(results)->at_s = launch + .5;
		for (unsigned clone = 0; clone < 3; clone++) {
			new_visit(results, 0, clone);
			for (unsigned i = 0; i < 3; i++)
				new_trial(results, 0, 0,
					140 + 10 * clone + 100 * launch + i,
					launch == 2 ? FLAG_PREEMPTED : 0);
		}
	}
	size_t count = results_launch_medians(results, &results->points[0], 0,
		SCALE_UNIT, &medians, &at_s);
	/* The third launch has no trial that counts, and is left out. */
	assert_int_equal(count, 3);
	assert_near(medians[0], 111);
	assert_near(medians[1], 211);
	assert_near(medians[2], 411);
	assert_near(at_s[0], .5);
	assert_near(at_s[2], 3.5);
	free(medians);
	free(at_s);
	/* The best layout, over its launches. */
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	assert_near(digest.floor, 201);
	assert_near(results_launch_floor(results, &results->points[0], 0, 1,
			    SCALE_UNIT),
		201);
	assert_true(isnan(results_launch_floor(results, &results->points[0], 0,
		2, SCALE_UNIT)));
	assert_false(digest_of(results, &results->points[1], 0, &digest));
	results_free(results);
}

/* Two clones in one launch, one in a later one; the second point in no
 * launch. */
static void launches_that_drew_a_point_are_counted(void **state)
{
	struct results *results = described();

	new_launch(results);
	new_visit(results, 0, 0);
	new_visit(results, 0, 1);
	new_launch(results);
	new_launch(results);
	new_visit(results, 0, 0);
	assert_int_equal(point_draws(&results->points[0]), 2);
	assert_int_equal(point_draws(&results->points[1]), 0);
	results_free(results);
}

/* A child that writes a session reads every column. A column that was left out
 * would be somebody else's memory, or none. */
static void a_child_reads_every_column(void **state)
{
	struct results *results = described();
	struct point *point = &results->points[0];
	struct column *columns[] = { &point->canary, &point->ruler,
		&point->series[0].raw, &point->series[0].flags,
		&point->series[0].trace };
	enum { COLUMNS = sizeof columns / sizeof *columns };
	int status;

	for (int i = 0; i < COLUMNS; i++)
		memset(column_add(columns[i]), 'a' + i,
			columns[i]->element_bytes);
	results_inherit(results, true);
	pid_t pid = fork();
	if (!pid) {
		for (int i = 0; i < COLUMNS; i++)
			if (*(const char *)columns[i]->data != 'a' + i)
				_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_experiment_is_described),
		cmocka_unit_test(points_are_found_and_named),
		cmocka_unit_test(notes_and_warnings_are_kept),
		cmocka_unit_test(a_trial_is_net_and_per_operation),
		cmocka_unit_test(cycles_come_from_the_canaries),
		cmocka_unit_test(only_interruptions_exclude),
		cmocka_unit_test(derived_metrics_are_weighted_sums),
		cmocka_unit_test(many_are_read_as_one_by_one),
		cmocka_unit_test(launches_have_medians_and_times),
		cmocka_unit_test(launches_that_drew_a_point_are_counted),
		cmocka_unit_test(a_child_reads_every_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
