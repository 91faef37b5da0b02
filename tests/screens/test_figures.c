/* The figures behind the views: computed once, complete, and compared with an
 * earlier run of the same point. */
#include <math.h>

#include "digest.h"
#include "fixture.h"
#include "regime.h"

static const struct plot_options plain;
static struct session *session;
static struct figures figures;

static int open_session(void **state)
{
	session = session_new();
	return 0;
}

static int close_session(void **state)
{
	figures_free(&figures);
	session_free(session);
	return 0;
}

/* Adds a run with this number of points to the session. */
static struct results *measured(const struct experiment *experiment,
	size_t points)
{
	struct results *results =
		fixture_results(experiment, fixture_calls, points);

	session_add_run(session, results);
	return results;
}

/* Updates while no run is active. */
static void update(const struct results *results, size_t point)
{
	figures_update(&figures, results, point, 40, &plain, session, false);
}

static size_t sum_of(const struct histogram *histogram)
{
	size_t sum = histogram_below(histogram) + histogram_above(histogram);

	for (size_t i = 0; i < histogram->bins; i++)
		sum += histogram_count(histogram, i);
	return sum;
}

/* Every trial is in the histogram, at any width and on any scale. */
static void test_r14_histogram_sums_to_n(void **state)
{
	struct results *results = measured(&fixture_syscall, 1);

	for (int columns = 1; columns < 200; columns += 7)
		for (int coarser = 0; coarser < 5; coarser++)
			for (int scale = 0; scale < 3; scale++) {
				struct plot_options options = {
					.coarser = coarser,
					.scale = (enum histogram_scale)scale,
				};

				figures_update(&figures, results, 0, columns,
					&options, session, false);
				assert_int_equal(sum_of(&figures.histogram),
					figures.digest.trials);
				assert_true(figures.histogram.bins <=
					(size_t)columns);
			}
}

static void test_points_and_launches(void **state)
{
	struct results *results = measured(&fixture_latency, 3);

	/* A launch without a headline is listed without a figure. */
	struct series *series = &results->points[1].series[0];
	uint16_t *flags = series->flags.data;
	for (size_t i = 0; i < series->slices[4].count; i++)
		flags[series->slices[4].first + i] = FLAG_PREEMPTED;
	/* At another point every trial has a co-runner. */
	flags = results->points[2].series[0].flags.data;
	for (size_t i = 0; i < results->points[2].series[0].flags.count; i++)
		flags[i] = FLAG_SHARED;
	update(results, 1);
	assert_int_equal(figures.launches, 10);
	for (int i = 0; i < 10; i++)
		assert_int_equal(isnan(figures.medians[i]), i == 4);
	assert_int_equal(figures.point_count, 3);
	for (int i = 0; i < 3; i++) {
		struct digest digest;

		digest_of(results, &results->points[i], 0, &digest);
		assert_true(figures.points[i].any);
		assert_true(figures.points[i].median == digest.summary.median);
	}
	assert_true(figures.most == figures.points[2].median);
	assert_int_equal(figures.points[1].quality, QUALITY_GOOD);
	assert_int_equal(figures.points[2].quality, QUALITY_SHARED_CORE);
	assert_near(figures.points[2].shared, 1);
	assert_true(figures.points[2].doubtful);
	assert_false(figures.points[1].doubtful);
	assert_false(figures.points[0].doubtful);
}

/* Only a few launches visit the large arrays of a sweep; the others have no
 * figures for these points. */
static void test_launches_of_a_point(void **state)
{
	struct results *results = measured(&fixture_latency, 2);

	results->points[1].visit_count = 3;
	results->points[1].visits[2].launch = 7;
	update(results, 0);
	assert_int_equal(figures.launches, 10);
	update(results, 1);
	assert_int_equal(figures.launches, 3);
	assert_true(figures.at_s[2] == results->launches[7].at_s);
	for (int i = 0; i < 3; i++)
		assert_true(isfinite(figures.medians[i]));
}

/* A headline computed from other metrics has no samples: its rows count the
 * trials of these metrics. */
