/* Converts cells to SVG. */
#include "picture.h"

#include <stdio.h>
#include <string.h>

#include "theme.h"

/* A cell in pixels: the characters of most monospaced fonts are 0.6 of the font
 * size wide. */
enum { CELL_X = 9, CELL_Y = 18, FONT = 15, BASELINE = 13, MARGIN = 10 };

struct picture {
	const struct grid *grid;
	struct text strokes[ROLES], fills[ROLES], shades[ROLES];
};

static double x_of(int column)
{
	return MARGIN + column * CELL_X;
}

static double y_of(int row)
{
	return MARGIN + row * CELL_Y;
}

static void add_rectangle(struct text *path, double x, double y, double width,
	double height)
{
	text_add(path, "M%g %gh%gv%gh%gz", x, y, width, height, -width);
}

/* ---- lines ------------------------------------------------------------ */

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, DOUBLE = 16, DASHED = 32 };

/* The arms of a box character; 0 if the code is not a box character. */
static unsigned arms_of(uint32_t code)
{
	static const struct {
		uint32_t code;
		unsigned arms;
	} boxes[] = {
		{ 0x2500, LEFT | RIGHT },
		{ 0x2502, UP | DOWN },
		{ 0x250a, UP | DOWN | DASHED },
		{ 0x250c, RIGHT | DOWN },
		{ 0x2510, LEFT | DOWN },
		{ 0x2514, RIGHT | UP },
		{ 0x2518, LEFT | UP },
		{ 0x251c, RIGHT | UP | DOWN },
		{ 0x2524, LEFT | UP | DOWN },
		{ 0x252c, LEFT | RIGHT | DOWN },
		{ 0x2534, LEFT | RIGHT | UP },
		{ 0x253c, LEFT | RIGHT | UP | DOWN },
		{ 0x2550, LEFT | RIGHT | DOUBLE },
		{ 0x2564, LEFT | RIGHT | DOWN | DOUBLE },
	};

	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
		if (boxes[i].code == code)
			return boxes[i].arms;
	return 0;
}

static void add_lines(struct text *path, unsigned arms, double x, double y,
	double width)
{
	double middle_x = x + CELL_X / 2.0, middle_y = y + CELL_Y / 2.0;
	double from = arms & LEFT ? x : middle_x;
	double to = arms & RIGHT ? x + width : middle_x;
	double apart = arms & DOUBLE ? 1.5 : 0;

	if (arms & (LEFT | RIGHT))
		text_add(path, "M%g %gH%g", from, middle_y - apart, to);
	if (arms & DOUBLE)
		text_add(path, "M%g %gH%g", from, middle_y + apart, to);
	if (arms & DASHED)
		for (int i = 0; i < 4; i++)
			text_add(path, "M%g %gv%g", middle_x,
				y + (i + .25) * CELL_Y / 4.0, CELL_Y / 8.0);
	else if (arms & (UP | DOWN))
		text_add(path, "M%g %gV%g", middle_x, arms & UP ? y : middle_y,
			arms & DOWN ? y + CELL_Y : middle_y);
}

/* ---- areas ------------------------------------------------------------ */

/* Quarters of U+2596 .. U+259F: 1 upper left, 2 upper right, 4 lower left, 8
 * lower right. */
static unsigned quarters_of(uint32_t code)
{
	static const unsigned quarters[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };

	return code >= 0x2596 && code <= 0x259f ? quarters[code - 0x2596] : 0;
}

static void add_quarters(struct text *path, unsigned quarters, double x,
	double y)
{
	const double width = CELL_X / 2.0, height = CELL_Y / 2.0;

	for (int i = 0; i < 4; i++) {
		int right = i % 2, below = i / 2;

		if (quarters & 1u << i)
			add_rectangle(path, x + right * width,
				y + below * height, width, height);
	}
}

/* Adds a block element as a part of its cell; false if the code is not a
 * block. */
static bool add_block(struct text *path, uint32_t code, double x, double y,
	double width)
{
	double eighth = CELL_Y / 8.0;

	if (code >= 0x2581 && code <= 0x2588) {
		double height = eighth * (code - 0x2580);

		add_rectangle(path, x, y + CELL_Y - height, width, height);
	} else if (code == 0x2580) {
		add_rectangle(path, x, y, width, CELL_Y / 2.0);
	} else if (code >= 0x2589 && code <= 0x258f) {
		add_rectangle(path, x, y, CELL_X / 8.0 * (0x2590 - code),
			CELL_Y);
	} else if (code == 0x2590) {
		add_rectangle(path, x + CELL_X / 2.0, y, CELL_X / 2.0, CELL_Y);
	} else if (code == 0x2594) {
		add_rectangle(path, x, y, CELL_X, eighth);
	} else if (code == 0x2595) {
		add_rectangle(path, x + CELL_X * 7 / 8.0, y, CELL_X / 8.0,
			CELL_Y);
	} else if (quarters_of(code)) {
		add_quarters(path, quarters_of(code), x, y);
	} else {
		return false;
	}
	return true;
}

