/* A worker dies, hangs or fails in any phase. The run ends with a sentence that
 * has the cause, the phase and the point, and keeps its samples. */
#include "run.h"

static struct ran fault(const char *how, const char *phase, const char *launch)
{
	char words[3][64];

	snprintf(words[0], sizeof words[0], "how=%s", how);
	snprintf(words[1], sizeof words[1], "phase=%s", phase);
	snprintf(words[2], sizeof words[2], "launch=%s", launch);
	return RUN(SELFTEST, "run", "selftest.fault", words[0], words[1],
		words[2], "budget=60s", "launches=6", "trials=60", "-v");
}

static const char *const all_phases[] = { "setup", "warmup", "trials",
	"cleanup" };
static const char *const named_phases[] = { "in setup", "in warm-up",
	"in trials", "in cleanup" };

static void dies(const char *how, const char *sentence)
{
	for (size_t i = 0; i < 4; i++) {
		struct ran ran = fault(how, all_phases[i], "3");

		assert_status(ran, 5);
		assert_contains(ran.err, sentence);
		assert_contains(ran.err, named_phases[i]);
		assert_contains(ran.err, "trials are kept");
		assert_contains(ran.err, "how=");
		assert_int_equal(processes_of(SELFTEST), 0);
		ran_free(&ran);
	}
}

static void test_deaths(void **state)
{
	static const struct {
		const char *how, *sentence;
	} rows[] = {
		{ "segv", "the worker died of SIGSEGV at address 0x10" },
		{ "abort", "the worker died of SIGABRT" },
		{ "exit", "the worker ended with exit code 7" },
		{ "kill", "the worker died of SIGKILL" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dies(rows[i].how, rows[i].sentence);
}

static void test_pilot(void **state)
{
	struct ran ran = fault("segv", "setup", "0");

	assert_status(ran, 5);
	assert_contains(ran.err, "SIGSEGV");
	ran_free(&ran);
}

static void test_hang(void **state)
{
	struct ran ran = fault("hang", "trials", "2");

	assert_status(ran, 5);
	assert_contains(ran.err, "did not respond and was killed");
	assert_contains(ran.err, "in trials");
	/* Samples of the launch before, and of the failing launch up to the
	 * fault. */
	assert_contains(ran.err, " trials are kept");
	assert_null(strstr(text_chars(&ran.err), "; 0 trials are kept"));
	assert_int_equal(processes_of(SELFTEST), 0);
	ran_free(&ran);
}

static void test_fail(void **state)
{
	struct ran ran = fault("fail", "setup", "2");

	assert_status(ran, 5);
	assert_contains(ran.err, "failed because it was told to");
	ran_free(&ran);
}

static void test_unavailable(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.fault",
		"how=unavailable,nothing", "phase=setup", "budget=2s",
		"launches=6", "-v");

	/* The other point is still measured. */
	assert_status(ran, 0);
	assert_contains(ran.out, "unavailable because it was told to");
	assert_contains(ran.out, "how=nothing");
	ran_free(&ran);
	/* If all points are unavailable, the run fails; later statements are
	 * still executed. */
	ran = fault("unavailable", "setup", "0");
	assert_status(ran, 4);
	assert_contains(ran.out, "unavailable on this machine");
	assert_contains(ran.err,
		"selftest.fault is unavailable here: unavailable because it "
		"was told to");
	ran_free(&ran);
	ran = RUN(SELFTEST, "-c",
		"run selftest.fault how=unavailable phase=setup budget=2s "
		"launches=6; list cpu");
	assert_status(ran, 4);
	assert_contains(ran.out, "cpu.syscall");
	ran_free(&ran);
}

/* If one launch of six is not verified, its trials are excluded. If three of
 * six are not, no result remains. */
static void test_invalid(void **state)
{
	struct ran ran = fault("invalid", "cleanup", "4");

	assert_status(ran, 0);
	assert_contains(ran.out,
		"partly unverified: invalid because it was told to");
	/* Trials that a co-runner joined halfway may be listed after the
	 * unverified ones. */
	assert_true(contains(&ran.out, " unverified)") ||
		contains(&ran.out, " unverified,"));
	ran_free(&ran);
	ran = fault("often-invalid", "cleanup", "4");
	assert_status(ran, 0);
	assert_contains(ran.out, "invalid: invalid because it was told to");
	ran_free(&ran);
	ran = fault("invalid", "cleanup", "0");
	assert_status(ran, 0);
	assert_contains(ran.out, "invalid because it was told to");
	ran_free(&ran);
}

/* All samples before the fault are in the session file. */
static void test_kept(void **state)
{
	char line[512];

	snprintf(line, sizeof line,
		"run selftest.fault how=segv phase=trials launch=5 budget=60s "
		"launches=6 trials=100; save %s",
		in_folder("kept.json"));
	struct ran ran = RUN(SELFTEST, "-c", line);
	assert_status(ran, 5);
	ran_free(&ran);
	char *content = read_whole(in_folder("kept.json"));
	assert_non_null(strstr(content, "\"state\":\"failed\""));
	assert_non_null(strstr(content, "SIGSEGV"));
	free(content);
	ran = RUN(SELFTEST, "verify", in_folder("kept.json"));
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "-c",
		(snprintf(line, sizeof line, "load %s; export csv --trials",
			 in_folder("kept.json")),
			line));
	/* Four complete launches of 100 trials, and ten trials of the fifth. */
	assert_int_equal(lines_beginning(&ran.out, "selftest.fault,"), 410);
	ran_free(&ran);
}

/* A run whose worker dies does not end the script. */
static void test_goes_on(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.fault how=abort launch=1 budget=60s launches=6 "
		"trials=60; run selftest.fault budget=60s launches=6 trials=60 "
		"-v");

	assert_status(ran, 5);
	assert_contains(ran.err, "SIGABRT");
	assert_contains(ran.out, "launch limit reached");
	ran_free(&ran);
}

/* A task on the same processor can hide it. */
static void test_work_not_done(void **state)
{
	bool found = false;

	for (int i = 0; i < 3 && !found; i++) {
		struct ran ran = RUN(SELFTEST, "run", "selftest.lazy",
			"manner=honest,lazy", "budget=3s", "launches=6", "-v");

		assert_status(ran, 0);
		assert_contains(ran.out, "manner=honest");
		found = contains(&ran.out, "the work was optimised away");
		ran_free(&ran);
	}
	assert_true(found);
}

/* A co-runner that left once while the pilot compared. */
static void test_work_beside_others(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.lazy", "manner=beside",
		"budget=1s", "launches=6", "-v");

	assert_status(ran, 0);
	assert_lacks(ran.out, "optimised away");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deaths),
		cmocka_unit_test(test_pilot),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_unavailable),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_work_not_done),
		cmocka_unit_test(test_work_beside_others),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
