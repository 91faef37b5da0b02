/* A histogram: columns of eighths, axes, overflow, the prediction's mark. */
#include <math.h>
#include <string.h>

#include "view.h"

enum { AXIS = 9 }; /* columns of the counts' axis, its line included */

static size_t highest(const struct histogram *histogram)
{
	size_t most = 1;

	for (size_t i = 0; i < histogram->bins; i++) {
		size_t all = histogram->count[i] + histogram->marked[i];

		if (all > most)
			most = all;
	}
	return most;
}

/* A column whose lower part is clean and whose upper part is flagged. */
static void draw_column(const struct pane *plot, int column, size_t clean,
	size_t marked, size_t most)
{
	double unit = 8.0 * plot->rows / (double)most;
	int full = (int)ceil((double)(clean + marked) * unit);
	int solid = (int)round((double)clean * unit);

	for (int row = 0; row < plot->rows; row++) {
		int below = (plot->rows - 1 - row) * 8;
		int eighths = full - below;

		if (eighths <= 0)
			continue;
		bool flagged = solid - below <= 4 && marked;
		pane_put(plot, column, row,
			glyph_eighth(plot->grid->tier, eighths),
			flagged ? ROLE_FLAGGED : ROLE_SERIES);
	}
}

static void draw_count_axis(const struct pane *pane, int rows, size_t most)
{
	for (int row = 0; row < rows; row++) {
		bool tick = row == 0 || row == rows - 1 ||
			(rows > 6 && row == rows / 2);
		size_t count = most * (size_t)(rows - 1 - row) /
			(size_t)(rows > 1 ? rows - 1 : 1);

		if (tick)
			pane_text(pane, 0, row, ROLE_DIM, "%7zu", count);
		pane_glyph(pane, AXIS - 1, row,
			tick ? GLYPH_TICK_LEFT : GLYPH_VERTICAL, ROLE_FRAME);
	}
}

static void draw_value_axis(const struct histogram *histogram, enum unit unit,
	const struct pane *axis, int column_width)
{
	double scale;
	const char *prefix = unit_prefix(unit,
		histogram_edge(histogram, histogram->bins / 2), &scale);
	int columns = (int)histogram->bins * column_width;
	int last_end = -1;

	for (int i = 0; i <= columns && i < axis->columns; i++)
		pane_glyph(axis, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	for (size_t bin = 0; bin < histogram->bins; bin++) {
		int at = (int)bin * column_width;
		struct text label = { 0 };

		text_add(&label, "%.5g",
			histogram_edge(histogram, bin) / scale);
		bool fits = at > last_end + 2 &&
			at + (int)label.length + (int)strlen(prefix) + 2 <
				columns;
		if (fits) {
			pane_glyph(axis, at, 0, GLYPH_TICK_DOWN, ROLE_FRAME);
			last_end = at +
				pane_chars(axis, at, 1, ROLE_DIM, label.chars);
		}
		text_free(&label);
	}
	pane_text(axis, last_end + 1, 1, ROLE_DIM, "%s", prefix);
}

static void draw_overflow(const struct histogram *histogram, enum unit unit,
	const struct pane *plot, const struct pane *axis, int column,
	size_t most)
{
	size_t clean = histogram->above;
	size_t marked = histogram->marked_above;
	struct text label = { 0 };
	double scale;

	if (!clean && !marked)
		return;
	draw_column(plot, column, clean, marked,
		most > clean + marked ? most : clean + marked);
	unit_prefix(unit, histogram_edge(histogram, histogram->bins / 2),
		&scale);
	text_add(&label, ">%.4g",
		histogram_edge(histogram, histogram->bins) / scale);
	pane_right(axis, 1, ROLE_DIM, text_chars(&label));
	text_free(&label);
}

/* Where a value stands on the axis, -1 outside. */
static int column_of(const struct histogram *histogram, double value,
	int column_width)
{
	ptrdiff_t bin = histogram_bin(histogram, value);

	if (bin < 0 || bin >= (ptrdiff_t)histogram->bins)
		return -1;
	return (int)bin * column_width;
}

static void draw_prediction(const struct histogram *histogram,
	const struct prediction *prediction, const struct pane *row,
	int column_width)
{
	int low = column_of(histogram, prediction->total.low, column_width);
	int high = column_of(histogram, prediction->total.high, column_width);

	if (!prediction->set)
		return;
	if (low >= 0)
		pane_glyph(row, low, 0, GLYPH_BELOW, ROLE_PREDICTED);
	if (high >= 0)
		pane_glyph(row, high, 0, GLYPH_BELOW, ROLE_PREDICTED);
	int at = low >= 0 ? low : high;
	if (at >= 0)
		pane_text(row, at + 2, 0, ROLE_PREDICTED, "predicted");
	else if (prediction->total.high < histogram->low)
		pane_text(row, 0, 0, ROLE_PREDICTED, "predicted: left of this");
	else if (prediction->total.low >
		histogram_edge(histogram, histogram->bins))
		pane_right(row, 0, ROLE_PREDICTED, "predicted: right of this");
	else
		pane_text(row, 0, 0, ROLE_PREDICTED,
			"predicted: all of this and more");
}

void draw_histogram(const struct histogram *histogram, enum unit unit,
	const struct prediction *prediction, const struct pane *pane)
{
	int rows = pane->rows - 3;
	int room = pane->columns - AXIS - 3;

	if (!histogram->bins || rows < 2 || room < (int)histogram->bins)
		return;
	int width = room / (int)histogram->bins;
	struct pane mark = pane_part(pane, AXIS, 0, room, 1);
	struct pane counts = pane_part(pane, 0, 1, AXIS, rows);
	struct pane plot = pane_part(pane, AXIS, 1, pane->columns - AXIS, rows);
	struct pane axis =
		pane_part(pane, AXIS, 1 + rows, pane->columns - AXIS, 2);
	size_t most = highest(histogram);

	draw_prediction(histogram, prediction, &mark, width);
	draw_count_axis(&counts, rows, most);
	for (size_t i = 0; i < histogram->bins; i++)
		for (int k = 0; k < width; k++)
			draw_column(&plot, (int)i * width + k,
				histogram->count[i], histogram->marked[i],
				most);
	pane_glyph(pane, AXIS - 1, 1 + rows, GLYPH_BOTTOM_LEFT, ROLE_FRAME);
	draw_value_axis(histogram, unit, &axis, width);
	draw_overflow(histogram, unit, &plot, &axis, plot.columns - 2, most);
}
