/*
 * Bins for a screen or a page: their width, their place and the values outside.
 *
 * Linear bins: width = max(quantum, Freedman-Diaconis 2 IQR n^(-1/3), range /
 * columns). The width is rounded up to 1-2-5 times a power of ten, or to a
 * multiple of the quantum while it is at most ten quanta. So no bin is narrower
 * than the quantum, and none has a width of one and a half quanta. Bins of few
 * quanta have their edges half a quantum beside the values; edges of wider bins
 * are multiples of their width. The range is p0.1 .. p99, rounded outwards to
 * values of the sample. Values outside the range are counted in two overflow
 * bins, never dropped.
 *
 * If p99/p1 > 20 and all values are positive, bins are equal on a logarithmic
 * axis instead. Each bin is 2^(k/8) times as wide as the previous bin, with the
 * smallest k >= 1 that the same three rules, on logarithms, allow. Values
 * beyond 1e290 and NaN are outside all bins.
 *
 * Every value is in exactly one bin and has one class. Classes are counted
 * separately: counts and overflow sum to n.
 */
#ifndef BENCHTOP_HISTOGRAM_H
#define BENCHTOP_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum histogram_scale { HISTOGRAM_AUTO, HISTOGRAM_LINEAR, HISTOGRAM_LOG };

enum { HISTOGRAM_CLASSES = 3 };

struct histogram {
	bool logarithmic;
	double low;   /* lower edge of the first bin */
	double width; /* of a linear bin, or the ratio of a log bin */
	size_t bins;
	size_t *count[HISTOGRAM_CLASSES]; /* per bin, owned */
	size_t below[HISTOGRAM_CLASSES], above[HISTOGRAM_CLASSES];
	double min, max; /* of all values added; before the first value,
			  * infinity and -infinity */
};

/* Lays out at most `columns` bins for sorted values, each at least `quantum`
 * wide (0: no quantum). All counts are 0. Without values or columns there are
 * no bins, and every added value is overflow. A logarithmic scale needs
 * positive values; otherwise the bins are linear. The previous content of the
 * struct is not freed. */
void histogram_layout(struct histogram *, const double *sorted, size_t n,
	double quantum, size_t columns, enum histogram_scale);
/* The same with bins from `low` to `high`, whatever lies outside; a logarithmic
 * axis where high / low > 20. */
void histogram_layout_over(struct histogram *, const double *sorted, size_t n,
	double low, double high, double quantum, size_t columns);
/* Makes linear bins narrower. Call it before values are added. */
void histogram_narrow(struct histogram *, double width);
void histogram_add(struct histogram *, double value, unsigned of);
/* Adds the same value `times` times. */
void histogram_add_many(struct histogram *, double value, unsigned of,
	size_t times);
/* Number of values of all classes in a bin, below the bins and above them. */
size_t histogram_count(const struct histogram *, size_t bin);
size_t histogram_below(const struct histogram *);
size_t histogram_above(const struct histogram *);
/* The number of values of each class in a bin. */
void histogram_counts(const struct histogram *, size_t bin,
	size_t counts[HISTOGRAM_CLASSES]);
/* The number of values of one class, in the bins and outside. */
size_t histogram_class(const struct histogram *, unsigned of);
/* The largest count of a bin; at least 1. */
size_t histogram_highest(const struct histogram *);
/* Edge i is the lower edge of bin i; edge `bins` is the end of the last bin. */
double histogram_edge(const struct histogram *, size_t i);
/* The bin of a value: -1 below, `bins` above. */
ptrdiff_t histogram_bin(const struct histogram *, double value);
void histogram_free(struct histogram *);

/* The smallest of 1, 2, 5 times a power of ten that is >= value > 0. */
double nice_step(double value);

#endif
