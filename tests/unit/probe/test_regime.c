/* Figures by regime: which trials they use, and which is the headline. */
#include "regime.h"

#include "digest.h"
#include "gather.h"
#include "trials.h"

/* The trials of one visit: the number of each condition, and their net time. A
 * median of equal values is that value, so the figures are known. */
struct visited {
	unsigned alone, shared, mixed, excluded;
	unsigned alone_ns, shared_ns;
};

static void add_trials(struct results *results, unsigned count, unsigned ns,
	unsigned flags)
{
	for (unsigned i = 0; i < count; i++)
		new_trial(results, 0, 0, 40 + ns, flags);
}

static void add_visit(struct results *results, unsigned clone,
	const struct visited *visited)
{
	new_visit(results, 0, clone)->canary_every = 1;
	new_canary(results, 0, 340);
	add_trials(results, visited->alone, visited->alone_ns, 0);
	add_trials(results, visited->shared, visited->shared_ns, FLAG_SHARED);
	add_trials(results, visited->mixed, visited->shared_ns, FLAG_MIXED);
	add_trials(results, visited->excluded, 9999, FLAG_PREEMPTED);
}

/* One point with exact readings. */
static struct results *watched(void)
{
	struct results *results = one_metric(1);

	results->clock.quantum = 0;
	results->clock.jitter = 0;
	return results;
}

static void add_launches(struct results *results, size_t count,
	const struct visited *visited)
{
	for (size_t i = 0; i < count; i++) {
		new_launch(results);
		add_visit(results, 0, visited);
	}
}

/* ---- the choice ------------------------------------------------------- */

static void the_choice_of_the_headline(void **state)
{
	static const struct {
		size_t alone, shared, both;
		double low, high; /* of the slowdown, where both >= 6 */
		bool parted;
		enum regime regime;
	} cases[] = {
		/* Sharing has no effect. */
		{ 10, 10, 10, .995, 1.005, true, REGIME_POOLED },
		{ 0, 10, 6, .991, 1.009, true, REGIME_POOLED },
		{ 10, 10, 10, .995, 1.02, true, REGIME_ALONE },
		{ 10, 10, 10, .98, 1.005, true, REGIME_ALONE },
		{ 10, 10, 10, 1.3, 1.4, true, REGIME_ALONE },
		/* Without an interval the effect is unknown. */
		{ 10, 10, 5, 1, 1, true, REGIME_ALONE },
		{ 5, 10, 5, 1, 1, true, REGIME_SHARED },
		/* Six launches on an unshared core are enough. */
		{ 6, 30, 6, 1.3, 1.4, true, REGIME_ALONE },
		{ 5, 30, 5, 1, 1, true, REGIME_SHARED },
		{ 0, 30, 0, 1, 1, true, REGIME_SHARED },
		{ 6, 0, 0, 1, 1, true, REGIME_ALONE },
		/* With too few launches of both regimes, the more frequent
		 * regime is used. */
		{ 3, 2, 0, 1, 1, true, REGIME_ALONE },
		{ 2, 3, 0, 1, 1, true, REGIME_SHARED },
		{ 2, 2, 0, 1, 1, true, REGIME_ALONE },
		{ 0, 0, 0, 1, 1, true, REGIME_POOLED },
		/* The canaries cannot separate the regimes. */
		{ 10, 10, 10, 1.3, 1.4, false, REGIME_POOLED },
		{ 0, 10, 0, 1, 1, false, REGIME_POOLED },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct regime_figures by_regime[REGIMES] = {
			[REGIME_ALONE] = { .launches = cases[i].alone },
			[REGIME_SHARED] = { .launches = cases[i].shared },
		};
		const struct slowdown slowdown = {
			.launches = cases[i].both,
			.has_interval = cases[i].both >= 6,
			.interval = { cases[i].low, cases[i].high },
		};

		assert_int_equal(regime_choose(by_regime, &slowdown,
					 cases[i].parted),
			cases[i].regime);
	}
}

/* The same from trials: the summary uses the trials of the headline's
 * regime. */
