/* The quantum of readings: whole steps, fractional steps, and neither. */
#include "quantum.h"

#include <math.h>

#include "check.h"
#include "random.h"

static double of_all(const uint64_t *differences, size_t count)
{
	struct quantum quantum = { 0 };

	for (size_t i = 0; i < count; i++)
		quantum_add(&quantum, differences[i]);
	return quantum_of(&quantum);
}

static void test_steps_of_26(void **state)
{
	static const uint64_t seen[] = { 78, 52, 0, 104, 26 };

	assert_near(of_all(seen, 1), 78);
	assert_near(of_all(seen, 2), 26);
	assert_near(of_all(seen, 5), 26);
}

static void test_coprime(void **state)
{
	static const uint64_t seen[] = { UINT64_MAX, UINT64_MAX - 1 };

	assert_near(of_all(seen, 2), 1);
}

static void test_nothing_seen(void **state)
{
	static const uint64_t seen[] = { 0, 26, 0 };

	assert_near(of_all(seen, 0), 0);
	assert_near(of_all(seen, 1), 0);
	assert_near(of_all(seen, 3), 26);
}

/* Differences of a counter that advances by `step` ticks and is rounded down.
 * They have a mean of `most` / 2, and one in 100 was interrupted. */
static double of_counter(double step, double most)
{
	struct quantum quantum = { 0 };
	uint64_t seed = 7;
	double at = 0;

	for (int i = 0; i < 2000; i++) {
		double share = (double)random_below(&seed, 1000) / 1000;
		double later = at + share * most;

		if (!random_below(&seed, 100))
			later += (double)random_below(&seed, 50000);
		quantum_add(&quantum,
			(uint64_t)(floor(floor(later / step) * step) -
				floor(floor(at / step) * step)));
		at = later;
	}
	return quantum_of(&quantum);
}

static void test_fractional_steps(void **state)
{
	static const double steps[] = { 10.5, 22.5, 24.45, 35.93, 61.44 };

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		double step = steps[i];

		assert_within(of_counter(step, 5 * step), step, .01);
		assert_within(of_counter(step, 10 * step), step, .01);
	}
}

/* Readings that differ by single ticks have no other quantum, even if there are
 * few of them. */
static void test_fine(void **state)
{
	static const uint64_t few[] = { 46, 47, 46, 46, 47 };
	static const uint64_t some[] = { 45, 46, 47, 91, 92, 120 };

	assert_near(of_counter(1, 100), 1);
	assert_near(of_counter(2, 100), 2);
	assert_near(of_counter(3.7, 100), 1);
	assert_near(of_all(few, 5), 1);
	assert_near(of_all(some, 6), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_of_26),
		cmocka_unit_test(test_coprime),
		cmocka_unit_test(test_nothing_seen),
		cmocka_unit_test(test_fractional_steps),
		cmocka_unit_test(test_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
