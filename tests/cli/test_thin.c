/* Little memory, one processor, no /proc, no /sys or a part of it, a
 * container's filter, clocks that lie: what works, and the sentence of what
 * does not. */
#include "thin.h"

#define TOO_LARGE "needs 128.0 MiB of memory"
#define NO_SPACE  "'ulimit -v' limits the address space"
#define NO_SMAPS  "/proc/self/smaps: expected /proc"
#define NO_SPACES "cannot open /proc/self/ns/net: No such file or directory: " \
		  "expected /proc"
#define NO_LOCKS  "again: No such file or directory: expected /proc"
#define NO_LINK   "needs root or a container with CAP_SYS_ADMIN"

static const struct thin_row rows[] = {
	{ .line = "list" },
	{ .line = "show mem.latency" },
	{ .line = "complete 'run cpu.'" },
	{ .line = "machine" },
	{ .line = "doctor" },
	{ .line = "sessions" },
	{ .line = "note kept; save noted.json --force" },
	{ .line = "run cpu.syscall call=getppid" THIN_QUICK
		  "; run cpu.switch" THIN_QUICK
		  "; run cpu.process" THIN_QUICK
		  "; run cpu.process how=posix-spawn,shell" THIN_QUICK
		  "; run mem.fault size=1M" THIN_QUICK
		  "; run net.rtt" THIN_QUICK
		  "; run net.connect capture=on" THIN_QUICK
		  "; run ipc.pingpong through=pipe,fifo,posix-mq,sysv-sem"
		  THIN_QUICK
		  "; run ipc.bandwidth size=64K" THIN_QUICK
		  "; run ipc.ready" THIN_QUICK },
	{ .line = "run mem.latency size=4K,1M order=local" THIN_QUICK,
		.in = { [THIN_PROC] = { 4, NO_SMAPS } } },
	{ .line = "run mem.latency size=128M order=local" THIN_QUICK,
		.is_large = true,
		.in = { [THIN_MEMORY] = { 4, TOO_LARGE },
			[THIN_SPACE] = { 4, NO_SPACE } } },
	{ .line = "run mem.fault size=128M" THIN_QUICK,
		.is_large = true,
		.in = { [THIN_MEMORY] = { 4, TOO_LARGE },
			[THIN_SPACE] = { 4, NO_SPACE } } },
	{ .line = "run net.rtt host=link rtt=1ms" THIN_QUICK,
		.in = { [THIN_PROC] = { 4, NO_SPACES },
			[THIN_FILTER] = { 4, NO_LINK } } },
	{ .line = "run mem.bandwidth size=1M" THIN_QUICK,
		.in = { [THIN_PROC] = { 4, NO_SMAPS } } },
	{ .line = "run ipc.pingpong through=flock" THIN_QUICK,
		.in = { [THIN_PROC] = { 4, NO_LOCKS } } },
	{ .line = "sessions; sessions; history cpu.syscall" },
	{ .line = "fleet session.json" },
	{ .line = "load session.json; summary" },
	{ .line = "load session.json; export csv; export openmetrics" },
	{ .line = "load session.json; report -o r.html --force" },
	{ .line = "compare session.json session.json" },
	{ .line = "load session.json; snapshot lab s.svg" },
	{ .line = "load session.json; score" },
	{ .line = "verify session.json" },
	{ .line = "recover" },
	{ .line = "link rtt=1ms -- true",
		.in = { [THIN_PROC] = { 6, NO_SPACES },
			[THIN_FILTER] = { 4, NO_LINK } } },
};

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	char *session = read_whole(SOURCE_FOLDER "/assets/pictures/calls.json");
	write_file("session.json", session);
	free(session);
	return 0;
}

static void test_table(void **state)
{
	assert_int_equal(thin_differing(rows, sizeof rows / sizeof *rows), 0);
	assert_int_equal(processes_of(PROGRAM), 0);
}

static void test_screen(void **state)
{
	for (int in = 0; in < THINS; in++) {
		struct ran ran = run_thin_screen((enum thin)in, "5q");

		if (ran.status == -1) {
			print_message("SKIP: not permitted here: %s\n",
				thin_name((enum thin)in));
		} else {
			print_message("%s\n", thin_name((enum thin)in));
			assert_status(ran, 0);
			assert_contains(ran.err, "Machine");
		}
		ran_free(&ran);
	}
	assert_int_equal(processes_of(PROGRAM), 0);
}

/* hwloc would end the program. */
static void test_no_nodes(void **state)
{
	struct ran ran = run_thin(thin_nodes, PROGRAM, "machine");

	if (ran.status == -1)
		skip_because("not permitted here: no memory nodes");
	assert_status(ran, 0);
	assert_contains(ran.out, "cores and caches unknown");
	ran_free(&ran);
	ran = run_thin(thin_nodes, PROGRAM, "run cpu.switch" THIN_QUICK);
	assert_status(ran, 0);
	ran_free(&ran);
}

static void test_no_program(void **state)
{
	static const char *const hows[] = { "posix-spawn", "fork-exec",
		"shell" };

	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
		struct text line = { 0 };

		text_add(&line, "run cpu.process how=%s" THIN_QUICK, hows[i]);
		struct ran ran =
			run_thin(thin_true, PROGRAM, text_chars(&line));
		text_free(&line);
		if (ran.status == -1) {
			print_message("SKIP: not permitted here: "
				      "no /bin/true\n");
			skip();
		}
		assert_status(ran, 4);
		assert_contains(ran.err, "cannot execute /bin/true: "
					 "Permission denied");
		ran_free(&ran);
	}
}

/* A child measures the clock; the lab kills a process that seems to stand. */
static bool is_clock_refused(const struct text *err)
{
	return contains(err, "did not respond and was killed") ||
		contains(err, "CLOCK_MONOTONIC_RAW stands still or steps back") ||
		contains(err, "expected a clock that neither jumps nor stands");
}

/* A clock that lies ends what needs a clock with a sentence, or does no harm. A
 * clock of the wrong rate cannot be told from a right one. */
static void test_clocks(void **state)
{
	static const char *const lines[] = { "machine", "doctor",
		"run cpu.syscall call=getppid precision=0.1% budget=1s",
		"note x; run net.rtt precision=0.1% budget=1s" };
	static const struct {
		const char *manner;
		bool may_work; /* if it steps while nobody reads it */
	} clocks[] = { { "stands", false }, { "back", true }, { "once", true },
		{ "fast", true }, { "ahead", true } };

	skip_if_instrumented();
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		for (size_t line = 0; line < sizeof lines / sizeof *lines;
			line++) {
			print_message("%s: %s\n", clocks[i].manner,
				lines[line]);
			setenv("LD_PRELOAD", CLOCK_SHIM, 1);
			setenv("BENCHTOP_CLOCK", clocks[i].manner, 1);
			struct ran ran = RUN(PROGRAM, "-c", lines[line]);
			unsetenv("LD_PRELOAD");
			if (ran.status || !clocks[i].may_work)
				assert_status(ran, 5);
			if (ran.status && !is_clock_refused(&ran.err))
				fail_msg("%s", text_chars(&ran.err));
			ran_free(&ran);
		}
	assert_int_equal(processes_of(PROGRAM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_no_nodes),
		cmocka_unit_test(test_no_program),
		cmocka_unit_test(test_clocks),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