static void add_dots(struct text *path, uint32_t code, double x, double y)
{
	static const struct {
		uint8_t bit, column, row;
	} dots[8] = {
		{ 0x01, 0, 0 },
		{ 0x02, 0, 1 },
		{ 0x04, 0, 2 },
		{ 0x40, 0, 3 },
		{ 0x08, 1, 0 },
		{ 0x10, 1, 1 },
		{ 0x20, 1, 2 },
		{ 0x80, 1, 3 },
	};

	for (int i = 0; i < 8; i++)
		if (code & dots[i].bit)
			add_rectangle(path,
				x + (dots[i].column + .5) * CELL_X / 2.0 - 1.25,
				y + (dots[i].row + .5) * CELL_Y / 4.0 - 1.25,
				2.5, 2.5);
}

static bool add_triangle(struct text *path, uint32_t code, double x, double y)
{
	double left = x + 1, right = x + CELL_X - 1;
	double top = y + 5, bottom = y + CELL_Y - 5;
	double middle_x = x + CELL_X / 2.0, middle_y = y + CELL_Y / 2.0;

	if (code == 0x25b4)
		text_add(path, "M%g %gH%gL%g %gz", left, bottom, right,
			middle_x, top);
	else if (code == 0x25be)
		text_add(path, "M%g %gH%gL%g %gz", left, top, right, middle_x,
			bottom);
	else if (code == 0x25b8)
		text_add(path, "M%g %gV%gL%g %gz", left, top, bottom, right,
			middle_y);
	else if (code == 0x25c2)
		text_add(path, "M%g %gV%gL%g %gz", right, top, bottom, left,
			middle_y);
	else
		return false;
	return true;
}

/* ---- cells ------------------------------------------------------------ */

static const struct cell *cell_at(const struct grid *grid, int column, int row)
{
	return &grid->cells[row * grid->columns + column];
}

/* Characters that join into one shape when they are adjacent. */
static bool joins(uint32_t code)
{
	return code == 0x2500 || code == 0x2550 ||
		(code >= 0x2580 && code <= 0x2588) ||
		(code >= 0x2591 && code <= 0x2593);
}

static int run_length(const struct grid *grid, int column, int row)
{
	const struct cell *first = cell_at(grid, column, row);
	int length = 1;

	while (joins(first->code) && column + length < grid->columns) {
		const struct cell *next = cell_at(grid, column + length, row);

		if (next->code != first->code || next->role != first->role)
			break;
		length++;
	}
	return length;
}

static bool add_shape(struct picture *picture, const struct cell *cell,
	double x, double y, double width)
{
	unsigned arms = arms_of(cell->code);
	struct text *fills = &picture->fills[cell->role];

	if (arms)
		add_lines(&picture->strokes[cell->role], arms, x, y, width);
	else if (cell->code >= 0x2591 && cell->code <= 0x2593)
		add_rectangle(&picture->shades[cell->role], x, y, width,
			CELL_Y);
	else if (cell->code >= 0x2800 && cell->code <= 0x28ff)
		add_dots(fills, cell->code, x, y);
	else
		return add_block(fills, cell->code, x, y, width) ||
			add_triangle(fills, cell->code, x, y);
	return true;
}

static void add_shapes(struct picture *picture)
{
	const struct grid *grid = picture->grid;

	for (int row = 0; row < grid->rows; row++)
		for (int column = 0; column < grid->columns;) {
			int length = run_length(grid, column, row);

			add_shape(picture, cell_at(grid, column, row),
				x_of(column), y_of(row), length * CELL_X);
			column += length;
		}
}

/* Whether the character is written as text instead of drawn as a shape. */
static bool is_letter(uint32_t code)
{
	return code < 0x2500 || (code > 0x25c2 && code < 0x2800) ||
		code > 0x28ff;
}

static void add_letter(struct text *out, uint32_t code)
{
	char bytes[4];

	switch (code) {
	case '&':
		text_add(out, "&amp;");
		break;
	case '<':
		text_add(out, "&lt;");
		break;
	case '>':
		text_add(out, "&gt;");
		break;
	default:
		text_add_chars(out, bytes, utf8_write(code, bytes));
	}
}

/* Adds the letters of one role from a column on, including single blanks
 * between them. Returns the column behind the last letter. */
static int add_words(const struct grid *grid, int column, int row,
	struct text *out)
{
	const struct cell *first = cell_at(grid, column, row);
	int end = column, kept = column;

