/* Statements of SQLite. */
#include "index_row.h"

#include <math.h>
#include <string.h>

#include "memory.h"

struct row row_begin(sqlite3 *database, const char *sql)
{
	struct row row = { 0 };

	row.failed = sqlite3_prepare_v2(database, sql, -1, &row.statement,
			     NULL) != SQLITE_OK;
	return row;
}

bool row_end(struct row *row)
{
	sqlite3_finalize(row->statement);
	row->statement = NULL;
	return !row->failed;
}

/* ---- parameters ------------------------------------------------------- */

void row_put_text(struct row *row, const char *text)
{
	row->failed = row->failed ||
		sqlite3_bind_text(row->statement, ++row->put, text, -1,
			SQLITE_STATIC) != SQLITE_OK;
}

void row_put_number(struct row *row, double number)
{
	row->failed = row->failed ||
		sqlite3_bind_double(row->statement, ++row->put, number) !=
			SQLITE_OK;
}

void row_put_whole(struct row *row, int64_t whole)
{
	row->failed = row->failed ||
		sqlite3_bind_int64(row->statement, ++row->put, whole) !=
			SQLITE_OK;
}

void row_put_bytes(struct row *row, const void *bytes, size_t size)
{
	row->failed = row->failed ||
		sqlite3_bind_blob64(row->statement, ++row->put, bytes, size,
			SQLITE_STATIC) != SQLITE_OK;
}

/* ---- execution -------------------------------------------------------- */

bool row_step(struct row *row)
{
	int is = row->failed ? SQLITE_ERROR : sqlite3_step(row->statement);

	row->failed = is != SQLITE_ROW && is != SQLITE_DONE;
	row->take = 0;
	return is == SQLITE_ROW;
}

void row_insert(struct row *row)
{
	row_step(row);
	row->failed = row->failed || sqlite3_reset(row->statement) != SQLITE_OK;
	row->put = 0;
}

/* ---- columns ---------------------------------------------------------- */

const char *row_text(struct row *row)
{
	int at = row->take++;

	if (sqlite3_column_type(row->statement, at) == SQLITE_NULL)
		return NULL;
	/* NULL without memory. */
	const char *text =
		(const char *)sqlite3_column_text(row->statement, at);
	row->failed |= !text;
	return text;
}

double row_number(struct row *row)
{
	int at = row->take++;

	return sqlite3_column_type(row->statement, at) == SQLITE_NULL ?
		NAN :
		sqlite3_column_double(row->statement, at);
}

int64_t row_whole(struct row *row)
{
	return sqlite3_column_int64(row->statement, row->take++);
}

int row_choice(struct row *row, int count)
{
	int64_t whole = row_whole(row);
	bool is = whole >= 0 && whole < count;

	row->failed |= !is;
	return is ? (int)whole : 0;
}

void *row_bytes(struct row *row, size_t *size)
{
	int at = row->take++;
	const void *bytes = sqlite3_column_blob(row->statement, at);

	*size = bytes ? (size_t)sqlite3_column_bytes(row->statement, at) : 0;
	if (!*size)
		return NULL;
	void *copy = xmalloc(*size);
	memcpy(copy, bytes, *size);
	return copy;
}
