/*
 * The modes of a sample: how many, and where. The lowland algorithm of Akinshin
 * (perfolizer; "Lowland multimodality detection", 2020) on the
 * quantile-respectful density estimate from Harrell-Davis quantiles;
 * sensitivity .5, precision .01.
 *
 * Ties of a quantised clock are first spread over their quantum (v + q((i +
 * .5)/c - .5)); otherwise the histogram of a timer would show false modes. A
 * flat mode is placed at the middle of the flat part. At most MODES_MAX modes
 * are distinguished. Samples above 1000 values are reduced to 1000 quantiles.
 * Below 100 values modality is not assessed.
 */
#ifndef BENCHTOP_MODES_H
#define BENCHTOP_MODES_H

#include <stddef.h>

enum { MODES_MAX = 8 };

struct modes {
	size_t count;            /* 0: not assessed (n < 100) */
	double at[MODES_MAX];    /* the place of each mode's maximum */
	double share[MODES_MAX]; /* fraction of the sample in each mode; sums to
				  * 1 */
	double cut[MODES_MAX];   /* cut[i] is between mode i and i + 1 */
};

/* quantum: step of the values; 0 leaves ties as they are. */
struct modes modes_sorted(const double *sorted, size_t n, double quantum);

#endif
