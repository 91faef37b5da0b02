/* The distribution of one metric at one point. */
#include <math.h>

#include "bins.h"
#include "digest.h"
#include "judgement.h"
#include "plot.h"
#include "plot_internal.h"
#include "regime.h"

enum {
	BINS = 60,
	TOP = 30,
	WHOLE_HEIGHT = 194,
	BODY_HEIGHT = 150,
	TAIL_HEIGHT = 124,
	AXIS_BELOW = 46, /* the axis's ticks and label */
	KEY_BELOW = 56,
	LINE = 17,
	LINES_LEFT = 4,
};

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

static const char *class_colour(unsigned class)
{
	return class == SHOWN_HEADLINE ? plot_colour[0] :
		class == SHOWN_OTHER   ? PLOT_OTHER :
					 PLOT_FLAGGED;
}

static void bars(const struct frame *frame, const struct histogram *histogram)
{
	for (size_t i = 0; i < histogram->bins; i++) {
		double low = histogram_edge(histogram, i);
		double high = histogram_edge(histogram, i + 1);
		double from = 0;

		for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
			double to = from + (double)histogram->count[c][i];

			bar(frame, low, high, from, to, class_colour(c));
			from = to;
		}
	}
}

/* A range of the axis, as a bar `at` units below the top. */
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
	if (predicted)
		stretch(frame, predicted->total.low, predicted->total.high, 8,
			PLOT_PREDICTED, "predicted");
}

/* ---- the lines below the axis ----------------------------------------- */

/* The place of the next entry. */
struct key {
	struct text *svg;
	double x, y;
};

static void entry(struct key *key, const char *colour, const char *label)
{
	enum { SWATCH = 10, SPACE = 6, GAP = 10 };

	text_add(key->svg,
		"<path d=\"M%.1f %.1fh%dv-%dh-%dz\" fill=\"%s\"/>\n", key->x,
		key->y, SWATCH, SWATCH, SWATCH, colour);
	plot_label(key->svg, key->x + SWATCH + SPACE, key->y, "start", label);
	key->x += SWATCH + SPACE + plot_text_width(label) + GAP;
}

static const char *class_word(unsigned class, enum regime regime)
{
	bool shared = class == SHOWN_HEADLINE ? regime == REGIME_SHARED :
						regime != REGIME_SHARED;

	if (class == SHOWN_EXCLUDED)
		return "excluded";
	if (class == SHOWN_HEADLINE && regime == REGIME_POOLED)
		return "trials";
	return shared ? "beside a co-runner" : "alone";
}

static void add_key(const struct frame *frame,
	const struct histogram *histogram, enum regime regime,
	const struct prediction *predicted)
{
	struct key key = { frame->svg, LINES_LEFT,
		frame->top + frame->height + KEY_BELOW };
	struct text text = { 0 };

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
		size_t count = histogram_class(histogram, c);

		text_clear(&text);
		text_add(&text, "%zu %s", count, class_word(c, regime));
		if (count)
			entry(&key, class_colour(c), text.chars);
	}
	entry(&key, plot_colour[2], "median, interval");
	if (predicted && predicted->total.high < frame->x.low)
		entry(&key, PLOT_PREDICTED, "predicted: below");
	else if (predicted && predicted->total.low > frame->x.high)
		entry(&key, PLOT_PREDICTED, "predicted: above");
	else if (predicted)
		entry(&key, PLOT_PREDICTED, "predicted");
	text_free(&text);
}

/* ": 675 trials, 1.5 % (12 alone, 663 excluded)". */
static void say_outside_bins(const size_t counts[HISTOGRAM_CLASSES],
	size_t all, enum regime regime, struct text *text)
{
	size_t sum = 0;
	const char *gap = " (";

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		sum += counts[c];
	text_add(text, ": %zu trial%s, %.2g %%", sum, sum == 1 ? "" : "s",
		(double)sum / (double)all * 100);
	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		if (counts[c]) {
			text_add(text, "%s%zu %s", gap, counts[c],
				class_word(c, regime));
			gap = ", ";
		}
	text_add_char(text, ')');
}

