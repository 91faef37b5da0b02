/* The points of a sweep on the Lab screen. */
#include "seated.h"

/* A sweep whose points have long names, the second beside a co-runner. */
static int open_long(void **state)
{
	static const char *const calls[] = { "getppid", "getpid", "read" };
	struct results *results = fixture_results(&fixture_latency, calls, 3);

	fixture_open(&lab, &screen);
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
	for (size_t i = 0; i < series->flags.count; i++)
		flags[i] = FLAG_SHARED;
	session_add_run(lab.session, results);
	fixture_select(&screen, "mem.latency");
	return 0;
}

/* The quality of a point is dropped last, and the beginning of its name
 * remains. */
static void test_quality_stays(void **state)
{
	screen_execute(&screen, "focus plot");
	for (int columns = 40; columns <= 200; columns++) {
		const char *drawn = drawn_at(columns, 40);
		const char *row = strstr(drawn, "getpid_");
		const char *end = row ? strchr(row, '\n') : NULL;
		const char *word = row ? strstr(row, "shared") : NULL;
		if (!word || word > end)
			fail_msg("%d columns do not show the quality:\n%s",
				columns, drawn);
	}
}

/* On a wide screen all names are complete. */
static void test_names_whole(void **state)
{
	assert_non_null(strstr(drawn_at(200, 60),
		"call=getpid_of_a_file_that_was_read_before size=512K"));
}

/* A prediction assumes an unshared core; a figure from a shared core is
 * marked. */
static void test_measured_beside_a_co_runner(void **state)
{
	static const char shared[] = "measured, shared core";

	screen_execute(&screen, "point 1");
	assert_null(strstr(drawn_at(120, 40), shared));
	assert_non_null(strstr(drawn_at(120, 40), " measured "));
	screen_execute(&screen, "point 2");
	assert_non_null(strstr(drawn_at(120, 40), shared));
}

/* Two settings measured alternately, the second slower. */
static int open_pair(void **state)
{
	static const char *const calls[] = { "getppid", "getpid" };
	struct results *results = fixture_results(&fixture_syscall, calls, 2);
	struct series *second = &results->points[1].series[0];

	fixture_open(&lab, &screen);
	results->plan.abba = true;
	for (size_t i = 0; i < second->raw.count; i++)
		((uint64_t *)second->raw.data)[i] *= 3;
	session_add_run(lab.session, results);
	fixture_select(&screen, "cpu.syscall");
	return 0;
}

/* At every size that shows the points. */
static void test_verdict_of_a_pair(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const char *drawn = drawn_at(sizes[i][0], sizes[i][1]);
		const char *verdict = strstr(drawn, "B is ");

		if (!verdict)
			fail_msg("no verdict in\n%s", drawn);
		assert_non_null(strstr(verdict, " x slower: "));
	}
}

#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_long, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LAB(test_quality_stays),
		IN_LAB(test_names_whole),
		IN_LAB(test_measured_beside_a_co_runner),
		cmocka_unit_test_setup_teardown(test_verdict_of_a_pair,
			open_pair, close_lab),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
