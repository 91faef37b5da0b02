/* The mouse controls the lab, and can be left to the terminal. */
#include "cli/run.h"
#include "seat.h"

static void test_wheel_moves_selection(void **state)
{
	struct seat seat;
	int column, first, second;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	assert_true(seat_mouse_on(&seat));
	seat_cursor(&seat, &column, &first);
	seat_click(&seat, 5, 5, 5);
	seat_cursor(&seat, &column, &second);
	assert_int_equal(second, first + 1);
	seat_click(&seat, 5, 5, 4);
	seat_cursor(&seat, &column, &second);
	assert_int_equal(second, first);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_click_selects(void **state)
{
	struct seat seat;
	int column, row, at_column, at_row;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	assert_true(seat_find(&seat, "frequency", &column, &row));
	seat_click(&seat, column, row, 1);
	seat_cursor(&seat, &at_column, &at_row);
	assert_int_equal(at_row, row);
	seat_close(&seat);
}

/* A click on a key in the key bar has the effect of the key. */
static void test_click_on_a_key(void **state)
{
	struct seat seat;
	int column, row;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_KEYS, &column, &row));
	seat_click(&seat, column, row, 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_mouse_switched_off(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_type(&seat, ":mouse off\r");
	assert_false(seat_mouse_on(&seat));
	seat_type(&seat, ":mouse on\r");
	assert_true(seat_mouse_on(&seat));
	seat_type(&seat, ":mouse sideways\r");
	assert_true(seat_find(&seat, "expected on or off", NULL, NULL));
	seat_close(&seat);
}

/* The mouse setting and the typed lines are restored at the next start. */
static void test_remembered_at_the_next_start(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	assert_true(seat_mouse_on(&seat));
	seat_type(&seat, ":mouse off\r");
	assert_true(seat_find(&seat, "mouse: off, remembered", NULL, NULL));
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	assert_false(seat_mouse_on(&seat));
	seat_type(&seat, ":");
	seat_key(&seat, VTERM_KEY_UP);
	assert_true(seat_find(&seat, ":mouse off", NULL, NULL));
	seat_type(&seat, "\025mouse on\r");
	assert_true(seat_mouse_on(&seat));
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

static void test_no_mouse_from_the_start(void **state)
{
	const char *const words[] = { "--no-mouse", NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .words = words });
	seat_idle(&seat);
	assert_false(seat_mouse_on(&seat));
	seat_close(&seat);
}

/* If the terminal supports SGR reports, only these are requested: the older
 * reports end at column 223. */
static void test_mouse_far_right(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 300, .rows = 60 });
	seat_idle(&seat);
	assert_true(seat_mouse_on(&seat));
	assert_non_null(strstr(seat.log.chars, "\033[?1006"));
	assert_null(strstr(seat.log.chars, "1005h"));
	assert_null(strstr(seat.log.chars, "1015h"));
	seat_click(&seat, 290, 55, 1);
	seat_type(&seat, "j");
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* The rest of a report never arrives: the next key acts at once. */
static void test_truncated(void **state)
{
	static const struct {
		const char *terminal, *report;
	} sent[] = {
		{ "TERM=xterm-256color", "\033[<" },
		{ "TERM=xterm-256color", "\033[<0" },
		{ "TERM=xterm-256color", "\033[<0;12;" },
		{ "TERM=screen-256color", "\033[M" },
		{ "TERM=screen-256color", "\033[M !" },
	};

	for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
		const char *const environment[] = { sent[i].terminal, NULL };
		struct seat seat;
		int column, first, row;

		seat_open(&seat,
			&(struct seat_options){ .environment = environment });
		seat_idle(&seat);
		seat_cursor(&seat, &column, &first);
		seat_send(&seat, sent[i].report, strlen(sent[i].report));
		seat_key(&seat, VTERM_KEY_DOWN);
		seat_cursor(&seat, &column, &row);
		assert_int_equal(row, first + 1);
		seat_send(&seat, sent[i].report, strlen(sent[i].report));
		seat_key(&seat, VTERM_KEY_ESCAPE);
		seat_send(&seat, "q", 1);
		assert_ended(&seat, 0);
		seat_close(&seat);
	}
}

/* The format of terminals without SGR reports: bytes from 32. */
static void test_bytes(void **state)
{
	const char *const environment[] = { "TERM=screen-256color", NULL };
	struct seat seat;
	char click[] = "\033[M !!";
	int column, row, at_column, at_row;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	seat_idle(&seat);
	assert_true(seat_find(&seat, "frequency", &column, &row));
	click[4] = (char)('!' + column);
	click[5] = (char)('!' + row);
	seat_send(&seat, click, 6);
	seat.keys++;
	seat_idle(&seat);
	seat_cursor(&seat, &at_column, &at_row);
	assert_int_equal(at_row, row);
	seat_send(&seat, "\033[M`!!", 6);
	seat.keys++;
	seat_idle(&seat);
	seat_cursor(&seat, &at_column, &at_row);
	assert_int_equal(at_row, row - 1);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wheel_moves_selection),
		cmocka_unit_test(test_click_selects),
		cmocka_unit_test(test_click_on_a_key),
		cmocka_unit_test(test_mouse_switched_off),
		cmocka_unit_test(test_remembered_at_the_next_start),
		cmocka_unit_test(test_no_mouse_from_the_start),
		cmocka_unit_test(test_mouse_far_right),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