static void test_points_of_a_derived_metric(void **state)
{
	struct results *results = measured(&fixture_latency, 2);

	results_add_metric(results, "basis", "what it follows from", UNIT_NS,
		LESS_IS_BETTER, METRIC_TIMED, false);
	for (int i = 0; i < 2; i++) {
		struct point *point = &results->points[i];
		struct series *both = xcalloc(2, sizeof *both);

		both[1] = point->series[0];
		both[0].derived = true;
		both[0].weight[1] = 1;
		column_init(&both[0].raw, sizeof(uint64_t));
		column_init(&both[0].flags, sizeof(uint16_t));
		both[0].slices =
			xcalloc(point->visit_count, sizeof *both[0].slices);
		free(point->series);
		point->series = both;
	}
	update(results, 0);
	for (int i = 0; i < 2; i++) {
		assert_true(figures.points[i].any);
		assert_int_equal(figures.points[i].trials, 600);
	}
	assert_int_equal(figures.digest.trials, 600);
}

/* Adds `ticks` to every trial of a run. */
static void slow_down(struct results *results, unsigned ticks)
{
	struct column *raw = &results->points[0].series[0].raw;

	for (size_t i = 0; i < raw->count; i++)
		((uint64_t *)raw->data)[i] += ticks;
}

static void test_change(void **state)
{
	static const char *const one[] = { "getppid" };
	static const char *const other[] = { "getpid" };
	struct results *runs[5];

	for (int i = 0; i < 4; i++) {
		runs[i] = fixture_results(&fixture_syscall,
			i == 2 ? other : one, 1);
		session_add_run(session, runs[i]);
	}
	slow_down(runs[3], 200);
	/* The first run has no earlier one to compare with; neither has a run
	 * of another point. */
	update(runs[0], 0);
	assert_false(figures.change.any);
	update(runs[2], 0);
	assert_false(figures.change.any);
	/* An equal run is no change; 200 ticks of 1800 are a change. */
	update(runs[1], 0);
	assert_true(figures.change.any);
	assert_true(figures.change.verdict == VERDICT_EQUIVALENT);
	update(runs[3], 0);
	assert_true(figures.change.any);
	assert_true(figures.change.verdict == VERDICT_SLOWER);
	assert_true(fabs(figures.change.comparison.ratio - 1.11) < .01);
	/* Beside busy other tasks nothing is proven. */
	runs[4] = fixture_results(&fixture_syscall, one, 1);
	runs[4]->place.others = .5;
	session_add_run(session, runs[4]);
	update(runs[4], 0);
	assert_true(figures.change.any);
	assert_true(figures.change.verdict == VERDICT_INCONCLUSIVE);
}

/* In a guest a change is proven of the core if its cycles are known, and never
 * of memory, where the memory ruler was read. */
static void test_change_in_guest(void **state)
{
	static const struct experiment *const experiments[] = {
		&fixture_syscall, &fixture_latency };
	static const char *const one[] = { "getppid" };

	for (int guest = 0; guest < 2; guest++)
		for (size_t i = 0; i < 2; i++) {
			snprintf(session->machine.hypervisor,
				sizeof session->machine.hypervisor, "%s",
				guest ? "KVM" : "");
			session_add_run(session,
				fixture_results(experiments[i], one, 1));
			struct results *slow =
				fixture_results(experiments[i], one, 1);
			slow_down(slow, 600);
			slow->clock.cycles_trusted = true;
			if (i)
				column_add(&slow->points[0].ruler);
			session_add_run(session, slow);
			update(slow, 0);
			assert_true(figures.change.any);
			assert_true(figures.change.comparison.ratio_low > 1.2);
			assert_int_equal(figures.change.verdict,
				guest && i ? VERDICT_INCONCLUSIVE :
					     VERDICT_SLOWER);
		}
}

/* During a run the figures may be out of date; at its end they are exact. */
static void test_live_ends_right(void **state)
{
	struct results *results = measured(&fixture_latency, 3);

	figures_update(&figures, results, 0, 40, &plain, session, true);
	double before = figures.digest.summary.median;
	assert_true(before > 80 && before < 100);
	slow_down(results, 2000);
	results->version++;
	figures.took_ns = 1000000000; /* as if an update took 1 s */
	figures_update(&figures, results, 0, 40, &plain, session, true);
	/* Neither this figure is updated nor the others. */
	assert_true(figures.digest.summary.median == before);
	assert_true(figures.histogram.max < 500);
	update(results, 0);
	assert_true(fabs(figures.digest.summary.median - before - 100) < .5);
	assert_true(figures.points[0].median == figures.digest.summary.median);
	assert_int_equal(sum_of(&figures.histogram), 600);
}

