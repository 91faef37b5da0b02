/* Histories: which runs count, what changed, and what changed around it. */
#include "run_history.h"

#include "check.h"
#include "random.h"

enum { RUNS = 30, AT = 20 };

static char setting[] = "size=4K";
static char old_kernel[] = "6.1", new_kernel[] = "6.2", libc[] = "glibc 2.36";
static char vulnerable[] = "retbleed: Vulnerable; mds: Clear";
static char mitigated[] = "retbleed: IBRS; mds: Clear";
static struct surroundings older = {
	.value = { [SURROUNDING_KERNEL] = old_kernel,
		[SURROUNDING_MITIGATIONS] = vulnerable,
		[SURROUNDING_LIBC] = libc },
};
static struct surroundings newer = {
	.value = { [SURROUNDING_KERNEL] = new_kernel,
		[SURROUNDING_MITIGATIONS] = mitigated },
};

/* Runs with noise of .3 %, all alone; from AT on `step` times the value. */
static void make_runs(struct kept_point list[RUNS], double step)
{
	uint64_t random = 1;

	for (size_t i = 0; i < RUNS; i++) {
		double noise = (double)random_below(&random, 1000) / 1e5;
		double value = (100 + noise * 100) * (i < AT ? 1 : step);

		list[i] = (struct kept_point){
			.setting = setting,
			.surroundings = &older,
			.metric = "time",
			.unit = UNIT_NS,
			.headline = { value, true, { value, value } },
			.shared = { .median = NAN },
			.regime = REGIME_ALONE,
			.quality = QUALITY_GOOD,
			.canary_ns = 1 + noise,
			.ruler_ns = NAN,
		};
	}
}

static void make(const struct kept_point *list, size_t count,
	struct history *history)
{
	history_make("mem.made", list, count, history);
}

/* The system changes with the figure; the canary does not. */
static void test_change(void **state)
{
	struct kept_point list[RUNS];
	struct history history;
	struct text text = { 0 };

	make_runs(list, 1.04);
	for (size_t i = AT; i < RUNS; i++)
		list[i].surroundings = &newer;
	make(list, RUNS, &history);
	const struct history_series *figure = &history.series[HISTORY_FIGURE];
	assert_int_equal(figure->count, RUNS);
	assert_int_equal(figure->changes.count, 1);
	assert_near(figure->floor, log(1.01));
	const struct change *change =
		history_change(&history, HISTORY_FIGURE, AT);
	assert_non_null(change);
	assert_within(history_step(change), .04, .1);
	assert_null(history_change(&history, HISTORY_FIGURE, AT + 1));
	assert_ptr_equal(history_near(&history, HISTORY_FIGURE, AT + 3),
		change);
	assert_null(history_near(&history, HISTORY_FIGURE, AT + 4));
	assert_null(history_near(&history, HISTORY_CANARY, AT));
	assert_int_equal(history_cause(&history, AT), AT);
	history_say_differences(&history, AT, &text);
	/* libc is not in the later files. */
	assert_string_equal(text.chars,
		"kernel 6.1 -> 6.2; mitigations retbleed: Vulnerable -> "
		"retbleed: IBRS");
	text_free(&text);
	history_free(&history);
}

/* The p values of the figure and the canary are adjusted together. */
static void test_holm(void **state)
{
	struct kept_point list[RUNS];
	struct history history;
	struct changes changes;

	make_runs(list, 1.04);
	make(list, RUNS, &history);
	const struct history_series *figure = &history.series[HISTORY_FIGURE];
	const struct history_series *canary = &history.series[HISTORY_CANARY];
	changes_find(figure->logs, RUNS, figure->floor, .025, &changes);
	assert_near(figure->p, 2 * changes.p);
	assert_int_equal(canary->changes.count, 0);
	assert_true(isnan(history.series[HISTORY_RULER].p));
	changes_free(&changes);
	history_free(&history);
}

/* A change of the machine shows in the canary. */
static void test_machine(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1.1);
	for (size_t i = AT + 1; i < RUNS; i++)
		list[i].canary_ns *= 1.1;
	make(list, RUNS, &history);
	const struct change *near = history_near(&history, HISTORY_CANARY, AT);
	assert_non_null(near);
	assert_within(history_step(near), .1, .05);
	history_free(&history);
}

/* A cause beside the change; too far away, there is none. */
static void test_cause(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1.04);
	make(list, RUNS, &history);
	assert_int_equal(history_cause(&history, AT), RUNS);
	for (size_t i = AT - 3; i < RUNS; i++)
		list[i].surroundings = &newer;
	assert_int_equal(history_cause(&history, AT), AT - 3);
	assert_int_equal(history_cause(&history, AT + 1), RUNS);
	assert_int_equal(history_cause(&history, AT - 5), AT - 3);
	history_free(&history);
}

/* A change of 4 % below the noise of successive runs is not one. */
static void test_noise(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1.04);
	for (size_t i = 0; i < RUNS; i += 2)
		list[i].headline.median *= 1.08;
	make(list, RUNS, &history);
	assert_true(history.series[HISTORY_FIGURE].floor > .04);
	assert_int_equal(history.series[HISTORY_FIGURE].changes.count, 0);
	history_free(&history);
}

/* Runs of a shared core do not count beside runs alone. Without ten of these
 * the shared figures are the series. */
