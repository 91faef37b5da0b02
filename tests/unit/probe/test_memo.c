/* What is kept is what would be computed, however it came to be kept. */
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

/* One trial in three is beside a co-runner and takes half as long again, one in
 * nine is interrupted. */
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

/* A launch that visits both points, but every third only the first. */
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

/* A launch that goes on is never kept: its flags may still change. */
static void test_while_it_goes_on(void **state)
{
	struct results *kept = begun(), *plain = begun();
	uint64_t random = 1, again = 1;

	memo_begin(kept);
	for (int i = 0; i < LAUNCHES; i++) {
		add_launch(kept, &random);
		add_launch(plain, &again);
		same_figures(kept, plain);
		/* At its end all its trials turn out to be interrupted. */
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

/* The cut moved, and trials of launches that have ended are of another regime:
 * what was kept of them is forgotten. */
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
	/* It goes on keeping, and where nothing is kept does not begin to. */
	assert_non_null(kept->memo);
	memo_forget(plain);
	assert_null(plain->memo);
	results_free(kept);
	results_free(plain);
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
	/* It is not computed again: trials that go are not missed. */
	struct digest digest;
	to->points[0].visit_count = 0;
	assert_true(digest_of(to, &to->points[0], 0, &digest));
	assert_int_equal(digest.trials, LAUNCHES * CLONES * TRIALS);
	/* A sample of them is. */
	to->each = 2;
	assert_false(digest_of(to, &to->points[0], 0, &digest));
	to->each = 0;
	/* What was cut off is nothing. */
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
		cmocka_unit_test(test_handed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
