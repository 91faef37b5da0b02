/* Predictions compared with results: ratio, reason and score. */
#include "judgement.h"

#include <math.h>

#include "digest.h"
#include "unit/session/made_runs.h"

static struct machine bare, guest;

static struct prediction predicted(enum predictor by, double hardware_low,
	double hardware_high, double software_low, double software_high)
{
	struct prediction prediction = {
		.by = by,
		.hardware = { hardware_low, hardware_high },
		.software = { software_low, software_high },
		.why = "the words of the model",
	};

	prediction_sum(&prediction);
	return prediction;
}

static const struct experiment of_kernel = { .sensitive_to = SENSITIVE_KERNEL };

/* A run with a point for each value, measured in six launches. */
static struct results *measured(const char *experiment, const double *values,
	size_t count)
{
	struct results *run =
		made_run(experiment, UNIT_NS, LESS_IS_BETTER, METRIC_TIMED);

	for (size_t i = 0; i < count; i++) {
		char size[24];

		snprintf(size, sizeof size, "%zu", i + 1);
		made_sized(run, size);
	}
	for (size_t i = 0; i < count; i++) {
		double six[6];

		for (size_t k = 0; k < 6; k++)
			six[k] = values[i];
		made_launches(run, &run->points[i], six, 6, 600);
	}
	return run;
}

static void assert_reason(const struct results *run,
	const struct machine *machine, const char *part)
{
	struct text text = { 0 };

	say_reason(run, run->points, machine, &text);
	if (!strstr(text_chars(&text), part))
		fail_msg("'%s' is not in '%s'", part, text_chars(&text));
	text_free(&text);
}

/* For any rate of the clock, 200 ns are 400 cycles of this core. */
static void cycles_are_compared_with_cycles(void **state)
{
	static const double once[] = { 200, 200, 200, 200, 200, 200 };
	struct results *run =
		made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER, METRIC_TIMED);
	struct point *point = made_sized(run, "1");
	struct range range;
	struct digest digest;
	struct text text = { 0 };

	made_launches(run, point, once, 6, 300);
	point->model = predicted(BY_MODEL, 200, 400, 0, 0);
	point->model.in_cycles = true;
	for (int i = 0; i < 2; i++) {
		run->clock.core_hz = 1e9 * (1 + i);
		struct judgement judgement = judge(run, point);
		assert_int_equal(judgement.judged, JUDGED_WITHIN);
		assert_int_equal(judgement.unit, UNIT_CYCLES);
		assert_near(judgement.measured, 400);
		assert_near(judgement.ratio, sqrt(2));
	}
	say_prediction(run, point, &point->model, &text);
	assert_string_equal(text.chars, "the model predicted 200.0 cyc to "
		"400.0 cyc, measured 400.0 cyc: inside");
	text_free(&text);
	/* The prediction converted to an axis of times. */
	assert_true(digest_of(run, point, 0, &digest));
	assert_true(prediction_range(&point->model, &digest, &range));
	assert_near(range.low, 100);
	assert_near(range.high, 200);
	results_free(run);
}

/* Without cycles of the core, nothing can be compared. */
static void unknown_cycles_are_not_judged(void **state)
{
	static const double once[] = { 200, 200, 200, 200, 200, 200 };
	struct results *run =
		made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER, METRIC_TIMED);
	struct point *point = made_sized(run, "1");
	struct range range;
	struct digest digest;

	run->clock.cycles_trusted = false;
	made_launches(run, point, once, 6, 300);
	point->model = predicted(BY_MODEL, 200, 400, 0, 0);
	point->model.in_cycles = true;
	struct judgement judgement = judge(run, point);
	assert_int_equal(judgement.judged, JUDGED_NOT);
	assert_true(isnan(judgement.ratio));
	assert_int_equal(judgement.unit, UNIT_NS);
	assert_near(judgement.measured, 200);
	assert_reason(run, &bare, "the prediction is in cycles, which are unk");
	assert_true(digest_of(run, point, 0, &digest));
	assert_false(prediction_range(&point->model, &digest, &range));
	results_free(run);
}

static void the_ratio_is_to_the_geometric_middle(void **state)
{
	static const double values[] = { 200 };
	struct results *run = measured("cpu.syscall", values, 1);

	assert_null(judge(run, run->points).prediction);
	assert_true(isnan(judge(run, run->points).ratio));
	assert_near(judge(run, run->points).measured, 200);
	/* 50 .. 200: the middle is 100. */
	run->points[0].model = predicted(BY_MODEL, 20, 80, 30, 120);
	struct judgement judgement = judge(run, run->points);
	assert_near(judgement.ratio, 2);
	assert_int_equal(judgement.judged, JUDGED_WITHIN);
	/* A range that begins at 0 has no geometric mean. */
	run->points[0].model = predicted(BY_MODEL, 0, 100, 0, 0);
	judgement = judge(run, run->points);
	assert_near(judgement.ratio, 4);
	assert_int_equal(judgement.judged, JUDGED_ABOVE);
	run->points[0].model = predicted(BY_MODEL, 300, 400, 0, 0);
	assert_int_equal(judge(run, run->points).judged, JUDGED_BELOW);
	results_free(run);
}

