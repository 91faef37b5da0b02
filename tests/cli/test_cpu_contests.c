/* cpu.atomic and cpu.lock: every operation counts, and lines matter. */
#include <limits.h>
#include <sched.h>

#include "run.h"

/* A thousand verified trials of all operations, and of all locks, in sixteen
 * clones: three operations, or four locks. */
enum { TRIALS = 1000 };
#define LONG "launches=8", "budget=300s"

/* Every point is verified in all of its trials. */
static void assert_all_verified(const struct ran *ran, size_t points)
{
	const char *at = text_chars(&ran->out);
	size_t seen = 0;
	unsigned trials, all = 0;

	assert_status(*ran, 0);
	assert_verified(*ran);
	for (; (at = strstr(at, "\"state\":\"ok\"")); at++, seen++) {
		const char *count = strstr(at, "\"trials\":");

		assert_non_null(count);
		assert_int_equal(sscanf(count, "\"trials\":%u", &trials), 1);
		all += trials;
	}
	assert_true(all >= TRIALS);
	assert_int_equal(seen, points);
}

static void test_no_increment_is_lost(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.atomic", "op=add,cas,xchg",
		"lines=shared", "trials=3", LONG, "--json");

	assert_all_verified(&ran, 3);
	ran_free(&ran);
}

static void test_locks_exclude(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.lock", "threads=auto",
		"trials=2", LONG, "--json");

	assert_all_verified(&ran, 4);
	ran_free(&ran);
}

/* A trial has a thousand operations, or more where these are too short for the
 * clock. Long work needs few: a thousand would outlast the interval of the
 * timer's tick. Each point of a sweep has its own number. */
static void test_operations_of_long_work(void **state)
{
	static const unsigned least[] = { 1000, 8 }, most[] = { UINT_MAX, 8 };
	struct ran ran = RUN(PROGRAM, "run", "cpu.lock", "lock=mutex",
		"threads=1", "inside=0,100us", "launches=6", "trials=1",
		"--json");
	const char *at = strstr(text_chars(&ran.out), "\"points\":");
	size_t seen = 0;

	assert_status(ran, 0);
	for (; at && (at = strstr(at, "\"gross\":{\"unit\"")); at++, seen++) {
		const char *ops = strstr(at, "\"ops\":");
		unsigned count;

		assert_non_null(ops);
		assert_int_equal(sscanf(ops, "\"ops\":%u", &count), 1);
		assert_in_range(count, least[seen], most[seen]);
	}
	assert_int_equal(seen, 2);
	ran_free(&ran);
}

static void test_operations_are_shown(void **state)
{
	static const char *const rows[][2] = { { "outside=0", "least 1000," },
		{ "outside=100us", "least 8," },
		{ "outside=0,100us", "least 8 to 1000," } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = RUN(PROGRAM, "show", "cpu.lock", rows[i][0]);

		assert_contains(ran.out, rows[i][1]);
		ran_free(&ran);
	}
}

/* Both works are done, and measured without the lock. */
static void test_work_of_a_lock(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.lock", "lock=mutex,spin",
		"inside=300ns", "outside=700ns", "launches=6", "trials=1",
		"budget=60s", "--json");
	const char *at = strstr(text_chars(&ran.out), "\"points\":");
	size_t seen = 0;

	assert_status(ran, 0);
	assert_verified(ran);
	while (at && (at = strstr(at, "\"work\":{\"unit\""))) {
		double work = 0;

		at = strstr(at, "\"median_all\":");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "\"median_all\":%lf", &work), 1);
		/* The processor may be faster than in the calibration. */
		assert_true(work > 500);
		seen++;
	}
	assert_int_equal(seen, 4);
	ran_free(&ran);
}

/* Both locks need two atomic instructions. In a process without a second thread
 * glibc would leave out the mutex's, which take most of the time. */
