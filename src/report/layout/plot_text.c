/* Curves drawn in quarters of character cells. */
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>

#include "axis.h"
#include "marks.h"
#include "memory.h"

enum { LABEL = 7, ROWS = 9, COLUMNS_MOST = 96 };

#define LOGARITHMIC 4 /* an axis with at least this ratio of its ends is
		       * logarithmic */

struct plot {
	const struct text_layout *layout;
	struct axis x, y;
	int columns;
	unsigned char *quarters; /* per cell, row by row */
};

static struct axis axis_of(const double *values, size_t count, enum unit unit)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return axis_over(low, high, low > 0 && high > LOGARITHMIC * low, unit);
}

/* ---- the curve -------------------------------------------------------- */

static void set(struct plot *plot, int across, int up)
{
	int row = ROWS - 1 - up / 2;
	unsigned char *cell =
		&plot->quarters[row * plot->columns + across / 2];

	*cell |= (unsigned char)((across % 2 ? 2 : 1) << (up % 2 ? 0 : 2));
}

/* The height of the curve at a place, 0 to 1; straight between two points on
 * the axes. */
static double height_at(const struct plot *plot, const double *x,
	const double *y, size_t count, double place)
{
	size_t i = 1;

	while (i + 1 < count && axis_place(&plot->x, x[i]) < place)
		i++;
	double left = axis_place(&plot->x, x[i - 1]);
	double right = axis_place(&plot->x, x[i]);
	double below = axis_place(&plot->y, y[i - 1]);
	double above = axis_place(&plot->y, y[i]);
	double part = right > left ? (place - left) / (right - left) : 0;

	/* Values beyond the limits of an axis are at its ends. */
	below += fmin(fmax(part, 0), 1) * (above - below);
	return fmin(fmax(below, 0), 1);
}

static void draw(struct plot *plot, const double *x, const double *y,
	size_t count)
{
	int last = -1;

	for (int i = 0; i < 2 * plot->columns; i++) {
		double place = i / (2. * plot->columns - 1);
		int up = (int)lround(
			height_at(plot, x, y, count, place) * (2 * ROWS - 1));
		int from = last < 0 || last == up ? up :
			last < up		  ? last + 1 :
						    last - 1;

		for (int at = from; at != up; at += from < up ? 1 : -1)
			set(plot, i, at);
		set(plot, i, up);
		last = up;
	}
}

/* ---- lines ------------------------------------------------------------ */

static const char *label_of(const struct plot *plot, const struct ticks *ticks,
	int row)
{
	for (size_t i = 0; i < ticks->count; i++)
		if (axis_cell(&plot->y, ticks->list[i].value, ROWS) ==
			ROWS - 1 - row)
			return ticks->list[i].label;
	return NULL;
}

static void print_rows_of(const struct plot *plot, struct text *text)
{
	bool utf8 = plot->layout->utf8;
	struct ticks ticks;

	axis_ticks_upright(&plot->y, 2 * ROWS, &ticks);
	if (*ticks.unit)
		text_add(text, "%*s\n", LABEL, ticks.unit);
	for (int row = 0; row < ROWS; row++) {
		const char *label = label_of(plot, &ticks, row);

		text_add(text, "%*s %s", LABEL, label ? label : "",
			utf8  ? label ? "\u2524" : "\u2502" :
			label ? "+" :
				"|");
		for (int i = 0; i < plot->columns; i++)
			mark_quarters(text, plot->layout,
				plot->quarters[row * plot->columns + i]);
		text_trim(text);
		text_add_char(text, '\n');
	}
}

/* Prints the horizontal axis: a line with a notch per label, then the
 * labels. */
static void print_bottom(const struct plot *plot, struct text *text)
{
	bool utf8 = plot->layout->utf8;
	struct ticks ticks;
	size_t next = 0;

	axis_ticks(&plot->x, plot->columns, &ticks);
	text_add(text, "%*s %s", LABEL, "", utf8 ? "\u2514" : "+");
	for (int i = 0; i < plot->columns; i++) {
		bool notch = next < ticks.count &&
			axis_cell(&plot->x, ticks.list[next].value,
				plot->columns) == i;

		next += notch;
		text_add(text, "%s",
			utf8  ? notch ? "\u252c" : "\u2500" :
			notch ? "+" :
				"-");
	}
	text_add_char(text, '\n');
	mark_labels(text, plot->layout, &plot->x, &ticks, LABEL + 2,
		plot->columns);
}

void plot_text(const struct text_layout *layout, const double *x,
	const double *y, size_t count, enum unit across, enum unit unit,
	struct text *text)
{
	struct plot plot = { .layout = layout };

	if (count < 2 || !layout->bars)
		return;
	plot.x = axis_of(x, count, across);
	plot.y = axis_of(y, count, unit);
	plot.columns = layout->width - LABEL - 3;
	if (plot.columns > COLUMNS_MOST)
		plot.columns = COLUMNS_MOST;
	plot.quarters = xcalloc((size_t)(ROWS * plot.columns), 1);
	draw(&plot, x, y, count);
	print_rows_of(&plot, text);
	print_bottom(&plot, text);
	free(plot.quarters);
}
