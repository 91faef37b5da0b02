/* A histogram in rows of ASCII. */
#include <math.h>

#include "bins.h"
#include "print.h"

/* A row with a flagged share has 80 columns. */
enum { HISTOGRAM_ROWS = 16, HISTOGRAM_BAR = 24 };

/* What is flagged, or of the warm-up, is counted and shown beside the rest. */
static void bar(struct text *text, size_t clean, size_t flagged, size_t most)
{
	size_t ends = clean + flagged;
	size_t filled = (clean * HISTOGRAM_BAR + most - 1) / most;
	size_t length = (ends * HISTOGRAM_BAR + most - 1) / most;

	text_add_char(text, '|');
	text_pad(text, '@', filled);
	text_pad(text, '!', length - filled);
	text_pad(text, ' ', HISTOGRAM_BAR - length);
	text_add_char(text, '|');
	if (flagged)
		text_add(text, " +%zu set aside", flagged);
	text_add_char(text, '\n');
}

/* "[115.47, 115.83) ns": with the digits that tell a bin from the next. */
static void add_bin(struct text *text, const struct histogram *histogram,
	size_t bin, double scale, const char *prefix)
{
	double low = histogram_edge(histogram, bin) / scale;
	double high = histogram_edge(histogram, bin + 1) / scale;
	double digits = 1 - floor(log10(high - low));
	int decimals = (int)fmin(fmax(digits, 0), 15);

	text_add(text, "[%.*f, %.*f) %s", decimals, low, decimals, high,
		prefix);
}

/* What lies outside the bins on one side. */
static void overflow(struct text *text, const char *side, double edge,
	size_t clean, size_t flagged)
{
	text_add(text, "    %s %-18.5g %8zu", side, edge, clean);
	if (flagged)
		text_add(text, " +%zu set aside", flagged);
}

static void print_bins(const struct histogram *histogram, double scale,
	const char *prefix, struct text *text)
{
	size_t most = bins_highest(histogram);

	for (size_t i = 0; i < histogram->bins; i++) {
		struct text range = { 0 };

		add_bin(&range, histogram, i, scale, prefix);
		text_add(text, "    %-24s %8zu ", text_chars(&range),
			histogram->count[i]);
		bar(text, histogram->count[i], histogram->marked[i], most);
		text_free(&range);
	}
}

void print_histogram(const struct results *results, const struct point *point,
	unsigned metric, struct text *text)
{
	struct histogram histogram = { 0 };
	enum unit unit = results->metrics[metric].unit;
	double scale;

	bins_of(results, point, metric, HISTOGRAM_ROWS, &histogram);
	const char *prefix = unit_prefix(unit,
		histogram.bins ?
			histogram_edge(&histogram, histogram.bins / 2) :
			1,
		&scale);
	if (histogram.below || histogram.marked_below) {
		overflow(text, "below", histogram.low / scale, histogram.below,
			histogram.marked_below);
		text_add_char(text, '\n');
	}
	print_bins(&histogram, scale, prefix, text);
	if (histogram.above || histogram.marked_above) {
		overflow(text, "above",
			histogram_edge(&histogram, histogram.bins) / scale,
			histogram.above, histogram.marked_above);
		text_add(text, "  longest ");
		unit_show(text, unit, histogram.max);
		text_add_char(text, '\n');
	}
	histogram_free(&histogram);
}
