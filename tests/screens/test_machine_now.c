/* The present activity of the processors on the Machine screen: for machines of
 * every size, and when it is sampled. */
#include <math.h>

#include "machine_fixture.h"
#include "run_internal.h"
#include "tick.h"
#include "tiers.h"

#include "seated.h"

/* A machine with `cores` cores of `threads` threads; the siblings are numbered
 * after all first threads. Processor 0 is completely busy, 1 slightly, the
 * others idle. Each runs at 2.6 GHz, except the first. */
static struct inspection *machine_of(int cores, int threads)
{
	struct inspection *inspection = inspection_of(&screen);
	struct cpu_map *map = &inspection->map;
	struct cpu_now *now = &inspection->now;

	map->cores = (size_t)cores;
	map->threads = (size_t)threads;
	cpu_now_forget(now);
	now->span_s = 35;
	for (int i = 0; i < cores; i++) {
		map->core[i].threads = (size_t)threads;
		for (size_t k = 0; k < map->levels; k++)
			map->level[k].share[i] = i;
		for (int k = 0; k < threads; k++) {
			int cpu = i + k * cores;

			map->core[i].cpu[k] = cpu;
			now->hz[cpu] = cpu ? 2.6e9 : 5.31e9;
			now->busy[cpu] = cpu > 1 ? 0 : cpu ? .021 : .996;
		}
	}
	return inspection;
}

static int open_machine(void **state)
{
	inspected_open(&lab, &screen);
	screen_execute(&screen, "view machine");
	lab.places.chosen = 0;
	return 0;
}

/* Draws at a size, and searches for lines in this order. */
static void expect_lines(int columns, int rows, const char *const *lines)
{
	const char *drawn = drawn_at(columns, rows), *at = drawn;

	for (; *lines; lines++) {
		at = strstr(at, *lines);
		if (!at)
			fail_msg("no '%s' in its place in\n%s", *lines, drawn);
	}
}

#define EXPECT(COLUMNS, ROWS, ...) \
	expect_lines(COLUMNS, ROWS, \
		(const char *const[]){ __VA_ARGS__, "; busy over 35 s", \
			NULL })

static void test_one(void **state)
{
	machine_of(1, 1);
	EXPECT(80, 24, "| cpu [0] ", "| GHz  5.3 ", "| busy 100% ", "| L1d ");
	EXPECT(120, 40, "| cpu [0] ", "| GHz  5.3 ", "| busy 100% ");
}

static void test_two(void **state)
{
	machine_of(2, 1);
	EXPECT(80, 24, "| cpu [0]     1 ", "| GHz  5.3    2.6 ",
		"| busy 100%   2% ");
	EXPECT(120, 40, "| GHz  5.3    2.6 ", "| busy 100%   2% ");
}

/* Eight processors in four cores: the share is that of a processor, the
 * frequency that of a core. */
static void test_eight(void **state)
{
	struct inspection *inspection = machine_of(4, 2);

	inspection->now.hz[6] = 4.1e9;
	inspection->now.busy[7] = NAN;
	EXPECT(80, 24, "| smt  4    5    6    7  ",
		"| GHz  5.3  2.6  4.1  2.6  ", "| busy 100% 2%   0%   0%  ",
		"|  smt 0%   0%   0%       ", "| L1d ");
	EXPECT(120, 40, "| GHz  5.3    2.6    4.1    2.6 ");
}

/* If the map has no room for all cores, or its cells are too narrow, text
 * summarises all of them. */
static void test_many(void **state)
{
	static const int cores[] = { 8, 64, 128 };

	for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
		machine_of(cores[i], 2);
		expect_lines(80, 24,
			(const char *const[]){ "| GHz  2.6 to 5.3, cpu 0 5.3",
				"| busy 100% cpu 0, rest up to 2% ", "| L1d ",
				NULL });
	}
	EXPECT(120, 40, "| GHz  2.6 to 5.3, cpu 0 5.3 ",
		"| busy 100% cpu 0, 2% cpu 1, rest up to 0% ", "| L1d ",
		"more cores");
	/* At this size eight processors have a row each. */
	machine_of(8, 1);
	EXPECT(120, 40, "| GHz  5.3  2.6  2.6  2.6  2.6  2.6  2.6  2.6 ");
}

