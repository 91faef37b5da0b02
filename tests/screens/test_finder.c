/* The Sweep screen of a run that found levels along its traces. */
#include "finder_fixture.h"
#include "golden.h"
#include "tiers.h"
#include "view_sweep.h"

#include "seated.h"

static int open_found(void **state)
{
	swept_open_list(&lab, &screen, finder_list);
	swept_caches(&lab);
	session_add_run(lab.session, finder_results(true));
	fixture_select(&screen, "mem.hierarchy");
	screen_execute(&screen, "view sweep");
	return 0;
}

static void test_capacities(void **state)
{
	press("Down");
	press("Down");
	press("Right");
	golden(&screen, "finder");
}

static void test_translations(void **state)
{
	press("n");
	golden(&screen, "finder-pages");
}

/* Events of all launches are dots without lines, and their times have a
 * unit. */
static void test_events(void **state)
{
	press("n");
	press("n");
	press("n");
	press("Home");
	golden(&screen, "finder-events");
}

static void test_findings(void **state)
{
	press("t");
	golden(&screen, "finder-found");
}

/* If a run found no level, its curve is still drawn. */
static void test_nothing_found(void **state)
{
	session_add_run(lab.session, finder_results(false));
	screen_execute(&screen, "view lab; view sweep");
	assert_non_null(strstr(drawn_at(80, 24), "a dot per launch"));
	assert_null(strstr(drawn_at(80, 24), "found"));
	assert_null(strstr(drawn_at(80, 24), "L1d"));
	press("t");
	assert_non_null(strstr(said(), "no table: needs"));
	draw_tiers(&screen, 120, 40);
}

/* The probe moves along x, in any order of the launches, and from level to
 * level. */
static void test_probe(void **state)
{
	press("Home");
	assert_non_null(strstr(drawn_at(80, 24), "size 4K  "));
	press("Right");
	assert_non_null(strstr(drawn_at(80, 24), "size 4.76K  "));
	press("Down");
	assert_non_null(strstr(drawn_at(80, 24), "size 32K  "));
	press("Down");
	assert_non_null(strstr(drawn_at(80, 24), "size 1M  "));
	press("Up");
	assert_non_null(strstr(drawn_at(80, 24), "size 32K  "));
	press("End");
	assert_non_null(strstr(drawn_at(80, 24), "size 128M  "));
	assert_non_null(strstr(drawn_at(80, 24), "in memory, "));
	press("n");
	assert_non_null(strstr(drawn_at(80, 24), "page 16  "));
	assert_non_null(strstr(drawn_at(80, 24), "2 of 4"));
}

/* A finding that the experiment calls uncertain is shown as uncertain, and
 * beside the value of the kernel. */
static void test_words(void **state)
{
	assert_non_null(strstr(drawn_at(80, 24),
		"found 31.2K, 983K, 25M  kernel 32K, 1M, 32M  agrees, "
		"uncertain, effective"));
	assert_non_null(
		strstr(drawn_at(120, 40), "L3 effective: 78 % of the kern"));
	assert_non_null(strstr(drawn_at(120, 40), "TLB2 1536"));
	press("n");
	press("n");
	assert_non_null(strstr(drawn_at(80, 24), "found 64"));
	assert_null(strstr(drawn_at(80, 24), "kernel"));
}

/* A list that does not fit scrolls, up to its last line. */
static void test_findings_scroll(void **state)
{
	press("t");
	assert_non_null(strstr(drawn_at(60, 10), "L1d holds"));
	assert_null(strstr(drawn_at(60, 10), "TLB2 holds"));
	for (int i = 0; i < 20; i++)
		press("Down");
	assert_null(strstr(drawn_at(60, 10), "L1d holds"));
	assert_non_null(strstr(drawn_at(60, 10), "TLB2 holds"));
	press("Home");
	assert_non_null(strstr(drawn_at(60, 10), "L1d holds"));
	press("t");
	assert_non_null(strstr(drawn_at(80, 24), "found 31.2K"));
}

