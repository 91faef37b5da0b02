/* Draws the points of a sweep in rows, and the selected point below. */
#include <math.h>

#include "amounts.h"
#include "digest.h"
#include "draw_slider.h"
#include "draw_table.h"
#include "fit.h"
#include "quality.h"
#include "view_lab.h"

enum {
	BAR_LEAST = 6,
	LABEL_COLUMNS = 2, /* "A " */
	BELOW_LEAST = 8, /* rows for a histogram below the points */
};

/* The level of detail of a row. Detail is reduced so that the warnings at the
 * end of the row fit. */
struct saying {
	bool brief;         /* without names of parameters */
	bool precise;       /* with the interval */
	int name;           /* maximum columns of the name */
	size_t first, rows; /* the rows in view */
};

static void add_name(struct table *table, const struct results *results,
	size_t i, const struct saying *saying)
{
	const struct point *point = &results->points[i];
	struct text name = { 0 }, fitting = { 0 };

	/* The verdict calls the two points A and B. */
	if (view_is_ab(results))
		text_add(&name, "%c ", i ? 'B' : 'A');
	if (saying->brief)
		point_describe_short(results, point, &name);
	else
		point_describe(results, point, true, &name);
	fit_words(&fitting, text_chars(&name), saying->name);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&fitting));
	text_free(&name);
	text_free(&fitting);
}

static void add_median(struct table *table, const struct figures *figures,
	size_t i)
{
	const struct point_figures *row = &figures->points[i];
	enum unit unit = figures->results->metrics[0].unit;
	struct text value = { 0 };

	if (figures->results->points[i].state == POINT_UNAVAILABLE) {
		text_add(&value, "unavailable");
	} else if (row->any) {
		unit_show(&value, unit, row->median);
	} else if (isfinite(row->all)) {
		text_add_char(&value, '~');
		unit_show(&value, unit, row->all);
	}
	table_cell(table, row->any ? ROLE_STRONG : ROLE_DIM, "%s",
		text_chars(&value));
	text_free(&value);
}

/* The end of a row: the warning a reader needs to judge the figure. */
static const char *doubt_word(const struct point_figures *row, bool brief)
{
	static const char *const words[] = {
		[QUALITY_ROUGH] = "rough",
		[QUALITY_SHARED_CORE] = "shared",
		[QUALITY_NOT_ENOUGH] = "not enough",
	};

	if (!row->any && isfinite(row->all))
		return "excluded";
	if (row->trials && row->quality != QUALITY_GOOD)
		return brief ? words[row->quality] : quality_word(row->quality);
	return row->doubtful ? "see d" : "";
}

static void add_point(struct table *table, const struct figures *figures,
	size_t i, const struct saying *saying)
{
	const struct point_figures *row = &figures->points[i];
	struct text half = { 0 };

	add_name(table, figures->results, i, saying);
	add_median(table, figures, i);
	if (isfinite(row->half))
		amount_half_width(&half, row->half, row->by_cycles);
	if (saying->precise)
		table_cell(table, ROLE_DIM, "%s", text_chars(&half));
	text_free(&half);
	table_cell(table, ROLE_WARN, "%s", doubt_word(row, saying->brief));
}

static void fill(struct table *table, const struct figures *figures,
	const struct saying *saying)
{
	int label = view_is_ab(figures->results) ? LABEL_COLUMNS : 0;
	int full = saying->brief ? 0 : figures->name_columns + label;

	*table = (struct table){ .columns = saying->precise ? 4 : 3,
		.right = 1u << 1 | (saying->precise ? 1u << 2 : 0),
		.first_least = full < saying->name ? full : saying->name };
	table_cell(table, ROLE_DIM, "point");
	table_cell(table, ROLE_DIM, "median");
	if (saying->precise)
		table_cell(table, ROLE_DIM, "95 %%");
	table_cell(table, ROLE_DIM, "%s", "");
	size_t end = saying->first + saying->rows;
	for (size_t i = saying->first; i < figures->point_count && i < end; i++)
		add_point(table, figures, i, saying);
}

