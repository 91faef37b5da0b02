/* A killed relay or keeper of a link ends what uses the link, within seconds
 * and with its cause. */
#include <sys/mman.h>

#include "cli/watch.h"

enum {
	WORDS = 8,
	BEGIN_MS = 60000, /* until the first link of a run, under any load */
	POLL_MS = 5,
	LIMIT_S = 4, /* less than the patience with a remote end */
	LINKS = 5,   /* of one run that are killed, at most */
};

#define LONG "rtt=100ms", "budget=60s"

static const struct row {
	const char *words[WORDS];
	bool keeper; /* is killed, not the relay */
} rows[] = {
	{ { "net.rtt", LONG }, false },
	{ { "net.rtt", LONG }, true },
	{ { "net.rtt", "proto=udp", LONG }, false },
	{ { "net.rtt", "proto=icmp", LONG }, false },
	{ { "net.connect", LONG }, false },
	{ { "net.bandwidth", "direction=down", LONG }, false },
	{ { "net.bandwidth", "direction=up", LONG }, false },
	{ { "net.slowstart", LONG }, false },
};

/* The first child of a process, or 0. */
static pid_t child_of(pid_t pid)
{
	char path[64];
	int child = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
	FILE *children = fopen(path, "re");
	if (children && fscanf(children, "%d", &child) != 1)
		child = 0;
	if (children)
		fclose(children);
	return child;
}

/* The keeper of the only link: the only process among the descendants of `pid`
 * that has a child and is so many generations below it. 0: none. */
static pid_t find_keeper(pid_t pid, int generations)
{
	char path[64];
	pid_t found = 0;
	int child;

	if (!generations)
		return child_of(pid) ? pid : 0;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
	FILE *children = fopen(path, "re");
	while (children && !found && fscanf(children, "%d", &child) == 1)
		found = find_keeper(child, generations - 1);
	if (children)
		fclose(children);
	return found;
}

/* Kills the keeper or the relay, whose parent it is, some time after the relay
 * began: the set-up of a run takes several round trips. The link of the pilot,
 * whose end is not seen, lasts a second, and longer under load; that of a
 * launch lasts five and more. */
static void kill_one(pid_t lab, int generations, bool keeper)
{
	pid_t found = 0, relay = 0;

	for (int i = 0; i < BEGIN_MS / POLL_MS && !relay; i++) {
		found = find_keeper(lab, generations);
		pause_ms(found ? 3000 : POLL_MS);
		relay = found ? child_of(found) : 0;
	}
	assert_true(relay > 0);
	assert_int_equal(kill(keeper ? found : relay, SIGKILL), 0);
}

/* Has the lab ended when LIMIT_S are over? */
static bool ends_in_time(pid_t lab)
{
	for (int i = 0; i < LIMIT_S * 100; i++) {
		siginfo_t info = { .si_pid = 0 };

		assert_int_equal(waitid(P_PID, (id_t)lab, &info,
					 WEXITED | WNOHANG | WNOWAIT),
			0);
		if (info.si_pid)
			return true;
		pause_ms(10);
	}
	return false;
}

/* Under load, what is killed may belong to a pilot, or to a link at its end.
 * Then the next link of the run is killed. */
static void expect_end(const char *const *words, bool run, bool keeper)
{
	int out = memfd_create("out", 0), err = memfd_create("err", 0);
	pid_t lab = start(PROGRAM, words, out, err);
	char text[1024] = "";
	bool ended = false;

	for (int i = 0; i < (run ? LINKS : 1) && !ended; i++) {
		kill_one(lab, run ? 2 : 1, keeper); /* a run has a worker */
		ended = ends_in_time(lab);
	}
	int status = wait_status(lab);
	assert_true(pread(err, text, sizeof text - 1, 0) >= 0);
	close(out);
	close(err);
	if (!ended || status != 6 ||
		!strstr(text, "the link has ended: its relay was killed\n"))
		fail_msg("%s: exit code %d, %s: %s", words[1], status,
			ended ? "in time" : "late", text);
	assert_int_equal(processes_of(PROGRAM), 0);
}

static void test_runs(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *words[WORDS + 3] = { "run" };
		size_t count = 1;

		for (size_t j = 0; j < WORDS && rows[i].words[j]; j++)
			words[count++] = rows[i].words[j];
		words[count] = "host=link";
		expect_end(words, true, rows[i].keeper);
	}
}

static void test_programs(void **state)
{
	static const char *const words[] = { "link", "--", "sleep", "60",
		NULL };
	static const char *const far[] = { "link", "--far=exec sleep 60", "--",
		"true", NULL };

	expect_end(words, false, false);
	expect_end(words, false, true);
	expect_end(far, false, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_programs),
	};

	int skipped = make_folder_for_links();

	return skipped ? skipped :
			 cmocka_run_group_tests(tests, NULL, remove_folder);
}
