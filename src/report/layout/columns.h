/*
 * A table whose columns fit the width of the layout.
 *
 * A column is as wide as its widest cell, with two blanks between columns.
 * Columns that do not fit are dropped, the greatest `drop` first. A column with
 * `drop` 0 is never dropped. A row may end in a sentence, which is wrapped
 * below its own beginning. Lines exceed the width only if the columns that are
 * never dropped do not fit.
 *
 *     struct columns table = { 0 };
 *     size_t name = columns_add(&table, "day", COLUMN_LEFT, 0);
 *     size_t figure = columns_add(&table, "median", COLUMN_RIGHT, 0);
 *
 *     columns_row(&table);
 *     columns_cell(&table, name, STYLE_PLAIN, "Nov %d", 20);
 *     columns_cell(&table, figure, STYLE_BOLD, "%s", "89.5 ns");
 *     if (columns_fit(&table, layout) >= BAR_LEAST)
 *             .. add a column of bars as wide as the room that is left ..
 *     columns_print(&table, layout, text);
 *     columns_free(&table);
 */
#ifndef BENCHTOP_COLUMNS_H
#define BENCHTOP_COLUMNS_H

#include "style.h"

enum column_align { COLUMN_LEFT, COLUMN_RIGHT };
enum { COLUMNS_MOST = 32, COLUMNS_INDENT = 2, COLUMNS_GAP = 2 };

struct columns {
	size_t count, rows;
	struct column_of_cells {
		char *head; /* owned, like all pointers below */
		enum column_align align;
		unsigned drop;
		bool dropped;
		int width;
		size_t cell_count; /* cells from here on are empty */
		struct column_cell {
			char *chars; /* NULL: empty */
			enum text_style style;
		} *cells;
	} list[COLUMNS_MOST];
	struct column_sentence {
		size_t row, column; /* begins in place of this column's cell */
		char *chars;
	} *sentences;
	size_t sentence_count;
};

/* Adds a column after the others and returns its index. If the table is full,
 * returns the index of the last column. */
size_t columns_add(struct columns *, const char *head, enum column_align,
	unsigned drop);
/* Begins the next row. */
void columns_row(struct columns *);
/* Sets a cell of the last row, or of row `row`. */
void columns_cell(struct columns *, size_t column, enum text_style,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
void columns_cell_of(struct columns *, size_t row, size_t column,
	enum text_style, const char *chars);
/* Ends the last row with a sentence (NULL: empty) in place of the cells from
 * `column` on. */
void columns_say(struct columns *, size_t column, const char *chars);
/* Drops the columns that do not fit. Returns how wide one more column may be;
 * less than 1 means no room. */
int columns_fit(struct columns *, const struct text_layout *);
/* Prints the head, unless all head cells are empty, and the rows. */
void columns_print(struct columns *, const struct text_layout *,
	struct text *);
void columns_free(struct columns *);

#endif
