/* A trace as pairs: the cost of each step over its place or time. */
#include <math.h>

#include "plot.h"
#include "plot_internal.h"

enum { HEIGHT = 300, DOTS_MOST = 4000, DOTS_FEW = 300 };

/* The points of a trace from one visit. */
struct piece {
	const struct trace_point *list;
	size_t count;
};

static struct piece first_visit(const struct series *series)
{
	const struct trace_point *list = series->trace.data;
	size_t count = 0;

	while (count < series->trace.count &&
		list[count].visit == list[0].visit)
		count++;
	return (struct piece){ list, count };
}

static void spans(const struct piece *piece, struct range *x, struct range *y)
{
	*x = *y = (struct range){ INFINITY, -INFINITY };
	for (size_t i = 0; i < piece->count; i++) {
		x->low = fmin(x->low, piece->list[i].x);
		x->high = fmax(x->high, piece->list[i].x);
		y->low = fmin(y->low, piece->list[i].y);
		y->high = fmax(y->high, piece->list[i].y);
	}
}

/* The highest point of a stretch. With many points only this one is drawn,
 * since a trace is read for its peaks. */
static size_t highest(const struct piece *piece, size_t from, size_t step)
{
	size_t best = from;

	for (size_t k = from; k < from + step && k < piece->count; k++)
		if (piece->list[k].y > piece->list[best].y)
			best = k;
	return best;
}

static void dots(const struct frame *frame, const struct piece *piece)
{
	size_t step = piece->count / DOTS_MOST + 1;

	for (size_t i = 0; i < piece->count; i += step) {
		size_t best = highest(piece, i, step);

		text_add(frame->svg,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" "
			"fill=\"%s\"/>\n",
			plot_x(frame, piece->list[best].x),
			plot_y(frame, piece->list[best].y),
			piece->count < DOTS_FEW ? 2.2 : 1.4, plot_colour[0]);
	}
}

static struct axis values(const struct range *range, enum unit unit)
{
	if (range->low > 0 && range->high > 8 * range->low)
		return axis_over(range->low / 1.15, range->high * 1.15, true,
			unit);
	return axis_over(fmin(0, range->low), range->high * 1.08, false, unit);
}

bool plot_trace(const struct experiment *experiment,
	const struct results *results, const struct point *point,
	unsigned metric, struct text *svg)
{
	const struct metric_info *info = &results->metrics[metric];
	const struct metric *row =
		experiment ? metric_row(experiment->metrics, info->name) : NULL;
	struct piece piece = first_visit(&point->series[metric]);
	struct range x, y;

	if (!piece.count)
		return false;
	spans(&piece, &x, &y);
	/* Sizes have a logarithmic axis, times and numbers a linear one. */
	bool sizes = row && row->across_unit == UNIT_BYTES && x.low > 0 &&
		x.high > 8 * x.low;
	struct frame frame = {
		.x = axis_over(x.low, x.high, sizes,
			row ? row->across_unit : UNIT_NONE),
		.y = values(&y, info->unit),
		.left = 64,
		.top = 30,
		.width = PLOT_WIDTH - 84,
		.height = HEIGHT - 76,
		.svg = svg,
	};
	plot_open(svg, HEIGHT, info->label);
	plot_axis_across(&frame,
		row && row->across ? row->across : "in recorded order");
	plot_axis_up(&frame, info->label);
	dots(&frame, &piece);
	plot_close(svg);
	return true;
}
