/* Keys are answered at once. */
#include "cli/run.h"
#include "promise.h"
#include "seat.h"

/* The time from a key to its frame. */
static double answered_ms(struct seat *seat, const char *key)
{
	uint64_t began_ns = seat_now_ns();

	seat_type(seat, key);
	return (double)(seat->mark.at_ns - began_ns) * 1e-6;
}

/* By default ncurses would wait a second for the rest of a sequence. */
static void test_r09_escape_at_once(void **state)
{
	struct promise promise = { "Esc", "ms", .limit = 50 };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	while (promise_open(&promise)) {
		seat_type(&seat, ":quit");
		assert_true(seat_find(&seat, ":quit", NULL, NULL));
		uint64_t began_ns = seat_now_ns();
		seat_key(&seat, VTERM_KEY_ESCAPE);
		promise_attempt(&promise,
			(double)(seat.mark.at_ns - began_ns) * 1e-6);
		assert_true(seat_find(&seat, "Esc again", NULL, NULL));
		seat_key(&seat, VTERM_KEY_ESCAPE);
		assert_false(seat_find(&seat, ":quit", NULL, NULL));
	}
	seat_close(&seat);
	promise_keep(&promise);
}

/* A user who sets ESCDELAY knows that the connection is slow. */
static void test_r09_escape_delay_of_the_user(void **state)
{
	const char *const environment[] = { "ESCDELAY=700", NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	seat_idle(&seat);
	seat_type(&seat, ":quit");
	uint64_t began_ns = seat_now_ns();
	seat_key(&seat, VTERM_KEY_ESCAPE);
	assert_true(seat.mark.at_ns - began_ns > 600000000u);
	seat_close(&seat);
}

/* Esc goes one step back, and never quits. */
static void test_r09_escape_never_quits(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	for (int i = 0; i < 5; i++)
		seat_key(&seat, VTERM_KEY_ESCAPE);
	seat_type(&seat, "?");
	for (int i = 0; i < 5; i++)
		seat_key(&seat, VTERM_KEY_ESCAPE);
	assert_int_equal(seat.state, SEAT_RUNS);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	seat_close(&seat);
}

static void test_keys_while_a_run_goes_on(void **state)
{
	struct promise promise = { "a key while a run is in progress", "ms",
		.limit = 50 };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_type(&seat, ":run cpu.syscall budget=60s launches=30\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	while (promise_open(&promise))
		promise_attempt(&promise,
			answered_ms(&seat, promise.attempts % 2 ? "k" : "j"));
	seat_type(&seat, "x");
	seat_shows(&seat, SEAT_AT_REST);
	seat_close(&seat);
	promise_keep(&promise);
}

/* Summarising so many trials takes seconds, and a child does it. Meanwhile keys
 * are answered as fast as at any other time. An attempt proves nothing if the
 * run ended unobserved; a later attempt may. */
static void test_keys_while_a_large_run_ends(void **state)
{
	struct promise promise = { "the slowest key as a large run ends", "ms",
		.limit = 50, .most = 4 };

	while (promise_open(&promise)) {
		struct seat seat;
		double slowest_ms = 0;
		bool summed = false;

		seat_open(&seat, &(struct seat_options){ 0 });
		seat_idle(&seat);
		seat_type(&seat,
			":run cpu.syscall budget=60s launches=6 trials=50000\r");
		/* With a co-runner, the number of the launch in a frame
		 * varies. */
		seat_shows(&seat, "launch ");
		for (int i = 0; !seat_find(&seat, SEAT_AT_REST, NULL, NULL);
			i++) {
			slowest_ms = fmax(slowest_ms,
				answered_ms(&seat, i % 2 ? "k" : "j"));
			summed |= seat_find(&seat, "computing f", NULL, NULL);
		}
		assert_true(summed);
		seat_close(&seat);
		promise_attempt(&promise, slowest_ms);
	}
	promise_keep(&promise);
}

/* Arrows, home, end and two function keys. */
static void test_named_keys(void **state)
{
	struct seat seat;
	int column, first, row;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_cursor(&seat, &column, &first);
	seat_key(&seat, VTERM_KEY_DOWN);
	seat_cursor(&seat, &column, &row);
	assert_int_equal(row, first + 1);
	seat_key(&seat, VTERM_KEY_UP);
	seat_cursor(&seat, &column, &row);
	assert_int_equal(row, first);
	seat_key(&seat, VTERM_KEY_HOME);
	seat_cursor(&seat, &column, &row);
	assert_true(row < first);
	seat_key(&seat, VTERM_KEY_END);
	seat_cursor(&seat, &column, &row);
	assert_true(row > first);
	seat_key(&seat, VTERM_KEY_FUNCTION(1));
	assert_false(seat_find(&seat, SEAT_LIST, NULL, NULL));
	seat_key(&seat, VTERM_KEY_ESCAPE);
	assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
	seat_key(&seat, VTERM_KEY_FUNCTION(10));
	assert_ended(&seat, 0);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r09_escape_at_once),
		cmocka_unit_test(test_r09_escape_delay_of_the_user),
		cmocka_unit_test(test_r09_escape_never_quits),
		cmocka_unit_test(test_keys_while_a_run_goes_on),
		cmocka_unit_test(test_keys_while_a_large_run_ends),
		cmocka_unit_test(test_named_keys),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
