/*
 * Rows of figures: a label at the left, one or two numbers below those of the
 * rows above, and at the right edge their unit, which is the same for all rows
 * of a pane. A row below the pane's last one is left out, and a number that is
 * not known is drawn as such and has no unit.
 */
#ifndef BENCHTOP_DRAW_ROWS_H
#define BENCHTOP_DRAW_ROWS_H

#include "grid.h"
#include "unit.h"

enum { UNIT_COLUMNS = 4 }; /* at the right edge */

struct figure_rows {
	struct pane pane;
	int row; /* the next one */
	enum unit unit;
	double like; /* all figures in the unit that fits this */
};

void rows_one(struct figure_rows *, const char *label, enum role, double value);
void rows_two(struct figure_rows *, const char *label, double first,
	double second);
/* Words in place of numbers. */
void rows_words(struct figure_rows *, const char *label, enum role,
	const char *chars);
/* The unit alone, of a row that is drawn otherwise and not yet counted. */
void rows_put_unit(const struct figure_rows *, enum unit, double like);

/* A value without its unit, in the unit that fits `like`. */
void figure_bare(struct text *, enum unit, double value, double like);

#endif
