/*
 * Published figures, which have no trials, as plain text: value and source.
 */
#ifndef BENCHTOP_PRINT_PUBLISHED_H
#define BENCHTOP_PRINT_PUBLISHED_H

#include "digest.h"
#include "results.h"

/* After the metric's label: the figure, the deviations, the source. */
void print_published(enum unit, const struct published *, struct text *);
/* After the point's name, in one line. */
void print_published_row(const struct results *, const struct point *,
	const struct digest *, struct text *);

#endif
