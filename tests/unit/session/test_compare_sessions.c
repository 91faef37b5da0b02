/* Comparison of sessions: matching rows, verdicts, and the rate of false
 * alarms. */
#include "compare_sessions.h"

#include "digest.h"
#include "made_runs.h"

/* Objects that rows point to, until the next comparison. */
static struct session *kept[2];

static int release_kept(void **state)
{
	session_free(kept[0]);
	session_free(kept[1]);
	kept[0] = kept[1] = NULL;
	return 0;
}

static void compare_simple(double times, double canary, enum direction better,
	struct compare_row *row, double *delta)
{
	struct compare_pair pair;

	release_kept(NULL);
	kept[0] = simple("4K", 100, 300, better);
	kept[1] = simple("4K", 100 * times, canary, better);
	compare_sessions(kept[0], kept[1], &pair);
	assert_int_equal(pair.row_count, 1);
	*row = pair.rows[0];
	*delta = row->delta;
	compare_pair_free(&pair);
}

static void test_slower_and_faster(void **state)
{
	struct compare_row row;
	double delta;

	compare_simple(1.05, 300, LESS_IS_BETTER, &row, &delta);
	assert_near(delta, .01);
	assert_int_equal(row.basis, COMPARE_LAUNCHES);
	assert_int_equal(row.verdict, VERDICT_SLOWER);
	assert_within(row.ratio, 1.05, .003);
	assert_true(row.holds);
	assert_true(row.time.exact);
	compare_simple(.95, 300, LESS_IS_BETTER, &row, &delta);
	assert_int_equal(row.verdict, VERDICT_FASTER);
	compare_simple(1, 300, LESS_IS_BETTER, &row, &delta);
	assert_int_equal(row.verdict, VERDICT_EQUIVALENT);
}

/* More of a rate is faster. For a metric without a better direction, it is only
 * more. */
static void test_directions(void **state)
{
	struct compare_row row;
	double delta;

	compare_simple(1.05, 300, MORE_IS_BETTER, &row, &delta);
	assert_int_equal(row.verdict, VERDICT_FASTER);
	assert_within(row.ratio, 1 / 1.05, .003);
	assert_true(row.time.ratio_low < row.ratio &&
		row.ratio < row.time.ratio_high);
	assert_string_equal(compare_row_word(&row), "faster");
	compare_simple(1.05, 300, NEITHER_IS_BETTER, &row, &delta);
	assert_string_equal(compare_row_word(&row), "higher");
	assert_false(compare_row_fails(&row, 0));
}

/* Everything takes 4 % longer, the canary too: the clock is slower. */
static void test_explained_by_the_clock(void **state)
{
	struct compare_row row;
	double delta;

	compare_simple(1.04, 312, LESS_IS_BETTER, &row, &delta);
	assert_within(delta, .01 + .04, 1e-9);
	assert_int_equal(row.verdict, VERDICT_EQUIVALENT);
	assert_true(row.has_cycles);
	assert_int_equal(row.cycles_verdict, VERDICT_EQUIVALENT);
	assert_within(row.cycles.ratio, 1, .001);
	assert_true(row.by_clock);
	/* The work is longer, the clock is unchanged. */
	compare_simple(1.04, 300, LESS_IS_BETTER, &row, &delta);
	assert_int_equal(row.cycles_verdict, VERDICT_SLOWER);
	assert_false(row.by_clock);
}

