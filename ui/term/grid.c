/* Cells, panes, and drawing on them. */
#include "grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "memory.h"

static void forget_spots(struct grid *grid)
{
	for (size_t i = 0; i < grid->spot_count; i++)
		free(grid->spots[i].line);
	grid->spot_count = 0;
}

void grid_reset(struct grid *grid, int columns, int rows, enum tier tier)
{
	grid->columns = columns < 1 ? 1 : columns;
	grid->rows = rows < 1 ? 1 : rows;
	grid->tier = tier;
	grid->cursor_column = -1;
	grid->cursor_row = -1;
	forget_spots(grid);
	size_t count = (size_t)grid->columns * (size_t)grid->rows;
	grid->cells = xrealloc(grid->cells, count, sizeof *grid->cells);
	for (size_t i = 0; i < count; i++)
		grid->cells[i] = (struct cell){ ' ', ROLE_TEXT };
}

void grid_free(struct grid *grid)
{
	forget_spots(grid);
	free(grid->spots);
	free(grid->cells);
	*grid = (struct grid){ 0 };
}

void grid_dump(const struct grid *grid, struct text *text)
{
	for (int row = 0; row < grid->rows; row++) {
		size_t kept = text->length;

		for (int column = 0; column < grid->columns; column++) {
			char bytes[4];
			uint32_t code =
				grid->cells[row * grid->columns + column].code;

			text_add_chars(text, bytes, utf8_write(code, bytes));
			if (code != ' ')
				kept = text->length;
		}
		text->length = kept;
		text_add_char(text, '\n');
	}
}

void grid_dump_roles(const struct grid *grid, struct text *text)
{
	static const char letters[] = "tdSfk*gwbs234Fp";

	for (int row = 0; row < grid->rows; row++) {
		for (int column = 0; column < grid->columns; column++) {
			const struct cell *cell =
				&grid->cells[row * grid->columns + column];
			bool blank =
				cell->code == ' ' && cell->role != ROLE_SELECT;

			text_add_char(text, blank ? ' ' : letters[cell->role]);
		}
		text_add_char(text, '\n');
	}
}

const char *grid_spot(const struct grid *grid, int column, int row)
{
	for (size_t i = grid->spot_count; i-- > 0;) {
		const struct spot *spot = &grid->spots[i];

		if (row >= spot->row && row < spot->row + spot->rows &&
			column >= spot->column &&
			column < spot->column + spot->columns)
			return spot->line;
	}
	return NULL;
}

struct pane pane_whole(struct grid *grid)
{
	return (struct pane){ grid, 0, 0, grid->columns, grid->rows };
}

