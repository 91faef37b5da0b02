/* Every exit code of the table, each with its cause. */
#include <sys/resource.h>

#include "watch.h"

/* The gates use a share of trials, which exists even if all trials were
 * disturbed. */
static void test_0_and_1(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10 launches=6 trials=20 budget=2s; "
		"expect selftest.adds excluded <= 100%; save gate.json");

	assert_status(ran, 0);
	assert_contains(ran.out, "ok   selftest.adds");
	ran_free(&ran);
	/* A gate that does not hold ends with 1, but the statements after it
	 * are executed. */
	ran = RUN(SELFTEST, "-c",
		"load gate.json; expect selftest.adds excluded > 100%; "
		"note after; export csv after.csv");
	assert_status(ran, 1);
	assert_contains(ran.out, "FAIL selftest.adds");
	assert_contains(ran.err, ": not met");
	assert_int_equal(access("after.csv", R_OK), 0);
	ran_free(&ran);
}

/* Two launches give no interval, so an expectation is undecided, and the
 * statements after it are executed. A failed gate has priority, in any
 * order. */
static void test_7(void **state)
{
	static const struct {
		const char *line;
		int status;
	} rows[] = {
		{ "load few.json; expect selftest.fault min < 1s; "
		  "export csv undecided.csv",
			7 },
		{ "load few.json; expect selftest.fault min < 1s; "
		  "expect selftest.fault excluded > 100%",
			1 },
		{ "load few.json; expect selftest.fault excluded > 100%; "
		  "expect selftest.fault min < 1s",
			1 },
		{ "load few.json; expect selftest.fault min < 1s; "
		  "load none.json",
			3 },
	};

	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.fault how=abort launch=5 launches=6 trials=60 "
		"budget=60s; save few.json");
	assert_status(ran, 5);
	ran_free(&ran);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ran = RUN(SELFTEST, "-c", rows[i].line);
		assert_status(ran, rows[i].status);
		assert_contains(ran.out, "?    selftest.fault");
		assert_true(contains(&ran.out, " launches, 6 needed)") ||
			contains(&ran.out, ": 1 launch, 6 needed)"));
		assert_contains(ran.err, ": undecided: ");
		ran_free(&ran);
	}
	assert_int_equal(access("undecided.csv", R_OK), 0);
}

static void test_2_3_and_5(void **state)
{
	struct ran ran = RUN(SELFTEST, "rum");

	assert_status(ran, 2);
	ran_free(&ran);
	write_file("no.json", "{}");
	/* A missing or invalid file ends the script: later statements are not
	 * executed. */
	ran = RUN(SELFTEST, "-c", "load no.json; export csv never.csv");
	assert_status(ran, 3);
	assert_int_equal(access("never.csv", F_OK), -1);
	ran_free(&ran);
	/* The exit code is that of the first failure. */
	ran = RUN(SELFTEST, "-c",
		"run selftest.fault how=abort launch=1 launches=6 budget=2s; "
		"expect selftest.fault min < 0");
	assert_status(ran, 5);
	assert_contains(ran.err, "SIGABRT");
	ran_free(&ran);
	/* A session that is lost counts more than what is not available. */
	ran = RUN(SELFTEST, "-c",
		"run selftest.fault how=unavailable launches=6 budget=1s; "
		"save /dev/null/lost.json");
	assert_status(ran, 74);
	ran_free(&ran);
}

/* The helper may have a privilege, so it accepts only the exact arguments with
 * which the program starts it. */
static void test_2_of_the_helper(void **state)
{
	static const char *const wrong[][7] = {
		{ "fil" },
		{ "live", "lo", "128", "latency", "all" },
		{ "live", "lo", "63", "latency", "all", "0" },
		{ "live", "lo", "128", "fast", "all", "0" },
		{ "live", "lo", "128", "latency", "outbound", "0" },
		{ "live", "lo", "128", "latency", "all", "65536" },
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct ran ran = run_words(PROGRAM "-capture", wrong[i]);

		assert_status(ran, 2);
		assert_contains(ran.err, "usage: benchtop-capture");
		ran_free(&ran);
	}
}

static void test_4(void **state)
{
	struct rlimit none = { 0, 0 };
	int out[2];

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (!pid) {
		const char *const words[] = { "benchtop", "run",
			"selftest.adds", "priority=fifo", "launches=6",
			"trials=20", "budget=2s", NULL };

		/* root may exceed its limit */
		setrlimit(RLIMIT_RTPRIO, &none);
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(0);
		unsetenv("XDG_STATE_HOME");
		setenv("HOME", "/nonexistent", 1);
		setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
		dup2(out[1], 1);
		dup2(out[1], 2);
		execv(SELFTEST, (char *const *)words);
		_exit(127);
	}
	close(out[1]);
	char said[8192] = "";
	size_t length = 0;
	for (ssize_t got; length < sizeof said - 1 &&
		(got = read(out[0], said + length, sizeof said - 1 - length)) >
			0;)
		length += (size_t)got;
	close(out[0]);
	int status = wait_status(pid);
	if (status == 127) {
		print_message("SKIP: not permitted here: nobody cannot run "
			      "the program\n");
		skip();
	}
	if (status != 4)
		fail_msg("exit code %d: %s", status, said);
	assert_non_null(strstr(said, "benchtop: "));
}

static void test_74(void **state)
{
	const char *const lines[] = { "list", "help", "show cpu.call --json",
		"list; list", "help --man" };
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_true(full >= 0);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const char *const words[] = { "-c", lines[i], NULL };
		int err[2];
		char said[512] = "";

		assert_int_equal(pipe2(err, O_CLOEXEC), 0);
		pid_t pid = start(PROGRAM, words, full, err[1]);
		close(err[1]);
		assert_true(read(err[0], said, sizeof said - 1) > 0);
		assert_int_equal(wait_status(pid), 74);
		assert_non_null(strstr(said, "No space left on device"));
		close(err[0]);
	}
	close(full);
}

