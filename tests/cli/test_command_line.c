/* Short names of experiments, cycles, and files with accidental names on the
 * command line. */
#include "run.h"

/* A name without its group is accepted, and the reply names the experiment. */
static void test_short_name(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "sysc", "launches=6", "trials=5",
		"budget=300ms", "--json");

	assert_status(ran, 0);
	assert_contains(ran.err, "'sysc' is cpu.syscall\n");
	assert_contains(ran.out, "\"experiment\":\"cpu.syscall\"");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "bandwidth");
	assert_status(ran, 2);
	assert_contains(ran.err,
		"expected one of ipc.bandwidth, mem.bandwidth, "
		"net.bandwidth");
	ran_free(&ran);
}

/* The highlights of the session, in the order of the experiments. `quick` is a
 * word of the shell's command line only. */
static void test_summary(void **state)
{
	struct ran ran = RUN(PROGRAM, "-c",
		"run mem.latency size=1K launches=6 trials=5 budget=300ms; "
		"run cpu.syscall launches=6 trials=5 budget=300ms; summary");

	assert_status(ran, 0);
	const char *call = strstr(ran.out.chars, "\n  system call  ");
	assert_non_null(call);
	assert_non_null(strstr(call, "\n  load, 1 KiB  "));
	assert_null(strstr(call, "page fault"));
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "summary");
	assert_status(ran, 2);
	assert_contains(ran.err, "`benchtop quick` measures them");
	ran_free(&ran);
	ran = RUN(PROGRAM, "quick", "quick.json");
	assert_status(ran, 2);
	assert_contains(ran.err, "quick: expected no further argument");
	ran_free(&ran);
	ran = RUN(PROGRAM, "quick", "--help");
	assert_status(ran, 0);
	assert_contains(ran.out, "  benchtop quick\n      execute the script ");
	ran_free(&ran);
	ran = RUN(PROGRAM, "help", "quick");
	assert_status(ran, 0);
	assert_contains(ran.out, "  benchtop quick\n      execute the script ");
	ran_free(&ran);
}

/* The tour needs the screen. Without one, a sentence names the script. */
static void test_tour(void **state)
{
	struct ran ran = RUN(PROGRAM, "tour");

	assert_status(ran, 2);
	assert_contains(ran.err, "the tour needs a terminal: `benchtop "
		"--script tour.lab` is a tour without one");
	ran_free(&ran);
	ran = RUN(PROGRAM, "tour", "--help");
	assert_status(ran, 0);
	assert_contains(ran.out, "start the tour of the screen");
	ran_free(&ran);
	ran = RUN(PROGRAM, "tour", "--plain");
	assert_status(ran, 2);
	assert_contains(ran.err, "--plain");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "tour");
	assert_status(ran, 2);
	assert_contains(ran.err, "`tour` needs the screen");
	ran_free(&ran);
}

/* Rows that a script composes make a table. */
static void test_own_summary(void **state)
{
	struct ran ran = RUN(PROGRAM, "-c",
		"run cpu.syscall call=getppid,time via=raw launches=6 trials=5 "
		"budget=300ms; run cpu.signal how=self placement=other; "
		"summary Processes; "
		"summary '  by name'; "
		"summary 'null call' cpu.syscall{call=getppid}; "
		"summary handler cpu.signal.handler{how=self}; "
		"summary pipe ipc.pingpong");

	assert_contains(ran.out, "\nProcesses\n  by name\n  null call         ");
	assert_contains(ran.out,
		"\n  handler                            -  how=self has no");
	assert_contains(ran.out,
		"\n  pipe                               -  not measured\n");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c",
		"run ipc.bandwidth through=pipe size=64K launches=6 "
		"budget=500ms; run net.bandwidth mode=message size=64K "
		"launches=6 budget=500ms; "
		"summary Pipe ipc.bandwidth --MB; "
		"summary TCP net.bandwidth --MB");
	assert_status(ran, 0);
	assert_contains(ran.out, " MB/s ");
	const char *row = strstr(text_chars(&ran.out), "\n  TCP ");
	assert_non_null(row);
	assert_non_null(strstr(row, " MB/s "));
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "summary x cpu.syscall --MB");
	assert_status(ran, 2);
	assert_contains(ran.err, "expected a figure in bytes or bits");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "summary x cpu.syscall --MHz");
	assert_status(ran, 2);
	assert_contains(ran.err, "--MHz expected a frequency");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "summary x cpu.syscall.tine");
	assert_status(ran, 2);
	assert_contains(ran.err, "has no metric 'tine': did you mean 'time'?");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c", "summary x cpu.syscall{call=nothing}");
	assert_status(ran, 2);
	ran_free(&ran);
}

