/* A child computes the end of a large run: if it is killed, hung up, or left to
 * itself, nothing is lost. */
#include <signal.h>

#include "cli/run.h"
#include "seat.h"

static const char large[] =
	":run cpu.syscall budget=60s launches=6 trials=30000\r";
#define SUMMING "computing figures"

/* Waits until the run has ended and its child computes. */
static void sum_up(struct seat *seat)
{
	seat_open(seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(seat);
	seat_type(seat, "/syscall\r");
	seat_type(seat, large);
	seat_shows(seat, SUMMING);
}

static void check_saved(struct seat *seat, const char *name)
{
	struct text line = { 0 };

	text_add(&line, ":save --force %s\r", in_folder(name));
	seat_type(seat, line.chars);
	seat_send(seat, "q", 1);
	assert_ended(seat, 0);
	seat_close(seat);
	text_free(&line);
	/* Recomputes every figure and finding from the trials. */
	struct ran ran = RUN(PROGRAM, "verify", in_folder(name));
	assert_status(ran, 0);
	ran_free(&ran);
}

static void test_left_to_itself(void **state)
{
	struct seat seat;

	sum_up(&seat);
	seat_shows(&seat, SEAT_AT_REST);
	assert_true(seat_find(&seat, "180000 trials", NULL, NULL));
	assert_true(seat_find(&seat, "6 launches", NULL, NULL));
	check_saved(&seat, "left.json");
}

/* The kernel may kill the child if memory is short; then the lab computes the
 * summary itself. */
static void test_killed(void **state)
{
	struct seat seat;

	sum_up(&seat);
	pid_t child = seat_worker(&seat);
	if (child)
		kill(child, SIGKILL);
	seat_shows(&seat, SEAT_AT_REST);
	assert_true(seat_find(&seat, "180000 trials", NULL, NULL));
	check_saved(&seat, "killed.json");
}

/* Quitting meanwhile waits until the run is stored. */
static void test_left(void **state)
{
	struct seat seat;
	struct ran ran = RUN("/bin/sh", "-c",
		"rm -rf $XDG_STATE_HOME/benchtop/sessions");

	assert_status(ran, 0);
	ran_free(&ran);
	sum_up(&seat);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
	ran = RUN("/bin/sh", "-c",
		"set -- $XDG_STATE_HOME/benchtop/sessions/*; test $# = 1 && "
		"grep -o '\"trials\":30000' \"$1\" | wc -l && " PROGRAM
		" verify \"$1\" >&2");
	assert_status(ran, 0);
	/* In the plan and in six visits. */
	assert_string_equal(ran.out.chars, "7\n");
	ran_free(&ran);
}

/* After a hang-up the program does not wait: the trials remain on the tape. */
static void test_hung_up(void **state)
{
	struct seat seat;

	sum_up(&seat);
	seat_hang_up(&seat);
	assert_ended(&seat, 129);
	assert_int_equal(seat_processes(&seat), 0);
	seat_close(&seat);
	struct ran ran = RUN(PROGRAM, "recover");
	assert_status(ran, 0);
	assert_contains(ran.out, "cpu.syscall");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left_to_itself),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_hung_up),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
