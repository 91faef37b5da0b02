/* `history` over many kept sessions: changes and the exit code for nightly
 * jobs. */
#include "copies.h"
#include "run.h"

/* Replaces the kept sessions by `count` copies of one run. From copy `at` on
 * the median is `step` times as high, and libc another. */
static void keep(int count, int at, double step)
{
	copies_make(&(struct copies){ .folder = "state/benchtop/sessions",
		.count = count,
		.at = at,
		.times = step,
		.name = "libc",
		.before = "glibc 2.98",
		.after = "glibc 2.99" });
}

static struct ran judge(int count, int at, double step)
{
	keep(count, at, step);
	return RUN(SELFTEST, "history", "selftest.adds", "--fail-if-changed");
}

static void test_worse(void **state)
{
	struct ran ran = judge(20, 16, 1.05);

	assert_status(ran, 1);
	assert_contains(ran.out, "The level rises by 5.1 % here, from 100.2 ns");
	assert_contains(ran.out, "Changed here: libc glibc");
	assert_contains(ran.err, "selftest.adds: the time changed by +5.1 % "
				 "with session 17, 4 counted runs ago\n");
	ran_free(&ran);
}

/* The change is printed, but is for the better, or of long ago. */
static void test_unchanged(void **state)
{
	struct ran ran = judge(20, 16, .95);

	assert_status(ran, 0);
	assert_contains(ran.out, "The level falls by 4.9 % here");
	ran_free(&ran);
	ran = judge(20, 8, 1.05);
	assert_status(ran, 0);
	assert_contains(ran.out, "The level rises by 5.0 % here");
	ran_free(&ran);
	ran = judge(20, 20, 1);
	assert_status(ran, 0);
	assert_false(contains(&ran.out, "The level"));
	ran_free(&ran);
}

/* Too few runs, and none. */
static void test_undecided(void **state)
{
	struct ran ran = judge(9, 6, 1.05);

	assert_status(ran, 7);
	assert_contains(ran.err, "9 runs count, expected at least 10");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds", "links=100",
		"--fail-if-changed");
	assert_status(ran, 7);
	assert_contains(ran.err, "no kept session has selftest.adds");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds", "links=100");
	assert_status(ran, 3);
	ran_free(&ran);
}

static void test_json(void **state)
{
	keep(20, 16, 1.05);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"regime\":\"alone\"");
	assert_contains(ran.out, "\"name\":\"canary\"");
	assert_contains(ran.out, "\"session\":17");
	assert_contains(ran.out,
		"\"surroundings\":\"libc glibc 2.98 -> glibc 2.99\"");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worse),
		cmocka_unit_test(test_unchanged),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
