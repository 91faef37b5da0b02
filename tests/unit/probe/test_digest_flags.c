/* R8: from flags to figures: every trial is counted, an interrupted trial is
 * excluded from the headline, and the condition of a trial decides its
 * regime. */
#include "digest.h"
#include "random.h"
#include "regime.h"
#include "trials.h"

/* With canaries, the condition of each trial is known. */
static void watch(struct results *results)
{
	new_canary(results, 0, 340);
}

/* Every flag once, beside trials that have none. */
static void every_flag_is_counted(void **state)
{
	for (unsigned bit = 0; bit < FLAG_COUNT; bit++)
		for (int watched = 0; watched < 2; watched++) {
			unsigned flag = 1u << bit;
			bool condition =
				flag == FLAG_SHARED || flag == FLAG_MIXED;
			bool in = flag == FLAG_FREQUENCY ||
				(condition && !watched);
			struct results *results = by_hand();

			if (watched)
				watch(results);
			new_trial(results, 0, 0, 1000040, flag);
			struct digest digest = digested(results, 0);
			assert_int_equal(digest.regime,
				watched ? REGIME_ALONE : REGIME_POOLED);
			assert_int_equal(digest.trials, 25);
			assert_int_equal(digest.summary.trials, 24 + in);
			assert_near(digest.summary.max, in ? 1e6 : 45);
			for (unsigned other = 0; other < FLAG_COUNT; other++)
				assert_int_equal(digest.by_flag[other],
					other == bit);
			assert_near(digest.shared,
				flag == FLAG_SHARED ? 1 / 25. : 0);
			assert_near(digest.excluded,
				flag == FLAG_SHARED || flag == FLAG_WARMUP ||
						flag == FLAG_FREQUENCY ||
						(flag == FLAG_MIXED && in) ?
					0 :
					1 / 25.);
			assert_near(digest.mixed,
				flag == FLAG_MIXED && in ? 1 / 25. : 0);
			results_free(results);
		}
}

/* Counts that must equal those of a digest. */
struct counted {
	size_t all, unflagged, pooled, warm, shared, excluded, mixed;
};

static void count_one(struct counted *counted, unsigned flags)
{
	counted->all++;
	counted->unflagged += !flags;
	counted->pooled += !(flags & FLAGS_EXCLUDED);
	if (flags & FLAG_WARMUP)
		counted->warm++;
	else if (flags & ~(FLAG_SHARED | FLAG_FREQUENCY | FLAG_MIXED))
		counted->excluded++;
	else if (flags & FLAG_MIXED)
		counted->mixed++;
	else
		counted->shared += (flags & FLAG_SHARED) != 0;
}

/* For any mixture of flags, the number of trials is exactly the sum of those
 * without flags and those of each first flag. */
static void no_trial_is_lost(void **state)
{
	uint64_t random = 4;

	for (int round = 0; round < 300; round++) {
		struct results *results = one_metric(1);
		struct counted counted = { 0 };

		for (unsigned launch = 0; launch < 7; launch++) {
			new_launch(results);
			new_visit(results, 0, 0);
			for (uint64_t i = random_below(&random, 20); i; i--) {
				unsigned all = (1u << FLAG_COUNT) - 1;
				unsigned flags = random_below(&random, 2) ?
					(unsigned)next_random(&random) & all :
					0;

				new_trial(results, 0, 0,
					random_below(&random, 500), flags);
				count_one(&counted, flags);
			}
		}
		struct digest digest = digested(results, 0);
		size_t sum = counted.unflagged, excluded = 0;
		for (unsigned bit = 0; bit < FLAG_COUNT; bit++) {
			bool kept = 1u << bit == FLAG_WARMUP ||
				1u << bit == FLAG_SHARED ||
				1u << bit == FLAG_MIXED ||
				1u << bit == FLAG_FREQUENCY;

			sum += digest.by_flag[bit];
			excluded += kept ? 0 : digest.by_flag[bit];
		}
		/* The shares follow from the counts. */
		assert_int_equal(excluded, counted.excluded);
		assert_int_equal(digest.by_flag[5], counted.shared);
		assert_int_equal(digest.by_flag[7], counted.warm);
		assert_int_equal(digest.by_flag[9], counted.mixed);
		double past = (double)(counted.all - counted.warm);
		assert_int_equal(digest.trials, counted.all);
		assert_int_equal(sum, counted.all);
		assert_int_equal(digest.summary.trials, counted.pooled);
		assert_near(digest.shared, (double)counted.shared / past);
		assert_near(digest.excluded, (double)counted.excluded / past);
		assert_near(digest.mixed, (double)counted.mixed / past);
		results_free(results);
	}
}

