/*
 * Are two samples of launch medians different, and by how much?
 *
 * Mann-Whitney: exact by counting if there are no ties and n1, n2 <= 50;
 * otherwise a tie-corrected normal approximation with continuity correction.
 * Ratio: Hodges-Lehmann on logarithms with its exact rank interval (Hollander
 * and Wolfe). Never pass raw trials: they are not independent (69 % false
 * alarms in A/A tests of raw trials).
 */
#ifndef BENCHTOP_COMPARE_H
#define BENCHTOP_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

struct comparison {
	double u; /* U of the second sample */
	double p; /* two-sided */
	bool exact;
	double ratio; /* Hodges-Lehmann on logarithms, second over first */
	double ratio_low, ratio_high;
	size_t rank; /* k: the interval is D(k) .. D(na nb + 1 - k) of the
		      * sorted differences D of logarithms */
};

/* Sorts a and b. The ratio is NaN unless all values are positive. Returns false
 * if a sample has fewer than 4 values: three values against three cannot give a
 * p below .05. Time and memory grow with na nb. */
bool compare_samples(double *a, size_t na, double *b, size_t nb,
	struct comparison *);
/* p of the tie-corrected approximation alone. a and b need not be sorted. */
double mann_whitney_normal_p(const double *a, size_t na, const double *b,
	size_t nb, double u);

/* For rates: inverts the ratio and its interval, so that a ratio above 1 means
 * slower. U and p do not change. */
void comparison_invert(struct comparison *);
/* Adjusts the p values of many tests in place (Holm, "A simple sequentially
 * rejective multiple test procedure", 1979). Each adjusted value bounds the
 * probability of any false alarm among the tests. NaN entries are not tests and
 * are ignored. */
void holm_adjust(double *p, size_t count);

enum verdict {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_EQUIVALENT,
	VERDICT_SMALL, /* changed, by less than twice the threshold */
	VERDICT_INCONCLUSIVE,
};
/* delta: the threshold, .01 for 1 %. For rates pass 1/ratio, so that a ratio
 * below 1 always means faster. A NaN end gives VERDICT_INCONCLUSIVE. */
enum verdict verdict_of(double ratio_low, double ratio_high, double delta);
const char *verdict_word(enum verdict);
/* Estimate of the additional launches that a decision needs: n ((half width /
 * delta)^2 - 1), at least 1. For an undecided comparison only. */
size_t verdict_more_launches(const struct comparison *, size_t launches,
	double delta);
/* Verdict in words for any quantity: "higher" for slower, "lower" for
 * faster. */
const char *verdict_word_neutral(enum verdict);
/* Smallest relative change that n launches per side detect with power .8. */
double smallest_visible_change(double sd_between_relative, size_t launches);

#endif
