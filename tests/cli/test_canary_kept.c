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

#define ADDS "run selftest.adds launches=6 trials=20 budget=2s --json"

/* No core is as fast as the kept ratio says, so that no calibration was alone,
 * whatever it found. */
static void assert_recalled(const char *script)
{
	struct ran ran = RUN(SELFTEST, "-c", ADDS);

	assert_status(ran, 0);
	if (keep("0.0100")) {
		ran_free(&ran);
		ran = RUN(SELFTEST, "-c", script);
		assert_contains(ran.out, "\"known_alone\":0.01,");
	} else {
		assert_lacks(ran.out, "\"canary\":\"nops\"");
	}
	ran_free(&ran);
}

static void test_run(void **state)
{
	assert_recalled(ADDS);
}

/* The run uses the calibration of `doctor`. */
static void test_doctor(void **state)
{
	assert_recalled("doctor; " ADDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_doctor),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
