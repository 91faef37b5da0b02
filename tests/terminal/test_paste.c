/* Pasted input is text, whatever it contains; input that is not typed is not
 * text. */
#include <signal.h>

#include "cli/run.h"
#include "seat.h"

static void open_prompt(struct seat *seat)
{
	seat_open(seat, &(struct seat_options){ 0 });
	seat_idle(seat);
	assert_false(seat_marks_pastes(seat));
	seat_type(seat, ":");
	assert_true(seat_marks_pastes(seat));
}

static void paste(struct seat *seat, const char *text)
{
	seat_send(seat, "\033[200~", 6);
	seat_send(seat, text, strlen(text));
	seat_send(seat, "\033[201~", 6);
}

static void test_line_break_is_no_enter(void **state)
{
	struct seat seat;

	open_prompt(&seat);
	paste(&seat, "set budget=3s\rquit\n\033[Aend");
	seat_shows(&seat, ":set budget=3s quit ");
	seat_shows(&seat, "end");
	assert_int_equal(seat.state, SEAT_RUNS);
	/* After the paste, keys act as keys again. */
	seat_send(&seat, "\025bogus\r", 7);
	seat_shows(&seat, "unknown command 'bogus'");
	seat_close(&seat);
}

static void test_only_while_typing(void **state)
{
	struct seat seat;

	open_prompt(&seat);
	seat_key(&seat, VTERM_KEY_ESCAPE);
	assert_false(seat_marks_pastes(&seat));
	seat_type(&seat, ":");
	seat_send(&seat, "\032", 1);
	seat_await(&seat, SEAT_STOPPED);
	assert_restored(&seat);
	unsigned long serial = seat.mark.serial;
	seat_foreground(&seat);
	seat_next_mark(&seat, serial);
	seat_type(&seat, "list");
	assert_true(seat_marks_pastes(&seat));
	kill(seat.program, SIGQUIT);
	assert_killed(&seat, SIGQUIT);
	assert_restored(&seat);
	seat_close(&seat);
}

/* Without an end mark, the paste ends with the line. */
static void test_unfinished_paste(void **state)
{
	struct seat seat;

	open_prompt(&seat);
	seat_send(&seat, "\033[200~half", 10);
	seat_shows(&seat, ":half");
	seat_send(&seat, "\r\033[201~\r", 8);
	seat_shows(&seat, "unknown command 'half'");
	seat_close(&seat);
}

/* If the end mark was lost, Esc ends the paste. */
static void test_escape_ends_paste(void **state)
{
	struct seat seat;

	open_prompt(&seat);
	seat_send(&seat, "\033[200~half", 10);
	seat_shows(&seat, ":half");
	seat_send(&seat, "\033", 1);
	seat_shows(&seat, "Esc again");
	seat_send(&seat, "\033", 1);
	seat_shows_no(&seat, ":half");
	assert_false(seat_marks_pastes(&seat));
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_break_is_no_enter),
		cmocka_unit_test(test_only_while_typing),
		cmocka_unit_test(test_unfinished_paste),
		cmocka_unit_test(test_escape_ends_paste),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
