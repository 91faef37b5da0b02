/* What is read off the course of a transfer, and off its rounds. */
#include "course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MS INT64_C(1000000)

static void add(struct course *course, int64_t t_ms, uint64_t sent,
	uint64_t acked)
{
	course_add(course,
		(struct course_point){ t_ms * MS, sent, acked, sent - acked });
}

/* 10 KB in each of the first two round trips of 40 ms, then 40 KB in each. */
static void test_reached(void **state)
{
	struct course course = { 0 };

	(void)state;
	course_begin(&course, 0);
	add(&course, 40, 10000, 0);
	add(&course, 80, 20000, 10000);
	add(&course, 120, 60000, 20000);
	add(&course, 160, 100000, 60000);
	assert_int_equal(course_reached(&course, 250e3, 40 * MS), 80 * MS);
	assert_int_equal(course_reached(&course, 1e6, 40 * MS), 160 * MS);
	assert_int_equal(course_reached(&course, 1.01e6, 40 * MS), UNKNOWN_NS);
	/* Over two round trips fewer were acknowledged. */
	assert_int_equal(course_reached(&course, 750e3, 80 * MS), UNKNOWN_NS);
	course_free(&course);
}

/* Of the begin, not of the first point. */
static void test_begin(void **state)
{
	struct course course = { 0 };

	(void)state;
	course_begin(&course, 1000 * MS);
	assert_int_equal(course_reached(&course, 1, MS), UNKNOWN_NS);
	add(&course, 1040, 10000, 10000);
	assert_int_equal(course_reached(&course, 1e3, MS), 40 * MS);
	course_begin(&course, 0);
	assert_int_equal(course.count, 0);
	course_free(&course);
}

static void test_recovery(void **state)
{
	struct course course = { 0 };

	(void)state;
	course_begin(&course, 0);
	add(&course, 10, 5000, 0);
	assert_int_equal(course_recovery(&course), UNKNOWN_NS);
	course_lose(&course, 20 * MS);
	add(&course, 30, 8000, 4999);
	assert_int_equal(course_recovery(&course), UNKNOWN_NS);
	course_lose(&course, 35 * MS); /* not the first any more */
	add(&course, 50, 9000, 5000);
	assert_int_equal(course_recovery(&course), 30 * MS);
	add(&course, 60, 9000, 9000);
	assert_int_equal(course_recovery(&course), 30 * MS);
	course_free(&course);
}

/* Two processors stamp packets: a step back is none here. */
static void test_steps_back(void **state)
{
	struct course course = { 0 };

	(void)state;
	course_begin(&course, 0);
	add(&course, 10, 5000, 3000);
	course_add(&course, (struct course_point){ 9 * MS, 4000, 2000, 2000 });
	assert_int_equal(course.at[1].t_ns, 10 * MS);
	assert_int_equal(course.at[1].sent, 5000);
	assert_int_equal(course.at[1].acked, 3000);
	course_free(&course);
}

static void test_many(void **state)
{
	struct course course = { 0 };

	(void)state;
	course_begin(&course, 0);
	for (int i = 0; i < COURSE_POINTS_MAX + 10; i++)
		add(&course, i, (uint64_t)i, 0);
	assert_int_equal(course.count, COURSE_POINTS_MAX);
	course_free(&course);
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

	(void)state;
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

	(void)state;
	assert_float_equal(rounds_growth(&rounds), 2, 1e-9);
	/* In the round of its end it had been cut. */
	rounds.exit.reason = EXIT_LOSS;
	rounds.exit.round = 4;
	assert_float_equal(rounds_growth(&rounds), 2, 1e-9);
	/* By growth alone: two rounds that did not. */
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
