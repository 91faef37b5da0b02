/* Little memory, one processor, no /proc, no /sys, a container's filter: what
 * works, and the sentence of what does not. */
#include "thin.h"

#define QUICK     " launches=6 trials=6 budget=300ms"
#define TOO_LARGE "needs 256.0 MiB of memory"
#define NO_SMAPS  "cannot find the pages of the buffer in /proc/self/smaps"
#define NO_SPACES "cannot open /proc/self/ns/net: No such file or directory"
#define NO_LINK   "needs root or a container with CAP_SYS_ADMIN"

enum environment { MEMORY, PROCESSOR, PROC, SYS, FILTER, ENVIRONMENTS };

static const struct {
	const char *name;
	int (*enter)(void);
} environments[ENVIRONMENTS] = {
	[MEMORY] = { "64 MB of memory", thin_memory },
	[PROCESSOR] = { "one processor", thin_processor },
	[PROC] = { "no /proc", thin_proc },
	[SYS] = { "no /sys", thin_sys },
	[FILTER] = { "a container's filter", thin_filter },
};

/* A line, and the status and sentence where it does not work. A run without a
 * good trial, on a busy machine, works too. */
static const struct row {
	const char *line;
	struct {
		int status;
		const char *says;
	} in[ENVIRONMENTS];
} rows[] = {
	{ "list", { { 0 } } },
	{ "show mem.latency", { { 0 } } },
	{ "complete 'run cpu.'", { { 0 } } },
	{ "machine", { { 0 } } },
	{ "doctor", { { 0 } } },
	{ "sessions", { { 0 } } },
	{ "note kept; save noted.json --force", { { 0 } } },
	{ "run cpu.syscall call=getppid" QUICK, { { 0 } } },
	{ "run cpu.switch" QUICK, { { 0 } } },
	{ "run mem.latency size=4K,1M order=local" QUICK,
		{ [PROC] = { 4, NO_SMAPS } } },
	{ "run mem.latency size=256M order=local" QUICK,
		{ [MEMORY] = { 4, TOO_LARGE }, [PROC] = { 4, NO_SMAPS } } },
	{ "run mem.fault size=256M" QUICK, { [MEMORY] = { 4, TOO_LARGE } } },
	{ "run mem.fault size=1M" QUICK, { { 0 } } },
	{ "run net.rtt" QUICK, { { 0 } } },
	{ "load session.json; export csv; export openmetrics", { { 0 } } },
	{ "load session.json; report -o r.html --force", { { 0 } } },
	{ "compare session.json session.json", { { 0 } } },
	{ "load session.json; snapshot lab s.svg", { { 0 } } },
	{ "load session.json; score", { { 0 } } },
	{ "verify session.json", { { 0 } } },
	{ "recover", { { 0 } } },
	{ "link rtt=1ms -- true",
		{ [PROC] = { 6, NO_SPACES }, [FILTER] = { 4, NO_LINK } } },
};

enum { ROWS = sizeof rows / sizeof *rows };

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	char *session = read_whole(SOURCE_FOLDER "/assets/pictures/calls.json");
	write_file("session.json", session);
	free(session);
	return 0;
}

/* Prints what differs from the table. */
static bool is_as_stated(const struct row *row, enum environment in,
	const struct ran *ran)
{
	const char *says = row->in[in].says;
	size_t length = strcspn(text_chars(&ran->err), "\n");
	bool one = ran->status == 0 || ran->err.length == length + 1;

	if (ran->status == row->in[in].status && one &&
		(!says || contains(&ran->err, says)))
		return true;
	print_error("%s: '%s' ends with %d: %s\n", environments[in].name,
		row->line, ran->status, text_chars(&ran->err));
	return false;
}

static void test_table(void **state)
{
	int wrong = 0;

	for (int in = 0; in < ENVIRONMENTS; in++)
		for (int i = 0; i < ROWS; i++) {
			struct ran ran = run_thin(environments[in].enter,
				rows[i].line);

			if (ran.status == -1) {
				print_message("SKIP: not permitted here: %s\n",
					environments[in].name);
				ran_free(&ran);
				break;
			}
			wrong += !is_as_stated(&rows[i], in, &ran);
			ran_free(&ran);
		}
	assert_int_equal(wrong, 0);
	assert_int_equal(processes_of(PROGRAM), 0);
}

/* A clock that stands still ends what needs a clock with a sentence. */
static void test_clock_stands(void **state)
{
	static const char library[] =
		"/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
	static const char *const lines[] = { "run cpu.syscall call=getppid",
		"machine", "doctor", "note x; run cpu.syscall call=getppid" };

	if (access(library, R_OK)) {
		print_message("SKIP: no libfaketime here\n");
		skip();
	}
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		setenv("LD_PRELOAD", library, 1);
		setenv("FAKETIME", "2026-01-01 00:00:00", 1);
		struct ran ran = RUN(PROGRAM, "-c", lines[i]);
		unsetenv("LD_PRELOAD");
		assert_status(ran, 5);
		assert_contains(ran.err, "CLOCK_MONOTONIC_RAW stands still");
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_clock_stands),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
