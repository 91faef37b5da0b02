/* cpu.cores: a figure for every pair of processors. */
#include "run.h"

#define QUICK "launches=6", "trials=10", "budget=30s"

static void test_both_operations(void **state)
{
	struct ran ran =
		RUN(PROGRAM, "run", "cpu.cores", "op=cas,store", QUICK, "--json");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_contains(ran.out, "same processor");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		assert_contains(ran.out, "cas: ");
		assert_contains(ran.out, "store: ");
		assert_contains(ran.out, " of processors (");
	}
	ran_free(&ran);
}

static void test_absent_processor(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.cores", "from=0,1023", "to=0",
		QUICK);

	assert_contains(ran.out,
		"processor 1023 is offline or not permitted for this process");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_operations),
		cmocka_unit_test(test_absent_processor),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
