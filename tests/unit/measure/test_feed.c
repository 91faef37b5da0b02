/* From the samples of a tape to results: flags that are decided late, and
 * incomplete ends. */
#include "disturb.h"
#include "feed.h"

#include "digest.h"
#include "random.h"
#include "reel.h"

static void trials_become_values(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_launch(&reel, 1);
	reel_overhead(&reel, 40, 6);
	reel_visit(&reel, 0, 3, 0);
	reel_trial(&reel, 1040, 0);
	reel_trial(&reel, 30, FLAG_PREEMPTED);
	reel_put(&reel,
		(struct sample){ .kind = SAMPLE_VALUE,
			.metric = SHARE,
			.value = .25 });
	reel_put(&reel,
		(struct sample){ .kind = SAMPLE_TRACE,
			.metric = CURVE,
			.value = 7,
			.value2 = 9 });
	reel_overhead(&reel, 44, 10);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 1);
	assert_null(results->error);
	assert_int_equal(results->launch_count, 1);
	const struct launch *launch = &results->launches[0];
	assert_true(launch->complete);
	assert_int_equal(launch->number, 1);
	assert_int_equal(launch->seed, 1001);
	/* The mean of the overheads before and after, with the larger
	 * jitter. */
	assert_near(launch->overhead, 42);
	assert_near(launch->jitter, 10);
	const struct point *point = &results->points[0];
	assert_int_equal(point->visit_count, 1);
	assert_int_equal(point->visits[0].clone, 3);
	assert_int_equal(point->visits[0].trials, 2);
	/* Net values per operation, for ten operations; negative values are
	 * kept. */
	assert_near(value_of(results, TIMED, 0, 0), 99.8);
	assert_near(value_of(results, TIMED_TOO, 0, 0), 99.9);
	assert_near(value_of(results, TIMED, 0, 1), -1.2);
	assert_int_equal(flags_of(results, TIMED, 0, 1), FLAG_PREEMPTED);
	assert_near(value_of(results, SHARE, 0, 0), .25);
	const struct trace_point *trace = point->series[CURVE].trace.data;
	assert_int_equal(point->series[CURVE].trace.count, 1);
	assert_true(trace->x == 7 && trace->y == 9 && !trace->visit);
	assert_int_equal(results->points[1].visit_count, 0);
	results_free(results);
}

static void a_pilot_sizes_and_leaves_no_trial(void **state)
{
	struct results *results = reel_results();
	struct feed feed;
	struct reel reel = { 0 };

	reel_launch(&reel, 0);
	reel_visit(&reel, 1, 0, 0);
	reel_trial(&reel, 1000, 0);
	reel_put(&reel,
		(struct sample){ .kind = SAMPLE_SIZED,
			.n = 1,
			.at = 777,
			.ticks = 64,
			.value2 = 5100 });
	reel_end(&reel, 0);
	feed_init(&feed, results);
	feed_samples(&feed, reel.list, reel.count);
	feed_end(&feed);
	assert_false(feed.failed);
	assert_int_equal(feed.sized[1].ops, 64);
	assert_near(feed.sized[1].setup_ns, 777);
	assert_near(results->points[1].trial_ns, 5100);
	assert_int_equal(results->launch_count, 0);
	assert_int_equal(results->points[1].visit_count, 0);
	feed_release(&feed);
	free(reel.list);
	results_free(results);
}

/* ---- flags ------------------------------------------------------------ */

/* An event that the kernel counted in a batch is a flag of each of its
 * trials. */
static void usage_reaches_back_over_its_batch(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	for (int i = 0; i < 4; i++)
		reel_trial(&reel, 1000, i == 3 ? FLAG_MIGRATED : 0);
	reel_usage(&reel, FLAG_FAULTED, 2);
	reel_trial(&reel, 1000, 0);
	reel_usage(&reel, 0, 1);
	reel_visit(&reel, 0, 1, 0);
	reel_trial(&reel, 1000, 0);
	/* A larger count than the visit has trials: all of this visit are
	 * flagged, and none of the previous one. */
	reel_usage(&reel, FLAG_SWITCHED, 99);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 3);
	static const unsigned wanted[] = { 0, 0, FLAG_FAULTED,
		FLAG_FAULTED | FLAG_MIGRATED, 0 };
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(flags_of(results, TIMED, 0, i), wanted[i]);
		assert_int_equal(flags_of(results, TIMED_TOO, 0, i), wanted[i]);
	}
	assert_int_equal(flags_of(results, TIMED, 1, 0), FLAG_SWITCHED);
	results_free(results);
}

