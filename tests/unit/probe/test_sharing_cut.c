/* The cut between alone and shared, and launches without a figure alone. */
#include "canaries.h"
#include "digest.h"
#include "regime.h"

/* ---- the place of the cut --------------------------------------------- */

/* Whatever the canaries show, the cut is a step above the calibrated ratio. */
static void the_cut_is_a_step_above_the_known_ratio(void **state)
{
	static const double centres[] = { .85, 1, 1.2, 1.3, 2, 3 };

	for (size_t i = 0; i < sizeof centres / sizeof *centres; i++)
		for (size_t count = 5; count <= 5000; count *= 10) {
			struct results *results = unjudged();
			const struct sharing *sharing = &results->sharing;
			bool alone = centres[i] < SHARING_STEP;

			judge_alike(results, centres[i], count);
			assert_near(sharing->cut, SHARING_STEP);
			assert_within(alone ? sharing->alone : sharing->shared,
				centres[i], 1e-4);
			assert_true(isnan(
				alone ? sharing->shared : sharing->alone));
			results_free(results);
		}
}

/* Two modes with any shares, in many canaries and in few. */
static void two_modes_are_told_apart(void **state)
{
	static const double highs[] = { 1.32, 1.4, 1.6, 2.05, 3 };
	static double ratios[400];

	for (size_t h = 0; h < sizeof highs / sizeof *highs; h++)
		for (size_t part = 1; part < 20; part++)
			for (size_t count = 20; count <= 400; count += 190) {
				struct results *results = unjudged();

				for (size_t i = 0; i < count; i++)
					ratios[i] =
						i % 20 < part ? 1 : highs[h];
				judge_launch(results, ratios, count);
				for (size_t i = 0; i + 1 < count; i++) {
					bool a = ratios[i] == 1;
					bool b = ratios[i + 1] == 1;
					unsigned wanted = a && b ? 0 :
						a || b           ? FLAG_MIXED :
								   FLAG_SHARED;

					assert_int_equal(judged_flags(results,
								 0, i),
						wanted);
				}
				results_free(results);
			}
}

/* Shares in percent: the alone mode, a shared mode in two parts at 1.34 and
 * 1.7, and outliers. */
struct mixture {
	unsigned alone, near, far, out;
};

static size_t fill_mixture(double *ratios, const struct mixture *mixture,
	uint64_t *random)
{
	size_t n = 0, each = CANARIES_A_LAUNCH / 100;

	fill_between(ratios, each * mixture->alone, .88, 1.15, random);
	n += each * mixture->alone;
	fill_between(ratios + n, each * mixture->near, 1.32, 1.36, random);
	n += each * mixture->near;
	fill_between(ratios + n, each * mixture->far, 1.6, 1.8, random);
	n += each * mixture->far;
	fill_between(ratios + n, each * mixture->out, 3.2, 3.9, random);
	return n + each * mixture->out;
}

/* For any shares, no canary a step above the calibrated ratio is called alone,
 * and none of the alone mode is called shared. */
static void a_shared_mode_in_two_parts_is_never_alone(void **state)
{
	static const struct mixture mixtures[] = {
		{ 0, 50, 50, 0 },
		{ 0, 95, 5, 0 },
		{ 0, 5, 95, 0 },
		{ 1, 50, 49, 0 },
		{ 2, 90, 8, 0 },
		{ 2, 8, 90, 0 },
		{ 5, 4, 91, 0 },
		{ 5, 3, 91, 1 },
		{ 5, 60, 35, 0 },
		{ 10, 45, 45, 0 },
		{ 50, 25, 25, 0 },
		{ 97, 1, 1, 1 },
		{ 96, 0, 1, 3 },
		{ 90, 9, 1, 0 },
	};
	static double ratios[CANARIES_A_LAUNCH];
	uint64_t random = 3;

	for (size_t m = 0; m < sizeof mixtures / sizeof *mixtures; m++) {
		struct results *results = unjudged();
		size_t count = fill_mixture(ratios, &mixtures[m], &random);

		judge_launch(results, ratios, count);
		for (size_t i = 0; i + 1 < count; i++) {
			unsigned above = (ratios[i] > SHARING_STEP) +
				(ratios[i + 1] > SHARING_STEP);
			unsigned wanted = !above ? 0 :
				above == 2       ? FLAG_SHARED :
						   FLAG_MIXED;

			if (judged_flags(results, 0, i) != wanted)
				fail_msg("mixture %zu: cut %g, %g and %g", m,
					results->sharing.cut, ratios[i],
					ratios[i + 1]);
		}
		results_free(results);
	}
}

/* ---- a co-runner that comes and goes ---------------------------------- */

static double alone_median(const struct results *results, size_t *shared)
{
	struct launch_figures *list;
	size_t count = results_launch_figures(results, &results->points[0], 0,
		SCALE_UNIT, &list);

	assert_true(count > 0);
	double median = list[0].median[REGIME_ALONE];
	*shared = list[0].trials[REGIME_SHARED];
	free(list);
	return median;
}

