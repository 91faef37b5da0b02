/*
 * Figures without trials as plain text: what was printed, by whom, where.
 */
#ifndef BENCHTOP_PRINT_PUBLISHED_H
#define BENCHTOP_PRINT_PUBLISHED_H

#include "results.h"

/* Behind the metric's label: the figure, the deviations, the source. */
void print_published(enum unit, const struct published *, struct text *);
/* Behind the point's name, in one line. */
void print_published_row(const struct results *, const struct point *,
	const struct digest *, struct text *);

#endif
