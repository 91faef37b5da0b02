/* A curve drawn in characters, with labelled axes. */
#ifndef BENCHTOP_PLOT_TEXT_H
#define BENCHTOP_PLOT_TEXT_H

#include "text.h"
#include "text_layout.h"
#include "unit.h"

/* Draws values y > 0 at ascending x > 0. An axis is logarithmic if its values
 * span a large enough ratio. Draws nothing with fewer than two values, or in a
 * layout without drawings. */
void plot_text(const struct text_layout *, const double *x, const double *y,
	size_t count, enum unit across, enum unit unit, struct text *);

#endif
