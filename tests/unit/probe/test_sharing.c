/* Which trials shared their core, by the canaries on both their sides. */
#include "canaries.h"
#include "digest.h"

/* One character per canary: 'a' alone, 's' with a co-runner, 'l' and 't' with
 * an interrupted latency or throughput half. */
static double ratio_of(char canary)
{
	switch (canary) {
	case 'a':
		return 1;
	case 's':
		return 1.6;
	case 'l':
		return .3;
	default:
		return 6;
	}
}

/* One character per trial: '.' none, 'S' shared, 'M' mixed, 'F' frequency. */
static char letter_of(unsigned flags)
{
	switch (flags) {
	case 0:
		return '.';
	case FLAG_SHARED:
		return 'S';
	case FLAG_MIXED:
		return 'M';
	case FLAG_FREQUENCY:
		return 'F';
	default:
		return '?';
	}
}

static void trials_are_judged_by_both_sides(void **state)
{
	static const struct {
		const char *canaries, *trials;
	} cases[] = {
		{ "aaaaaaaa", "......." },
		{ "ssssssss", "SSSSSSS" },
		{ "asasasas", "MMMMMMM" },
		{ "aaasssaa", "..MSSM." },
		{ "saaaaaaa", "M......" },
		{ "aaaaaaas", "......M" },
		/* If only one of the canaries is valid, it decides. */
		{ "aalaatta", ".....M." },
		{ "sslssttt", "SSSSSMM" },
		{ "alsaltsa", ".SM.MSM" },
		{ "llllllll", "MMMMMMM" },
	};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct results *results = unjudged();
		size_t count = strlen(cases[c].canaries);
		double ratios[16];
		char got[16] = "";

		for (size_t i = 0; i < count; i++)
			ratios[i] = ratio_of(cases[c].canaries[i]);
		judge_launch(results, ratios, count);
		for (size_t i = 0; i + 1 < count; i++)
			got[i] = letter_of(judged_flags(results, 0, i));
		assert_string_equal(got, cases[c].trials);
		results_free(results);
	}
}

/* Several trials share two canaries; after the last canary, the one before
 * decides. */
static void trials_may_share_canaries(void **state)
{
	static const char canaries[] = "aassa";
	static const char wanted[] = "...MMMSSSMMM..";
	struct results *results = unjudged();

	new_launch(results);
	struct visit *visit = new_visit(results, 0, 0);
	visit->canary_every = 3;
	for (size_t i = 0; i < 5; i++)
		put_canary(results, CANARY_NET, ratio_of(canaries[i]));
	for (size_t i = 0; i < 14; i++)
		new_trial(results, 0, 0, 140, 0);
	sharing_judge(results, 0);
	for (size_t i = 0; i < 14; i++)
		assert_int_equal(letter_of(judged_flags(results, 0, i)),
			wanted[i]);
	results_free(results);
}

/* Other flags of a trial are kept, and conditions that no longer hold are
 * removed. */