/* A bound in cycles is stored in cycles and compared with cycles: in the file,
 * in the text, in the score and in its JSON. */
static void test_cycles(void **state)
{
	struct text line = { 0 };

	text_add(&line,
		"predict cpu.syscall 250..300c; "
		"run cpu.syscall launches=6 trials=20 budget=300ms; "
		"save %s; score; score --json",
		in_folder("cycles.json"));
	struct ran ran = RUN(PROGRAM, "-c", line.chars);
	assert_status(ran, 0);
	text_free(&line);
	assert_contains(ran.out, "  cpu.syscall  250 .. 300 cyc  you  ");
	assert_contains(ran.out, "\"unit\":\"cycles\"");
	assert_contains(ran.out, "\"total\":[250,300]");
	ran_free(&ran);
	char *file = read_whole(in_folder("cycles.json"));
	assert_non_null(strstr(file, "\"in_cycles\":true"));
	free(file);
	ran = RUN(PROGRAM, "score",
		"--session", in_folder("cycles.json"));
	assert_status(ran, 0);
	assert_contains(ran.out, "  cpu.syscall  250 .. 300 cyc  you  ");
	ran_free(&ran);
}

/* Without any saved run, an unmeasured experiment is not reported as failed. */
static void test_nothing_measured(void **state)
{
	struct ran ran = RUN(PROGRAM, "expect", "cpu.call", "median", "<",
		"1s");

	assert_status(ran, 7);
	assert_contains(ran.err,
		"undecided: the session has no run of cpu.call");
	ran_free(&ran);
}

/* "-" is standard output. */
static void test_export_to_output(void **state)
{
	struct ran plain = RUN(PROGRAM, "export", "csv");
	struct ran dash = RUN(PROGRAM, "export", "csv", "-");

	assert_status(plain, 0);
	assert_status(dash, 0);
	assert_contains(dash.out, "cpu.syscall");
	assert_string_equal(plain.out.chars, dash.out.chars);
	assert_int_equal(access("-", F_OK), -1);
	ran_free(&plain);
	ran_free(&dash);
	plain = RUN(PROGRAM, "export", "csv", "1");
	assert_status(plain, 2);
	assert_contains(plain.err, "`export csv FILE --session=1`");
	assert_int_equal(access("1", F_OK), -1);
	ran_free(&plain);
	plain = RUN(PROGRAM, "export", "openmetrics", in_folder("cycles.json"));
	assert_status(plain, 74);
	assert_contains(plain.err, "; to export this session: --session=");
	ran_free(&plain);
}

/* The emulated path is described only if packets pass through it. */
static void test_no_path(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "net.rtt", "host=loopback",
		"launches=6", "trials=5", "budget=300ms", "-v");

	assert_status(ran, 0);
	assert_contains(ran.out, "host=loopback proto=tcp payload=56");
	assert_null(strstr(ran.out.chars, "loss="));
	ran_free(&ran);
}

/* An earlier report is replaced, and the reply states this. */
static void test_report_again(void **state)
{
	const char *path = in_folder("again.md");
	struct ran once = RUN(PROGRAM, "report", "last", "-o", path);
	struct ran again = RUN(PROGRAM, "report", "last", "-o", path);

	assert_status(once, 0);
	assert_status(again, 0);
	assert_null(strstr(once.out.chars, "in place of"));
	assert_contains(again.out, "again.md, in place of an earlier report\n");
	ran_free(&once);
	ran_free(&again);
	write_file(path, "# not a report\n");
	once = RUN(PROGRAM, "report", "last", "-o", path);
	assert_status(once, 74);
	assert_contains(once.err, "not a report; name another file");
	ran_free(&once);
}

static void assert_completes(const char *line, const char *offers)
{
	struct ran ran = RUN(PROGRAM, "complete", "--", line);

	assert_status(ran, 0);
	assert_string_equal(ran.out.chars, offers);
	ran_free(&ran);
}

/* Verbs that read a session accept its number. */
static void test_completion(void **state)
{
	assert_completes("compare la", "last\nFILE\n");
	assert_completes("load 1", "1\nFILE\n");
	assert_completes("report l", "last\nFILE\n");
	assert_completes("verify la", "last\nFILE\n");
	assert_completes("export csv x --session=l", "--session=last\n");
	assert_completes("export csv x --session l", "last\nFILE\n");
	assert_completes("save la", "FILE\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_short_name),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_own_summary),
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_export_to_output),
		cmocka_unit_test(test_no_path),
		cmocka_unit_test(test_report_again),
		cmocka_unit_test(test_completion),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
