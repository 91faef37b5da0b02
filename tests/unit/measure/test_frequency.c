/* Which trials ran at a frequency other than the usual one of their point. */
#include "digest.h"
#include "reel.h"

enum { POINTS = 3, EVERY = 2, OVERHEAD = 40 };

/* Net ticks of a latency half at each point: a scalar kernel, a vector kernel
 * and a wider one. Each slows the core down by about seven percent. */
static const unsigned usual[POINTS] = { 460, 495, 530 };

static void begin(struct reel *reel, unsigned launch)
{
	reel_launch(reel, launch);
	reel_overhead(reel, OVERHEAD, 8);
}

/* A canary whose latency half takes `latency`, and its other half `percent` of
 * that. */
static void canary(struct reel *reel, unsigned latency, unsigned percent)
{
	reel_canary(reel, OVERHEAD + latency,
		OVERHEAD + latency * percent / 100);
}

/* A visit of `trials`, in which canaries from..to - 1 differ. */
struct odd {
	unsigned from, to, latency, percent;
};

static void visit(struct reel *reel, unsigned point, unsigned clone,
	unsigned trials, const struct odd *odd)
{
	reel_visit(reel, point, clone, EVERY);
	for (unsigned i = 0; i <= trials / EVERY; i++) {
		/* A difference of one tick is not another frequency. */
		if (odd && i >= odd->from && i < odd->to)
			canary(reel, odd->latency + i % 2, odd->percent);
		else
			canary(reel, usual[point] + i % 2, 100);
		for (unsigned k = 0; i < trials / EVERY && k < EVERY; k++)
			reel_trial(reel, 1000, 0);
	}
}

static struct results *results_of_points(void)
{
	struct results *results = reel_results();

	results_add_point(results);
	assert_int_equal(results->point_count, POINTS);
	return results;
}

static unsigned flags_at(const struct results *results, size_t point,
	size_t visit, size_t trial)
{
	unsigned flags = 0;
	double value;

	assert_true(results_trial(results, &results->points[point], TIMED,
		visit, trial, SCALE_UNIT, &value, &flags));
	return flags;
}

/* All trials of a visit have no flag, except from..to - 1, which have
 * `flags`. */
static void assert_flags(const struct results *results, size_t point, size_t v,
	unsigned from, unsigned to, unsigned flags)
{
	unsigned trials = results->points[point].visits[v].trials;

	assert_true(to <= trials);
	for (unsigned i = 0; i < trials; i++)
		assert_int_equal(flags_at(results, point, v, i),
			i >= from && i < to ? flags : 0);
}

/* The number of canaries per point does not matter: the first point has most of
 * them. */
static void every_point_has_its_own_frequency(void **state)
{
	static const size_t steps[] = { 1, 7, 1 << 20 };

	for (size_t s = 0; s < 3; s++) {
		struct results *results = results_of_points();
		struct reel reel = { 0 };

		for (unsigned launch = 1; launch <= 2; launch++) {
			begin(&reel, launch);
			for (unsigned point = 0; point < POINTS; point++)
				visit(&reel, point, 0, point ? 20 : 40, NULL);
			reel_end(&reel, launch);
		}
		reel_feed(&reel, results, steps[s]);
		for (size_t point = 0; point < POINTS; point++)
			for (size_t v = 0; v < 2; v++)
				assert_flags(results, point, v, 0, 0, 0);
		results_free(results);
	}
}

/* For five canaries of 21 the core has the frequency of the next point. */
static void a_move_within_a_point_is_flagged(void **state)
{
	static const size_t steps[] = { 1, 7, 1 << 20 };
	const struct odd moved = { 4, 9, usual[2], 100 };

	for (size_t s = 0; s < 3; s++) {
		struct results *results = results_of_points();
		struct reel reel = { 0 };

		begin(&reel, 1);
		for (unsigned point = 0; point < POINTS; point++)
			visit(&reel, point, 0, 40, point == 1 ? &moved : NULL);
		reel_end(&reel, 1);
		reel_feed(&reel, results, steps[s]);
		assert_flags(results, 0, 0, 0, 0, 0);
		/* Trials beside a differing canary. */
		assert_flags(results, 1, 0, 3 * EVERY, 9 * EVERY,
			FLAG_FREQUENCY);
		assert_flags(results, 2, 0, 0, 0, 0);
		results_free(results);
	}
}

