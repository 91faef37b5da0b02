/* Many points of two parameters as a table: a row per value of one parameter, a
 * column per value of the other. */
#ifndef BENCHTOP_PRINT_MATRIX_H
#define BENCHTOP_PRINT_MATRIX_H

#include "results.h"
#include "text.h"
#include "text_layout.h"

/* Returns false and prints nothing if a line per point is better: for few
 * points, if not exactly two parameters vary, or if the columns do not fit. */
bool print_matrix(const struct results *, const struct text_layout *,
	struct text *);

#endif
