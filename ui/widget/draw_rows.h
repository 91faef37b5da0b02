/*
 * Rows of figures: a label at the left, one or two aligned numbers, and a unit
 * at the right edge. Numbers in one column are aligned across rows. Rows below
 * the last row of the pane are omitted. An unknown number is shown as such,
 * without a unit.
 */
#ifndef BENCHTOP_DRAW_ROWS_H
#define BENCHTOP_DRAW_ROWS_H

#include "grid.h"
#include "unit.h"

enum { UNIT_COLUMNS = 4 }; /* at the right edge */

struct figure_rows {
	struct pane pane;
	int row; /* next row to draw */
	enum unit unit;
	double like; /* numbers use the unit prefix that fits this value */
};

void rows_one(struct figure_rows *, const char *label, enum role, double value);
void rows_two(struct figure_rows *, const char *label, double first,
	double second);
/* Draws words in place of numbers. */
void rows_words(struct figure_rows *, const char *label, enum role,
	const char *chars);
/* Draws only the unit, in the next row; the caller draws the rest of that
 * row. */
void rows_put_unit(const struct figure_rows *, enum unit, double like);

/* Appends a value without its unit, in the unit that fits `like`. */
void figure_bare(struct text *, enum unit, double value, double like);

#endif