static void test_regimes(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1);
	for (size_t i = AT; i < RUNS; i++) {
		list[i].quality = QUALITY_SHARED_CORE;
		list[i].headline.median = 140;
	}
	for (size_t i = 5; i < RUNS; i++)
		list[i].shared = (struct kept_figure){ 140, true, { 1, 2 } };
	make(list, RUNS, &history);
	assert_int_equal(history.regime, REGIME_ALONE);
	assert_int_equal(history.series[HISTORY_FIGURE].count, AT);
	assert_int_equal(history.series[HISTORY_CANARY].count, RUNS);
	assert_false(history_counts(&history, AT));
	assert_near(history_figure(&history, AT)->median, 140);
	history_free(&history);
	make(list + 12, RUNS - 12, &history);
	assert_int_equal(history.regime, REGIME_SHARED);
	assert_int_equal(history.series[HISTORY_FIGURE].count, RUNS - 12);
	assert_near(history_figure(&history, 0)->median, 140);
	assert_int_equal(history.series[HISTORY_FIGURE].changes.count, 0);
	history_free(&history);
	/* A run without enough data does not count in this series either. */
	list[12].quality = QUALITY_NOT_ENOUGH;
	make(list + 12, RUNS - 12, &history);
	assert_int_equal(history.regime, REGIME_SHARED);
	assert_false(history_counts(&history, 0));
	assert_int_equal(history.series[HISTORY_FIGURE].count, RUNS - 13);
	history_free(&history);
}

/* A value of 0 has no logarithm, and few runs have no test. */
static void test_few(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1);
	list[0].headline.median = 0;
	make(list, CHANGES_LEAST, &history);
	assert_false(history_counts(&history, 0));
	assert_int_equal(history.series[HISTORY_FIGURE].count,
		CHANGES_LEAST - 1);
	assert_true(isnan(history.series[HISTORY_FIGURE].p));
	assert_false(isnan(history.series[HISTORY_CANARY].p));
	history_free(&history);
}

/* The verdict of a nightly job. */
static void test_judge(void **state)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1.04);
	make(list, RUNS, &history);
	assert_int_equal(RUNS - AT, CHANGES_LEAST);
	assert_int_equal(history_judge(&history, LESS_IS_BETTER),
		HISTORY_WORSE);
	assert_int_equal(history_judge(&history, MORE_IS_BETTER),
		HISTORY_UNCHANGED);
	assert_int_equal(history_judge(&history, NEITHER_IS_BETTER),
		HISTORY_WORSE);
	history_free(&history);
	/* A change that is new is worse even if the last run does not count. */
	list[RUNS - 1].quality = QUALITY_NOT_ENOUGH;
	make(list, RUNS, &history);
	assert_int_equal(history_judge(&history, LESS_IS_BETTER),
		HISTORY_WORSE);
	assert_int_equal(history_judge(&history, MORE_IS_BETTER),
		HISTORY_UNDECIDED);
	history_free(&history);
	make(list, CHANGES_LEAST - 1, &history);
	assert_int_equal(history_judge(&history, LESS_IS_BETTER),
		HISTORY_UNDECIDED);
	history_free(&history);
	/* The change began before the last ten counted runs. */
	make_runs(list, 1.04);
	list[AT - 1].headline.median = list[RUNS - 1].headline.median;
	make(list, RUNS, &history);
	assert_int_equal(history_judge(&history, LESS_IS_BETTER),
		HISTORY_UNCHANGED);
	history_free(&history);
}

/* Two changes among the last ten runs: by a tenth at AT, and back to `back` of
 * the old level five runs later. */
static enum history_verdict judge_two(double back, enum direction better)
{
	struct kept_point list[RUNS];
	struct history history;

	make_runs(list, 1.1);
	for (size_t i = AT + 5; i < RUNS; i++)
		list[i].headline.median *= back / 1.1;
	make(list, RUNS, &history);
	assert_int_equal(history.series[HISTORY_FIGURE].changes.count, 2);
	enum history_verdict verdict = history_judge(&history, better);
	history_free(&history);
	return verdict;
}

/* A change for the better does not hide a greater one for the worse. */
static void test_judge_two(void **state)
{
	assert_int_equal(judge_two(1.05, LESS_IS_BETTER), HISTORY_WORSE);
	assert_int_equal(judge_two(1.05, NEITHER_IS_BETTER), HISTORY_WORSE);
	assert_int_equal(judge_two(1, LESS_IS_BETTER), HISTORY_UNCHANGED);
	assert_int_equal(judge_two(1.05, MORE_IS_BETTER), HISTORY_WORSE);
}

/* Without logarithms of all values no change is looked for. */
static void test_not_above_zero(void **state)
{
	struct kept_point list[RUNS];
	struct history history;
	struct text text = { 0 };

	make_runs(list, 1.04);
	list[2].headline.median = 0;
	list[3].headline.median = -1;
	list[3].quality = QUALITY_NOT_ENOUGH;
	make(list, RUNS, &history);
	assert_int_equal(history_without_logarithm(&history), 1);
	assert_int_equal(history.series[HISTORY_FIGURE].count, RUNS - 2);
	assert_int_equal(history.series[HISTORY_FIGURE].changes.count, 0);
	history_say_regime(&history, &text);
	assert_string_equal(text.chars, "1 value is not above 0. Changes are "
		"found on logarithms, so none is looked for.");
	text_free(&text);
	history_free(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_cause),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_regimes),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_not_above_zero),
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_judge_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
