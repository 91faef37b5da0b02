/* What took a processor away. */
#include "check.h"
#include "gap_cause.h"

enum { PERIOD = 4000000, TICKS = 25 };

/* A tick every 4 ms, a few us late at times. */
static size_t add_ticks(struct gap *gaps, size_t at)
{
	for (size_t i = 0; i < TICKS; i++)
		gaps[at++] = (struct gap){
			.at = 1234567 + i * PERIOD + i % 3 * 5000,
			.ticks = 2000,
			.cause = GAP_HOST,
		};
	return at;
}

static size_t count_of(const struct gap *gaps, size_t count,
	enum gap_cause cause)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += gaps[i].cause == cause;
	return found;
}

static void test_ticks(void **state)
{
	struct gap gaps[TICKS + 1];
	size_t count = add_ticks(gaps, 0);
	struct interrupts counts = { .all = TICKS, .timer = TICKS };

	gaps_find_causes(gaps, count, &counts, PERIOD);
	assert_int_equal(count_of(gaps, count, GAP_TIMER), TICKS);
	/* Without a timer interrupt, gaps of that period have another cause. */
	counts = (struct interrupts){ 0 };
	gaps_find_causes(gaps, count, &counts, PERIOD);
	assert_int_equal(count_of(gaps, count, GAP_HOST), TICKS);
}

/* Tasks stay tasks, whatever their phase. */
static void test_tasks(void **state)
{
	struct gap gaps[TICKS];
	size_t count = add_ticks(gaps, 0);
	struct interrupts counts = { .all = TICKS, .timer = TICKS };

	for (size_t i = 0; i < count; i += 2)
		gaps[i].cause = GAP_TASK;
	gaps_find_causes(gaps, count, &counts, PERIOD);
	assert_int_equal(count_of(gaps, count, GAP_TASK), TICKS / 2 + 1);
	assert_int_equal(count_of(gaps, count, GAP_TIMER), TICKS / 2);
}

/* Between the ticks: two interrupts, and a longer pause without one. */
static void test_interrupts_and_host(void **state)
{
	static const uint64_t others[][2] = { { 3000000, 900000 },
		{ 11000000, 1500 }, { 22500000, 1800 } };
	struct gap gaps[TICKS + 3];
	size_t count = add_ticks(gaps, 0);
	struct interrupts counts = { .all = TICKS + 2, .timer = TICKS };

	for (size_t i = 0; i < 3; i++)
		gaps[count++] = (struct gap){ .at = others[i][0],
			.ticks = others[i][1],
			.cause = GAP_HOST };
	gaps_find_causes(gaps, count, &counts, PERIOD);
	assert_int_equal(count_of(gaps, count, GAP_TIMER), TICKS);
	assert_int_equal(gaps[TICKS].cause, GAP_HOST);
	assert_int_equal(gaps[TICKS + 1].cause, GAP_INTERRUPT);
	assert_int_equal(gaps[TICKS + 2].cause, GAP_INTERRUPT);
}

static void test_nothing(void **state)
{
	struct interrupts counts = { .all = 3 };

	gaps_find_causes(NULL, 0, &counts, PERIOD);
}

/* Of 40 interrupts in 20 watches of 95 %, two came in between. */
static void test_unwatched_interrupts_do_not_count(void **state)
{
	struct interrupts counts;
	uint64_t sum = 0;
	double left = 0;

	for (int i = 0; i < 20; i++) {
		counts = (struct interrupts){ .all = 2, .timer = 1 };
		gaps_exclude_unwatched(&counts, .9499, &left);
		assert_true(counts.all == 2 || counts.all == 1);
		assert_int_equal(counts.timer, 1);
		sum += counts.all;
	}
	assert_int_equal(sum, 38);
	counts = (struct interrupts){ 0 };
	left = 3;
	gaps_exclude_unwatched(&counts, .5, &left);
	assert_int_equal(counts.all, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_interrupts_and_host),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_unwatched_interrupts_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
