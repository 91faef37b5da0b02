/* Options for a shared core: --wait-quiet of runs and scripts, and the order in
 * which `ab` measures its two points. */
#include <sched.h>
#include <sys/prctl.h>

#include "schema.h"

/* When the time has passed the run starts, even on a shared core. */
static void it_waits_no_longer_than_told(void **state)
{
	int64_t begin = now_ms();
	struct ran ran = RUN(SELFTEST, "run", "selftest.adds", "launches=6",
		"--wait-quiet=20ms");

	assert_status(ran, 0);
	assert_contains(ran.out, "measured   6 launches");
	ran_free(&ran);
	ran = RUN(SELFTEST, "--wait-quiet=20ms", "-c",
		"run selftest.adds launches=6; run selftest.adds launches=6");
	assert_status(ran, 0);
	ran_free(&ran);
	/* Each of the three runs takes some tenths of a second. */
	assert_true(now_ms() - begin < 20000);
}

/* A task on the measured processor, not beside it. */
static void a_task_on_the_processor_is_waited_for(void **state)
{
	cpu_set_t allowed, first;
	char cpu[20];
	size_t number = 0;

	assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	while (!CPU_ISSET(number, &allowed))
		number++;
	CPU_ZERO(&first);
	CPU_SET(number, &first);
	snprintf(cpu, sizeof cpu, "cpu=%zu", number);
	pid_t spinner = fork();
	if (!spinner) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sched_setaffinity(0, sizeof first, &first);
		for (;;)
			;
	}
	int64_t begin = now_ms();
	struct ran ran = RUN(SELFTEST, "run", "selftest.adds", cpu,
		"launches=6", "--wait-quiet=400ms");
	assert_true(now_ms() - begin >= 400);
	kill(spinner, SIGKILL);
	waitpid(spinner, NULL, 0);
	assert_contains(ran.out, "the core was still shared or busy after ");
	ran_free(&ran);
}

static void a_time_that_is_none_is_refused(void **state)
{
	static const char *const wrong[] = { "--wait-quiet=", "--wait-quiet=x",
		"--wait-quiet=-1s", "--wait-quiet=5apples" };

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct ran ran = RUN(SELFTEST, "run", "selftest.adds",
			"launches=6", wrong[i]);

		assert_status(ran, 2);
		assert_contains(ran.err, "wait-quiet");
		assert_int_equal(ran.out.length, 0);
		ran_free(&ran);
	}
}

static void assert_order(const char *options, bool paired)
{
	char line[200];

	snprintf(line, sizeof line,
		"ab %s cpu.syscall call=getppid call=getpid launches=6; "
		"save --force order.json",
		options);
	struct ran ran = RUN(SELFTEST, "-c", line);
	assert_status(ran, 0);
	assert_contains(ran.out, "  A getppid ");
	assert_contains(ran.out, "\n  B getpid ");
	ran_free(&ran);
	char *content = read_whole("order.json");
	assert_true((strstr(content, "\"paired\":true") != NULL) == paired);
	free(content);
	ran = RUN(SELFTEST, "verify", "order.json");
	assert_status(ran, 0);
	ran_free(&ran);
}

/* Trial by trial, or visit by visit: the session stores which, and a comparison
 * follows from its trials. */
static void ab_takes_turns_unless_told(void **state)
{
	assert_order("", true);
	assert_order("--blocked", false);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_waits_no_longer_than_told),
		cmocka_unit_test(a_task_on_the_processor_is_waited_for),
		cmocka_unit_test(a_time_that_is_none_is_refused),
		cmocka_unit_test(ab_takes_turns_unless_told),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
