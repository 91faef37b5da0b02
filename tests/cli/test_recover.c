/* kill -9 of the lab or its worker at any moment: no published sample is lost,
 * and nothing is left behind. */
#include "watch.h"

static pid_t start_lab(void)
{
	const char *words[] = { "run", "selftest.adds", "links=100",
		"trials=10000", "launches=30", "budget=60s", NULL };
	int null = open("/dev/null", O_WRONLY);
	pid_t pid = start(SELFTEST, words, null, null);

	close(null);
	return pid;
}

static bool is_locked(const char *path)
{
	struct tape tape;
	struct error error;

	if (tape_open(&tape, path, &error))
		return true;
	tape_close(&tape, true);
	return false;
}

/* The children of a killed lab end by themselves, soon where the machine is not
 * busy. A process that ends has no command line some time before its files are
 * closed. */
static void await_ends(void)
{
	char path[512];

	for (int i = 0; i < 2000 && processes_of(SELFTEST); i++)
		pause_ms(5);
	assert_int_equal(processes_of(SELFTEST), 0);
	for (int i = 0; i < 2000 && find_tape(path, sizeof path) &&
		is_locked(path); i++)
		pause_ms(5);
}

static void kill_lab(pid_t lab)
{
	kill(lab, SIGKILL);
	waitpid(lab, NULL, 0);
	await_ends();
}

/* The tape of a lab that was killed while it measured. */
static void leave_tape(char *path, size_t size_bytes)
{
	pid_t lab = start_lab();

	assert_true(wait_for_trials(lab));
	kill_lab(lab);
	assert_true(find_tape(path, size_bytes));
}

/* On a busy machine a lab takes a while to create its tape. */
static bool await_tape(char *path, size_t size_bytes)
{
	for (int i = 0; i < 1000; i++) {
		if (find_tape(path, size_bytes))
			return true;
		pause_ms(5);
	}
	return false;
}

static void test_lab_killed(void **state)
{
	size_t measured = 0;

	/* On a busy machine a lab may take seconds to its first trial. */
	for (int round = 0; round < 12 || (!measured && round < 80); round++) {
		char path[512];
		pid_t lab = start_lab();

		pause_ms(40 + 37 * round);
		kill_lab(lab);
		if (!find_tape(path, sizeof path))
			continue;
		size_t published = trials_on(path);
		struct ran ran =
			RUN(SELFTEST, "-c", "recover; export csv --trials");
		assert_status(ran, published ? 0 : 2);
		assert_int_equal(lines_beginning(&ran.out, "selftest.adds,"),
			published);
		if (published)
			assert_contains(ran.out, "recovered");
		measured += published;
		ran_free(&ran);
		/* The run is now in the autosaved session, and its tape is
		 * removed. */
		assert_false(find_tape(path, sizeof path));
	}
	assert_true(measured > 0);
}

/* The lab's first child; 0: none. */
static pid_t worker_of(pid_t lab)
{
	char path[64];
	int worker = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)lab,
		(int)lab);
	FILE *children = fopen(path, "r");
	assert_non_null(children);
	if (fscanf(children, "%d", &worker) != 1)
		worker = 0;
	fclose(children);
	return worker;
}

/* On a busy machine a lab takes a while to start its worker. */
static pid_t await_worker(pid_t lab)
{
	pid_t worker = 0;

	for (int i = 0; i < 1000 && !worker; i++) {
		worker = worker_of(lab);
		if (!worker)
			pause_ms(5);
	}
	return worker;
}

/* A worker may end by itself before it is killed; then the next worker is
 * killed. */
static bool kill_a_worker(pid_t lab)
{
	for (int i = 0; i < 20; i++) {
		pid_t worker = await_worker(lab);

		if (!worker)
			return false;
		if (!kill(worker, SIGKILL))
			return true;
	}
	return false;
}

/* Kills at random moments, and therefore in every phase, including the
 * calibration of the clock. */
