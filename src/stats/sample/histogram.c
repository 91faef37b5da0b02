/* Layout and counting of bins. */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

enum {
	OCTAVE = 8,  /* bins of a doubling, at most, on a logarithmic axis */
	QUANTA = 10, /* up to this width in quanta, a bin is a whole number of
		      * quanta */
};

/* Beyond these limits differences and logarithms overflow. Such values are
 * outside the bins. */
static const double most = 1e290, least = 1e-290;

/* The input of the rules for the width. */
struct range {
	double low, high;
	double freedman_diaconis; /* 2 IQR n^(-1/3) */
	double quantum;
	size_t columns;
};

double nice_step(double value)
{
	static const double digits[] = { 1, 2, 5, 10 };
	double exponent = floor(log10(value));
	/* Division by a whole power of ten is exact, multiplication by .1 is
	 * not. */
	double power = pow(10, fabs(exponent));
	double step = value;

	for (size_t i = 0; i < 4; i++) {
		step = exponent < 0 ? digits[i] / power : digits[i] * power;
		if (step >= value)
			break;
	}
	return step;
}

/* The width for a single value, from its magnitude. It also keeps bins wide
 * enough that adjacent edges are different numbers. */
static double least_width(const struct range *range)
{
	double size = fmax(fabs(range->low), fabs(range->high));

	if (range->low == range->high && range->quantum == 0)
		return size > 0 ? size / 1000 : 1;
	return fmax(range->quantum, size * 1e-12);
}

static double wanted_width(const struct range *range)
{
	double span = (range->high - range->low) / (double)range->columns;

	return fmax(fmax(span, range->freedman_diaconis), least_width(range));
}

/* Sets linear bins of at least the given width. */
static void place_linear(struct histogram *histogram, const struct range *range,
	double width)
{
	double quantum = range->quantum;

	histogram->logarithmic = false;
	if (width <= QUANTA * quantum) {
		histogram->width = quantum * ceil(width / quantum - 1e-9);
		histogram->low = range->low - quantum / 2;
		return;
	}
	histogram->width = nice_step(width);
	histogram->low =
		histogram->width * floor(range->low / histogram->width);
	if (histogram->low > range->low) /* the quotient was rounded up */
		histogram->low -= histogram->width;
	if (range->columns == 1) /* an edge at 0 must not split the one bin */
		histogram->low = range->low;
}

static void place_logarithmic(struct histogram *histogram,
	const struct range *range, double steps)
{
	histogram->logarithmic = true;
	histogram->width = exp2(steps / OCTAVE);
	histogram->low = range->low;
}

/* fma() gives the same result everywhere. Otherwise the compiler could make the
 * edge that is drawn differ from the edge that is compared. */
double histogram_edge(const struct histogram *histogram, size_t i)
{
	double place = (double)i;

	if (histogram->logarithmic)
		return histogram->low * pow(histogram->width, place);
	return fma(histogram->width, place, histogram->low);
}

/* The distance of a value from the lowest edge, in bin widths. */
static double place_of(const struct histogram *histogram, double value)
{
	if (!histogram->logarithmic)
		return (value - histogram->low) / histogram->width;
	return (log2(value) - log2(histogram->low)) / log2(histogram->width);
}

/* The bin of a value >= `low`, without an upper limit. Rounding may be off by
 * one: the edges decide, because they are what is drawn. */
static size_t bin_from(const struct histogram *histogram, double value)
{
	size_t bin = (size_t)place_of(histogram, value);

	if (bin > 0 && value < histogram_edge(histogram, bin))
		return bin - 1;
	return value < histogram_edge(histogram, bin + 1) ? bin : bin + 1;
}

/* A range that does not begin on an edge may need one bin more than there are
 * columns. Then the next wider step is tried. */
static size_t lay_out_linear(struct histogram *histogram,
	const struct range *range)
{
	double width = wanted_width(range);
	size_t bins;

	do {
		place_linear(histogram, range, width);
		bins = bin_from(histogram, range->high) + 1;
		width = histogram->width * (1 + 1e-6);
	} while (bins > range->columns);
	return bins;
}

/* The first bin is the narrowest and must be at least one quantum wide. */
static size_t lay_out_logarithmic(struct histogram *histogram,
	const struct range *range)
{
	double span =
		(log2(range->high) - log2(range->low)) / (double)range->columns;
	double quantum = log2(1 + range->quantum / range->low);
	double octaves = fmax(fmax(span, range->freedman_diaconis), quantum);
	double steps = fmax(ceil(octaves * OCTAVE), 1);
	size_t bins;

	do {
		place_logarithmic(histogram, range, steps++);
		bins = bin_from(histogram, range->high) + 1;
	} while (bins > range->columns);
	return bins;
}

/* Beyond that span linear bins would show one peak and a line. */
static const double linear_most = 20;

static bool wants_logarithmic(const double *sorted, size_t n,
	enum histogram_scale scale)
{
	double low = quantile_sorted(sorted, n, .01);
	double high = quantile_sorted(sorted, n, .99);

	if (scale == HISTOGRAM_LINEAR || !(sorted[0] > least))
		return false;
	return scale == HISTOGRAM_LOG || high > linear_most * low;
}

