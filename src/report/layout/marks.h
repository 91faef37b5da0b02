/*
 * Drawings in characters: histograms, bars and curves, in block characters or
 * in ASCII.
 */
#ifndef BENCHTOP_MARKS_H
#define BENCHTOP_MARKS_H

#include "axis.h"
#include "text.h"
#include "text_layout.h"

/* One cell of a histogram: 0 is empty, 1 the highest. */
void mark_level(struct text *, const struct text_layout *, double share);
/* A bar of `share` (0 .. 1) times `columns` cells. */
void mark_bar(struct text *, const struct text_layout *, double share,
	int columns);
/* A cell of a curve. Bits of `quarters`: 1 upper left, 2 upper right, 4 lower
 * left, 8 lower right. */
void mark_quarters(struct text *, const struct text_layout *,
	unsigned quarters);
/* A line of the ticks' labels, each below its cell of a horizontal axis, and
 * the unit. The axis has `cells` cells and begins in column `first`. A label
 * that does not fit is omitted. */
void mark_labels(struct text *, const struct text_layout *,
	const struct axis *, const struct ticks *, int first, int cells);

#endif