static void test_worker_killed(void **state)
{
	int killed = 0, noticed = 0;

	for (int round = 0; round < 12; round++) {
		int status;
		pid_t lab = start_lab();

		await_worker(lab);
		pause_ms(31 * round);
		if (!kill_a_worker(lab)) {
			kill(lab, SIGINT);
			waitpid(lab, &status, 0);
			continue;
		}
		killed++;
		waitpid(lab, &status, 0);
		assert_true(WIFEXITED(status));
		/* Between two launches the killed worker may already have ended
		 * normally. */
		if (WEXITSTATUS(status) != 0)
			assert_int_equal(WEXITSTATUS(status), 5);
		noticed += WEXITSTATUS(status) == 5;
		await_ends();
	}
	assert_true(killed >= 6);
	assert_true(noticed > 0);
}

/* Recovered runs of this machine are not added to a session of another
 * machine. */
static void test_into_another(void **state)
{
	struct ran ran = RUN(PROGRAM, "-c", "load published:a; recover");

	assert_status(ran, 2);
	assert_contains(ran.err, "the session is from another machine");
	ran_free(&ran);
}

static void test_nothing(void **state)
{
	struct ran ran = RUN(PROGRAM, "recover");

	assert_status(ran, 0);
	assert_contains(ran.out, "nothing to recover");
	ran_free(&ran);
}

static void refuses(const char *name, const char *content, size_t length,
	const char *sentence)
{
	FILE *file = fopen(in_folder(name), "we");

	assert_non_null(file);
	fwrite(content, 1, length, file);
	fclose(file);
	struct ran ran = RUN(PROGRAM, "recover", in_folder(name));
	assert_status(ran, 3);
	assert_contains(ran.err, sentence);
	ran_free(&ran);
}

static void test_garbage(void **state)
{
	static char big[65536];

	refuses("empty", "", 0, "too short");
	refuses("short", "benchtap", 8, "too short");
	refuses("zeros", big, sizeof big, "wrong magic number");
	memset(big, 0xff, sizeof big);
	memcpy(big, "benchtap", 8);
	refuses("ones", big, sizeof big, "version");
	struct ran ran = RUN(PROGRAM, "recover", in_folder("absent"));
	assert_status(ran, 3);
	ran_free(&ran);
}

/* The tape of a running lab is not an orphan. */
static void test_living(void **state)
{
	char path[512];
	pid_t lab = start_lab();

	assert_true(await_tape(path, sizeof path));
	/* The run must not end meanwhile, however long the two commands
	 * take. */
	kill(lab, SIGSTOP);
	struct ran ran = RUN(SELFTEST, "recover");
	assert_status(ran, 0);
	assert_contains(ran.out, "nothing to recover");
	ran_free(&ran);
	ran = RUN(SELFTEST, "recover", path);
	assert_status(ran, 3);
	assert_contains(ran.err, "still running");
	ran_free(&ran);
	kill(lab, SIGINT);
	kill(lab, SIGCONT);
	int status;
	waitpid(lab, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 130);
	assert_false(find_tape(path, sizeof path));
}

/* Random bytes in a valid tape give an error sentence or a session, never a
 * crash. */
static void test_scribbled(void **state)
{
	char path[512];
	pid_t lab = start_lab();
	unsigned seed = 1;

	assert_true(await_tape(path, sizeof path));
	pause_ms(100);
	kill_lab(lab);
	assert_true(find_tape(path, sizeof path));
	for (int round = 0; round < 40; round++) {
		struct text command = { 0 };

		text_add(&command, "cp %s %s", path, in_folder("scribbled"));
		assert_int_equal(system(command.chars), 0);
		text_free(&command);
		int fd = open(in_folder("scribbled"), O_RDWR);
		assert_true(fd >= 0);
		for (int i = 0; i < 20; i++) {
			seed = seed * 1103515245 + 12345;
			char byte = (char)(seed >> 16);
			off_t at = (off_t)(seed % (round % 2 ? 16384 : 200000));

			assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		}
		close(fd);
		struct ran ran =
			RUN(SELFTEST, "recover", in_folder("scribbled"));
		assert_true(
			ran.status == 0 || ran.status == 2 || ran.status == 3);
		ran_free(&ran);
		unlink(in_folder("scribbled"));
	}
	unlink(path);
}

static void change_line(const char *tape, const char *line)
{
	int fd = open(tape, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, line, strlen(line) + 1,
				 offsetof(struct tape_header, line)),
		strlen(line) + 1);
	close(fd);
}

/* Several tapes, one of them unreadable: the others are recovered, it is kept,
 * and every sentence names its tape. */
