/* Slow start: the segments of each round trip as bars, a panel per point. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "plot_internal.h"
#include "segments.h"

enum {
	PANELS = 6,
	PANEL_HEIGHT = 216,
	LEFT = 64,
	TOP = 40,
	BARS_HEIGHT = 118,
	SLOT_MOST = 72, /* limits the width of a bar if there are few rounds */
	LINE = 15,
};

struct panel {
	struct frame frame;
	const struct segments *segments;
	double slot; /* width per round */
};

static double middle_of(const struct panel *panel, size_t round)
{
	return panel->frame.left + panel->slot * ((double)round + .5);
}

/* The segments of the round if the first round's number doubled every round. */
static double doubled(const struct panel *panel, size_t round)
{
	return (double)panel->segments->in[0] * exp2((double)round);
}

/* The height of a label: above the bar, and above the dashed line if it is
 * close. */
static double label_y(const struct panel *panel, size_t round)
{
	double y = plot_y(&panel->frame, (double)panel->segments->in[round]);
	double line = doubled(panel, round);

	if (line <= panel->frame.y.high) {
		double at = plot_y(&panel->frame, line);

		if (at < y && y - at < LINE)
			y = at;
	}
	return y - 4;
}

static void bar(const struct panel *panel, size_t round)
{
	const struct frame *frame = &panel->frame;
	double count = (double)panel->segments->in[round];
	double x = middle_of(panel, round), y = plot_y(frame, count);
	double width = panel->slot * .7;
	double bottom = frame->top + frame->height;
	char label[24];

	text_add(frame->svg,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		"fill=\"%s\"/>\n",
		x - width / 2, y, width, bottom - y, plot_colour[0]);
	snprintf(label, sizeof label, "%lu", panel->segments->in[round]);
	plot_label(frame->svg, x, label_y(panel, round), "middle", label);
	snprintf(label, sizeof label, "%zu", round + 1);
	plot_label(frame->svg, x, bottom + LINE, "middle", label);
	if (round && panel->segments->in[round - 1]) {
		double growth = count / (double)panel->segments->in[round - 1];

		snprintf(label, sizeof label, "x%.*f", growth < 10, growth);
		plot_label(frame->svg, x, bottom + 2 * LINE, "middle", label);
	}
}

/* Draws the steps of a window that doubles each round, as far as they fit. */
static void doubling(const struct panel *panel)
{
	const struct frame *frame = &panel->frame;

	text_add(frame->svg, "<path d=\"");
	for (size_t i = 0; i < panel->segments->rounds; i++) {
		double from = frame->left + panel->slot * (double)i;

		if (doubled(panel, i) > frame->y.high)
			break;
		text_add(frame->svg, "%c%.1f %.1fH%.1f", i ? 'L' : 'M', from,
			plot_y(frame, doubled(panel, i)), from + panel->slot);
	}
	text_add(frame->svg,
		"\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
		"stroke-dasharray=\"5 3\"/>\n",
		plot_colour[2]);
}

static void title(const struct frame *frame, const struct results *results,
	const struct point *point)
{
	const char *ended = point_note(point, "ended");
	double x = frame->left + 16;
	struct text text = { 0 };

	point_describe(results, point, true, &text);
	if (text.length)
		plot_label(frame->svg, x, frame->top - LINE - 8, "start",
			text.chars);
	text_clear(&text);
	/* The text after the semicolon is the evidence, which the findings
	 * state. */
	if (ended) {
		text_add(&text, "slow start ended by %.*s",
			(int)strcspn(ended, ";"), ended);
		plot_label(frame->svg, x, frame->top - 8, "start", text.chars);
	}
	text_free(&text);
}

static void draw_panel(struct text *svg, const struct results *results,
	const struct point *point, const struct segments *segments, double top)
{
	double width = PLOT_WIDTH - LEFT - 84;
	struct panel panel = {
		.frame = { .y = axis_over(0, (double)segments->most * 1.2,
				   false, UNIT_COUNT),
			.left = LEFT,
			.top = top + TOP,
			.width = width,
			.height = BARS_HEIGHT,
			.svg = svg },
		.segments = segments,
		.slot = fmin(width / (double)segments->rounds, SLOT_MOST),
	};
	double bottom = top + TOP + BARS_HEIGHT;
	double end = LEFT + panel.slot * (double)segments->rounds + 8;

	panel.frame.width = end - 8 - LEFT;
	title(&panel.frame, results, point);
	plot_axis_up(&panel.frame, "segments");
	for (size_t i = 0; i < segments->rounds; i++)
		bar(&panel, i);
	doubling(&panel);
	plot_label(svg, end, bottom + LINE, "start", "round trip");
	plot_label(svg, end, bottom + 2 * LINE, "start", "growth");
	if (segments->more)
		plot_label(svg, end, bottom - 4, "start", "more follow");
}

bool plot_rounds(const struct results *results, struct text *svg)
{
	struct segments segments;
	size_t all = 0, drawn = 0;

	for (size_t p = 0; p < results->point_count; p++)
		all += segments_of(&results->points[p], &segments);
	if (!all)
		return false;
	size_t panels = all < PANELS ? all : PANELS;
	double height = (double)panels * PANEL_HEIGHT;
	plot_open(svg, height + (all > panels ? LINE : 0),
		"segments in each round trip");
	for (size_t p = 0; drawn < panels; p++)
		if (segments_of(&results->points[p], &segments))
			draw_panel(svg, results, &results->points[p],
				&segments, (double)drawn++ * PANEL_HEIGHT);
	if (all > panels)
		plot_label(svg, LEFT, height + LINE / 2., "start",
			"further points are not drawn");
	plot_close(svg);
	return true;
}
