/*
 * Lists of the Net screen: a head and rows of cells that end at their column's
 * right edge, the selected row in the middle but at the ends of the list, each
 * row a click away. Where there is little room columns fold away whole.
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

enum { NET_TABLE_COLUMNS = 10 };

struct net_table {
	size_t columns;
	int width[NET_TABLE_COLUMNS]; /* 0: not there */
	const char *head[NET_TABLE_COLUMNS];
};

/* Columns that all of it takes. */
int net_table_width(const struct net_table *);
/* Folds columns away, in the order they are named, until the rest fits. */
void net_table_fold(struct net_table *, const uint8_t *optional, size_t count,
	int room);

/* A row while it is drawn: whoever draws it adds a cell for each column, also
 * for one that is folded away. */
struct net_row {
	const struct net_table *table;
	const struct pane *pane;
	int row;
	size_t next; /* column of the next cell */
	int at;      /* where that begins, in the pane */
};
void net_cell(struct net_row *, enum role, const char *chars);
void net_number_cell(struct net_row *, enum role, int64_t value);
/* Leaves a cell out; returns where it begins, or -1 where it is not there. */
int net_skip_cell(struct net_row *);

struct net_rows {
	size_t count, selected;
	/* What a click executes, without its " to N": N counts from 1. */
	const char *line;
	void (*draw)(const void *about, struct net_row *, size_t i);
	const void *about;
};
void net_table_draw(const struct net_table *, const struct pane *,
	const struct net_rows *);

#endif
