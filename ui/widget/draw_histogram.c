/* Draws the columns of a histogram, its axes, and the marks on them. */
#include "draw_histogram.h"

#include <math.h>

#include "canvas.h"
#include "draw_axis.h"
#include "regime.h"

enum {
	GUTTER = 9,   /* the vertical axis including its line */
	OVERFLOW = 3, /* a blank, the column, a blank */
	BAND_ROWS = 12,
	BOX_ROWS = 7,
	LEAST_ROWS = 4,
	COUNTED = 24, /* least columns for printing the overflow's count */
};

/* Indices in summary_quantile[]. */
enum { P5 = 1, P25, P50, P75, P95 = 6 };

int histogram_room(int pane_columns)
{
	return pane_columns - GUTTER - 2 * OVERFLOW;
}

static bool has_box(const struct histogram_view *view)
{
	return view->quantile && isfinite(view->quantile[P25]) &&
		isfinite(view->quantile[P75]);
}

/* The layout of the histogram. */
struct frame {
	const struct histogram_view *view;
	struct axis values, counts;
	struct pane pane;
	struct pane plot; /* the columns of the bins */
	int bin_columns;  /* columns of one bin */
	int left;         /* columns before the first bin */
};

/* The vertical axis. A logarithmic axis starts at 0.5, so that a count of 1 is
 * visible. */
static struct axis axis_of_counts(const struct histogram_view *view)
{
	double most = (double)histogram_highest(view->histogram);

	if (view->cumulative)
		return axis_over(0, 1, false, UNIT_PERCENT);
	return axis_over(view->log_count ? .5 : 0, most, view->log_count,
		UNIT_NONE);
}

/* The column of a value: -1 left of the bins, the number of columns right of
 * them. */
static int column_of(const struct frame *frame, double value)
{
	double place = axis_place(&frame->values, value);

	if (place < 0)
		return -1;
	if (place >= 1)
		return frame->plot.columns;
	return (int)(place * frame->plot.columns);
}

/* ---- columns ---------------------------------------------------------- */

/* The appearance of a class of values, drawn in eighths of a row. Classes other
 * than the headline use whole cells where a row is full or the tier is
 * coarse. */
static const struct look {
	enum glyph whole;
	enum role role;
} looks[HISTOGRAM_CLASSES] = {
	[SHOWN_HEADLINE] = { GLYPH_FULL, ROLE_SERIES },
	[SHOWN_OTHER] = { GLYPH_SHADE_DARK, ROLE_SERIES_4 },
	[SHOWN_EXCLUDED] = { GLYPH_SHADE, ROLE_FLAGGED },
};

static void draw_cell(const struct pane *plot, int column, int row, int class,
	int eighths)
{
	enum tier tier = plot->grid->tier;
	bool coarse = tier == TIER_ASCII || tier == TIER_CONSOLE;
	const struct look *look = &looks[class];

	if (class != SHOWN_HEADLINE && (eighths >= 8 || coarse))
		pane_glyph(plot, column, row, look->whole, look->role);
	else
		pane_put(plot, column, row, glyph_eighth(tier, eighths),
			look->role);
}

/* Stacks the classes of a column. ends[] is the height at which each class
 * ends, in eighths of a row; the last is the column's height. */
static void stack(const struct frame *frame, const struct pane *plot,
	const size_t counts[HISTOGRAM_CLASSES], int ends[HISTOGRAM_CLASSES])
{
	double eighths = 8.0 * plot->rows;
	size_t sum = 0;

	for (int c = 0; c < HISTOGRAM_CLASSES; c++) {
		double place;

		sum += counts[c];
		place = axis_place(&frame->counts, (double)sum);
		ends[c] = sum ? (int)ceil(fmax(place, 0) * eighths) : 0;
	}
}

/* The class that a row shows: the class with the largest part of it. But the
 * top row shows the topmost class and the bottom row the lowest. Otherwise few
 * values of a class would be invisible. */
static int owner_of(const size_t counts[HISTOGRAM_CLASSES],
	const int ends[HISTOGRAM_CLASSES], int below)
{
	bool top = ends[HISTOGRAM_CLASSES - 1] - below <= 8, bottom = !below;
	int owner = 0, largest = -1, from = 0;

	for (int c = 0; c < HISTOGRAM_CLASSES; c++) {
		int low = from > below ? from : below;
		int high = ends[c] < below + 8 ? ends[c] : below + 8;

		from = ends[c];
		if (!counts[c])
			continue;
		if (bottom)
			return c;
		if (high - low > largest || top)
			owner = c;
		largest = high - low > largest ? high - low : largest;
	}
	return owner;
}

