/* The canary, and the choice of its throughput half. */
#include "canary.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "probe.h"
#include "quantile.h"
#include "ruler.h"
#include "sharing.h"

enum {
	MULTIPLY_CYCLES = 3, /* iterations of the loop per multiplication */
	NOPS_EACH = 16,      /* instructions per multiplication */
	CHOICES = 600,     /* canaries of each kind */
	ALONE_LEAST = 300, /* of them alone; with fewer, most of these saw a
			    * co-runner for a part of their time */
	SHARED_SHARE = 10, /* the shared mode needs 1/SHARED_SHARE of the alone
			    * samples */
};

/* ---- one canary ------------------------------------------------------- */

static void work(enum canary_kind kind, unsigned multiplies)
{
	if (kind == CANARY_LOOP)
		ruler_branches((uint64_t)multiplies * MULTIPLY_CYCLES);
	else
		ruler_nops(multiplies * NOPS_EACH / RULER_ROUND);
}

static uint32_t in_32_bits(uint64_t ticks)
{
	return ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
}

static __attribute__((noinline)) struct canary time_halves(
	const struct probe *probe, enum canary_kind kind, unsigned multiplies)
{
	uint64_t start = tick_now(probe->source);
	work(kind, multiplies);
	uint64_t throughput = tick_now(probe->source) - start;
	start = tick_now(probe->source);
	ruler_multiplies(multiplies / RULER_ROUND);
	uint64_t latency = tick_now(probe->source) - start;

	return (struct canary){
		.latency = in_32_bits(latency),
		.throughput = in_32_bits(throughput),
	};
}

/* Earlier work may have evicted the code of the canary from the caches and its
 * branches from the predictor. The first pass restores all of it: also what is
 * between the readings of the clock, where a line from memory would add a fifth
 * to a half. */
struct canary canary_run(const struct probe *probe, enum canary_kind kind,
	unsigned multiplies)
{
	time_halves(probe, kind, multiplies);
	return time_halves(probe, kind, multiplies);
}

unsigned canary_length(const struct probe *probe, double quantum)
{
	enum { LONGEST = 200000, TRIES = 20 };
	double least = INFINITY;

	for (int i = 0; i < TRIES; i++)
		least = fmin(least,
			canary_run(probe, CANARY_LOOP, CANARY_MULTIPLIES)
				.latency);
	double wanted = CANARY_MULTIPLIES * CANARY_QUANTA * quantum / least;
	wanted = ceil(wanted / RULER_ROUND) * RULER_ROUND;
	return (unsigned)fmin(fmax(wanted, CANARY_MULTIPLIES), LONGEST);
}

/* ---- choice of the kind ----------------------------------------------- */

/* Ratios of one kind, on an unshared core and on a shared one. */
struct split {
	double alone[CHOICES], shared[CHOICES];
	size_t alone_count, shared_count;
};

static void split_add(struct split *split, bool alone, double ratio)
{
	if (alone)
		split->alone[split->alone_count++] = ratio;
	else
		split->shared[split->shared_count++] = ratio;
}

/* The gap between the modes, as a logarithm: from the upper end of the alone
 * mode to the lower end of the shared mode. If the core was hardly shared, the
 * usual effect of an SMT sibling is assumed. */
static double gap_of(struct split *split, double usual)
{
	static const double outer = .1; /* beyond the ends of a mode */

	values_sort(split->alone, split->alone_count);
	values_sort(split->shared, split->shared_count);
	double low = quantile_sorted(split->alone, split->alone_count,
		1 - outer);
	double high = split->shared_count * SHARED_SHARE > split->alone_count ?
		quantile_sorted(split->shared, split->shared_count, outer) :
		usual * median_sorted(split->alone, split->alone_count);
	return log(high / low);
}

/* Adds a canary of each kind, given by their ratios. The loop shows whether the
 * core was shared. If one of its halves was interrupted, it does not: an
 * interruption is longer than anything that a co-runner does. */
static void split_both(struct split kinds[CANARY_KINDS], double least,
	double loop, double nops)
{
	bool alone = loop <= least * SHARING_STEP;

	if (!canary_readable(loop, least))
		return;
	split_add(&kinds[CANARY_LOOP], alone, loop);
	split_add(&kinds[CANARY_NOPS], alone, nops);
}

/* Runs both kinds alternately. */
static void try_kinds(const struct probe *probe,
	const struct clock_facts *facts, double least,
	struct split kinds[CANARY_KINDS])
{
	for (int i = 0; i < CHOICES; i++) {
		struct canary loop = canary_run(probe, CANARY_LOOP,
			facts->canary_multiplies);
		struct canary nops = canary_run(probe, CANARY_NOPS,
			facts->canary_multiplies);

		split_both(kinds, least, canary_ratio(&loop, facts->overhead),
			canary_ratio(&nops, facts->overhead));
	}
}

/* If an iteration of the loop may take more than a cycle, the 10 % quantile of
 * the ratios is taken as alone. */
static double loop_alone(const struct probe *probe,
	const struct clock_facts *facts)
{
	double least = MULTIPLY_CYCLES / facts->multiply_cycles;

#if !defined(__x86_64__)
	enum { TRIES = 200 };
	double ratio[TRIES];

	for (int i = 0; i < TRIES; i++) {
		struct canary canary = canary_run(probe, CANARY_LOOP,
			facts->canary_multiplies);

		ratio[i] = canary_ratio(&canary, facts->overhead);
	}
	values_sort(ratio, TRIES);
	least = fmax(least, quantile_sorted(ratio, TRIES, .1));
#else
	(void)probe;
#endif
	return least;
}

void canary_choose(const struct probe *probe, struct clock_facts *facts)
{
	/* A core that takes two branches per cycle slows the loop by less. */
	static const double usual[CANARY_KINDS] = { [CANARY_LOOP] = 1.3,
		[CANARY_NOPS] = 1.5 };
	struct split *kinds = xcalloc(CANARY_KINDS, sizeof *kinds);
	double least = loop_alone(probe, facts);

	try_kinds(probe, facts, least, kinds);
	facts->canary_kind = CANARY_LOOP;
	facts->canary_alone = least;
	if (kinds[CANARY_LOOP].alone_count >= ALONE_LEAST) {
		if (gap_of(&kinds[CANARY_NOPS], usual[CANARY_NOPS]) >
			gap_of(&kinds[CANARY_LOOP], usual[CANARY_LOOP]))
			facts->canary_kind = CANARY_NOPS;
		const struct split *chosen = &kinds[facts->canary_kind];
		facts->canary_alone =
			median_sorted(chosen->alone, chosen->alone_count);
	}
	free(kinds);
}
