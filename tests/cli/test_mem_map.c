/* mem.map: faults are one per page, refusals, and nothing left behind. */
#include "run.h"

static void test_faults_are_counted(void **state)
{
	/* The shadow memory of sanitizers also faults, and is counted. */
	if (*BENCHTOP_SANITIZE) {
		print_message("SKIP: sanitizers time nothing\n");
		skip();
	}
	struct ran ran = RUN(PROGRAM, "run", "mem.map", "pages=1,7,600",
		"launches=6", "trials=20", "budget=20s");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_contains(ran.out, "each page that exists adds");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* 255 is the most that the parameter accepts. */
static void test_sharers_need_processors(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) > 255)
		return;
	struct ran ran = RUN(PROGRAM, "run", "mem.map", "op=munmap", "pages=1",
		"sharers=255", "launches=6", "trials=20");

	assert_contains(ran.out, "sharers=255 needs 256 processors");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults_are_counted),
		cmocka_unit_test(test_sharers_need_processors),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
