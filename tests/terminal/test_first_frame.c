/* The first frame: its content, its time, and the queries sent to the
 * terminal. */
#include "cli/run.h"
#include "promise.h"
#include "seat.h"

/* The first frame has list, parameters and key bar, and is drawn 50 ms after
 * the start. Nothing has been measured for it: there is no child. */
static void test_r01_first_frame_before_probing(void **state)
{
	struct promise promise = { "the first frame", "ms", .limit = 50 };

	while (promise_open(&promise)) {
		struct seat seat;

		seat_open(&seat, &(struct seat_options){ 0 });
		seat_next_mark(&seat, 0);
		promise_attempt(&promise,
			(double)(seat.mark.at_ns - seat.started_ns) * 1e-6);
		assert_int_equal(seat.mark.frames, 1);
		assert_true(seat_find(&seat, SEAT_LIST, NULL, NULL));
		assert_true(seat_find(&seat, "syscall", NULL, NULL));
		assert_true(seat_find(&seat, "launches", NULL, NULL));
		assert_true(seat_find(&seat, SEAT_KEYS, NULL, NULL));
		assert_int_equal(seat_worker(&seat), 0);
		seat_send(&seat, "q", 1);
		assert_ended(&seat, 0);
		assert_restored(&seat);
		seat_close(&seat);
	}
	promise_keep(&promise);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r01_first_frame_before_probing),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
