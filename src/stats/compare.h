/*
 * Are two samples of launch medians different, and by how much?
 *
 * Mann-Whitney: exact by counting where there are no ties and n1, n2 <= 50;
 * with ties a tie-corrected normal approximation with continuity correction.
 * Shift: Hodges-Lehmann with its exact rank interval (Hollander and Wolfe).
 * Ratio: the same on logarithms. Raw trials must never be given: they are not
 * independent (69 % false alarms in A/A tests of raw trials).
 */
#ifndef BENCHTOP_COMPARE_H
#define BENCHTOP_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

struct comparison {
	double u; /* U of the second sample */
	double p; /* two-sided */
	bool exact;
	double shift; /* Hodges-Lehmann, second minus first */
	double shift_low, shift_high;
	double ratio; /* exp of the shift of logs, second over first */
	double ratio_low, ratio_high;
	double a12;  /* P(second > first) + P(equal)/2: Vargha, Delaney */
	size_t rank; /* k: the intervals are D(k) .. D(na nb + 1 - k) of the
		      * sorted differences D */
};

/* a and b are sorted in place; values must be positive for the ratio (it is
 * NaN otherwise). False where either has fewer than 4 values: three against
 * three can never give a p below .05. Time and memory grow as na nb. */
bool compare_samples(double *a, size_t na, double *b, size_t nb,
	struct comparison *);
/* The tie-corrected approximation by itself. a and b need not be sorted. */
double mann_whitney_normal_p(const double *a, size_t na, const double *b,
	size_t nb, double u);

/* The same of the reciprocals, for rates: a ratio above 1 is slower again.
 * U, p and the shift stay. */
void comparison_invert(struct comparison *);
/* Adjusts p values of many tests in place (Holm, "A simple sequentially
 * rejective multiple test procedure", 1979): each then bounds the chance that
 * any of them is a false alarm. NaN: not a test. */
void holm_adjust(double *p, size_t count);

enum verdict {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_EQUIVALENT,
	VERDICT_SMALL, /* a change, but not proven beyond the threshold */
	VERDICT_INCONCLUSIVE,
};
/* delta: the threshold, .01 for 1 %. For rates swap the ratio first: 1/ratio,
 * so that below 1 is always faster. A NaN end is inconclusive. */
enum verdict verdict_of(double ratio_low, double ratio_high, double delta);
const char *verdict_word(enum verdict);
/* About how many launches more would decide: n ((half width / delta)^2 - 1),
 * at least one, because it is asked where nothing is decided yet. */
size_t verdict_more_launches(const struct comparison *, size_t launches,
	double delta);
/* In words that fit any quantity: "higher" for slower, "lower" for faster. */
const char *verdict_word_neutral(enum verdict);
/* Smallest change that n launches of each side can see with power .8. */
double smallest_visible_change(double sd_between_relative, size_t launches);

#endif
