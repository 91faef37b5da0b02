/* cpu.atomic and cpu.lock: every operation counts, and lines matter. */
#include "run.h"

/* A thousand verified trials, with three points or more. */
#define THOUSAND "launches=6", "trials=60", "budget=60s"

static void assert_all_valid(const struct ran *ran, size_t points)
{
	assert_status(*ran, 0);
	assert_false(contains(&ran->out, "\"state\":\"invalid\""));
	assert_false(contains(&ran->out, "\"state\":\"unavailable\""));
	size_t seen = 0;
	const char *at = text_chars(&ran->out);

	while ((at = strstr(at, "\"state\":\"ok\""))) {
		seen++;
		at++;
	}
	assert_int_equal(seen, points);
}

static void test_no_increment_is_lost(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.atomic", "op=add,cas,xchg",
		"lines=shared", THOUSAND, "--json");

	assert_all_valid(&ran, 3);
	ran_free(&ran);
}

static void test_locks_exclude(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.lock", "threads=auto",
		THOUSAND, "--json");

	assert_all_valid(&ran, 4);
	ran_free(&ran);
}

/* Words of one line cost several times as much as words of different lines. */
static void test_false_sharing(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.atomic", "op=add,xchg",
		"lines=own,false", "launches=6", "trials=50", "budget=60s",
		"--json");
	const char *at = text_chars(&ran.out);
	size_t seen = 0;

	assert_status(ran, 0);
	while ((at = strstr(at, "\"name\":\"over-own\""))) {
		double ratio = 0;

		at = strstr(at, "\"value\":");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "\"value\":%lf", &ratio), 1);
		if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
			assert_true(ratio >= 3);
		seen++;
	}
	assert_int_equal(seen, 2);
	ran_free(&ran);
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
		cmocka_unit_test(test_false_sharing),
		cmocka_unit_test(test_too_many_threads),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
