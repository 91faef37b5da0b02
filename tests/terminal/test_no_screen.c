/* If no screen is possible, a sentence names the alternative. */
#include <signal.h>

#include "cli/run.h"
#include "seat.h"

/* No arguments, and standard streams that are not a terminal. */
static void test_no_terminal(void **state)
{
	struct ran ran = RUN(PROGRAM, NULL);

	assert_status(ran, 2);
	assert_contains(ran.err, "--script");
	assert_int_equal(ran.out.length, 0);
	ran_free(&ran);
}

static void refused(const char *type, const char *sentence)
{
	const char *environment[] = { type, NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	assert_ended(&seat, 2);
	assert_true(seat_find(&seat, sentence, NULL, NULL));
	assert_true(seat_find(&seat, "--plain", NULL, NULL));
	assert_false(seat_logged(&seat, "\033"));
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_terminal_that_cannot_move_its_cursor(void **state)
{
	refused("TERM=dumb", "'dumb' cannot move its cursor");
}

static void test_unknown_terminal(void **state)
{
	refused("TERM=no-such-terminal", "'no-such-terminal' is unknown");
}

static void test_no_terminal_type(void **state)
{
	refused("TERM", "TERM is not set");
	refused("TERM=", "TERM is not set");
}

/* Input is a terminal, but output is not. */
static void test_redirected_output(void **state)
{
	struct seat seat;
	int out[2];
	char byte;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	seat_open(&seat, &(struct seat_options){ .out = out[1] });
	close(out[1]);
	assert_ended(&seat, 2);
	assert_true(seat_find(&seat, "--script", NULL, NULL));
	assert_int_equal(read(out[0], &byte, 1), 0);
	close(out[0]);
	assert_restored(&seat);
	seat_close(&seat);
}

/* ---- --plain ---------------------------------------------------------- */

static void open_plain(struct seat *seat)
{
	static const char *const words[] = { "--plain", NULL };
	static const char *const environment[] = { "TERM=dumb", NULL };

	seat_open(seat,
		&(struct seat_options){ .words = words,
			.environment = environment });
	seat_shows(seat, "benchtop>");
}

static void say(struct seat *seat, const char *line)
{
	seat_send(seat, line, strlen(line));
}

/* The output is lines of text, without cursor movements, also during a run. */
static void test_r19_plain_at_a_terminal(void **state)
{
	struct seat seat;

	open_plain(&seat);
	/* No word is broken at the end of a line. */
	assert_true(seat_find(&seat, "commands, `quit` leaves.", NULL, NULL));
	say(&seat, "list cpu\n");
	seat_shows(&seat, "What does entering the kernel cost?");
	say(&seat, "run cpu.syscall budget=2s launches=6 -v\n");
	seat_shows(&seat, "done: launch limit reached");
	say(&seat, "bogus\n");
	seat_shows(&seat, "unknown command 'bogus'");
	say(&seat, "quit\n");
	assert_ended(&seat, 0);
	assert_false(seat_logged(&seat, "\033"));
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_plain_end_of_input(void **state)
{
	struct seat seat;

	open_plain(&seat);
	say(&seat, "\004");
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* An interrupt before the prompt appears would apply to the previous line. */
static void await_prompt(struct seat *seat)
{
	int column, row;

	do {
		seat_watch(seat, .001);
		seat_cursor(seat, &column, &row);
	} while (strcmp(seat_row(seat, row), "benchtop>") != 0);
}

/* Ctrl-C stops an active run; otherwise it discards the typed line, and on an
 * empty line quits the lab. */
static void test_plain_interrupted(void **state)
{
	struct seat seat;

	open_plain(&seat);
	say(&seat, "run cpu.syscall budget=60s launches=30\n");
	while (!seat_worker(&seat))
		seat_watch(&seat, .001);
	say(&seat, "\003");
	/* Before its first trial, or with the trials so far. */
	seat_shows(&seat, "stopped");
	say(&seat, "help quit\n");
	seat_shows(&seat, "leave the lab");
	await_prompt(&seat);
	/* The first Ctrl-C discards the typed text, the second quits. */
	say(&seat, "\003");
	seat_shows(&seat, "another Ctrl-C");
	await_prompt(&seat);
	say(&seat, "\003");
	assert_ended(&seat, 130);
	seat_close(&seat);
}

static void test_plain_terminated(void **state)
{
	struct seat seat;

	open_plain(&seat);
	kill(seat.program, SIGTERM);
	assert_ended(&seat, 143);
	seat_close(&seat);
}

static void plain_hang_up(bool untold)
{
	static const char *const words[] = { "--plain", NULL };
	struct seat seat;

	seat_open(&seat,
		&(struct seat_options){ .words = words,
			.hangup_untold = untold });
	seat_shows(&seat, "benchtop>");
	say(&seat, "run cpu.syscall budget=60s launches=30\n");
	while (!seat_worker(&seat))
		seat_watch(&seat, .001);
	seat_hang_up(&seat);
	assert_ended(&seat, 129);
	assert_int_equal(seat_processes(&seat), 0);
	seat_close(&seat);
}

static void test_plain_hang_up(void **state)
{
	plain_hang_up(false);
	plain_hang_up(true);
}

/* Some editors run programs on a pipe instead of a terminal. */
static void test_plain_in_a_pipe(void **state)
{
	struct ran ran = RUN("/bin/sh", "-c",
		"printf 'list cpu\\nbogus\\nhelp quit' | " PROGRAM " --plain");

	assert_status(ran, 0);
	assert_contains(ran.out, "benchtop> ");
	assert_contains(ran.out, "What does entering the kernel cost?");
	assert_contains(ran.err, "unknown command 'bogus'");
	/* The last line is executed even without a newline. */
	assert_contains(ran.out, "leave the lab");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test(test_terminal_that_cannot_move_its_cursor),
		cmocka_unit_test(test_unknown_terminal),
		cmocka_unit_test(test_no_terminal_type),
		cmocka_unit_test(test_redirected_output),
		cmocka_unit_test(test_r19_plain_at_a_terminal),
		cmocka_unit_test(test_plain_end_of_input),
		cmocka_unit_test(test_plain_interrupted),
		cmocka_unit_test(test_plain_terminated),
		cmocka_unit_test(test_plain_hang_up),
		cmocka_unit_test(test_plain_in_a_pipe),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