static void draw_column(const struct frame *frame, const struct pane *plot,
	int column, const size_t counts[HISTOGRAM_CLASSES])
{
	int ends[HISTOGRAM_CLASSES];

	stack(frame, plot, counts, ends);
	for (int row = 0; row < plot->rows; row++) {
		int below = (plot->rows - 1 - row) * 8;
		int here = ends[HISTOGRAM_CLASSES - 1] - below;

		if (here > 0)
			draw_cell(plot, column, row,
				owner_of(counts, ends, below), here);
	}
}

static void draw_columns(const struct frame *frame)
{
	const struct histogram *histogram = frame->view->histogram;

	for (size_t i = 0; i < histogram->bins; i++) {
		size_t counts[HISTOGRAM_CLASSES];

		histogram_counts(histogram, i, counts);
		for (int k = 0; k < frame->bin_columns; k++)
			draw_column(frame, &frame->plot,
				(int)i * frame->bin_columns + k, counts);
	}
}

/* The value at a place of the axis, 0 .. 1. */
static double value_at(const struct axis *axis, double place)
{
	if (!axis->logarithmic)
		return axis->low + place * (axis->high - axis->low);
	return axis->low * pow(axis->high / axis->low, place);
}

/* The share of sorted values up to `value`. The search begins at *at and
 * advances it: callers ask for ascending values. */
static double share_up_to(const struct histogram_view *view, double value,
	size_t *at)
{
	while (*at < view->sorted_count && view->sorted[*at] <= value)
		++*at;
	return (double)*at / (double)view->sorted_count;
}

/* Names the axis away from the line: at the upper left, or at the lower right
 * if the line rises early. */
static void say_share(const struct frame *frame)
{
	static const char words[] = "% of trials";
	int columns = frame->plot.columns, rows = frame->plot.rows;
	double across = (double)(sizeof words + 1) / columns;
	size_t at = 0;

	if (across > 1 || rows < 2)
		return;
	double left =
		share_up_to(frame->view, value_at(&frame->values, across), &at);
	at = 0;
	double right = share_up_to(frame->view,
		value_at(&frame->values, 1 - across), &at);
	if (left * rows < rows - 1)
		pane_chars(&frame->plot, 1, 0, ROLE_DIM, words);
	else if (right * rows > 1)
		pane_chars(&frame->plot, columns - (int)sizeof words, rows - 1,
			ROLE_DIM, words);
}

/* Draws steps at the values, accurate to a dot: a sloped line across a bin
 * would suggest values that do not exist. */
static void draw_cumulative(const struct frame *frame)
{
	const struct histogram_view *view = frame->view;
	int dots = frame->plot.columns * 2;
	struct canvas canvas;
	size_t at = 0;

	if (!view->sorted_count)
		return;
	say_share(frame);
	double share = share_up_to(view, frame->values.low, &at);
	canvas_begin(&canvas, &frame->plot);
	for (int i = 0; i < dots; i++) {
		double from = (double)i / dots, to = (double)(i + 1) / dots;
		double before = share;

		share = share_up_to(view, value_at(&frame->values, to), &at);
		canvas_line(&canvas, from, before, from, share);
		canvas_line(&canvas, from, share, to, share);
	}
	canvas_end(&canvas);
}

/* Appends the lower bound of the overflow and its count; nothing if the
 * overflow is empty. */
static void say_overflow(const struct frame *frame, struct text *text)
{
	size_t above = histogram_above(frame->view->histogram);
	double scale;

	unit_prefix(frame->view->unit, frame->values.high, &scale);
	if (!above)
		return;
	text_add(text, ">%.4g", frame->values.high / scale);
	if (frame->plot.columns >= COUNTED)
		text_add(text, ": %zu", above);
}

/* Draws a column of values outside the bins, with a mark if it is cut. */
static void draw_outside(const struct frame *frame, const struct pane *plot,
	int column, const size_t counts[HISTOGRAM_CLASSES], size_t sum)
{
	draw_column(frame, plot, column, counts);
	if ((double)sum > frame->counts.high)
		pane_glyph(plot, column, 0, GLYPH_HERE, ROLE_DIM);
}

