/* R8: from trials to figures, without losing a trial. */
#include "digest.h"
#include "random.h"
#include "trials.h"

static void figures_by_hand(void **state)
{
	struct results *results = by_hand();
	struct digest digest = digested(results, 0);
	const struct summary *clean = &digest.summary;

	assert_int_equal(digest.trials, 24);
	assert_int_equal(digest.ops, 1);
	assert_int_equal(clean->trials, 24);
	assert_int_equal(clean->launches, 6);
	/* Medians 25 .. 30. */
	assert_near(clean->median, 27.5);
	assert_near(digest.median_all, 27.5);
	assert_near(clean->mean, 27.5);
	assert_near(clean->min, 10);
	assert_near(clean->max, 45);
	/* Within launches: the variance of 10 20 30 40 is 500 / 3. Between
	 * launches: that of 0 .. 5 is 17.5 / 5. */
	assert_near(clean->sd_within, sqrt(500 / 3.));
	assert_near(clean->sd_between, sqrt(3.5));
	assert_near(clean->max_deviation, 2.5);
	/* Six launches: from the smallest to the largest median, plus a quarter
	 * of the overhead's jitter on both sides. */
	assert_true(clean->has_interval);
	assert_near(clean->interval.low, 25 - 2);
	assert_near(clean->interval.high, 30 + 2);
	assert_near(clean->interval.coverage, 1 - 2. / 64);
	/* Three jitters. */
	assert_near(digest.resolution, 24);
	assert_false(digest.below_resolution);
	assert_true(digest.shared == 0);
	assert_true(digest.excluded == 0);
	assert_int_equal(digest.regime, REGIME_POOLED);
	/* A half-width of 4.5 is the resolution of the clock. */
	assert_int_equal(digest.quality, QUALITY_GOOD);
	assert_true(isnan(digest.layout));
	assert_near(results_quantum(results, &results->points[0], 0), 2);
	results_free(results);
}

static void operations_divide_everything(void **state)
{
	struct results *results = by_hand();

	results->points[0].series[0].ops = 10;
	struct digest digest = digested(results, 0);
	assert_near(digest.summary.median, 2.75);
	assert_near(digest.summary.interval.low, 2.3);
	assert_near(digest.resolution, 2.4);
	assert_near(results_quantum(results, &results->points[0], 0), .2);
	results_free(results);
}

/* With a coarse clock many readings are equal, and the median moves with their
 * shares. */
static void readings_stand_for_a_step(void **state)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 4; i++)
			new_trial(results, 0, 0, i < 3 ? 140 : 142, 0);
	}
	/* Three quarters are in 99 .. 101, so the median is at two thirds of
	 * this range. */
	assert_near(digested(results, 0).summary.median, 99 + 2 * 2 / 3.);
	results_free(results);
}

/* ---- gross, overhead, net --------------------------------------------- */

static void what_is_below_nothing_is_kept(void **state)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 5; i++)
			new_trial(results, 0, 0, 36 + 2 * i, 0);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.summary.median, 0);
	assert_near(digest.summary.min, -4);
	assert_near(digest.summary.mean, 0);
	assert_true(digest.summary.interval.low < 0);
	assert_true(digest.summary.interval.high > 0);
	assert_true(digest.below_resolution);
	results_free(results);
}

/* Each launch has its own overhead: gross differs, net does not. */
static void each_launch_subtracts_its_own_overhead(void **state)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results)->overhead = 40 + 3 * launch;
		new_visit(results, 0, 0);
		new_trial(results, 0, 0, 140 + 3 * launch, 0);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.summary.min, 100);
	assert_near(digest.summary.max, 100);
	assert_true(digest.summary.sd_between == 0);
	results_free(results);
}

/* ---- cycles ----------------------------------------------------------- */

/* The core halves its frequency in every third launch: the median is the time
 * at the usual frequency, and the cycles do not change. */
