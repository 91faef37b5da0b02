/* Spinners notice whether they have run: on the processor of the caller they
 * only run while it sleeps. */
#include "spinners.h"

#include <sched.h>
#include <time.h>

#include "check.h"
#include "party.h"

static void run_while_the_caller_sleeps(void **state)
{
	const struct timespec rest = { 0, 2000000 };
	const int cpus[] = { sched_getcpu(), sched_getcpu() };
	struct spinners spinners;
	bool still = false, ran = false;

	party_pin(cpus[0]);
	assert_int_equal(spinners_start(&spinners, cpus, 2), 0);
	/* The kernel may run a spinner between two lines, but not always. */
	for (int i = 0; i < 100 && !still; i++) {
		spinners_note(&spinners);
		still = !spinners_ran(&spinners);
	}
	assert_true(still);
	spinners_note(&spinners);
	for (int i = 0; i < 5000 && !ran; i++) {
		nanosleep(&rest, NULL);
		ran = spinners_ran(&spinners);
	}
	assert_true(ran);
	spinners_stop(&spinners);
}

static void none_have_always_run(void **state)
{
	struct spinners spinners;

	assert_int_equal(spinners_start(&spinners, NULL, 0), 0);
	spinners_note(&spinners);
	assert_true(spinners_ran(&spinners));
	spinners_stop(&spinners);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_while_the_caller_sleeps),
		cmocka_unit_test(none_have_always_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
