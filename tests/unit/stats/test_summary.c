/* Nested samples: launches of trials, some in groups of clones. */
#include "summary.h"

#include "check.h"
#include "moments.h"
#include "vectors.h"

enum { LAUNCHES = 4, TRIALS = 5 };

static const double nested[LAUNCHES][TRIALS] = {
	{ 10.1, 10.3, 10.2, 10.4, 10.0 },
	{ 11.0, 11.2, 10.9, 11.1, 10.8 },
	{ 10.2, 10.1, 10.4, 10.3, 10.5 },
	{ 12.0, 11.8, 12.1, 11.9, 12.2 },
};

static void fill_nested(struct group groups[LAUNCHES])
{
	for (unsigned i = 0; i < LAUNCHES; i++)
		groups[i] = (struct group){ i, nested[i], TRIALS, 0 };
}

static void launches_of_trials(void **state)
{
	struct group groups[LAUNCHES];
	struct summary summary;

	fill_nested(groups);
	assert_true(summary_of(groups, LAUNCHES, &summary));
	assert_int_equal(summary.trials, 20);
	assert_int_equal(summary.launches, 4);
	assert_false(summary.has_interval);
	assert_near(summary.median, 10.65);
	assert_near(summary.mean, 10.875);
	assert_near(summary.min, 10);
	assert_near(summary.max, 12.2);
	assert_near(summary.sd_within, .158113883);
	assert_near(summary.sd_between, .830160627);
	assert_near(summary.icc, .9647473561);
	assert_near(summary.max_deviation, 1.125);
	assert_near(summary.max - summary.mean, 1.325);
}

/* Treating the same trials as independent would give a much too narrow
 * interval. */
static void launches_are_not_pooled(void **state)
{
	struct group groups[LAUNCHES];
	struct summary summary;
	struct moments pooled = { 0 };

	fill_nested(groups);
	assert_true(summary_of(groups, LAUNCHES, &summary));
	for (size_t i = 0; i < LAUNCHES; i++)
		for (size_t j = 0; j < TRIALS; j++)
			moments_add(&pooled, nested[i][j]);
	assert_near(moments_sd(&pooled), .7517523388);
	/* The standard error of launches against that of twenty trials. */
	assert_true(summary.sd_between / sqrt(LAUNCHES) >
		2 * moments_sd(&pooled) / sqrt(20));
}

static void nothing_has_no_summary(void **state)
{
	struct group empty[] = { { 0, NULL, 0, 0 }, { 1, NULL, 0, 0 } };
	struct summary summary;
	double medians[2];

	assert_false(summary_of(NULL, 0, &summary));
	assert_int_equal(summary.trials, 0);
	assert_false(summary_of(empty, 2, &summary));
	assert_int_equal(summary.launches, 0);
	assert_int_equal(launch_medians(empty, 2, medians), 0);
}

static void one_trial_is_its_own_summary(void **state)
{
	static const double value[] = { 7 };
	struct group group = { 3, value, 1, 0 };
	struct summary summary;

	assert_true(summary_of(&group, 1, &summary));
	assert_int_equal(summary.launches, 1);
	assert_near(summary.median, 7);
	assert_near(summary.mean, 7);
	assert_near(summary.sd_within, 0);
	assert_near(summary.sd_between, 0);
	assert_near(summary.max_deviation, 0);
	assert_near(summary.icc, 0);
	assert_false(summary.has_interval);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		assert_true(isnan(summary.quantile[i]));
}

static void launches_of_one_trial(void **state)
{
	struct group groups[6];
	struct summary summary;
	static const double values[] = { 3, 1, 2, 6, 5, 4 };

	for (unsigned i = 0; i < 6; i++)
		groups[i] = (struct group){ i, values + i, 1, 0 };
	assert_true(summary_of(groups, 6, &summary));
	assert_near(summary.sd_within, 0);
	assert_near(summary.icc, 1);
	assert_true(summary.has_interval);
	assert_near(summary.interval.low, 1);
	assert_near(summary.interval.high, 6);
	assert_near(summary.interval.coverage, .96875);
}

/* A launch with one trial does not contribute to the spread within launches. */
static void single_trials_do_not_dilute_the_spread(void **state)
{
	struct group groups[] = {
		{ 0, nested[0], TRIALS, 0 },
		{ 1, nested[1], 1, 0 },
		{ 2, nested[2], TRIALS, 0 },
	};
	struct summary summary;

	assert_true(summary_of(groups, 3, &summary));
	assert_near(summary.sd_within, .158113883);
}

static void equal_trials_have_no_spread(void **state)
{
	static const double values[] = { .1, .1, .1, .1, .1, .1, .1 };
	struct group groups[7];
	struct summary summary;

	for (unsigned i = 0; i < 7; i++)
		groups[i] = (struct group){ i, values, 7, 0 };
	assert_true(summary_of(groups, 7, &summary));
	assert_near(summary.sd_within, 0);
	assert_near(summary.sd_between, 0);
	assert_near(summary.icc, 0);
	assert_near(summary.max_deviation, 0);
	assert_near(summary.interval.low, .1);
	assert_near(summary.interval.high, .1);
}

