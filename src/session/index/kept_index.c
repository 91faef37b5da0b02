/* The index of the kept sessions. */
#include "kept_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "index_database.h"
#include "index_rows.h"
#include "json_internal.h"
#include "memory.h"

struct kept_stamp {
	char chars[120]; /* "": the file is too young, or missing */
};

struct kept_index {
	const struct kept_list *list;
	struct kept_stamp *stamps; /* of the files now, owned */
	bool *fresh;        /* per session: the index has it; owned */
	bool points;        /* the reader needs points, too */
	sqlite3 *database;  /* NULL: all are read from their files */
};

/* ---- stamps ----------------------------------------------------------- */

static double seconds_of(struct timespec time)
{
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The kernel stamps changes with this clock, some file systems with that of the
 * last tick. */
static bool is_young(const struct stat *is)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	double age_s = seconds_of(now) - seconds_of(is->st_ctim);
	return age_s >= 0 && age_s < INDEX_YOUNG_MS / 1e3;
}

static void read_stamp(const char *path, struct kept_stamp *stamp)
{
	struct stat is;

	*stamp->chars = '\0';
	if (stat(path, &is) || is_young(&is))
		return;
	snprintf(stamp->chars, sizeof stamp->chars,
		"%jd %jd.%09ld %jd.%09ld %ju", (intmax_t)is.st_size,
		(intmax_t)is.st_mtim.tv_sec, is.st_mtim.tv_nsec,
		(intmax_t)is.st_ctim.tv_sec, is.st_ctim.tv_nsec,
		(uintmax_t)is.st_ino);
}

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Fills the temporary table `now` with the files of the list. */
static bool list_files(struct kept_index *index)
{
	if (!index_database_run(index->database,
		    "CREATE TEMP TABLE now(number INTEGER PRIMARY KEY, "
		    "name TEXT, stamp TEXT)"))
		return false;
	struct row row = row_begin(index->database,
		"INSERT INTO temp.now VALUES(?, ?, ?)");
	for (size_t i = 0; i < index->list->count; i++) {
		read_stamp(index->list->paths[i], &index->stamps[i]);
		row_put_whole(&row, (int64_t)i + 1);
		row_put_text(&row, name_of(index->list->paths[i]));
		row_put_text(&row, index->stamps[i].chars);
		row_insert(&row);
	}
	return row_end(&row);
}

/* Finds the sessions whose rows count. */
static bool find_fresh(struct kept_index *index, size_t *count)
{
	struct row row = row_begin(index->database,
		"SELECT number FROM temp.now CROSS JOIN sessions "
		"USING (name, stamp) WHERE has_points >= ?");

	row_put_whole(&row, index->points);
	*count = 0;
	memset(index->fresh, 0, index->list->count);
	for (; row_step(&row); ++*count)
		index->fresh[row_whole(&row) - 1] = true;
	return row_end(&row);
}

/* ---- filling ---------------------------------------------------------- */

/* Reads one file and stores its rows. A file that cannot be read is left out,
 * and the reader reports it. */
static bool store(struct kept_index *index, size_t i, size_t *stored)
{
	const char *path = index->list->paths[i];
	struct kept_points points = { 0 };
	struct kept_head head;
	int64_t id;
	bool good = true;

	if (kept_head_read(path, &head) &&
		(!index->points || kept_points_add(path, &points))) {
		good = index_put_head(index->database, name_of(path),
			       index->stamps[i].chars, &head, index->points,
			       &id) &&
			index_put_points(index->database, id, &points);
		++*stored;
	}
	kept_head_free(&head);
	kept_points_free(&points);
	return good;
}

/* One transaction. `stored` becomes INDEX_BATCH if there may be more. */
static bool fill_some(struct kept_index *index, size_t *stored)
{
	size_t count;

	*stored = 0;
	/* Another lab may have stored files since. */
	if (!find_fresh(index, &count) ||
		!index_database_run(index->database,
			"DELETE FROM sessions WHERE name NOT IN "
			"(SELECT name FROM temp.now)"))
		return false;
	for (size_t i = 0; i < index->list->count && *stored < INDEX_BATCH; i++)
		if (!index->fresh[i] && *index->stamps[i].chars &&
			!store(index, i, stored))
			return false;
	return index_database_run(index->database, "COMMIT");
}

static bool is_complete(struct kept_index *index, bool *complete)
{
	size_t count;

	*complete = false;
	if (!find_fresh(index, &count))
		return false;
	struct row row = row_begin(index->database,
		"SELECT count(*) FROM sessions");
	*complete = row_step(&row) && count == index->list->count &&
		row_whole(&row) == (int64_t)count;
	return row_end(&row);
}

/* Where no transaction can begin, because the folder is read-only or another
 * lab writes, the index stays as it is. */
static bool fill(struct kept_index *index)
{
	size_t stored = INDEX_BATCH;
	bool complete;

	if (!is_complete(index, &complete))
		return false;
	while (!complete && stored == INDEX_BATCH) {
		if (!index_database_run(index->database, "BEGIN IMMEDIATE"))
			return true;
		if (!fill_some(index, &stored))
			return false;
	}
	return true;
}

/* ---- life ------------------------------------------------------------- */

