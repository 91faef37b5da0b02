/* Texts that cover the screen, and how far they scroll. */
#include "seated.h"

/* What stands between the frame's sides in a row of the last drawing. */
static char *row_of(const char *drawn, int row)
{
	const char *at = drawn;

	for (int i = 0; i < row; i++)
		at = strchr(at, '\n') + 1;
	return xstrndup(at, strcspn(at, "\n"));
}

/* Is that row of the screen empty but for its frame? */
static bool is_blank(const char *drawn, int row)
{
	char *line = row_of(drawn, row);
	bool blank = strspn(line, "| ") == strlen(line);

	free(line);
	return blank;
}

/* However far it is scrolled, and on whatever size, the last line of the text
 * stands in the last row at most: nobody looks at an empty page. */
static void test_ends_at_its_end(void **state)
{
	static const int sizes[][2] = { { 40, 10 }, { 80, 24 }, { 120, 40 },
		{ 300, 100 } };
	static const char *const keys_to_end[] = { "End", "PageDown", "Space",
		"Down" };

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (size_t k = 0; k < 4; k++) {
			int rows = sizes[s][1];

			screen_execute(&screen, "keys");
			drawn_at(sizes[s][0], rows);
			for (int i = 0; i < 1000; i++)
				press(keys_to_end[k]);
			const char *drawn = drawn_at(sizes[s][0], rows);
			assert_false(is_blank(drawn, rows - 4));
			/* A blank line between two parts is one row. */
			assert_false(is_blank(drawn, 3) && is_blank(drawn, 4));
			screen_close_page(&screen);
		}
}

/* A page that fits does not move. */
static void test_short_stays(void **state)
{
	screen_open_page(&screen, "short", "one\ntwo\n");
	char *before = xstrdup(drawn_at(80, 24));
	press("End");
	press("PageDown");
	assert_string_equal(drawn_at(80, 24), before);
	screen_close_page(&screen);
	free(before);
}

/* By pages nothing is skipped, also on a small screen: the last row is the
 * first of the next one. */
static void test_pages_skip_nothing(void **state)
{
	screen_execute(&screen, "keys");
	text_clear(&screen.message);
	char *last = row_of(drawn_at(40, 10), 10 - 4);
	press("PageDown");
	char *first = row_of(drawn_at(40, 10), 2);
	assert_string_equal(first, last);
	press("PageUp");
	assert_int_equal(screen.page.row, 0);
	screen_close_page(&screen);
	free(last);
	free(first);
}

/* On a larger window more of the end comes into view. */
static void test_larger_window(void **state)
{
	screen_execute(&screen, "keys");
	drawn_at(80, 24);
	press("End");
	assert_false(is_blank(drawn_at(80, 60), 60 - 4));
	screen_close_page(&screen);
}

#define IN_LAB(test) \
	cmocka_unit_test_setup_teardown(test, open_measured, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LAB(test_ends_at_its_end),
		IN_LAB(test_short_stays),
		IN_LAB(test_pages_skip_nothing),
		IN_LAB(test_larger_window),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
