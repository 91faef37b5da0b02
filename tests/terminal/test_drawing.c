/* The cost of the screen during a run, and none while nothing happens.
 * bench_drawing and bench_screen have the complete figures. */
#include <stdlib.h>

#include "cli/run.h"
#include "promise.h"
#include "seat.h"

/* Long enough that a single frame does not decide the result. */
enum { WATCHED_S = 4, REST_S = 2 };

/* Many trials per second and many points: the most that has to be drawn. */
static void draw(const char *run, const char *view)
{
	struct promise drawing = { "drawing", "% of a core", .limit = 1,
		.most = 8 };
	struct promise sent = { "sent", "kB/s", .limit = 8, .most = 1 };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, run);
	seat_shows(&seat, SEAT_LAUNCHED);
	seat_type(&seat, view);
	while (promise_open(&drawing)) {
		struct mark before = seat.mark;
		size_t bytes = seat.log.length;
		double began_ms = promise_ms(CLOCK_MONOTONIC);

		seat_watch(&seat, WATCHED_S);
		double span_ms = promise_ms(CLOCK_MONOTONIC) - began_ms;
		assert_true(seat_find(&seat, SEAT_BUSY, NULL, NULL));
		assert_true(seat.mark.frames > before.frames);
		promise_attempt(&drawing,
			(double)(seat.mark.drawing_ns - before.drawing_ns) *
				1e-4 / span_ms);
		promise_attempt(&sent,
			(double)(seat.log.length - bytes) / span_ms);
	}
	seat_close(&seat);
	promise_keep(&drawing);
	promise_keep(&sent);
}

static void test_r02_drawing(void **state)
{
	draw(":run cpu.syscall budget=60s launches=30 trials=80000\r", "1");
	draw(":run mem.latency size=1K..64M/4 stride=64,128 budget=60s\r", "2");
}

/* Voluntary context switches: each is a wait, and ends with a wake-up. */
static unsigned long waits_of(pid_t process)
{
	char path[64], line[200];
	unsigned long waits = 0;

	snprintf(path, sizeof path, "/proc/%d/status", (int)process);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &waits) == 1)
			break;
	fclose(file);
	return waits;
}

/* A finished run may have left timers or children. */
static void test_r02_at_rest(void **state)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, ":run cpu.call args=0 budget=1s launches=6\r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	seat_idle(&seat);
	/* On a busy machine the program may start to wait some time after the
	 * mark. */
	unsigned long waits = 0, now = waits_of(seat.program);
	for (int i = 0; i < 50 && waits != now; i++) {
		waits = now;
		seat_watch(&seat, .2);
		now = waits_of(seat.program);
	}
	size_t bytes = seat.log.length;
	unsigned long marks = seat.mark.serial;
	seat_watch(&seat, REST_S);
	assert_int_equal(seat.log.length, bytes);
	assert_int_equal(seat.mark.serial, marks);
	assert_int_equal(waits_of(seat.program), now);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r02_drawing),
		cmocka_unit_test(test_r02_at_rest),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
