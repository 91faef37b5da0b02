/* Calibration of the clock: quantum and linearity. */
#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "quantile.h"
#include "quantum.h"
#include "ruler.h"

/* ---- quantum ---------------------------------------------------------- */

double clock_quantum(enum tick_source source)
{
	enum { READINGS = 2000, BRANCHES = 128 };
	struct quantum quantum = { 0 };

	for (uint64_t i = 0; i < READINGS; i++) {
		uint64_t start = tick_now(source);
		ruler_branches(1 + i % BRANCHES);
		quantum_add(&quantum, tick_now(source) - start);
	}
	return quantum_of(&quantum);
}

/* ---- linearity -------------------------------------------------------- */

enum {
	LINKS_MOST = 4096,
	CHAIN_TRIALS = 101,
	LENGTHS = 8,
	ROUNDS = 20,
	GOOD_ENOUGH = 5, /* ticks */
	GOOD_ROUNDS = 5, /* of the rounds of a repeated test */
	LOOKS = 40,
	NAP_NS = 5 * 1000 * 1000,
};

/* The mean of the shortest readings, because at least a tenth of the trials is
 * undisturbed, however busy the core is. If the counter advances in steps
 * longer than the chains differ by (26 ticks on some processors), the mean of
 * readings one step apart interpolates between two steps. */
static double chain_ticks(enum tick_source source, uint64_t links,
	double quantum)
{
	double taken[CHAIN_TRIALS];

	for (int i = 0; i < CHAIN_TRIALS; i++) {
		uint64_t start = tick_now(source);
		ruler_links(links);
		taken[i] = (double)(tick_now(source) - start);
	}
	values_sort(taken, CHAIN_TRIALS);
	double most = quantile_sorted(taken, CHAIN_TRIALS, .1) + 1.5 * quantum;
	double sum = 0;
	int n = 0;
	for (; n < CHAIN_TRIALS && taken[n] <= most; n++)
		sum += taken[n];
	return sum / n;
}

static double residual_once(enum tick_source source, double quantum)
{
	static const uint64_t lengths[LENGTHS] = { 0, 64, 128, 256, 512, 1024,
		2048, LINKS_MOST };
	double taken[LENGTHS];
	double worst = 0;

	for (int i = 0; i < LENGTHS; i++)
		taken[i] = chain_ticks(source, lengths[i], quantum);
	/* The slope between two long chains does not include the begin and the
	 * end of a chain, which are being tested. */
	double slope = (taken[LENGTHS - 1] - taken[LENGTHS - 2]) /
		(LINKS_MOST / 2.);
	for (int i = 1; i < LENGTHS; i++) {
		double off = taken[i] - taken[0] - slope * (double)lengths[i];

		if (fabs(off) > fabs(worst))
			worst = off;
	}
	return worst;
}

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* The residual of the round with rank `from_best`. For rank 1 it stops at the
 * first round that is good enough. */
static double residual_of_rounds(enum tick_source source, double quantum,
	int from_best)
{
	double rounds[ROUNDS];
	int n = 0;

	do
		rounds[n] = residual_once(source, quantum);
	while (++n < ROUNDS &&
		(from_best > 1 || fabs(rounds[n - 1]) > GOOD_ENOUGH));
	qsort(rounds, (size_t)n, sizeof *rounds, by_size);
	return rounds[from_best - 1];
}

double clock_residual(enum tick_source source, double quantum, double most)
{
	const struct timespec nap = { 0, NAP_NS };
	/* Noise can only make a round worse; a broken clock spoils all
	 * rounds. */
	double best = residual_of_rounds(source, quantum, 1);

	/* The rounds take five milliseconds, and a disturbance can last longer,
	 * so the test is repeated. In forty repetitions a good round occurs by
	 * chance, so one good round no longer suffices. */
	for (int i = 0; i < LOOKS && fabs(best) > most; i++) {
		nanosleep(&nap, NULL);
		double next = residual_of_rounds(source, quantum, GOOD_ROUNDS);

		if (fabs(next) < fabs(best))
			best = next;
	}
	return best;
}
