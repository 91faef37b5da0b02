/* mem.hierarchy finds the two nearest caches and the line of this machine. */
#include <unistd.h>

#include "engine.h"

extern const struct experiment probe_mem_hierarchy;

/* Beyond the second level, however large it is: four times as far. */
enum { LAUNCHES = 6, REACH = 4 };

static double found(const struct results *results, const char *name)
{
	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!strcmp(finding->name, name) && finding->has_value)
			return finding->value;
	}
	return NAN;
}

/* The experiment stores curves, not trials with flags. Its canaries show how
 * quiet the machine was. */
static void look_at_canaries(const struct results *results,
	struct attempt *attempt)
{
	const struct point *point = &results->points[0];
	size_t all = 0, loud = 0;

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];

		for (size_t i = 0; i < visit->canary_count; i++, all++)
			loud += canary_state(results,
					visit_canary_ratio(results, point,
						visit, i)) != CANARY_ALONE;
	}
	if (!all)
		give_up("no canary");
	if ((double)loud > loud_most * (double)all)
		noise(attempt, "%zu of %zu canaries not alone meanwhile", loud,
			all);
}

static void hold(struct attempt *attempt, const char *what, double value,
	double nominal, double within)
{
	printf("%s: %.1f K, the kernel says %.0f K\n", what, value / 1024,
		nominal / 1024);
	if (!(fabs(value / nominal - 1) <= within))
		wrong(attempt, "%s is %.1f K, expected %.0f K within %.0f %%",
			what, value / 1024, nominal / 1024, within * 100);
}

static void caches_are_found(struct attempt *attempt)
{
	double l1 = (double)sysconf(_SC_LEVEL1_DCACHE_SIZE);
	double l2 = (double)sysconf(_SC_LEVEL2_CACHE_SIZE);
	double line = (double)sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	char words[64];

	if (l1 <= 0 || l2 <= 0 || line <= 0) {
		puts("the kernel tells of no caches: nothing to hold it to");
		return;
	}
	snprintf(words, sizeof words, "max=%.0f", REACH * l2);
	struct results *results =
		measured(&probe_mem_hierarchy, words, LAUNCHES, PARAM_AUTO);
	look_at_canaries(results, attempt);
	hold(attempt, "L1d", found(results, "L1d"), l1, .1);
	hold(attempt, "L2", found(results, "L2"), l2, .15);
	printf("line: %.0f bytes\n", found(results, "line"));
	if (!(fabs(found(results, "line") - line) < 1))
		wrong(attempt, "a line is %.0f bytes, expected %.0f",
			found(results, "line"), line);
	results_free(results);
}

int main(void)
{
	static const struct check checks[] = {
		{ "the caches are found", caches_are_found },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
