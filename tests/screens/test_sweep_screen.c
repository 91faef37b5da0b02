/* The Sweep screen: the probe, what is drawn, and refusals. */
#include <poll.h>
#include <time.h>

#include "amounts.h"
#include "sweep_fixture.h"
#include "tiers.h"
#include "view_sweep.h"

#include "digest.h"
#include "memo.h"
#include "run_queue.h"
#include "seated.h"

static const char *drawn(void)
{
	return drawn_at(80, 24);
}

/* ---- the probe -------------------------------------------------------- */

static void test_probe_goes_along_a_line(void **state)
{
	screen_execute(&screen, "pick mem.latency; point 1");
	assert_string_equal(swept_value("size"), "1K");
	press("Left"); /* it stays at the end */
	assert_string_equal(swept_value("size"), "1K");
	press("Right");
	press("Right");
	assert_string_equal(swept_value("size"), "2K");
	assert_string_equal(swept_value("order"), "local");
	press("End");
	assert_string_equal(swept_value("size"), "256M");
	assert_string_equal(swept_value("order"), "local");
	press("PageUp");
	assert_string_equal(swept_value("size"), "8M");
	press("Home");
	assert_string_equal(swept_value("size"), "1K");
}

/* Up and Down move to the adjacent line, at the same x. */
static void test_probe_changes_the_line(void **state)
{
	screen_execute(&screen, "pick mem.latency; point 1; probe 1000");
	press("Up");
	assert_string_equal(swept_value("order"), "random");
	assert_string_equal(swept_value("size"), "256M");
	press("Up"); /* no line above */
	assert_string_equal(swept_value("order"), "random");
	press("Down");
	assert_string_equal(swept_value("order"), "local");
	press("Down");
	assert_string_equal(swept_value("order"), "local");
}

static void test_probe_on_a_map(void **state)
{
	screen_execute(&screen, "pick mem.mountain; point 1");
	assert_string_equal(swept_value("stride"), "16");
	press("Right");
	press("Up");
	assert_string_equal(swept_value("stride"), "32");
	assert_string_equal(swept_value("size"), "4K");
	press("Down");
	press("Down");
	assert_string_equal(swept_value("size"), "2K");
}

/* The point is shared with the Lab screen: a choice on one screen applies to
 * the other. */
static void test_point_is_shared(void **state)
{
	screen_execute(&screen, "pick mem.latency; point 1; probe 4");
	int point = screen_form(&screen)->point;
	press("1");
	assert_int_equal(screen.view, VIEW_LAB);
	assert_int_equal(screen_form(&screen)->point, point);
	screen_execute(&screen, "focus plot; move 2");
	press("2");
	assert_string_equal(swept_value("size"), "5793");
	press("Enter");
	assert_int_equal(screen.view, VIEW_LAB);
	assert_int_equal(screen.focus[VIEW_LAB], FOCUS_PLOT);
}

/* The row of the probe shows the figures of the results, the level and the
 * ratio. */
static void test_probe_says_figures(void **state)
{
	struct text wanted = { 0 };
	double median = 0;
	bool live;

	screen_execute(&screen, "pick mem.latency; point 54");
	const struct results *results = screen_results(&screen, &live);
	assert_true(results_median(results, &results->points[53], 0, &median));
	amount_size(&wanted, 1024 * exp2(13));
	text_add(&wanted, "  random ");
	unit_show(&wanted, UNIT_NS, median);
	assert_non_null(strstr(drawn(), wanted.chars));
	assert_non_null(strstr(drawn(), "in L3, 4.4 x L2"));
	assert_non_null(strstr(drawn(), "local 11.9 ns"));
	text_free(&wanted);
}

/* A click on the plot moves the probe there. */
static void test_click(void **state)
{
	struct grid grid = { 0 };

	screen_execute(&screen, "pick mem.latency; point 1");
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 10, 8);
	assert_string_equal(swept_value("size"), "1K");
	int last = 79;
	while (!grid_spot(&grid, last, 8))
		last--;
	screen_click(&screen, &grid, last, 8);
	assert_string_equal(swept_value("size"), "256M");
	assert_int_equal(screen.view, VIEW_SWEEP);
	grid_free(&grid);
}

/* ---- what is drawn ---------------------------------------------------- */

