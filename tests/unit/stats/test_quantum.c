/* The quantum of readings: Euclid, one difference at a time. */
#include "quantum.h"

#include "check.h"

static uint64_t of_all(const uint64_t *differences, size_t count)
{
	uint64_t quantum = 0;

	for (size_t i = 0; i < count; i++)
		quantum = quantum_join(quantum, differences[i]);
	return quantum;
}

static void test_steps_of_26(void **state)
{
	static const uint64_t seen[] = { 78, 52, 0, 104, 26 };

	assert_int_equal(of_all(seen, 1), 78);
	assert_int_equal(of_all(seen, 2), 26);
	assert_int_equal(of_all(seen, 5), 26);
}

static void test_coprime(void **state)
{
	static const uint64_t seen[] = { UINT64_MAX, UINT64_MAX - 1 };

	assert_int_equal(of_all(seen, 2), 1);
}

static void test_nothing_seen(void **state)
{
	assert_int_equal(quantum_join(0, 0), 0);
	assert_int_equal(quantum_join(26, 0), 26);
	assert_int_equal(quantum_join(0, 26), 26);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_of_26),
		cmocka_unit_test(test_coprime),
		cmocka_unit_test(test_nothing_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
