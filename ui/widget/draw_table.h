/*
 * A table: columns as wide as what is in them, numbers to the right, one
 * column that takes the room that is left. What does not fit is dropped column
 * by column, the last ones first, never cut in the middle of a word; the first
 * column always stays.
 *
 *     struct table table = { .columns = 3, .right = 1u << 1 };
 *     table_cell(&table, ROLE_DIM, "%s", "size");    the head, row 0
 *     ..
 *     draw_table(&table, &pane, first);
 *     table_free(&table);
 *
 * Where a long list is drawn again and again only the rows that are seen are
 * put in, and `first_least` keeps the columns in their places as it scrolls.
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
	unsigned right;           /* bit i: column i ends at its right edge */
	int first_least;          /* columns of the first one, at least */
	struct table_cell *cells; /* row by row, the head first; owned */
	size_t count;
};

/* Adds the next cell. */
void table_cell(struct table *, enum role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Columns that one column of it takes, and all of them with the gaps. */
int table_width(const struct table *, int column);
int table_columns(const struct table *);
/* Draws the head and rows `first` .. (counted without the head); returns the
 * columns that were used. */
int draw_table(const struct table *, const struct pane *, size_t first);
void table_free(struct table *);

#endif
