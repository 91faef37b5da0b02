/* A sweep: a line per point. */
#include "print_sweep.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "marks.h"
#include "memory_level.h"
#include "print.h"
#include "print_head.h"
#include "print_matrix.h"
#include "print_rows.h"
#include "print_support.h"
#include "row_marks.h"

enum { VALUE_MOST = 24, BAR_LEAST = 10, BAR_MOST = 32 };

void print_sweep_head(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct text what = { 0 }, setting = { 0 }, right = { 0 };

	if (results->metric_count)
		text_add(&what, "%s", results->metrics[0].label);
	say_setting(results, &setting);
	if (setting.length)
		text_add(&what, "%s%s", what.length ? ", " : "", setting.chars);
	say_processor(results, results_usual_hz(results), &right);
	if (results->launch_count) {
		text_add(&right, "%s", right.length ? ", " : "");
		say_launches(results->launch_count, &right);
	}
	if (results->took_s > 0) {
		text_add(&right, "%s", right.length ? ", " : "");
		figure_add(&right, UNIT_NS, results->took_s * 1e9, 0);
	}
	print_head(layout, results->title, text_chars(&what),
		text_chars(&right), text);
	text_free(&what);
	text_free(&setting);
	text_free(&right);
}

/* ---- columns ---------------------------------------------------------- */

/* Properties that at least one point has. */
struct seen {
	bool interval, cycles, shared, apart, level, partial;
	bool negative; /* a headline: no bars */
	double most;   /* headline; 0: none is positive */
};

static void look(struct seen *seen, const struct results *results,
	const struct point *point)
{
	struct digest digest;

	if (!digest_of(results, point, 0, &digest))
		return;
	seen->interval |= digest.summary.has_interval;
	seen->cycles |= digest.has_cycles;
	seen->shared |= digest.shared >= .0005;
	seen->apart |= results_core_apart(results, digest.core_hz);
	seen->level |= point_level(point) != NULL;
	seen->partial |= point_draws(point) < results->launch_count;
	if (!isfinite(digest.headline))
		return;
	seen->negative |= digest.headline < 0;
	seen->most = fmax(seen->most, digest.headline);
}

enum { NONE = COLUMNS_MOST };

struct sweep {
	const struct results *results;
	struct columns table;
	struct seen seen;
	size_t median, interval, cycles, at, alone, level, launches, mark;
	unsigned marks;
};

static size_t add_if(struct columns *table, bool wanted, const char *head,
	enum column_align align, unsigned drop)
{
	return wanted ? columns_add(table, head, align, drop) : NONE;
}

static bool is_number(const struct results *results, size_t param)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (*results->points[i].values[param] > '9')
			return false;
	return true;
}

/* Adds all columns except the bars. The column with the greatest number is
 * dropped first. */
static void add_columns(struct sweep *sweep)
{
	const struct results *results = sweep->results;
	const struct seen *seen = &sweep->seen;
	struct columns *table = &sweep->table;

	for (size_t i = 0; i < results->param_count; i++)
		if (results_changes(results, i))
			columns_add(table, results->param_names[i],
				is_number(results, i) ? COLUMN_RIGHT :
							COLUMN_LEFT, 0);
	sweep->median = columns_add(table, "median", COLUMN_RIGHT, 0);
	sweep->interval = add_if(table, seen->interval, "95 %", COLUMN_RIGHT,
		1);
	sweep->cycles = add_if(table, seen->cycles, "cycles", COLUMN_RIGHT, 6);
	sweep->at = add_if(table, seen->apart, "at", COLUMN_RIGHT, 5);
	sweep->alone = add_if(table, seen->shared, "alone", COLUMN_RIGHT, 2);
	sweep->launches = add_if(table, seen->partial, "launches",
		COLUMN_RIGHT, 4);
	sweep->level = add_if(table, seen->level, "level", COLUMN_LEFT, 3);
	sweep->mark = columns_add(table, "", COLUMN_LEFT, 0);
}

/* ---- rows ------------------------------------------------------------- */

/* Adds a value, cut to VALUE_MOST columns: a path may be longer than a line. */
static void add_value(struct text *text, const char *value)
{
	struct text safe = { 0 };

	text_add_safe(&safe, value, strlen(value));
	text_add_cut(text, text_chars(&safe), VALUE_MOST);
	text_free(&safe);
}

static void name_point(struct sweep *sweep, const struct point *point)
{
	const struct results *results = sweep->results;
	size_t column = 0;

	for (size_t i = 0; i < results->param_count; i++) {
		struct text value = { 0 };

		if (!results_changes(results, i))
			continue;
		add_value(&value, point->values[i]);
		columns_cell(&sweep->table, column++, STYLE_PLAIN, "%s",
			text_chars(&value));
		text_free(&value);
	}
}

static void put(struct sweep *sweep, size_t column, struct text *text)
{
	if (column != NONE)
		columns_cell(&sweep->table, column, STYLE_PLAIN, "%s",
			text_chars(text));
	text_clear(text);
}

