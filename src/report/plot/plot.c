/* The frame of a picture, and the choice of the picture for a sweep. */
#include "plot.h"

#include <math.h>
#include <string.h>

#include "document.h"
#include "plot_internal.h"

/* Each colour has a contrast of at least 3:1 to black and to white. They remain
 * distinct with every kind of colour blindness. The screen uses the same
 * four. */
const char *const plot_colour[PLOT_COLOURS] = { "#5f87d7", "#af8700", "#d7005f",
	"#8700ff" };
const char *const plot_dash[PLOT_DASHES] = { "", "7 4", "2 3", "9 3 2 3", "1 5",
	"12 4" };

enum { GLYPH_WIDTH = 7, LINE_HEIGHT = 14 };

void plot_open(struct text *svg, double height, const char *label)
{
	text_add(svg,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d "
		"%g\" width=\"%d\" height=\"%g\" role=\"img\" "
		"font-family=\"system-ui,sans-serif\" font-size=\"12\" "
		"fill=\"currentColor\">\n<title>",
		PLOT_WIDTH, height, PLOT_WIDTH, height);
	document_escape(svg, label);
	text_add(svg, "</title>\n");
}

void plot_close(struct text *svg)
{
	text_add(svg, "</svg>\n");
}

double plot_x(const struct frame *frame, double value)
{
	double place = axis_place(&frame->x, value);

	return frame->left + fmin(fmax(place, 0), 1) * frame->width;
}

double plot_y(const struct frame *frame, double value)
{
	double place = axis_place(&frame->y, value);

	return frame->top + (1 - fmin(fmax(place, 0), 1)) * frame->height;
}

void plot_label(struct text *svg, double x, double y, const char *anchor,
	const char *chars)
{
	text_add(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	document_escape(svg, chars);
	text_add(svg, "</text>\n");
}

double plot_text_width(const char *chars)
{
	return (double)strlen(chars) * GLYPH_WIDTH;
}

/* The label of an axis with the unit of its ticks: "array size, KiB". */
static void name_axis(const char *label, const char *unit, struct text *name)
{
	text_clear(name);
	text_add(name, "%s%s%s", label, *unit ? ", " : "", unit);
}

static void line(struct text *svg, double x1, double y1, double x2, double y2,
	double opacity)
{
	text_add(svg,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" "
		"stroke-opacity=\"%.2g\"/>\n",
		x1, y1, x2, y2, opacity);
}

void plot_axis_across(const struct frame *frame, const char *label)
{
	struct text *svg = frame->svg;
	struct text name = { 0 };
	struct ticks ticks;
	double bottom = frame->top + frame->height;

	axis_ticks(&frame->x, (int)frame->width / GLYPH_WIDTH, &ticks);
	for (size_t i = 0; i < ticks.count; i++) {
		double x = plot_x(frame, ticks.list[i].value);

		line(svg, x, frame->top, x, bottom, .12);
		line(svg, x, bottom, x, bottom + 4, .8);
		/* A label that would cross the edge ends at it. */
		double half = plot_text_width(ticks.list[i].label) / 2;
		bool over = x + half > PLOT_WIDTH;
		plot_label(svg, over ? PLOT_WIDTH : x, bottom + 17,
			over ? "end" : "middle", ticks.list[i].label);
	}
	name_axis(label, ticks.unit, &name);
	plot_label(svg, frame->left + frame->width / 2, bottom + 34, "middle",
		name.chars);
	line(svg, frame->left, bottom, frame->left + frame->width, bottom, .8);
	text_free(&name);
}

void plot_axis_up(const struct frame *frame, const char *label)
{
	struct text *svg = frame->svg;
	struct text name = { 0 };
	struct ticks ticks;
	double right = frame->left + frame->width;

	axis_ticks_upright(&frame->y, (int)frame->height / LINE_HEIGHT, &ticks);
	for (size_t i = 0; i < ticks.count; i++) {
		double y = plot_y(frame, ticks.list[i].value);

		line(svg, frame->left, y, right, y, .12);
		line(svg, frame->left - 4, y, frame->left, y, .8);
		plot_label(svg, frame->left - 8, y + 4, "end",
			ticks.list[i].label);
	}
	name_axis(label, ticks.unit, &name);
	plot_label(svg, 4, frame->top - 12, "start", name.chars);
	line(svg, frame->left, frame->top, frame->left,
		frame->top + frame->height, .8);
	text_free(&name);
}

/* True if a map shows the sweep; smaller grids are easier to read as lines. */
static bool is_map(const struct curves *sweep)
{
	enum { LEAST = 5 };

	return sweep->across >= 0 && sweep->down >= 0 &&
		sweep->params[sweep->across].count >= LEAST &&
		sweep->params[sweep->down].count >= LEAST &&
		sweep->line_count == sweep->params[sweep->down].count;
}

bool plot_sweep(const struct experiment *experiment,
	const struct results *results, struct text *svg)
{
	struct curves sweep;
	bool drawn;

	curves_of(&sweep, experiment, results, NULL);
	if (is_map(&sweep))
		drawn = plot_map(&sweep, svg);
	else if (sweep.across >= 0)
		drawn = plot_lines(&sweep, svg);
	else
		drawn = plot_bars(results, svg);
	curves_free(&sweep);
	return drawn;
}
