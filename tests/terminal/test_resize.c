/* Any size at any moment. */
#include "cli/run.h"
#include "promise.h"
#include "random.h"
#include "seat.h"

/* Is the whole present size used, with a key bar in the last row and no remains
 * of an older layout? Redrawing everything must change nothing. */
static void check_layout(struct seat *seat)
{
	struct text before = { 0 }, after = { 0 };

	if (seat->columns >= 80 && seat->rows >= 10)
		assert_non_null(strstr(seat_row(seat, seat->rows - 1),
			SEAT_KEYS));
	for (int row = 0; row < seat->rows; row++)
		text_add(&before, "%s\n", seat_row(seat, row));
	seat_type(seat, "\014");
	for (int row = 0; row < seat->rows; row++)
		text_add(&after, "%s\n", seat_row(seat, row));
	assert_string_equal(before.chars, after.chars);
	text_free(&before);
	text_free(&after);
}

static void test_r06_resize_storm(void **state)
{
	struct seat seat;
	uint64_t random = 3;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	for (int i = 0; i < 100; i++)
		seat_resize(&seat, (int)random_below(&random, 300) + 1,
			(int)random_below(&random, 100) + 1);
	seat_resize(&seat, 120, 40);
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	check_layout(&seat);
	seat_close(&seat);
}

static void test_r06_resize_storm_with_run_going_on(void **state)
{
	struct seat seat;
	uint64_t random = 4;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_type(&seat, ":run cpu.syscall budget=60s launches=30\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	for (int i = 0; i < 100; i++) {
		seat_resize(&seat, (int)random_below(&random, 300) + 1,
			(int)random_below(&random, 100) + 1);
		if (i % 10 == 0)
			seat_idle(&seat);
	}
	seat_resize(&seat, 80, 24);
	seat_idle(&seat);
	seat_type(&seat, "x");
	seat_shows(&seat, SEAT_AT_REST);
	check_layout(&seat);
	seat_close(&seat);
}

/* Every step is drawn at its size, from one cell up. */
static void test_r06_sizes(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 },
		{ 40, 10 }, { 300, 1 }, { 1, 100 }, { 300, 100 }, { 80, 24 } };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 1, .rows = 1 });
	seat_idle(&seat);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		seat_resize(&seat, sizes[i][0], sizes[i][1]);
		seat_idle(&seat);
		check_layout(&seat);
	}
	seat_close(&seat);
}

/* Redrawn completely within 100 ms, also during a run. */
static void test_r06_repainted_at_once(void **state)
{
	static const char *const lines[] = { "",
		":run cpu.syscall budget=60s launches=30\r" };

	for (size_t k = 0; k < 2; k++) {
		struct promise promise = { k ? "resized, run going on" :
					       "resized",
			"ms", .limit = 100 };
		struct seat seat;

		seat_open(&seat, &(struct seat_options){ 0 });
		seat_idle(&seat);
		seat_type(&seat, lines[k]);
		if (k)
			seat_shows(&seat, SEAT_LAUNCHED);
		while (promise_open(&promise)) {
			int even = promise.attempts % 2 == 0;
			uint64_t began_ns = seat_now_ns();

			seat_resize(&seat, even ? 300 : 80, even ? 100 : 24);
			seat_idle(&seat);
			promise_attempt(&promise,
				(double)(seat.mark.at_ns - began_ns) * 1e-6);
			assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
		}
		seat_close(&seat);
		promise_keep(&promise);
	}
}

/* Some shells export LINES and COLUMNS, which would fix the size for ever. */
static void test_r06_lines_and_columns_exported(void **state)
{
	const char *const environment[] = { "LINES=10", "COLUMNS=30", NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	seat_idle(&seat);
	assert_int_equal(seat.mark.columns, 80);
	seat_resize(&seat, 120, 40);
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	check_layout(&seat);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r06_resize_storm),
		cmocka_unit_test(test_r06_resize_storm_with_run_going_on),
		cmocka_unit_test(test_r06_sizes),
		cmocka_unit_test(test_r06_repainted_at_once),
		cmocka_unit_test(test_r06_lines_and_columns_exported),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
