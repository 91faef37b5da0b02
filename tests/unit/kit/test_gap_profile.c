/* The typical gap of a cause, and its period. */
#include "check.h"
#include "gap_profile.h"
#include "results.h"

static void add(struct column *trace, double x, double y, unsigned visit)
{
	struct trace_point *point = column_add(trace);

	*point = (struct trace_point){ x, y, visit };
}

/* Every 10 ms for 50 us, a few us late at times; short gaps at other times, and
 * one of 2 ms. */
static void add_interrupter(struct column *trace)
{
	for (unsigned visit = 0; visit < 2; visit++) {
		double last = 0;

		for (int i = 0; i < 100; i++) {
			double at = 3e6 + i * 10e6 + i % 5 * 2000.;

			if (i % 3 == 0)
				add(trace, (last + at) / 2, 3000, visit);
			add(trace, at, 50000 + i % 7 * 300, visit);
			last = at;
		}
	}
	add(trace, 998e6, 2e6, 1);
}

/* Most of the time is lost in long gaps at any time. */
static void add_others(struct column *trace)
{
	for (int i = 0; i < 100; i++)
		add(trace, i * i * 1e5 + 1e5, 5e6, 1);
}

static void test_period(void **state)
{
	struct gap_profile profile;
	struct column trace;

	column_init(&trace, sizeof(struct trace_point));
	add_interrupter(&trace);
	for (int others = 0; others < 2; others++) {
		assert_true(gap_profile_of(&trace, 2e9, &profile));
		assert_within(profile.typical_ns, 51000, .02);
		assert_within(profile.period_ns, 10e6, .001);
		assert_true(profile.every);
		assert_int_equal(profile.typical_count, 200);
		assert_near(profile.longest_ns, others ? 5e6 : 2e6);
		add_others(&trace);
	}
	column_release(&trace);
}

/* A tick every 4 ms. Another task takes the processor at two of three ticks, so
 * hardly a distance is 4 ms. */
static void test_multiples(void **state)
{
	static const int passed[] = { 2, 3, 4, 2, 3, 5, 3, 1 };
	struct gap_profile profile;
	struct column trace;
	double at = 1e6;

	column_init(&trace, sizeof(struct trace_point));
	for (int i = 0; i < 100; i++) {
		add(&trace, at + i % 5 * 2000., 12000 + i % 7 * 300, 0);
		at += 4e6 * passed[i % 8];
	}
	assert_true(gap_profile_of(&trace, 1.2e9, &profile));
	assert_within(profile.period_ns, 4e6, .001);
	assert_false(profile.every);
	assert_int_equal(profile.typical_count, 100);
	column_release(&trace);
}

/* The same number of gaps at growing distances has no period. */
static void test_irregular(void **state)
{
	struct gap_profile profile;
	struct column trace;

	column_init(&trace, sizeof(struct trace_point));
	for (int i = 0; i < 100; i++)
		add(&trace, i * i * 1e5, 50000, 0);
	assert_true(gap_profile_of(&trace, 1e9, &profile));
	assert_near(profile.typical_ns, 50000);
	assert_int_equal(profile.typical_count, 100);
	assert_true(isnan(profile.period_ns));
	column_release(&trace);
}

/* The distance between two visits is not one between gaps. */
static void test_visits_are_separate(void **state)
{
	struct gap_profile profile;
	struct column trace;

	column_init(&trace, sizeof(struct trace_point));
	for (unsigned i = 0; i < 20; i++)
		add(&trace, i * 10e6, 50000, i);
	assert_true(gap_profile_of(&trace, 2e8, &profile));
	assert_true(isnan(profile.period_ns));
	column_release(&trace);
}

/* Thirty gaps of 1 ms, 2 ms apart, in two seconds: a burst. Those of 50 us,
 * every 10 ms, are the typical ones. */
static void test_burst(void **state)
{
	struct gap_profile profile;
	struct column trace;

	column_init(&trace, sizeof(struct trace_point));
	for (int i = 0; i < 30; i++)
		add(&trace, 500e6 + i * 2e6, 1e6, 0);
	assert_true(gap_profile_of(&trace, 2e9, &profile));
	assert_true(isnan(profile.period_ns));
	assert_near(profile.typical_ns, 1e6);
	assert_int_equal(profile.typical_count, 30);
	for (int i = 0; i < 200; i++)
		add(&trace, i % 100 * 10e6, 50000, 1 + (unsigned)i / 100);
	assert_true(gap_profile_of(&trace, 2e9, &profile));
	assert_within(profile.period_ns, 10e6, .001);
	assert_near(profile.typical_ns, 50000);
	column_release(&trace);
}

static void test_none(void **state)
{
	struct gap_profile profile;
	struct column trace;

	column_init(&trace, sizeof(struct trace_point));
	assert_false(gap_profile_of(&trace, 1e9, &profile));
	column_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_period),
		cmocka_unit_test(test_multiples),
		cmocka_unit_test(test_irregular),
		cmocka_unit_test(test_visits_are_separate),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
