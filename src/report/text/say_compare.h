/*
 * Sentences about comparisons, for text, screens and reports.
 */
#ifndef BENCHTOP_SAY_COMPARE_H
#define BENCHTOP_SAY_COMPARE_H

#include "compare_sessions.h"
#include "style.h"

/* Why two sides have no verdict: "core shared in 42 % of the trials of A, 99 %
 * of B", "not enough data: B (5 launches)". */
void say_compare_undecided(const struct compare_side *,
	const struct compare_side *, struct text *);
/* The conditions that limit the verdict at the end of a row: sentences, each
 * with a blank after it. Adds nothing if the verdict needs no explanation. */
void say_compare_row(const struct compare_row *, struct text *);
/* What may give an undecided row a verdict: "Measure again". Has no full stop.
 * Adds nothing to other rows. */
void say_compare_cure(const struct compare_row *, struct text *);
/* Only the reason why the row has no verdict, with the names of the sessions:
 * "not enough data: today (2 launches). Raise budget= and measure again". Has
 * no full stop. Adds nothing if the row has a verdict. */
void say_compare_short(const struct compare_row *, const char *first,
	const char *second, struct text *);
/* "the threshold, 10 %", "the threshold of its row, 10 to 20 %". */
void say_compare_thresholds(const struct compare_pair *, struct text *);
/* What decided a gate that refuses ratios from `fails_at` on: "does not fail:
 * the interval begins at 1.043, the threshold is 1.21. ". Adds nothing for a
 * smaller ratio. */
void say_compare_gate(const struct compare_row *, double fails_at,
	struct text *);
/* "3 and 6 launches: the test needs 4 of each". */
void say_few_launches(const struct compare_row *, struct text *);
/* "22.5 %", "3.1 x": the distance of a ratio from 1. */
void say_compare_change(double ratio, struct text *);
/* "1.003"; "-" if there is no ratio. */
void say_compare_ratio(double ratio, struct text *);
/* The colour of the row's verdict. */
enum text_style say_compare_style(const struct compare_row *);

#endif
