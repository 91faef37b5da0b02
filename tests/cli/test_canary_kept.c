/* Runs and `doctor` compare each calibration with the canary's ratio that the
 * state folder keeps. */
#include <sched.h>

#include "run.h"

/* On one processor, so that all calibrations are of it. */
static int prepare(void **state)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	return sched_setaffinity(0, sizeof one, &one) || make_folder(state);
}

static const char *kept_path(void)
{
	return in_folder("state/benchtop/canary");
}

/* Gives every processor that the file names a ratio; returns false if there is
 * no file, because the canary's loop needs none. */
static bool keep(const char *ratio)
{
	if (access(kept_path(), F_OK))
		return false;
	char *lines = read_whole(kept_path());
	struct text changed = { 0 };

	for (char *at = strtok(lines, "\n"); at; at = strtok(NULL, "\n"))
		text_add(&changed, "%s%s\n", ratio, strchr(at, ' '));
	write_file(kept_path(), text_chars(&changed));
	text_free(&changed);
	free(lines);
	return true;
}

static size_t lines_with(const char *ratio)
{
	char *lines = read_whole(kept_path());
	struct text text = { 0 };

	text_add(&text, "%s", lines);
	size_t count = lines_beginning(&text, ratio);
	text_free(&text);
	free(lines);
	return count;
}

#define RUN_ONCE() \
	RUN(SELFTEST, "run", "selftest.adds", "launches=6", "trials=20", \
		"budget=2s", "--json")

static void test_run(void **state)
{
	struct ran ran = RUN_ONCE();

	assert_status(ran, 0);
	if (!keep("0.0100")) {
		assert_lacks(ran.out, "\"canary\":\"nops\"");
		ran_free(&ran);
		return;
	}
	ran_free(&ran);
	/* No core is that fast, so no calibration was alone. */
	ran = RUN_ONCE();
	assert_status(ran, 0);
	assert_contains(ran.out, "\"known_alone\":0.01,");
	ran_free(&ran);
	/* What is lower than the kept ratio replaces it. */
	assert_true(keep("9.0000"));
	ran = RUN_ONCE();
	assert_status(ran, 0);
	assert_lacks(ran.out, "\"known_alone\":9");
	ran_free(&ran);
	assert_int_equal(lines_with("9.0000"), 0);
}

static void test_doctor(void **state)
{
	if (!keep("9.0000"))
		return;
	struct ran ran = RUN(PROGRAM, "doctor");

	assert_int_equal(lines_with("9.0000"), 0);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_doctor),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