static void cycles_outlive_a_moved_frequency(void **state)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 12; launch++) {
		bool slow = launch % 3 == 1;

		new_launch(results);
		new_visit(results, 0, 0)->canary_every = 1;
		new_canary(results, 0, slow ? 640 : 340);
		for (unsigned i = 0; i < 10; i++) {
			new_trial(results, 0, 0, slow ? 240 : 140,
				slow ? FLAG_FREQUENCY : 0);
			new_canary(results, 0, slow ? 640 : 340);
		}
	}
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.summary.trials, 120);
	assert_near(digest.frequency, 1 / 3.);
	assert_near(digest.excluded, 0);
	assert_near(digest.summary.median, 100);
	assert_near(digest.summary.max, 200);
	assert_true(digest.has_cycles);
	assert_int_equal(digest.cycles.trials, 120);
	assert_near(digest.cycles.min, 200);
	assert_near(digest.cycles.max, 200);
	/* A jitter of 8 ticks, a quarter on each side, two cycles per tick. */
	assert_near(digest.cycles.interval.low, 196);
	assert_near(digest.cycles.interval.high, 204);
	results->clock.cycles_trusted = false;
	assert_false(digested(results, 0).has_cycles);
	results_free(results);
}

/* ---- layouts ---------------------------------------------------------- */

/* R13: three cycles in the best layout and five in the worst are both shown. */
static void layouts_show_their_spread(void **state)
{
	struct results *results = one_metric(1);

	for (unsigned launch = 0; launch < 10; launch++) {
		new_launch(results);
		for (unsigned clone = 0; clone < 16; clone++) {
			new_visit(results, 0, clone);
			for (unsigned i = 0; i < 10; i++)
				new_trial(results, 0, 0,
					40 + (clone % 4 ? 300 : 520), 0);
		}
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.floor, 300);
	assert_near(digest.layout, (520 - 300) / 300.);
	assert_near(digest.summary.median, 300);
	results_free(results);
}

/* ---- other kinds ------------------------------------------------------ */

static void a_rate_is_the_reciprocal(void **state)
{
	struct results *results = new_results();

	timed_metric(results, "time");
	results_add_metric(results, "rate", "rate", UNIT_COUNT, MORE_IS_BETTER,
		METRIC_DERIVED, true);
	struct point *point = results_add_point(results);
	point->series[0].ops = 1;
	point->series[1].derived = true;
	point->series[1].weight[0] = 1;
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		new_trial(results, 0, 0, 140, 0);
	}
	struct digest digest = digested(results, 1);
	assert_near(digest.summary.median, 1e7);
	/* 100 ns, plus or minus two. */
	assert_near(digest.summary.interval.low, 1e9 / 102);
	assert_near(digest.summary.interval.high, 1e9 / 98);
	assert_false(digest.has_cycles);
	assert_true(results_quantum(results, point, 1) == 0);
	results_free(results);
}

static void values_are_taken_as_they_are(void **state)
{
	struct results *results = new_results();

	results_add_metric(results, "share", "share", UNIT_PERCENT,
		LESS_IS_BETTER, METRIC_VALUE, false);
	results_add_point(results);
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		new_value(results, 0, 0, -.5 + launch);
	}
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.trials, 6);
	assert_near(digest.summary.median, 2);
	/* They do not depend on the clock. */
	assert_near(digest.summary.interval.low, -.5);
	assert_near(digest.summary.interval.high, 4.5);
	assert_true(digest.resolution == 0);
	assert_false(digest.has_cycles);
	results_free(results);
}