/* The interquartile range (Freedman and Diaconis 1981); logarithms keep the
 * order of the values. */
static double freedman_diaconis(const double *sorted, size_t n,
	bool logarithmic)
{
	double low = quantile_sorted(sorted, n, .25);
	double high = quantile_sorted(sorted, n, .75);
	double middle = logarithmic ? log2(high) - log2(low) : high - low;

	return 2 * middle / cbrt((double)n);
}

static double within(double value)
{
	return fmin(fmax(value, -most), most);
}

static void make_counters(struct histogram *histogram)
{
	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		histogram->count[c] = xcalloc(histogram->bins, sizeof(size_t));
}

static const struct histogram no_bins = { .min = INFINITY, .max = -INFINITY };

static void lay_out(struct histogram *histogram, const struct range *range,
	bool logarithmic)
{
	if (logarithmic)
		histogram->bins = lay_out_logarithmic(histogram, range);
	else
		histogram->bins = lay_out_linear(histogram, range);
	make_counters(histogram);
}

void histogram_layout(struct histogram *histogram, const double *sorted,
	size_t n, double quantum, size_t columns, enum histogram_scale scale)
{
	*histogram = no_bins;
	if (!n || !columns)
		return;
	bool logarithmic = wants_logarithmic(sorted, n, scale);
	double last = (double)(n - 1);
	struct range range = {
		.low = within(sorted[(size_t)floor(last * .001)]),
		.high = within(sorted[(size_t)ceil(last * .99)]),
		.freedman_diaconis =
			within(freedman_diaconis(sorted, n, logarithmic)),
		.quantum = quantum,
		.columns = columns,
	};
	lay_out(histogram, &range, logarithmic);
}

void histogram_layout_over(struct histogram *histogram, const double *sorted,
	size_t n, double low, double high, double quantum, size_t columns)
{
	*histogram = no_bins;
	if (!n || !columns)
		return;
	bool logarithmic = fmin(low, sorted[0]) > least &&
		high > linear_most * low;
	struct range range = {
		.low = within(low),
		.high = within(high),
		.freedman_diaconis =
			within(freedman_diaconis(sorted, n, logarithmic)),
		.quantum = quantum,
		.columns = columns,
	};
	lay_out(histogram, &range, logarithmic);
}

void histogram_narrow(struct histogram *histogram, double width)
{
	double span =
		histogram_edge(histogram, histogram->bins) - histogram->low;

	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		free(histogram->count[c]);
	histogram->width = width;
	histogram->bins = (size_t)ceil(span / width - 1e-9);
	make_counters(histogram);
}

ptrdiff_t histogram_bin(const struct histogram *histogram, double value)
{
	if (!(value >= histogram->low)) /* counts a NaN too */
		return -1;
	if (value >= histogram_edge(histogram, histogram->bins))
		return (ptrdiff_t)histogram->bins;
	return (ptrdiff_t)bin_from(histogram, value);
}

static size_t *counter_of(struct histogram *histogram, double value,
	unsigned of)
{
	ptrdiff_t bin = histogram_bin(histogram, value);

	if (bin < 0)
		return &histogram->below[of];
	if ((size_t)bin == histogram->bins)
		return &histogram->above[of];
	return &histogram->count[of][bin];
}

void histogram_add_many(struct histogram *histogram, double value, unsigned of,
	size_t times)
{
	histogram->min = fmin(histogram->min, value);
	histogram->max = fmax(histogram->max, value);
	*counter_of(histogram, value, of) += times;
}

void histogram_add(struct histogram *histogram, double value, unsigned of)
{
	histogram_add_many(histogram, value, of, 1);
}

static size_t sum_classes(const size_t counts[HISTOGRAM_CLASSES])
{
	size_t sum = 0;

	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		sum += counts[c];
	return sum;
}

void histogram_counts(const struct histogram *histogram, size_t bin,
	size_t counts[HISTOGRAM_CLASSES])
{
	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		counts[c] = histogram->count[c][bin];
}

size_t histogram_count(const struct histogram *histogram, size_t bin)
{
	size_t counts[HISTOGRAM_CLASSES];

	histogram_counts(histogram, bin, counts);
	return sum_classes(counts);
}

size_t histogram_class(const struct histogram *histogram, unsigned of)
{
	size_t sum = histogram->below[of] + histogram->above[of];

	for (size_t i = 0; i < histogram->bins; i++)
		sum += histogram->count[of][i];
	return sum;
}

size_t histogram_below(const struct histogram *histogram)
{
	return sum_classes(histogram->below);
}

size_t histogram_above(const struct histogram *histogram)
{
	return sum_classes(histogram->above);
}

size_t histogram_highest(const struct histogram *histogram)
{
	size_t highest = 1;

	for (size_t i = 0; i < histogram->bins; i++)
		if (histogram_count(histogram, i) > highest)
			highest = histogram_count(histogram, i);
	return highest;
}

void histogram_free(struct histogram *histogram)
{
	for (int c = 0; c < HISTOGRAM_CLASSES; c++)
		free(histogram->count[c]);
	*histogram = (struct histogram){ 0 };
}
