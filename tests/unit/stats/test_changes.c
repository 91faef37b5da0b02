/* Change points of simulated histories. */
#include "changes.h"

#include <stdbool.h>

#include "check.h"
#include "random.h"

enum { RUNS = 200, SEEDS = 100 };
static const double level = .025;

/* ---- simulated runs --------------------------------------------------- */

static double uniform(uint64_t *random)
{
	return ((double)(next_random(random) >> 11) + .5) * 0x1p-53;
}

static double normal(uint64_t *random)
{
	double radius = sqrt(-2 * log(uniform(random)));

	return radius * cos(2 * acos(-1) * uniform(random));
}

static double cauchy(uint64_t *random)
{
	return tan(acos(-1) * (uniform(random) - .5));
}

/* Three of ten runs are five noises slower. */
static double bimodal(uint64_t *random)
{
	double value = normal(random);

	return uniform(random) < .3 ? value + 5 : value;
}

static void simulate(double *values, size_t n, uint64_t seed,
	double (*noise)(uint64_t *))
{
	uint64_t random = seed * 7919;

	for (size_t i = 0; i < n; i++)
		values[i] = noise(&random);
}

static void add(double *values, size_t first, size_t last, double step)
{
	for (size_t i = first; i < last; i++)
		values[i] += step;
}

static void find(const double *values, size_t n, struct changes *changes)
{
	changes_find(values, n, changes_noise(values, n), level, changes);
}

/* ---- detection -------------------------------------------------------- */

/* Seeds with any change, and seeds with a change within three runs of
 * `first`. */
struct found {
	unsigned any, there;
};

static struct found count(size_t n, size_t first, size_t last, double step,
	double (*noise)(uint64_t *))
{
	struct found found = { 0 };

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		double values[RUNS];
		struct changes changes;
		bool near = false;

		simulate(values, n, seed, noise);
		add(values, first, last, step);
		find(values, n, &changes);
		for (size_t i = 0; i < changes.count; i++)
			near = near ||
				fabs((double)changes.list[i].at -
					(double)first) <= 3;
		found.any += changes.count > 0;
		found.there += near;
		changes_free(&changes);
	}
	return found;
}

/* A step of three times the noise, when three runs after it are known. */
static void test_new_step(void **state)
{
	static const size_t runs[] = { RUNS, 100 };

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct found found =
			count(runs[i], runs[i] - 3, runs[i], 3, normal);

		assert_in_range(found.any, 95, SEEDS);
		assert_in_range(found.there, 95, SEEDS);
	}
}

static void test_flat(void **state)
{
	assert_in_range(count(RUNS, 0, 0, 0, normal).any, 0, 5);
	assert_in_range(count(RUNS, 0, 0, 0, bimodal).any, 0, 5);
	assert_in_range(count(RUNS, 0, 0, 0, cauchy).any, 0, 5);
	assert_in_range(count(30, 0, 0, 0, normal).any, 0, 5);
}

/* Ten runs in the middle, between equal levels. */
static void test_excursion(void **state)
{
	assert_in_range(count(RUNS, 100, 110, 3, normal).there, 95, SEEDS);
}

/* ---- several changes -------------------------------------------------- */

static void test_several(void **state)
{
	double values[RUNS];
	struct changes changes;

	simulate(values, RUNS, 1, normal);
	add(values, 40, RUNS, 5);
	add(values, 120, RUNS, -8);
	add(values, 160, RUNS, 4);
	find(values, RUNS, &changes);
	assert_int_equal(changes.count, 3);
	assert_in_range(changes.list[0].at, 39, 41);
	assert_in_range(changes.list[1].at, 119, 121);
	assert_in_range(changes.list[2].at, 159, 161);
	assert_within(changes.list[1].after - changes.list[1].before, -8, .1);
	assert_near(changes.list[0].after, changes.list[1].before);
	for (size_t i = 0; i < changes.count; i++)
		assert_true(changes.list[i].p < level);
	changes_free(&changes);
}

/* A proven shift below the floor is not a change. */
static void test_floor(void **state)
{
	double values[RUNS];
	struct changes changes;

	simulate(values, RUNS, 2, normal);
	add(values, 100, RUNS, 2);
	changes_find(values, RUNS, 1, level, &changes);
	assert_int_equal(changes.count, 1);
	changes_free(&changes);
	changes_find(values, RUNS, 3.5, level, &changes);
	assert_int_equal(changes.count, 0);
	changes_free(&changes);
}

/* ---- few values ------------------------------------------------------- */

/* With the fewest values a change between two constants is found after three
 * runs; with one value less it cannot be. */
static void test_fewest(void **state)
{
	static const double values[] = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 2 };
	struct changes changes;

	changes_find(values, CHANGES_LEAST, .1, level, &changes);
	assert_int_equal(changes.count, 1);
	assert_int_equal(changes.list[0].at, CHANGES_LEAST - CHANGES_SIDE);
	assert_near(changes.list[0].before, 1);
	assert_near(changes.list[0].after, 2);
	assert_near(changes.p, changes.list[0].p);
	changes_free(&changes);
	changes_find(values + 1, CHANGES_LEAST - 1, .1, level, &changes);
	assert_int_equal(changes.count, 0);
	assert_true(changes.p >= level);
	changes_free(&changes);
}

/* Two slow runs are not enough for a level of their own. */
static void test_two_outliers(void **state)
{
	double values[40];
	struct changes changes;

	simulate(values, 40, 3, normal);
	add(values, 20, 22, 50);
	find(values, 40, &changes);
	assert_int_equal(changes.count, 0);
	changes_free(&changes);
}

static void test_degenerate(void **state)
{
	static const double equal[20] = { 0 };
	struct changes changes;

	changes_find(equal, 20, 0, level, &changes);
	assert_int_equal(changes.count, 0);
	assert_near(changes.p, 1);
	changes_free(&changes);
	changes_find(equal, 0, 0, level, &changes);
	assert_int_equal(changes.count, 0);
	changes_free(&changes);
	assert_true(isnan(changes_noise(equal, 1)));
}

static void test_noise(void **state)
{
	static const double values[] = { 1, 2, 1, 2, 9, 8, 9, 8 };

	assert_near(changes_noise(values, 8), 1);
}

/* The same values give the same p, to the last bit. */
static void test_repeatable(void **state)
{
	double values[RUNS];
	struct changes one, other;

	simulate(values, RUNS, 4, normal);
	find(values, RUNS, &one);
	find(values, RUNS, &other);
	assert_memory_equal(&one.p, &other.p, sizeof one.p);
	changes_free(&one);
	changes_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_step),
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_excursion),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_fewest),
		cmocka_unit_test(test_two_outliers),
		cmocka_unit_test(test_degenerate),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_repeatable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
