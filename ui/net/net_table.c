/* Draws the tables of the Net screen. */
#include "net_table.h"

#include <stdio.h>

int net_table_width(const struct net_table *table)
{
	int width = 0;

	for (size_t i = 0; i < table->columns; i++)
		width += table->width[i];
	return width;
}

void net_table_fold(struct net_table *table, const uint8_t *optional,
	size_t count, int room)
{
	for (size_t i = 0; i < count && net_table_width(table) > room; i++)
		table->width[optional[i]] = 0;
}

int net_skip_cell(struct net_row *row)
{
	int at = row->at, width = row->table->width[row->next++];

	row->at += width;
	return width ? at : -1;
}

void net_cell(struct net_row *row, enum role role, const char *chars)
{
	int at = net_skip_cell(row);
	struct pane place = pane_part(row->pane, at, row->row, row->at - at, 1);

	if (at >= 0)
		pane_right(&place, 0, role, chars);
}

void net_number_cell(struct net_row *row, enum role role, int64_t value)
{
	char chars[24];

	snprintf(chars, sizeof chars, "%lld", (long long)value);
	net_cell(row, role, chars);
}

/* ---- rows --------------------------------------------------------------- */

/* With less room, lines about missing rows would hide the rows. */
enum { MISSING_LEAST = 4 };

/* What is drawn at present. */
struct drawing {
	const struct net_table *table;
	const struct pane *pane;
	const struct net_rows *rows;
	size_t room; /* lines */
};

static uint64_t missing_before(const struct drawing *at, size_t i)
{
	const struct net_rows *rows = at->rows;

	return rows->missing && at->room >= MISSING_LEAST ?
		rows->missing(rows->about, i) :
		0;
}

static size_t lines_of(const struct drawing *at, size_t i)
{
	return 1 + (missing_before(at, i) > 0);
}

/* The first row, so that the selected one is in the middle or, at both ends, no
 * line is empty. */
static size_t first_row(const struct drawing *at)
{
	size_t first = at->rows->selected, next = first + 1;
	size_t lines = lines_of(at, first), half = at->room / 2;

	for (; first && lines + lines_of(at, first - 1) <= half + 1; first--)
		lines += lines_of(at, first - 1);
	for (; next < at->rows->count && lines <= at->room; next++)
		lines += lines_of(at, next);
	if (next == at->rows->count)
		lines += missing_before(at, next) > 0;
	while (first && lines + lines_of(at, first - 1) <= at->room)
		lines += lines_of(at, --first);
	return first;
}

static void draw_head(const struct net_table *table, const struct pane *pane)
{
	struct net_row head = { .table = table, .pane = pane };

	for (size_t i = 0; i < table->columns; i++)
		net_cell(&head,
			table->head[i] == table->strong ? ROLE_STRONG :
							  ROLE_DIM,
			table->head[i]);
}

static void draw_row(const struct drawing *at, int line, size_t i)
{
	const struct net_rows *rows = at->rows;
	struct net_row row = { .table = at->table,
		.pane = at->pane,
		.row = line };

	rows->draw(rows->about, &row, i);
	pane_spot(at->pane, 0, line, at->pane->columns, "%s to %zu", rows->line,
		rows->number ? rows->number(rows->about, i) : i + 1);
	if (i != rows->selected)
		return;
	pane_role(at->pane, 0, line, at->pane->columns, ROLE_SELECT);
	pane_cursor(at->pane, at->table->width[0] - 1, line);
}

static void draw_missing(const struct drawing *at, int line, uint64_t missing)
{
	char words[48];

	snprintf(words, sizeof words, "%llu packet%s not kept",
		(unsigned long long)missing, missing == 1 ? "" : "s");
	pane_chars(at->pane, 2, line, ROLE_DIM, words);
}

void net_table_draw(const struct net_table *table, const struct pane *pane,
	const struct net_rows *rows)
{
	const struct drawing at = { table, pane, rows,
		pane->rows > 1 ? (size_t)pane->rows - 1 : 0 };
	size_t line = 1;

	if (!at.room)
		return;
	draw_head(table, pane);
	for (size_t i = rows->count ? first_row(&at) : 0;
		i <= rows->count && line <= at.room; i++) {
		uint64_t missing = missing_before(&at, i);

		if (missing)
			draw_missing(&at, (int)line++, missing);
		if (i < rows->count && line <= at.room)
			draw_row(&at, (int)line++, i);
	}
}
