/* The four qualities of a headline. */
#include "quality.h"

#include "digest.h"
#include "sharing.h"
#include "trials.h"

/* A headline of 100 ns, at a precision of 1 % and a quantum of .1 ns. */
struct headline {
	double half; /* of its interval; negative: it has none */
	enum regime regime;
	bool unsteady;
	double shared, excluded, resolution;
};

static enum quality quality_at(struct results *results,
	const struct headline *headline)
{
	struct digest digest = {
		.summary = {
			.trials = 600,
			.launches = headline->half < 0 ? 5 : 10,
			.median = 100,
			.has_interval = headline->half >= 0,
			.interval = { 100 - headline->half,
				100 + headline->half, .95, 3 },
		},
		.regime = headline->regime,
		.slowdown = { .has_interval = headline->regime == REGIME_POOLED,
			.interval = { .999, 1.001 } },
		.unsteady = headline->unsteady,
		.shared = headline->shared,
		.excluded = headline->excluded,
		.resolution = headline->resolution,
	};

	return quality_of(results, &results->points[0], 0, &digest);
}

static struct results *asked(double precision)
{
	struct results *results = one_metric(10);

	results->clock.quantum = 1;
	results->plan.precision = precision;
	new_launch(results);
	new_visit(results, 0, 0);
	new_canary(results, 0, 340);
	return results;
}

static void the_four_words(void **state)
{
	static const struct {
		struct headline headline;
		enum quality quality;
	} cases[] = {
		{ { .half = .5, .regime = REGIME_ALONE }, QUALITY_GOOD },
		{ { .half = .99, .regime = REGIME_ALONE }, QUALITY_GOOD },
		{ { .half = .5, .regime = REGIME_POOLED }, QUALITY_GOOD },
		{ { .half = 1.01, .regime = REGIME_ALONE }, QUALITY_ROUGH },
		{ { .half = 4.9, .regime = REGIME_POOLED }, QUALITY_ROUGH },
		{ { .half = .5, .unsteady = true }, QUALITY_ROUGH },
		{ { .half = .5, .regime = REGIME_SHARED },
			QUALITY_SHARED_CORE },
		{ { .half = 4.9, .regime = REGIME_SHARED, .unsteady = true },
			QUALITY_SHARED_CORE },
		{ { .half = 5.1, .regime = REGIME_ALONE }, QUALITY_NOT_ENOUGH },
		{ { .half = 5.1, .regime = REGIME_SHARED },
			QUALITY_NOT_ENOUGH },
		{ { .half = -1, .regime = REGIME_ALONE }, QUALITY_NOT_ENOUGH },
		{ { .half = -1, .regime = REGIME_SHARED }, QUALITY_NOT_ENOUGH },
		/* The shares of other trials have no effect. */
		{ { .half = .5,
			  .regime = REGIME_ALONE,
			  .shared = .98,
			  .excluded = .019 },
			QUALITY_GOOD },
		/* An interval at the resolution of the clock cannot be
		 * narrower. */
		{ { .half = 7, .resolution = 8 }, QUALITY_GOOD },
		{ { .half = 7, .resolution = 6 }, QUALITY_NOT_ENOUGH },
		{ { .half = 4, .resolution = 3 }, QUALITY_ROUGH },
	};
	struct results *results = asked(.01);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (quality_at(results, &cases[i].headline) != cases[i].quality)
			fail_msg("case %zu: %s, not %s", i,
				quality_word(quality_at(results,
					&cases[i].headline)),
				quality_word(cases[i].quality));
	results_free(results);
}

/* Five times the requested precision is enough, if that is more than 5 %. */
static void it_goes_by_what_was_asked_for(void **state)
{
	static const struct {
		double precision, half;
		enum quality quality;
	} cases[] = {
		{ .001, .09, QUALITY_GOOD },
		{ .001, .2, QUALITY_ROUGH },
		{ .001, 4.9, QUALITY_ROUGH },
		{ .001, 5.1, QUALITY_NOT_ENOUGH },
		{ .05, 4.9, QUALITY_GOOD },
		{ .05, 24, QUALITY_ROUGH },
		{ .05, 26, QUALITY_NOT_ENOUGH },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = asked(cases[i].precision);
		const struct headline headline = { .half = cases[i].half,
			.regime = REGIME_ALONE };

		assert_int_equal(quality_at(results, &headline),
			cases[i].quality);
		results_free(results);
	}
}

/* A count needs no interval. */
static void steady_metrics_are_good(void **state)
{
	struct results *results = asked(.01);
	const struct headline headline = { .half = -1 };

	results->metrics[0].steady = true;
	assert_int_equal(quality_at(results, &headline), QUALITY_GOOD);
	struct digest nothing = { .summary = { .median = NAN } };
	assert_int_equal(quality_of(results, &results->points[0], 0, &nothing),
		QUALITY_NOT_ENOUGH);
	results_free(results);
}

/* Ten launches beside a co-runner, of a metric without time. */
static struct results *shared_values(enum unit unit)
{
	struct results *results = new_results();