	while (end < grid->columns && end - kept < 2) {
		const struct cell *cell = cell_at(grid, end, row);

		if (cell->role != first->role || !is_letter(cell->code))
			break;
		end++;
		if (cell->code != ' ')
			kept = end;
	}
	text_add(out,
		"<text class=\"r%d\" x=\"%g\" y=\"%g\" "
		"textLength=\"%d\">",
		first->role, x_of(column), y_of(row) + BASELINE,
		(kept - column) * CELL_X);
	for (int i = column; i < kept; i++)
		add_letter(out, cell_at(grid, i, row)->code);
	text_add(out, "</text>\n");
	return kept;
}

static void add_texts(const struct grid *grid, struct text *out)
{
	for (int row = 0; row < grid->rows; row++)
		for (int column = 0; column < grid->columns;) {
			const struct cell *cell = cell_at(grid, column, row);

			if (cell->code == ' ' || !is_letter(cell->code))
				column++;
			else
				column = add_words(grid, column, row, out);
		}
}

/* Draws a bar behind selected cells. */
static void add_bars(const struct grid *grid, struct text *out)
{
	for (int row = 0; row < grid->rows; row++)
		for (int column = 0; column < grid->columns; column++) {
			int end = column;

			while (end < grid->columns &&
				cell_at(grid, end, row)->role == ROLE_SELECT)
				end++;
			if (end == column)
				continue;
			text_add(out,
				"<rect class=\"bar\" x=\"%g\" y=\"%g\" "
				"width=\"%d\" height=\"%d\"/>\n",
				x_of(column), y_of(row),
				(end - column) * CELL_X, CELL_Y);
			column = end;
		}
}

/* ---- style ------------------------------------------------------------ */

struct colours {
	const char *back, *text, *dim;
};

static const struct colours on_dark = { "#16181d", "#d6d9df", "#8d94a1" };
static const struct colours on_light = { "#ffffff", "#1d2127", "#5d6673" };

static void add_style(const struct grid *grid, const struct colours *colours,
	struct text *out)
{
	text_add(out,
		"<style>text{font-family:'DejaVu Sans Mono',monospace;"
		"font-size:%dpx;white-space:pre}path{stroke-width:1.2;"
		"fill:none}.bar{fill:%s}\n",
		FONT, colours->text);
	for (int role = 0; role < ROLES; role++) {
		struct look look =
			theme_look((enum theme)grid->theme, (enum role)role);
		uint8_t rgb[3];
		char colour[8];

		snprintf(colour, sizeof colour, "%s",
			look.attributes & LOOK_DIM ? colours->dim :
						     colours->text);
		if (role == ROLE_SELECT)
			snprintf(colour, sizeof colour, "%s", colours->back);
		if (look.colour256 >= 0) {
			theme_rgb(look.colour256, rgb);
			snprintf(colour, sizeof colour, "#%02x%02x%02x", rgb[0],
				rgb[1], rgb[2]);
		}
		text_add(out, ".r%d{fill:%s%s%s}.s%d{stroke:%s}\n", role,
			colour,
			look.attributes & LOOK_BOLD ? ";font-weight:bold" : "",
			look.attributes & LOOK_UNDERLINE ?
				";text-decoration:underline" :
				"",
			role, colour);
	}
	text_add(out, "</style>\n");
}

static void add_paths(struct picture *picture, struct text *out)
{
	for (int role = 0; role < ROLES; role++) {
		if (picture->shades[role].length)
			text_add(out,
				"<path class=\"r%d\" fill-opacity=\".45\" "
				"d=\"%s\"/>\n",
				role, picture->shades[role].chars);
		if (picture->fills[role].length)
			text_add(out, "<path class=\"r%d\" d=\"%s\"/>\n", role,
				picture->fills[role].chars);
		if (picture->strokes[role].length)
			text_add(out, "<path class=\"s%d\" d=\"%s\"/>\n", role,
				picture->strokes[role].chars);
		text_free(&picture->shades[role]);
		text_free(&picture->fills[role]);
		text_free(&picture->strokes[role]);
	}
}

void picture_svg(const struct grid *grid, struct text *out)
{
	struct picture picture = { .grid = grid };
	bool light = grid->theme == THEME_LIGHT;
	const struct colours *colours = light ? &on_light : &on_dark;
	int width = grid->columns * CELL_X + 2 * MARGIN;
	int height = grid->rows * CELL_Y + 2 * MARGIN;

	text_add(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n",
		width, height, width, height);
	add_style(grid, colours, out);
	text_add(out,
		"<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>\n",
		width, height, colours->back);
	add_shapes(&picture);
	add_bars(grid, out);
	add_paths(&picture, out);
	add_texts(grid, out);
	text_add(out, "</svg>\n");
}