static void test_every_size(void **state)
{
	static const char *const lines[] = { "sweep trace; sweep fitting",
		"sweep next-trace", "sweep closer", "sweep table" };

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		screen_execute(&screen, lines[i]);
		draw_sizes(&screen, 200, 60, 6, 4);
	}
}

/* A sweep in the same session uses the measured cache sizes, also in its table.
 * By the kernel's size, L3 would hold 32M. */
static void test_served_by(void **state)
{
	session_add_run(lab.session, swept_latencies(SIZE_MAX));
	screen_execute(&screen, "pick mem.latency; view sweep; sweep table");
	assert_string_equal(point_note(&lab.session->runs[1]->points[60],
				    "level"),
		"L3");
	screen_execute(&screen, "point 61");
	const char *row = strstr(drawn_at(80, 24), " 32M  local");
	assert_non_null(row);
	assert_non_null(strstr(row, "memory"));
	assert_true(strstr(row, "memory") < strchr(row, '\n'));
	row = strstr(drawn_at(80, 24), " 16M  local");
	assert_non_null(strstr(row, "L3"));
	assert_true(strstr(row, "L3") < strchr(row, '\n'));
}

/* Each of two threads has half of the array. A half of 88K does not fit an L1d,
 * a half of 45K does. The threads share the last cache. */
static void test_shares_of_threads(void **state)
{
	struct results *results = swept_latencies(SIZE_MAX);

	for (size_t i = 0; i < results->point_count; i++) {
		struct text share = { 0 };

		text_add(&share, "%.0f", rint(512 * exp2((double)(i / 2) / 2)));
		point_add_note(&results->points[i], "share", share.chars);
		point_add_note(&results->points[i], "threads", "2");
		text_free(&share);
	}
	session_add_run(lab.session, results);
	screen_execute(&screen, "pick mem.latency; view sweep; point 23");
	assert_non_null(strstr(drawn_at(80, 24), "45.3K  "));
	assert_non_null(strstr(drawn_at(80, 24), "in L1d, "));
	screen_execute(&screen, "point 27");
	assert_non_null(strstr(drawn_at(80, 24), "90.5K  "));
	assert_non_null(strstr(drawn_at(80, 24), "in L2, "));
	screen_execute(&screen, "point 63");
	assert_non_null(strstr(drawn_at(80, 24), "in memory, "));
	/* The size of the cache is still shown. */
	assert_non_null(strstr(drawn_at(80, 24), "L1d 31.2K"));
}

/* The levels of a curve that ends before the last cache do not include
 * memory. */
static void test_not_all_found(void **state)
{
	struct results *results = finder_results(false);

	finder_level(results, "L1d", 31.2 * 1024, UNIT_BYTES, "agrees");
	finder_level(results, "TLB1", 64, UNIT_COUNT, "beyond, 2 ns more");
	session_add_run(lab.session, results);
	screen_execute(&screen, "view lab; view sweep");
	assert_non_null(strstr(drawn_at(80, 24), "beyond"));
	assert_null(strstr(drawn_at(80, 24), "memory"));
	press("n");
	assert_non_null(strstr(drawn_at(80, 24), "beyond"));
	assert_null(strstr(drawn_at(80, 24), "walks"));
	/* If the kernel reports no further cache, memory follows. */
	lab.session->machine.cache_count = 2;
	results = finder_results(false);
	finder_level(results, "L1d", 31.2 * 1024, UNIT_BYTES, "agrees");
	finder_level(results, "L2", 1 << 20, UNIT_BYTES, "agrees");
	session_add_run(lab.session, results);
	press("n");
	press("n");
	press("n");
	assert_non_null(strstr(drawn_at(80, 24), "memory"));
}

#define FOUND(test) cmocka_unit_test_setup_teardown(test, open_found, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOUND(test_capacities),
		FOUND(test_translations),
		FOUND(test_events),
		FOUND(test_findings),
		FOUND(test_nothing_found),
		FOUND(test_probe),
		FOUND(test_words),
		FOUND(test_findings_scroll),
		FOUND(test_not_all_found),
		FOUND(test_served_by),
		FOUND(test_shares_of_threads),
		FOUND(test_every_size),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