static void nothing_has_no_digest(void **state)
{
	struct results *results = one_metric(1);
	struct digest digest;
	double median;

	const struct point *point = &results->points[0];
	assert_false(digest_of(results, point, 0, &digest));
	assert_int_equal(digest.trials, 0);
	assert_false(results_median(results, point, 0, &median));
	assert_false(results_median(results, NULL, 0, &median));
	/* All excluded: counted, but without a headline. */
	new_launch(results);
	new_visit(results, 0, 0);
	new_trial(results, 0, 0, 140, FLAG_PREEMPTED);
	digest = digested(results, 0);
	assert_int_equal(digest.trials, 1);
	assert_int_equal(digest.summary.trials, 0);
	assert_true(isnan(digest.summary.median));
	assert_near(digest.median_all, 100);
	assert_near(digest.excluded, 1);
	assert_int_equal(digest.quality, QUALITY_NOT_ENOUGH);
	assert_false(results_median(results, point, 0, &median));
	results->points[0].state = POINT_INVALID;
	results_free(results);
}

/* A figure of enough data that the clock resolves. */
static void only_sure_figures_are_compared(void **state)
{
	static const struct {
		uint64_t ns, more; /* of the first launch, of each next one */
		unsigned launches;
		bool comparable;
	} cases[] = {
		{ 1000, 1, 6, true },
		{ 1000, 100, 6, false }, /* +-20 % */
		{ 1000, 1, 1, false },   /* without an interval */
		{ 10, 0, 6, false },     /* below the resolution */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = one_metric(1);
		double median;

		for (unsigned l = 0; l < cases[i].launches; l++) {
			new_launch(results);
			new_visit(results, 0, 0);
			for (int k = 0; k < 4; k++)
				new_trial(results, 0, 0,
					40 + cases[i].ns + l * cases[i].more,
					0);
		}
		assert_true(results_median(results, &results->points[0], 0,
			&median));
		assert_int_equal(results_comparable(results,
					 &results->points[0], 0, &median),
			cases[i].comparable);
		results_free(results);
	}
}

/* R11: the same trials added at once and added one by one. */
static void growing_results_end_the_same(void **state)
{
	struct results *growing = one_metric(7), *whole = one_metric(7);
	uint64_t one = 8, other = 8;
	struct digest now, last = { 0 };

	for (unsigned launch = 0; launch < 9; launch++) {
		new_launch(growing);
		new_visit(growing, 0, launch % 2);
		for (unsigned i = 0; i < 50; i++) {
			uint64_t ticks = random_below(&one, 1000);

			new_trial(growing, 0, 0, ticks,
				random_below(&one, 8) ? 0 : FLAG_FAULTED);
			now = digested(growing, 0);
			assert_true(now.trials == last.trials + 1);
			last = now;
		}
	}
	for (unsigned launch = 0; launch < 9; launch++) {
		new_launch(whole);
		new_visit(whole, 0, launch % 2);
		for (unsigned i = 0; i < 50; i++) {
			uint64_t ticks = random_below(&other, 1000);

			new_trial(whole, 0, 0, ticks,
				random_below(&other, 8) ? 0 : FLAG_FAULTED);
		}
	}
	struct digest batch = digested(whole, 0);
	assert_true(batch.summary.median == last.summary.median);
	assert_within(batch.summary.mean, last.summary.mean, 1e-12);
	assert_within(batch.summary.sd_within, last.summary.sd_within, 1e-12);
	assert_within(batch.summary.sd_between, last.summary.sd_between, 1e-12);
	assert_true(batch.summary.interval.low == last.summary.interval.low);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		assert_true(
			batch.summary.quantile[i] == last.summary.quantile[i] ||
			isnan(batch.summary.quantile[i]));
	results_free(growing);
	results_free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_by_hand),
		cmocka_unit_test(operations_divide_everything),
		cmocka_unit_test(readings_stand_for_a_step),
		cmocka_unit_test(what_is_below_nothing_is_kept),
		cmocka_unit_test(each_launch_subtracts_its_own_overhead),
		cmocka_unit_test(cycles_outlive_a_moved_frequency),
		cmocka_unit_test(layouts_show_their_spread),
		cmocka_unit_test(a_rate_is_the_reciprocal),
		cmocka_unit_test(values_are_taken_as_they_are),
		cmocka_unit_test(nothing_has_no_digest),
		cmocka_unit_test(only_sure_figures_are_compared),
		cmocka_unit_test(growing_results_end_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
