/* The points of a session in the index. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "index_rows.h"
#include "memory.h"

/* ---- writing ---------------------------------------------------------- */

static void put_figure(struct row *row, const struct kept_figure *figure)
{
	bool has = figure->has_interval;

	row_put_number(row, figure->median);
	row_put_number(row, has ? figure->interval.low : NAN);
	row_put_number(row, has ? figure->interval.high : NAN);
}

/* In the order of the table. */
static void put_point(struct row *row, int64_t id, size_t place,
	const struct kept_point *point)
{
	row_put_text(row, point->experiment);
	row_put_whole(row, id);
	row_put_whole(row, (int64_t)place);
	row_put_whole(row, (int64_t)point->run);
	row_put_whole(row, (int64_t)point->identity);
	row_put_text(row, point->started);
	row_put_text(row, point->setting);
	row_put_text(row, point->metric);
	row_put_whole(row, point->unit);
	put_figure(row, &point->headline);
	put_figure(row, &point->shared);
	row_put_whole(row, point->regime);
	row_put_bytes(row, point->launches,
		point->launch_count * sizeof *point->launches);
	row_put_number(row, point->alone);
	row_put_number(row, point->others);
	row_put_whole(row, point->quality);
	row_put_number(row, point->canary_ns);
	row_put_number(row, point->ruler_ns);
}

static bool put_surroundings(sqlite3 *database, int64_t id,
	const struct surroundings *surroundings)
{
	struct text sql = { 0 };

	text_add(&sql, "INSERT INTO surroundings VALUES(?, ?");
	for (int i = 0; i < SURROUNDINGS; i++)
		text_add(&sql, ", ?");
	text_add(&sql, ")");
	struct row row = row_begin(database, sql.chars);
	text_free(&sql);
	row_put_whole(&row, id);
	row_put_text(&row, surroundings->host);
	for (int i = 0; i < SURROUNDINGS; i++)
		row_put_text(&row, surroundings->value[i]);
	row_insert(&row);
	return row_end(&row);
}

bool index_put_points(sqlite3 *database, int64_t id,
	const struct kept_points *points)
{
	if (!points->count)
		return true;
	if (!put_surroundings(database, id, points->list->surroundings))
		return false;
	struct row row = row_begin(database,
		"INSERT INTO points VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; i < points->count; i++) {
		put_point(&row, id, i, &points->list[i]);
		row_insert(&row);
	}
	return row_end(&row);
}

/* ---- reading ---------------------------------------------------------- */

const char index_point_columns[] =
	"experiment, run, identity, started, setting, metric, points.unit, "
	"points.median, low, high, shared, shared_low, shared_high, regime, "
	"launches, alone, others, quality, canary_ns, ruler_ns";

static void take_chars(struct row *row, char *into, size_t size)
{
	const char *text = row_text(row);

	snprintf(into, size, "%s", text ? text : "");
}

static struct kept_figure take_figure(struct row *row)
{
	struct kept_figure figure = { .median = row_number(row) };
	double low = row_number(row), high = row_number(row);

	figure.has_interval = !isnan(low) && !isnan(high);
	if (figure.has_interval)
		figure.interval = (struct range){ low, high };
	return figure;
}

void index_take_point(struct row *row, struct kept_point *point)
{
	size_t bytes;

	take_chars(row, point->experiment, sizeof point->experiment);
	point->run = (size_t)row_whole(row);
	point->identity = (uint64_t)row_whole(row);
	take_chars(row, point->started, sizeof point->started);
	const char *setting = row_text(row);
	point->setting = xstrdup(setting ? setting : "");
	take_chars(row, point->metric, sizeof point->metric);
	point->unit = (enum unit)row_choice(row, UNIT_COUNTS);
	point->headline = take_figure(row);
	point->shared = take_figure(row);
	point->regime = (enum regime)row_choice(row, REGIMES);
	point->launches = row_bytes(row, &bytes);
	point->launch_count = bytes / sizeof *point->launches;
	point->alone = row_number(row);
	point->others = row_number(row);
	point->quality = (enum quality)row_choice(row, QUALITIES);
	point->canary_ns = row_number(row);
	point->ruler_ns = row_number(row);
}

void index_take_surroundings(struct row *row, struct surroundings *surroundings)
{
	const char *host = row_text(row);

	surroundings->host = host ? xstrdup(host) : NULL;
	for (int i = 0; i < SURROUNDINGS; i++) {
		const char *value = row_text(row);

		surroundings->value[i] = value ? xstrdup(value) : NULL;
	}
}
