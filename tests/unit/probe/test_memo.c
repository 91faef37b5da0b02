/* Cached figures equal computed ones, in whatever order they were cached. */
#include "digest.h"
#include "memo.h"
#include "parcel.h"
#include "random.h"
#include "text.h"
#include "trials.h"

enum { LAUNCHES = 8, CLONES = 2, TRIALS = 30 };

static struct results *begun(void)
{
	struct results *results = new_results();

	timed_metric(results, "time");
	timed_metric(results, "other");
	for (int i = 0; i < 2; i++) {
		struct point *point = results_add_point(results);

		point->series[0].ops = 1;
		point->series[1].ops = 2;
	}
	return results;
}

/* One trial in three has a co-runner and takes 1.5 times as long; one in nine
 * is interrupted. */
static void add_trials(struct results *results, size_t at, uint64_t *random)
{
	static const unsigned flags[] = { FLAG_PREEMPTED, FLAG_SHARED,
		FLAG_SHARED, FLAG_SHARED, FLAG_MIXED };

	for (int i = 0; i < TRIALS; i++)
		for (unsigned m = 0; m < 2; m++) {
			uint64_t what = random_below(random, 9);
			unsigned flag = what < 5 ? flags[what] : 0;

			new_trial(results, at, m,
				100 + random_below(random, 50) +
					(flag == FLAG_SHARED ? 60 : 0),
				flag);
		}
}

/* A launch that visits both points; every third visits only the first. */
static void add_launch(struct results *results, uint64_t *random)
{
	size_t points = results->launch_count % 3 == 2 ? 1 : 2;

	new_launch(results)->at_s = (double)results->launch_count;
	for (size_t p = 0; p < points; p++)
		for (unsigned clone = 0; clone < CLONES; clone++) {
			new_visit(results, p, clone);
			new_canary(results, p, 340);
			add_trials(results, p, random);
		}
}

static void same_medians(const struct results *kept,
	const struct results *plain, size_t point, unsigned metric)
{
	double *medians[2], *at_s[2];
	size_t n[2];

	n[0] = results_launch_medians(kept, &kept->points[point], metric,
		SCALE_UNIT, &medians[0], &at_s[0]);
	n[1] = results_launch_medians(plain, &plain->points[point], metric,
		SCALE_UNIT, &medians[1], &at_s[1]);
	assert_int_equal(n[0], n[1]);
	for (size_t i = 0; i < n[0]; i++) {
		assert_true(medians[0][i] == medians[1][i]);
		assert_true(at_s[0][i] == at_s[1][i]);
	}
	for (int i = 0; i < 2; i++) {
		free(medians[i]);
		free(at_s[i]);
	}
}

static void same_figures(const struct results *kept,
	const struct results *plain)
{
	for (size_t p = 0; p < kept->point_count; p++)
		for (unsigned m = 0; m < 2; m++) {
			struct digest a, b;
			bool any = digest_of(kept, &kept->points[p], m, &a);

			same_medians(kept, plain, p, m);
			assert_int_equal(any,
				digest_of(plain, &plain->points[p], m, &b));
			if (!any)
				continue;
			assert_int_equal(a.trials, b.trials);
			assert_true(a.summary.median == b.summary.median);
			assert_true(a.summary.mean == b.summary.mean);
			assert_true(a.summary.interval.low ==
				b.summary.interval.low);
			assert_true(a.excluded == b.excluded);
			assert_true(a.shared == b.shared);
			assert_memory_equal(&a.slowdown, &b.slowdown,
				sizeof a.slowdown);
			for (int r = 0; r < REGIMES; r++)
				assert_true(a.by_regime[r].trials ==
					b.by_regime[r].trials);
			assert_int_equal(a.regime, b.regime);
			assert_int_equal(a.quality, b.quality);
		}
}

/* An active launch is never cached, because its flags may still change. */
static void test_while_it_goes_on(void **state)
{
	struct results *kept = begun(), *plain = begun();
	uint64_t random = 1, again = 1;

	memo_begin(kept);
	for (int i = 0; i < LAUNCHES; i++) {
		add_launch(kept, &random);
		add_launch(plain, &again);
		same_figures(kept, plain);
		/* At its end all its trials are flagged as interrupted. */
		struct results *both[] = { kept, plain };
		for (int k = 0; k < 2 && i == 4; k++) {
			struct series *series = &both[k]->points[0].series[0];
			uint16_t *flags = series->flags.data;

			for (int t = 0; t < CLONES * TRIALS; t++)
				flags[series->flags.count - 1 - (size_t)t] |=
					FLAG_MIGRATED;
		}
		kept->launches[i].complete = true;
		plain->launches[i].complete = true;
		same_figures(kept, plain);
	}
	results_free(kept);
	results_free(plain);
}

