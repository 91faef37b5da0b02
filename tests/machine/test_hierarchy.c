/* mem.hierarchy finds the two nearest caches and the line of this machine. */
#include <unistd.h>

#include "engine.h"

extern const struct experiment probe_mem_hierarchy;

/* Beyond the second level, however large it is: four times as far. */
enum { LAUNCHES = 6, REACH = 4 };

static const struct finding *found(const struct results *results,
	const char *name)
{
	static const struct finding none = { .value = NAN };

	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!strcmp(finding->name, name) && finding->has_value)
			return finding;
	}
	return &none;
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

/* The interval counts too: at an equal curve the laws of replacement differ by
 * up to a third in the size (steps.h). */
static void hold(struct attempt *attempt, const struct finding *level,
	double nominal, double within)
{
	printf("%s: %.1f K [%.1f, %.1f], the kernel says %.0f K\n",
		level->name ? level->name : "no finding", level->value / 1024,
		level->interval.low / 1024, level->interval.high / 1024,
		nominal / 1024);
	if (level->has_interval && level->interval.low <= nominal &&
		nominal <= level->interval.high &&
		level->interval.high < 2 * level->interval.low)
		return;
	if (!(fabs(level->value / nominal - 1) <= within))
		wrong(attempt, "a level has %.1f K, expected %.0f K within "
			"%.0f %%",
			level->value / 1024, nominal / 1024, within * 100);
}

static void caches_are_found(struct attempt *attempt)
{
	double l1 = (double)sysconf(_SC_LEVEL1_DCACHE_SIZE);
	double l2 = (double)sysconf(_SC_LEVEL2_CACHE_SIZE);
	double line = (double)sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
	char words[64];

	if (l1 <= 0 || l2 <= 0 || line <= 0) {
		noise(attempt, "the kernel reports no caches");
		wrong(attempt, "no size to compare with");
		return;
	}
	snprintf(words, sizeof words, "max=%.0f", REACH * l2);
	struct results *results =
		measured(&probe_mem_hierarchy, words, LAUNCHES, PARAM_AUTO);
	look_at_canaries(results, attempt);
	hold(attempt, found(results, "L1d"), l1, .1);
	hold(attempt, found(results, "L2"), l2, .15);
	double line_found = found(results, "line")->value;
	printf("line: %.0f bytes\n", line_found);
	if (!(fabs(line_found - line) < 1))
		wrong(attempt, "a line is %.0f bytes, expected %.0f",
			line_found, line);
	results_free(results);
}

int main(void)
{
	static const struct check checks[] = {
		{ "the caches are found", caches_are_found },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
