/* A table of points over two parameters. */
#include "print_matrix.h"

#include <math.h>

#include "columns.h"
#include "curves.h"
#include "digest.h"
#include "figure.h"
#include "print_support.h"
#include "row_marks.h"

enum { POINTS_LEAST = 17, LINES_MOST = COLUMNS_MOST - 1 };

#define COMMON 1000 /* largest ratio of the figures for one common unit */

static const struct point *point_at(const struct curves *curves, size_t line,
	double value)
{
	const struct curve *curve = &curves->lines[line];

	for (size_t i = 0; i < curve->count; i++)
		if (curves_value(curves, curves->across, curve->points[i]) ==
			value)
			return &curves->results->points[curve->points[i]];
	return NULL;
}

/* The figure whose unit all cells share; 0: each cell has its own unit. */
static double common_unit(const struct results *results)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (!digest_of(results, &results->points[i], 0, &digest) ||
			!isfinite(digest.headline))
			continue;
		least = fmin(least, digest.headline);
		most = fmax(most, digest.headline);
	}
	return least > 0 && most < COMMON * least ? sqrt(least * most) : 0;
}

static void add_cell(struct columns *table, size_t column,
	const struct results *results, const struct point *point,
	double like, unsigned *marks)
{
	struct digest digest;
	struct text text = { 0 };

	if (!point || point->state != POINT_OK ||
		!digest_of(results, point, 0, &digest)) {
		columns_cell(table, column, STYLE_PLAIN, "-");
		return;
	}
	enum unit unit = results->metrics[0].unit;
	if (like > 0 && isfinite(digest.headline))
		figure_number(&text, unit, digest.headline, like);
	else
		figure_median(&text, unit, &digest);
	const char *mark = row_mark(point, &digest, marks);
	columns_cell(table, column, STYLE_PLAIN, "%s%s", text_chars(&text),
		*mark ? mark : " ");
	text_free(&text);
}

static void fill(struct columns *table, const struct curves *curves,
	double like, unsigned *marks)
{
	const struct swept *across = &curves->params[curves->across];

	columns_add(table, across->name, COLUMN_RIGHT, 0);
	for (size_t l = 0; l < curves->line_count; l++)
		columns_add(table, curves->lines[l].label, COLUMN_RIGHT, 0);
	for (size_t i = 0; i < across->count; i++) {
		struct text value = { 0 };

		columns_row(table);
		unit_write(&value, across->unit, across->values[i]);
		columns_cell(table, 0, STYLE_PLAIN, "%s", value.chars);
		text_free(&value);
		for (size_t l = 0; l < curves->line_count; l++)
			add_cell(table, l + 1, curves->results,
				point_at(curves, l, across->values[i]), like,
				marks);
	}
}

/* States the common unit and the parameter of the columns: "4K" alone is not
 * clear. */
static void print_over(const struct curves *curves, double like,
	struct text *text)
{
	double scale;

	text_add(text, "  ");
	if (like > 0)
		text_add(text, "in %s, ",
			unit_prefix(curves->results->metrics[0].unit, like,
				&scale));
	for (size_t i = 0; i < curves->param_count; i++)
		if ((int)i != curves->across)
			text_add(text, "a column for each %s\n",
				curves->params[i].name);
}

bool print_matrix(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	struct columns table = { 0 };
	struct curves curves;
	unsigned marks = 0;
	double like = common_unit(results);

	curves_of(&curves, results->descriptor, results, NULL);
	bool fits = results->point_count >= POINTS_LEAST &&
		curves.param_count == 2 && curves.across >= 0 &&
		!curves.params[curves.across].measured &&
		curves.line_count > 1 && curves.line_count <= LINES_MOST;
	if (fits)
		fill(&table, &curves, like, &marks);
	fits = fits && columns_fit(&table, layout) >= -COLUMNS_GAP;
	if (fits) {
		print_over(&curves, like, text);
		columns_print(&table, layout, text);
		print_marks(marks, layout, text);
		print_without(results, POINT_UNAVAILABLE, layout, text);
		print_without(results, POINT_INVALID, layout, text);
	}
	columns_free(&table);
	curves_free(&curves);
	return fits;
}