/* Bursts of a co-runner among 2000 canaries: the fewer canaries between them,
 * the less the alone ones prove. */
static void alone_needs_a_steady_core(void **state)
{
	static const struct {
		unsigned alone, burst; /* canaries in a row */
		bool figure;
	} cases[] = {
		{ 50, 50, true },
		{ 12, 4, true },
		{ 12, 1, true },
		{ 8, 4, false },
		{ 4, 12, false },
		{ 2, 40, false },
		{ 30, 300, true },
	};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		static double ratios[2000];
		unsigned period = cases[c].alone + cases[c].burst;
		struct results *results = unjudged();
		size_t shared;

		for (size_t i = 0; i < 2000; i++)
			ratios[i] = i % period < cases[c].alone ? 1 : 1.6;
		judge_launch(results, ratios, 2000);
		bool figure = !isnan(alone_median(results, &shared));
		if (figure != cases[c].figure)
			fail_msg("case %zu", c);
		results_free(results);
	}
}

/* ---- a calibration beside a co-runner --------------------------------- */

static void fill_alone(double *ratios, size_t count, size_t alone, double low)
{
	for (size_t i = 0; i < count; i++)
		ratios[i] = i < alone ? low : 1;
}

/* The calibrated ratio, 1, was that of a shared core. */
static void a_wrong_calibration_is_corrected(void **state)
{
	static double ratios[100];
	struct results *results = unjudged();

	fill_alone(ratios, 100, 0, 0);
	judge_launch(results, ratios, 100);
	assert_int_equal(judged_flags(results, 0, 50), 0);
	fill_alone(ratios, 100, 80, .6);
	judge_launch(results, ratios, 100);
	assert_near(results->clock.canary_alone, .6);
	assert_near(results->sharing.cut, .6 * SHARING_STEP);
	assert_int_equal(judged_flags(results, 0, 50), FLAG_SHARED);
	assert_int_equal(judged_flags(results, 1, 30), 0);
	assert_int_equal(judged_flags(results, 1, 90), FLAG_SHARED);
	results_free(results);
}

/* Interrupted latency halves and a few odd canaries prove nothing. */
static void a_calibration_is_kept(void **state)
{
	static const struct {
		size_t count;
		double ratio;
	} low[] = { { 100, .3 }, { 19, .6 }, { 0, 0 }, { 100, .85 } };
	static double ratios[100];

	for (size_t c = 0; c < sizeof low / sizeof *low; c++) {
		struct results *results = unjudged();

		fill_alone(ratios, 100, low[c].count, low[c].ratio);
		judge_launch(results, ratios, 100);
		assert_near(results->clock.canary_alone, 1);
		results_free(results);
	}
}

/* ---- again and again -------------------------------------------------- */

static void judging_again_changes_nothing(void **state)
{
	struct results *results = unjudged();
	static double ratios[CANARIES_A_LAUNCH];
	uint64_t random = 8;

	for (int launch = 0; launch < 4; launch++) {
		for (size_t i = 0; i < CANARIES_A_LAUNCH; i += 8) {
			bool busy = random_below(&random, 3) == 0;

			fill_between(ratios + i, 8, busy ? 1.45 : .88,
				busy ? 1.9 : 1.15, &random);
		}
		judge_launch(results, ratios, CANARIES_A_LAUNCH);
	}
	const struct column *flags = &results->points[0].series[0].flags;
	size_t bytes = flags->count * sizeof(uint16_t);
	uint16_t *before = malloc(bytes);
	struct sharing sharing = results->sharing;
	double usual = results->points[0].visits[2].usual;
	memcpy(before, flags->data, bytes);
	for (unsigned launch = 0; launch < 4; launch++) {
		sharing_judge(results, launch);
		assert_memory_equal(before, flags->data, bytes);
		assert_memory_equal(&sharing, &results->sharing,
			sizeof sharing);
	}
	/* A finished run is not judged again. */
	sharing_rejudge(results);
	assert_memory_equal(before, flags->data, bytes);
	assert_memory_equal(&sharing, &results->sharing, sizeof sharing);
	/* As for a loaded file: the usual values follow from canaries and
	 * cut. */
	for (size_t v = 0; v < 4; v++)
		results->points[0].visits[v].usual = 0;
	sharing_recall(results);
	assert_near(results->points[0].visits[2].usual, usual);
	assert_memory_equal(before, flags->data, bytes);
	free(before);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cut_is_a_step_above_the_known_ratio),
		cmocka_unit_test(two_modes_are_told_apart),
		cmocka_unit_test(a_shared_mode_in_two_parts_is_never_alone),
		cmocka_unit_test(alone_needs_a_steady_core),
		cmocka_unit_test(a_wrong_calibration_is_corrected),
		cmocka_unit_test(a_calibration_is_kept),
		cmocka_unit_test(judging_again_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
