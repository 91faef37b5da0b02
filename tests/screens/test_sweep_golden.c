/* The Sweep screen: golden grids by content, size and tier. */
#include "golden.h"
#include "sweep_fixture.h"

/* Opens an experiment in the Sweep screen, does something, compares. */
static void golden_of(const char *view, const char *name, const char *line)
{
	struct screen screen;
	struct lab lab;

	swept_open(&lab, &screen);
	swept_measure(&lab);
	fixture_select(&screen, name);
	screen_execute(&screen, "view sweep");
	screen_execute(&screen, line);
	golden(&screen, view);
	fixture_close(&lab, &screen);
}

static void test_after_lines(void **state)
{
	static const struct {
		const char *view, *experiment, *line;
	} rows[] = {
		{ "lines", "mem.latency", "probe -9" },
		/* Zoomed, with intervals and a linear axis. */
		{ "closer", "mem.latency",
			"probe -20; sweep intervals; sweep closer; sweep "
			"log-up" },
		{ "map", "mem.mountain", "probe -3; move 1" },
		{ "bars", "cpu.syscall", "move -1" },
		{ "trace", "mem.fault", "move 1; move 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		golden_of(rows[i].view, rows[i].experiment, rows[i].line);
}

/* Two launches of six visited the largest arrays. */
static void test_points(void **state)
{
	struct screen screen;
	struct lab lab;

	swept_open(&lab, &screen);
	session_add_run(lab.session, swept_finder());
	struct results *results = swept_latencies(SIZE_MAX);
	for (size_t i = 1; i <= 5; i++)
		results->points[results->point_count - i].visit_count = 2;
	session_add_run(lab.session, results);
	fixture_select(&screen, "mem.latency");
	screen_execute(&screen, "view sweep");
	screen_execute(&screen, "sweep table; move -5");
	golden(&screen, "points");
	fixture_close(&lab, &screen);
}

/* During a run: some points have no figures yet. */
static void test_partial(void **state)
{
	struct screen screen;
	struct lab lab;

	swept_open(&lab, &screen);
	session_add_run(lab.session, swept_latencies(41));
	fixture_select(&screen, "mem.latency");
	screen_execute(&screen, "view sweep");
	golden(&screen, "partial");
	fixture_close(&lab, &screen);
}

static void test_missing(void **state)
{
	struct screen screen;
	struct lab lab;

	swept_open(&lab, &screen);
	session_add_run(lab.session, swept_choices(1, 1));
	fixture_select(&screen, "cpu.syscall");
	screen_execute(&screen, "view sweep");
	golden(&screen, "missing");
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_after_lines),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
