/* Ctrl-Z restores the terminal; `fg` opens the screen again. */
#include <signal.h>
#include <unistd.h>

#include "cli/run.h"
#include "seat.h"

static void open_seat(struct seat *seat)
{
	seat_open(seat, &(struct seat_options){ 0 });
	seat_idle(seat);
}

/* Suspends by the key and returns: everything is drawn again. */
static void suspend_and_return(struct seat *seat)
{
	unsigned long serial;

	seat_send(seat, "\032", 1);
	seat_await(seat, SEAT_STOPPED);
	assert_int_equal(WSTOPSIG(seat->status), SIGTSTP);
	assert_restored(seat);
	serial = seat->mark.serial;
	/* Output of the shell and others meanwhile. */
	vterm_input_write(seat->term, "\033[2J$ ls\r\nscribble", 16);
	seat_foreground(seat);
	seat_next_mark(seat, serial);
	assert_true(seat->alternate);
	assert_true(seat_find(seat, SEAT_LIST, NULL, NULL));
	assert_false(seat_find(seat, "scribble", NULL, NULL));
}

static void test_suspend(void **state)
{
	struct seat seat;

	open_seat(&seat);
	suspend_and_return(&seat);
	suspend_and_return(&seat);
	seat_type(&seat, "j");
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

/* The run continues, and can be stopped afterwards. */
static void test_suspend_with_run_going_on(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_type(&seat,
		":run cpu.syscall budget=60s launches=30 trials=100000\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	suspend_and_return(&seat);
	seat_shows(&seat, SEAT_LAUNCHED);
	seat_type(&seat, "x");
	seat_shows(&seat, SEAT_AT_REST);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* After the return the screen uses the present size. */
static void test_suspend_and_resize(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_send(&seat, "\032", 1);
	seat_await(&seat, SEAT_STOPPED);
	seat_resize(&seat, 120, 40);
	seat_foreground(&seat);
	seat_idle(&seat);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	assert_int_equal(seat.mark.columns, 120);
	assert_int_equal(seat.mark.rows, 40);
	seat_close(&seat);
}

/* SIGTSTP arrives while a frame is drawn, earlier and later in it. */
static void test_suspend_while_drawing(void **state)
{
	struct seat seat;

	open_seat(&seat);
	for (int i = 0; i < 50; i++) {
		seat_resize(&seat, 120 + i % 2, 40);
		usleep((useconds_t)i * 50);
		kill(seat.program, SIGTSTP);
		seat_await(&seat, SEAT_STOPPED);
		unsigned long serial = seat.mark.serial;
		seat_foreground(&seat);
		seat_next_mark(&seat, serial);
		seat_idle(&seat);
	}
	seat_close(&seat);
}

/* `kill` of a suspended lab acts when it continues, without a key. */
static void test_terminated_while_suspended(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_send(&seat, "\032", 1);
	seat_await(&seat, SEAT_STOPPED);
	kill(seat.program, SIGTERM);
	seat_foreground(&seat);
	assert_ended(&seat, 143);
	assert_restored(&seat);
	seat_close(&seat);
}

/* Stopped by SIGSTOP, the program cannot restore the terminal, but sets it up
 * again afterwards. */
static void test_stopped_by_force(void **state)
{
	struct seat seat;
	unsigned long serial;

	open_seat(&seat);
	kill(seat.program, SIGSTOP);
	seat_await(&seat, SEAT_STOPPED);
	/* Restores the shell's own settings. */
	assert_int_equal(tcsetattr(seat.master, TCSANOW, &seat.before), 0);
	vterm_input_write(seat.term, "\033[?1049l\033[2Jscribble", 20);
	serial = seat.mark.serial;
	seat_foreground(&seat);
	seat_next_mark(&seat, serial);
	assert_true(seat.alternate);
	assert_false(seat_find(&seat, "scribble", NULL, NULL));
	assert_false(seat_settings(&seat).c_lflag & (ICANON | ECHO));
	seat_type(&seat, "j");
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_suspend_with_run_going_on),
		cmocka_unit_test(test_suspend_and_resize),
		cmocka_unit_test(test_suspend_while_drawing),
		cmocka_unit_test(test_terminated_while_suspended),
		cmocka_unit_test(test_stopped_by_force),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
