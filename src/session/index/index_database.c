/* The database of an index. */
#include "index_database.h"

#include <stdlib.h>

#include "file.h"
#include "file_open.h"
#include "index_row.h"
#include "kept_index.h"

/* The cache has room for a batch. */
static const char settings[] = "PRAGMA foreign_keys = ON;"
	"PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;";

/* The points are in the order of histories. */
static const char tables[] =
	"CREATE TABLE IF NOT EXISTS sessions(id INTEGER PRIMARY KEY,"
	" name TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL,"
	" at TEXT NOT NULL, experiments TEXT NOT NULL, median REAL,"
	" unit INTEGER NOT NULL, note TEXT, has_points INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS points(experiment TEXT NOT NULL,"
	" session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,"
	" place INTEGER NOT NULL, run INTEGER NOT NULL,"
	" identity INTEGER NOT NULL,"
	" started TEXT NOT NULL, setting TEXT NOT NULL,"
	" metric TEXT NOT NULL, unit INTEGER NOT NULL, median REAL,"
	" low REAL, high REAL, shared REAL, shared_low REAL,"
	" shared_high REAL, regime INTEGER NOT NULL, launches BLOB,"
	" alone REAL, others REAL, quality INTEGER NOT NULL, canary_ns REAL,"
	" ruler_ns REAL, PRIMARY KEY (experiment, session, place))"
	" WITHOUT ROWID;"
	"CREATE INDEX IF NOT EXISTS points_of ON points(session);";

bool index_database_run(sqlite3 *database, const char *sql)
{
	return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- version ---------------------------------------------------------- */

/* After a failure: is the content the reason? Others are a lock, a disk, a
 * permission, memory. */
static bool is_damaged(sqlite3 *database)
{
	static const int others[] = { SQLITE_BUSY, SQLITE_LOCKED,
		SQLITE_PROTOCOL, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN,
		SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY, SQLITE_NOMEM };
	int code = sqlite3_errcode(database);

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (code == others[i])
			return false;
	return true;
}

/* 0: the file is new. */
static bool read_version(sqlite3 *database, int64_t *version)
{
	struct row row = row_begin(database, "PRAGMA user_version");

	*version = row_step(&row) ? row_whole(&row) : 0;
	return row_end(&row);
}

/* Empties the database, also a damaged one, as the manual of sqlite3_db_config
 * describes (SQLITE_DBCONFIG_RESET_DATABASE). The file stays the same, because
 * other labs may have locked it. */
static bool empty(sqlite3 *database)
{
	int64_t version;

	read_version(database, &version); /* reads the schema */
	sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, 1, NULL);
	bool is_empty = index_database_run(database, "VACUUM");
	sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, 0, NULL);
	return is_empty;
}

static void add_surroundings_table(struct text *sql)
{
	text_add(sql,
		"CREATE TABLE IF NOT EXISTS surroundings(session INTEGER "
		"PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, host TEXT");
	for (int i = 0; i < SURROUNDINGS; i++)
		text_add(sql, ", \"%s\" TEXT",
			surrounding_name((enum surrounding)i));
	text_add(sql, ");");
}

static bool make_tables(sqlite3 *database)
{
	struct text sql = { 0 };

	text_add(&sql, "BEGIN IMMEDIATE; %s", tables);
	add_surroundings_table(&sql);
	text_add(&sql, "PRAGMA user_version = %d; COMMIT;", INDEX_VERSION);
	bool made = index_database_run(database, sql.chars);
	text_free(&sql);
	return made;
}

/* ---- the file --------------------------------------------------------- */

static bool prepare(sqlite3 *database)
{
	int64_t version;

	sqlite3_busy_timeout(database, INDEX_WAIT_MS);
	if (!read_version(database, &version)) {
		if (!is_damaged(database))
			return false;
		version = -1;
	}
	if (version != 0 && version != INDEX_VERSION && !empty(database))
		return false;
	return (version == INDEX_VERSION || make_tables(database)) &&
		index_database_run(database, settings);
}

static sqlite3 *open_file(const char *path)
{
	sqlite3 *database = NULL;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
		SQLITE_OPEN_NOMUTEX;

	if (sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK &&
		prepare(database))
		return database;
	sqlite3_close(database);
	return NULL;
}

/* SQLite opens these beside the index, and would wait for the writer of a named
 * pipe. */
static const char *const endings[] = { "", "-journal", "-wal", "-shm" };

/* Sets the path of the index. False, with the path of a file that is not
 * regular: SQLite must not open the index. */
static bool find_file(const char *folder, struct text *path)
{
	for (size_t i = sizeof endings / sizeof *endings; i--;) {
		text_clear(path);
		text_add(path, "%s/index.sqlite%s", folder, endings[i]);
		if (!file_is_own(path->chars))
			return false;
	}
	return true;
}

sqlite3 *index_database_open(void)
{
	char *folder = folder_state_path();
	struct text path = { 0 };
	sqlite3 *database = NULL;

	if (folder && find_file(folder, &path))
		database = open_file(path.chars);
	text_free(&path);
	free(folder);
	return database;
}

void index_remark(struct text *remark)
{
	char *folder = folder_state_path();
	struct text path = { 0 };

	if (folder && !find_file(folder, &path)) {
		text_add_safe(remark, path.chars, path.length);
		text_add(remark,
			" is not a regular file, so the sessions are read "
			"without their index: remove it\n");
	}
	text_free(&path);
	free(folder);
}

void index_database_give_up(sqlite3 *database)
{
	if (is_damaged(database)) {
		index_database_run(database, "ROLLBACK");
		empty(database);
	}
	sqlite3_close(database);
}
