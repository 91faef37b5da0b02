/* Two labs on one processor disturb each other: the second reports it, in its
 * text and in its session, with the first lab's process. Other users' labs may
 * hold locks too during the test; only those of the test are checked. */
#include <sched.h>

#include "watch.h"

static int first_cpu = -1, second_cpu = -1;

static int prepare(void **state)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof allowed, &allowed);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &allowed))
			continue;
		if (first_cpu < 0)
			first_cpu = i;
		else if (second_cpu < 0)
			second_cpu = i;
	}
	return make_folder(state) || chdir(folder);
}

/* A lab that measures on a processor until it is stopped. */
static pid_t start_first(int cpu)
{
	char where[32];
	const char *words[] = { "run", "selftest.adds", where, "trials=50000",
		"launches=30", "budget=60s", NULL };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	snprintf(where, sizeof where, "cpu=%d", cpu);
	pid_t pid = start(SELFTEST, words, null, null);
	close(null);
	assert_true(wait_for_trials(pid));
	return pid;
}

static struct ran run_second(int cpu)
{
	char line[160];

	snprintf(line, sizeof line,
		"run selftest.adds cpu=%d launches=6 trials=20 budget=2s "
		"-v; save second.json --force",
		cpu);
	struct ran ran = RUN(SELFTEST, "-c", line);
	assert_status(ran, 0);
	return ran;
}

static bool names(const struct ran *ran, pid_t lab)
{
	char piece[64];

	snprintf(piece, sizeof piece, "process %d also measures on cpu ",
		(int)lab);
	return contains(&ran->out, piece);
}

/* Does `lab` hold the lock? Another user's lab may have been first. */
static bool holds(int cpu, pid_t lab)
{
	char path[64], *content;
	bool its;

	snprintf(path, sizeof path, "/run/lock/benchtop-cpu%d", cpu);
	if (access(path, R_OK))
		snprintf(path, sizeof path, "run/benchtop/.cpu%d", cpu);
	content = read_whole(path);
	its = strtol(content, NULL, 10) == lab;
	free(content);
	return its;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Has the child executed the program? Before, it is a copy of this test, and
 * then of env. */
static bool runs(pid_t pid, const char *name)
{
	char process[16];

	snprintf(process, sizeof process, "%d", (int)pid);
	char *comm = read_process(process, "comm", ' ');
	bool there = !strncmp(comm, name, strlen(name));
	free(comm);
	return there;
}

/* Other tests count processes that were left behind. Programs of other users do
 * not count; those of this test do, even if their parent has ended. */
static void test_whose(void **state)
{
	const char *const foreign[] = { "-i", "sleep", "59", NULL };
	const char *const own[] = { "sleep", "59", NULL };
	const char *const left[] = { "-c", "sleep 58 & echo $!", NULL };
	int i, ends[2];
	char said[32] = "";

	pid_t theirs = start("/usr/bin/env", foreign, 1, 2);
	for (i = 0; i < 2000 && !runs(theirs, "sleep"); i++)
		pause_ms(5);
	assert_int_equal(processes_of("sleep 59"), 0);
	assert_int_equal(kill(theirs, 0), 0);
	pid_t ours = start("/usr/bin/env", own, 1, 2);
	/* Until then it is a program with these words, too. */
	for (i = 0; i < 2000 && !runs(ours, "sleep"); i++)
		pause_ms(5);
	assert_int_equal(processes_of("sleep 59"), 1);
	end(ours);
	assert_int_equal(processes_of("sleep 59"), 0);
	end(theirs);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t shell = start("/bin/sh", left, ends[1], 2);
	assert_int_equal(waitpid(shell, NULL, 0), shell);
	assert_true(read(ends[0], said, sizeof said - 1) > 0);
	close(ends[0]);
	close(ends[1]);
	for (i = 0; i < 2000 && !processes_of("sleep 58"); i++)
		pause_ms(5);
	assert_int_equal(processes_of("sleep 58"), 1);
	assert_int_equal(kill((pid_t)strtol(said, NULL, 10), SIGKILL), 0);
}

static void test_same(void **state)
{
	char note[64];

	pid_t first = start_first(first_cpu);
	bool its = holds(first_cpu, first);
	struct ran ran = run_second(first_cpu);
	snprintf(note, sizeof note, "also measures on cpu %d", first_cpu);
	assert_contains(ran.out, "note: process ");
	assert_contains(ran.out, note);
	if (its)
		assert_true(names(&ran, first));
	ran_free(&ran);
	char *session = read_whole("second.json");
	assert_non_null(strstr(session, note));
	free(session);
	/* The lock is released when its holder ends in any way. */
	kill(first, SIGKILL);
	wait_status(first);
	for (int i = 0; i < 2000 && processes_of(SELFTEST); i++)
		pause_ms(5);
	ran = run_second(first_cpu);
	assert_false(names(&ran, first));
	ran_free(&ran);
	ran = RUN(SELFTEST, "recover");
	assert_status(ran, 0);
	ran_free(&ran);
}

static void test_other(void **state)
{
	if (second_cpu < 0)
		skip_because("one processor only");
	pid_t first = start_first(first_cpu);
	struct ran ran = run_second(second_cpu);
	assert_false(names(&ran, first));
	ran_free(&ran);
	kill(first, SIGINT);
	assert_int_equal(wait_status(first), 130);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whose),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_other),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
