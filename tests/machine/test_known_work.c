/* R4 and R5, and their consequence for a system call: work of known length is
 * measured with that length. */
#include "digest.h"
#include "engine.h"

/* A quarter of the clock's step, in cycles. */
static double quarter_step(const struct clock_facts *clock)
{
	return clock->quantum / 4 / clock->hz * clock->core_hz;
}

static void chains_have_their_length(struct attempt *attempt)
{
	static const double links[] = { 10, 100, 1000 };
	struct results *results =
		measured(&probe_selftest_adds, "links=10,100,1000", 10, 300);

	for (size_t i = 0; i < 3; i++) {
		struct digest digest =
			figures(results, &results->points[i], 0, attempt);
		double off = digest.cycles.median - links[i];

		printf("%g links: %.2f cycles\n", links[i],
			digest.cycles.median);
		if (!digest.has_cycles)
			noise(attempt, "the core's frequency is not known");
		if (!(fabs(off) <= fmax(fmax(5, links[i] / 100),
					quarter_step(&results->clock))))
			wrong(attempt, "%g links take %.1f cycles", links[i],
				digest.cycles.median);
	}
	results_free(results);
}

enum { RUNS = 100, COVERED_LEAST = 93 };
#define PATIENCE_NS 30000000000u

/* The number of values below 0 in a run. */
static size_t count_negative(const struct results *results)
{
	double *values;
	size_t negative = 0;
	size_t count = results_values(results, &results->points[0], 0,
		SCALE_UNIT, &values, NULL);

	for (size_t i = 0; i < count; i++)
		negative += values[i] < 0;
	free(values);
	return negative;
}

static void nothing_takes_no_time(struct attempt *attempt)
{
	unsigned covered = 0, disturbed = 0;
	double worst_ticks = 0;
	size_t negative = 0;

	uint64_t end_ns = tick_raw_ns() + PATIENCE_NS;

	/* On a busy machine runs take longer than their budget. */
	for (int i = 0; i < RUNS && tick_raw_ns() < end_ns; i++) {
		struct results *results =
			measured(&probe_selftest_adds, "links=0", 6, 100);
		struct attempt one = { .wrong = "" };
		struct digest digest =
			figures(results, &results->points[0], 0, &one);
		double ticks = digest.summary.median * results->clock.hz * 1e-9;

		disturbed += *one.noise != '\0';
		covered += digest.summary.interval.low <= 0 &&
			digest.summary.interval.high >= 0;
		negative += count_negative(results);
		if (fabs(ticks) > fabs(worst_ticks))
			worst_ticks = ticks;
		results_free(results);
	}
	printf("0 is in %u of %d intervals, %zu values below it, worst median "
	       "%.2f ticks\n",
		covered, RUNS, negative, worst_ticks);
	if (tick_raw_ns() >= end_ns)
		noise(attempt, "%d runs took more than 30 s", RUNS);
	if (disturbed > RUNS / 20)
		noise(attempt, "%u of %d runs disturbed", disturbed, RUNS);
	if (covered < COVERED_LEAST)
		wrong(attempt, "0 is in %u of %d intervals", covered, RUNS);
	if (!negative)
		wrong(attempt, "no value is below 0");
	if (fabs(worst_ticks) > fmax(2, ruler.quantum))
		wrong(attempt, "nothing takes %.1f ticks", worst_ticks);
}

static void getppid_is_stable(struct attempt *attempt)
{
	double slow = INFINITY, fast = 0;
	struct canary_range range = { 0 };

	for (int i = 0; i < 5; i++) {
		struct results *results =
			measured(&probe_cpu_syscall, "call=getppid", 10, 200);
		struct digest digest =
			figures(results, &results->points[0], 0, attempt);

		slow = fmin(slow, digest.summary.median);
		fast = fmax(fast, digest.summary.median);
		canary_range_add(&range, results);
		results_free(results);
	}
	double spread = fast / slow - 1;
	printf("getppid: %.2f to %.2f ns in five runs\n", slow, fast);
	expect_one_frequency(&range, attempt);
	if (!(spread <= .02))
		wrong(attempt, "medians differ by %.1f %%", spread * 100);
}

/* R13: every launch visits sixteen layouts, and their spread is shown. */
static void layouts_are_all_visited(struct attempt *attempt)
{
	struct results *results =
		measured(&probe_cpu_loop, "count=64 counter=register", 10, 10);
	const struct point *point = &results->points[0];
	unsigned visits[CLONES_MAX] = { 0 };

	for (size_t v = 0; v < point->visit_count; v++)
		visits[point->visits[v].clone]++;
	for (unsigned clone = 0; clone < CLONES_MAX; clone++)
		if (visits[clone] < 10)
			wrong(attempt, "layout %u was visited %u times", clone,
				visits[clone]);
	struct digest digest = figures(results, point, 0, attempt);
	printf("layouts of the loop: %.1f %%, best %.2f ns\n",
		digest.layout * 100, digest.floor);
	if (!(digest.layout >= 0) || !(digest.floor <= digest.summary.median))
		wrong(attempt, "layouts spread by %g over a floor of %g",
			digest.layout, digest.floor);
	results_free(results);
}

int main(void)
{
	static const struct check checks[] = {
		{ "R5: chains have their length", chains_have_their_length },
		{ "R4: nothing takes no time", nothing_takes_no_time },
		{ "getppid is stable", getppid_is_stable },
		{ "R13: layouts are all visited", layouts_are_all_visited },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
