/* The rows of a session in the index. */
#ifndef BENCHTOP_INDEX_ROWS_H
#define BENCHTOP_INDEX_ROWS_H

#include "index_row.h"
#include "kept.h"
#include "kept_points.h"

/* Each function returns false if the database failed. */

/* Replaces the row of a session. has_points: its points follow. */
bool index_put_head(sqlite3 *, const char *name, const char *stamp,
	const struct kept_head *, bool has_points, int64_t *id);
/* Takes the columns at, experiments, median, unit, note. */
void index_take_head(struct row *, struct kept_head *);

/* Adds the points of one session. */
bool index_put_points(sqlite3 *, int64_t id, const struct kept_points *);
/* The columns of index_take_point(). */
extern const char index_point_columns[];
void index_take_point(struct row *, struct kept_point *);
void index_take_surroundings(struct row *, struct surroundings *);

#endif
