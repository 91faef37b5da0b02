/*
 * Figures for short text: three significant digits, or as many as the interval
 * justifies.
 */
#ifndef BENCHTOP_FIGURE_H
#define BENCHTOP_FIGURE_H

#include "digest.h"
#include "results.h"
#include "style.h"

/* "89.4 ns"; `width` is the width of the interval, 0 without one. */
void figure_add(struct text *, enum unit, double value, double width);
/* Only the number, with the unit and decimals that figure_add() chooses for
 * `like`. With its own unit if it would be unreadable in that of `like`. */
void figure_add_like(struct text *, enum unit, double value, double like,
	double width);
/* Three digits without a unit, in the unit of `like`. */
void figure_number(struct text *, enum unit, double value, double like);
/* "89.4 ns" for a headline; "~89 ns" if all its trials are excluded. */
void figure_median(struct text *, enum unit, const struct digest *);
/* "[89.1 .. 89.7] 95 %"; adds nothing without an interval. */
void figure_interval(struct text *, enum unit, const struct summary *);
/* "+-0.4 %" for .004; adds nothing without an interval, NaN. */
void figure_half(struct text *, double half);
/* "4.0", "277", "70 316". */
void figure_cycles(struct text *, double cycles);
/* "58 426". */
void figure_count(struct text *, double count);
/* "61 %" for a fraction 0 .. 1; "<1 %", ">99 %" near the ends. */
void figure_share(struct text *, double share);

/* "good", "below resolution", "invalid". Returns the style of the text. */
enum text_style figure_quality(struct text *, const struct point *,
	const struct digest *);
/* "+-0.4 %", "+-0.4 % in cycles"; adds nothing if the quality says all. */
void figure_precision(struct text *, const struct point *,
	const struct digest *);
/* Both: "good, +-0.4 %". Returns the style of the text. */
enum text_style figure_verdict(struct text *, const struct point *,
	const struct digest *);

#endif
