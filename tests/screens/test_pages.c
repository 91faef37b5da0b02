/* Texts that cover the screen, and the limits of their scrolling. */
#include "seated.h"

/* The text between the sides of the frame in a row of the last drawing. */
static char *row_of(const char *drawn, int row)
{
	const char *at = drawn;

	for (int i = 0; i < row; i++)
		at = strchr(at, '\n') + 1;
	return xstrndup(at, strcspn(at, "\n"));
}

/* Is the row empty except for its frame? */
static bool is_blank(const char *drawn, int row)
{
	char *line = row_of(drawn, row);
	bool blank = strspn(line, "| ") == strlen(line);

	free(line);
	return blank;
}

/* Scrolling ends when the last line of the text is in the last row. No page is
 * empty, at any size. */
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
			/* A blank line between two parts takes one row. */
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

/* Scrolling by pages skips nothing, also on a small screen: the last row is the
 * first of the next page. */
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

/* The line ends of CSV are not shown as characters. */
static void test_csv_has_no_returns(void **state)
{
	screen_execute(&screen, "export csv");
	assert_non_null(strstr(screen.page.text, "cpu.syscall"));
	assert_null(strchr(screen.page.text, '\r'));
}

/* A key that does not scroll closes the page and has its usual effect; Esc, q
 * and Enter only close the page. */
static void test_other_keys_act_below(void **state)
{
	static const char *const closing[] = { "Esc", "q", "Enter" };

	for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
		screen_execute(&screen, "pick cpu.syscall; keys");
		press(closing[i]);
		assert_null(screen.page.text);
		assert_false(lab.quit);
		assert_int_equal(screen.focus[VIEW_LAB], FOCUS_LIST);
	}
	screen_execute(&screen, "keys");
	press("2");
	assert_null(screen.page.text);
	assert_int_equal(screen.view, VIEW_SWEEP);
	screen_execute(&screen, "view lab; keys");
	press("p");
	assert_null(screen.page.text);
	assert_int_equal(screen.prompt.kind, PROMPT_PREDICT);
	prompt_close(&screen.prompt);
	/* If the doctor's findings have arrived meanwhile, the key first shows
	 * them, and only the next key acts. */
	screen_execute(&screen, "keys");
	screen.examined = xstrdup("ok this\n!  that\n");
	press("3");
	assert_non_null(strstr(screen.page.text, "that"));
	assert_int_equal(screen.view, VIEW_LAB);
	press("3");
	assert_int_equal(screen.view, VIEW_NET);
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
		IN_LAB(test_csv_has_no_returns),
		IN_LAB(test_other_keys_act_below),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