static void give_up(struct kept_index *index)
{
	index_database_give_up(index->database);
	index->database = NULL;
	memset(index->fresh, 0, index->list->count);
}

/* Updates the index, and begins a transaction that reads it. */
static void begin(const struct kept_list *list, bool points,
	struct kept_index *index)
{
	size_t count;

	json_use_memory();
	*index = (struct kept_index){
		.list = list,
		.points = points,
		.stamps = xcalloc(list->count + 1, sizeof *index->stamps),
		.fresh = xcalloc(list->count + 1, sizeof *index->fresh),
		.database = list->count ? index_database_open() : NULL,
	};
	if (index->database &&
		(!list_files(index) || !fill(index) ||
			!index_database_run(index->database, "BEGIN") ||
			!find_fresh(index, &count)))
		give_up(index);
}

static void end(struct kept_index *index)
{
	sqlite3_close(index->database);
	free(index->stamps);
	free(index->fresh);
}

/* ---- heads ------------------------------------------------------------ */

static bool take_heads(struct kept_index *index, struct kept_head *heads)
{
	struct row row = row_begin(index->database,
		"SELECT number, at, experiments, median, unit, note "
		"FROM temp.now CROSS JOIN sessions USING (name, stamp)");

	while (row_step(&row))
		index_take_head(&row, &heads[row_whole(&row) - 1]);
	return row_end(&row);
}

struct kept_head *index_heads(const struct kept_list *list)
{
	struct kept_head *heads = xcalloc(list->count + 1, sizeof *heads);
	struct kept_index index;

	begin(list, false, &index);
	if (index.database && !take_heads(&index, heads)) {
		give_up(&index);
		for (size_t i = 0; i < list->count; i++)
			kept_head_free(&heads[i]);
	}
	for (size_t i = 0; i < list->count; i++)
		if (!index.fresh[i])
			kept_head_read(list->paths[i], &heads[i]);
	end(&index);
	return heads;
}

/* ---- points ----------------------------------------------------------- */

/* The points of a machine; values that a file or `machine` lacks match. */
static struct row begin_points(struct kept_index *index,
	const struct machine *machine, const char *experiment,
	const char *metric)
{
	struct text sql = { 0 };

	text_add(&sql,
		"SELECT number, %s, surroundings.* FROM temp.now "
		"CROSS JOIN sessions USING (name, stamp) "
		"CROSS JOIN surroundings ON surroundings.session = id "
		"CROSS JOIN points ON points.session = id AND experiment = ? "
		"WHERE ifnull(metric = ?, 1) AND ifnull(host = ?, 1) "
		"AND ifnull(\"%s\" = ?, 1) "
		"ORDER BY number, place",
		index_point_columns, surrounding_name(SURROUNDING_PROCESSOR));
	struct row row = row_begin(index->database, sql.chars);
	text_free(&sql);
	row_put_text(&row, experiment);
	row_put_text(&row, metric);
	row_put_text(&row, machine->hostname);
	row_put_text(&row, *machine->cpu ? machine->cpu : NULL);
	return row;
}

/* Takes the columns behind those of the point. */
static const struct surroundings *add_surroundings(struct row *row,
	struct kept_points *points)
{
	struct surroundings *surroundings = xcalloc(1, sizeof *surroundings);

	row_whole(row); /* session */
	index_take_surroundings(row, surroundings);
	ARRAY_GROW(points->sessions, points->session_count);
	points->sessions[points->session_count++] = surroundings;
	return surroundings;
}

static void take_point(struct row *row, size_t session,
	struct kept_points *points)
{
	const struct kept_point *last =
		points->count ? &points->list[points->count - 1] : NULL;
	struct kept_point point = { .session = session };

	index_take_point(row, &point);
	point.surroundings = last && last->session == session ?
		last->surroundings :
		add_surroundings(row, points);
	ARRAY_GROW(points->list, points->count);
	points->list[points->count++] = point;
}

/* The number of the session of the next row; 0: no more. */
static size_t next_number(struct row *row)
{
	return row_step(row) ? (size_t)row_whole(row) : 0;
}

/* Adds the points of all sessions in their order, from the index or the
 * file. */
static bool read_points(struct kept_index *index, const struct machine *machine,
	const char *experiment, const char *metric, struct kept_points *points)
{
	const struct kept_list *list = index->list;
	struct row row = { .failed = true };

	if (index->database)
		row = begin_points(index, machine, experiment, metric);
	size_t number = next_number(&row);
	for (size_t i = 0; i < list->count; i++) {
		if (!index->fresh[i])
			kept_points_of(machine, experiment, metric,
				list->paths[i], i + 1, points);
		for (; number == i + 1; number = next_number(&row))
			take_point(&row, number, points);
	}
	return row_end(&row);
}

void index_points(const struct machine *machine, const char *experiment,
	const char *metric, struct kept_points *points)
{
	struct kept_list list;
	struct kept_index index;

	*points = (struct kept_points){ 0 };
	kept_list_read(&list);
	begin(&list, true, &index);
	if (!read_points(&index, machine, experiment, metric, points) &&
		index.database) {
		give_up(&index);
		kept_points_free(points);
		read_points(&index, machine, experiment, metric, points);
	}
	end(&index);
	kept_list_free(&list);
}
