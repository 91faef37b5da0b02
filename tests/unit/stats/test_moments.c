/* Welford's moments: exact where a sum of squares is not, and mergeable. */
#include "moments.h"

#include "check.h"
#include "vectors.h"

static struct moments moments_of(const double *values, size_t n)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < n; i++)
		moments_add(&moments, values[i]);
	return moments;
}

/* The textbook formula that Welford's method replaces. */
static double naive_sd(const double *values, size_t n)
{
	double sum = 0, squares = 0, size = (double)n;

	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		squares += values[i] * values[i];
	}
	return sqrt(fmax(squares - sum * sum / size, 0) / (size - 1));
}

static void moments_of_skewed(void **state)
{
	struct moments moments = moments_of(skewed, SKEWED_N);

	assert_int_equal(moments.n, 11);
	assert_near(moments.mean, 521. / 11);
	assert_near(moments_sd(&moments), 67.3917988);
	assert_near(moments_variance(&moments), 4541.654545);
	assert_near(moments_sd(&moments) / sqrt(11), 20.31939187);
	assert_near(moments.min, 23);
	assert_near(moments.max, 250);
}

static void moments_of_bimodal(void **state)
{
	struct moments moments = moments_of(bimodal, BIMODAL_N);

	assert_near(moments.mean, 120.44);
	assert_near(moments_sd(&moments), 25.31734167);
	assert_near(moments.min, 98.7);
	assert_near(moments.max, 152);
}

static void large_means_keep_their_deviations(void **state)
{
	double values[EXACTING_N];

	fill_exacting(values);
	struct moments moments = moments_of(values, EXACTING_N);
	assert_true(fabs(moments.mean - 10000000.2) < 1e-6);
	assert_true(fabs(moments_sd(&moments) - .1) < 1e-8);
	assert_false(fabs(naive_sd(values, EXACTING_N) - .1) < 1e-3);
}

static void few_values_have_no_variance(void **state)
{
	struct moments moments = { 0 };

	assert_near(moments_variance(&moments), 0);
	moments_add(&moments, -3);
	assert_near(moments.mean, -3);
	assert_near(moments.min, -3);
	assert_near(moments.max, -3);
	assert_near(moments_sd(&moments), 0);
	moments_add(&moments, -5);
	assert_near(moments_variance(&moments), 2);
}

static void equal_values_have_none_either(void **state)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < 1000; i++)
		moments_add(&moments, .1);
	assert_near(moments.mean, .1);
	assert_near(moments_sd(&moments), 0);
}

static void check_same(const struct moments *got, const struct moments *want)
{
	assert_int_equal(got->n, want->n);
	assert_within(got->mean, want->mean, 1e-12);
	assert_within(got->m2, want->m2, 1e-12);
	assert_within(got->min, want->min, 0);
	assert_within(got->max, want->max, 0);
}

/* However a sample is split, its merged parts equal one pass. */
static void merged_parts_equal_one_pass(void **state)
{
	enum { N = 10000 };
	double *values = malloc(N * sizeof *values);
	gsl_rng *random = generator(1);

	for (size_t i = 0; i < N; i++)
		values[i] = gsl_ran_lognormal(random, 5, .5);
	struct moments whole = moments_of(values, N);
	for (size_t part = 1; part < N; part = part * 3 + 1) {
		struct moments merged = { 0 };

		for (size_t at = 0; at < N; at += part) {
			size_t size = N - at < part ? N - at : part;
			struct moments piece = moments_of(values + at, size);

			moments_merge(&merged, &piece);
		}
		check_same(&merged, &whole);
	}
	gsl_rng_free(random);
	free(values);
}

static void merging_nothing_changes_nothing(void **state)
{
	struct moments empty = { 0 }, other = { 0 };
	struct moments some = moments_of(skewed, SKEWED_N);
	struct moments before = some;

	moments_merge(&some, &empty);
	check_same(&some, &before);
	moments_merge(&empty, &some);
	check_same(&empty, &before);
	moments_merge(&other, &other);
	assert_int_equal(other.n, 0);
}

static void a_million_values(void **state)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < 1000000; i++)
		moments_add(&moments, (double)i);
	assert_near(moments.mean, 499999.5);
	assert_near(moments_variance(&moments), 1e6 * (1e6 + 1) / 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_of_skewed),
		cmocka_unit_test(moments_of_bimodal),
		cmocka_unit_test(large_means_keep_their_deviations),
		cmocka_unit_test(few_values_have_no_variance),
		cmocka_unit_test(equal_values_have_none_either),
		cmocka_unit_test(merged_parts_equal_one_pass),
		cmocka_unit_test(merging_nothing_changes_nothing),
		cmocka_unit_test(a_million_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