static void the_headline_is_of_its_regime(void **state)
{
	static const struct {
		struct visited visited;
		enum regime regime;
		double median;
		size_t trials; /* of a launch */
	} cases[] = {
		{ { 30, 0, 0, 5, 100, 0 }, REGIME_ALONE, 100, 30 },
		{ { 0, 30, 0, 5, 0, 150 }, REGIME_SHARED, 150, 30 },
		{ { 30, 40, 5, 5, 100, 150 }, REGIME_ALONE, 100, 30 },
		{ { 2, 100, 5, 5, 100, 150 }, REGIME_SHARED, 150, 100 },
		{ { 30, 40, 7, 5, 100, 150 }, REGIME_ALONE, 100, 30 },
		{ { 30, 40, 8, 5, 100, 150 }, REGIME_SHARED, 150, 40 },
		{ { 30, 30, 7, 5, 1000, 1005 }, REGIME_POOLED, 1005, 67 },
		{ { 39, 30, 0, 5, 1000, 1005 }, REGIME_POOLED, 1000, 69 },
		{ { 0, 0, 30, 5, 0, 150 }, REGIME_POOLED, 150, 30 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = watched();

		add_launches(results, 8, &cases[i].visited);
		struct digest digest = digested(results, 0);
		assert_int_equal(digest.regime, cases[i].regime);
		assert_int_equal(results_regime(results, &results->points[0],
					 0),
			cases[i].regime);
		assert_near(digest.summary.median, cases[i].median);
		assert_near(digest.headline, cases[i].median);
		assert_int_equal(digest.summary.trials, 8 * cases[i].trials);
		assert_int_equal(digest.summary.launches, 8);
		assert_int_equal(digest.by_regime[cases[i].regime].trials,
			digest.summary.trials);
		results_free(results);
	}
}

/* A count depends neither on a co-runner nor on the frequency of the core. */
static void steady_metrics_are_pooled(void **state)
{
	static const struct visited visited = { 12, 13, 3, 9, 100, 200 };
	struct results *results = watched();

	results->metrics[0].steady = true;
	add_launches(results, 6, &visited);
	assert_false(gather_parts(results, &results->points[0], 0));
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.regime, REGIME_POOLED);
	assert_int_equal(digest.summary.trials, 6 * 28);
	assert_near(digest.summary.median, 200);
	uint16_t *flags = results->points[0].series[0].flags.data;
	for (size_t i = 0; i < 36; i++)
		flags[i] |= FLAG_FREQUENCY;
	assert_int_equal(digested(results, 0).summary.trials, 6 * 28);
	results->metrics[0].steady = false;
	assert_int_equal(digested(results, 0).regime, REGIME_ALONE);
	results_free(results);
}

static void without_canaries_all_are_pooled(void **state)
{
	static const struct visited visited = { 12, 13, 3, 9, 100, 200 };
	struct results *results = watched();

	add_launches(results, 6, &visited);
	assert_true(gather_parts(results, &results->points[0], 0));
	results->points[0].canary.count = 0;
	for (size_t v = 0; v < results->points[0].visit_count; v++)
		results->points[0].visits[v].canary_count = 0;
	assert_false(gather_parts(results, &results->points[0], 0));
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.regime, REGIME_POOLED);
	assert_int_equal(digest.summary.trials, 6 * 28);
	results_free(results);
}

/* ---- enough trials ---------------------------------------------------- */

/* Twenty trials of a regime are enough for a launch, or a tenth of its trials
 * if that is less. Interrupted trials do not count. */
