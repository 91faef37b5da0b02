/* Expensive launches: a run keeps its budget or warns beforehand, and a slow
 * worker is not considered stuck. */
#include "terminal.h"
#include "tick.h"
#include "watch.h"

static double took_s(const struct text *out)
{
	const char *at = strstr(text_chars(out), "\"took_s\":");
	double took = -1;

	assert_non_null(at);
	assert_int_equal(sscanf(at, "\"took_s\": %lf", &took), 1);
	return took;
}

static int launches_of(const struct text *out)
{
	const char *at = strstr(text_chars(out), "\"launches\":[");
	int launches = 0;

	assert_non_null(at);
	while ((at = strstr(at + 1, "\"seed\":")))
		launches++;
	return launches;
}

/* Six launches of 400 ms and the pilot exceed the budget of 500 ms several
 * times. An interval needs six, so the user is warned as soon as the pilot has
 * sized the point, and only once. */
static void test_said_beforehand(void **state)
{
	static const char *const words[] = { "run", "selftest.slow",
		"pilot=400ms", "later=400ms", "budget=500ms", NULL };

	struct ran ran = run_on_terminal(SELFTEST, words, ON_ERR, "");
	assert_status(ran, 0);
	const char *said = strstr(text_chars(&ran.err),
		"selftest.slow: needs more than ");
	const char *launch = strstr(text_chars(&ran.err), "launch 1 of");
	assert_non_null(said);
	assert_non_null(launch);
	assert_true(said < launch);
	assert_contains(ran.err,
		" s for 6 launches of 1 point; the budget is");
	/* Afterwards one sentence states what was true. */
	assert_contains(ran.out,
		"note       the pilot and 6 launches (the minimum) took ");
	assert_contains(ran.out, " s; the budget was 0.5 s");
	assert_null(strstr(text_chars(&ran.out), "needs more than"));
	assert_null(strstr(text_chars(&ran.out), "needs about"));
	assert_contains(ran.out, "measured   6 launches");
	ran_free(&ran);
}

/* Requested trials have a least duration, so the user is warned before the
 * pilot. */
static void test_many_trials(void **state)
{
	static const char *const words[] = { "run", "cpu.syscall",
		"call=getppid,getpid,times", "trials=20000", "budget=200ms",
		NULL };

	struct ran ran = run_on_terminal(SELFTEST, words, ON_ERR, "");
	const char *said = strstr(text_chars(&ran.err),
		"cpu.syscall: needs more than ");
	const char *pilot = strstr(text_chars(&ran.err), "point 2 of 3");
	assert_non_null(said);
	assert_true(!pilot || said < pilot);
	assert_contains(ran.err, "6 launches of 3 points; the");
	ran_free(&ran);
}

/* Launches take a hundred times as long as the pilot predicted. The run does
 * not exceed the announced time, and keeps its samples. */
static void test_slower_than_foretold(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.slow", "later=4s",
		"budget=1s", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "slower than the pilot expected");
	assert_contains(ran.out, "\"stopped\":\"budget\"");
	assert_int_equal(launches_of(&ran.out), 1);
	/* Six would take 24 s at least. */
	assert_true(took_s(&ran.out) < 20);
	ran_free(&ran);
}

/* Launches that are only somewhat slower are reported while the run continues
 * until it has an interval; then its time is stated once. */
static void test_somewhat_slower(void **state)
{
	static const char *const words[] = { "run", "selftest.slow",
		"later=300ms", "budget=500ms", "--json", NULL };

	struct ran ran = run_on_terminal(SELFTEST, words, ON_ERR, "");
	assert_status(ran, 0);
	assert_contains(ran.err, "slower than the pilot expected; needs about");
	assert_contains(ran.out, "\"stopped\":\"budget\"");
	assert_contains(ran.out, " took ");
	assert_null(strstr(text_chars(&ran.out), "pilot expected; needs"));
	ran_free(&ran);
}

/* A set-up that lasts longer than the watchdog's limit but touches a page now
 * and then, as on a machine that provides memory slowly. */
static void test_slow_is_not_stuck(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.slow", "manner=touch",
		"pilot=12s", "budget=1s", "launches=6", "trials=20");

	assert_status(ran, 0);
	assert_contains(ran.out, "measured   6 launches");
	assert_null(strstr(text_chars(&ran.out), "did not respond"));
	ran_free(&ran);
}

static bool is_setting_up(void)
{
	struct tape_header header = { .length = 0 };
	char path[512];
	int fd = find_tape(path, sizeof path) ? open(path, O_RDONLY) : -1;
	bool is = fd >= 0 &&
		pread(fd, &header, sizeof header, 0) == sizeof header &&
		header.phase == PHASE_SETUP;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Ctrl-C during a set-up of a minute: nothing of it would be stored, so the lab
 * does not wait for its end. */
static void test_interrupted_set_up(void **state)
{
	static const char *const words[] = { "run", "selftest.slow",
		"manner=tell", "pilot=58s,59s", NULL };
	int out = open(in_folder("said"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	uint64_t begin_ns = tick_raw_ns();

	assert_true(out >= 0);
	pid_t pid = start(SELFTEST, words, out, out);
	close(out);
	while (!is_setting_up() && tick_raw_ns() - begin_ns < 30000000000u)
		pause_ms(5);
	kill(pid, SIGINT);
	assert_int_equal(wait_status(pid), 130);
	assert_true(tick_raw_ns() - begin_ns < 50000000000u);
	char *said = read_whole(in_folder("said"));
	assert_string_equal(said,
		"selftest.slow: stopped before its first trial, nothing is "
		"kept\n");
	free(said);
	assert_int_equal(processes_of(SELFTEST), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_said_beforehand),
		cmocka_unit_test(test_many_trials),
		cmocka_unit_test(test_slower_than_foretold),
		cmocka_unit_test(test_somewhat_slower),
		cmocka_unit_test(test_slow_is_not_stuck),
		cmocka_unit_test(test_interrupted_set_up),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
