/* However the program ends, the terminal is restored. */
#include <signal.h>

#include "cli/run.h"
#include "seat.h"

/* A run that is active during the whole test. */
static const char long_run[] = ":run cpu.syscall budget=60s launches=30\r";

static void open_seat(struct seat *seat)
{
	seat_open(seat, &(struct seat_options){ 0 });
	seat_idle(seat);
	assert_true(seat->alternate);
}

static void test_r04_quit(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_r04_quit_with_run_going_on(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_type(&seat, long_run);
	seat_shows(&seat, SEAT_BUSY);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	assert_int_equal(seat_processes(&seat), 0);
	seat_close(&seat);
}

/* Two Ctrl-C in a row quit an idle lab, with the exit code of an interrupted
 * program. */
static void test_r04_interrupt_key(void **state)
{
	struct seat seat;

	open_seat(&seat);
	for (int i = 0; i < 2; i++) {
		seat_send(&seat, "\003", 1);
		seat_shows(&seat, "q or another Ctrl-C leaves the lab");
		seat_send(&seat, "j", 1);
		/* Two pending signals are one: the sentence must be new. */
		seat_shows_no(&seat, "another Ctrl-C");
		assert_int_equal(seat.state, SEAT_RUNS);
	}
	seat_send(&seat, "\003", 1);
	seat_shows(&seat, "another Ctrl-C");
	seat_send(&seat, "\003", 1);
	assert_ended(&seat, 130);
	assert_restored(&seat);
	seat_close(&seat);
}

/* During a run, Ctrl-C stops the run and the lab remains open. */
static void test_interrupt_key_stops_run(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_type(&seat, long_run);
	seat_shows(&seat, SEAT_BUSY);
	seat_send(&seat, "\003", 1);
	seat_shows(&seat, SEAT_AT_REST);
	assert_int_equal(seat.state, SEAT_RUNS);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

static void test_r04_terminated(void **state)
{
	struct seat seat;

	open_seat(&seat);
	kill(seat.program, SIGTERM);
	assert_ended(&seat, 143);
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_r04_terminated_with_run_going_on(void **state)
{
	struct seat seat;

	open_seat(&seat);
	seat_type(&seat, long_run);
	seat_shows(&seat, SEAT_BUSY);
	kill(seat.program, SIGTERM);
	assert_ended(&seat, 143);
	assert_restored(&seat);
	assert_int_equal(seat_processes(&seat), 0);
	seat_close(&seat);
}

/* The terminal is restored, and the program dies by the same signal. */
static void crash(const char *type, int number, const char *name)
{
	const char *environment[] = { type,
		"ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:"
		"handle_sigfpe=0:handle_sigill=0",
		"UBSAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:"
		"handle_sigfpe=0:handle_sigill=0",
		NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .environment = environment });
	seat_idle(&seat);
	kill(seat.program, number);
	assert_killed(&seat, number);
	assert_restored(&seat);
	assert_true(seat_find(&seat, name, NULL, NULL));
	seat_close(&seat);
}

#define CRASH(name) \
	static void test_r04_crash_##name(void **state) \
	{ \
		(void)state; \
		crash("TERM=xterm-256color", name, "by " #name); \
	}
CRASH(SIGSEGV)
CRASH(SIGABRT)
CRASH(SIGBUS)
CRASH(SIGFPE)
CRASH(SIGILL)
CRASH(SIGQUIT)
CRASH(SIGUSR1)

/* The same for a terminal without an alternate screen. */
static void test_r04_crash_on_vt220(void **state)
{
	crash("TERM=vt220", SIGSEGV, "by SIGSEGV");
}

/* The worker never outlives the lab, even if the lab dies by a signal that it
 * cannot catch. */
static void die_with_run_going_on(int number)
{
	struct seat seat;

	open_seat(&seat);
	seat_type(&seat, long_run);
	seat_shows(&seat, SEAT_LAUNCHED);
	while (!seat_worker(&seat))
		seat_watch(&seat, .001);
	kill(seat.program, number);
	assert_killed(&seat, number);
	uint64_t until_ns = seat_now_ns() + SEAT_PATIENCE_MS * 1000000ull;
	while (seat_processes(&seat) && seat_now_ns() < until_ns)
		seat_watch(&seat, .001);
	assert_int_equal(seat_processes(&seat), 0);
	if (number != SIGKILL)
		assert_restored(&seat);
	seat_close(&seat);
}

static void test_r04_crash_with_run_going_on(void **state)
{
	die_with_run_going_on(SIGQUIT);
}

static void test_killed_with_run_going_on(void **state)
{
	die_with_run_going_on(SIGKILL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r04_quit),
		cmocka_unit_test(test_r04_quit_with_run_going_on),
		cmocka_unit_test(test_r04_interrupt_key),
		cmocka_unit_test(test_interrupt_key_stops_run),
		cmocka_unit_test(test_r04_terminated),
		cmocka_unit_test(test_r04_terminated_with_run_going_on),
		cmocka_unit_test(test_r04_crash_SIGSEGV),
		cmocka_unit_test(test_r04_crash_SIGABRT),
		cmocka_unit_test(test_r04_crash_SIGBUS),
		cmocka_unit_test(test_r04_crash_SIGFPE),
		cmocka_unit_test(test_r04_crash_SIGILL),
		cmocka_unit_test(test_r04_crash_SIGQUIT),
		cmocka_unit_test(test_r04_crash_SIGUSR1),
		cmocka_unit_test(test_r04_crash_on_vt220),
		cmocka_unit_test(test_r04_crash_with_run_going_on),
		cmocka_unit_test(test_killed_with_run_going_on),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
