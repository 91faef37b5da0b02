/* Shares of loads that miss: Poisson sums over the lines in a set. */
#include "misses.h"

#include <math.h>

enum { WAYS_MOST = 64 };
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

double misses_share(enum misses_law law, double u, unsigned ways)
{
	double w = ways < 1 ? 1 : ways > WAYS_MOST ? WAYS_MOST : ways;
	double mean = w * u, share = 0;

	if (law == MISSES_SHARP)
		return u > 1 ? 1 : 0;
	if (law == MISSES_EVEN)
		return random_share(u);
	if (u >= u_most)
		return 1;
	/* The probability of j lines, from that of j - 1. */
	double chance = exp(-mean);
	double last = mean + 12 * sqrt(mean) + 12;
	for (double j = 1; j <= last; j++) {
		chance *= mean / j;
		if (j <= w)
			continue;
		share += j * chance *
			(law == MISSES_LRU ? 1 : random_share(j / w));
	}
	return fmin(share / mean, 1);
}

double misses_half(enum misses_law law, unsigned ways)
{
	double low = .1, high = 4;

	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (misses_share(law, middle, ways) < .5)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
