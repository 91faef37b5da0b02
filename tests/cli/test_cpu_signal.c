/* cpu.signal: every signal is counted, and no task is left behind. */
#include "run.h"

static void test_every_signal_is_handled(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.signal", "launches=6",
		"trials=20", "budget=20s");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_contains(ran.out, "to another thread and one back");
	assert_contains(ran.out, "to another process and one back");
	assert_contains(ran.out, "a fault that is handled by a signal");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* lmbench's figures: the handler is the signal without the call that sends, and
 * the fault is net of the handler. */
static void test_parts_of_a_signal(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.signal", "how=self,segv",
		"launches=6", "trials=20", "budget=20s", "--json");
	const char *at = strstr(text_chars(&ran.out), "\"points\":");

	assert_status(ran, 0);
	assert_verified(ran);
	double time = median_after(&at, "time");
	double send = median_after(&at, "send");
	double handler = median_after(&at, "handler");
	assert_true(send > 0 && send < time);
	assert_true(handler > 0 && handler < time);
	time = median_after(&at, "time");
	double caught = median_after(&at, "caught");
	handler = median_after(&at, "handler");
	double fault = median_after(&at, "fault");
	assert_true(handler > 0 && handler < caught);
	assert_true(fault < time);
	ran_free(&ran);
}

/* Two points in one worker, trial by trial: the masks and handlers of one must
 * not disturb the other. */
static void test_pairs_share_a_worker(void **state)
{
	static const char *const others[] = { "how=thread", "how=process",
		"how=segv", "how=install" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct ran ran = RUN(PROGRAM, "ab", "cpu.signal", "how=self",
			others[i], "launches=6", "trials=20", "budget=20s");

		assert_status(ran, 0);
		assert_verified(ran);
		assert_int_equal(processes_of(PROGRAM), 0);
		ran_free(&ran);
	}
}

static void test_a_placement_needs_another_task(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.signal", "how=self",
		"placement=other", "launches=6", "trials=20");

	assert_contains(ran.out, "unavailable");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_signal_is_handled),
		cmocka_unit_test(test_parts_of_a_signal),
		cmocka_unit_test(test_pairs_share_a_worker),
		cmocka_unit_test(test_a_placement_needs_another_task),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
