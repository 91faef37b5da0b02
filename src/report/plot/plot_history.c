/* The plot of a history. */
#include "plot_history.h"

#include <math.h>

#include "plot_internal.h"

enum { HEIGHT = 300, HEIGHT_LOW = 180 };

struct view {
	const struct history *history;
	enum history_what what;
	size_t first; /* run that is drawn */
	struct frame frame;
};

/* The number of a run on the axis. */
static double place_of(size_t run)
{
	return (double)run + 1;
}

static struct axis values(const struct view *view)
{
	enum unit unit = history_unit(view->history, view->what);
	struct range range =
		history_range(view->history, view->what, view->first);
	double room = (range.high - range.low) / 10;

	return isnan(range.low) ?
		axis_over(0, 1, false, unit) :
		axis_over(range.low - room, range.high + room, false, unit);
}

static void add_run(const struct view *view, size_t run, bool few)
{
	const struct frame *frame = &view->frame;
	const struct kept_figure *figure = history_figure(view->history, run);
	double value = history_value(view->history, view->what, run);
	double x = plot_x(frame, place_of(run));

	if (isnan(value)) {
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fl4 4m0 -4l-4 4\" stroke=\"%s\"/>\n",
			x - 2, frame->top + frame->height - 5, PLOT_FLAGGED);
		return;
	}
	if (few && view->what == HISTORY_FIGURE && figure->has_interval)
		text_add(frame->svg,
			"<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" "
			"stroke-opacity=\".5\"/>\n",
			x, plot_y(frame, figure->interval.low),
			plot_y(frame, figure->interval.high), plot_colour[0]);
	text_add(frame->svg,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x,
		plot_y(frame, value), few ? 2.2 : 1.2,
		plot_colour[0]);
}

/* A level from the run after a change, or from the beginning. */
static void add_level(const struct view *view, size_t i)
{
	const struct frame *frame = &view->frame;
	const struct history_stretch stretch =
		history_stretch(view->history, view->what, i);
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

void plot_history(const struct history *history, enum history_what what,
	struct text *svg)
{
	size_t count = history->count;
	bool is_figure = what == HISTORY_FIGURE;
	int height = is_figure ? HEIGHT : HEIGHT_LOW;
	struct view view = {
		.history = history,
		.what = what,
		.first = count > PLOT_HISTORY_RUNS ? count - PLOT_HISTORY_RUNS :
						     0,
	};

	view.frame = (struct frame){
		.x = axis_over(place_of(view.first), place_of(count - 1), false,
			UNIT_COUNT),
		.y = values(&view),
		.left = 64,
		.top = 30,
		.width = PLOT_WIDTH - 84,
		.height = height - 76,
		.svg = svg,
	};
	plot_open(svg, height,
		is_figure ? "the runs and their levels" :
			    "the machine in the same runs");
	plot_axis_across(&view.frame, "run");
	plot_axis_up(&view.frame, history_name(history, what));
	for (size_t i = 0; i < history_stretches(history, what); i++)
		add_level(&view, i);
	for (size_t i = view.first; i < count; i++)
		add_run(&view, i, count <= PLOT_HISTORY_INTERVALS);
	plot_close(svg);
}