static void the_users_counts_at_every_point(void **state)
{
	static const double values[] = { 100, 200 };
	struct results *run = measured("cpu.syscall", values, 2);

	run->points[0].model = predicted(BY_MODEL, 10, 10, 0, 0);
	run->points[1].model = predicted(BY_MODEL, 100, 100, 0, 0);
	run->prediction = run->points[0].model;
	assert_near(judge(run, &run->points[0]).ratio, 10);
	assert_near(judge(run, &run->points[1]).ratio, 2);
	run->prediction = predicted(BY_USER, 50, 50, 0, 0);
	assert_near(judge(run, &run->points[0]).ratio, 2);
	assert_near(judge(run, &run->points[1]).ratio, 4);
	for (size_t i = 0; i < 2; i++)
		assert_ptr_equal(judge(run, &run->points[i]).prediction,
			&run->prediction);
	run->prediction.post_hoc = true;
	assert_reason(run, &bare, "(predicted after the measurement)");
	results_free(run);
}

/* For a sweep the sentence states at how many points the prediction held, and
 * its worst point. */
static void the_users_of_a_sweep_is_counted_out(void **state)
{
	static const double values[] = { 10, 50, 60, 400 };
	struct results *run = measured("mem.latency", values, 4);
	struct text text = { 0 };

	run->points[0].model = predicted(BY_MODEL, 10, 10, 0, 0);
	say_points_predicted(run, &text);
	say_points_held(run, &text);
	assert_int_equal(text.length, 0);
	run->prediction = predicted(BY_USER, 30, 60, 10, 20);
	struct tally tally = judge_points(run);
	assert_int_equal(tally.within, 2);
	assert_int_equal(tally.below, 1);
	assert_int_equal(tally.above, 1);
	assert_int_equal(tally.unjudged, 0);
	assert_ptr_equal(tally.farthest, &run->points[3]);
	say_points_predicted(run, &text);
	assert_string_equal(text.chars,
		"you predicted 40.00 ns to 80.00 ns for each of the 4 points: "
		"2 inside, 1 below, 1 above; farthest: size=4, 5 times the "
		"upper bound");
	text_clear(&text);
	say_points_held(run, &text);
	assert_string_equal(text.chars,
		", 2 of 4 points inside your 40.00 ns to 80.00 ns");
	text_free(&text);
	results_free(run);
}

/* A prediction by the user has no formula, so the sentence must not end where
 * one would begin. */
static void one_by_hand_that_held_is_said_so(void **state)
{
	static const double values[] = { 100 };
	struct results *run = measured("cpu.syscall", values, 1);
	struct text text = { 0 };

	run->prediction = predicted(BY_USER, 50, 100, 20, 80);
	*run->prediction.why = '\0';
	say_reason(run, run->points, &bare, &text);
	assert_string_equal(text.chars, "as predicted, by you");
	run->prediction.post_hoc = true;
	text_clear(&text);
	say_reason(run, run->points, &bare, &text);
	assert_null(strstr(text.chars, ": "));
	text_free(&text);
	results_free(run);
}

static void reasons_name_the_term_and_what_is_known(void **state)
{
	static const double values[] = { 300 };
	struct results *run = measured("cpu.syscall", values, 1);

	run->descriptor = &of_kernel;
	assert_reason(run, &bare, "no prediction");
	run->points[0].model = predicted(BY_MODEL, 20, 400, 30, 120);
	assert_reason(run, &bare, "as predicted: the words of the model");
	/* 300 minus 20 of hardware is 280, twice the 140 of software. */
	run->points[0].model = predicted(BY_MODEL, 10, 20, 30, 140);
	assert_reason(run, &bare, "88 % above the upper bound");
	assert_reason(run, &bare, "the software term is off by a factor of 2");
	assert_reason(run, &bare, "no known cause");
	assert_reason(run, &guest, "page tables are isolated");
	assert_reason(run, &guest, "the machine is virtual (KVM)");
	guest.page_table_isolation = false;
	assert_reason(run, &guest, "mitigations are active");
	snprintf(guest.governor, sizeof guest.governor, "powersave");
	assert_reason(run, &guest, "the governor is powersave");
	/* 300 minus 100 of software is 200, four times the 50 of hardware. */
	run->points[0].model = predicted(BY_MODEL, 10, 150, 0, 50);
	assert_reason(run, &bare,
		"the hardware term is off by a factor of 1.7");
	run->points[0].model = predicted(BY_MODEL, 900, 950, 0, 0);
	assert_reason(run, &guest,
		"3 times less than the lower bound: the hardware term is "
		"off by a factor of 3; better than the terms assume");
	results_free(run);
}

