/*
 * Tables of the Net screen: a head, and rows of right-aligned cells. The table
 * scrolls so that the selected row is in the middle, except at both ends. A
 * click selects a row. Where room is short, whole columns are hidden.
 *
 *     struct net_table table = { .columns = 2,
 *         .width = { 7, 9 },  with the blank in front of each
 *         .head = { "packet", "t ms" } };
 *     net_table_fold(&table, (const uint8_t[]){ 1 }, 1, pane.columns);
 *     net_table_draw(&table, &pane, &rows);
 */
#ifndef BENCHTOP_NET_TABLE_H
#define BENCHTOP_NET_TABLE_H

#include "grid.h"

enum { NET_TABLE_COLUMNS = 15 };

struct net_table {
	size_t columns;
	int width[NET_TABLE_COLUMNS]; /* 0: hidden */
	const char *head[NET_TABLE_COLUMNS];
	const char *strong; /* the head that orders the rows; NULL: none */
};

/* The width of the whole table in columns. */
int net_table_width(const struct net_table *);
/* Hides columns, in the order of `optional`, until the rest fits `room`. */
void net_table_fold(struct net_table *, const uint8_t *optional, size_t count,
	int room);

/* A row while it is drawn. The callback must add a cell for each column,
 * including hidden ones. */
struct net_row {
	const struct net_table *table;
	const struct pane *pane;
	int row;
	size_t next; /* column of the next cell */
	int at;      /* its position in the pane */
};
void net_cell(struct net_row *, enum role, const char *chars);
void net_number_cell(struct net_row *, enum role, int64_t value);
/* Skips a cell. Returns its position, or -1 if the column is hidden. */
int net_skip_cell(struct net_row *);

struct net_rows {
	size_t count, selected;
	/* The command of a click; " to N" is appended. N is the row from 1, or
	 * what number() returns. */
	const char *line;
	size_t (*number)(const void *about, size_t i);
	void (*draw)(const void *about, struct net_row *, size_t i);
	/* The number of rows that are missing before row i, or with i == count
	 * at the end; NULL: none. A line states it. */
	uint64_t (*missing)(const void *about, size_t i);
	const void *about;
};
void net_table_draw(const struct net_table *, const struct pane *,
	const struct net_rows *);

#endif
