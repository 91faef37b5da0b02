/* Euclid's greatest common divisor, and a fit for fractional steps. */
#include "quantum.h"

#include <math.h>
#include <stdbool.h>

static const double least_step = 8, grid = .01;
enum { MULTIPLES_LEAST = 5 };

void quantum_add(struct quantum *quantum, uint64_t difference)
{
	if (difference < QUANTUM_TICKS)
		quantum->seen[difference]++;
	while (difference) {
		uint64_t rest = quantum->divisor % difference;

		quantum->divisor = difference;
		difference = rest;
	}
}

/* Both readings are rounded down, so their difference is less than a tick
 * beside the multiple. Half of the grid's width is added for each step. */
static bool fits(const struct quantum *quantum, double step)
{
	double last = 0;
	int multiples = 0;

	for (int i = 1; i < QUANTUM_TICKS; i++) {
		double steps = round(i / step);

		if (!quantum->seen[i])
			continue;
		if (fabs(i - steps * step) >= 1 + steps * grid / 2)
			return false;
		multiples += steps > last;
		last = steps;
	}
	return multiples >= MULTIPLES_LEAST;
}

/* The mean length of the steps, of which the grid knows the number. */
static double refined(const struct quantum *quantum, double step)
{
	double ticks = 0, steps = 0;

	for (int i = 1; i < QUANTUM_TICKS; i++) {
		ticks += (double)i * quantum->seen[i];
		steps += round(i / step) * quantum->seen[i];
	}
	return ticks / steps;
}

double quantum_of(const struct quantum *quantum)
{
	double most_step = (double)QUANTUM_TICKS / MULTIPLES_LEAST;

	if (quantum->divisor != 1)
		return (double)quantum->divisor;
	for (double step = most_step; step >= least_step; step -= grid)
		if (fits(quantum, step))
			return refined(quantum, step);
	return 1;
}