/* A canary every two trials; its net halves are 460 and 460 on an unshared
 * core. */
static void a_canary_flags_the_trials_on_both_sides(void **state)
{
	static const uint64_t canaries[][2] = { { 500, 500 }, { 500, 500 },
		{ 500, 790 }, /* beside a co-runner: 750 / 460 */
		{ 500, 500 }, { 500, 500 },
		{ 520, 519 }, /* slow: 480 instead of 460 */
		{ 500, 500 } };
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_launch(&reel, 1);
	reel_overhead(&reel, 40, 8);
	reel_visit(&reel, 0, 0, 2);
	for (int i = 0; i < 7; i++) {
		reel_canary(&reel, canaries[i][0], canaries[i][1]);
		if (i < 6) {
			reel_trial(&reel, 1000, 0);
			reel_trial(&reel, 1000, 0);
		}
	}
	reel_end(&reel, 1);
	reel_feed(&reel, results, 5);
	assert_near(results->launches[0].canary, 460);
	for (size_t i = 0; i < 12; i++) {
		unsigned wanted = i >= 2 && i < 6 ? FLAG_MIXED :
			i >= 8                    ? FLAG_FREQUENCY :
						    0;
		assert_int_equal(flags_of(results, TIMED, 0, i), wanted);
	}
	results_free(results);
}

/* A canary with an interrupted latency half has a ratio that no core can have,
 * and is ignored. The canary on the other side decides; without it the
 * condition is unknown. */
static void an_interrupted_canary_is_not_read(void **state)
{
	static const struct {
		unsigned every, in_a_row, flags;
	} cases[] = { { 8, 1, 0 }, { 8, 2, FLAG_MIXED } };

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct results *results = reel_results();
		struct reel reel = { 0 };

		reel_launch(&reel, 1);
		reel_overhead(&reel, 40, 8);
		reel_visit(&reel, 0, 0, 1);
		for (unsigned i = 0; i < 200; i++) {
			bool cold = i % cases[c].every < cases[c].in_a_row;

			reel_canary(&reel, cold ? 900 : 540, 530);
			reel_trial(&reel, 1000, 0);
		}
		reel_end(&reel, 1);
		reel_feed(&reel, results, 1000);
		assert_near(results->launches[0].canary, 500);
		assert_near(results->sharing.alone, .98);
		for (unsigned i = 0; i < 199; i++)
			assert_int_equal(flags_of(results, TIMED, 0, i),
				i % cases[c].every + 1 < cases[c].in_a_row ?
					cases[c].flags :
					0);
		results_free(results);
	}
}

/* If the core becomes unshared during a visit, the search for a warm-up uses
 * only trials of one condition. */
static void a_co_runner_that_leaves_is_no_warm_up(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };
	uint64_t random = 6;

	reel_launch(&reel, 1);
	reel_overhead(&reel, 40, 8);
	reel_visit(&reel, 0, 0, 1);
	for (unsigned i = 0; i < 300; i++) {
		bool shared = i < 60;

		reel_canary(&reel, 500, shared ? 790 : 500);
		reel_trial(&reel,
			10000 + random_below(&random, 100) +
				(shared ? 5000 : 0),
			0);
	}
	reel_canary(&reel, 500, 500);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 64);
	assert_false(results->points[0].visits[0].unsteady);
	for (size_t i = 0; i < 300; i++) {
		unsigned wanted = i < 59 ? FLAG_SHARED :
			i == 59          ? FLAG_MIXED :
					   0;

		assert_int_equal(flags_of(results, TIMED, 0, i), wanted);
	}
	results_free(results);
}

static void the_warm_up_is_found(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };
	uint64_t random = 5;

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	for (unsigned i = 0; i < 200; i++)
		reel_trial(&reel,
			10000 + random_below(&random, 100) +
				(i < 10 ? 200 - 20 * i : 0),
			0);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 64);
	const struct visit *visit = &results->points[0].visits[0];
	assert_false(visit->unsteady);
	assert_in_range(visit->warmup, 5, 15);
	for (size_t i = 0; i < 200; i++)
		assert_int_equal(flags_of(results, TIMED, 0, i),
			i < visit->warmup ? FLAG_WARMUP : 0);
	results_free(results);
}

