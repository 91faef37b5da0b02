/* Samples that several tests share. */
#include "vectors.h"

#include <stdlib.h>

const double skewed[SKEWED_N] = { 23, 24, 24, 25, 25, 26, 26, 27, 30, 41,
	250 };

const double bimodal[BIMODAL_N] = { 101.5, 99.2, 100.1, 98.7, 102.3,
	100.9, 99.8, 151.2, 150.4, 149.7, 152.0, 150.9, 100.4, 101.1, 149.1,
	151.8, 98.9, 100.6, 150.0, 100.2 };

void fill_exacting(double values[EXACTING_N])
{
	values[0] = 10000000.2;
	for (size_t i = 1; i < EXACTING_N; i += 2) {
		values[i] = 10000000.1;
		values[i + 1] = 10000000.3;
	}
}

gsl_rng *generator(unsigned long seed)
{
	gsl_rng *made = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(made, seed);
	return made;
}