static void enough_trials_make_a_figure(void **state)
{
	static const struct {
		unsigned alone, others, excluded;
		bool enough;
	} cases[] = {
		{ 20, 100000, 0, true },
		{ 19, 100000, 0, false },
		{ 20, 180, 0, true },
		{ 19, 181, 0, false },
		{ 10, 90, 0, true },
		{ 9, 91, 0, false },
		{ 9, 91, 1000, false },
		{ 10, 90, 1000, true },
		{ 1, 9, 0, true },
		{ 1, 18, 0, true },
		{ 1, 19, 0, false },
		{ 1, 0, 0, true },
		{ 0, 5, 0, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int swap = 0; swap < 2; swap++) {
			unsigned one = cases[i].alone, other = cases[i].others;
			const struct visited visited = { swap ? other : one,
				swap ? one : other, 0, cases[i].excluded, 100,
				150 };
			enum regime regime =
				swap ? REGIME_SHARED : REGIME_ALONE;
			struct results *results = watched();
			struct launch_figures *list;

			add_launches(results, 1, &visited);
			assert_int_equal(results_launch_figures(results,
						 &results->points[0], 0,
						 SCALE_UNIT, &list),
				1);
			assert_int_equal(list[0].trials[regime],
				cases[i].enough ? one : 0);
			assert_int_equal(isnan(list[0].median[regime]),
				!cases[i].enough);
			assert_int_equal(list[0].trials[REGIME_POOLED],
				one + other);
			free(list);
			results_free(results);
		}
}

/* A launch is judged as a whole, not by visits. */
static void visits_are_enough_together(void **state)
{
	static const struct visited few = { 5, 95, 0, 0, 100, 150 };
	static const struct visited many = { 15, 85, 0, 0, 100, 150 };
	struct results *results = watched();

	new_launch(results);
	add_visit(results, 0, &few);
	add_visit(results, 1, &many);
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.by_regime[REGIME_ALONE].trials, 20);
	assert_int_equal(digest.by_regime[REGIME_ALONE].launches, 1);
	results_free(results);
}

/* Launches with too few trials of a regime are left out of its median and
 * interval. With fewer than six remaining launches there is no interval. */
static void launches_without_enough_do_not_contribute(void **state)
{
	for (size_t good = 4; good <= 9; good++) {
		struct results *results = watched();

		for (size_t i = 0; i < 12; i++) {
			const struct visited visited = { i < good ? 30 : 3, 100,
				0, 0, i < good ? 100 + (unsigned)i : 5000,
				200 };

			add_launches(results, 1, &visited);
		}
		struct digest digest = digested(results, 0);
		const struct regime_figures *alone =
			&digest.by_regime[REGIME_ALONE];
		const struct regime_figures *shared =
			&digest.by_regime[REGIME_SHARED];
		assert_int_equal(alone->launches, good);
		assert_int_equal(alone->trials, 30 * good);
		assert_near(alone->median, 100 + ((double)good - 1) / 2);
		assert_int_equal(alone->has_interval, good >= 6);
		if (alone->has_interval)
			assert_true(alone->interval.high < 110);
		assert_int_equal(shared->launches, 12);
		assert_int_equal(digest.slowdown.launches, good);
		assert_int_equal(digest.regime,
			good >= 6 ? REGIME_ALONE : REGIME_SHARED);
		assert_int_equal(digest.summary.launches,
			good >= 6 ? good : 12);
		results_free(results);
	}
}

/* ---- the cost of a co-runner ------------------------------------------ */

static void the_slowdown_has_an_interval(void **state)
{
	static const unsigned shared_ns[] = { 130, 133, 136, 138, 141, 150 };
	struct results *results = watched();

	for (size_t i = 0; i < 6; i++) {
		const struct visited visited = { 30, 30, 0, 0, 100,
			shared_ns[i] };

		add_launches(results, 1, &visited);
	}
	const struct slowdown slowdown = digested(results, 0).slowdown;
	assert_int_equal(slowdown.launches, 6);
	assert_near(slowdown.factor, sqrt(1.36 * 1.38));
	assert_true(slowdown.has_interval);
	assert_near(slowdown.interval.low, 1.3);
	assert_near(slowdown.interval.high, 1.5);
	results_free(results);
}

/* Layouts differ by more than a co-runner costs, and it was present more in one
 * of them. Its cost is therefore compared within each visit. */
static void clones_are_compared_with_themselves(void **state)
{
	static const struct visited fast = { 90, 10, 0, 0, 100, 110 };
	static const struct visited slow = { 10, 90, 0, 0, 300, 330 };
	struct results *results = watched();

	for (size_t i = 0; i < 6; i++) {
		new_launch(results);
		add_visit(results, 0, &fast);
		add_visit(results, 1, &slow);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.slowdown.factor, 1.1);
	assert_int_equal(digest.slowdown.launches, 6);
	assert_near(digest.slowdown.interval.low, 1.1);
	results_free(results);
}

