/* The canary: its length, and the choice of its throughput half. */
#include "canary.h"

#include "check.h"
#include "probe.h"
#include "ruler.h"
#include "sharing.h"

/* Included to test its static functions. */
#include "canary.c"

/* Evenly distributed between two limits. */
static void fill(double *ratios, size_t count, double low, double high)
{
	for (size_t i = 0; i < count; i++)
		ratios[i] =
			low + (high - low) * ((double)i + .5) / (double)count;
}

/* The gap between the modes, as a logarithm. With a guest's figures that of the
 * loop is wider than that of the additions. */
static void the_wider_gap_is_found(void **state)
{
	static const struct {
		double alone_low, alone_high;
		size_t alone, shared;
		double usual, factor;
	} cases[] = {
		/* A loop and additions, with a co-runner now and then. */
		{ .999, 1.004, 500, 100, 2, 1.92 / 1.0035 },
		{ .9, 1.05, 500, 100, 1.6, 1.92 / 1.035 },
		/* Without a co-runner: the usual cost of a sibling is
		 * assumed. */
		{ .999, 1.004, 500, 0, 2, 2 * 1.0015 / 1.0035 },
		{ .9, 1.05, 500, 9, 1.6, 1.6 * .975 / 1.035 },
	};
	static struct split split;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fill(split.alone, cases[i].alone, cases[i].alone_low,
			cases[i].alone_high);
		fill(split.shared, cases[i].shared, 1.9, 2.1);
		split.alone_count = cases[i].alone;
		split.shared_count = cases[i].shared;
		double found = exp(gap_of(&split, cases[i].usual));
		if (fabs(found - cases[i].factor) > .005)
			fail_msg("case %zu: %g", i, found);
	}
}

/* An interrupted half shows no co-runner. */
static void interrupted_loops_are_ignored(void **state)
{
	static const struct {
		double loop;
		size_t alone, shared;
	} cases[] = {
		{ 1, 1, 0 },
		{ 1.9, 1, 1 },
		{ .3, 1, 1 },  /* interrupted in the latency half */
		{ 100, 1, 1 }, /* in the throughput half */
		{ 1.1, 2, 1 },
	};
	static const enum canary_kind tried[] = { CANARY_LOOP, CANARY_NOPS };
	static struct split kinds[CANARY_KINDS];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		split_both(kinds, 1, cases[i].loop, .9);
		for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
			const struct split *kind = &kinds[tried[k]];

			assert_int_equal(kind->alone_count, cases[i].alone);
			assert_int_equal(kind->shared_count, cases[i].shared);
		}
	}
}

/* ---- on this machine -------------------------------------------------- */

/* The canary takes a hundred steps of the clock, in whole rounds. */
static void a_coarse_clock_needs_longer_canaries(void **state)
{
	struct probe probe = { .source = TICK_MONOTONIC_RAW };
	unsigned least = canary_length(&probe, 0);
	unsigned coarse = canary_length(&probe, 50);

	assert_int_equal(least, CANARY_MULTIPLIES);
	assert_true(coarse > least);
	assert_int_equal(coarse % RULER_ROUND, 0);
	assert_true(canary_length(&probe, 1e9) <= 200000);
}

/* Twice the work takes longer in both halves, with either kind of throughput
 * half. */
static void both_halves_are_work(void **state)
{
	enum { TRIES = 200 };
	struct probe probe = { .source = TICK_MONOTONIC_RAW };

	for (int kind = 0; kind < CANARY_KINDS; kind++) {
		uint32_t latency[2] = { UINT32_MAX, UINT32_MAX };
		uint32_t throughput[2] = { UINT32_MAX, UINT32_MAX };

		for (int i = 0; i < TRIES; i++) {
			struct canary canary = canary_run(&probe,
				(enum canary_kind)kind, i % 2 ? 20000 : 10000);

			if (canary.latency < latency[i % 2])
				latency[i % 2] = canary.latency;
			if (canary.throughput < throughput[i % 2])
				throughput[i % 2] = canary.throughput;
		}
		assert_true(latency[1] > 1.5 * latency[0]);
		assert_true(throughput[1] > 1.5 * throughput[0]);
	}
}

/* Alone, the ratio is within the limits of cores: a loop cannot take less than
 * a cycle per iteration. */
static void a_kind_is_chosen(void **state)
{
	struct probe probe = { .source = TICK_MONOTONIC_RAW };
	struct clock_facts facts = {
		.source = TICK_MONOTONIC_RAW,
		.multiply_cycles = 3,
		.canary_multiplies = 20000,
	};

	canary_choose(&probe, &facts);
	assert_true(facts.canary_kind < CANARY_KINDS);
	if (facts.canary_kind == CANARY_LOOP)
		assert_true(facts.canary_alone > 1 / SHARING_STEP);
	assert_true(facts.canary_alone > .25 && facts.canary_alone < 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wider_gap_is_found),
		cmocka_unit_test(interrupted_loops_are_ignored),
		cmocka_unit_test(a_coarse_clock_needs_longer_canaries),
		cmocka_unit_test(both_halves_are_work),
		cmocka_unit_test(a_kind_is_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
