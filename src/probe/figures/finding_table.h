/*
 * Findings about single points as a table of texts: one row per point, one
 * column per name of a finding, in the order of their first occurrence. The
 * first column identifies the point by the parameters that vary.
 *
 *     size order       local    remote   added              remote/local
 *     4K   sequential  1.21 us  18.1 us  16.8 [16, 17.4] us  14.9 [14, 16]
 *
 * A point can have several rows: "task:rate" is the column `rate` of its row
 * `task`.
 *
 * Text, screen and reports each format it in their own way.
 */
#ifndef BENCHTOP_FINDING_TABLE_H
#define BENCHTOP_FINDING_TABLE_H

#include "results.h"
#include "text.h"

enum { FINDING_COLUMNS_MOST = 8 };

struct finding_table {
	size_t columns, rows; /* without the head */
	char **cells;         /* row by row, the head first; owned */
	size_t *points;       /* of each row; owned */
	/* The first column without labels: of the head, then of each point of
	 * the results, also of those without a row; owned. */
	char **names;
	size_t name_count;
	size_t name_length; /* of the longest */
};

/* Returns false, with an empty table, if no finding is about a single point. */
bool finding_table_make(const struct results *, struct finding_table *);
void finding_table_free(struct finding_table *);
/* Row 0 is the head. */
const char *finding_table_cell(const struct finding_table *, size_t row,
	size_t column);
/* "64K  random": the parameters of a point that vary. */
const char *finding_table_name(const struct finding_table *, size_t point);
/* The first row of a point; 0: none. */
size_t finding_table_row(const struct finding_table *, size_t point);

#endif