static void test_one_thread_uses_atomics(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.lock", "lock=mutex,futex",
		"threads=1", "launches=6", "trials=20", "budget=60s", "--json");
	const char *at = strstr(text_chars(&ran.out), "\"points\":");
	double ns[2];

	assert_status(ran, 0);
	for (int i = 0; i < 2; i++) {
		at = at ? strstr(at, "\"lock\":{\"unit\"") : NULL;
		at = at ? strstr(at, "\"median_all\":") : NULL;
		assert_non_null(at);
		assert_int_equal(sscanf(at, "\"median_all\":%lf", &ns[i]), 1);
	}
	if (ns[0] < .75 * ns[1])
		fail_msg("mutex %g ns, futex %g ns", ns[0], ns[1]);
	ran_free(&ran);
}

/* Words of one line cost much more than words of different lines: three times
 * on most processors, 2.9 to 3.6 times on Zen 5. */
static void test_false_sharing(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.atomic", "op=add,xchg",
		"lines=own,false", "launches=6", "trials=4", "budget=60s",
		"--json");
	const char *at = text_chars(&ran.out);
	size_t seen = 0;

	assert_status(ran, 0);
	assert_verified(ran);
	while ((at = strstr(at, "\"name\":\"over-own\""))) {
		double ratio = 0;

		at = strstr(at, "\"value\":");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "\"value\":%lf", &ratio), 1);
		if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
			assert_true(ratio >= 2);
		seen++;
	}
	assert_int_equal(seen, 2);
	ran_free(&ran);
}

/* A range may end with all processors. The other operations and locks are
 * verified above. */
static void test_a_curve(void **state)
{
	static const char *const lines[][3] = {
		{ "cpu.atomic", "op=add", "lines=shared" },
		{ "cpu.lock", "lock=mutex", "outside=0" },
	};
	char last[40];

	snprintf(last, sizeof last, "\"threads\":\"%ld\"",
		sysconf(_SC_NPROCESSORS_ONLN));
	for (size_t i = 0; i < 2; i++) {
		struct ran ran = RUN(PROGRAM, "run", lines[i][0], lines[i][1],
			lines[i][2], "threads=1..auto", "launches=6",
			"trials=1", "budget=60s", "--json");

		assert_status(ran, 0);
		assert_verified(ran);
		assert_contains(ran.out, "\"threads\":\"1\"");
		assert_contains(ran.out, last);
		ran_free(&ran);
	}
}

static int use_one_processor(const void *context)
{
	cpu_set_t all, one;
	int cpu = 0;

	(void)context;
	if (sched_getaffinity(0, sizeof all, &all))
		return -1;
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof one, &one);
}

/* As many threads are expected as there are processors that may be used. */
static void test_one_processor_is_expected(void **state)
{
	static const char *const words[][4] = {
		{ "show", "cpu.atomic", "op=add", NULL },
		{ "show", "cpu.lock", "lock=mutex", NULL },
	};

	for (size_t i = 0; i < 2; i++) {
		struct ran ran = run_after(use_one_processor, NULL, PROGRAM,
			words[i]);

		assert_status(ran, 0);
		assert_contains(ran.out, "line of the first cache");
		assert_lacks(ran.out, "to move the line");
		assert_lacks(ran.out, "the lock's line moved");
		ran_free(&ran);
	}
}

static void test_too_many_threads(void **state)
{
	static const char *const experiments[] = { "cpu.atomic", "cpu.lock" };

	for (size_t i = 0; i < 2; i++) {
		struct ran ran =
			RUN(PROGRAM, "run", experiments[i], "threads=1024");

		if (sysconf(_SC_NPROCESSORS_ONLN) < 1024) {
			assert_status(ran, 4);
			assert_contains(ran.out,
				"threads=1024: this run may use only");
		}
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_increment_is_lost),
		cmocka_unit_test(test_locks_exclude),
		cmocka_unit_test(test_operations_of_long_work),
		cmocka_unit_test(test_operations_are_shown),
		cmocka_unit_test(test_work_of_a_lock),
		cmocka_unit_test(test_one_thread_uses_atomics),
		cmocka_unit_test(test_false_sharing),
		cmocka_unit_test(test_a_curve),
		cmocka_unit_test(test_one_processor_is_expected),
		cmocka_unit_test(test_too_many_threads),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
