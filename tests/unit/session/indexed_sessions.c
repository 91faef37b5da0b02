/* Kept sessions of a test program, and their index. */
#include "indexed_sessions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const struct machine here = { .hostname = "here", .cpu = "Some CPU" };

int index_prepare(void **state)
{
	int failed = make_folder(state) ||
		setenv("XDG_STATE_HOME", folder, 1);

	mkdir(in_folder("benchtop"), 0700);
	return failed;
}

int index_empty(void **state)
{
	return system("cd \"$XDG_STATE_HOME\"/benchtop && rm -rf * && "
		      "mkdir sessions");
}

/* ---- sessions --------------------------------------------------------- */

const char *kept_file(int number)
{
	char name[60];

	snprintf(name, sizeof name, "benchtop/sessions/%03d.json", number);
	return in_folder(name);
}

void keep_at(const char *path, int median, const char *host)
{
	char file[600];

	int length = snprintf(file, sizeof file,
		KEPT_BEGIN "   \"text\":\"note %d\"\n  \"hostname\":\"%s\",\n"
		"  \"cpu\":\"Some CPU\",\n  \"kernel\":\"6.%d\",\n"
		"   \"experiment\":\"mem.made\",\n    \"others\":0.25,\n"
		"     \"args\":{\"size\":\"4K\"},\n     \"metrics\":{\"t\":{\"unit\":\"ns\",\"median\":%d,"
		"\"ci\":[0.5,9.5],\"launch_medians\":[%d,7.25],"
		"\"ticks\":[]}}\n" KEPT_END,
		median, host, median, median, median);
	write_file(path, file, (size_t)length);
}

void keep(int number, int median)
{
	keep_at(kept_file(number), median, "here");
}

void age(void)
{
	const struct timespec while_ = { .tv_nsec = 2 * INDEX_YOUNG_MS *
			1000000L };

	nanosleep(&while_, NULL);
}

/* ---- readers ---------------------------------------------------------- */

/* The median as a digit; "-": the file could not be read; "?": other values of
 * the session do not agree. */
static char digit_of(const struct kept_head *head)
{
	char note[20];

	if (isnan(head->median))
		return '-';
	snprintf(note, sizeof note, "note %.0f", head->median);
	return head->experiment_count == 1 &&
			!strcmp(head->experiments[0], "mem.made") &&
			(!(head->median > 0) || !strcmp(head->note, note)) ?
		(char)('0' + (int)head->median) :
		'?';
}

void read_all(char *heads_read, char *points_read)
{
	struct kept_list list;
	struct kept_points points;

	kept_list_read(&list);
	struct kept_head *heads = index_heads(&list);
	for (size_t i = 0; i < list.count; i++) {
		heads_read[i] = digit_of(&heads[i]);
		kept_head_free(&heads[i]);
	}
	heads_read[list.count] = '\0';
	free(heads);
	kept_list_free(&list);
	index_points(&here, "mem.made", NULL, &points);
	for (size_t i = 0; i < points.count; i++) {
		const struct kept_point *point = &points.list[i];

		points_read[i] = (char)('0' + (int)point->headline.median);
		if (point->launch_count != 2 || point->launches[1] != 7.25 ||
			point->others != .25 ||
			strcmp(point->setting, "size=4K") != 0)
			points_read[i] = '?';
	}
	points_read[points.count] = '\0';
	kept_points_free(&points);
}

void assert_read(const char *wanted)
{
	char heads[200], points[200];

	read_all(heads, points);
	assert_string_equal(heads, wanted);
	assert_string_equal(points, wanted);
}

/* ---- the database ----------------------------------------------------- */

const char *index_path(void)
{
	return in_folder("benchtop/index.sqlite");
}

sqlite3 *index_open(void)
{
	sqlite3 *opened;

	assert_int_equal(sqlite3_open(index_path(), &opened), SQLITE_OK);
	assert_int_equal(sqlite3_exec(opened, "PRAGMA foreign_keys = ON", NULL,
				 NULL, NULL),
		SQLITE_OK);
	return opened;
}

void run_sql(const char *sql)
{
	sqlite3 *opened = index_open();

	assert_int_equal(sqlite3_exec(opened, sql, NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(opened);
}

int whole(const char *sql)
{
	sqlite3 *opened = index_open();
	sqlite3_stmt *statement;

	assert_int_equal(sqlite3_prepare_v2(opened, sql, -1, &statement, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	int value = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(opened);
	return value;
}

void mark_index(void)
{
	run_sql("UPDATE sessions SET median = 0; UPDATE points SET median = 0");
}

void make_three(void)
{
	keep(1, 1);
	keep(2, 2);
	keep(3, 3);
	age();
	assert_read("123");
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 3);
	assert_int_equal(whole("SELECT count(*) FROM points"), 3);
}
