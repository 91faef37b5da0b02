/* Tapes with impossible contents: a worker overwrote its own tape. */
#include "feed.h"

#include "digest.h"
#include "random.h"
#include "reel.h"

static void impossible(struct sample sample, const char *what)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };
	char wanted[200];

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	reel_trial(&reel, 1000, 0);
	reel_put(&reel, sample);
	reel_trial(&reel, 1000, 0);
	reel_feed(&reel, results, 1);
	snprintf(wanted, sizeof wanted,
		"the worker wrote an invalid record: %s", what);
	assert_non_null(results->error);
	assert_string_equal(results->error, wanted);
	/* Samples before the damage are kept, samples after it are not read. */
	assert_int_equal(results->points[0].series[TIMED].raw.count, 1);
	results_free(results);
}

static void what_cannot_be_is_refused(void **state)
{
	impossible((struct sample){ .kind = SAMPLE_NONE },
		"unknown kind");
	impossible((struct sample){ .kind = 200 },
		"unknown kind");
	impossible((struct sample){ .kind = SAMPLE_VISIT, .n = 2 },
		"unknown point");
	impossible((struct sample){ .kind = SAMPLE_COUNT, .n = 2 },
		"unknown point");
	impossible((struct sample){ .kind = SAMPLE_SIZED, .n = ~0u },
		"unknown point");
	impossible((struct sample){ .kind = SAMPLE_TRIAL,
			   .metric = 4,
			   .n = 10 },
		"unknown metric");
	impossible((struct sample){ .kind = SAMPLE_TRIAL,
			   .metric = SHARE,
			   .n = 10 },
		"a metric of another kind");
	impossible((struct sample){ .kind = SAMPLE_VALUE, .metric = TIMED },
		"a metric of another kind");
	impossible((struct sample){ .kind = SAMPLE_TRACE, .metric = SHARE },
		"a metric of another kind");
	impossible((struct sample){ .kind = SAMPLE_TRIAL, .n = 11 },
		"the operations of a trial changed");
	impossible((struct sample){ .kind = SAMPLE_TEXT, .n = 0 },
		"a text of invalid length");
	impossible((struct sample){ .kind = SAMPLE_TEXT, .n = 1u << 20 },
		"a text of invalid length");
	impossible((struct sample){ .kind = SAMPLE_TEXT,
			   .metric = TEXT_WARNING + 1,
			   .n = 10 },
		"a text of unknown kind");
	impossible((struct sample){ .kind = SAMPLE_TRIAL,
			   .flags = 1 << FLAG_COUNT,
			   .n = 10 },
		"unknown flag");
	impossible((struct sample){ .kind = SAMPLE_VALUE,
			   .metric = SHARE,
			   .flags = 1 << 15 },
		"unknown flag");
	impossible((struct sample){ .kind = SAMPLE_USAGE,
			   .n = 1 << 16,
			   .extra = 1 },
		"unknown flag");
}

/* An incomplete text of one worker is not the beginning of the next worker's
 * text. */
static void a_text_that_was_cut_is_forgotten(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };
	struct feed feed;

	reel_launch(&reel, 1);
	reel_visit(&reel, 0, 0, 0);
	reel_text(&reel, TEXT_NOTE,
		"first=of some thirty characters and some more");
	size_t cut = reel.count - 1;
	reel_launch(&reel, 2);
	reel_visit(&reel, 0, 0, 0);
	reel_text(&reel, TEXT_NOTE, "second=whole");
	reel_end(&reel, 2);
	feed_init(&feed, results);
	feed_samples(&feed, reel.list, cut);
	feed_end(&feed);
	feed_samples(&feed, reel.list + cut + 1, reel.count - cut - 1);
	feed_end(&feed);
	const struct point *point = &results->points[0];
	assert_null(results->error);
	assert_null(point_note(point, "first"));
	assert_non_null(point_note(point, "second"));
	assert_string_equal(point_note(point, "second"), "whole");
	feed_release(&feed);
	free(reel.list);
	results_free(results);
}

/* A visit before any launch must not be combined with later samples. */
static void a_visit_without_a_launch_is_nothing(void **state)
{
	struct results *results = reel_results();
	struct reel reel = { 0 };

	reel_visit(&reel, 0, 0, 1);
	reel_trial(&reel, 1000, 0);
	reel_launch(&reel, 1);
	reel_trial(&reel, 1000, 0);
	reel_canary(&reel, 500, 500);
	reel_usage(&reel, FLAG_FAULTED, 1);
	reel_end(&reel, 1);
	reel_feed(&reel, results, 1);
	assert_int_equal(results->points[0].visit_count, 0);
	assert_int_equal(results->points[0].series[TIMED].raw.count, 0);
	results_free(results);
}

static struct sample noise(uint64_t *random)
{
	static const uint64_t large[] = { 0, 1, 2, 64, UINT32_MAX, UINT64_MAX };

	struct sample sample = {
		.kind = (uint8_t)random_below(random, SAMPLE_KINDS + 1),
		.metric = (uint8_t)random_below(random, 5),
		.flags = (uint16_t)next_random(random),
		.n = (uint32_t)random_below(random, 3),
		.at = large[random_below(random, 6)],
		.ticks = next_random(random) >> random_below(random, 64),
		.extra = large[random_below(random, 6)],
	};

	if (!random_below(random, 50))
		sample.n = (uint32_t)next_random(random);
	return sample;
}

/* For any content of a tape, the lab reads it, computes figures, and does not
 * crash. */
static void noise_does_no_harm(void **state)
{
	uint64_t random = 1;

	for (int round = 0; round < 3000; round++) {
		struct results *results = reel_results();
		struct reel reel = { 0 };

		for (uint64_t i = random_below(&random, 80); i; i--)
			reel_put(&reel, noise(&random));
		reel_feed(&reel, results, 1 + random_below(&random, 9));
		for (size_t p = 0; p < results->point_count; p++)
			for (unsigned m = 0; m < results->metric_count; m++) {
				struct digest digest;

				digest_of(results, &results->points[p], m,
					&digest);
			}
		results_free(results);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(a_text_that_was_cut_is_forgotten),
		cmocka_unit_test(a_visit_without_a_launch_is_nothing),
		cmocka_unit_test(noise_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
