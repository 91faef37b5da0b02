/* The Sweep screen: golden grids by what is drawn, size and tier. */
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

static void test_lines(void **state)
{
	(void)state;
	golden_of("lines", "mem.latency", "probe -9");
}

/* Zoomed in on, with intervals and linear figures. */
static void test_closer(void **state)
{
	(void)state;
	golden_of("closer", "mem.latency",
		"probe -20; sweep intervals; sweep closer; sweep log-up");
}

static void test_map(void **state)
{
	(void)state;
	golden_of("map", "mem.mountain", "probe -3; move 1");
}

static void test_bars(void **state)
{
	(void)state;
	golden_of("bars", "cpu.syscall", "move -1");
}

/* The largest arrays were drawn by two launches of six. */
static void test_points(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
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

static void test_trace(void **state)
{
	(void)state;
	golden_of("trace", "mem.fault", "move 1; move 1");
}

/* As it is while a run goes on: of a part of the points nothing is known. */
static void test_partial(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
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

	(void)state;
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
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_closer),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
