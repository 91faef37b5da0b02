/*
 * Bins for a screen or a page: how wide, where, and what fell outside.
 *
 * Linear bins: width = max(quantum, Freedman-Diaconis 2 IQR n^(-1/3), range /
 * columns), rounded up to 1-2-5 times a power of ten, or to a multiple of the
 * quantum while it is at most ten quanta: no bin is ever narrower than the
 * quantum, nor holds one and a half of it. Bins of few quanta have their edges
 * half a quantum beside the values; wider ones at multiples of their width.
 * The range is p0.1 .. p99, rounded outwards to values of the sample; what
 * lies outside is counted in two overflow bins, never cropped silently.
 * Where p99/p1 > 20 and all values are positive, bins are equal on a
 * logarithmic axis instead: each 2^(k/8) times as wide as the one before, the
 * smallest k >= 1 that the same three rules, on logarithms, allow.
 * Values beyond 1e290, or none, are outside of all bins.
 * Every value is in exactly one bin and of one class, which are counted apart:
 * counts and overflow sum to n.
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
	double min, max; /* of all values added; infinity and -infinity before
			  * the first */
};

/* Lays out bins for sorted values: at most `columns` of them, each at
 * least `quantum` wide (0: no quantum). All counts are 0. With no values or no
 * columns there are no bins and all that is added is overflow. A logarithmic
 * scale needs positive values: without them the bins are linear. What the
 * struct held before is not freed. */
void histogram_layout(struct histogram *, const double *sorted, size_t n,
	double quantum, size_t columns, enum histogram_scale);
/* Makes linear bins narrower, before anything is counted. */
void histogram_narrow(struct histogram *, double width);
void histogram_add(struct histogram *, double value, unsigned of);
/* The same value `times` times. */
void histogram_add_many(struct histogram *, double value, unsigned of,
	size_t times);
/* Values of all classes in a bin, below the bins, above them. */
size_t histogram_count(const struct histogram *, size_t bin);
size_t histogram_below(const struct histogram *);
size_t histogram_above(const struct histogram *);
/* The values of each class in a bin. */
void histogram_counts(const struct histogram *, size_t bin,
	size_t counts[HISTOGRAM_CLASSES]);
/* The values of one class, in the bins and outside. */
size_t histogram_class(const struct histogram *, unsigned of);
/* The values in the highest bin; at least 1. */
size_t histogram_highest(const struct histogram *);
/* Edge i is the lower edge of bin i; edge `bins` ends the last one. */
double histogram_edge(const struct histogram *, size_t i);
/* The bin of a value: -1 below, `bins` above. */
ptrdiff_t histogram_bin(const struct histogram *, double value);
void histogram_free(struct histogram *);

/* The smallest of 1, 2, 5 times a power of ten that is >= value > 0. */
double nice_step(double value);

#endif
