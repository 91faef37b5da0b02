/* Plain text about a core that was sometimes shared. */
#include "bins.h"
#include "digest.h"
#include "print.h"
#include "say_compare.h"
#include "regime.h"
#include "unit/report/made_results.h"

static void add_trials(struct results *results, unsigned count, unsigned ns,
	unsigned flags)
{
	for (unsigned i = 0; i < count; i++)
		new_trial(results, 0, 0, 40 + ns, flags);
}

/* One point with canaries. The launches with both regimes show another slowdown
 * than those with one. */
static struct results *watched(void)
{
	static const struct {
		unsigned alone, shared, alone_ns, shared_ns;
	} launches[] = {
		{ 30, 30, 100, 110 },
		{ 30, 0, 90, 0 },
		{ 0, 30, 0, 130 },
	};
	struct results *results = made_results(NULL, 0);

	made_point(results, NULL);
	results->clock.quantum = 0;
	for (size_t i = results->launch_count; i < 24; i++)
		new_launch(results)->number = (unsigned)i + 1;
	for (size_t i = 0; i < 24; i++) {
		size_t kind = i % 4 ? i % 2 + 1 : 0;
		struct visit *visit =
			point_add_visit(results, &results->points[0]);

		visit->launch = (unsigned)i;
		visit->canary_every = 1;
		new_canary(results, 0, 340);
		add_trials(results, 3, 900, FLAG_WARMUP);
		add_trials(results, 2, 900, FLAG_WARMUP | FLAG_PREEMPTED);
		add_trials(results, 4, 900, FLAG_PREEMPTED);
		add_trials(results, 1, 105, FLAG_MIXED);
		add_trials(results, launches[kind].alone,
			launches[kind].alone_ns, 0);
		add_trials(results, launches[kind].shared,
			launches[kind].shared_ns, FLAG_SHARED);
	}
	return results;
}

/* The factor is the ratio of the two figures shown beside it, not of the
 * launches with both regimes. */
static void the_factor_is_the_ratio_of_the_figures(void **state)
{
	struct results *results = watched();
	struct digest digest = digested(results, 0);
	double alone = digest.by_regime[REGIME_ALONE].median;
	double shared = digest.by_regime[REGIME_SHARED].median;
	struct text text = { 0 }, factor = { 0 };

	assert_int_equal(digest.regime, REGIME_ALONE);
	assert_true(fabs(digest.slowdown.factor - shared / alone) > .01);
	say_other_regime(&digest, UNIT_NS, &text);
	text_add(&factor, ", x%.3g", shared / alone);
	assert_non_null(strstr(text_chars(&text), "beside a co-runner 130"));
	assert_non_null(strstr(text_chars(&text), factor.chars));
	text_free(&text);
	text_free(&factor);
	results_free(results);
}

/* The share and the histogram count the same trials. */
static void the_histogram_excludes_what_the_share_does(void **state)
{
	struct results *results = watched();
	struct digest digest = digested(results, 0);
	struct histogram histogram;
	size_t counted = 0;

	bins_of(results, &results->points[0], 0, 16, &histogram);
	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		counted += histogram_class(&histogram, c);
	assert_true(counted > 0 && counted < digest.trials);
	assert_int_equal(histogram_class(&histogram, SHOWN_EXCLUDED),
		lround(digest.excluded * (double)counted));
	assert_int_equal(histogram_class(&histogram, SHOWN_OTHER),
		lround(digest.shared * (double)counted));
	histogram_free(&histogram);
	results_free(results);
}

static void undecided_names_the_session_of_each_share(void **state)
{
	struct results calm = { 0 }, crowded = { .place = { .others = .35 } };
	const struct compare_side first = { .run = &calm,
		.quality = QUALITY_SHARED_CORE,
		.not_alone = .42 };
	struct compare_side second = { .run = &calm,
		.quality = QUALITY_SHARED_CORE,
		.not_alone = .99 };
	struct text text = { 0 };

	say_compare_undecided(&first, &second, &text);
	assert_string_equal(text.chars,
		"core shared in 42 % of the trials of A, 99 % of B");
	text_clear(&text);
	second.run = &crowded;
	second.crowded = true;
	say_compare_undecided(&first, &second, &text);
	assert_string_equal(text.chars,
		"other tasks used 0 % of the processors of A, 35 % of B");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undecided_names_the_session_of_each_share),
		cmocka_unit_test(the_histogram_excludes_what_the_share_does),
		cmocka_unit_test(the_factor_is_the_ratio_of_the_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