/* Files that the program opens must not get the numbers of closed standard
 * streams. Otherwise output would be written into them, or input read from
 * them. */
static void test_closed(void **state)
{
	const struct {
		const char *words;
		int status;
	} lines[] = {
		{ "-c list >&-", 74 },
		{ "-c list <&- >&-", 74 },
		{ "-c list <&- >&- 2>&-", 74 },
		{ "-c list <&-", 0 },
		{ "--plain <&-", 0 },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct text line = { 0 };

		text_add(&line, "exec %s %s", PROGRAM, lines[i].words);
		struct ran ran = RUN("/bin/sh", "-c", text_chars(&line));
		assert_status(ran, lines[i].status);
		ran_free(&ran);
		text_free(&line);
	}
}

/* The parent may have set SIGCHLD to be ignored; the lab still waits for its
 * own children. */
static void test_ignored_children(void **state)
{
	const char *const words[] = { "run", "selftest.adds", "links=10",
		"launches=6", "trials=20", "budget=2s", NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	signal(SIGCHLD, SIG_IGN);
	pid_t pid = start(SELFTEST, words, null, null);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(wait_status(pid), 0);
	close(null);
}

/* A run that cannot be saved is reported to every reader, and its tape is
 * recovered later as a finished run. */
static void test_74_not_kept(void **state)
{
	setenv("XDG_STATE_HOME", "/proc/benchtop", 1);
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10 launches=6 trials=20 budget=2s");
	setenv("XDG_STATE_HOME", in_folder("state"), 1);
	assert_status(ran, 74);
	assert_contains(ran.err,
		"1 run not kept: cannot write to folder '/proc/benchtop/");
	ran_free(&ran);
	ran = RUN(SELFTEST, "recover");
	assert_status(ran, 0);
	assert_contains(ran.out, "finished but not saved");
	assert_false(contains(&ran.out, "fault"));
	ran_free(&ran);
}

/* A limit on file sizes causes an error, not death by signal. */
static void test_74_file_limit(void **state)
{
	struct rlimit before, small;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 512;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct ran ran = RUN(SELFTEST, "-c", "note x; save limited.json");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_status(ran, 74);
	assert_contains(ran.err, "File too large");
	ran_free(&ran);
}

/* The reader of the results has closed the pipe. */
static void test_141(void **state)
{
	const char *const words[] = { "list", NULL };
	int out[2];

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	close(out[0]);
	pid_t pid = start(PROGRAM, words, out[1], STDERR_FILENO);
	close(out[1]);
	assert_int_equal(wait_status(pid), 141);
}

/* A signal while a script measures: later runs are not measured. The partial
 * run is marked and stored, and statements that save are still executed. */
static void stopped_by(int signal, int status)
{
	const char *const words[] = { "-c",
		"run selftest.adds trials=10000 launches=30 budget=60s; "
		"run selftest.adds links=10; save stopped.json --force",
		NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid_t pid = start(SELFTEST, words, null, null);

	close(null);
	assert_true(wait_for_trials(pid));
	kill(pid, signal);
	assert_int_equal(wait_status(pid), status);
	assert_int_equal(processes_of(SELFTEST), 0);
	char *content = read_whole("stopped.json");
	assert_non_null(strstr(content, "\"state\":\"stopped\""));
	assert_non_null(strstr(content, "\"stopped\":\"user\""));
	/* The session has one run, not two. */
	assert_null(strstr(strstr(content, "\"experiment\":") + 1,
		"\"experiment\":"));
	free(content);
	struct ran ran =
		RUN(SELFTEST, "-c", "load stopped.json; export csv --trials");
	assert_status(ran, 0);
	assert_true(lines_beginning(&ran.out, "selftest.adds,") > 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "verify", "stopped.json");
	assert_status(ran, 0);
	ran_free(&ran);
}

static void test_129(void **state)
{
	stopped_by(SIGHUP, 129);
}

static void test_130(void **state)
{
	stopped_by(SIGINT, 130);
}

static void test_143(void **state)
{
	stopped_by(SIGTERM, 143);
}

/* The autosaved session also contains the run that a signal stopped. */
static void test_autosaved(void **state)
{
	const char *const words[] = { "run", "selftest.adds", "trials=10000",
		"launches=30", "budget=60s", NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char path[512] = "";

	struct ran ran =
		RUN("/usr/bin/env", "rm", "-rf", in_folder("state/benchtop"));
	ran_free(&ran);
	pid_t pid = start(SELFTEST, words, null, null);
	close(null);
	assert_true(wait_for_trials(pid));
	kill(pid, SIGINT);
	assert_int_equal(wait_status(pid), 130);
	DIR *dir = opendir(in_folder("state/benchtop/sessions"));
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			snprintf(path, sizeof path, "%s/%s",
				in_folder("state/benchtop/sessions"),
				entry->d_name);
	closedir(dir);
	char *content = read_whole(path);
	assert_non_null(strstr(content, "\"state\":\"stopped\""));
	free(content);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_0_and_1),
		cmocka_unit_test(test_7),
		cmocka_unit_test(test_2_3_and_5),
		cmocka_unit_test(test_2_of_the_helper),
		cmocka_unit_test(test_4),
		cmocka_unit_test(test_74),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_ignored_children),
		cmocka_unit_test(test_74_not_kept),
		cmocka_unit_test(test_74_file_limit),
		cmocka_unit_test(test_141),
		cmocka_unit_test(test_129),
		cmocka_unit_test(test_130),
		cmocka_unit_test(test_143),
		cmocka_unit_test(test_autosaved),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
