/* The screen keeps off the processor that measures; where there is only that
 * one it stops drawing, and says so. */
#include <sched.h>
#include <unistd.h>

#include "cli/run.h"
#include "seat.h"

enum overlap { APART, TOGETHER, UNKNOWN };

/* May the screen run where a worker does? */
static enum overlap look(const struct seat *seat)
{
	cpu_set_t screen, worker, both;
	pid_t pid = seat_worker(seat);

	/* It may end between two lines. */
	if (!pid || sched_getaffinity(pid, sizeof worker, &worker) ||
		sched_getaffinity(seat->program, sizeof screen, &screen) ||
		sched_getaffinity(pid, sizeof worker, &worker))
		return UNKNOWN;
	CPU_AND(&both, &screen, &worker);
	return CPU_COUNT(&both) ? TOGETHER : APART;
}

static void test_r03_screen_off_the_measuring_processor(void **state)
{
	struct seat seat;
	int looks[UNKNOWN + 1] = { 0 };

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		print_message("SKIP: one processor only\n");
		skip();
	}
	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_type(&seat, ":run cpu.syscall budget=60s launches=30\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	while (!seat_find(&seat, SEAT_AT_REST, NULL, NULL)) {
		looks[look(&seat)]++;
		seat_watch(&seat, .01);
	}
	/* A worker is where the screen is from its fork to its pinning. */
	print_message("apart %d times, together %d\n", looks[APART],
		looks[TOGETHER]);
	assert_true(looks[APART] > 3 * looks[TOGETHER]);
	assert_true(looks[APART] > 0);
	seat_close(&seat);
}

/* Opens the lab where it has one processor, that which measures. */
static void open_on_one(struct seat *seat)
{
	const char *const words[] = { "-c", "0", PROGRAM, NULL };

	seat_open(seat,
		&(struct seat_options){ .program = "/usr/bin/taskset",
			.words = words });
	seat_idle(seat);
}

static void test_screen_still_where_no_processor_is_left(void **state)
{
	struct seat seat;

	(void)state;
	open_on_one(&seat);
	seat_type(&seat, ":run cpu.syscall cpu=0 budget=2s launches=6\r");
	seat_shows(&seat, "drawing waits");
	/* No frame of a launch is ever painted. */
	while (!seat_find(&seat, SEAT_AT_REST, NULL, NULL)) {
		assert_false(seat_find(&seat, " of about ", NULL, NULL));
		seat_next_mark(&seat, seat.mark.serial);
	}
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* Keys are taken while nothing is drawn. */
static void test_stopped_while_still(void **state)
{
	struct seat seat;

	(void)state;
	open_on_one(&seat);
	seat_type(&seat, ":run cpu.syscall cpu=0 budget=60s launches=30\r");
	seat_shows(&seat, "drawing waits");
	seat_send(&seat, "x", 1);
	seat_shows(&seat, SEAT_AT_REST);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r03_screen_off_the_measuring_processor),
		cmocka_unit_test(test_screen_still_where_no_processor_is_left),
		cmocka_unit_test(test_stopped_while_still),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
