/*
 * The distribution of the trials of a single point: a row for the headline's
 * trials and a row for the other regime. Each row has a small histogram; both
 * share one axis.
 */
#ifndef BENCHTOP_PRINT_SPREAD_H
#define BENCHTOP_PRINT_SPREAD_H

#include "digest.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

/* For the first metric. Prints nothing if there are too few trials for a
 * distribution. */
void print_spread(const struct results *, const struct point *,
	const struct digest *, const struct text_layout *, struct text *);

#endif
