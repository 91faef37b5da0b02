/* A range of values as a line of characters. */
#include "text_axis.h"

#include <math.h>

/* ---- the range -------------------------------------------------------- */

/* Possible ends of the axis above 1, and their approximate reciprocals below
 * 1. */
static const double steps[] = { 1.003, 1.01, 1.02, 1.05, 1.1, 1.2, 1.4, 2, 4,
	10, 100 };
static const double below[] = { .997, .99, .98, .95, .9, .8, .7, .5, .25, .1,
	.01 };
enum { STEPS = sizeof steps / sizeof *steps };

struct text_axis text_axis_ratios(double low, double high, int columns,
	bool utf8)
{
	int i = 0;

	while (i < STEPS - 1 && (steps[i] < high || below[i] > low))
		i++;
	return (struct text_axis){ below[i], steps[i], columns, utf8 };
}

/* The ends are a little outside of all figures, so that small noise does not
 * fill the axis. */
struct text_axis text_axis_figures(double low, double high, enum unit unit,
	int columns, bool utf8)
{
	static const double around = .03;
	double scale, first = low * (1 - around), last = high * (1 + around);

	unit_prefix(unit, high, &scale);
	double step = scale * pow(10, floor(log10(first / scale)) - 1);
	return (struct text_axis){ floor(first / step) * step,
		ceil(last / step) * step, columns, utf8 };
}

/* The column of a value; -1 or `columns` beyond an end. */
static int column_of(const struct text_axis *axis, double value)
{
	double share = log(value / axis->low) / log(axis->high / axis->low);

	if (!(share >= 0))
		return -1;
	if (share > 1)
		return axis->columns;
	return (int)lround(share * (axis->columns - 1));
}

static int clamp_column(const struct text_axis *axis, int column)
{
	return column < 0               ? 0 :
		column >= axis->columns ? axis->columns - 1 :
					  column;
}

/* ---- drawing ---------------------------------------------------------- */

enum cell { BLANK, LINE, THICK, ONE, CROSS, BLOCK, BELOW, ABOVE };

static void add_cell(const struct text_axis *axis, enum cell cell,
	struct text *text)
{
	static const char *const plain[] = { " ", "-", "=", "|", "+", "#", "<",
		">" };
	static const char *const utf8[] = { " ", "\u2500", "\u2501", "\u2502",
		"\u253c", "\u2588", "<", ">" };

	text_add(text, "%s", (axis->utf8 ? utf8 : plain)[cell]);
}

static enum cell centre_cell(const struct text_axis *axis, int centre)
{
	return centre < 0                ? BELOW :
		centre >= axis->columns ? ABOVE :
					  BLOCK;
}

struct cells {
	enum cell around, interval, one;
};

static void draw(const struct text_axis *axis, const struct axis_mark *mark,
	const struct cells *cells, struct text *text)
{
	int one = column_of(axis, 1), centre = column_of(axis, mark->centre);
	bool wide = isfinite(mark->low) && isfinite(mark->high);
	int low = wide ? column_of(axis, mark->low) : centre;
	int high = wide ? column_of(axis, mark->high) : centre;
	int at = clamp_column(axis, centre);

	for (int i = 0; i < axis->columns; i++) {
		enum cell cell = i >= low && i <= high ? cells->interval :
			i == one                       ? cells->one :
							 cells->around;

		add_cell(axis, i == at ? centre_cell(axis, centre) : cell,
			text);
	}
}

void text_axis_interval(const struct text_axis *axis,
	const struct axis_mark *mark, struct text *text)
{
	static const struct cells cells = { BLANK, LINE, ONE };

	draw(axis, mark, &cells, text);
}

void text_axis_point(const struct text_axis *axis, double value,
	struct text *text)
{
	static const struct cells cells = { BLANK, LINE, BLANK };
	const struct axis_mark mark = { NAN, value, NAN };

	draw(axis, &mark, &cells, text);
	text_trim(text);
}

void text_axis_line(const struct text_axis *axis, const struct axis_mark *mark,
	struct text *text)
{
	static const struct cells cells = { LINE, THICK, CROSS };

	text_add(text, "%.4g ", axis->low);
	draw(axis, mark, &cells, text);
	text_add(text, " %.4g", axis->high);
}

static void add_line(const struct text_axis *axis, int count, struct text *text)
{
	if (count > 0)
		text_add_char(text, ' ');
	for (int i = 2; i < count; i++)
		add_cell(axis, LINE, text);
	if (count > 1)
		text_add_char(text, ' ');
}

void text_axis_head(const struct text_axis *axis, struct text *text)
{
	struct text low = { 0 }, high = { 0 };

	text_add(&low, "%.4g", axis->low);
	text_add(&high, "%.4g", axis->high);
	int first = (int)low.length, last = (int)high.length;
	int one = column_of(axis, 1), before = one - first;
	int after = axis->columns - one - 1 - last;
	text_add(text, "%s", low.chars);
	if (before > 0 && after > 0) {
		add_line(axis, before, text);
		text_add_char(text, '1');
		add_line(axis, after, text);
	} else {
		add_line(axis, axis->columns - first - last, text);
	}
	text_add(text, "%s", high.chars);
	text_free(&low);
	text_free(&high);
}

void text_axis_figures_head(const struct text_axis *axis, enum unit unit,
	struct text *text)
{
	struct text low = { 0 }, high = { 0 };
	double scale;
	const char *prefix = unit_prefix(unit, axis->high, &scale);

	text_add(&low, "%.4g", axis->low / scale);
	text_add(&high, "%.4g%s%s", axis->high / scale, *prefix ? " " : "",
		prefix);
	text_add(text, "%s", low.chars);
	add_line(axis, axis->columns - (int)low.length - (int)high.length,
		text);
	text_add(text, "%s", high.chars);
	text_free(&low);
	text_free(&high);
}