static void test_another_processor_has_another_canary(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("4K", 100, 450, LESS_IS_BETTER);
	struct compare_pair pair;

	snprintf(b->machine.cpu, sizeof b->machine.cpu, "Another CPU");
	compare_sessions(a, b, &pair);
	assert_true(isnan(pair.drift));
	assert_near(pair.delta, .01);
	assert_false(pair.same_processor);
	assert_int_equal(pair.difference_count, 1);
	assert_string_equal(pair.differences[0].what, "cpu");
	assert_string_equal(pair.differences[0].first, "Some CPU");
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

static void test_surroundings(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("4K", 100, 300, LESS_IS_BETTER);
	struct compare_pair pair;

	snprintf(a->machine.governor, sizeof a->machine.governor, "powersave");
	snprintf(a->machine.mitigations, sizeof a->machine.mitigations,
		"one: on; two: on");
	snprintf(b->machine.mitigations, sizeof b->machine.mitigations,
		"one: on; two: off; three: on");
	a->machine.kernel_tick_hz = 1e9;
	a->machine.memory_bytes = 1 << 30;
	b->machine.memory_bytes = 2.0 * (1 << 30);
	a->tool_version = xstrdup("0.0.1");
	compare_sessions(a, b, &pair);
	assert_int_equal(pair.difference_count, 4);
	assert_string_equal(pair.differences[0].what, "benchtop");
	assert_string_equal(pair.differences[1].what, "memory bytes");
	assert_string_equal(pair.differences[1].second, "2.000 GiB");
	assert_string_equal(pair.differences[2].what, "governor");
	assert_string_equal(pair.differences[2].second, "unknown");
	assert_string_equal(pair.differences[3].first, "two: on");
	assert_string_equal(pair.differences[3].second, "two: off; three: on");
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

/* For a point measured twice the later run counts, in both sessions. */
static void test_the_latest_counts(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("4K", 700, 300, LESS_IS_BETTER);
	struct session *later = simple("4K", 105, 300, LESS_IS_BETTER);
	struct session *other = simple("8K", 100, 300, LESS_IS_BETTER);
	struct compare_pair pair;

	session_add_run(b, later->runs[0]);
	session_add_run(b, other->runs[0]);
	later->run_count = other->run_count = 0;
	compare_sessions(a, b, &pair);
	assert_int_equal(pair.row_count, 1);
	assert_within(pair.rows[0].ratio, 1.05, .003);
	assert_int_equal(pair.only_second.length, 0);
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
	session_free(later);
	session_free(other);
}

static void test_nothing_in_common(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("8K", 100, 300, LESS_IS_BETTER);
	struct compare_pair pair;

	compare_sessions(a, b, &pair);
	assert_int_equal(pair.row_count, 0);
	assert_string_equal(text_chars(&pair.unlike), "mem.made");
	assert_int_equal(pair.only_first.length, 0);
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

/* Fewer than six launches are not enough data. For a steady metric each value
 * counts, and a test needs four. */
static void test_few_launches(void **state)
{
	static const struct {
		bool steady;
		size_t launches;
		enum compare_basis basis;
		const char *word;
	} cases[] = {
		{ false, 3, COMPARE_UNDECIDED, "undecided" },
		{ false, 5, COMPARE_UNDECIDED, "undecided" },
		{ true, 3, COMPARE_TOO_FEW, "too few" },
		{ true, 4, COMPARE_LAUNCHES, "faster" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *run = made_run("mem.made", UNIT_NS,
			LESS_IS_BETTER, METRIC_TIMED);
		struct session *a = simple("4K", 100, 300, LESS_IS_BETTER), *b;
		struct compare_pair pair;

		run->metrics[0].steady = cases[i].steady;
		made_launches(run, made_sized(run, "4K"), eight,
			cases[i].launches, 300);
		b = made_session(run);
		compare_sessions(a, b, &pair);
		assert_int_equal(pair.rows[0].basis, cases[i].basis);
		assert_string_equal(compare_row_word(&pair.rows[0]),
			cases[i].word);
		assert_false(compare_row_fails(&pair.rows[0], 0));
		compare_pair_free(&pair);
		session_free(a);
		session_free(b);
	}
}

/* Counts without the kernel's work are another quantity. */
static void test_user_only(void **state)
{
	for (int user_only = 0; user_only < 2; user_only++) {
		struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
		struct session *b = simple("4K", 100, 300, LESS_IS_BETTER);
		struct compare_pair pair;

		a->runs[0]->metrics[0].user_only = user_only;
		compare_sessions(a, b, &pair);
		assert_int_equal(pair.row_count, !user_only);
		compare_pair_free(&pair);
		session_free(a);
		session_free(b);
	}
}

/* If either headline is from a shared core there is no verdict. */
static void test_shared_cores(void **state)
{
	for (int which = 1; which < 4; which++) {
		struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
		struct session *b = simple("4K", 200, 300, LESS_IS_BETTER);
		struct session *both[] = { a, b };
		struct compare_counts counts;
		struct compare_pair pair;

		for (int i = 0; i < 2; i++) {
			struct series *series =
				&both[i]->runs[0]->points[0].series[0];
			uint16_t *flags = series->flags.data;

			for (size_t k = 0; k < series->flags.count; k++)
				flags[k] = which >> i & 1 ? FLAG_SHARED : 0;
		}
		compare_sessions(a, b, &pair);
		assert_int_equal(pair.row_count, 1);
		assert_int_equal(pair.rows[0].basis, COMPARE_UNDECIDED);
		assert_int_equal(pair.rows[0].first.regime,
			which & 1 ? REGIME_SHARED : REGIME_ALONE);
		assert_int_equal(pair.rows[0].second.regime,
			which & 2 ? REGIME_SHARED : REGIME_ALONE);
		assert_near(pair.rows[0].first.shared, which & 1);
		assert_string_equal(compare_row_word(&pair.rows[0]),
			"undecided");
		assert_false(compare_row_fails(&pair.rows[0], 0));
		compare_count(&pair, &counts);
		assert_int_equal(counts.undecided, 1);
		assert_int_equal(counts.too_few, 0);
		compare_pair_free(&pair);
		session_free(a);
		session_free(b);
	}
}

/* A published figure is compared with one point, without a verdict. */
static void test_published_figures(void **state)
{
	struct results *run =
		made_run("mem.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);
	struct session *b = simple("4K", 100, 300, LESS_IS_BETTER);
	struct published *published = point_publish(made_sized(run, ""), 0);
	struct compare_pair pair;

	published->value = 5e4;
	published->printed = xstrdup("50 us");
	published->source = xstrdup("Table 1");
	struct session *a = made_session(run);
	struct session *other = simple("8K", 100, 300, LESS_IS_BETTER);
	session_add_run(b, other->runs[0]);
	other->run_count = 0;
	compare_sessions(a, b, &pair);
	assert_int_equal(pair.row_count, 1);
	assert_int_equal(pair.rows[0].basis, COMPARE_FIGURES);
	assert_within(pair.rows[0].ratio, 2, .01);
	assert_true(isnan(pair.rows[0].p_holm));
	assert_string_equal(compare_row_word(&pair.rows[0]), "published");
	assert_false(compare_row_fails(&pair.rows[0], 0));
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
	session_free(other);
}

/* One change among many tests may be chance: it is reported, and is not a
 * failure. */
static void test_one_among_many(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
	struct results *was =
		made_run("mem.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);
	struct results *is =
		made_run("mem.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);
	struct compare_pair pair;
	struct compare_counts counts;

	gsl_rng_set(random, 5);
	for (int i = 0; i < 30; i++) {
		char size[12];

		snprintf(size, sizeof size, "%d", i + 1);
		made_normal(was, made_sized(was, size), 1000, .001, 6, random);
		made_normal(is, made_sized(is, size), i == 7 ? 1050 : 1000,
			.001, 6, random);
	}
	struct session *a = made_session(was), *b = made_session(is);
	compare_sessions(a, b, &pair);
	compare_count(&pair, &counts);
	assert_int_equal(pair.row_count, 30);
	assert_int_equal(counts.verdicts[VERDICT_SLOWER], 1);
	/* Six against six give p = .0022 at best, which is not significant
	 * among thirty tests. */
	assert_int_equal(pair.rows[7].verdict, VERDICT_SLOWER);
	assert_within(pair.rows[7].time.p, 2. / 924, 1e-9);
	assert_within(pair.rows[7].p_holm, 60. / 924, 1e-9);
	assert_false(pair.rows[7].holds);
	assert_false(compare_row_fails(&pair.rows[7], .02));
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
	gsl_rng_free(random);
}

static void test_the_gate(void **state)
{
	struct compare_row row;
	double delta;

	compare_simple(1.05, 300, LESS_IS_BETTER, &row, &delta);
	assert_true(compare_row_fails(&row, 0));
	assert_true(compare_row_fails(&row, .045));
	assert_false(compare_row_fails(&row, .06));
	compare_simple(.9, 300, LESS_IS_BETTER, &row, &delta);
	assert_false(compare_row_fails(&row, 0));
	/* A tenth of a rate. */
	compare_simple(.1, 300, MORE_IS_BETTER, &row, &delta);
	assert_true(compare_row_fails(&row, 5));
}

/* Two points of one run, launch medians around 1 and around `times`. */
static enum verdict ab_of(double times, double sd, gsl_rng *random)
{
	struct results *run =
		made_run("mem.made", UNIT_NS, LESS_IS_BETTER, METRIC_VALUE);
	struct compare_pair pair;

	made_sized(run, "A");
	made_sized(run, "B");
	made_normal(run, &run->points[0], 1000, sd, 10, random);
	made_normal(run, &run->points[1], 1000 * times, sd, 10, random);
	compare_points(run, 0, 1, &pair);
	assert_int_equal(pair.row_count, 1);
	enum verdict verdict = pair.rows[0].verdict;
	compare_pair_free(&pair);
	results_free(run);
	return verdict;
}

static bool is_change(enum verdict verdict)
{
	return verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
}

/* Equal sessions give at most 5 false alarms in 100, for any spread. With a
 * spread of 1 %, 5 % more work is found 95 times in 100. Counted in more than
 * 100, so that luck does not decide. */
static void test_how_often_it_is_wrong(void **state)
{
	enum { RUNS = 1000 };
	static const double spreads[] = { .002, .01, .03 };
	gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
	int found = 0;

	gsl_rng_set(random, 11);
	for (size_t s = 0; s < 3; s++) {
		int alarms = 0;

		for (int i = 0; i < RUNS; i++)
			alarms += is_change(ab_of(1, spreads[s], random));
		assert_true(alarms <= RUNS * 5 / 100);
	}
	for (int i = 0; i < RUNS; i++)
		found += ab_of(1.05, .01, random) == VERDICT_SLOWER;
	assert_true(found >= RUNS * 95 / 100);
	gsl_rng_free(random);
}

static void test_json(void **state)
{
	struct session *a = simple("4K", 100, 300, LESS_IS_BETTER);
	struct session *b = simple("4K", 110, 300, LESS_IS_BETTER);
	cJSON *object = cJSON_CreateObject();
	struct compare_pair pair;

	compare_sessions(a, b, &pair);
	compare_write(&pair, object);
	const cJSON *row = cJSON_GetArrayItem(
		cJSON_GetObjectItemCaseSensitive(object, "rows"), 0);
	assert_non_null(row);
	assert_string_equal(
		cJSON_GetObjectItemCaseSensitive(row, "verdict")->valuestring,
		"slower");
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(row, "parameters")
				    ->valuestring,
		"size=4K");
	assert_int_equal(cJSON_GetArraySize(
				 cJSON_GetObjectItemCaseSensitive(row, "ci")),
		2);
	cJSON_Delete(object);
	compare_pair_free(&pair);
	session_free(a);
	session_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slower_and_faster),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_explained_by_the_clock),
		cmocka_unit_test(test_another_processor_has_another_canary),
		cmocka_unit_test(test_surroundings),
		cmocka_unit_test(test_the_latest_counts),
		cmocka_unit_test(test_nothing_in_common),
		cmocka_unit_test(test_few_launches),
		cmocka_unit_test(test_user_only),
		cmocka_unit_test(test_shared_cores),
		cmocka_unit_test(test_published_figures),
		cmocka_unit_test(test_one_among_many),
		cmocka_unit_test(test_the_gate),
		cmocka_unit_test(test_how_often_it_is_wrong),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, release_kept);
}