static void test_levels_and_knees(void **state)
{
	screen_execute(&screen, "pick mem.latency");
	assert_non_null(strstr(drawn(), "L1d 30.5K")); /* the measured size */
	assert_non_null(strstr(drawn(), "kernel 32K, 1M, 32M"));
	assert_non_null(strstr(drawn(), "agrees"));
	assert_non_null(strstr(drawn_at(120, 40), "found"));
	/* No knee is shown if the points do not name the level that served
	 * them. */
	screen_execute(&screen, "pick mem.mountain; sweep lines");
	assert_null(strstr(drawn(), "knee"));
}

/* Cache sizes are marked on an axis of array sizes. A stride is also in bytes,
 * but not an array size. */
static void test_no_levels_of_strides(void **state)
{
	screen_execute(&screen, "pick mem.mountain; sweep lines");
	struct results *results =
		(struct results *)session_last(lab.session, "mem.mountain");
	assert_non_null(results);
	for (size_t i = 0; i < results->point_count; i++)
		point_add_note(&results->points[i], "level", "L2");
	results->version++;
	for (int i = 0; i < 2; i++) {
		const char *drawn = drawn_at(120, 40);
		bool of_strides = strstr(drawn, "against stride") != NULL;

		assert_int_equal(of_strides, i == 0);
		assert_int_equal(strstr(drawn, "L1d 30.5K") != NULL,
			!of_strides);
		screen_execute(&screen, "sweep across");
	}
}

static const struct cache_level *level_named(const struct scene *scene,
	const char *name)
{
	for (size_t i = 0; i < scene->levels.count; i++)
		if (!strcmp(scene->levels.list[i].name, name))
			return &scene->levels.list[i];
	fail_msg("no level %s", name);
	return NULL;
}

/* Table, probe and levels name the same level for the mountain's point. */
static void assert_served(int stride, const char *served)
{
	enum { STRIDES = 20, STEP = 16, LARGEST = 15 };
	struct text line = { 0 }, wanted = { 0 }, said = { 0 };
	struct scene scene;

	text_add(&line, "point %d", LARGEST * STRIDES + stride / STEP);
	text_add(&wanted, "in %s", served);
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(drawn(), wanted.chars));
	scene_open(&scene, &screen, 1);
	assert_int_equal(scene.kind, SWEEP_LINES);
	levels_say_serving(&scene.found, scene.results, scene.point, &said);
	assert_string_equal(said.chars, served);
	bool memory = isfinite(level_named(&scene, "memory")->value);
	assert_int_equal(memory, !strcmp(served, "memory"));
	scene_close(&scene);
	text_free(&line);
	text_free(&wanted);
	text_free(&said);
}

/* At larger strides an array of 64M touches fewer lines. These are compared
 * with the measured 30.4M, not with the kernel's size in the notes. */
static void test_served_by_what_was_found(void **state)
{
	screen_execute(&screen, "pick mem.mountain; sweep lines");
	struct results *results =
		(struct results *)session_last(lab.session, "mem.mountain");
	assert_non_null(results);
	for (size_t i = 0; i < results->point_count; i++)
		point_add_note(&results->points[i], "level", "L2");
	results->version++;
	screen_execute(&screen, "sweep across");
	assert_served(64, "memory");
	assert_served(80, "memory");
	assert_served(160, "L3 and memory");
	assert_served(192, "L3");
	assert_served(320, "L3");
	screen_execute(&screen, "sweep table; point 312");
	assert_non_null(strstr(drawn(), "L3 and memory"));
	assert_null(strstr(drawn(), "  L2  "));
}

/* The run itself finds the size of the file cache, and it is compared with the
 * model, not with a size from the kernel. */
static void test_own_knee(void **state)
{
	screen_execute(&screen, "pick mem.mountain; sweep lines");
	struct results *results =
		(struct results *)session_last(lab.session, "mem.mountain");
	assert_non_null(results);
	struct finding *knee = finding_value(&results->findings, "knee", 60000,
		UNIT_BYTES, "the cache holds 59 KiB");
	finding_interval(knee, 58000, 66000);
	point_add_note(&results->points[0], "expected", "65536");
	results->version++;
	assert_non_null(strstr(drawn(), "cache 58.6K"));
	assert_non_null(strstr(drawn(), "model 64K  agrees"));
	assert_null(strstr(drawn(), "kernel"));
	/* Two lines with different knees have no common knee. */
	finding_value(&results->findings, "knee", 50000, UNIT_BYTES, "another");
	results->version++;
	assert_null(strstr(drawn(), "model 64K"));
}

