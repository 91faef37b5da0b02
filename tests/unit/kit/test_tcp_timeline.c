/* Results derived from the timeline of a transfer, and from its rounds. */
#include "tcp_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MS INT64_C(1000000)

static void add(struct tcp_timeline *timeline, int64_t t_ms, uint64_t sent,
	uint64_t acked)
{
	timeline_add(timeline,
		(struct timeline_point){ t_ms * MS, sent, acked,
		sent - acked });
}

/* 10 KB in each of the first two round trips of 40 ms, then 40 KB in each. */
static void test_reached(void **state)
{
	struct tcp_timeline timeline = { 0 };

	timeline_begin(&timeline, 0);
	add(&timeline, 40, 10000, 0);
	add(&timeline, 80, 20000, 10000);
	add(&timeline, 120, 60000, 20000);
	add(&timeline, 160, 100000, 60000);
	assert_int_equal(timeline_reached(&timeline, 250e3, 40 * MS), 80 * MS);
	assert_int_equal(timeline_reached(&timeline, 1e6, 40 * MS), 160 * MS);
	assert_int_equal(timeline_reached(&timeline, 1.01e6, 40 * MS),
		UNKNOWN_NS);
	/* Over two round trips the rate was lower. */
	assert_int_equal(timeline_reached(&timeline, 750e3, 80 * MS),
		UNKNOWN_NS);
	timeline_free(&timeline);
}

/* Times are relative to the beginning, not to the first point. */
static void test_begin(void **state)
{
	struct tcp_timeline timeline = { 0 };

	timeline_begin(&timeline, 1000 * MS);
	assert_int_equal(timeline_reached(&timeline, 1, MS), UNKNOWN_NS);
	add(&timeline, 1040, 10000, 10000);
	assert_int_equal(timeline_reached(&timeline, 1e3, MS), 40 * MS);
	timeline_begin(&timeline, 0);
	assert_int_equal(timeline.count, 0);
	timeline_free(&timeline);
}

static void test_recovery(void **state)
{
	struct tcp_timeline timeline = { 0 };

	timeline_begin(&timeline, 0);
	add(&timeline, 10, 5000, 0);
	assert_int_equal(timeline_recovery(&timeline), UNKNOWN_NS);
	timeline_lose(&timeline, 20 * MS);
	add(&timeline, 30, 8000, 4999);
	assert_int_equal(timeline_recovery(&timeline), UNKNOWN_NS);
	timeline_lose(&timeline, 35 * MS); /* no longer the first */
	add(&timeline, 50, 9000, 5000);
	assert_int_equal(timeline_recovery(&timeline), 30 * MS);
	add(&timeline, 60, 9000, 9000);
	assert_int_equal(timeline_recovery(&timeline), 30 * MS);
	timeline_free(&timeline);
}

/* Packets are stamped on two processors, so a small step back is not an
 * error. */
static void test_steps_back(void **state)
{
	struct tcp_timeline timeline = { 0 };

	timeline_begin(&timeline, 0);
	add(&timeline, 10, 5000, 3000);
	timeline_add(&timeline, (struct timeline_point){ 9 * MS, 4000, 2000,
		2000 });
	assert_int_equal(timeline.at[1].t_ns, 10 * MS);
	assert_int_equal(timeline.at[1].sent, 5000);
	assert_int_equal(timeline.at[1].acked, 3000);
	timeline_free(&timeline);
}

static void test_many(void **state)
{
	struct tcp_timeline timeline = { 0 };

	timeline_begin(&timeline, 0);
	for (int i = 0; i < TIMELINE_POINTS_MAX + 10; i++)
		add(&timeline, i, (uint64_t)i, 0);
	assert_int_equal(timeline.count, TIMELINE_POINTS_MAX);
	timeline_free(&timeline);
}

static struct rounds rounds_of(struct round *room, const uint64_t *bytes,
	uint32_t count)
{
	memset(room, 0, count * sizeof *room);
	for (uint32_t i = 0; i < count; i++)
		room[i].bytes = bytes[i];
	return (struct rounds){
		.basis = ROUNDS_ECHO,
		.at = room,
		.count = count,
	};
}

static void test_until(void **state)
{
	static const uint64_t bytes[] = { 14480, 28960, 57920, 115840 };
	struct round room[4];
	struct rounds rounds = rounds_of(room, bytes, 4);

	assert_int_equal(rounds_until(&rounds, 1), 1);
	assert_int_equal(rounds_until(&rounds, 14480), 1);
	assert_int_equal(rounds_until(&rounds, 14481), 2);
	assert_int_equal(rounds_until(&rounds, 100000), 3);
	assert_int_equal(rounds_until(&rounds, 1000000), 0);
	rounds.basis = ROUNDS_TOO_SHORT;
	assert_int_equal(rounds_until(&rounds, 1), 0);
}

static void test_growth(void **state)
{
	static const uint64_t doubling[] = { 10, 20, 40, 80, 160, 5 };
	static const uint64_t left[] = { 10, 20, 40, 74, 75, 81, 84 };
	static const uint64_t two[] = { 10, 20 };
	struct round room[8];
	struct rounds rounds = rounds_of(room, doubling, 6);

	assert_float_equal(rounds_growth(&rounds), 2, 1e-9);
	/* The round in which slow start ended is left out, because it may be
	 * cut. */
	rounds.exit.reason = EXIT_LOSS;
	rounds.exit.round = 4;
	assert_float_equal(rounds_growth(&rounds), 2, 1e-9);
	/* Growth had stopped before the end: two rounds without growth are left
	 * out. */
	rounds = rounds_of(room, left, 7);
	rounds.exit.reason = EXIT_HYSTART_TRAIN;
	rounds.exit.round = 6;
	assert_float_equal(rounds_growth(&rounds), cbrt(7.4), 1e-9);
	rounds = rounds_of(room, two, 2);
	assert_true(isnan(rounds_growth(&rounds)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reached),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_recovery),
		cmocka_unit_test(test_steps_back),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
