/*
 * What was found about single points, as a table of words: a row for each such
 * point, a column for each name of a finding, in the order in which they were
 * first found. The first column names the points, by the values of what
 * changes among them.
 *
 *     size order      local    remote   added              remote/local
 *     64K sequential  1.21 us  18.1 us  16.8 [16, 17.4] us  14.9 [14, 16]
 *
 * Text, screen and reports set it each in their own way.
 */
#ifndef BENCHTOP_FINDING_TABLE_H
#define BENCHTOP_FINDING_TABLE_H

#include "results.h"
#include "text.h"

enum { FINDING_COLUMNS_MOST = 8 };

struct finding_table {
	size_t columns, rows; /* the head is not counted */
	char **cells;         /* row by row, the head first; owned */
	size_t *points;       /* of each row; owned */
};

/* False where nothing was found about single points: then it is empty. */
bool finding_table_make(const struct results *, struct finding_table *);
void finding_table_free(struct finding_table *);
/* Row 0 is the head. */
const char *finding_table_cell(const struct finding_table *, size_t row,
	size_t column);
/* What the first column says: "64K random"; of NULL "size order". */
void finding_table_name(const struct results *, const struct point *,
	struct text *);
/* The row of a point; 0: it has none. */
size_t finding_table_row(const struct finding_table *, size_t point);

#endif