static void test_kinds(void **state)
{
	screen_execute(&screen, "pick mem.mountain");
	assert_non_null(strstr(drawn(), "array size down, stride across"));
	assert_non_null(strstr(drawn(), "under"));
	press("c");
	assert_non_null(strstr(drawn(), "stride down, array size across"));
	press("m"); /* next kind: the one that fits, which is the map */
	press("t");
	assert_non_null(strstr(drawn(), "launches"));
	press("t");
	assert_null(strstr(drawn(), "launches"));
	screen_execute(&screen, "pick cpu.syscall");
	assert_non_null(strstr(drawn(), "call=open-close via=libc"));
	screen_execute(&screen, "pick mem.fault");
	assert_non_null(strstr(drawn(), "the median, every 512"));
	assert_non_null(strstr(drawn(), "A 210 us"));
	press("Down");
	press("Up");
	assert_non_null(strstr(drawn(), "x the median"));
}

/* An interval beyond the largest median is shown to its end. */
static void test_whisker(void **state)
{
	screen_execute(&screen, "pick cpu.syscall");
	drawn();
	assert_int_equal(screen.figures.point_count, 8);
	screen.figures.points[7].low = 1000;
	screen.figures.points[7].high = 3000;
	const char *bar = strstr(drawn(), "call=open-close via=libc   1.372");
	assert_non_null(bar);
	size_t line = strcspn(bar, "\n");
	assert_non_null(memmem(bar, line, "+----", 5));
	assert_non_null(memmem(bar, line, "----+", 5));
}

static void test_scales(void **state)
{
	screen_execute(&screen, "pick mem.latency");
	assert_non_null(strstr(drawn(), "log-log"));
	press("l");
	assert_non_null(strstr(drawn(), "log x"));
	press("L");
	assert_non_null(strstr(drawn(), "linear"));
	press("l");
	assert_non_null(strstr(drawn(), "log y"));
	press("b");
	assert_non_null(strstr(screen.message.chars, "the widest is"));
	assert_non_null(strstr(drawn(), "intervals"));
	press("+");
	assert_non_null(strstr(drawn(), "2x"));
	press("-");
	press("-");
	assert_null(strstr(drawn(), "2x"));
}

static void test_refused(void **state)
{
	static const struct answer cases[] = {
		{ "pick cpu.syscall; sweep map", "needs two quantities" },
		{ "pick cpu.syscall; sweep lines", "needs a quantity" },
		{ "pick cpu.syscall; sweep trace", "an experiment that" },
		{ "pick mem.latency; sweep across", "no other swept quantity" },
		{ "sweep sideways", "expected one of lines, map" },
		{ "probe x", "not a number of steps" },
	};

	assert_answers(cases, sizeof cases / sizeof *cases);
}

/* A sentence states what is missing. */
static void test_missing(void **state)
{
	fixture_close(&lab, &screen);
	swept_open(&lab, &screen);
	screen_execute(&screen, "view sweep; pick cpu.syscall");
	assert_non_null(strstr(drawn(), "is not measured yet"));
	screen_execute(&screen, "sweep table");
	assert_non_null(strstr(screen.message.chars, "no table: needs"));
	screen_execute(&screen, "sweep across");
	screen_execute(&screen, "sweep log-across; sweep log-up; "
				"sweep intervals; sweep closer; sweep wider; "
				"sweep next-trace; sweep fitting");
	screen_execute(&screen, "probe 1");
	assert_non_null(strstr(screen.message.chars, "no sweep"));
	screen_execute(&screen, "measured 1");
	assert_non_null(strstr(screen.message.chars, "no other experiment"));
	session_add_run(lab.session, swept_choices(1, 1));
	assert_non_null(strstr(drawn(), "at one point"));
	assert_non_null(strstr(drawn(), "call=getppid,read"));
}