/* A clone with many trials has no more weight than the others. */
static void every_clone_counts_once(void **state)
{
	static const double slow[] = { 9, 9, 9, 9, 9, 9, 9 };
	static const double fast[] = { 3, 3, 3 }, faster[] = { 2 };
	struct group groups[] = {
		{ 1, slow, 7, 0 },
		{ 1, fast, 3, 0 },
		{ 1, faster, 1, 0 },
		{ 2, NULL, 0, 0 },
		{ 5, NULL, 0, 0 },
		{ 5, slow, 7, 0 },
	};
	struct summary summary;
	double medians[6];

	assert_int_equal(launch_medians(groups, 6, medians), 2);
	assert_near(medians[0], 5.75 / 1.5);
	assert_near(medians[1], 9);
	assert_true(summary_of(groups, 6, &summary));
	assert_int_equal(summary.launches, 2);
	assert_int_equal(summary.trials, 18);
	assert_near(summary.median, (5.75 / 1.5 + 9) / 2);
	assert_near(summary.sd_between, (9 - 74. / 11) / sqrt(2));
	assert_near(summary.max_deviation, (9 - 74. / 11) / 2);
}

static void quantiles_need_ten_trials_beyond(void **state)
{
	double values[1000];
	struct group groups[10];
	struct summary summary;

	for (size_t i = 0; i < 1000; i++)
		values[i] = (double)(i * 7 % 1000);
	for (size_t i = 0; i < 10; i++)
		groups[i] =
			(struct group){ (unsigned)i, values + i * 100, 100, 0 };
	assert_true(summary_of(groups, 10, &summary));
	for (size_t i = 0; i + 1 < SUMMARY_QUANTILES; i++)
		assert_near(summary.quantile[i], 999 * summary_quantile[i]);
	assert_true(isnan(summary.quantile[SUMMARY_QUANTILES - 1]));
	assert_true(summary_of(groups, 1, &summary));
	assert_true(isnan(summary.quantile[0]));
	assert_false(isnan(summary.quantile[3]));
}

/* Six launches are the minimum for an interval, which is then their whole
 * range. */
static void half_an_interval_over_the_median(void **state)
{
	static const double medians[] = { 98, 99, 100, 100, 102, 103 };
	struct group groups[6];
	struct summary summary;

	for (unsigned i = 0; i < 6; i++)
		groups[i] = (struct group){ i, &medians[i], 1, 0 };
	assert_true(summary_of(groups, 6, &summary));
	assert_near(summary_half(&summary), .025);
	summary.median = -summary.median;
	assert_near(summary_half(&summary), .025);
	assert_true(summary_of(groups, 5, &summary));
	assert_true(isnan(summary_half(&summary)));
	summary = summary_of_nothing();
	assert_true(isnan(summary_half(&summary)));
}

static void no_width_is_precise_at_zero_too(void **state)
{
	static const double zero;
	struct group groups[6];
	struct summary summary;

	for (unsigned i = 0; i < 6; i++)
		groups[i] = (struct group){ i, &zero, 1, 0 };
	assert_true(summary_of(groups, 6, &summary));
	assert_near(summary_half(&summary), 0);
}

/* No share of 0 is a precision. */
static void a_width_around_zero_has_no_precision(void **state)
{
	static const double medians[] = { 0, 0, 0, 0, 0, .01 };
	struct group groups[6];
	struct summary summary;

	for (unsigned i = 0; i < 6; i++)
		groups[i] = (struct group){ i, &medians[i], 1, 0 };
	assert_true(summary_of(groups, 6, &summary));
	assert_near(summary.median, 0);
	assert_near(summary.interval.high, .01);
	assert_true(isnan(summary_half(&summary)));
}

static void a_million_trials(void **state)
{
	enum { N = 1000000 };
	double *values = malloc(N * sizeof *values);
	struct group groups[20];
	struct summary summary;
	gsl_rng *random = generator(7);

	for (size_t i = 0; i < N; i++)
		values[i] = gsl_ran_lognormal(random, 3, .2);
	for (size_t i = 0; i < 20; i++)
		groups[i] = (struct group){ (unsigned)i, values + i * 50000,
			50000, 0 };
	assert_true(summary_of(groups, 20, &summary));
	assert_within(summary.median, exp(3), .01);
	assert_within(summary.quantile[8], exp(3 + .2 * 3.0902323), .02);
	assert_true(summary.icc < .01);
	gsl_rng_free(random);
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_of_trials),
		cmocka_unit_test(launches_are_not_pooled),
		cmocka_unit_test(nothing_has_no_summary),
		cmocka_unit_test(one_trial_is_its_own_summary),
		cmocka_unit_test(launches_of_one_trial),
		cmocka_unit_test(single_trials_do_not_dilute_the_spread),
		cmocka_unit_test(equal_trials_have_no_spread),
		cmocka_unit_test(every_clone_counts_once),
		cmocka_unit_test(quantiles_need_ten_trials_beyond),
		cmocka_unit_test(half_an_interval_over_the_median),
		cmocka_unit_test(no_width_is_precise_at_zero_too),
		cmocka_unit_test(a_width_around_zero_has_no_precision),
		cmocka_unit_test(a_million_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
