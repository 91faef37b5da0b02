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

void net_table_draw(const struct net_table *table, const struct pane *pane,
	const struct net_rows *rows)
{
	size_t room = pane->rows > 1 ? (size_t)pane->rows - 1 : 0;
	size_t half = room / 2;
	size_t first = rows->selected > half ? rows->selected - half : 0;
	struct net_row head = { .table = table, .pane = pane };

	if (!room)
		return;
	if (first + room > rows->count)
		first = rows->count > room ? rows->count - room : 0;
	for (size_t i = 0; i < table->columns; i++)
		net_cell(&head,
			table->head[i] == table->strong ? ROLE_STRONG :
							  ROLE_DIM,
			table->head[i]);
	for (size_t i = first; i < rows->count && i - first < room; i++) {
		struct net_row row = { .table = table,
			.pane = pane,
			.row = (int)(i - first) + 1 };

		rows->draw(rows->about, &row, i);
		pane_spot(pane, 0, row.row, pane->columns, "%s to %zu",
			rows->line,
			rows->number ? rows->number(rows->about, i) : i + 1);
		if (i != rows->selected)
			continue;
		pane_role(pane, 0, row.row, pane->columns, ROLE_SELECT);
		pane_cursor(pane, table->width[0] - 1, row.row);
	}
}
