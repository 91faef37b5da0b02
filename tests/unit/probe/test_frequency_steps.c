/* Figures at each of two frequencies of one core. */
#include "frequency_steps.h"

#include "digest.h"
#include "trials.h"

enum { LAUNCHES = 6, TRIALS = 60 };

/* Net ticks of a canary at the two: 600 cycles at 3 and at 2.4 GHz. */
enum { FAST = 200000, SLOW = 250000 };

/* Every launch is slow from one trial on; a trial takes 1000 cycles. */
static struct results *stepping(size_t slow_from, size_t launches)
{
	struct results *results = one_metric(1);

	results->clock.canary_cycles = 6e5;
	results->clock.quantum = 0;
	for (size_t launch = 0; launch < launches; launch++) {
		new_launch(results);
		struct visit *visit = new_visit(results, 0, 0);
		visit->canary_every = 1;
		visit->canary_first = results->points[0].canary.count;
		for (size_t i = 0; i <= TRIALS; i++) {
			bool slow = i >= slow_from;

			new_canary(results, 0, 40 + (slow ? SLOW : FAST));
			if (i < TRIALS)
				new_trial(results, 0, 0,
					40 + (slow ? 1250 : 1000),
					slow ? FLAG_FREQUENCY : 0);
		}
	}
	return results;
}

static bool steps_of(struct results *results, struct frequency_step steps[2])
{
	bool stepped = frequency_steps(results, &results->points[0], 0,
		REGIME_ALONE, steps);

	results_free(results);
	return stepped;
}

static void both_have_their_figures(void **state)
{
	struct frequency_step steps[2];

	assert_true(steps_of(stepping(40, LAUNCHES), steps));
	assert_true(fabs(steps[0].hz - 3e9) < 1e6);
	assert_true(fabs(steps[1].hz - 2.4e9) < 1e6);
	assert_true(fabs(steps[0].median - 1000) < 1e-6);
	assert_true(fabs(steps[1].median - 1250) < 1e-6);
	assert_int_equal(steps[0].launches, LAUNCHES);
	/* The trial between the two frequencies belongs to neither. */
	assert_true(fabs(steps[0].share - 39. / 59) < 1e-9);
	assert_true(fabs(steps[1].share - 20. / 59) < 1e-9);
}

static void one_frequency_is_none(void **state)
{
	struct frequency_step steps[2];

	assert_false(steps_of(stepping(TRIALS + 1, LAUNCHES), steps));
	assert_false(steps_of(stepping(0, LAUNCHES), steps));
	/* Two trials of sixty are less than a twentieth. */
	assert_false(steps_of(stepping(58, LAUNCHES), steps));
}

static void without_the_rate_there_are_none(void **state)
{
	struct frequency_step steps[2];
	struct results *results = stepping(40, LAUNCHES);

	results->clock.cycles_trusted = false;
	assert_false(steps_of(results, steps));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_have_their_figures),
		cmocka_unit_test(one_frequency_is_none),
		cmocka_unit_test(without_the_rate_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
