/* Dots: the curve of their medians. */
#include "dots.h"

#include "check.h"

static void each_x_has_its_median(void **state)
{
	struct dot dots[] = { { 2, 7 }, { 1, 3 }, { 2, 1 }, { 3, 9 }, { 1, 5 },
		{ 2, 100 } };
	double x[6], y[6];

	assert_int_equal(dots_count(dots, 6), 3);
	assert_int_equal(dots_medians(dots, 6, x, y), 3);
	assert_near(x[0], 1);
	assert_near(y[0], 4);
	assert_near(x[1], 2);
	assert_near(y[1], 7);
	assert_near(x[2], 3);
	assert_near(y[2], 9);
}

static void nothing_makes_no_curve(void **state)
{
	double x, y;

	assert_int_equal(dots_count(NULL, 0), 0);
	assert_int_equal(dots_medians(NULL, 0, &x, &y), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_x_has_its_median),
		cmocka_unit_test(nothing_makes_no_curve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
