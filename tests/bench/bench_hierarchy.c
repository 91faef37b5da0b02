/*
 * Does mem.hierarchy find the caches of this machine?
 *
 *     bench_hierarchy [RUNS]
 *
 * A run succeeds if the first level is within 10 % of the kernel's size, the
 * second within 15 %, and the line is the kernel's. At least four of the first
 * five quiet runs, of at most fifteen, should succeed, each in at most 90 s.
 *
 * Whether a run was quiet is decided by the run itself: a canary (canary.h)
 * runs beside each timed chain. At most one in ten canaries may have been
 * beside a co-runner, or interrupted for a quarter of its time. A slower or
 * faster core does not matter, nor does load a second before or after: the
 * finder uses the lower quartile of each chain's walks and the median over the
 * launches.
 */
#include <unistd.h>

#include "machine/engine.h"
#include "facts.h"

extern const struct experiment probe_mem_hierarchy;

enum { RUNS_MOST = 15, RUNS_COUNTED = 5, QUIET_ONE_IN = 10, MOST_S = 90 };

static struct {
	double l1, l2, line; /* by the kernel */
} nominal;

/* Of the canaries of a run: all, those beside a co-runner, and those that
 * something interrupted. */
struct canaries {
	size_t all, shared, interrupted;
};

static struct canaries count_canaries(const struct results *results)
{
	const struct point *point = &results->points[0];
	struct canaries count = { 0 };

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];

		count.all += visit->canary_count;
		for (size_t i = 0; i < visit->canary_count; i++) {
			enum canary_state state = canary_state(results,
				visit_canary_ratio(results, point, visit, i));

			count.shared += state == CANARY_SHARED;
			count.interrupted += state == CANARY_UNREADABLE;
		}
	}
	return count;
}

/* 0 where there is no such finding. */
static double found(const struct results *results, const char *name)
{
	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!strcmp(finding->name, name) && finding->has_value)
			return finding->value;
	}
	return 0;
}

static bool is_right(const struct results *results)
{
	return fabs(found(results, "L1d") / nominal.l1 - 1) <= .1 &&
		fabs(found(results, "L2") / nominal.l2 - 1) <= .15 &&
		fabs(found(results, "line") - nominal.line) < 1 &&
		results->took_s <= MOST_S;
}

static void one_run(int number, unsigned *quiet, unsigned *right)
{
	struct results *results = measured(&probe_mem_hierarchy, "max=auto",
		PARAM_AUTO, PARAM_AUTO);
	struct canaries canaries = count_canaries(results);
	size_t bad = canaries.shared + canaries.interrupted;
	bool is_quiet = canaries.all && bad * QUIET_ONE_IN <= canaries.all;

	printf("run %d: L1d %.1f K, L2 %.0f K, line %.0f, %zu launches, "
	       "%.1f s: %s; %s (of %zu canaries %zu shared, %zu "
	       "interrupted)\n",
		number, found(results, "L1d") / 1024,
		found(results, "L2") / 1024, found(results, "line"),
		results->launch_count, results->took_s,
		is_right(results) ? "found" : "missed",
		is_quiet ? "quiet" : "loud", canaries.all, canaries.shared,
		canaries.interrupted);
	*quiet += is_quiet;
	*right += is_quiet && is_right(results);
	results_free(results);
}

int main(int count, char **words)
{
	int most = count > 1 ? (int)strtol(words[1], NULL, 10) : RUNS_MOST;
	unsigned quiet = 0, right = 0;

	nominal.l1 = (double)sysconf(_SC_LEVEL1_DCACHE_SIZE);
	nominal.l2 = (double)sysconf(_SC_LEVEL2_CACHE_SIZE);
	nominal.line = (double)sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	if (nominal.l1 <= 0 || nominal.l2 <= 0 || nominal.line <= 0) {
		puts("SKIP: the kernel tells of no caches here");
		return SKIPPED;
	}
	facts.l1d_bytes = nominal.l1;
	facts.l2_bytes = nominal.l2;
	facts.llc_bytes = (double)sysconf(_SC_LEVEL3_CACHE_SIZE);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (start_quiet() != PASSED || make_tape_folder(NULL))
		return FAILED;
	for (int i = 1; i <= most && quiet < RUNS_COUNTED; i++)
		one_run(i, &quiet, &right);
	remove_tape_folder(NULL);
	printf("%u of the first %u quiet runs found %.0fK, %.0fK and a line of "
	       "%.0f\n",
		right, quiet, nominal.l1 / 1024, nominal.l2 / 1024,
		nominal.line);
	return 0;
}
