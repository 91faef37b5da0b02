/* Launches that are dear: a run keeps its budget or says beforehand that it
 * cannot, and a worker that is slow is not taken for one that is stuck. */
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

/* Six of two tenths of a second, and the pilot, in half of one: an interval
 * has to be, and whoever waits knows it before the first. */
static void test_said_beforehand(void **state)
{
	static const char *const words[] = { "run", "selftest.slow",
		"pilot=200ms", "later=200ms", "budget=500ms", NULL };

	struct ran ran = run_on_terminal(SELFTEST, words, ON_ERR, "");
	assert_status(ran, 0);
	const char *said = strstr(text_chars(&ran.err),
		"selftest.slow: the pilot and 6 launches of all points take");
	const char *launch = strstr(text_chars(&ran.err), "launch 1 of");
	assert_non_null(said);
	assert_non_null(launch);
	assert_true(said < launch);
	assert_contains(ran.err, "longer than budget=500.0 ms");
	/* It stays with the figures. */
	assert_contains(ran.out, "note: the pilot and 6 launches");
	assert_contains(ran.out, "after 6 launches");
	ran_free(&ran);
}

/* The pilot foretold a hundredth of it: the run does not take what nobody was
 * told of, and keeps what it has. */
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

/* Somewhat slower is said as well, for the sake of an interval. */
static void test_somewhat_slower(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.slow", "later=500ms",
		"budget=1s", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "slower than the pilot expected, 6 launches");
	assert_contains(ran.out, "\"stopped\":\"budget\"");
	ran_free(&ran);
}

/* A set-up of longer than the watchdog's patience that touches a page now and
 * then, as on a machine whose memory comes slowly. */
static void test_slow_is_not_stuck(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.slow", "manner=touch",
		"pilot=12s", "budget=1s", "launches=6", "trials=20");

	assert_status(ran, 0);
	assert_contains(ran.out, "after 6 launches");
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

/* Ctrl-C in a set-up of a minute: nothing of it is to be kept, so nobody waits
 * for its end. */
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
	assert_non_null(strstr(said, "none of the 2 points was measured"));
	assert_non_null(strstr(said, "stopped, trials kept"));
	free(said);
	assert_int_equal(processes_of(SELFTEST), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_said_beforehand),
		cmocka_unit_test(test_slower_than_foretold),
		cmocka_unit_test(test_somewhat_slower),
		cmocka_unit_test(test_slow_is_not_stuck),
		cmocka_unit_test(test_interrupted_set_up),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