static int clamp(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

struct pane pane_part(const struct pane *pane, int column, int row, int columns,
	int rows)
{
	column = clamp(column, pane->columns);
	row = clamp(row, pane->rows);
	if (columns < 0)
		columns = pane->columns - column + columns;
	if (rows < 0)
		rows = pane->rows - row + rows;
	return (struct pane){
		.grid = pane->grid,
		.column = pane->column + column,
		.row = pane->row + row,
		.columns = clamp(columns, pane->columns - column),
		.rows = clamp(rows, pane->rows - row),
	};
}

static struct cell *cell_at(const struct pane *pane, int column, int row)
{
	if (column < 0 || row < 0 || column >= pane->columns ||
		row >= pane->rows)
		return NULL;
	return &pane->grid->cells[(pane->row + row) * pane->grid->columns +
		pane->column + column];
}

void pane_put(const struct pane *pane, int column, int row, uint32_t code,
	enum role role)
{
	struct cell *cell = cell_at(pane, column, row);

	if (cell)
		*cell = (struct cell){ code, (uint8_t)role };
}

uint32_t pane_code(const struct pane *pane, int column, int row)
{
	const struct cell *cell = cell_at(pane, column, row);

	return cell ? cell->code : 0;
}

void pane_glyph(const struct pane *pane, int column, int row, enum glyph glyph,
	enum role role)
{
	pane_put(pane, column, row, glyph_code(pane->grid->tier, glyph), role);
}

/* Returns a code that fills exactly one cell, or '?'. A character of two
 * columns or none would shift the rest of the row. The ASCII tier allows only
 * ASCII. */
static uint32_t one_column(const struct pane *pane, unsigned code)
{
	if (code < 0x80)
		return code >= 0x20 && code < 0x7f ? code : '?';
	if (pane->grid->tier == TIER_ASCII || wcwidth((wchar_t)code) != 1)
		return '?';
	return code;
}

int pane_chars(const struct pane *pane, int column, int row, enum role role,
	const char *chars)
{
	int begin = column;

	for (size_t left = strlen(chars); left;) {
		unsigned code;
		size_t size = utf8_read(chars, left, &code);

		pane_put(pane, column++, row,
			size ? one_column(pane, code) : '?', role);
		size = size ? size : 1;
		chars += size;
		left -= size;
	}
	return column - begin;
}

int pane_text(const struct pane *pane, int column, int row, enum role role,
	const char *format, ...)
{
	struct text text = { 0 };
	va_list list;

	va_start(list, format);
	text_vadd(&text, format, list);
	va_end(list);
	int used = pane_chars(pane, column, row, role, text_chars(&text));
	text_free(&text);
	return used;
}

int text_columns(const char *chars)
{
	int columns = 0;

	for (; *chars; chars++)
		columns += ((unsigned char)*chars & 0xc0) != 0x80;
	return columns;
}

void pane_right(const struct pane *pane, int row, enum role role,
	const char *chars)
{
	pane_chars(pane, pane->columns - text_columns(chars), row, role, chars);
}

/* The byte length of the line of `columns` that begins at `chars`. The line
 * ends at its last blank if there is one. */
static size_t line_length(const char *chars, int columns)
{
	size_t fits = 0, blank = 0, at = 0;

	for (int used = 0; chars[at] && chars[at] != '\n'; used++) {
		if (used == columns)
			return chars[at] == ' ' ? at : blank ? blank : fits;
		if (chars[at] == ' ' && at &&
			strspn(chars, " ") < at) /* not an indentation */
			blank = at;
		do
			at++;
		while (((unsigned char)chars[at] & 0xc0) == 0x80);
		fits = at;
	}
	return at;
}

const char *text_line(const char **at, int columns, size_t *length)
{
	const char *begin = *at;

	if (!*begin)
		return NULL;
	*length = line_length(begin, columns < 1 ? 1 : columns);
	const char *end = begin + *length;
	bool broken = *end && *end != '\n';
	*at = end + (broken ? strspn(end, " ") : *end == '\n');
	return begin;
}

int pane_wrap(const struct pane *pane, int row, enum role role,
	const char *chars)
{
	int begin = row;
	size_t length;
	const char *line;

	while (row < pane->rows &&
		(line = text_line(&chars, pane->columns, &length))) {
		bool cut = row == pane->rows - 1 && *chars;
		char *drawn = xstrndup(line, length);
		int room = pane->columns - 3;

		/* The last row ends with " .." if text is omitted. */
		while (cut && text_columns(drawn) > room && strchr(drawn, ' '))
			*strrchr(drawn, ' ') = '\0';
		int used = pane_chars(pane, 0, row, role, drawn);
		if (cut)
			pane_chars(pane, used, row, ROLE_DIM, " ..");
		free(drawn);
		row++;
	}
	return row - begin;
}

void pane_clear(const struct pane *pane)
{
	for (int row = 0; row < pane->rows; row++)
		for (int column = 0; column < pane->columns; column++)
			pane_put(pane, column, row, ' ', ROLE_TEXT);
	pane_spot_all(pane, "%s", "");
}

__attribute__((format(printf, 2, 0))) static void add_spot(
	const struct pane *part, const char *format, va_list list)
{
	struct grid *grid = part->grid;
	struct text line = { 0 };

	if (part->columns < 1 || part->rows < 1)
		return;
	text_vadd(&line, format, list);
	ARRAY_GROW(grid->spots, grid->spot_count);
	grid->spots[grid->spot_count++] =
		(struct spot){ part->column, part->row, part->columns,
			part->rows, xstrdup(text_chars(&line)) };
	text_free(&line);
}

void pane_spot(const struct pane *pane, int column, int row, int columns,
	const char *format, ...)
{
	struct pane part = pane_part(pane, column, row, columns, 1);
	va_list list;

	va_start(list, format);
	add_spot(&part, format, list);
	va_end(list);
}

void pane_spot_all(const struct pane *pane, const char *format, ...)
{
	struct pane part = pane_part(pane, 0, 0, pane->columns, pane->rows);
	va_list list;

	va_start(list, format);
	add_spot(&part, format, list);
	va_end(list);
}

void pane_role(const struct pane *pane, int column, int row, int columns,
	enum role role)
{
	for (int i = 0; i < columns; i++) {
		struct cell *cell = cell_at(pane, column + i, row);

		if (cell)
			cell->role = (uint8_t)role;
	}
}

static void frame_lines(const struct pane *pane)
{
	int right = pane->columns - 1, bottom = pane->rows - 1;

	for (int i = 1; i < right; i++) {
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
		pane_glyph(pane, i, bottom, GLYPH_HORIZONTAL, ROLE_FRAME);
	}
	for (int i = 1; i < bottom; i++) {
		pane_glyph(pane, 0, i, GLYPH_VERTICAL, ROLE_FRAME);
		pane_glyph(pane, right, i, GLYPH_VERTICAL, ROLE_FRAME);
	}
	pane_glyph(pane, 0, 0, GLYPH_TOP_LEFT, ROLE_FRAME);
	pane_glyph(pane, right, 0, GLYPH_TOP_RIGHT, ROLE_FRAME);
	pane_glyph(pane, 0, bottom, GLYPH_BOTTOM_LEFT, ROLE_FRAME);
	pane_glyph(pane, right, bottom, GLYPH_BOTTOM_RIGHT, ROLE_FRAME);
}

struct pane pane_frame(const struct pane *pane, const char *title,
	const char *right)
{
	int room = pane->columns - 6;

	if (pane->columns < 2 || pane->rows < 2)
		return pane_part(pane, 0, 0, 0, 0);
	frame_lines(pane);
	if (title && room > 0) {
		struct pane top = pane_part(pane, 2, 0, -2, 1);

		pane_text(&top, 0, 0, ROLE_STRONG, " %s ", title);
		room -= text_columns(title) + 2;
	}
	if (right && *right && text_columns(right) + 2 <= room) {
		struct pane top = pane_part(pane, 2, 0, -2, 1);
		struct text padded = { 0 };

		text_add(&padded, " %s ", right);
		pane_right(&top, 0, ROLE_DIM, padded.chars);
		text_free(&padded);
	}
	return pane_part(pane, 1, 1, -1, -1);
}

void pane_cursor(const struct pane *pane, int column, int row)
{
	if (!cell_at(pane, column, row))
		return;
	pane->grid->cursor_column = pane->column + column;
	pane->grid->cursor_row = pane->row + row;
}
