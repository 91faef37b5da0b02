/* Measures and draws the columns of a table. */
#include "draw_table.h"

#include <stdarg.h>
#include <stdlib.h>

#include "memory.h"

enum { GAP = 2 };

void table_cell(struct table *table, enum role role, const char *format, ...)
{
	struct text text = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&text, format, list);
	va_end(list);
	ARRAY_GROW(table->cells, table->count);
	table->cells[table->count++] =
		(struct table_cell){ xstrdup(text_chars(&text)), role };
	text_free(&text);
}

int table_width(const struct table *table, int column)
{
	size_t columns = (size_t)table->columns;
	int width = column ? 0 : table->first_least;

	for (size_t i = (size_t)column; i < table->count; i += columns) {
		int wide = text_columns(table->cells[i].chars);

		width = wide > width ? wide : width;
	}
	return width;
}

int table_columns(const struct table *table)
{
	int used = 0;

	for (int i = 0; i < table->columns; i++)
		used += table_width(table, i) + (i ? GAP : 0);
	return used;
}

/* Computes the width of each column; returns the number of columns that fit. */
static int measure(const struct table *table, int room,
	int width[TABLE_COLUMNS])
{
	int used = 0, columns = 0;

	for (int i = 0; i < table->columns; i++)
		width[i] = table_width(table, i);
	for (; columns < table->columns; columns++) {
		used += width[columns] + (columns ? GAP : 0);
		if (used > room && columns)
			break;
	}
	return columns;
}

static void draw_row(const struct table *table, const struct pane *pane,
	int row, size_t from, const int width[TABLE_COLUMNS], int columns)
{
	int at = 0;

	for (int i = 0; i < columns; i++) {
		const struct table_cell *cell = &table->cells[from + (size_t)i];
		struct pane place = pane_part(pane, at, row, width[i], 1);

		if (table->right & 1u << i)
			pane_right(&place, 0, cell->role, cell->chars);
		else
			pane_chars(&place, 0, 0, cell->role, cell->chars);
		at += width[i] + GAP;
	}
}

int draw_table(const struct table *table, const struct pane *pane, size_t first)
{
	int width[TABLE_COLUMNS];
	int columns = measure(table, pane->columns, width);
	size_t rows = table->count / (size_t)table->columns;
	int used = -GAP;

	for (int i = 0; i < columns; i++)
		used += width[i] + GAP;
	if (rows)
		draw_row(table, pane, 0, 0, width, columns);
	for (size_t i = first + 1; i < rows; i++)
		draw_row(table, pane, (int)(i - first),
			i * (size_t)table->columns, width, columns);
	return used;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].chars);
	free(table->cells);
	*table = (struct table){ 0 };
}
