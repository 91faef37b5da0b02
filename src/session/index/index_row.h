/*
 * A statement of SQLite, whose parameters are put, and whose columns are taken,
 * from left to right. Once a call has failed, the following do nothing, and
 * row_end() returns false.
 */
#ifndef BENCHTOP_INDEX_ROW_H
#define BENCHTOP_INDEX_ROW_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row {
	sqlite3_stmt *statement; /* NULL: preparing failed */
	int put, take;           /* parameters and columns so far */
	bool failed;
};

struct row row_begin(sqlite3 *, const char *sql);
/* Releases the statement. True if no call failed. */
bool row_end(struct row *);

/* The characters must be valid until row_step() or row_insert(). NULL and NaN
 * are the database's NULL. */
void row_put_text(struct row *, const char *);
void row_put_number(struct row *, double);
void row_put_whole(struct row *, int64_t);
void row_put_bytes(struct row *, const void *, size_t);

/* The next row of a query; false: no more, or failed. */
bool row_step(struct row *);
/* Executes an INSERT or DELETE; then the parameters can be put again. */
void row_insert(struct row *);

/* Valid until the next row_step(); NULL: the database's NULL. */
const char *row_text(struct row *);
double row_number(struct row *);
int64_t row_whole(struct row *);
/* A whole number below `count`. Any other is a failure, and 0. */
int row_choice(struct row *, int count);
/* A copy, owned; NULL: no bytes. */
void *row_bytes(struct row *, size_t *size);

#endif
