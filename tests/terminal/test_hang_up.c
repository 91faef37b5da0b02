/* Closing the terminal ends the program and its worker at once. */

#include "cli/run.h"
#include "promise.h"
#include "seat.h"

static const char long_run[] = ":run cpu.syscall budget=60s launches=30\r";
/* 18 000 trials: a run of more than 20 000 stays on its tape after a hang-up,
 * for `recover` (ui/shell/ui.c). */
static const char saved_run[] =
	":run cpu.syscall budget=60s launches=30 trials=600\r";

enum { WANTED_MS = 200, HANG_UPS = 12 };

/* The time until the program had ended, in ms. */
static double hang_up_once(const struct seat_options *options, bool running)
{
	struct seat seat;

	seat_open(&seat, options);
	seat_idle(&seat);
	if (running) {
		seat_type(&seat, long_run);
		seat_shows(&seat, SEAT_LAUNCHED);
		while (!seat_worker(&seat))
			seat_watch(&seat, .001);
	}
	uint64_t began_ns = seat_now_ns();
	seat_hang_up(&seat);
	assert_ended(&seat, 129);
	double took_ms = (double)(seat.state_ns - began_ns) * 1e-6;
	assert_int_equal(seat_processes(&seat), 0);
	seat_close(&seat);
	return took_ms;
}

static void hang_up(const struct seat_options *options, bool running)
{
	struct promise promise = {
		.what = options->hangup_ignored ? "hang-up, SIGHUP ignored" :
			options->hangup_untold  ? "hang-up, no SIGHUP" :
						  "hang-up",
		.unit = running ? "ms, run going on" : "ms",
		.limit = WANTED_MS,
		.most = 8,
	};

	while (promise_open(&promise))
		promise_attempt(&promise, hang_up_once(options, running));
	promise_keep(&promise);
}

static const struct seat_options usual = { 0 };
static const struct seat_options ignored = { .hangup_ignored = true };
/* A shell that has disowned the program or has ended. */
static const struct seat_options untold = { .hangup_untold = true };

static void test_r05_hang_up(void **state)
{
	hang_up(&usual, false);
	hang_up(&usual, true);
}

static void test_r05_hang_up_ignored(void **state)
{
	hang_up(&ignored, false);
	hang_up(&ignored, true);
}

static void test_hang_up_untold(void **state)
{
	hang_up(&untold, false);
	hang_up(&untold, true);
}

/* A hang-up at any moment leaves a valid session with the samples so far. */
static void test_hang_up_keeps_what_was_measured(void **state)
{
	for (int i = 0; i < HANG_UPS; i++) {
		struct seat seat;

		seat_open(&seat, &usual);
		seat_idle(&seat);
		seat_type(&seat, saved_run);
		seat_shows(&seat, i < HANG_UPS / 2 ? SEAT_BUSY : SEAT_LAUNCHED);
		/* During the first launch there may be no samples. */
		if (i >= HANG_UPS / 2)
			seat_shows_no(&seat, "launch 1 of ");
		seat_watch(&seat, .02 * (1 + i % (HANG_UPS / 2)));
		seat_hang_up(&seat);
		assert_ended(&seat, 129);
		seat_close(&seat);
	}
	struct ran ran = RUN("/bin/sh", "-c",
		"grep -l cpu.syscall $XDG_STATE_HOME/benchtop/sessions/* | "
		"{ while read -r file; do " PROGRAM
		" verify \"$file\" || exit; echo held; done; }");
	assert_status(ran, 0);
	int held = 0;
	for (const char *at = text_chars(&ran.out); (at = strstr(at, "held\n"));
		at++)
		held++;
	assert_true(held >= HANG_UPS / 2);
	ran_free(&ran);
}

/* Without a screen, a run under nohup continues after a hang-up. */
static void test_headless_goes_on_under_nohup(void **state)
{
	const char *const words[] = { "-c",
		"run cpu.call budget=2s launches=6 -v; show cpu.call", NULL };
	struct seat seat;
	int out[2];
	char piece[4096];
	struct text said = { 0 };
	ssize_t got;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	seat_open(&seat,
		&(struct seat_options){ .words = words,
			.hangup_ignored = true,
			.out = out[1] });
	close(out[1]);
	seat_shows(&seat, "cpu.call");
	seat_hang_up(&seat);
	assert_ended(&seat, 0);
	while ((got = read(out[0], piece, sizeof piece)) > 0)
		text_add_chars(&said, piece, (size_t)got);
	close(out[0]);
	assert_contains(said, "launch limit reached");
	text_free(&said);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r05_hang_up),
		cmocka_unit_test(test_r05_hang_up_ignored),
		cmocka_unit_test(test_hang_up_untold),
		cmocka_unit_test(test_hang_up_keeps_what_was_measured),
		cmocka_unit_test(test_headless_goes_on_under_nohup),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
