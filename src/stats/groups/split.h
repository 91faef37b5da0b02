/*
 * The parts of a variance that come from machines, from runs on one machine,
 * and from launches of one run: a nested design with random effects.
 *
 * The estimators are those of the analysis of variance for unequal numbers of
 * values (Searle, Casella and McCulloch, Variance Components, 1992, chapter 3):
 * each sum of squares is set equal to its expected value. An estimate below 0
 * means that the part is too small to be seen, and becomes 0. Use logarithms of
 * times: then a standard deviation of .02 is 2 %.
 */
#ifndef BENCHTOP_SPLIT_H
#define BENCHTOP_SPLIT_H

#include <stddef.h>

struct split_value {
	size_t machine, run;
	double value;
};

/* Variances. NaN: the values do not show this part, as with one machine, or
 * one run on each; the variance of runs is then part of that of machines. */
struct split {
	double machine, run, launch;
};

/* The values of a machine are adjacent, and so are those of a run in it. */
struct split split_of(const struct split_value *, size_t count);

#endif