/* Fills the table with rows `first` onward, in the most detail that `columns`
 * hold. */
static void fill_table(struct table *table, const struct figures *figures,
	int columns, size_t first, size_t rows)
{
	struct saying sayings[] = { { false, true, columns, first, rows },
		{ true, true, columns, first, rows },
		{ true, false, columns, first, rows } };
	enum { SAYINGS = sizeof sayings / sizeof *sayings };
	int over = 0;

	for (int i = 0; i < SAYINGS; i++) {
		if (i)
			table_free(table);
		fill(table, figures, &sayings[i]);
		over = table_columns(table) - columns;
		if (over <= 0)
			return;
	}
	struct saying last = sayings[SAYINGS - 1];
	last.name = table_width(table, 0) - over;
	table_free(table);
	fill(table, figures, &last);
}

static void draw_bars(const struct figures *figures, const struct pane *pane,
	size_t first)
{
	if (pane->columns < BAR_LEAST || !(figures->most > 0))
		return;
	for (size_t i = first; i < figures->point_count; i++) {
		struct pane bar = pane_part(pane, 0, (int)(i - first) + 1,
			pane->columns, 1);
		const struct point_figures *row = &figures->points[i];

		double value = row->any ? row->median : row->all;

		if (isfinite(value))
			draw_bar(&bar, value / figures->most,
				row->any ? ROLE_SERIES : ROLE_FLAGGED);
	}
}

static void draw_points(struct screen *screen, const struct figures *figures,
	const struct pane *pane)
{
	int rows = pane->rows - 1;
	int at = (int)figures->point;
	size_t first = rows > 0 && at >= rows ? (size_t)(at - rows + 1) : 0;
	size_t count = figures->point_count;
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	struct table table;

	fill_table(&table, figures, inner.columns, first,
		rows > 0 ? (size_t)rows : 0);
	int used = draw_table(&table, &inner, 0);
	struct pane bars = pane_part(&inner, used + 2, 0,
		inner.columns - used - 2, inner.rows);
	draw_bars(figures, &bars, first);
	table_free(&table);
	for (size_t i = first; i < count && (int)(i - first) < rows; i++)
		pane_spot(pane, 0, (int)(i - first) + 1, pane->columns,
			"focus plot; point %zu", i + 1);
	int row = at - (int)first + 1;
	if (screen->focus[VIEW_LAB] == FOCUS_PLOT) {
		pane_role(pane, 0, row, used + 2, ROLE_SELECT);
		pane_cursor(pane, 1, row);
	} else {
		pane_glyph(pane, 0, row, GLYPH_CLOSED, ROLE_DIM);
	}
}

/* Draws the verdict of a run of `ab` in the row below its points. */
static bool draw_verdict(const struct figures *figures, const struct pane *pane)
{
	int row = (int)figures->point_count + 1;
	struct pane line = pane_part(pane, 1, row, -1, 1);

	if (!figures->verdict.length || row >= pane->rows)
		return false;
	pane_chars(&line, 0, 0, ROLE_STRONG, figures->verdict.chars);
	return true;
}

void view_points(struct screen *screen, const struct figures *figures,
	const struct pane *pane)
{
	const struct results *results = figures->results;
	int points = (int)figures->point_count + 1 +
		draw_verdict(figures, pane);
	int rest = pane->rows - points - 1;
	struct text name = { 0 };

	if (rest < BELOW_LEAST || !figures->any) {
		draw_points(screen, figures, pane);
		return;
	}
	struct pane table = pane_part(pane, 0, 0, pane->columns, points);
	struct pane label = pane_part(pane, 1, points, -1, 1);
	struct pane plot = pane_part(pane, 0, points + 1, pane->columns, rest);
	draw_points(screen, figures, &table);
	point_describe(results, &results->points[figures->point], true, &name);
	for (int i = 0; i < label.columns; i++)
		pane_glyph(&label, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	pane_text(&label, 1, 0, ROLE_STRONG, " %s ", text_chars(&name));
	text_free(&name);
	view_single(screen, figures, &plot);
}