/* The lines end within the narrowest pane. */
static void test_longest(void **state)
{
	struct inspection *inspection = machine_of(128, 1);

	inspection->now.busy[1023] = 1;
	inspection->now.busy[1022] = 1;
	inspection->now.busy[0] = 0;
	expect_lines(80, 24,
		(const char *const[]){ "| busy 100% cpu 1022  ", NULL });
	for (size_t i = 0; i < CPUS_MAX; i++)
		inspection->now.busy[i] = .001;
	EXPECT(120, 40, "| busy 0%, each processor ");
	for (size_t i = 0; i < CPUS_MAX; i++)
		inspection->now.hz[i] = 2.6e9;
	EXPECT(120, 40, "| GHz  2.6, each processor ");
}

/* Unknown values have no row. */
static void test_untold(void **state)
{
	struct inspection *inspection = machine_of(2, 1);

	inspection->now.hz[0] = inspection->now.hz[1] = 0;
	assert_null(strstr(drawn_at(80, 24), "GHz  "));
	EXPECT(80, 24, "| busy 100%   2% ");
	cpu_now_forget(&inspection->now);
	assert_null(strstr(drawn_at(120, 40), "busy"));
	assert_non_null(strstr(drawn_at(120, 40), "[0] measures"));
	machine_of(128, 2);
	cpu_now_forget(&inspection->now);
	assert_null(strstr(drawn_at(120, 40), "busy"));
}

static void test_spans(void **state)
{
	static const struct {
		double s;
		const char *said;
	} spans[] = { { 1, "over 1 s" }, { 119, "over 119 s" },
		{ 120, "over 2 min" }, { 7200, "over 2 h" } };

	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
		machine_of(2, 1)->now.span_s = spans[i].s;
		assert_non_null(strstr(drawn_at(120, 40), spans[i].said));
	}
}

/* Nothing overlaps, at any size and for any machine. */
static void test_sizes(void **state)
{
	static const int machines[][2] = { { 1, 1 }, { 2, 1 }, { 4, 2 },
		{ 8, 8 }, { 64, 1 }, { 128, 2 } };

	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		machine_of(machines[i][0], machines[i][1]);
		draw_sizes(&screen, 300, 100, 3, 3);
	}
}

/* ---- when it is sampled ----------------------------------------------- */

/* The machine is sampled when the screen or a pane with it comes into view.
 * Nothing else samples it, and never twice within a second. */
static void test_looks(void **state)
{
	struct inspection *inspection = inspection_of(&screen);

	assert_true(inspection->looked_ns > 0);
	assert_true(cpu_times_have(&inspection->now.times, 0));
	inspection->looked_ns = 1;
	drawn_at(120, 40);
	press("Down");
	assert_true(inspection->looked_ns == 1);
	press("Tab");
	assert_true(inspection->looked_ns > 1);
	uint64_t looked_ns = inspection->looked_ns;
	press("5");
	if (tick_raw_ns() - looked_ns < 1000000000)
		assert_true(inspection->looked_ns == looked_ns);
	inspection->looked_ns = 1;
	press("5");
	assert_true(inspection->looked_ns > 1);
}

/* Reading the frequency of a processor may interrupt it. */
static void test_no_look_while_measuring(void **state)
{
	struct inspection *inspection = machine_of(2, 1);
	struct results results = { .place.cpu = 1 };
	struct run run = { .results = &results };

	inspection->looked_ns = 1;
	fixture_going(&lab, &run);
	screen_execute(&screen, "view machine");
	fixture_going(&lab, NULL);
	assert_true(inspection->looked_ns == 1);
	assert_true(inspection->now.span_s <= 0);
	assert_true(inspection->now.hz[0] <= 0);
}

int main(void)
{
#define IN_LAB(test) \
	cmocka_unit_test_setup_teardown(test, open_machine, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_one),
		IN_LAB(test_two),
		IN_LAB(test_eight),
		IN_LAB(test_many),
		IN_LAB(test_longest),
		IN_LAB(test_untold),
		IN_LAB(test_spans),
		IN_LAB(test_sizes),
		IN_LAB(test_looks),
		IN_LAB(test_no_look_while_measuring),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
