/* A histogram as rows of ASCII. */
#include <math.h>

#include "bins.h"
#include "digest.h"
#include "print.h"
#include "regime.h"

enum { HISTOGRAM_ROWS = 16, HISTOGRAM_BAR = 22, RANGE = 24, COUNT = 8 };

/* A column of counts for each class that occurs. */
struct columns {
	const char *heads[HISTOGRAM_CLASSES]; /* NULL: class without trials */
};

static struct columns columns_of(const struct histogram *histogram,
	enum regime regime)
{
	bool shared = regime == REGIME_SHARED;
	const char *heads[HISTOGRAM_CLASSES] = {
		[SHOWN_HEADLINE] = shared      ? "shared" :
			regime == REGIME_ALONE ? "alone" :
						 "trials",
		[SHOWN_OTHER] = shared ? "alone" : "shared",
		[SHOWN_EXCLUDED] = "excluded",
	};
	struct columns columns = { .heads = { heads[SHOWN_HEADLINE] } };

	for (unsigned c = SHOWN_OTHER; c < HISTOGRAM_CLASSES; c++)
		if (histogram_class(histogram, c))
			columns.heads[c] = heads[c];
	return columns;
}

static void print_heads(const struct columns *columns, struct text *text)
{
	text_add(text, "    %*s", RANGE, "");
	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		if (columns->heads[c])
			text_add(text, " %*s", COUNT, columns->heads[c]);
	text_add_char(text, '\n');
}

static void print_counts(const struct columns *columns,
	const size_t counts[HISTOGRAM_CLASSES], struct text *text)
{
	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		if (columns->heads[c])
			text_add(text, " %*zu", COUNT, counts[c]);
}

/* '@' headline, 'o' the other regime, '!' excluded. */
static void bar(const size_t counts[HISTOGRAM_CLASSES], size_t most,
	struct text *text)
{
	static const char marks[] = "@o!";
	size_t sum = 0, length = 0;

	text_add(text, " |");
	for (int c = 0; c < HISTOGRAM_CLASSES; c++) {
		sum += counts[c];
		size_t end = (sum * HISTOGRAM_BAR + most - 1) / most;

		text_pad(text, marks[c], end - length);
		length = end;
	}
	text_pad(text, ' ', HISTOGRAM_BAR - length);
	text_add(text, "|\n");
}

/* "[115.47, 115.83) ns", with enough digits to distinguish adjacent bins. */
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

/* The trials outside of the bins on one side. */
static void overflow(const char *side, double edge, const char *prefix,
	const struct columns *columns, const size_t counts[HISTOGRAM_CLASSES],
	struct text *text)
{
	struct text range = { 0 };

	text_add(&range, "%s %.5g %s", side, edge, prefix);
	text_add(text, "    %-*s", RANGE, text_chars(&range));
	print_counts(columns, counts, text);
	text_free(&range);
}

static void print_bins(const struct histogram *histogram,
	const struct columns *columns, double scale, const char *prefix,
	bool bars, struct text *text)
{
	size_t most = histogram_highest(histogram);

	for (size_t i = 0; i < histogram->bins; i++) {
		struct text range = { 0 };
		size_t counts[HISTOGRAM_CLASSES];

		histogram_counts(histogram, i, counts);
		add_bin(&range, histogram, i, scale, prefix);
		text_add(text, "    %-*s", RANGE, text_chars(&range));
		print_counts(columns, counts, text);
		if (bars)
			bar(counts, most, text);
		else
			text_add_char(text, '\n');
		text_free(&range);
	}
}

void print_histogram(const struct results *results, const struct point *point,
	unsigned metric, bool bars, struct text *text)
{
	struct histogram histogram = { 0 };
	enum unit unit = results->metrics[metric].unit;
	double scale;

	bins_of(results, point, metric, HISTOGRAM_ROWS, &histogram);
	struct columns columns =
		columns_of(&histogram, results_regime(results, point, metric));
	const char *prefix = unit_prefix(unit,
		histogram.bins ?
			histogram_edge(&histogram, histogram.bins / 2) :
			1,
		&scale);
	print_heads(&columns, text);
	if (histogram_below(&histogram)) {
		overflow("below", histogram.low / scale, prefix, &columns,
			histogram.below, text);
		text_add_char(text, '\n');
	}
	print_bins(&histogram, &columns, scale, prefix, bars, text);
	if (histogram_above(&histogram)) {
		overflow("above",
			histogram_edge(&histogram, histogram.bins) / scale,
			prefix, &columns, histogram.above, text);
		text_add(text, "  longest ");
		unit_show(text, unit, histogram.max);
		text_add_char(text, '\n');
	}
	histogram_free(&histogram);
}
