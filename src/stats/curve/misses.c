/* Shares of loads that miss: Poisson sums over the lines in a set. */
#include "misses.h"

#include <math.h>
#include <stddef.h>

/* Beyond this u both laws are 1 to four digits. */
static const double u_most = 9;

/* The share r of misses among j lines in W ways under random replacement: the
 * positive root of 1 - r = exp(-r j / W), which exists for j > W. */
static double random_share(double load)
{
	double r = 1;

	if (load <= 1)
		return 0;
	/* The function is concave and the start is right of the root, so
	 * Newton's method decreases to the root. */
	for (int i = 0; i < 40; i++) {
		double survive = exp(-r * load);
		double step = (1 - r - survive) / (load * survive - 1);

		r -= step;
		if (fabs(step) < 1e-10)
			break;
	}
	return r > 0 ? r : 0;
}

/* The most lines in a set that have a notable chance if its mean is `mean`. */
static double lines_most(double mean)
{
	return mean + 12 * sqrt(mean) + 12;
}

struct misses misses_of(enum misses_law law, unsigned ways)
{
	struct misses misses = {
		.law = law,
		.ways = fmin(fmax(ways, 1), MISSES_WAYS_MOST),
	};
	double w = misses.ways;

	for (double j = w + 1; j <= lines_most(u_most * w); j++)
		misses.of_set[(size_t)j] =
			law == MISSES_LRU ? 1 : random_share(j / w);
	return misses;
}

double misses_share(const struct misses *misses, double u)
{
	double mean = misses->ways * u, share = 0;

	if (misses->law == MISSES_SHARP)
		return u > 1 ? 1 : 0;
	if (misses->law == MISSES_EVEN)
		return random_share(u);
	if (u >= u_most)
		return 1;
	/* The probability of j lines, from that of j - 1. */
	double chance = exp(-mean);
	for (double j = 1; j <= lines_most(mean); j++) {
		chance *= mean / j;
		share += j * chance * misses->of_set[(size_t)j];
	}
	return fmin(share / mean, 1);
}

double misses_half(const struct misses *misses)
{
	double low = .1, high = 4;

	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (misses_share(misses, middle) < .5)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
