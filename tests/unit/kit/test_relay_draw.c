/* Random decisions by index: reproducible, independent, and with the given
 * frequency. */
#include "relay_draw.h"

#include "check.h"

enum { MANY = 1000000 };

static unsigned drawn(uint64_t key, double share)
{
	unsigned count = 0;

	for (uint64_t i = 0; i < MANY; i++)
		count += relay_draw(key, i, share);
	return count;
}

static void none_and_all(void **state)
{
	uint64_t key = relay_key(1, 0, RELAY_LOSS);

	assert_int_equal(drawn(key, 0), 0);
	assert_int_equal(drawn(key, 1), MANY);
}

/* The frequency is within five standard deviations of the binomial, for every
 * share and seed. */
static void as_many_as_asked_for(void **state)
{
	static const double shares[] = { 0.0001, 0.001, 0.01, 0.1, 0.5 };

	for (uint64_t seed = 0; seed < 8; seed++)
		for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
			double share = shares[i];
			double sd = sqrt(MANY * share * (1 - share));
			double got =
				drawn(relay_key(seed, seed % 2, seed % 3 != 0),
					share);

			assert_true(fabs(got - MANY * share) < 5 * sd);
		}
}

/* A packet lost at a small share is also lost at a larger one. A sweep of the
 * loss with one seed adds losses and moves none. */
static void shares_nest(void **state)
{
	uint64_t key = relay_key(7, 1, RELAY_LOSS);

	for (uint64_t i = 0; i < MANY; i++)
		if (relay_draw(key, i, 0.01))
			assert_true(relay_draw(key, i, 0.02));
}

/* Different seeds, directions and purposes are independent: they agree only by
 * chance. */
static void keys_are_independent(void **state)
{
	const uint64_t keys[] = {
		relay_key(1, 0, RELAY_LOSS),
		relay_key(1, 0, RELAY_REORDER),
		relay_key(1, 1, RELAY_LOSS),
		relay_key(1, 1, RELAY_REORDER),
		relay_key(2, 0, RELAY_LOSS),
		relay_key(0, 0, RELAY_LOSS),
	};
	enum { KEYS = sizeof keys / sizeof *keys };

	for (int a = 0; a < KEYS; a++)
		for (int b = 0; b < a; b++) {
			unsigned both = 0;

			for (uint64_t i = 0; i < MANY; i++)
				both += relay_draw(keys[a], i, 0.1) &&
					relay_draw(keys[b], i, 0.1);
			/* expected: 10 000, standard deviation 100 */
			assert_in_range(both, 9500, 10500);
		}
}

/* Losses are independent: a packet after a lost one is not lost more often. */
static void neighbours_are_independent(void **state)
{
	uint64_t key = relay_key(3, 0, RELAY_LOSS);
	unsigned pairs = 0;

	for (uint64_t i = 1; i < MANY; i++)
		pairs += relay_draw(key, i - 1, 0.1) && relay_draw(key, i, 0.1);
	assert_in_range(pairs, 9500, 10500);
}

/* These indices must never change, because the seed in a stored session must
 * have the same effect in later versions. */
static void first_indices(void **state)
{
	static const uint64_t known[] = { 55, 150, 156, 389, 473, 494, 579,
		618 };
	uint64_t key = relay_key(1, 0, RELAY_LOSS);
	size_t found = 0;

	for (uint64_t i = 0; found < sizeof known / sizeof *known; i++)
		if (relay_draw(key, i, 0.01))
			assert_int_equal(i, known[found++]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_and_all),
		cmocka_unit_test(as_many_as_asked_for),
		cmocka_unit_test(shares_nest),
		cmocka_unit_test(keys_are_independent),
		cmocka_unit_test(neighbours_are_independent),
		cmocka_unit_test(first_indices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
