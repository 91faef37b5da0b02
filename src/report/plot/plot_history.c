/* The plot of a history. */
#include "plot_history.h"

#include <math.h>

#include "plot_internal.h"

enum { HEIGHT = 300, DOTS_FEW = 300 };

/* The number of a run on the axis. */
static double place_of(size_t run)
{
	return (double)run + 1;
}

static struct axis values(const struct history *history, size_t first)
{
	struct range range = history_range(history, first);
	double room = (range.high - range.low) / 10;

	return isnan(range.low) ?
		axis_over(0, 1, false, history->list->unit) :
		axis_over(range.low - room, range.high + room, false,
			history->list->unit);
}

static void add_run(const struct frame *frame, const struct history *history,
	size_t run, bool few)
{
	const struct kept_figure *figure = history_figure(history, run);
	double x = plot_x(frame, place_of(run));

	if (!history_counts(history, run)) {
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fl4 4m0 -4l-4 4\" stroke=\"%s\"/>\n",
			x - 2, frame->top + frame->height - 5, PLOT_FLAGGED);
		return;
	}
	if (few && figure->has_interval)
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" "
			"stroke-opacity=\".5\"/>\n",
			x, plot_y(frame, figure->interval.low),
			plot_y(frame, figure->interval.high), plot_colour[0]);
	text_add(frame->svg,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x,
		plot_y(frame, figure->median), few ? 2.2 : 1.2,
		plot_colour[0]);
}

/* A level from the run after a change, or from the beginning. */
static void add_level(const struct frame *frame, const struct history *history,
	size_t i)
{
	const struct history_stretch stretch = history_stretch(history, i);
	double from = place_of(stretch.first), to = place_of(stretch.last);

	if (to < frame->x.low)
		return;
	text_add(frame->svg,
		"<path d=\"M%.1f %.1fH%.1f\" stroke=\"%s\" "
		"stroke-width=\"1.5\"/>\n",
		plot_x(frame, from), plot_y(frame, stretch.level),
		plot_x(frame, to), plot_colour[2]);
	if (i && from > frame->x.low)
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fV%.1f\" stroke=\"currentColor\" "
			"stroke-dasharray=\"%s\"/>\n",
			plot_x(frame, from - .5), frame->top,
			frame->top + frame->height, plot_dash[1]);
}

void plot_history(const struct history *history, struct text *svg)
{
	size_t count = history->count;
	size_t first = count > PLOT_HISTORY_RUNS ? count - PLOT_HISTORY_RUNS :
						   0;
	struct frame frame = {
		.x = axis_over(place_of(first), place_of(count - 1), false,
			UNIT_COUNT),
		.y = values(history, first),
		.left = 64,
		.top = 30,
		.width = PLOT_WIDTH - 84,
		.height = HEIGHT - 76,
		.svg = svg,
	};

	plot_open(svg, HEIGHT, "the runs and their levels");
	plot_axis_across(&frame, "run");
	plot_axis_up(&frame, history->list->metric);
	for (size_t i = 0; i < history_stretches(history); i++)
		add_level(&frame, history, i);
	for (size_t i = first; i < count; i++)
		add_run(&frame, history, i, count - first <= DOTS_FEW);
	plot_close(svg);
}
