/* cpu.wake: every way of waking has a figure, and no wake-up is omitted. */
#include "run.h"

#define QUICK "launches=6", "trials=20", "interval=200us", "budget=30s"

static size_t count_of(const struct text *text, const char *piece)
{
	const char *at = text_chars(text);
	size_t count = 0;

	for (; (at = strstr(at, piece)); at++)
		count++;
	return count;
}

static void test_every_way_wakes(void **state)
{
	bool alone = sysconf(_SC_NPROCESSORS_ONLN) < 2;
	struct ran ran = RUN(PROGRAM, "run", "cpu.wake", "load=none,busy",
		"slack=1ns,50us", QUICK, "--json");

	assert_status(ran, 0);
	assert_int_equal(count_of(&ran.out, "\"state\":\"ok\""),
		alone ? 12 : 20);
	assert_int_equal(
		count_of(&ran.out, "the latest of 120 wake-ups came "),
		alone ? 12 : 20);
	ran_free(&ran);
}

/* A quantile needs ten wake-ups beyond it. */
static void test_tail(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.wake", "how=nanosleep",
		"interval=100us", "launches=6", "trials=1000", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"name\":\"p99\"");
	assert_false(contains(&ran.out, "\"name\":\"p99.9\""));
	ran_free(&ran);
}

/* By the recipe of the method, at a shorter interval. */
static void test_every_delay_counts(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "cpu.wake", "how=nanosleep",
		"interval=100us", "launches=10", "trials=1000", "budget=60s",
		"--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "the latest of 10000 wake-ups came ");
	assert_contains(ran.out, "\"name\":\"p99.9\"");
	ran_free(&ran);
}

/* The kernel adds the slack only to a sleep of ordinary priority. */
static void test_slack_is_expected(void **state)
{
	struct ran ran = RUN(PROGRAM, "show", "cpu.wake", "how=nanosleep",
		"slack=10ms");

	assert_status(ran, 0);
	assert_contains(ran.out, "at most the timer slack");
	ran_free(&ran);
	ran = RUN(PROGRAM, "show", "cpu.wake", "how=nanosleep", "slack=10ms",
		"priority=fifo");
	assert_status(ran, 0);
	assert_lacks(ran.out, "at most the timer slack");
	ran_free(&ran);
}

static void test_refusals(void **state)
{
	static const char *const words[] = { "interval=10us", "slack=0ns",
		"how=sleep", "load=2" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct ran ran = RUN(PROGRAM, "run", "cpu.wake", words[i]);

		assert_status(ran, 2);
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way_wakes),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_every_delay_counts),
		cmocka_unit_test(test_slack_is_expected),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