/* The visits of a launch are judged together. */
static void a_clone_at_another_frequency_is_flagged(void **state)
{
	const struct odd slow = { 0, 99, 490, 100 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	begin(&reel, 1);
	for (unsigned clone = 0; clone < 4; clone++) {
		visit(&reel, 0, clone, 10, clone == 2 ? &slow : NULL);
		visit(&reel, 2, clone, 20, NULL);
	}
	reel_end(&reel, 1);
	reel_feed(&reel, results, 5);
	for (unsigned clone = 0; clone < 4; clone++) {
		assert_flags(results, 0, clone, 0, clone == 2 ? 10 : 0,
			FLAG_FREQUENCY);
		assert_flags(results, 2, clone, 0, 0, 0);
	}
	results_free(results);
}

/* If a host changes the frequency of all its cores between launches, the
 * interval shows it. Which of two launches is the odd one cannot be decided. */
static void launches_have_frequencies_of_their_own(void **state)
{
	const struct odd fast = { 0, 99, 440, 100 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	for (unsigned launch = 1; launch <= 3; launch++) {
		begin(&reel, launch);
		visit(&reel, 0, 0, 20, launch == 2 ? &fast : NULL);
		reel_end(&reel, launch);
	}
	reel_feed(&reel, results, 5);
	for (size_t v = 0; v < 3; v++)
		assert_flags(results, 0, v, 0, 0, 0);
	assert_near(results->launches[0].canary, 460);
	assert_near(results->launches[1].canary, 440);
	results_free(results);
}

/* The last launch of an orphan is incomplete and is judged by its own
 * samples. */
static void a_torn_launch_is_judged_by_what_there_is(void **state)
{
	const struct odd moved = { 2, 3, 430, 100 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	begin(&reel, 1);
	visit(&reel, 0, 0, 20, NULL);
	visit(&reel, 2, 0, 10, &moved);
	reel_feed(&reel, results, 5);
	assert_false(results->launches[0].complete);
	assert_flags(results, 0, 0, 0, 0, 0);
	assert_flags(results, 2, 0, EVERY, 3 * EVERY, FLAG_FREQUENCY);
	results_free(results);
}

/* A canary before a trial and one after it. */
static void two_canaries_tell_whether_it_moved(void **state)
{
	static const struct {
		unsigned second, percent, flags;
	} cases[] = {
		{ 460, 100, 0 },
		{ 465, 100, 0 },
		{ 490, 100, FLAG_FREQUENCY },
		{ 430, 100, FLAG_FREQUENCY },
		/* A canary with a co-runner does not show the frequency. */
		{ 490, 150, FLAG_MIXED },
		/* Neither does a canary that was interrupted, in either
		 * half. */
		{ 900, 50, 0 },
		{ 460, 500, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = results_of_points();
		struct reel reel = { 0 };

		begin(&reel, 1);
		reel_visit(&reel, 0, 0, 1);
		canary(&reel, 460, 100);
		reel_trial(&reel, 1000, 0);
		canary(&reel, cases[i].second, cases[i].percent);
		visit(&reel, 2, 0, 40, NULL);
		reel_end(&reel, 1);
		reel_feed(&reel, results, 5);
		assert_flags(results, 0, 0, 0, cases[i].flags ? 1 : 0,
			cases[i].flags);
		results_free(results);
	}
}

/* During seven tenths of a visit a co-runner slows both halves, one more than
 * the other. Compared with these canaries, the other trials would seem too
 * fast. */
static void a_co_runner_is_no_measure(void **state)
{
	const struct odd shared = { 0, 15, 580, 160 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	begin(&reel, 1);
	visit(&reel, 2, 0, 40, &shared);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 5);
	for (unsigned i = 0; i < 40; i++) {
		unsigned wanted = i < 14 * EVERY ? FLAG_SHARED :
			i < 15 * EVERY           ? FLAG_MIXED :
						   0;

		assert_int_equal(flags_at(results, 2, 0, i), wanted);
	}
	results_free(results);
}

/* A visit with a permanent co-runner has no canary of an unshared core, and no
 * trial with another frequency. */
static void all_may_be_shared(void **state)
{
	const struct odd shared = { 0, 99, 520, 160 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	begin(&reel, 1);
	visit(&reel, 0, 0, 40, &shared);
	visit(&reel, 1, 0, 40, NULL);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 5);
	assert_flags(results, 0, 0, 0, 40, FLAG_SHARED);
	assert_flags(results, 1, 0, 0, 0, 0);
	results_free(results);
}

/* The ratio of the halves does not depend on the frequency, and all canaries of
 * a run show it. No single point has a hundred of them. */
static void sharing_is_known_at_all_frequencies(void **state)
{
	struct odd shared = { 8, 16, 0, 145 };
	struct results *results = results_of_points();
	struct reel reel = { 0 };

	begin(&reel, 1);
	for (unsigned point = 0; point < POINTS; point++) {
		shared.latency = usual[point] + 12;
		visit(&reel, point, 0, 78, &shared);
	}
	reel_end(&reel, 1);
	reel_feed(&reel, results, 5);
	assert_within(results->sharing.alone, 1, .002);
	assert_within(results->sharing.shared, 1.45, .005);
	for (size_t point = 0; point < POINTS; point++)
		for (unsigned i = 0; i < 78; i++) {
			bool edge = i / EVERY == 7 || i / EVERY == 15;
			bool inside = i / EVERY > 7 && i / EVERY < 15;

			assert_int_equal(flags_at(results, point, 0, i),
				edge           ? FLAG_MIXED :
					inside ? FLAG_SHARED :
						 0);
		}
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_point_has_its_own_frequency),
		cmocka_unit_test(a_move_within_a_point_is_flagged),
		cmocka_unit_test(a_clone_at_another_frequency_is_flagged),
		cmocka_unit_test(launches_have_frequencies_of_their_own),
		cmocka_unit_test(a_torn_launch_is_judged_by_what_there_is),
		cmocka_unit_test(two_canaries_tell_whether_it_moved),
		cmocka_unit_test(a_co_runner_is_no_measure),
		cmocka_unit_test(all_may_be_shared),
		cmocka_unit_test(sharing_is_known_at_all_frequencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
