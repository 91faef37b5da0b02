/* Samples that several tests share, and seeded generators. */
#ifndef BENCHTOP_VECTORS_H
#define BENCHTOP_VECTORS_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { SKEWED_N = 11, BIMODAL_N = 20, EXACTING_N = 1001 };

/* A few values and one outlier, sorted. */
extern const double skewed[SKEWED_N];
/* Two levels, in order of measurement. */
extern const double bimodal[BIMODAL_N];
/* NumAcc4 of the NIST Statistical Reference Datasets: a mean that is large
 * compared with the deviations. */
void fill_exacting(double values[EXACTING_N]);
gsl_rng *generator(unsigned long seed);

#endif
