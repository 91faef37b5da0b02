/* Scale: the cost of 5 000 kept sessions for the start of the screen and for
 * lists, and of a session with 5 million trials in 2 000 runs. */
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"
#include "many_trials.h"
#include "cli/run.h"
#include "session.h"
#include "terminal/seat.h"

enum {
	FILES = 5000,
	FILE_TRIALS = 1000, /* of a launch */
	RUNS = 2000,
	RUN_TRIALS = 250, /* of a launch */
	LAUNCHES = 10,
};

/* ---- the files -------------------------------------------------------- */

static void make_session(const char *path, size_t runs, unsigned trials)
{
	struct session *session = session_new();
	struct error error;
	struct stat is;

	machine_read(&session->machine);
	for (size_t i = 0; i < runs; i++)
		session_add_run(session, bench_run(LAUNCHES, trials));
	if (session_save_copy(session, path, &error) || stat(path, &is))
		bench_fail("cannot save a session");
	printf("%s: %zu runs, %zu trials, %.3g MB\n", path, runs,
		runs * LAUNCHES * trials, (double)is.st_size / 1e6);
	session_free(session);
}

static void keep_sessions(void)
{
	struct ran ran = RUN("/bin/mkdir", "-p", "state/benchtop/sessions");
	char name[80];

	ran_free(&ran);
	make_session("small.json", 1, FILE_TRIALS);
	char *content = read_whole("small.json");
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof name,
			"state/benchtop/sessions/20250301-%06d-1.json", i);
		write_file(name, content);
	}
	free(content);
}

/* ---- the screen ------------------------------------------------------- */

static void bench_start(const char *what)
{
	struct rounds took = { .what = what, .unit = "ms" };

	seat_start_ms(); /* warms the cache */
	for (int i = 0; i < ROUNDS; i++)
		rounds_add(&took, seat_start_ms());
	rounds_print(&took, AT_MOST, 100);
}

static double type_ms(struct seat *seat, const char *keys)
{
	uint64_t began_ns = seat_now_ns();

	seat_type(seat, keys);
	return (double)(seat->mark.at_ns - began_ns) * 1e-6;
}

/* A key of each screen while the large session is in use. */
static void bench_keys(void)
{
	static const struct {
		const char *key, *what;
	} rows[] = {
		{ "1", "  a key, Lab" },
		{ "2", "  a key, Sweep" },
		{ "4", "  a key, Compare" },
		{ "5", "  a key, Machine" },
	};
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, ":load large.json\r");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rounds took = { .what = rows[i].what, .unit = "ms" };

		for (int k = 0; k < ROUNDS; k++) {
			seat_type(&seat, "3");
			rounds_add(&took, type_ms(&seat, rows[i].key));
		}
		rounds_print(&took, AT_MOST, 100);
	}
	seat_close(&seat);
}

/* ---- commands --------------------------------------------------------- */

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void bench_line(const char *what, const char *line, enum target target,
	double limit_s)
{
	struct rounds took = { .what = what, .unit = "s" };
	struct rounds busy = { .what = "  its processor time", .unit = "s" };
	struct rounds peak = { .what = "  its peak memory", .unit = "MB" };
	const char *const words[] = { "-c", line, NULL };
	int status, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct rusage used;

	for (int i = 0; i < ROUNDS; i++) {
		double began = bench_seconds();
		pid_t child = start(PROGRAM, words, null, STDERR_FILENO);

		if (wait4(child, &status, 0, &used) != child || status)
			bench_fail(line);
		rounds_add(&took, bench_seconds() - began);
		rounds_add(&busy,
			seconds(used.ru_utime) + seconds(used.ru_stime));
		rounds_add(&peak, (double)used.ru_maxrss * 1024 / 1e6);
	}
	close(null);
	rounds_print(&took, target, limit_s);
	rounds_print(&busy, NO_TARGET, 0);
	rounds_print(&peak, NO_TARGET, 0);
}

/* Fills the index, and lists as all later ones do. */
static void bench_first_list(void)
{
	struct rounds took = { .what = "sessions, the first", .unit = "s" };

	for (int i = 0; i < ROUNDS; i++) {
		unlink("state/benchtop/index.sqlite");
		double began = bench_seconds();
		struct ran ran = RUN(PROGRAM, "sessions");

		rounds_add(&took, bench_seconds() - began);
		assert_status(ran, 0);
		ran_free(&ran);
	}
	rounds_print(&took, AT_MOST, 1);
}

static void test_all(void **state)
{
	assert_int_equal(chdir(folder), 0);
	bench_start("first frame, no session");
	keep_sessions();
	printf("%d of them are kept\n", FILES);
	bench_start("first frame");
	bench_first_list();
	bench_line("sessions", "sessions", AT_MOST, 1);
	bench_line("history", "history cpu.syscall", AT_MOST, 1);
	make_session("large.json", RUNS, RUN_TRIALS);
	bench_line("load", "load large.json", NO_TARGET, 0);
	bench_line("load and save", "load large.json; save large.json",
		NO_TARGET, 0);
	bench_line("verify", "verify large.json", NO_TARGET, 0);
	bench_keys();
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	setvbuf(stdout, NULL, _IOLBF, 0);
	return cmocka_run_group_tests(all, make_folder, remove_folder);
}
