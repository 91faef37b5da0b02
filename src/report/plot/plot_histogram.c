/* The distribution of one metric at one point. */
#include <math.h>

#include "bins.h"
#include "judgement.h"
#include "plot.h"
#include "plot_internal.h"
#include "regime.h"

enum { BINS = 60, HEIGHT = 270 };

static void bar(const struct frame *frame, double low, double high, double from,
	double to, const char *colour)
{
	double x = plot_x(frame, low), y = plot_y(frame, to);

	if (to > from)
		text_add(frame->svg,
			"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
			"height=\"%.2f\" fill=\"%s\"/>\n",
			x, y, fmax(plot_x(frame, high) - x - .5, .5),
			plot_y(frame, from) - y, colour);
}

static void bars(const struct frame *frame, const struct histogram *histogram)
{
	const char *const colours[HISTOGRAM_CLASSES] = { plot_colour[0],
		PLOT_OTHER, PLOT_FLAGGED };

	for (size_t i = 0; i < histogram->bins; i++) {
		double low = histogram_edge(histogram, i);
		double high = histogram_edge(histogram, i + 1);
		double from = 0;

		for (int c = 0; c < HISTOGRAM_CLASSES; c++) {
			double to = from + (double)histogram->count[c][i];

			bar(frame, low, high, from, to, colours[c]);
			from = to;
		}
	}
}

/* A stretch of the axis, as a bar of so many units' height below the top. */
static void stretch(const struct frame *frame, double low, double high,
	double at, const char *colour, const char *label)
{
	double from = plot_x(frame, low), to = plot_x(frame, high);

	if (high < frame->x.low || low > frame->x.high)
		return;
	text_add(frame->svg,
		"<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"5\" "
		"fill=\"%s\" fill-opacity=\".75\"><title>%s</title></rect>\n",
		from, frame->top + at, fmax(to - from, 2), colour, label);
}

static void marks(const struct frame *frame, const struct prediction *predicted,
	const struct digest *digest)
{
	const struct summary *summary = &digest->summary;
	double x = plot_x(frame, summary->median);

	text_add(frame->svg,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" "
		"stroke-width=\"1.5\"/>\n",
		x, frame->top, x, frame->top + frame->height, plot_colour[2]);
	if (summary->has_interval)
		stretch(frame, summary->interval.low, summary->interval.high, 0,
			plot_colour[2], "95 % interval of the median");
	if (predicted->set)
		stretch(frame, predicted->total.low, predicted->total.high, 8,
			PLOT_PREDICTED, "predicted");
}

static void key(const struct frame *frame, const struct histogram *histogram,
	enum regime regime, bool predicted)
{
	struct text text = { 0 };
	size_t of[HISTOGRAM_CLASSES];
	double right = frame->left + frame->width;

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		of[c] = histogram_class(histogram, c);
	text_add(&text, "red: median and its interval");
	if (of[SHOWN_OTHER])
		text_add(&text, "; teal: %zu %s", of[SHOWN_OTHER],
			regime == REGIME_SHARED ? "alone" :
						  "beside a co-runner");
	if (of[SHOWN_EXCLUDED])
		text_add(&text, "; amber: %zu excluded", of[SHOWN_EXCLUDED]);
	if (predicted)
		text_add(&text, "; violet: predicted");
	plot_label(frame->svg, right, frame->top - 10, "end", text.chars);
	text_clear(&text);
	if (histogram_below(histogram))
		text_add(&text, "%zu below", histogram_below(histogram));
	if (histogram_above(histogram))
		text_add(&text, "%s%zu above", text.length ? ", " : "",
			histogram_above(histogram));
	if (text.length)
		plot_label(frame->svg, right, frame->top + frame->height + 34,
			"end", text.chars);
	text_free(&text);
}

bool plot_histogram(const struct results *results, const struct point *point,
	unsigned metric, struct text *svg)
{
	const struct metric_info *info = &results->metrics[metric];
	struct histogram histogram = { 0 };
	struct digest digest;

	if (!digest_of(results, point, metric, &digest))
		return false;
	bins_of(results, point, metric, BINS, &histogram);
	if (!histogram.bins) {
		histogram_free(&histogram);
		return false;
	}
	struct frame frame = {
		.x = axis_over(histogram_edge(&histogram, 0),
			histogram_edge(&histogram, histogram.bins),
			histogram.logarithmic, info->unit),
		.y = axis_over(0, (double)histogram_highest(&histogram) * 1.15,
			false, UNIT_COUNT),
		.left = 64,
		.top = 30,
		.width = PLOT_WIDTH - 84,
		.svg = svg,
		.height = HEIGHT - 76,
	};
	const struct prediction *predicted = predicted_by_hand(results) ?
		&results->prediction :
		&point->model;
	plot_open(svg, HEIGHT, info->label);
	plot_axis_across(&frame, info->label);
	plot_axis_up(&frame, "trials");
	bars(&frame, &histogram);
	marks(&frame, predicted, &digest);
	key(&frame, &histogram, digest.regime, predicted->set && metric == 0);
	plot_close(svg);
	histogram_free(&histogram);
	return true;
}
