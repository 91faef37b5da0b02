/* Draws rows with a label and figures. */
#include "draw_rows.h"

#include <math.h>
#include <string.h>

enum { NUMBER_COLUMNS = 9 }; /* width of each of two numbers, left of the
			      * unit */

void figure_bare(struct text *text, enum unit unit, double value, double like)
{
	struct text whole = { 0 };

	unit_show_like(&whole, unit, value, like);
	text_add(text, "%.*s", (int)strcspn(text_chars(&whole), " "),
		text_chars(&whole));
	text_free(&whole);
}

static void put_number(const struct figure_rows *rows, int place,
	enum role role, enum unit unit, double value, double like)
{
	int end = rows->pane.columns - UNIT_COLUMNS - 1 -
		(place ? 0 : NUMBER_COLUMNS);
	struct pane left = pane_part(&rows->pane, 0, rows->row, end, 1);
	struct text text = { 0 };

	figure_bare(&text, unit, value, like);
	pane_right(&left, 0, role, text_chars(&text));
	text_free(&text);
}

void rows_put_unit(const struct figure_rows *rows, enum unit unit, double like)
{
	double scale;

	pane_chars(&rows->pane, rows->pane.columns - UNIT_COLUMNS, rows->row,
		ROLE_DIM, unit_prefix(unit, like, &scale));
}

void rows_one(struct figure_rows *rows, const char *label, enum role role,
	double value)
{
	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&rows->pane, 1, rows->row, ROLE_DIM, label);
	put_number(rows, 1, role, rows->unit, value, rows->like);
	if (isfinite(value))
		rows_put_unit(rows, rows->unit, rows->like);
	rows->row++;
}

void rows_two(struct figure_rows *rows, const char *label, double first,
	double second)
{
	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&rows->pane, 1, rows->row, ROLE_DIM, label);
	put_number(rows, 0, ROLE_TEXT, rows->unit, first, rows->like);
	put_number(rows, 1, ROLE_TEXT, rows->unit, second, rows->like);
	if (isfinite(first) || isfinite(second))
		rows_put_unit(rows, rows->unit, rows->like);
	rows->row++;
}

void rows_words(struct figure_rows *rows, const char *label, enum role role,
	const char *chars)
{
	struct pane line = pane_part(&rows->pane, 0, rows->row, -1, 1);

	if (rows->row >= rows->pane.rows)
		return;
	pane_chars(&line, 1, 0, ROLE_DIM, label);
	pane_right(&line, 0, role, chars);
	rows->row++;
}