/* Of 300 ns, 200 ns are above the bound: more than the software term has. */
static void a_small_software_term_blames_no_mitigation(void **state)
{
	static const double values[] = { 300 };
	struct results *run = measured("net.slowstart", values, 1);
	struct text text = { 0 };

	run->descriptor = &of_kernel;
	run->points[0].model = predicted(BY_MODEL, 10, 90, 0, 10);
	say_reason(run, run->points, &guest, &text);
	assert_non_null(strstr(text.chars, "virtual"));
	assert_null(strstr(text.chars, "isolated"));
	assert_null(strstr(text.chars, "mitigations"));
	text_free(&text);
	results_free(run);
}

/* No reason is stated for a miss that may be none. */
static void an_interval_that_reaches_the_bound_has_no_reason(void **state)
{
	static const double launches[] = { 100, 101, 104, 106, 108, 110 };
	struct results *run =
		made_run("cpu.syscall", UNIT_NS, LESS_IS_BETTER, METRIC_TIMED);
	struct point *point = made_sized(run, "1");
	struct text text = { 0 };

	made_launches(run, point, launches, 6, 600);
	run->descriptor = &of_kernel;
	point->model = predicted(BY_MODEL, 10, 20, 10, 82);
	say_reason(run, point, &guest, &text);
	assert_string_equal(text.chars,
		"2.9 % above the upper bound; its interval reaches "
		"the prediction");
	text_clear(&text);
	point->model = predicted(BY_MODEL, 10, 20, 10, 70);
	say_reason(run, point, &guest, &text);
	assert_non_null(strstr(text.chars, "virtual"));
	text_clear(&text);
	point->model = predicted(BY_MODEL, 106, 200, 0, 0);
	say_reason(run, point, &guest, &text);
	assert_string_equal(text.chars,
		"0.94 % below the lower bound; its interval reaches "
		"the prediction");
	text_free(&text);
	results_free(run);
}

static const struct metric metrics_of_sum[] = {
	{ .name = "time", .unit = UNIT_PERCENT, .kind = METRIC_VALUE },
	{ .name = "tick", .part = true },
	{ .name = "task", .part = true },
	{ .name = "watched" },
	{ .name = NULL },
};
static const struct experiment of_sum = {
	.sensitive_to = SENSITIVE_KERNEL,
	.metrics = metrics_of_sum,
};

/* 38 % are predicted to be at most 3 %. The larger part is the reason, not a
 * term of the model, nor the machine, nor a larger metric that is no part. */
static void a_sum_names_its_largest_part(void **state)
{
	static const double shares[] = { .38, .02, .36, .5 };
	struct results *run = made_run("cpu.noise", UNIT_PERCENT,
		LESS_IS_BETTER, METRIC_VALUE);
	double six[6];

	for (unsigned m = 1; m < 4; m++)
		results_add_metric(run, metrics_of_sum[m].name,
			m == 2 ? "lost to other tasks" : "something else",
			UNIT_PERCENT, LESS_IS_BETTER, METRIC_VALUE, false);
	struct point *point = made_sized(run, "1");
	for (size_t i = 0; i < 6; i++)
		six[i] = shares[0];
	made_launches(run, point, six, 6, 600);
	for (unsigned m = 1; m < 4; m++)
		for (size_t i = 0; i < 6; i++) {
			struct series *series = &point->series[m];

			*(double *)column_add(&series->raw) = shares[m];
			column_add(&series->flags);
			series->slices[i] = (struct slice){ i, 1 };
		}
	point->model = predicted(BY_MODEL, 0, .02, 0, .01);
	run->descriptor = &of_sum;
	struct text text = { 0 };
	say_reason(run, point, &guest, &text);
	assert_string_equal(text.chars,
		"13 times the upper bound: 36.0 % is lost to other "
		"tasks");
	text_free(&text);
	/* Parts are no reason for less than predicted. */
	point->model = predicted(BY_MODEL, .5, .6, 0, 0);
	assert_reason(run, &guest, "better than the terms assume");
	results_free(run);
}

static void what_stays_in_user_mode_blames_no_mitigation(void **state)
{
	static const double values[] = { 300 };
	struct results *run = measured("mem.latency", values, 1);
	struct text text = { 0 };

	run->points[0].model = predicted(BY_MODEL, 10, 20, 0, 0);
	say_reason(run, run->points, &guest, &text);
	assert_null(strstr(text.chars, "mitigations"));
	assert_null(strstr(text.chars, "isolated"));
	assert_non_null(strstr(text.chars, "virtual"));
	text_free(&text);
	results_free(run);
}

