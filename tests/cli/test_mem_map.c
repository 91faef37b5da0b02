/* mem.map: faults are one per page, refusals, and nothing left behind. */
#include "run.h"

static void test_faults_are_counted(void **state)
{
	skip_if_instrumented();
	struct ran ran = RUN(PROGRAM, "run", "mem.map", "pages=1,7,600",
		"launches=6", "trials=5", "budget=20s");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_contains(ran.out, "each page that exists adds");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* The pages of MAP_POPULATE are faults of getrusage(2), one each, and no page
 * faults of perf_event_open(2). The help of counters= states that. */
static void test_populated_pages_are_not_counted(void **state)
{
	skip_if_instrumented();
	struct ran ran = RUN(PROGRAM, "help", "--man");

	assert_contains(ran.out, "page\\-faults omits pages that");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "mem.map", "op=mmap", "touched=all",
		"pages=64", "launches=6", "trials=5", "counters=page-faults",
		"--json");
	if (contains(&ran.err, "cannot count page-faults")) {
		ran_free(&ran);
		skip_because("not permitted here: perf_event_open");
	}
	assert_status(ran, 0);
	assert_verified(ran);
	const char *at = strstr(text_chars(&ran.out), "\"points\":");
	assert_non_null(at);
	assert_true(median_after(&at, "page-faults") < 1);
	ran_free(&ran);
}

/* 255 is the most that the parameter accepts. */
static void test_sharers_need_processors(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) > 255)
		return;
	struct ran ran = RUN(PROGRAM, "run", "mem.map", "op=munmap", "pages=1",
		"sharers=255", "launches=6", "trials=5");

	assert_contains(ran.out, "sharers=255 needs 256 processors");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* Each sharer receives the flushes, if the kernel counts them. */
static void test_a_sharer(void **state)
{
	skip_if_instrumented();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip_because("one processor only");
	struct ran ran = RUN(PROGRAM, "run", "mem.map",
		"op=munmap,mprotect,madvise", "touched=all", "pages=16",
		"sharers=0..1+1", "launches=6", "trials=5", "budget=20s",
		"--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"sharers\":\"1\"");
	/* Unless others need the sharers' processors. */
	assert_true(contains(&ran.out, "counted by the kernel") ||
		contains(&ran.out, "none counted: this machine flushes") ||
		contains(&ran.out, "other tasks run on the sharers'"));
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
	/* A range may end with all other processors. */
	ran = RUN(PROGRAM, "run", "mem.map", "op=munmap", "pages=1",
		"touched=all", "sharers=0..auto", "launches=6", "trials=5",
		"--json");
	assert_contains(ran.out, "\"sharers\":\"1\"");
	ran_free(&ran);
}

/* Large mappings leave enough free addresses for the stack of a sharer. */
static void test_a_sharer_of_large_mappings(void **state)
{
	skip_if_instrumented();
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip_because("one processor only");
	struct ran ran = RUN(PROGRAM, "run", "mem.map", "touched=none",
		"pages=4096,16384", "sharers=1", "launches=6", "trials=5",
		"budget=20s");

	assert_status(ran, 0);
	assert_lacks(ran.out, "failed");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults_are_counted),
		cmocka_unit_test(test_populated_pages_are_not_counted),
		cmocka_unit_test(test_sharers_need_processors),
		cmocka_unit_test(test_a_sharer),
		cmocka_unit_test(test_a_sharer_of_large_mappings),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
