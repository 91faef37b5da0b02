/*
 * How many modes has a sample, and where? The lowland algorithm of Akinshin
 * (perfolizer; "Lowland multimodality detection", 2020) on the quantile-
 * respectful density estimate from Harrell-Davis quantiles; sensitivity .5,
 * precision .01. Ties of a quantised clock are spread over their quantum
 * first (v + q((i + .5)/c - .5)), or a plain timer histogram would show false
 * modes. Where a mode is flat it is said to be in the middle of the flat; at
 * most MODES_MAX modes are told apart. Samples above 1000 values are thinned
 * to 1000 quantiles. Below 100 values modality is not assessed.
 */
#ifndef BENCHTOP_MODES_H
#define BENCHTOP_MODES_H

#include <stddef.h>

enum { MODES_MAX = 8 };

struct modes {
	size_t count;            /* 0: not assessed (n < 100) */
	double at[MODES_MAX];    /* where each mode is highest */
	double share[MODES_MAX]; /* part of the sample in it, sums to 1 */
	double cut[MODES_MAX];   /* cut[i] lies between mode i and i + 1 */
};

/* quantum: step of the values; 0 leaves ties as they are. */
struct modes modes_sorted(const double *sorted, size_t n, double quantum);

#endif
