/* Single widgets: the guarantees of their headers. */
#include <math.h>

#include "amounts.h"
#include "draw_axis.h"
#include "canvas.h"
#include "draw_line.h"
#include "draw_popup.h"
#include "draw_slider.h"
#include "draw_strip.h"
#include "draw_table.h"
#include "widgets.h"

/* ---- text ------------------------------------------------------------- */

static void test_words_stay_whole(void **state)
{
	static const char text[] =
		"one two  three four\nfive six, seven eight nine ten";

	for (int columns = 6; columns < 60; columns++) {
		const char *at = text, *line;
		size_t length, letters = 0;

		while ((line = text_line(&at, columns, &length))) {
			const char *end = line + length;

			assert_true((int)length <= columns);
			assert_true(line == text || line[-1] == ' ' ||
				line[-1] == '\n');
			assert_true(!*end || *end == ' ' || *end == '\n');
			for (size_t i = 0; i < length; i++)
				letters += line[i] != ' ';
		}
		assert_int_equal(letters, 40);
	}
}

static void test_wrap_says_more(void **state)
{
	struct pane pane = fresh(12, 2, TIER_ASCII);

	assert_int_equal(pane_wrap(&pane, 0, ROLE_TEXT,
				 "alpha beta gamma delta or"),
		2);
	assert_string_equal(dumped(), "alpha beta\ngamma ..\n");
	pane = fresh(11, 2, TIER_ASCII);
	assert_int_equal(pane_wrap(&pane, 0, ROLE_TEXT,
				 "alpha beta gamma delta"),
		2);
	assert_string_equal(dumped(), "alpha beta\ngamma delta\n");
}

/* ---- axes ------------------------------------------------------------- */

static void check_ticks(const struct axis *axis, int columns)
{
	struct ticks ticks;
	int end = -1;

	axis_ticks(axis, columns, &ticks);
	assert_true(ticks.count >= 2);
	for (size_t i = 0; i < ticks.count; i++) {
		double place = axis_place(axis, ticks.list[i].value);
		int width = (int)strlen(ticks.list[i].label);
		int begin = (int)lround(place * (columns - 1)) - width / 2;

		assert_true(place > -1e-6 && place < 1 + 1e-6);
		if (i)
			assert_true(begin > end);
		end = begin + width;
	}
}

static void test_r15_ticks(void **state)
{
	static const enum unit units[] = { UNIT_NS, UNIT_BYTES, UNIT_NONE,
		UNIT_HZ };
	uint32_t seed = 11;

	for (int i = 0; i < 20000; i++) {
		double low = exp(draw(&seed, -3, 20));
		double high = low * (1 + exp(draw(&seed, -8, 9)));
		struct axis axis =
			axis_over(low, high, i % 2, units[i / 2 % 4]);

		check_ticks(&axis, 30 + (int)draw(&seed, 0, 120));
	}
}

/* The number of labels without a tick at their position, in `columns`
 * columns. */
static int labels_apart(int columns, int *labels)
{
	int apart = 0;

	*labels = 0;
	for (int at = 0; at < columns; at++) {
		bool ticked = false;

		if (grid.cells[columns + at].code == ' ')
			continue;
		for (; at < columns && grid.cells[columns + at].code != ' ';
			at++)
			ticked |= grid.cells[at].code == '+';
		apart += !ticked;
		++*labels;
	}
	return apart;
}

/* If other text takes room from the labels, each remaining label is still at
 * its tick, and there are at least two. */
static void test_r15_labels_stand_at_their_ticks(void **state)
{
	uint32_t seed = 7;

	for (int i = 0; i < 2000; i++) {
		double low = exp(draw(&seed, -3, 9));
		struct axis axis = axis_over(low,
			low * (1 + exp(draw(&seed, -8, 9))), i % 2, UNIT_NS);
		int columns = 30 + (int)draw(&seed, 0, 90), labels;
		struct pane pane = fresh(columns, 2, TIER_ASCII);

		axis_draw(&axis, &pane, columns + (int)draw(&seed, 0, 12));
		int apart = labels_apart(columns, &labels);
		assert_true(labels >= 2);
		assert_true(!apart || labels == 2);
	}
}