	results_add_metric(results, "value", "value", unit, NEITHER_IS_BETTER,
		METRIC_VALUE, false);
	results_add_point(results);
	for (unsigned l = 0; l < 10; l++) {
		new_launch(results);
		new_visit(results, 0, 0)->trials = 5;
		new_canary(results, 0, 340);
		struct series *series = &results->points[0].series[0];
		for (unsigned i = 0; i < 5; i++) {
			*(double *)column_add(&series->raw) = 100;
			put_flags(series, FLAG_SHARED);
			series->slices[l].count++;
		}
	}
	return results;
}

/* Tasks on other processors change shares and rates too, but no count that
 * sharing does not change. */
static void steady_counts_do_not_blame_other_tasks(void **state)
{
	static const struct {
		enum unit unit;
		bool steady;
		double others;
		bool crowded;
	} cases[] = {
		{ UNIT_COUNT, true, .35, false },
		{ UNIT_COUNT, false, .35, true },
		{ UNIT_NS, false, .35, true },
		{ UNIT_NS, false, .1, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = shared_values(cases[i].unit);

		results->place.others = cases[i].others;
		results->metrics[0].steady = cases[i].steady;
		struct digest digest = digested(results, 0);
		assert_int_equal(digest.quality,
			cases[i].steady ? QUALITY_GOOD : QUALITY_SHARED_CORE);
		assert_int_equal(digest.crowded, cases[i].crowded);
		results_free(results);
	}
}

/* One thread of a run that has several is not beside the others' tasks. */
static void one_thread_does_not_blame_other_tasks(void **state)
{
	static const struct {
		const char *threads;
		unsigned traits;
		bool blames;
	} cases[] = {
		{ "1", TRAIT_THREADS, false },
		{ "2", TRAIT_THREADS, true },
		{ "auto", TRAIT_THREADS, true },
		{ "1", TRAIT_BLOCKS, true },
	};
	char name[] = "threads";
	char *names[] = { name };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = one_metric(1);
		struct point point = results->points[0];
		char *value = (char *)(uintptr_t)cases[i].threads;
		char **kept = results->param_names;
		size_t count = results->param_count;

		results->place.others = .5;
		results->plan.traits = cases[i].traits;
		results->param_names = names;
		results->param_count = 1;
		point.values = &value;
		assert_int_equal(quality_blames_others(results, &point, 0),
			cases[i].blames);
		results->param_names = kept;
		results->param_count = count;
		results_free(results);
	}
}

/* Ten launches, whose core is slower by `step` from one to the next. A trial
 * takes 1500 cycles, or 1500 ns at any frequency. */
static struct results *moving(double step, bool core)
{
	struct results *results = one_metric(10);

	results->plan.precision = .01;
	results->clock.canary_cycles = 60000;
	for (unsigned l = 0; l < 10; l++) {
		double slower = 1 + step * l;
		uint32_t latency = (uint32_t)(40 + 30000 * slower);

		new_launch(results);
		new_visit(results, 0, 0)->canary_every = 1;
		for (unsigned i = 0; i < 20; i++) {
			new_canary(results, 0, latency);
			new_trial(results, 0, 0,
				(uint64_t)(40 + 15000 * (core ? slower : 1)),
				0);
		}
		sharing_judge(results, l);
	}
	return results;
}

/* Work of the core is precise in cycles if the frequency moves; work outside
 * the core is precise in ns. */
static void the_core_is_judged_in_cycles(void **state)
{
	static const struct {
		double step;
		bool core, by_cycles;
		double half;
	} cases[] = {
		{ .01, true, true, 0 },
		{ .01, false, false, 0 },
		{ .001, true, false, .003 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = moving(cases[i].step, cases[i].core);
		struct digest digest = digested(results, 0);

		assert_int_equal(digest.by_cycles, cases[i].by_cycles);
		assert_int_equal(digest.quality, QUALITY_GOOD);
		assert_within(1 + digest_half(&digest), 1 + cases[i].half,
			.001);
		results_free(results);
	}
}

/* A little narrower is not enough to judge another interval. */
static void cycles_must_be_twice_as_precise(void **state)
{
	assert_true(quality_prefers_cycles(.03, .014));
	assert_false(quality_prefers_cycles(.03, .016));
	assert_false(quality_prefers_cycles(.03, NAN));
	assert_false(quality_prefers_cycles(NAN, .01));
}

static void words_are_words(void **state)
{
	assert_string_equal(quality_word(QUALITY_GOOD), "good");
	assert_string_equal(quality_word(QUALITY_ROUGH), "rough");
	assert_string_equal(quality_word(QUALITY_SHARED_CORE), "shared core");
	assert_string_equal(quality_word(QUALITY_NOT_ENOUGH),
		"not enough data");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_four_words),
		cmocka_unit_test(it_goes_by_what_was_asked_for),
		cmocka_unit_test(steady_metrics_are_good),
		cmocka_unit_test(steady_counts_do_not_blame_other_tasks),
		cmocka_unit_test(one_thread_does_not_blame_other_tasks),
		cmocka_unit_test(the_core_is_judged_in_cycles),
		cmocka_unit_test(cycles_must_be_twice_as_precise),
		cmocka_unit_test(words_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
