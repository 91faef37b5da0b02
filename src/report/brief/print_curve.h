/*
 * A long sweep over one numeric parameter: its levels and its curve. Only a
 * verbose layout prints the points.
 */
#ifndef BENCHTOP_PRINT_CURVE_H
#define BENCHTOP_PRINT_CURVE_H

#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

/* True if a curve shows the sweep better than a row per point. */
bool is_curve(const struct results *);
/* The levels and the curve. Returns true if there are levels. */
bool print_curve(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);
/* The same with the head line, and the lines below that support the figures. */
void print_long_sweep(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

#endif