/* ---- torn ends -------------------------------------------------------- */

static void write_run(struct reel *reel, unsigned launches)
{
	uint64_t random = 9;

	for (unsigned launch = 1; launch <= launches; launch++) {
		reel_launch(reel, launch);
		reel_overhead(reel, 40, 8);
		for (unsigned point = 0; point < 2; point++) {
			reel_visit(reel, point, 0, 4);
			reel_text(reel, TEXT_NOTE,
				"cache=a note that fills "
				"more than one record");
			for (int i = 0; i < 60; i++) {
				if (i % 4 == 0)
					reel_canary(reel,
						500 + random_below(&random, 20),
						500);
				reel_trial(reel,
					1000 + random_below(&random, 300),
					random_below(&random, 9) ?
						0 :
						FLAG_PREEMPTED);
			}
			reel_usage(reel, 0, 60);
		}
		reel_overhead(reel, 40, 8);
		reel_end(reel, launch);
	}
}

/* Results do not depend on how much of the tape the lab reads at a time: a live
 * run and an orphan share this reader. */
static void pieces_of_any_size_make_the_same(void **state)
{
	static const size_t steps[] = { 1, 2, 7, 100, 1 << 20 };
	struct digest first;

	for (size_t i = 0; i < 5; i++) {
		struct results *results = reel_results();
		struct reel reel = { 0 };
		struct digest digest;

		write_run(&reel, 8);
		reel_feed(&reel, results, steps[i]);
		assert_null(results->error);
		assert_int_equal(results->launch_count, 8);
		assert_string_equal(point_note(&results->points[1], "cache"),
			"a note that fills more than one record");
		memset(&digest, 0, sizeof digest);
		assert_true(digest_of(results, &results->points[1], TIMED,
			&digest));
		if (!i)
			first = digest;
		assert_true(digest.summary.median == first.summary.median);
		assert_true(
			digest.summary.sd_within == first.summary.sd_within);
		assert_true(digest.summary.interval.low ==
			first.summary.interval.low);
		assert_memory_equal(digest.by_flag, first.by_flag,
			sizeof digest.by_flag);
		results_free(results);
	}
}

/* If a worker is killed at any moment, its published samples are used, and the
 * launch is marked as incomplete. */
static void a_tape_may_end_anywhere(void **state)
{
	struct reel whole = { 0 };

	write_run(&whole, 2);
	for (size_t count = 1; count <= whole.count; count++) {
		struct results *results = reel_results();
		struct feed feed;
		size_t trials = 0, found = 0;
		size_t ends = 0;

		for (size_t i = 0; i < count; i++) {
			const struct sample *sample = &whole.list[i];

			if (sample->kind == SAMPLE_TEXT)
				i += (sample->n + 31) / 32;
			trials += sample->kind == SAMPLE_TRIAL;
			ends += sample->kind == SAMPLE_END;
		}
		feed_init(&feed, results);
		feed_samples(&feed, whole.list, count);
		feed_end(&feed);
		assert_null(results->error);
		for (size_t p = 0; p < 2; p++)
			for (unsigned m = TIMED; m <= TIMED_TOO; m++)
				found += results->points[p].series[m].raw.count;
		assert_int_equal(found, trials);
		for (size_t i = 0; i < results->launch_count; i++)
			ends -= results->launches[i].complete;
		assert_int_equal(ends, 0);
		feed_release(&feed);
		results_free(results);
	}
	free(whole.list);
}

static void a_new_launch_ends_the_one_before(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	reel_trial(&reel, 1000, 0);
	reel_launch(&reel, 2);
	reel_visit(&reel, 0, 0, 0);
	reel_trial(&reel, 1000, 0);
	reel_end(&reel, 2);
	reel_feed(&reel, results, 2);
	assert_int_equal(results->launch_count, 2);
	assert_false(results->launches[0].complete);
	assert_true(results->launches[1].complete);
	assert_int_equal(results->points[0].visits[1].launch, 1);
	results_free(results);
}

/* ---- texts ------------------------------------------------------------ */

