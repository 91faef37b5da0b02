/* Two settings measured alternately: a setting compared with itself shows no
 * change, and work that is 5 % longer is detected. Few repetitions; bench_ab.sh
 * makes a hundred. */
#include "compare_sessions.h"
#include "engine.h"

enum { RUNS = 5, LAUNCHES = 10, TRIALS = 100 };

/* The verdict is in cycles, because turbo changes the time but not the work. */
static enum verdict verdict_in_cycles(const char *words,
	struct attempt *attempt)
{
	struct results *results = measured_as(&probe_selftest_padded, words,
		LAUNCHES, TRIALS, true);
	enum verdict verdict = VERDICT_INCONCLUSIVE;
	struct compare_pair pair;

	for (size_t i = 0; i < 2; i++)
		figures(results, &results->points[i], 0, attempt);
	compare_points(results, 0, 1, &pair);
	if (!pair.row_count || !pair.rows[0].has_cycles)
		noise(attempt, "no cycles");
	else
		verdict = pair.rows[0].cycles_verdict;
	if (pair.row_count && pair.rows[0].visible > .02)
		noise(attempt, "launches spread so that %.1f %% are not seen",
			pair.rows[0].visible * 100);
	if (pair.row_count)
		printf("%s: %.4f [%.4f, %.4f] %s\n", words,
			pair.rows[0].cycles.ratio,
			pair.rows[0].cycles.ratio_low,
			pair.rows[0].cycles.ratio_high, verdict_word(verdict));
	compare_pair_free(&pair);
	results_free(results);
	return verdict;
}

static void the_same_is_no_change(struct attempt *attempt)
{
	unsigned alarms = 0, decided = 0;

	for (int i = 0; i < RUNS; i++) {
		enum verdict verdict = verdict_in_cycles("links=1000", attempt);

		alarms +=
			verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
		decided += verdict != VERDICT_INCONCLUSIVE;
	}
	if (!decided)
		wrong(attempt, "none of %d has a verdict", RUNS);
	if (alarms)
		wrong(attempt, "%u of %d against themselves differ", alarms,
			RUNS);
}

static void longer_work_is_found(struct attempt *attempt)
{
	unsigned found = 0;

	for (int i = 0; i < RUNS; i++)
		found += verdict_in_cycles("links=1000,1050", attempt) ==
			VERDICT_SLOWER;
	if (found < RUNS)
		wrong(attempt, "5 %% more work was found in %u of %d", found,
			RUNS);
}

int main(void)
{
	static const struct check checks[] = {
		{ "the same is no change", the_same_is_no_change },
		{ "longer work is found", longer_work_is_found },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
