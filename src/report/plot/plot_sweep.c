/* The points of a sweep: lines, a map, or bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "document.h"
#include "memory.h"
#include "memory_level.h"
#include "plot.h"
#include "plot_internal.h"

enum {
	HEIGHT = 340,
	NAMES_MOST = 300, /* width of names of lines and bars; longer ones are
			   * cut */
	BAR = 18,
};

struct mark plot_mark(const struct results *results, const struct point *point)
{
	struct mark mark = { 0 };
	struct digest digest;

	if (!digest_of(results, point, 0, &digest))
		return mark;
	mark.value =
		isfinite(digest.headline) ? digest.headline : digest.median_all;
	mark.drawn = isfinite(mark.value);
	mark.low = mark.high = mark.value;
	if (digest.summary.has_interval) {
		mark.low = digest.summary.interval.low;
		mark.high = digest.summary.interval.high;
	}
	return mark;
}

static void extend(struct range *range, double value)
{
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

bool plot_span(const struct results *results, struct range *span)
{
	*span = (struct range){ INFINITY, -INFINITY };
	for (size_t i = 0; i < results->point_count; i++) {
		struct mark mark = plot_mark(results, &results->points[i]);

		if (!mark.drawn)
			continue;
		extend(span, mark.low);
		extend(span, mark.high);
	}
	return span->low <= span->high;
}

static struct axis values_axis(const struct range *span, enum unit unit)
{
	bool logarithmic = span->low > 0 && span->high > 8 * span->low;

	if (logarithmic)
		return axis_over(span->low / 1.15, span->high * 1.15, true,
			unit);
	return axis_over(fmin(0, span->low), span->high * 1.08, false, unit);
}

static struct axis param_axis(const struct swept *param)
{
	double low = param->values[0], high = param->values[param->count - 1];

	if (low == 0 && param->count > 4 && high > 64 * param->values[1])
		/* Not half the value: that end would get a label. */
		return axis_over(param->values[1] / 1.9, high, true,
			param->unit);
	return axis_over(low, high, low > 0 && high > 8 * low, param->unit);
}

/* True if the value 0 is drawn at the low end of a logarithmic axis, which then
 * needs a label. */
static bool has_floor(const struct frame *frame, const struct swept *param)
{
	return frame->x.logarithmic && param->values[0] == 0;
}

static void name_zero(const struct frame *frame, const struct swept *param)
{
	if (has_floor(frame, param))
		plot_label(frame->svg, frame->left,
			frame->top + frame->height + 18, "middle", "0");
}

/* ---- lines ------------------------------------------------------------ */

static void interval(const struct frame *frame, double x,
	const struct mark *mark, const char *colour)
{
	double low = plot_y(frame, mark->low), high = plot_y(frame, mark->high);

	if (low - high < 1)
		return;
	text_add(frame->svg,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>\n", x, low, x,
		high, colour);
}

/* Draws a line and returns the height of its end. */
static double curve(const struct frame *frame, const struct curves *sweep,
	size_t line)
{
	const struct curve *points = &sweep->lines[line];
	const char *colour = plot_colour[line % PLOT_COLOURS];
	struct text path = { 0 };
	double end = NAN;

	for (size_t i = 0; i < points->count; i++) {
		size_t at = points->points[i];
		struct mark mark =
			plot_mark(sweep->results, &sweep->results->points[at]);
		double value = curves_value(sweep, sweep->across, at);
		double x = plot_x(frame, value);

		if (!mark.drawn || !isfinite(value))
			continue;
		end = plot_y(frame, mark.value);
		text_add(&path, "%s%.1f %.1f", path.length ? "L" : "M", x, end);
		interval(frame, x, &mark, colour);
		text_add(frame->svg,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" "
			"fill=\"%s\"/>\n",
			x, end, colour);
	}
	if (path.length)
		text_add(frame->svg,
			"<path d=\"%s\" fill=\"none\" stroke=\"%s\" "
			"stroke-width=\"1.6\" stroke-dasharray=\"%s\"/>\n",
			path.chars, colour, plot_dash[line % PLOT_DASHES]);
	text_free(&path);
	return end;
}

/* Cuts a name to a width, with ".." at the end. */
static void name_within(struct text *name, double width)
{
	size_t fits = (size_t)(width / plot_text_width("m"));

	if (name->length <= fits)
		return;
	/* Do not cut within a UTF-8 character. */
	while (fits && ((unsigned char)name->chars[fits] & 0xc0) == 0x80)
		fits--;
	name->chars[fits] = '\0';
	name->length = fits;
	text_add(name, "..");
}

/* Spreads the labels at the ends of lines: in their order, without overlap. */
static void spread(double *heights, const size_t *order, size_t count,
	double bottom)
{
	double apart = fmin(14, bottom / (double)(count ? count : 1));
	double limit = bottom;

	for (size_t i = count; i-- > 0;) {
		double *height = &heights[order[i]];

		*height = fmin(*height, limit);
		limit = *height - apart;
	}
}

static void end_labels(const struct frame *frame, const struct curves *sweep,
	double *heights)
{
	size_t *order = xcalloc(sweep->line_count, sizeof *order);
	size_t count = 0;

	for (size_t i = 0; i < sweep->line_count; i++) {
		size_t at = count;

		if (!isfinite(heights[i]))
			continue;
		for (; at && heights[order[at - 1]] > heights[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
		count++;
	}
	spread(heights, order, count, frame->top + frame->height);
	for (size_t i = 0; i < count; i++) {
		struct text name = { 0 };

		text_add(&name, "%s", sweep->lines[order[i]].label);
		name_within(&name, NAMES_MOST);
		plot_label(frame->svg, frame->left + frame->width + 8,
			heights[order[i]] + 4, "start", text_chars(&name));
		text_free(&name);
	}
	free(order);
}

static double widest_label(const struct curves *sweep)
{
	double widest = 0;

	for (size_t i = 0; i < sweep->line_count; i++)
		widest = fmax(widest, plot_text_width(sweep->lines[i].label));
	return fmin(widest, NAMES_MOST);
}

/* Marks where the level of memory of the first line changes, and names the
 * levels above their ranges. */
static void levels(const struct frame *frame, const struct curves *sweep)
{
	const struct curve *line = &sweep->lines[0];
	const char *before = NULL;
	double begins = frame->left, last = frame->left;

	for (size_t i = 0; i <= line->count; i++) {
		bool end = i == line->count;
		size_t at = line->points[end ? i - 1 : i];
		const char *level = point_level(&sweep->results->points[at]);
		double x = end ?
			frame->left + frame->width :
			plot_x(frame, curves_value(sweep, sweep->across, at));

		if (before && (end || !level || strcmp(level, before) != 0)) {
			double edge = end ? x : (last + x) / 2;

			plot_label(frame->svg, (begins + edge) / 2,
				frame->top + 10, "middle", before);
			if (!end)
				text_add(frame->svg,
					"<path d=\"M%.1f %.1fL%.1f %.1f\" "
					"stroke=\"currentColor\" "
					"stroke-opacity=\".5\" "
					"stroke-dasharray=\"3 4\"/>\n",
					edge, frame->top, edge,
					frame->top + frame->height);
			begins = edge;
		}
		before = level;
		last = x;
	}
}

/* Marks the knee that the run has found. */
static void mark_knee(const struct frame *frame, const struct curves *sweep)
{
	const struct finding *knee = curves_knee(sweep);

	if (!knee)
		return;
	double x = plot_x(frame, knee->value);
	text_add(frame->svg,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" "
		"stroke-opacity=\".5\" stroke-dasharray=\"3 4\"/>\n",
		x, frame->top, x, frame->top + frame->height);
	plot_label(frame->svg, x, frame->top + 24, "middle", "knee");
}

bool plot_lines(const struct curves *sweep, struct text *svg)
{
	const struct results *results = sweep->results;
	const struct swept *across = &sweep->params[sweep->across];
	const struct metric_info *metric = &results->metrics[0];
	bool labelled = sweep->line_count > 1;
	struct range span;

	if (!plot_span(results, &span))
		return false;
	struct frame frame = {
		.x = param_axis(across),
		.y = values_axis(&span, metric->unit),
		.left = 64,
		.top = 30,
		.height = HEIGHT - 76,
		.svg = svg,
		.width = PLOT_WIDTH - 84 -
			(labelled ? 8 + widest_label(sweep) : 0),
	};
	double *heights = xcalloc(sweep->line_count + 1, sizeof *heights);
	plot_open(svg, HEIGHT, metric->label);
	plot_axis_across(&frame, across->label);
	plot_axis_up(&frame, metric->label);
	name_zero(&frame, across);
	levels(&frame, sweep);
	mark_knee(&frame, sweep);
	for (size_t i = 0; i < sweep->line_count; i++)
		heights[i] = curve(&frame, sweep, i);
	if (labelled)
		end_labels(&frame, sweep, heights);
	plot_close(svg);
	free(heights);
	return true;
}

/* ---- bars ------------------------------------------------------------- */

/* Draws a dot: on a logarithmic axis the length of a bar has no meaning. */
static void dot(const struct frame *frame, double x, double y)
{
	text_add(frame->svg,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" "
		"stroke-opacity=\".2\" stroke-dasharray=\"1 3\"/>\n"
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
		frame->left, y, x, y, x, y, plot_colour[0]);
}

static void bar_row(const struct frame *frame, const struct results *results,
	size_t at, double y)
{
	const struct point *point = &results->points[at];
	struct mark mark = plot_mark(results, point);
	struct text name = { 0 };

	point_describe(results, point, true, &name);
	name_within(&name, NAMES_MOST);
	plot_label(frame->svg, frame->left - 8, y + 13, "end",
		text_chars(&name));
	text_clear(&name);
	if (mark.drawn) {
		double end = plot_x(frame, mark.value);

		if (frame->x.logarithmic)
			dot(frame, end, y + 9);
		else
			text_add(frame->svg,
				"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
				"height=\"12\" fill=\"%s\"/>\n",
				frame->left, y + 3, fmax(end - frame->left, 1),
				plot_colour[0]);
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fL%.1f %.1f\" "
			"stroke=\"currentColor\"/>\n",
			plot_x(frame, mark.low), y + 9,
			plot_x(frame, mark.high), y + 9);
		unit_show(&name, results->metrics[0].unit, mark.value);
		plot_label(frame->svg, fmax(end, plot_x(frame, mark.high)) + 6,
			y + 13, "start", name.chars);
	} else {
		plot_label(frame->svg, frame->left + 6, y + 13, "start",
			point->why ? point->why : "not measured");
	}
	text_free(&name);
}

static double widest_name(const struct results *results)
{
	struct text name = { 0 };
	double widest = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		text_clear(&name);
		point_describe(results, &results->points[i], true, &name);
		widest = fmax(widest, plot_text_width(text_chars(&name)));
	}
	text_free(&name);
	return fmin(widest, NAMES_MOST);
}

bool plot_bars(const struct results *results, struct text *svg)
{
	const struct metric_info *metric = &results->metrics[0];
	double rows = (double)results->point_count * BAR;
	struct range span;

	if (!plot_span(results, &span))
		return false;
	double left = widest_name(results) + 14;
	/* Bars begin at 0, since their length shows the value. If the largest
	 * is more than 100 times the smallest, dots on a logarithmic axis show
	 * both. */
	bool far = span.low > 0 && span.high > 100 * span.low;
	struct frame frame = {
		.x = axis_over(far ? span.low / 2 : fmin(0, span.low),
			span.high, far, metric->unit),
		.left = left,
		.top = 24,
		.width = PLOT_WIDTH - left - 100,
		.height = rows,
		.svg = svg,
	};
	plot_open(svg, rows + 76, metric->label);
	plot_axis_across(&frame, metric->label);
	for (size_t i = 0; i < results->point_count; i++)
		bar_row(&frame, results, i, frame.top + (double)i * BAR);
	plot_close(svg);
	return true;
}