static void other_flags_stay(void **state)
{
	static const double ratios[] = { 1, 1, 1.6, 1.6 };
	static const unsigned wanted[] = { 0, FLAG_MIXED, FLAG_SHARED };
	struct results *results = unjudged();

	add_launch_of(results, ratios, 4,
		FLAG_PREEMPTED | FLAG_WARMUP | FLAGS_CONDITIONS);
	sharing_judge(results, 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(judged_flags(results, 0, i),
			wanted[i] | FLAG_PREEMPTED | FLAG_WARMUP);
	results_free(results);
}

/* Without canaries the condition is unknown, and trials are not judged. */
static void without_canaries_flags_stay(void **state)
{
	struct results *results = unjudged();

	new_launch(results);
	new_visit(results, 0, 0);
	new_trial(results, 0, 0, 140, FLAG_SHARED);
	new_trial(results, 0, 0, 140, 0);
	sharing_judge(results, 0);
	assert_int_equal(judged_flags(results, 0, 0), FLAG_SHARED);
	assert_int_equal(judged_flags(results, 0, 1), 0);
	assert_true(isnan(results->sharing.alone));
	assert_true(isnan(results->sharing.shared));
	results_free(results);
}

/* A value reported with every trial has the condition of its trial. A value
 * reported less often belongs to no trial. */
static void values_are_judged_with_their_trials(void **state)
{
	static const double ratios[] = { 1.6, 1.6, 1.6, 1.6 };
	struct results *results = new_results();

	timed_metric(results, "time");
	for (int m = 0; m < 2; m++)
		results_add_metric(results, m ? "seldom" : "each", "",
			UNIT_NONE, LESS_IS_BETTER, METRIC_VALUE, false);
	results_add_point(results)->series[0].ops = 1;
	add_launch_of(results, ratios, 4, 0);
	for (int i = 0; i < 3; i++)
		new_value(results, 0, 1, i);
	new_value(results, 0, 2, 7);
	sharing_judge(results, 0);
	for (unsigned m = 0; m < 3; m++) {
		const uint16_t *flags = results->points[0].series[m].flags.data;

		assert_int_equal(flags[0], m == 2 ? 0 : FLAG_SHARED);
	}
	results_free(results);
}

/* ---- frequency -------------------------------------------------------- */

/* For three canaries of 21 the core is slower or faster. A canary lengthened by
 * a co-runner shows no frequency. */
static void a_drift_is_a_frequency_while_alone(void **state)
{
	static const struct {
		double part, ratio;
		unsigned flags;
	} cases[] = {
		{ 1.015, 1, 0 },
		{ .985, 1, 0 },
		{ 1.05, 1, FLAG_FREQUENCY },
		{ .95, 1, FLAG_FREQUENCY },
		{ 1.05, 1.6, FLAG_SHARED },
		{ .95, 1.6, FLAG_SHARED },
	};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		bool shared = cases[c].flags == FLAG_SHARED;
		struct results *results = unjudged();

		new_launch(results);
		new_visit(results, 0, 0)->canary_every = 1;
		for (unsigned i = 0; i <= 20; i++) {
			bool odd = i >= 8 && i < 11;

			put_canary(results,
				CANARY_NET * (odd ? cases[c].part : 1),
				odd ? cases[c].ratio : 1);
			if (i < 20)
				new_trial(results, 0, 0, 140, 0);
		}
		sharing_judge(results, 0);
		for (size_t i = 0; i < 20; i++) {
			bool edge = i == 7 || i == 10, in = i >= 7 && i <= 10;

			assert_int_equal(judged_flags(results, 0, i),
				!in                    ? 0 :
					edge && shared ? FLAG_MIXED :
							 cases[c].flags);
		}
		assert_near(results->points[0].visits[0].usual, CANARY_NET);
		results_free(results);
	}
}

/* With a permanent co-runner no frequency is flagged, whatever the latency half
 * shows. The usual value is that of the clock, unless canaries are faster. */
static void shared_canaries_show_no_frequency(void **state)
{
	static const struct {
		double part, usual;
	} cases[] = { { 1.2, CANARY_NET }, { .8, .8 * CANARY_NET } };

	for (size_t c = 0; c < 2; c++) {
		struct results *results = unjudged();

		results->clock.canary_cycles = 2 * CANARY_NET;
		new_launch(results);
		new_visit(results, 0, 0)->canary_every = 1;
		for (unsigned i = 0; i < 40; i++) {
			put_canary(results,
				CANARY_NET * (i % 2 ? cases[c].part : 1.3),
				1.6);
			new_trial(results, 0, 0, 140, 0);
		}
		sharing_judge(results, 0);
		for (size_t i = 0; i < 39; i++)
			assert_int_equal(judged_flags(results, 0, i),
				FLAG_SHARED);
		assert_near(results->points[0].visits[0].usual, cases[c].usual);
		results_free(results);
	}
}

/* ---- the mixture of a guest ------------------------------------------- */

/* On a shared machine: ratios with the spread of four chains of additions, and
 * co-runners for ten canaries at a time. */
static void idle_and_busy_guests(void **state)
{
	static const struct {
		unsigned share; /* of bursts, percent */
		double low, high;
	} cases[] = { { 5, .04, .06 }, { 14, .12, .16 }, { 30, .27, .33 } };

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct results *results = unjudged();
		static double ratios[CANARIES_A_LAUNCH];
		uint64_t random = 11 + c;

		for (int launch = 0; launch < 6; launch++) {
			for (size_t i = 0; i < CANARIES_A_LAUNCH; i += 10) {
				bool busy = random_below(&random, 100) <
					cases[c].share;

				fill_between(ratios + i, 10, busy ? 1.45 : .88,
					busy ? 1.9 : 1.15, &random);
			}
			judge_launch(results, ratios, CANARIES_A_LAUNCH);
		}
		struct digest digest = digested(results, 0);
		assert_true(digest.shared > cases[c].low);
		assert_true(digest.shared < cases[c].high);
		/* Trials at both ends of a burst are mixed. */
		assert_true(digest.excluded < .25 * digest.shared);
		results_free(results);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trials_are_judged_by_both_sides),
		cmocka_unit_test(trials_may_share_canaries),
		cmocka_unit_test(other_flags_stay),
		cmocka_unit_test(without_canaries_flags_stay),
		cmocka_unit_test(values_are_judged_with_their_trials),
		cmocka_unit_test(a_drift_is_a_frequency_while_alone),
		cmocka_unit_test(shared_canaries_show_no_frequency),
		cmocka_unit_test(idle_and_busy_guests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