static void texts_reach_their_place(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_launch(&reel, 0);
	reel_visit(&reel, 0, 0, 0);
	reel_text(&reel, TEXT_UNAVAILABLE, "no second processor");
	reel_visit(&reel, 1, 0, 0);
	reel_text(&reel, TEXT_NOTE, "pages=huge \x1b[31m");
	reel_text(&reel, TEXT_NOTE, "this is no note");
	reel_text(&reel, TEXT_INVALID, "3 switches, expected 1000");
	reel_end(&reel, 0);
	reel_feed(&reel, results, 1);
	assert_null(results->error);
	assert_int_equal(results->points[0].state, POINT_UNAVAILABLE);
	assert_string_equal(results->points[0].why, "no second processor");
	assert_int_equal(results->points[1].state, POINT_INVALID);
	assert_string_equal(results->points[1].why,
		"3 switches, expected 1000");
	assert_int_equal(results->points[1].note_count, 1);
	assert_string_equal(point_note(&results->points[1], "pages"),
		"huge \\x1b[31m");
	results_free(results);
}

/* Counts belong to a visit of the launch; equal warnings are one. */
static void counts_follow_the_visits(void **state)
{
	struct results *results = reel_results();
	struct sample count = { .kind = SAMPLE_COUNT },
		      value = { .kind = SAMPLE_VALUE, .metric = SHARE };
	struct reel reel = { 0 };

	for (unsigned launch = 1; launch < 3; launch++) {
		reel_launch(&reel, launch);
		for (unsigned point = 0; point < 3 - launch; point++) {
			reel_visit(&reel, point, 0, 0);
			reel_trial(&reel, 1040, 0);
		}
		for (count.n = 0; count.n < 2; count.n++) {
			value.value = 10 * launch + count.n;
			reel_put(&reel, count);
			reel_put(&reel, value);
		}
		reel_text(&reel, TEXT_WARNING, "a part was dropped");
		reel_end(&reel, launch);
	}
	reel_feed(&reel, results, 1);
	assert_null(results->error);
	assert_near(value_of(results, SHARE, 0, 0), 10);
	assert_near(value_of(results, SHARE, 1, 0), 20);
	assert_int_equal(results->points[1].series[SHARE].raw.count, 1);
	assert_int_equal(results->warning_count, 1);
	assert_string_equal(results->warnings[0], "a part was dropped");
	results_free(results);
}

/* What is unavailable in a later launch has gone: a failure, and the figures of
 * the launches before stay. */
static void measured_before_is_no_longer_unavailable(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	for (unsigned launch = 1; launch <= 2; launch++) {
		reel_launch(&reel, launch);
		reel_visit(&reel, 0, 0, 0);
		if (launch == 1)
			reel_trial(&reel, 1000, 0);
		else
			reel_text(&reel, TEXT_UNAVAILABLE, "it is local");
		reel_end(&reel, launch);
	}
	reel_feed(&reel, results, 3);
	assert_int_equal(results->points[0].state, POINT_OK);
	assert_string_equal(results->error, "it is local");
	assert_int_equal(results->points[0].series[TIMED].raw.count, 1);
	results_free(results);
}

static void a_failure_ends_the_reading(void **state)
{
	struct results *results = reel_results();
	struct feed feed;
	struct reel reel = { 0 };

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	reel_trial(&reel, 1000, 0);
	reel_text(&reel, TEXT_FAILED, "the disk is gone");
	reel_trial(&reel, 1000, 0);
	feed_init(&feed, results);
	feed_samples(&feed, reel.list, reel.count);
	feed_end(&feed);
	assert_true(feed.failed);
	assert_string_equal(results->error, "the disk is gone");
	assert_int_equal(results->points[0].series[TIMED].raw.count, 1);
	feed_release(&feed);
	free(reel.list);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trials_become_values),
		cmocka_unit_test(a_pilot_sizes_and_leaves_no_trial),
		cmocka_unit_test(usage_reaches_back_over_its_batch),
		cmocka_unit_test(a_canary_flags_the_trials_on_both_sides),
		cmocka_unit_test(an_interrupted_canary_is_not_read),
		cmocka_unit_test(a_co_runner_that_leaves_is_no_warm_up),
		cmocka_unit_test(the_warm_up_is_found),
		cmocka_unit_test(pieces_of_any_size_make_the_same),
		cmocka_unit_test(a_tape_may_end_anywhere),
		cmocka_unit_test(a_new_launch_ends_the_one_before),
		cmocka_unit_test(texts_reach_their_place),
		cmocka_unit_test(counts_follow_the_visits),
		cmocka_unit_test(measured_before_is_no_longer_unavailable),
		cmocka_unit_test(a_failure_ends_the_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
