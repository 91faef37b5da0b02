/* A sweep as plain text: a row per point with a word for its quality, and then
 * rows of each other metric. A legend below the rows explains the words. */
#ifndef BENCHTOP_PRINT_ROWS_H
#define BENCHTOP_PRINT_ROWS_H

#include "results.h"
#include "text_layout.h"

void print_rows(const struct results *, struct text *);
/* If a sweep has no row to print, prints so with the reason and returns
 * true. */
bool print_no_rows(const struct results *, const struct text_layout *,
	struct text *);

#endif
