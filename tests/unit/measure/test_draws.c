/* Draws: which launches visit which points, and the minimum number of
 * visits. */
#include "plan.h"

#include "check.h"
#include "planned.h"

static const struct common ten_seconds = { .launches = PARAM_AUTO,
	.trials = PARAM_AUTO,
	.budget_ns = 10000000000 };

/* Visits of a point in the first `launches` launches. */
static unsigned visits(const struct schedule *schedule, size_t point,
	unsigned launches)
{
	unsigned count = 0;

	for (unsigned number = 1; number <= launches; number++)
		count += plan_visits(schedule, point, number);
	return count;
}

static void every_launch_visits_every_point(void **state)
{
	static const struct plan by_rule;
	struct sizing sizing[4];
	struct schedule schedule =
		plan_alike(sizing, 4, 1, 1e9, &by_rule, &ten_seconds);

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(visits(&schedule, i, 30), 30);
	schedule.points[2].skip = true;
	assert_int_equal(visits(&schedule, 2, 30), 0);
}

/* Six cheap points, and two that take 1.5 s per visit. Six launches of all
 * points would take 18 s, and ten are wanted. */
static void dear_points_are_drawn_less_often(void **state)
{
	static const struct plan own = { .trials = 10, .draws_least = 2 };
	struct sizing sizing[8];
	struct schedule schedule = { .points = sizing,
		.count = 8,
		.clones = 1,
		.emits = 1 };
	struct common common = { .launches = PARAM_AUTO,
		.trials = PARAM_AUTO,
		.budget_ns = 20000000000 };
	double cost_ns = 0;

	for (size_t i = 0; i < 8; i++)
		sizing[i] = (struct sizing){ .trial_ns = i < 6 ? 1e4 : 1e6,
			.setup_ns = i < 6 ? 1e6 : 1.5e9 };
	plan_trials(&schedule, &own, &common, 0);
	for (size_t i = 0; i < 8; i++) {
		unsigned draws = visits(&schedule, i, 6);

		assert_int_equal(draws, sizing[i].draws);
		assert_int_equal(visits(&schedule, i, 24), 4 * draws);
		cost_ns +=
			draws * (sizing[i].setup_ns + 10 * sizing[i].trial_ns);
		if (i < 6)
			assert_int_equal(draws, 6);
		else
			assert_in_range(draws, 4, 5);
	}
	assert_true(cost_ns < 18e9);
	assert_within(schedule.launch_ns, cost_ns / 6 + 4e6, 1e-6);
	/* Never fewer than the experiment's minimum, whatever they cost. */
	common.budget_ns = 1000000000;
	plan_trials(&schedule, &own, &common, 0);
	assert_int_equal(visits(&schedule, 7, 6), 2);
	assert_int_equal(visits(&schedule, 0, 6), 6);
	/* No point is left out because the pilot used the whole budget. */
	plan_trials(&schedule, &own, &common, 5e9);
	assert_int_equal(visits(&schedule, 7, 6), 2);
	assert_int_equal(visits(&schedule, 0, 6), 6);
	/* The draws are distributed over the requested number of launches. */
	common.launches = 20;
	common.budget_ns = 20000000000;
	plan_trials(&schedule, &own, &common, 0);
	assert_int_equal(visits(&schedule, 0, 20), 20);
	assert_in_range(visits(&schedule, 7, 20), 4, 6);
}

static void trials_are_never_fewer_than_the_least(void **state)
{
	static const struct plan own = { .trials_least = 11 };
	struct sizing sizing[4];
	struct schedule schedule =
		plan_alike(sizing, 4, 1, 1e9, &own, &ten_seconds);

	assert_int_equal(schedule.points[0].trials, 11);
	schedule = plan_alike(sizing, 1, 1, 1e4, &own, &ten_seconds);
	assert_true(schedule.points[0].trials > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_launch_visits_every_point),
		cmocka_unit_test(dear_points_are_drawn_less_often),
		cmocka_unit_test(trials_are_never_fewer_than_the_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
