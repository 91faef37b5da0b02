/*
 * A table: each column is as wide as its content; columns of numbers can be
 * right-aligned. If the pane is too narrow, whole columns are dropped, the last
 * first, so no word is cut. The first column always stays.
 *
 *     struct table table = { .columns = 3, .right = 1u << 1 };
 *     table_cell(&table, ROLE_DIM, "%s", "size");    the head, row 0
 *     ..
 *     draw_table(&table, &pane, first);
 *     table_free(&table);
 *
 * A long list that is drawn repeatedly adds only its visible rows. Then
 * `first_least` keeps the columns in place while the list scrolls.
 */
#ifndef BENCHTOP_DRAW_TABLE_H
#define BENCHTOP_DRAW_TABLE_H

#include "grid.h"

enum { TABLE_COLUMNS = 16 };

struct table_cell {
	char *chars; /* owned */
	enum role role;
};

struct table {
	int columns;              /* at most TABLE_COLUMNS */
	unsigned right;           /* bit i: column i is right-aligned */
	int first_least;          /* minimum width of the first column */
	struct table_cell *cells; /* row by row, the head first; owned */
	size_t count;
};

/* Adds the next cell. */
void table_cell(struct table *, enum role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The width of one column, and of all columns with the gaps between them. */
int table_width(const struct table *, int column);
int table_columns(const struct table *);
/* Draws the head and the rows from `first` on (counted without the head).
 * Returns the columns used. */
int draw_table(const struct table *, const struct pane *, size_t first);
void table_free(struct table *);

#endif
