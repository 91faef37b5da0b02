/* What took a processor away. */
#include <stdlib.h>

#include "check.h"
#include "gap_cause.h"
#include "random.h"

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

/* A threshold above the interrupts leaves the pause to the host. */
static void test_threshold(void **state)
{
	struct gap gaps[TICKS + 3];
	size_t count = add_ticks(gaps, 0);
	struct interrupts counts = { .all = TICKS + 2, .timer = TICKS };

	gaps[count++] = (struct gap){ 3000000, 900000, GAP_HOST, 0 };
	gaps[count++] = (struct gap){ 11000000, 1500, GAP_HOST, 0 };
	gaps[count++] = (struct gap){ 22500000, 1800, GAP_HOST, 0 };
	gaps_find_causes(gaps, count, &counts, PERIOD);
	assert_int_equal(gaps_longer(gaps, count, 1799), TICKS + 2);
	assert_int_equal(gaps_longer(gaps, TICKS + 2, 30000), 1);
	assert_int_equal(gaps[0].ticks, 900000);
	assert_int_equal(gaps[0].cause, GAP_HOST);
	assert_int_equal(gaps_longer(gaps, 1, 900000), 0);
}

static int by_time(const void *a, const void *b)
{
	const struct gap *p = a, *q = b;

	return (p->at > q->at) - (p->at < q->at);
}

/* Random gaps in a tenth of a second: their number, and their durations. */
struct others {
	size_t count;
	uint64_t least_ns, most_ns;
};

static void add_others(struct gap *gaps, const struct others *others,
	uint64_t *random)
{
	uint64_t range = others->most_ns - others->least_ns;

	for (size_t i = 0; i < others->count; i++)
		gaps[i] = (struct gap){
			.at = random_below(random, TICKS * PERIOD),
			.ticks = 2 * ((others->least_ns +
				random_below(random, range)) / 2),
		};
}

/* Adds them to ticks. Only the durations of ticks are odd. The phase of the
 * tick is that of two bins at both ends of the period. */
static size_t make_tape(struct gap *gaps, size_t ticks, uint64_t tick_ns,
	double period, const struct others *others, size_t kinds)
{
	uint64_t random = 7;
	size_t count = 0;

	for (; count < ticks; count++)
		gaps[count] = (struct gap){
			.at = 3996000 + (uint64_t)((double)count * period) +
				random_below(&random, 8000),
			.ticks = 1 + 2 * ((tick_ns +
				random_below(&random, tick_ns / 4)) / 2),
		};
	for (size_t i = 0; i < kinds; count += others[i++].count)
		add_others(gaps + count, &others[i], &random);
	qsort(gaps, count, sizeof *gaps, by_time);
	return count;
}

static void assert_ticks_found(struct gap *gaps, size_t count, size_t ticks)
{
	struct interrupts counts = { .all = ticks, .timer = ticks };
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		gaps[i].cause = GAP_HOST;
	gaps_find_causes(gaps, count, &counts, PERIOD);
	for (size_t i = 0; i < count; i++)
		found += gaps[i].cause == GAP_TIMER && gaps[i].ticks % 2;
	assert_int_equal(found, ticks);
	assert_int_equal(count_of(gaps, count, GAP_TIMER), ticks);
}

/* A hypervisor takes the processor 12 000 times per second for 2.5 us: nearly
 * once in each two bins of each period. A few pauses are longer than a tick. */
static void test_ticks_among_many_short_gaps(void **state)
{
	static const struct others others[] = { { 1200, 2000, 3000 },
		{ 30, 10000, 300000 } };
	struct gap gaps[TICKS + 1230];

	for (size_t kinds = 1; kinds <= 2; kinds++) {
		size_t count = make_tape(gaps, TICKS, 22000, PERIOD, others,
			kinds);

		assert_ticks_found(gaps, count, TICKS);
		/* The phase drifts by a quarter of a bin. */
		count = make_tape(gaps, TICKS, 22000, PERIOD + 300, others,
			kinds);
		assert_ticks_found(gaps, count, TICKS);
	}
}

/* As without a hypervisor. */
static void test_short_ticks_among_few_gaps(void **state)
{
	static const struct others others = { 20, 600, 30000 };
	struct gap gaps[TICKS + 20];

	for (size_t kinds = 0; kinds <= 1; kinds++) {
		size_t count =
			make_tape(gaps, TICKS, 2000, PERIOD, &others, kinds);

		assert_ticks_found(gaps, count, TICKS);
		count = make_tape(gaps, TICKS, 2000, PERIOD + 300, &others,
			kinds);
		assert_ticks_found(gaps, count, TICKS);
	}
}

/* The kernel stops the tick after the third. */
static void test_few_ticks(void **state)
{
	static const struct others others = { 1200, 2000, 3000 };
	struct gap gaps[3 + 1200];

	assert_ticks_found(gaps,
		make_tape(gaps, 3, 22000, PERIOD, &others, 1), 3);
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
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_ticks_among_many_short_gaps),
		cmocka_unit_test(test_short_ticks_among_few_gaps),
		cmocka_unit_test(test_few_ticks),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_unwatched_interrupts_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
