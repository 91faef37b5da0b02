/* The points of a sweep on the Lab screen. */
#include "fixture.h"

/* A sweep whose points have long names, the second disturbed. */
static void measure_long(struct lab *lab)
{
	static const char *const calls[] = { "getppid", "getpid", "read" };
	struct results *results = fixture_results(&fixture_latency, calls, 3);

	for (size_t i = 0; i < results->point_count; i++) {
		struct point *point = &results->points[i];
		struct text name = { 0 };

		text_add(&name, "%s_of_a_file_that_was_read_before", calls[i]);
		free(point->values[0]);
		free(point->values[1]);
		point->values[0] = text_take(&name);
		point->values[1] = xstrdup(i ? "512K" : "4K");
	}
	struct series *series = &results->points[1].series[0];
	uint16_t *flags = series->flags.data;
	for (size_t i = 0; i < series->flags.count; i += 5)
		flags[i] = FLAG_PREEMPTED;
	session_add_run(lab->session, results);
}

/* That a point is not to be trusted is the last thing to be dropped, and the
 * beginning of its name stays. */
static void test_doubt_stays(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	measure_long(&lab);
	fixture_select(&screen, "mem.latency");
	screen_execute(&screen, "focus plot");
	for (int columns = 40; columns <= 200; columns++) {
		struct grid grid = { 0 };
		struct text drawn = { 0 };

		grid_reset(&grid, columns, 40, TIER_ASCII);
		view_draw(&screen, &grid);
		grid_dump(&grid, &drawn);
		const char *row = strstr(drawn.chars, "getpid_");
		const char *end = row ? strchr(row, '\n') : NULL;
		const char *doubt = row ? strstr(row, "doubt") : NULL;
		if (!doubt || doubt > end)
			fail_msg("%d columns say nothing of the doubt:\n%s",
				columns, drawn.chars);
		text_free(&drawn);
		grid_free(&grid);
	}
	fixture_close(&lab, &screen);
}

/* Where there is room everything stands there as it is called. */
static void test_names_whole(void **state)
{
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };
	struct text drawn = { 0 };

	(void)state;
	fixture_open(&lab, &screen);
	measure_long(&lab);
	fixture_select(&screen, "mem.latency");
	grid_reset(&grid, 200, 60, TIER_ASCII);
	view_draw(&screen, &grid);
	grid_dump(&grid, &drawn);
	assert_non_null(strstr(drawn.chars,
		"call=getpid_of_a_file_that_was_read_before size=512K"));
	text_free(&drawn);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_doubt_stays),
		cmocka_unit_test(test_names_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
