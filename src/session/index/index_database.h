/* The database of an index: its file, tables and version. */
#ifndef BENCHTOP_INDEX_DATABASE_H
#define BENCHTOP_INDEX_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

/* Opens the index of the state folder, with the tables of INDEX_VERSION. NULL:
 * not possible. */
sqlite3 *index_database_open(void);
/* Closes it after a failure, and empties it if that shows damage. */
void index_database_give_up(sqlite3 *);
/* True if the statements were executed. */
bool index_database_run(sqlite3 *, const char *sql);

#endif