static void the_first_flag_is_the_one_counted(void **state)
{
	static const struct {
		unsigned flags, bit;
	} cases[] = {
		{ FLAG_SHARED | FLAG_PREEMPTED, 2 },
		{ FLAG_MIXED | FLAG_FREQUENCY, 9 },
		{ FLAG_FREQUENCY | FLAG_MIGRATED, 1 },
		{ FLAG_FREQUENCY, 6 },
		{ FLAG_MIXED | FLAG_UNVERIFIED, 8 },
		/* Excluded trials are not counted as shared. */
		{ FLAG_SHARED | FLAG_UNVERIFIED, 8 },
		/* Shares refer to the trials after the warm-up. */
		{ FLAG_WARMUP | FLAG_SHARED | FLAG_PREEMPTED, 7 },
		{ FLAG_WARMUP | FLAG_MIXED, 7 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = by_hand();

		new_trial(results, 0, 0, 1040, cases[i].flags);
		struct digest digest = digested(results, 0);
		for (unsigned bit = 0; bit < FLAG_COUNT; bit++)
			assert_int_equal(digest.by_flag[bit],
				bit == cases[i].bit);
		assert_near(digest.excluded,
			cases[i].bit == 6 || cases[i].bit == 7 ||
					cases[i].bit == 9 ?
				0 :
				1 / 25.);
		assert_near(digest.frequency, cases[i].bit == 6 ? 1 / 25. : 0);
		results_free(results);
	}
}

/* If many trials are excluded, the others still give a good figure; the median
 * of all is shown beside it. */
static void excluded_trials_show_what_they_did(void **state)
{
	struct results *results = one_metric(1);

	results->clock.quantum = 0;
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 19; i++)
			new_trial(results, 0, 0, 140, 0);
		for (unsigned i = 0; i < launch * 4; i++)
			new_trial(results, 0, 0, 240, FLAG_PREEMPTED);
		/* A clock that stepped back invalidates the trial for both
		 * figures. */
		new_trial(results, 0, 0, (uint64_t)-7, FLAG_BACKWARDS);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.summary.median, 100);
	assert_near(digest.summary.min, 100);
	assert_near(digest.excluded, 66 / 180.);
	assert_int_equal(digest.quality, QUALITY_GOOD);
	/* One of the six launches has more excluded trials than the others. */
	assert_near(digest.median_all, 100);
	results_free(results);
}

/* The median of all trials is the time that a user of the machine observes:
 * interrupted, with a co-runner or alone. */
static void the_median_of_all_has_every_condition(void **state)
{
	static const unsigned flags[] = { FLAG_PREEMPTED, FLAG_SHARED,
		FLAG_MIXED };

	for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
		struct results *results = one_metric(1);

		for (unsigned launch = 0; launch < 6; launch++) {
			new_launch(results);
			new_visit(results, 0, 0);
			watch(results);
			for (unsigned i = 0; i < 24; i++)
				new_trial(results, 0, 0, 1040 + 50 * i, 0);
			new_trial(results, 0, 0, 9040, flags[f]);
			new_trial(results, 0, 0, 9040, FLAG_WARMUP);
		}
		struct digest digest = digested(results, 0);
		assert_near(digest.summary.median, 1575);
		assert_near(digest.median_all, 1600);
		results_free(results);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_flag_is_counted),
		cmocka_unit_test(no_trial_is_lost),
		cmocka_unit_test(the_first_flag_is_the_one_counted),
		cmocka_unit_test(excluded_trials_show_what_they_did),
		cmocka_unit_test(the_median_of_all_has_every_condition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
