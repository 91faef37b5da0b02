/* Kept sessions of a test program, and their index. */
#ifndef BENCHTOP_INDEXED_SESSIONS_H
#define BENCHTOP_INDEXED_SESSIONS_H

#include <sqlite3.h>

#include "kept_index.h"
#include "session_folder.h"

extern const struct machine here;

/* Makes the state folder; empties it. */
int index_prepare(void **state);
int index_empty(void **state);

/* The path of a session, valid until the next call. */
const char *kept_file(int number);
/* Writes a session of one point with this median, in place. All medians of one
 * digit give files of the same size. */
void keep_at(const char *path, int median, const char *host);
void keep(int number, int median);
/* Waits until no file is young. */
void age(void);

/* Reads the sessions as a user does: a character for each head and each point,
 * its median. "-": the file could not be read; "?": other values of the session
 * do not agree. */
void read_all(char *heads, char *points);
void assert_read(const char *wanted);

const char *index_path(void);
sqlite3 *index_open(void);
void run_sql(const char *sql);
/* The first column of the first row. */
int whole(const char *sql);
/* Sets the medians in the index to 0, so that its use is visible. */
void mark_index(void);
/* Sessions 1, 2 and 3 with these medians, and their index. */
void make_three(void);

#endif