/* Draws the columns of the values outside the bins. */
static void draw_overflow(const struct frame *frame, int axis_row)
{
	const struct histogram *histogram = frame->view->histogram;
	struct pane plot = frame->plot;
	struct pane gutter =
		pane_part(&frame->pane, 0, axis_row, GUTTER - 1, 1);
	struct text below = { 0 };

	if (frame->left) {
		pane_glyph(&frame->pane, GUTTER, axis_row + 1, GLYPH_LEFT,
			ROLE_DIM);
		text_add(&below, "%zu <", histogram_below(histogram));
		pane_right(&gutter, 0, ROLE_DIM, below.chars);
		text_free(&below);
	}
	if (frame->view->cumulative)
		return;
	plot.column -= frame->left;
	plot.columns += frame->left + OVERFLOW;
	draw_outside(frame, &plot, 0, histogram->below,
		histogram_below(histogram));
	draw_outside(frame, &plot, plot.columns - 2, histogram->above,
		histogram_above(histogram));
}

/* ---- marks ------------------------------------------------------------ */

static void draw_band_on_axis(const struct frame *frame,
	const struct range *range, const struct pane *axis)
{
	int low = column_of(frame, range->low);
	int high = column_of(frame, range->high);
	int last = frame->plot.columns - 1;

	if (high < 0) {
		pane_glyph(axis, 0, 0, GLYPH_LEFT, ROLE_PREDICTED);
		return;
	}
	if (low > last) {
		pane_glyph(axis, last, 0, GLYPH_RIGHT, ROLE_PREDICTED);
		return;
	}
	uint32_t tick = glyph_code(axis->grid->tier, GLYPH_TICK_DOWN);
	for (int i = low < 0 ? 0 : low; i <= high && i <= last; i++)
		pane_glyph(axis, i, 0,
			pane_code(axis, i, 0) == tick ? GLYPH_CROSS :
							GLYPH_BAND,
			ROLE_PREDICTED);
}

static const char *predicted_by(const struct prediction *prediction)
{
	if (prediction->by == BY_MODEL)
		return "the model predicts";
	return prediction->post_hoc ? "you, afterwards" : "you predicted";
}

/* Draws the prediction's range above the columns. Its name is inside the range
 * if it fits, otherwise beside it. */
static void draw_band_above(const struct frame *frame, const struct pane *row)
{
	const struct prediction *prediction = frame->view->prediction;
	const char *words = predicted_by(prediction);
	int low = column_of(frame, prediction->total.low);
	int high = column_of(frame, prediction->total.high);
	int last = frame->plot.columns - 1;
	int width = text_columns(words);

	if (high < 0 || low > last) {
		bool less = high < 0;
		int at = less ? 0 : last - width - 1;

		pane_glyph(row, less ? 0 : last, 0,
			less ? GLYPH_LEFT : GLYPH_RIGHT, ROLE_PREDICTED);
		pane_chars(row, at + (less ? 2 : 0), 0, ROLE_PREDICTED, words);
		return;
	}
	int from = low < 0 ? 0 : low, to = high > last ? last : high;
	for (int i = from; i <= to; i++)
		pane_glyph(row, i, 0, GLYPH_HORIZONTAL, ROLE_PREDICTED);
	if (to > from || low >= 0)
		pane_glyph(row, from, 0,
			low < 0 ? GLYPH_LEFT : GLYPH_RANGE_LEFT,
			ROLE_PREDICTED);
	if (to > from)
		pane_glyph(row, to, 0,
			high > last ? GLYPH_RIGHT : GLYPH_RANGE_RIGHT,
			ROLE_PREDICTED);
	if (to - from >= width + 3)
		pane_text(row, (from + to - width) / 2, 0, ROLE_PREDICTED,
			" %s ", words);
	else if (to + 2 + width <= last + 1)
		pane_chars(row, to + 2, 0, ROLE_PREDICTED, words);
	else if (from >= width + 1)
		pane_chars(row, from - width - 1, 0, ROLE_PREDICTED, words);
}

static void draw_interval(const struct frame *frame, const struct pane *axis)
{
	const struct interval *interval = frame->view->interval;
	int ends[2];

	if (!interval)
		return;
	ends[0] = column_of(frame, interval->low);
	ends[1] = column_of(frame, interval->high);
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0 && ends[i] < frame->plot.columns)
			pane_glyph(axis, ends[i], 0, GLYPH_HERE, ROLE_STRONG);
}

