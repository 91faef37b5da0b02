/* A range of values as a line of characters. */
#include "check.h"

#include "text_axis.h"

static void assert_head(double low, double high, int columns, const char *is)
{
	struct text_axis axis = text_axis_ratios(low, high, columns, false);
	struct text text = { 0 };

	text_axis_head(&axis, &text);
	assert_string_equal(text.chars, is);
	assert_int_equal(text_width(text.chars), columns);
	text_free(&text);
}

/* The ends are round numbers, and symmetric about 1. */
static void test_head(void **state)
{
	assert_head(.85, 1.1, 21, "0.8 ------ 1 ---- 1.2");
	assert_head(.999, 1.001, 21, "0.997 --- 1 --- 1.003");
	assert_head(1, 1000, 21, "0.01 ---- 1 ----- 100");
	assert_head(.7, 1, 9, "0.7 1 1.4");
}

static void assert_drawn(double low, double centre, double high, const char *is)
{
	const struct text_axis axis = { .5, 2, 11, false };
	const struct axis_mark mark = { low, centre, high };
	struct text text = { 0 };

	text_axis_interval(&axis, &mark, &text);
	assert_string_equal(text.chars, is);
	text_free(&text);
}

static void test_interval(void **state)
{
	assert_drawn(.87, 1, 1.15, "    -#-    ");
	assert_drawn(1.31, 1.32, 1.33, "     | #   ");
	assert_drawn(.5, 2, 3, "----------#");
	assert_drawn(.1, .2, .3, "<    |     ");
	assert_drawn(4, 8, 9, "     |    >");
	assert_drawn(NAN, 1.32, NAN, "     | #   ");
}

static void test_line(void **state)
{
	const struct text_axis axis = { .5, 2, 11, true };
	const struct axis_mark mark = { .6, .66, .75 };
	struct text text = { 0 };

	text_axis_line(&axis, &mark, &text);
	assert_string_equal(text.chars,
		"0.5 \u2500\u2501\u2588\u2501\u2500\u253c\u2500\u2500\u2500"
		"\u2500\u2500 2");
	text_clear(&text);
	text_axis_point(&axis, 1, &text);
	assert_string_equal(text.chars, "     \u2588");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
