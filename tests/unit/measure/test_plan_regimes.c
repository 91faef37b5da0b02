/* The plan with a co-runner: which launches count, and when to stop. */
#include "plan.h"

#include "check.h"
#include "planned_results.h"

/* With one canary, the condition of the point's trials is known. */
static void add_canary(struct results *results)
{
	struct point *point = &results->points[0];

	*(struct canary *)column_add(&point->canary) = (struct canary){ 1, 1 };
	point->visits[point->visit_count - 1].canary_count = 1;
}

/* A launch counts if it has a figure on an unshared core, or one that sharing
 * does not change. Launches that were interrupted have no figure. */
static void launches_without_a_figure_do_not_count(void **state)
{
	static const struct {
		unsigned alone, others, flags;
		bool canary, counts;
	} launches[] = {
		{ 10, 0, 0, true, true },
		{ 5, 50, FLAG_SHARED, true, true },
		{ 4, 50, FLAG_SHARED, true, false },
		{ 20, 900, FLAG_SHARED, true, true },
		{ 19, 900, FLAG_SHARED, true, false },
		{ 4, 1, FLAG_MIXED, true, true },
		{ 4, 2, FLAG_MIXED, true, false },
		{ 0, 9, FLAG_MIXED, true, false },
		{ 1, 900, FLAG_PREEMPTED, true, true },
		{ 0, 3, FLAG_PREEMPTED, true, false },
		{ 0, 9, FLAG_FREQUENCY, true, true },
		/* Without canaries, sharing is unknown. */
		{ 0, 9, FLAG_SHARED, false, true },
		{ 0, 3, FLAG_PREEMPTED, false, false },
	};

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
		struct results *results = results_of(1);

		/* Six launches on an unshared core decide the headline. */
		for (unsigned k = 0; k < 6; k++) {
			results_add_launch(results);
			add_visit(results, 0, 1, 5, 0);
			if (launches[i].canary)
				add_canary(results);
		}
		assert_int_equal(plan_counted(results), 6);
		results_add_launch(results);
		add_visit(results, 0, 1, launches[i].alone, 0);
		add_visit(results, 0, 2, launches[i].others, launches[i].flags);
		assert_int_equal(plan_counted(results), 6 + launches[i].counts);
		results_free(results);
	}
}

/* While the headline is of a shared core, no interval is narrow enough. */
static void a_shared_core_is_never_precise(void **state)
{
	static const unsigned flags[] = { 0, FLAG_SHARED };

	for (size_t i = 0; i < 2; i++) {
		struct results *results = results_of(1);

		for (unsigned k = 0; k < LAUNCHES_PRECISE; k++) {
			results_add_launch(results);
			add_visit(results, 0, 1, 5, flags[i]);
			add_canary(results);
		}
		assert_int_equal(plan_precise(results, .01), !i);
		assert_int_equal(plan_counted(results),
			i ? 0 : LAUNCHES_PRECISE);
		assert_int_equal(plan_launches_needed(results, .01, 30),
			i ? 30 : LAUNCHES_PRECISE);
		results_free(results);
	}
}

/* The core becomes slower by a percent from launch to launch. With a known
 * frequency the run is over as soon as its cycles are precise. */
static void a_moving_frequency_is_no_reason_to_go_on(void **state)
{
	for (unsigned known = 0; known < 2; known++) {
		struct results *results = results_of(1);
		struct point *point = results->points;

		results->clock.core_hz = 1e9;
		results->clock.canary_cycles = 1e5;
		results->clock.cycles_trusted = known;
		for (unsigned k = 0; k < LAUNCHES_PRECISE; k++) {
			double slower = 1 + .01 * k;

			results_add_launch(results);
			add_visit(results, 0, slower, 5, 0);
			point->visits[k].canary_every = 5;
			add_canary(results);
			((struct canary *)point->canary.data)[k].latency =
				(uint32_t)(slower * 1e5);
		}
		assert_int_equal(plan_precise(results, .01), known);
		results_free(results);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_without_a_figure_do_not_count),
		cmocka_unit_test(a_shared_core_is_never_precise),
		cmocka_unit_test(a_moving_frequency_is_no_reason_to_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