/* p5 |--[p25 # p75]--| p95 */
static void draw_box(const struct frame *frame, const struct pane *row)
{
	const double *quantile = frame->view->quantile;
	const char *legend = "p5 p25 p50 p75 p95";
	int at[P95 + 1];
	int last = frame->plot.columns - 1;

	for (int i = P5; i <= P95; i++) {
		double value = isfinite(quantile[i]) ? quantile[i] :
			i < P50                      ? quantile[P25] :
						       quantile[P75];
		int column = column_of(frame, value);

		at[i] = column < 0 ? 0 : column > last ? last : column;
	}
	for (int i = at[P5]; i <= at[P95]; i++)
		pane_glyph(row, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	if (at[P5] < at[P25])
		pane_glyph(row, at[P5], 0, GLYPH_RANGE_LEFT, ROLE_FRAME);
	if (at[P95] > at[P75])
		pane_glyph(row, at[P95], 0, GLYPH_RANGE_RIGHT, ROLE_FRAME);
	for (int i = at[P25]; i <= at[P75]; i++)
		pane_glyph(row, i, 0, GLYPH_SHADE, ROLE_SERIES);
	pane_glyph(row, at[P50], 0, GLYPH_FULL, ROLE_STRONG);
	int width = text_columns(legend);
	if (at[P95] + 2 + width <= row->columns)
		pane_chars(row, at[P95] + 2, 0, ROLE_DIM, legend);
	else if (at[P5] > width + 1)
		pane_chars(row, at[P5] - width - 1, 0, ROLE_DIM, legend);
}

/* ---- the whole histogram ---------------------------------------------- */

static bool lay_out(struct frame *frame, const struct histogram_view *view,
	const struct pane *pane)
{
	const struct histogram *histogram = view->histogram;
	int band = view->prediction && view->prediction->set &&
			pane->rows >= BAND_ROWS ?
		1 :
		0;
	int box = pane->rows >= BOX_ROWS && has_box(view) ? 1 : 0;
	int room = histogram_room(pane->columns);

	if (!histogram->bins || pane->rows < LEAST_ROWS ||
		room < (int)histogram->bins)
		return false;
	*frame = (struct frame){ .view = view, .pane = *pane };
	frame->bin_columns = room / (int)histogram->bins;
	frame->left = histogram_below(histogram) ? 2 : 0;
	frame->plot = pane_part(pane, GUTTER + frame->left, band,
		(int)histogram->bins * frame->bin_columns,
		pane->rows - band - box - 2);
	frame->values = axis_over(histogram->low,
		histogram_edge(histogram, histogram->bins),
		histogram->logarithmic, view->unit);
	frame->counts = axis_of_counts(view);
	return true;
}

/* Draws the axis of the values with its marks, and the rows below it. */
static void draw_below(const struct frame *frame, int row)
{
	const struct histogram_view *view = frame->view;
	const struct prediction *prediction = view->prediction;
	int before = GUTTER + frame->left;
	int columns = frame->plot.columns + OVERFLOW;
	struct pane axis = pane_part(&frame->pane, before, row, columns, 3);
	struct pane labels = axis;
	struct pane gutter = pane_part(&frame->pane, 0, row + 1, GUTTER - 1, 2);
	struct text overflow = { 0 };
	double scale;

	/* The axis labels end one blank before the overflow's label. */
	say_overflow(frame, &overflow);
	if (overflow.length)
		labels.columns -= text_columns(overflow.chars) + 1;
	axis_draw(&frame->values, &labels, frame->plot.columns);
	for (int i = -frame->left - 1; i < columns; i++)
		if (i < 0 || i >= labels.columns)
			pane_glyph(&frame->pane, before + i, row,
				GLYPH_HORIZONTAL, ROLE_FRAME);
	pane_right(&axis, 1, ROLE_DIM, text_chars(&overflow));
	text_free(&overflow);
	pane_glyph(&frame->pane, GUTTER - 1, row, GLYPH_BOTTOM_LEFT,
		ROLE_FRAME);
	pane_right(&gutter, 0, ROLE_DIM,
		unit_prefix(view->unit, frame->values.high, &scale));
	if (prediction && prediction->set)
		draw_band_on_axis(frame, &prediction->total, &axis);
	draw_interval(frame, &axis);
	draw_overflow(frame, row);
	if (frame->pane.rows < BOX_ROWS || !has_box(view))
		return;
	struct pane box = pane_part(&frame->pane, before, row + 2,
		frame->pane.columns - before, 1);
	pane_right(&gutter, 1, ROLE_DIM, "box");
	draw_box(frame, &box);
}

void draw_histogram(const struct histogram_view *view, const struct pane *pane)
{
	struct frame frame;

	if (!lay_out(&frame, view, pane))
		return;
	int top = frame.plot.row - pane->row;
	struct pane counts = pane_part(pane, 0, top, GUTTER, frame.plot.rows);
	if (top) {
		struct pane band = pane_part(pane, GUTTER + frame.left, 0,
			frame.plot.columns, 1);

		draw_band_above(&frame, &band);
	}
	axis_draw_upright(&frame.counts, &counts);
	if (view->cumulative)
		draw_cumulative(&frame);
	else
		draw_columns(&frame);
	draw_below(&frame, top + frame.plot.rows);
}
