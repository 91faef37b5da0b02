/* R6: with a busy loop on the same processor, interrupted trials are flagged,
 * and the others give the figures of a quiet machine. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "digest.h"
#include "engine.h"
#include "ruler.h"

static void trial(struct probe *probe, uint64_t ops)
{
	probe_start(probe);
	ruler_adds(ops);
	probe_stop(probe, 0, ops);
}

static const struct param params[] = { { .name = NULL } };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time of 100 additions", .unit = UNIT_NS },
	{ .name = NULL },
};
static const struct experiment chain = {
	.name = "test.chain",
	.title = "A chain",
	.question = "How long is it?",
	.method = "Additions in registers.",
	.params = params,
	.metrics = metrics,
	.args_size = sizeof(int),
	.plan = { .ops = 100 },
	.trial = trial,
};

static pid_t start_rival(void)
{
	cpu_set_t set;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET((size_t)place.cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
	for (;;)
		ruler_adds(1000);
}

/* Counts trials longer than a millisecond, and those of them with a flag for
 * the cause. */
static void count_long(const struct results *results, size_t *all,
	size_t *flagged)
{
	const struct point *point = &results->points[0];

	for (size_t v = 0; v < point->visit_count; v++)
		for (size_t i = 0; i < point->visits[v].trials; i++) {
			unsigned flags;
			double value;

			results_trial(results, point, 0, v, i, SCALE_UNIT,
				&value, &flags);
			/* In a trial of a hundred operations. */
			if (value * 100 < 1e6)
				continue;
			*all += 1;
			*flagged +=
				(flags & (FLAG_PREEMPTED | FLAG_SWITCHED)) != 0;
		}
}

static void interruptions_are_flagged(struct attempt *attempt)
{
	size_t all = 0, flagged = 0;
	struct canary_range range = { 0 };
	struct results *quiet = measured(&chain, "", 6, 5000);
	struct digest before = figures(quiet, &quiet->points[0], 0, attempt);
	pid_t rival = start_rival();
	struct results *loud = measured(&chain, "", 6, 20000);
	struct digest during;

	kill(rival, SIGKILL);
	waitpid(rival, NULL, 0);
	digest_of(loud, &loud->points[0], 0, &during);
	count_long(loud, &all, &flagged);
	double apart = during.summary.median / before.summary.median - 1;
	printf("%zu of %zu long trials flagged; clean medians %.3f and %.3f "
	       "ns\n",
		flagged, all, before.summary.median, during.summary.median);
	if (all < 20)
		wrong(attempt, "only %zu trials were interrupted", all);
	if ((double)flagged < .99 * (double)all)
		wrong(attempt, "%zu of %zu long trials flagged", flagged, all);
	if (!(fabs(apart) <= .01))
		wrong(attempt, "clean medians %.1f %% apart", apart * 100);
	canary_range_add(&range, quiet);
	canary_range_add(&range, loud);
	expect_one_frequency(&range, attempt);
	results_free(quiet);
	results_free(loud);
}

/* ---- the cost of the detector ----------------------------------------- */

enum { PAIRS = 20000, ROUNDS = 50 };

static double pair_ns(struct probe *probe, bool with_detector)
{
	uint64_t begin_ns = tick_raw_ns();

	for (int i = 0; i < PAIRS; i++) {
		uint64_t start;

		if (with_detector) {
			probe_start(probe);
			start = probe->start;
		} else {
			start = tick_now(probe->source);
		}
		uint64_t stop = tick_now(probe->source);
		if (with_detector && *probe->rseq_slot == 0)
			start++;
		probe_opaque(start);
		probe_opaque(stop);
	}
	return (double)(tick_raw_ns() - begin_ns) / PAIRS;
}

/* Compares the minima of many alternating rounds, because a co-runner makes a
 * pair more expensive by more than the detector does. */
static void the_detector_is_cheap(struct attempt *attempt)
{
	struct probe probe = { .source = ruler.source };
	double without = INFINITY, with = INFINITY;
	cpu_set_t home;

	move_in(&home);
	bool works = disturb_arm(&probe);
	for (int i = 0; i < ROUNDS; i++) {
		without = fmin(without, pair_ns(&probe, false));
		with = fmin(with, pair_ns(&probe, true));
	}
	disturb_disarm(&probe);
	move_out(&home);
	printf("a pair %.2f ns, with the detector %.2f%s\n", without, with,
		works ? "" : " (no rseq here)");
	/* At most ten cycles for a store and a load, if these take longer than
	 * 2 ns. */
	if (with - without > fmax(2, 10 * 1e9 / ruler.core_hz))
		wrong(attempt, "the detector costs %.1f ns", with - without);
}

int main(void)
{
	static const struct check checks[] = {
		{ "R6: interruptions are flagged", interruptions_are_flagged },
		{ "R6: the detector is cheap", the_detector_is_cheap },
	};

	return run_engine_checks(checks, sizeof checks / sizeof *checks);
}