/* If no visit has both regimes, the launch does not show the cost. */
static void visits_of_one_regime_show_no_slowdown(void **state)
{
	static const struct visited alone = { 100, 0, 0, 0, 100, 0 };
	static const struct visited shared = { 0, 100, 0, 0, 0, 330 };
	struct results *results = watched();

	for (size_t i = 0; i < 6; i++) {
		new_launch(results);
		add_visit(results, 0, &alone);
		add_visit(results, 1, &shared);
	}
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.by_regime[REGIME_ALONE].launches, 6);
	assert_int_equal(digest.by_regime[REGIME_SHARED].launches, 6);
	assert_int_equal(digest.slowdown.launches, 0);
	assert_true(isnan(digest.slowdown.factor));
	assert_false(digest.slowdown.has_interval);
	assert_int_equal(digest.regime, REGIME_ALONE);
	results_free(results);
}

/* ---- for screens and exports ------------------------------------------ */

static void trials_are_shown_beside_the_headline(void **state)
{
	static const struct {
		unsigned flags;
		enum shown by_headline[REGIMES]; /* pooled, alone, shared */
	} cases[] = {
		{ 0, { SHOWN_HEADLINE, SHOWN_HEADLINE, SHOWN_OTHER } },
		{ FLAG_SHARED,
			{ SHOWN_HEADLINE, SHOWN_OTHER, SHOWN_HEADLINE } },
		{ FLAG_MIXED,
			{ SHOWN_HEADLINE, SHOWN_EXCLUDED, SHOWN_EXCLUDED } },
		{ FLAG_PREEMPTED | FLAG_SHARED,
			{ SHOWN_EXCLUDED, SHOWN_EXCLUDED, SHOWN_EXCLUDED } },
		{ FLAG_FREQUENCY,
			{ SHOWN_HEADLINE, SHOWN_HEADLINE, SHOWN_OTHER } },
		{ FLAG_WARMUP,
			{ SHOWN_EXCLUDED, SHOWN_EXCLUDED, SHOWN_EXCLUDED } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int r = 0; r < REGIMES; r++)
			assert_int_equal(regime_shows((enum regime)r,
						 cases[i].flags),
				cases[i].by_headline[r]);
	assert_string_equal(regime_name(REGIME_POOLED), "pooled");
	assert_string_equal(regime_name(REGIME_ALONE), "alone");
	assert_string_equal(regime_name(REGIME_SHARED), "shared");
}

/* Launch medians and floors are those of the headline's regime. */
static void launches_are_of_the_headlines_regime(void **state)
{
	struct results *results = watched();
	double *medians, *at_s;

	for (unsigned i = 0; i < 8; i++) {
		const struct visited visited = { i == 3 ? 1 : 30, 70, 0, 0,
			100 + i, 200 };

		new_launch(results)->at_s = i;
		add_visit(results, 0, &visited);
	}
	size_t count = results_launch_medians(results, &results->points[0], 0,
		SCALE_UNIT, &medians, &at_s);
	assert_int_equal(count, 7);
	assert_near(medians[3], 104);
	assert_near(at_s[3], 4);
	assert_near(results_launch_floor(results, &results->points[0], 0, 5,
			    SCALE_UNIT),
		105);
	assert_true(isnan(results_launch_floor(results, &results->points[0], 0,
		3, SCALE_UNIT)));
	free(medians);
	free(at_s);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_choice_of_the_headline),
		cmocka_unit_test(the_headline_is_of_its_regime),
		cmocka_unit_test(steady_metrics_are_pooled),
		cmocka_unit_test(without_canaries_all_are_pooled),
		cmocka_unit_test(enough_trials_make_a_figure),
		cmocka_unit_test(visits_are_enough_together),
		cmocka_unit_test(launches_without_enough_do_not_contribute),
		cmocka_unit_test(the_slowdown_has_an_interval),
		cmocka_unit_test(clones_are_compared_with_themselves),
		cmocka_unit_test(visits_of_one_regime_show_no_slowdown),
		cmocka_unit_test(trials_are_shown_beside_the_headline),
		cmocka_unit_test(launches_are_of_the_headlines_regime),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