static void outside(const struct frame *frame,
	const struct histogram *histogram, enum regime regime, double y)
{
	struct text text = { 0 };
	enum unit unit = frame->x.unit;
	size_t all = 0;

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		all += histogram_class(histogram, c);
	if (histogram_below(histogram)) {
		text_add(&text, "below ");
		unit_show(&text, unit, frame->x.low);
		say_outside_bins(histogram->below, all, regime, &text);
		text_add(&text, ", from ");
		unit_show(&text, unit, histogram->min);
		plot_label(frame->svg, LINES_LEFT, y, "start", text.chars);
		y += LINE;
	}
	text_clear(&text);
	if (histogram_above(histogram)) {
		text_add(&text, "above ");
		unit_show(&text, unit, frame->x.high);
		say_outside_bins(histogram->above, all, regime, &text);
		text_add(&text, ", up to ");
		unit_show(&text, unit, histogram->max);
		plot_label(frame->svg, LINES_LEFT, y, "start", text.chars);
	}
	text_free(&text);
}

static double lines_height(const struct histogram *histogram)
{
	bool below = histogram_below(histogram) > 0;
	bool above = histogram_above(histogram) > 0;

	return LINE * (below + above);
}

/* ---- panels ----------------------------------------------------------- */

struct subject {
	const struct metric_info *info;
	const struct digest *digest;
	const struct prediction *predicted; /* NULL: none */
	struct text *svg;
};

static struct frame panel(const struct subject *subject,
	const struct histogram *histogram, double top, double height)
{
	struct frame frame = {
		.x = axis_over(histogram_edge(histogram, 0),
			histogram_edge(histogram, histogram->bins),
			histogram->logarithmic, subject->info->unit),
		.y = axis_over(0, (double)histogram_highest(histogram) * 1.15,
			false, UNIT_COUNT),
		.left = 64,
		.top = top + TOP,
		.width = PLOT_WIDTH - 84,
		.height = height,
		.svg = subject->svg,
	};

	plot_axis_across(&frame, subject->info->label);
	plot_axis_up(&frame, "trials");
	bars(&frame, histogram);
	marks(&frame, subject->predicted, subject->digest);
	return frame;
}

static void draw(const struct subject *subject,
	const struct histogram *body, const struct histogram *whole)
{
	double first = body ? TOP + BODY_HEIGHT + AXIS_BELOW : 0;
	double height = body ? TAIL_HEIGHT : WHOLE_HEIGHT;
	enum regime regime = subject->digest->regime;

	plot_open(subject->svg,
		first + TOP + height + KEY_BELOW + 6 + lines_height(whole),
		subject->info->label);
	if (body) {
		panel(subject, body, 0, BODY_HEIGHT);
		plot_label(subject->svg, PLOT_WIDTH - 20, TOP - 12, "end",
			"enlarged: where 95 % of the headline's trials are");
		plot_label(subject->svg, PLOT_WIDTH - 20, first + TOP - 12,
			"end", "with the tail");
	}
	struct frame frame = panel(subject, whole, first, height);
	add_key(&frame, whole, regime, subject->predicted);
	outside(&frame, whole, regime,
		first + TOP + height + KEY_BELOW + LINE);
	plot_close(subject->svg);
}

static double span(const struct histogram *histogram)
{
	return histogram_edge(histogram, histogram->bins) - histogram->low;
}

bool plot_histogram(const struct results *results, const struct point *point,
	unsigned metric, struct text *svg)
{
	enum { ENLARGED_FROM = 5 };
	struct prediction predicted = predicted_by_hand(results) ?
		results->prediction :
		point->model;
	struct histogram whole = { 0 }, body = { 0 };
	struct digest digest;

	if (!digest_of(results, point, metric, &digest))
		return false;
	/* The axis has the metric's unit; a prediction may be in cycles. */
	bool known = predicted.set && metric == 0 &&
		prediction_range(&predicted, &digest, &predicted.total);
	const struct subject subject = {
		.info = &results->metrics[metric],
		.digest = &digest,
		.predicted = known ? &predicted : NULL,
		.svg = svg,
	};
	bins_of(results, point, metric, BINS, &whole);
	bins_of_body(results, point, metric, BINS, &body);
	bool drawn = whole.bins > 0;
	bool enlarged = drawn && body.bins > 2 &&
		span(&body) * ENLARGED_FROM < span(&whole);
	if (drawn)
		draw(&subject, enlarged ? &body : NULL, &whole);
	histogram_free(&whole);
	histogram_free(&body);
	return drawn;
}