static void test_axis_without_room(void **state)
{
	struct axis axis = axis_over(5, 5, false, UNIT_NS);

	assert_true(axis.low < 5 && axis.high > 5);
	axis = axis_over(-1, 10, true, UNIT_NS);
	assert_false(axis.logarithmic);
	axis = axis_over(NAN, INFINITY, false, UNIT_NS);
	assert_true(axis.low < axis.high);
	axis = axis_over(1, 1000, true, UNIT_NS);
	assert_true(fabs(axis_place(&axis, 10) - 1.0 / 3) < 1e-12);
	assert_true(axis_place(&axis, 0) == 0);
	assert_true(axis_place(&axis, -5) == 0);
}

/* ---- lines ------------------------------------------------------------ */

static void test_line_marks_what_has_no_place(void **state)
{
	const double x[] = { 1, 2, 3, 4 }, y[] = { 10, 0, NAN, 1000 };

	struct line_series series = { .x = x, .y = y, .n = 4 };
	struct line_view view = { .series = &series,
		.count = 1,
		.across = axis_over(1, 4, false, UNIT_NONE),
		.up = axis_over(1, 1000, true, UNIT_NS) };
	struct pane pane = fresh(40, 12, TIER_ASCII);
	draw_line(&view, &pane);
	int marks = 0;
	for (int i = 0; i < 40 * 12; i++)
		marks += grid.cells[i].code == 'x';
	assert_int_equal(marks, 2);
}

static void test_canvas_far_outside(void **state)
{
	struct canvas canvas;

	struct pane pane = fresh(20, 5, TIER_BRAILLE);
	canvas_begin(&canvas, &pane);
	canvas_line(&canvas, -1e300, .5, 1e300, .5);
	canvas_line(&canvas, 1e300, -1e300, 1e300, -1e300);
	canvas_end(&canvas);
	assert_int_equal(count_role(ROLE_SERIES), 20);
}

static void test_drift(void **state)
{
	double at[20], up[20], flat[20];
	struct text text = { 0 };

	for (int i = 0; i < 20; i++) {
		at[i] = i;
		up[i] = 100 + i;
		flat[i] = 100 + i % 2;
	}
	struct strip_view view = { up, at, 20, UNIT_NS };
	say_drift(&view, &text);
	assert_non_null(strstr(text.chars, "drift +0.9"));
	text_clear(&text);
	view.medians = flat;
	say_drift(&view, &text);
	assert_string_equal(text.chars, "no drift");
	text_clear(&text);
	flat[3] = NAN;
	say_drift(&view, &text);
	assert_string_equal(text.chars, "no drift  x: no clean trial");
	text_free(&text);
}

/* ---- the others ------------------------------------------------------- */

static void test_slider(void **state)
{
	struct pane pane = fresh(9, 1, TIER_ASCII);

	draw_slider(&pane, 0);
	assert_string_equal(dumped(), "+^------+\n");
	pane = fresh(9, 1, TIER_ASCII);
	draw_slider(&pane, 1);
	assert_string_equal(dumped(), "+------^+\n");
	pane = fresh(9, 1, TIER_ASCII);
	draw_slider(&pane, 7);
	assert_string_equal(dumped(), "+------^+\n");
	pane = fresh(4, 1, TIER_ASCII);
	draw_slider(&pane, .5);
	assert_string_equal(dumped(), "\n");
}

static void test_bar(void **state)
{
	struct pane pane = fresh(8, 1, TIER_ASCII);

	draw_bar(&pane, .5, ROLE_SERIES);
	assert_string_equal(dumped(), "####\n");
	pane = fresh(8, 1, TIER_ASCII);
	draw_bar(&pane, 1e-9, ROLE_SERIES); /* a small value is visible */
	assert_string_equal(dumped(), "-\n");
	pane = fresh(8, 1, TIER_ASCII);
	draw_bar(&pane, 0, ROLE_SERIES);
	assert_string_equal(dumped(), "\n");
}