/* Tab selects the next measured experiment, and after the last the first. */
static void test_measured(void **state)
{
	static const char *const order[] = { "mem.fault", "mem.hierarchy",
		"mem.latency", "mem.mountain", "cpu.syscall" };

	screen_execute(&screen, "pick cpu.syscall");
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		press("Tab");
		assert_string_equal(screen_descriptor(&screen)->name, order[i]);
	}
	press("S-Tab");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.mountain");
}

/* On a narrow screen the legend names four ranges, from the lowest to the
 * highest. */
static void test_legend_of_a_map(void **state)
{
	screen_execute(&screen, "pick mem.mountain");
	const char *shown = drawn_at(72, 24);
	assert_non_null(strstr(shown, ". under "));
	assert_non_null(strstr(shown, "= to "));
	assert_non_null(strstr(shown, "% to "));
	assert_non_null(strstr(shown, "# above"));
}

static void test_r06_every_size(void **state)
{
	static const char *const lines[] = { "pick mem.latency",
		"pick mem.latency; sweep intervals; sweep closer",
		"pick mem.latency; sweep fitting; sweep table",
		"pick mem.mountain; sweep fitting",
		"pick mem.mountain; sweep lines", "pick cpu.syscall",
		"pick mem.fault", "pick mem.hierarchy" };

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		screen_execute(&screen, lines[i]);
		draw_sizes(&screen, 300, 100, 7, 5);
	}
	draw_every_size(&screen, lines, sizeof lines / sizeof *lines);
}

/* Lines are distinguished without colour: each ends in its name, and their dash
 * patterns differ (test_plots.c). */
static void test_r11_lines_are_labelled(void **state)
{
	screen_execute(&screen, "pick mem.latency; sweep fitting");
	assert_non_null(strstr(drawn(), "random 148 ns"));
	assert_non_null(strstr(drawn(), "local 92.7 ns"));
}

/* ---- during a run ----------------------------------------------------- */

static void test_live(void **state)
{
	enum { LIMIT_S = 50, TURN_MS = 20 };
	time_t end = time(NULL) + LIMIT_S;

	fixture_close(&lab, &screen);
	fixture_open(&lab, &screen);
	screen_execute(&screen,
		"view sweep; edit size=1K..64K launches=30 budget=60s; start");
	while (!strstr(drawn(), "live") || !strstr(drawn(), "7/7 points")) {
		struct pollfd polled = { .fd = lab_descriptor(&lab),
			.events = POLLIN };

		if (time(NULL) > end)
			fail_msg("not within %d s: %s", LIMIT_S, drawn());
		poll(&polled, polled.fd >= 0, TURN_MS);
		lab_step(&lab);
		screen_take_ended(&screen);
	}
	assert_non_null(strstr(drawn(), "against size"));
	lab_stop(&lab);
}

static int open_few(void **state)
{
	swept_open(&lab, &screen);
	lab.session->machine.cache_count = 0;
	session_add_run(lab.session, swept_latencies(8));
	memo_begin(lab.session->runs[0]);
	screen_execute(&screen, "pick mem.latency; view sweep");
	return 0;
}

/* A machine that reports no caches, and too few sizes for knees: nothing shows
 * what memory serves. */
static void test_no_level_is_known(void **state)
{
	assert_true(drawn_has(120, 40, "too few sizes for knees"));
	assert_false(drawn_has(120, 40, "memory "));
	assert_true(drawn_has(120, 40, "At the probe"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_swept, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_probe_goes_along_a_line),
		IN_LAB(test_probe_changes_the_line),
		IN_LAB(test_probe_on_a_map),
		IN_LAB(test_point_is_shared),
		IN_LAB(test_probe_says_figures),
		IN_LAB(test_click),
		IN_LAB(test_levels_and_knees),
		IN_LAB(test_no_levels_of_strides),
		IN_LAB(test_served_by_what_was_found),
		IN_LAB(test_own_knee),
		IN_LAB(test_kinds),
		IN_LAB(test_whisker),
		IN_LAB(test_scales),
		IN_LAB(test_refused),
		IN_LAB(test_missing),
		IN_LAB(test_measured),
		IN_LAB(test_legend_of_a_map),
		IN_LAB(test_r06_every_size),
		IN_LAB(test_r11_lines_are_labelled),
		IN_LAB(test_live),
		cmocka_unit_test_setup_teardown(test_no_level_is_known,
			open_few, close_lab),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