/* The cut has moved, and trials of complete launches are now of another regime:
 * their cached figures are dropped. */
static void test_flags_that_change(void **state)
{
	struct results *kept = begun(), *plain = begun();
	struct results *both[] = { kept, plain };
	uint64_t random[] = { 4, 4 };

	memo_begin(kept);
	for (int i = 0; i < LAUNCHES; i++) {
		for (int k = 0; k < 2; k++) {
			add_launch(both[k], &random[k]);
			both[k]->launches[i].complete = true;
		}
		same_figures(kept, plain);
	}
	struct digest before, after;
	assert_true(digest_of(kept, &kept->points[0], 0, &before));
	assert_int_equal(before.regime, REGIME_ALONE);
	for (int k = 0; k < 2; k++) {
		struct column *flags = &both[k]->points[0].series[0].flags;

		for (size_t t = 0; t < flags->count; t++)
			((uint16_t *)flags->data)[t] = FLAG_SHARED;
	}
	memo_forget(kept);
	same_figures(kept, plain);
	assert_true(digest_of(kept, &kept->points[0], 0, &after));
	assert_int_equal(after.regime, REGIME_SHARED);
	/* Caching remains on, or off. */
	assert_non_null(kept->memo);
	memo_forget(plain);
	assert_null(plain->memo);
	results_free(kept);
	results_free(plain);
}

/* For every metric, once all its trials are present. */
static void test_when_it_is_over(void **state)
{
	struct results *results = begun();
	uint64_t random = 6;
	struct digest digest;

	memo_begin(results);
	for (int i = 0; i < LAUNCHES; i++)
		add_launch(results, &random);
	for (unsigned m = 0; m < 2; m++) {
		results->state = RUN_GOING;
		assert_true(digest_of(results, &results->points[1], m,
			&digest));
		size_t trials = digest.trials, visits;
		visits = results->points[1].visit_count;
		results->points[1].visit_count = 0;
		assert_false(digest_of(results, &results->points[1], m,
			&digest));
		results->points[1].visit_count = visits;
		results->state = RUN_DONE;
		assert_true(digest_of(results, &results->points[1], m,
			&digest));
		results->points[1].visit_count = 0;
		assert_true(digest_of(results, &results->points[1], m,
			&digest));
		assert_int_equal(digest.trials, trials);
		memo_forget(results);
		assert_false(digest_of(results, &results->points[1], m,
			&digest));
		results->points[1].visit_count = visits;
	}
	results_free(results);
}

static bool unpack(struct results *to, const struct text *bytes, size_t length)
{
	struct parcel parcel = { bytes->chars, bytes->chars + length };

	return memo_unpack(to, &parcel);
}

static void test_handed_over(void **state)
{
	struct results *from = begun(), *to = begun(), *plain = begun();
	uint64_t random[3] = { 2, 2, 2 };
	struct text bytes = { 0 };

	for (int i = 0; i < LAUNCHES; i++) {
		add_launch(from, &random[0]);
		add_launch(to, &random[1]);
		add_launch(plain, &random[2]);
	}
	from->state = to->state = plain->state = RUN_DONE;
	results_keep_figures(from);
	same_figures(from, plain);
	memo_pack(from, &bytes);
	assert_true(unpack(to, &bytes, bytes.length));
	same_figures(to, plain);
	/* The cached digest is used: removed trials do not change it. */
	struct digest digest;
	to->points[0].visit_count = 0;
	assert_true(digest_of(to, &to->points[0], 0, &digest));
	assert_int_equal(digest.trials, LAUNCHES * CLONES * TRIALS);
	/* A digest of a sample of the trials is computed again. */
	to->each = 2;
	assert_false(digest_of(to, &to->points[0], 0, &digest));
	to->each = 0;
	/* A truncated cache is ignored. */
	for (size_t length = 0; length < bytes.length; length += 7) {
		assert_false(unpack(to, &bytes, length));
		assert_false(digest_of(to, &to->points[0], 0, &digest));
	}
	to->points[0].visit_count = from->points[0].visit_count;
	same_figures(to, plain);
	text_free(&bytes);
	results_free(from);
	results_free(to);
	results_free(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_while_it_goes_on),
		cmocka_unit_test(test_flags_that_change),
		cmocka_unit_test(test_when_it_is_over),
		cmocka_unit_test(test_handed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