static void test_table_drops_columns(void **state)
{
	struct table table = { .columns = 3, .right = 1u << 1 };

	table_cell(&table, ROLE_DIM, "name");
	table_cell(&table, ROLE_DIM, "value");
	table_cell(&table, ROLE_DIM, "remark");
	table_cell(&table, ROLE_TEXT, "first");
	table_cell(&table, ROLE_TEXT, "7");
	table_cell(&table, ROLE_TEXT, "odd");
	struct pane pane = fresh(30, 2, TIER_ASCII);
	assert_int_equal(draw_table(&table, &pane, 0), 20);
	assert_string_equal(dumped(),
		"name   value  remark\nfirst      7  odd\n");
	pane = fresh(19, 2, TIER_ASCII);
	assert_int_equal(draw_table(&table, &pane, 0), 12);
	assert_string_equal(dumped(), "name   value\nfirst      7\n");
	pane = fresh(4, 2, TIER_ASCII);
	assert_int_equal(draw_table(&table, &pane, 0), 5);
	table_free(&table);
}

static void test_popup(void **state)
{
	static const char *const lines[] = { "alpha", "beta", "gamma" };

	struct pane pane = fresh(20, 5, TIER_ASCII);
	for (int i = 0; i < 100; i++)
		grid.cells[i].code = '~';
	draw_popup(&pane, "Tab", lines, 3, 1);
	const char *drawn = dumped();
	assert_non_null(strstr(drawn, "| alpha"));
	assert_null(strstr(drawn, "alpha ~")); /* drawn on top */
	assert_true(count_role(ROLE_SELECT) >= 4);
	pane = fresh(16, 3, TIER_ASCII);
	draw_popup(&pane, "Tab", lines, 3, -1);
	assert_non_null(strstr(dumped(), "alpha"));
	pane = fresh(3, 2, TIER_ASCII);
	draw_popup(&pane, "Tab", lines, 3, -1);
	assert_string_equal(dumped(), "\n\n");
}

/* A glyph is blank in all tiers, or in none. */
static void test_dots_in_all_tiers(void **state)
{
	for (unsigned dots = 0; dots < 256; dots++)
		for (int tier = 0; tier < TIERS; tier++) {
			uint32_t code = glyph_dots((enum tier)tier, dots);

			assert_int_equal(code == ' ', dots == 0);
			assert_true(fixture_in_diet(code));
			assert_true(tier != TIER_ASCII || code < 0x7f);
		}
	assert_int_equal(glyph_dots(TIER_BRAILLE, 0xff), 0x28ff);
	assert_int_equal(glyph_dots(TIER_BRAILLE, 0x01), 0x2801);
	assert_int_equal(glyph_dots(TIER_BRAILLE, 0x80), 0x2880);
	assert_int_equal(glyph_dots(TIER_BLOCK, 0x05), 0x2598);
}

/* Two shares stand beside a label in the narrowest pane of figures. */
static void test_shares(void **state)
{
	static const struct {
		double share;
		const char *shown;
	} shares[] = { { 0, "0 %" }, { .00005, "<0.01 %" }, { .00012, "0.012 %" },
		{ .2624, "26.2 %" }, { 1, "100 %" } };
	enum { SHARE_COLUMNS = 7 };

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		struct text text = { 0 };

		amount_percent(&text, shares[i].share);
		assert_string_equal(text.chars, shares[i].shown);
		assert_true(text.length <= SHARE_COLUMNS);
		text_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_words_stay_whole),
		cmocka_unit_test(test_wrap_says_more),
		cmocka_unit_test(test_r15_ticks),
		cmocka_unit_test(test_r15_labels_stand_at_their_ticks),
		cmocka_unit_test(test_axis_without_room),
		cmocka_unit_test(test_line_marks_what_has_no_place),
		cmocka_unit_test(test_canvas_far_outside),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_slider),
		cmocka_unit_test(test_bar),
		cmocka_unit_test(test_table_drops_columns),
		cmocka_unit_test(test_popup),
		cmocka_unit_test(test_dots_in_all_tiers),
	};

	return cmocka_run_group_tests(tests, NULL, free_grid);
}