static void test_several(void **state)
{
	char *unknown = strdup(in_folder("run/benchtop/1-unknown"));
	struct text command = { 0 };
	char path[512];

	leave_tape(path, sizeof path);
	text_add(&command, "cp %s %s", path, unknown);
	assert_int_equal(system(command.chars), 0);
	text_free(&command);
	change_line(unknown, "run no.such");
	struct ran ran = RUN(SELFTEST, "recover");
	assert_status(ran, 3);
	assert_contains(ran.out, path);
	assert_contains(ran.out, ", now in '");
	assert_contains(ran.err, "not recovered: ");
	assert_contains(ran.err, "unknown experiment 'no.such'");
	assert_contains(ran.err, unknown);
	ran_free(&ran);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(unknown, F_OK), 0);
	ran = RUN(SELFTEST, "recover");
	assert_status(ran, 3);
	assert_contains(ran.err, "unknown experiment 'no.such'");
	assert_contains(ran.err, unknown);
	ran_free(&ran);
	unlink(unknown);
	free(unknown);
}

/* The samples up to the begin of the first launch after the pilot. */
static uint64_t length_to_launch(const char *path)
{
	struct tape tape;
	struct error error;
	uint64_t i = 0;

	assert_int_equal(tape_open(&tape, path, &error), 0);
	while (i < tape_length(&tape) &&
		(tape.samples[i].kind != SAMPLE_LAUNCH || !tape.samples[i].n))
		i++;
	assert_true(i < tape_length(&tape));
	tape_close(&tape, true);
	return i + 1;
}

/* A lab that was killed between the begin of a launch and its first trial. */
static void test_before_first_trial(void **state)
{
	char path[512];

	leave_tape(path, sizeof path);
	uint64_t length = length_to_launch(path);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &length, sizeof length,
				 offsetof(struct tape_header, length)),
		sizeof length);
	close(fd);
	struct ran ran = RUN(SELFTEST, "-c", "recover; export csv --trials");
	assert_status(ran, 2);
	assert_contains(ran.out, "no trial of selftest.adds, nothing to keep");
	ran_free(&ran);
	assert_false(find_tape(path, sizeof path));
}

/* Tapes that fail for the same reason, as an update may leave many, give one
 * sentence. */
static void test_alike(void **state)
{
	static const char *const names[] = { "run/benchtop/1-a",
		"run/benchtop/1-b", "run/benchtop/1-c" };
	char path[512];

	leave_tape(path, sizeof path);
	change_line(path, "run no.such");
	for (size_t i = 0; i < 3; i++) {
		struct text command = { 0 };

		text_add(&command, "cp %s %s", path, in_folder(names[i]));
		assert_int_equal(system(command.chars), 0);
		text_free(&command);
	}
	unlink(path);
	struct ran ran = RUN(SELFTEST, "recover");
	for (size_t i = 0; i < 3; i++)
		unlink(in_folder(names[i]));
	assert_status(ran, 3);
	assert_contains(ran.err, "unknown experiment 'no.such'");
	assert_contains(ran.err, "; likewise 2 more tapes\n");
	assert_int_equal(lines_beginning(&ran.err, ""), 1);
	ran_free(&ran);
}

/* A recovered run is a new session: it has the last number, and the numbers of
 * the others stay. */
static void test_order(void **state)
{
	char path[512];

	leave_tape(path, sizeof path);
	pause_ms(1100); /* names have seconds */
	struct ran ran = RUN(SELFTEST, "run", "selftest.adds", "links=10",
		"launches=6", "trials=20", "budget=2s");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "sessions");
	assert_status(ran, 0);
	char was[24];
	snprintf(was, sizeof was, "%zu", lines_beginning(&ran.out, "") - 1);
	ran_free(&ran);
	assert_true(find_tape(path, sizeof path));
	ran = RUN(SELFTEST, "recover");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "export", "csv", "--session", was);
	assert_status(ran, 0);
	assert_contains(ran.out, "links=10,");
	ran_free(&ran);
	ran = RUN(SELFTEST, "export", "csv");
	assert_status(ran, 0);
	assert_null(strstr(ran.out.chars, "links=10,"));
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_into_another),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_lab_killed),
		cmocka_unit_test(test_worker_killed),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_living),
		cmocka_unit_test(test_scribbled),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_before_first_trial),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