static void add_conditions(struct sweep *sweep, const struct point *point,
	const struct digest *digest)
{
	const struct results *results = sweep->results;
	const char *level = point_level(point);
	struct text text = { 0 };

	if (results_core_apart(results, digest->core_hz))
		figure_add(&text, UNIT_HZ, digest->core_hz, 0);
	put(sweep, sweep->at, &text);
	if (digest->summary.trials)
		figure_share(&text, digest_alone(digest));
	put(sweep, sweep->alone, &text);
	text_add(&text, "%zu", point_draws(point));
	put(sweep, sweep->launches, &text);
	text_add(&text, "%s", level ? level : "");
	put(sweep, sweep->level, &text);
	text_free(&text);
}

static void add_figures(struct sweep *sweep, const struct point *point,
	const struct digest *digest)
{
	struct text text = { 0 };

	figure_median(&text, sweep->results->metrics[0].unit, digest);
	put(sweep, sweep->median, &text);
	figure_half(&text, digest_half(digest));
	text_add(&text, "%s", half_mark(digest, &sweep->marks));
	put(sweep, sweep->interval, &text);
	if (digest->has_cycles)
		figure_cycles(&text, digest->cycles.median);
	put(sweep, sweep->cycles, &text);
	text_add(&text, "%s", row_mark(point, digest, &sweep->marks));
	put(sweep, sweep->mark, &text);
	text_free(&text);
}

static void add_row(struct sweep *sweep, const struct point *point)
{
	struct digest digest = { 0 };
	struct text why = { 0 };

	columns_row(&sweep->table);
	name_point(sweep, point);
	if (point->state == POINT_UNAVAILABLE)
		text_add(&why, "unavailable: %s", point->why);
	else if (point->state == POINT_INVALID)
		text_add(&why, "invalid: %s", point->why);
	else if (!digest_of(sweep->results, point, 0, &digest))
		text_add(&why, "%s", point->why ? point->why : "not measured");
	if (why.length) {
		columns_say(&sweep->table, sweep->median, why.chars);
		text_free(&why);
		return;
	}
	add_figures(sweep, point, &digest);
	add_conditions(sweep, point, &digest);
}

/* Adds a column of bars in the room that the other columns leave. */
static void add_bars(struct sweep *sweep, const struct text_layout *layout)
{
	const struct results *results = sweep->results;
	int room = columns_fit(&sweep->table, layout);
	struct text bar = { 0 };

	if (!layout->bars || room < BAR_LEAST || sweep->seen.negative ||
		!(sweep->seen.most > 0))
		return;
	size_t column = columns_add(&sweep->table, "", COLUMN_LEFT, 7);
	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (results->points[i].state != POINT_OK ||
			!digest_of(results, &results->points[i], 0, &digest) ||
			!isfinite(digest.headline))
			continue;
		mark_bar(&bar, layout, digest.headline / sweep->seen.most,
			room < BAR_MOST ? room : BAR_MOST);
		columns_cell_of(&sweep->table, i, column, STYLE_PLAIN,
			text_chars(&bar));
		text_clear(&bar);
	}
	text_free(&bar);
}

static void print_points(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct sweep sweep = { .results = results };

	for (size_t i = 0; i < results->point_count; i++)
		look(&sweep.seen, results, &results->points[i]);
	add_columns(&sweep);
	for (size_t i = 0; i < results->point_count; i++)
		add_row(&sweep, &results->points[i]);
	add_bars(&sweep, layout);
	columns_print(&sweep.table, layout, text);
	columns_free(&sweep.table);
	print_marks(sweep.marks, layout, text);
}

/* ---- all -------------------------------------------------------------- */

/* True if any point has a figure: requests without work have no pread. */
static bool has_figure(const struct results *results, unsigned metric)
{
	struct digest digest;

	for (size_t i = 0; i < results->point_count; i++)
		if (digest_of(results, &results->points[i], metric, &digest))
			return true;
	return false;
}

/* Lists the metrics that have no column. */
static void print_more(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	for (unsigned m = 1; m < results->metric_count; m++)
		if (results->metrics[m].kind != METRIC_TRACE &&
			has_figure(results, m))
			text_add(&line, "%s%s", line.length ? "; " : "",
				results->metrics[m].label);
	if (line.length)
		text_add(&line, " (-v)");
	print_labelled(layout, "also", text_chars(&line), text);
	text_free(&line);
}

void print_sweep(const struct results *results, const struct machine *machine,
	const struct text_layout *layout, struct text *text)
{
	struct text rest = { 0 };

	print_sweep_head(results, layout, text);
	if (!results->metric_count)
		return;
	text_add_char(text, '\n');
	if (!print_no_rows(results, layout, text) &&
		!print_matrix(results, layout, text))
		print_points(results, layout, text);
	print_found_table(results, layout, &rest);
	print_predicted(results, machine, layout, &rest);
	print_found(results, NULL, layout, &rest);
	if (results_visited(results))
		print_more(results, layout, &rest);
	print_notes(results, layout, &rest);
	text_add(text, "%s%s", rest.length ? "\n" : "", text_chars(&rest));
	text_free(&rest);
}