/* For a rate, less is worse. */
static void rates_are_worse_below(void **state)
{
	static const double values[] = { 100 };
	struct results *run = measured("mem.bandwidth", values, 1);

	run->metrics[0].better = MORE_IS_BETTER;
	run->points[0].model = predicted(BY_MODEL, 200, 300, 0, 0);
	assert_reason(run, &guest, "the machine is virtual");
	run->points[0].model = predicted(BY_MODEL, 20, 30, 0, 0);
	assert_reason(run, &guest, "better than the terms assume");
	results_free(run);
}

static void the_score_is_the_mean_of_factors(void **state)
{
	static const double one[] = { 200 }, three[] = { 10, 50, 400 };
	struct session *session = session_new();
	struct results *first = measured("cpu.syscall", one, 1);
	struct results *again = measured("cpu.syscall", one, 1);
	struct results *sweep = measured("cpu.loop", three, 3);
	size_t experiments;
	double score = 0;

	assert_false(session_score(session, &score, &experiments));
	session_add_run(session, first);
	assert_false(session_score(session, &score, &experiments));
	assert_int_equal(experiments, 0);
	/* Off by a factor of 100, then repeated: off by 2. */
	first->points[0].model = predicted(BY_MODEL, 2, 2, 0, 0);
	again->points[0].model = predicted(BY_MODEL, 400, 400, 0, 0);
	session_add_run(session, again);
	assert_true(session_score(session, &score, &experiments));
	assert_near(score, 2);
	/* Off by 10, 2 and 4: the median is 4. */
	for (size_t i = 0; i < 3; i++)
		sweep->points[i].model = predicted(BY_MODEL, 100, 100, 0, 0);
	session_add_run(session, sweep);
	assert_ptr_equal(judged_point(sweep), &sweep->points[2]);
	assert_true(session_score(session, &score, &experiments));
	assert_int_equal(experiments, 2);
	assert_near(score, sqrt(2 * 4));
	session_free(session);
}

static void the_score_lists_every_experiment(void **state)
{
	static const double one[] = { 200 }, three[] = { 10, 50, 400 };
	struct session *session = session_new();
	struct results *run = measured("cpu.syscall", one, 1);
	struct text text = { 0 };

	print_score(session, &text_layout_plain, &text);
	assert_string_equal(text.chars,
		"  no experiment has a prediction and a measurement yet\n");
	text_clear(&text);
	run->points[0].model = predicted(BY_MODEL, 50, 200, 0, 0);
	print_judgement(run, &bare, &text_layout_plain, &text);
	assert_string_equal(text.chars,
		"  ratio 2 to the middle of the prediction; as predicted: the "
		"words of the model\n");
	text_clear(&text);
	session_add_run(session, run);
	run = measured("cpu.loop", three, 3);
	print_judgement(run, &bare, &text_layout_plain, &text);
	assert_int_equal(text.length, 0);
	session_add_run(session, run);
	print_score(session, &text_layout_plain, &text);
	assert_string_equal(text.chars,
		"  experiment      predicted  by         measured  ratio\n"
		"  cpu.syscall  50 .. 200 ns  the model    200 ns      2\n"
		"               as predicted: the words of the model\n"
		"  cpu.loop                -                10 ns\n"
		"               size=1, the first of 3 points: measured; no "
		"prediction\n"
		"  off the middle of the range by a factor of 2\n");
	text_clear(&text);
	write_score(session, &text);
	assert_non_null(strstr(text.chars, "\"score\":2,"));
	assert_non_null(strstr(text.chars, "\"total\":[50,200]"));
	text_free(&text);
	session_free(session);
}

static int prepare(void **state)
{
	bare = guest = (struct machine){ .hostname = "host" };
	snprintf(guest.hypervisor, sizeof guest.hypervisor, "KVM");
	snprintf(guest.mitigations, sizeof guest.mitigations, "meltdown: PTI");
	guest.page_table_isolation = true;
	return 0;
}

#define judged(test) cmocka_unit_test_setup(test, prepare)

int main(void)
{
	const struct CMUnitTest tests[] = {
		judged(the_ratio_is_to_the_geometric_middle),
		judged(cycles_are_compared_with_cycles),
		judged(unknown_cycles_are_not_judged),
		judged(the_users_counts_at_every_point),
		judged(the_users_of_a_sweep_is_counted_out),
		judged(one_by_hand_that_held_is_said_so),
		judged(reasons_name_the_term_and_what_is_known),
		judged(a_small_software_term_blames_no_mitigation),
		judged(an_interval_that_reaches_the_bound_has_no_reason),
		judged(a_sum_names_its_largest_part),
		judged(what_stays_in_user_mode_blames_no_mitigation),
		judged(rates_are_worse_below),
		judged(the_score_is_the_mean_of_factors),
		judged(the_score_lists_every_experiment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