/* Other results with the same version may have the same address. */
static void test_other_results(void **state)
{
	struct results *results = measured(&fixture_latency, 3);

	update(results, 0);
	double before = figures.digest.summary.median;
	slow_down(results, 2000);
	update(results, 0);
	assert_true(figures.digest.summary.median == before);
	results->serial++;
	update(results, 0);
	assert_true(figures.digest.summary.median > before + 99);
	assert_true(figures.points[0].median == figures.digest.summary.median);
}

/* As soon as both regimes have a few trials, bins are chosen by the trials of
 * both. */
static void test_excluded_trials_set_no_range(void **state)
{
	struct results *results = measured(&fixture_syscall, 1);
	struct series *series = &results->points[0].series[0];

	for (size_t i = 20; i < series->raw.count; i++) {
		((uint64_t *)series->raw.data)[i] = 90000 + 100 * i;
		((uint16_t *)series->flags.data)[i] = FLAG_PREEMPTED;
	}
	update(results, 0);
	const struct histogram *histogram = &figures.histogram;
	assert_true(histogram_edge(histogram, histogram->bins) < 200);
	assert_true(histogram->above[SHOWN_EXCLUDED] >= 580);
	assert_int_equal(sum_of(histogram), 600);
	assert_true(figures.curve_count && figures.curve_count <= 20);
	assert_true(figures.curve[figures.curve_count - 1] < 200);
}

/* Replaces the trials of a run's first point by `times` copies. */
static void repeat_trials(struct results *results, size_t times)
{
	struct point *point = &results->points[0];
	struct series *series = &point->series[0], more = { 0 };

	column_init(&more.raw, sizeof(uint64_t));
	column_init(&more.flags, sizeof(uint16_t));
	for (size_t v = 0; v < point->visit_count; v++) {
		struct slice *slice = &series->slices[v];
		const struct slice before = *slice;

		slice->first = more.raw.count;
		slice->count *= times;
		point->visits[v].trials = (unsigned)slice->count;
		for (size_t i = 0; i < slice->count; i++) {
			size_t from = before.first + i % before.count;

			*(uint64_t *)column_add(&more.raw) =
				((uint64_t *)series->raw.data)[from];
			*(uint16_t *)column_add(&more.flags) =
				((uint16_t *)series->flags.data)[from];
		}
	}
	column_release(&series->raw);
	column_release(&series->flags);
	series->raw = more.raw;
	series->flags = more.flags;
}

/* For a large active run the figures use a sample of the trials, and this is
 * shown. After the run they use all trials. */
static void test_large_run(void **state)
{
	struct results *results = measured(&fixture_syscall, 1);

	repeat_trials(results, 299);
	figures_update(&figures, results, 0, 40, &plain, session, true);
	const struct digest part = figures.digest;
	assert_int_equal(figures.trials, 600 * 299);
	assert_int_equal(figures.each, 47);
	assert_true(part.trials < 4000 + 10);
	assert_int_equal(sum_of(&figures.histogram), part.trials);
	update(results, 0);
	const struct digest *all = &figures.digest;
	assert_int_equal(figures.each, 0);
	assert_int_equal(all->trials, 600 * 299);
	assert_int_equal(sum_of(&figures.histogram), all->trials);
	assert_true(fabs(part.summary.median / all->summary.median - 1) < .01);
	assert_true(fabs(part.shared - all->shared) < .01);
	assert_true(fabs(part.excluded - all->excluded) < .01);
	/* The curve uses a part of the values, including minimum and
	 * maximum. */
	assert_true(figures.curve[0] == all->summary.min);
	assert_true(figures.curve[figures.curve_count - 1] == all->summary.max);
}

#define IN_SESSION(test) \
	cmocka_unit_test_setup_teardown(test, open_session, close_session)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SESSION(test_r14_histogram_sums_to_n),
		IN_SESSION(test_points_and_launches),
		IN_SESSION(test_launches_of_a_point),
		IN_SESSION(test_points_of_a_derived_metric),
		IN_SESSION(test_change),
		IN_SESSION(test_change_in_guest),
		IN_SESSION(test_live_ends_right),
		IN_SESSION(test_other_results),
		IN_SESSION(test_excluded_trials_set_no_range),
		IN_SESSION(test_large_run),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
