/* A table whose columns fit the layout. */
#include "columns.h"

#include <stdlib.h>

#include "memory.h"
#include "wrap.h"

size_t columns_add(struct columns *table, const char *head,
	enum column_align align, unsigned drop)
{
	if (table->count == COLUMNS_MOST)
		return COLUMNS_MOST - 1;
	table->list[table->count] = (struct column_of_cells){
		.head = xstrdup(head),
		.align = align,
		.drop = drop,
		.width = text_width(head),
	};
	return table->count++;
}

void columns_row(struct columns *table)
{
	table->rows++;
}

void columns_cell_of(struct columns *table, size_t row, size_t index,
	enum text_style style, const char *chars)
{
	struct column_of_cells *column = &table->list[index];
	int width = text_width(chars);

	while (column->cell_count <= row) {
		ARRAY_GROW(column->cells, column->cell_count);
		column->cells[column->cell_count++] = (struct column_cell){ 0 };
	}
	free(column->cells[row].chars);
	column->cells[row] = (struct column_cell){ xstrdup(chars), style };
	if (width > column->width)
		column->width = width;
}

void columns_cell(struct columns *table, size_t column, enum text_style style,
	const char *format, ...)
{
	struct text text = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&text, format, list);
	va_end(list);
	columns_cell_of(table, table->rows - 1, column, style,
		text_chars(&text));
	text_free(&text);
}

void columns_say(struct columns *table, size_t column, const char *chars)
{
	ARRAY_GROW(table->sentences, table->sentence_count);
	table->sentences[table->sentence_count++] = (struct column_sentence){
		.row = table->rows - 1,
		.column = column,
		.chars = xstrdup(chars ? chars : ""),
	};
}

/* ---- fitting ---------------------------------------------------------- */

static int width_of(const struct columns *table)
{
	int width = COLUMNS_INDENT - COLUMNS_GAP;

	for (size_t i = 0; i < table->count; i++)
		if (!table->list[i].dropped)
			width += COLUMNS_GAP + table->list[i].width;
	return width;
}

/* The column to drop next: the last one with the greatest `drop`. */
static struct column_of_cells *next_to_drop(struct columns *table)
{
	struct column_of_cells *next = NULL;

	for (size_t i = 0; i < table->count; i++) {
		struct column_of_cells *column = &table->list[i];

		if (column->drop && !column->dropped &&
			(!next || column->drop >= next->drop))
			next = column;
	}
	return next;
}

int columns_fit(struct columns *table, const struct text_layout *layout)
{
	struct column_of_cells *next;

	while (width_of(table) > layout->width &&
		(next = next_to_drop(table)) != NULL)
		next->dropped = true;
	return layout->width - width_of(table) - COLUMNS_GAP;
}

/* ---- lines ------------------------------------------------------------ */

static void add_aligned(struct text *line, const struct text_layout *layout,
	const struct column_of_cells *column, const struct column_cell *cell)
{
	int left = column->width - text_width(cell->chars);

	if (column->align == COLUMN_RIGHT)
		text_pad(line, ' ', (size_t)left);
	style_add(line, layout, cell->style, cell->chars);
	if (column->align == COLUMN_LEFT)
		text_pad(line, ' ', (size_t)left);
}

static const struct column_sentence *sentence_of(const struct columns *table,
	size_t row)
{
	for (size_t i = 0; i < table->sentence_count; i++)
		if (table->sentences[i].row == row)
			return &table->sentences[i];
	return NULL;
}

/* Ends a line without trailing blanks. */
static void end_line(struct text *text)
{
	text_trim(text);
	text_add_char(text, '\n');
}

static void print_line(const struct columns *table,
	const struct text_layout *layout, const struct column_cell *cells,
	const struct column_sentence *sentence, struct text *text)
{
	size_t end = sentence ? sentence->column : table->count;
	int used = COLUMNS_INDENT, gap = 0;

	text_pad(text, ' ', COLUMNS_INDENT);
	for (size_t i = 0; i < end; i++) {
		const struct column_of_cells *column = &table->list[i];

		if (column->dropped)
			continue;
		text_pad(text, ' ', (size_t)gap);
		if (cells[i].chars)
			add_aligned(text, layout, column, &cells[i]);
		else
			text_pad(text, ' ', (size_t)column->width);
		used += gap + column->width;
		gap = COLUMNS_GAP;
	}
	if (!sentence) {
		end_line(text);
		return;
	}
	struct text said = { 0 };
	text_pad(&said, ' ', (size_t)(used + gap));
	wrap_on(&said, sentence->chars, used + gap, layout->width);
	text_pad(text, ' ', (size_t)gap);
	text_add(text, "%s", said.chars + used + gap);
	text_free(&said);
}

static bool has_heads(const struct columns *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (!table->list[i].dropped && *table->list[i].head)
			return true;
	return false;
}

void columns_print(struct columns *table, const struct text_layout *layout,
	struct text *text)
{
	struct column_cell cells[COLUMNS_MOST] = { { 0 } };

	columns_fit(table, layout);
	for (size_t i = 0; i < table->count; i++)
		cells[i] = (struct column_cell){ table->list[i].head,
			STYLE_PLAIN };
	if (has_heads(table))
		print_line(table, layout, cells, NULL, text);
	for (size_t row = 0; row < table->rows; row++) {
		for (size_t i = 0; i < table->count; i++)
			cells[i] = row < table->list[i].cell_count ?
				table->list[i].cells[row] :
				(struct column_cell){ 0 };
		print_line(table, layout, cells, sentence_of(table, row), text);
	}
}

void columns_free(struct columns *table)
{
	for (size_t i = 0; i < table->count; i++) {
		struct column_of_cells *column = &table->list[i];

		for (size_t row = 0; row < column->cell_count; row++)
			free(column->cells[row].chars);
		free(column->cells);
		free(column->head);
	}
	for (size_t i = 0; i < table->sentence_count; i++)
		free(table->sentences[i].chars);
	free(table->sentences);
	*table = (struct columns){ 0 };
}
