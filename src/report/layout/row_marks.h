/* The quality of a row's figure as one character, with a legend below the
 * rows. */
#ifndef BENCHTOP_ROW_MARKS_H
#define BENCHTOP_ROW_MARKS_H

#include "digest.h"
#include "results.h"
#include "style.h"

/* "~", "?", .. ; "" for a figure without a condition. Sets the mark's bit in
 * `seen`. */
const char *row_mark(const struct point *, const struct digest *,
	unsigned *seen);
/* " c" for an interval in cycles (quality.h), else "". */
const char *half_mark(const struct digest *, unsigned *seen);
/* Prints the legend: one line with the marks in `seen`. */
void print_marks(unsigned seen, const struct text_layout *, struct text *);

#endif
