/*
 * Sentences about comparisons, for text, screens and reports.
 */
#ifndef BENCHTOP_SAY_COMPARE_H
#define BENCHTOP_SAY_COMPARE_H

#include "compare_sessions.h"
#include "style.h"

/* Why two sides have no verdict: "the core was shared in 42 % of A and in 99 %
 * of B", fractions of the trials. */
void say_compare_undecided(const struct compare_side *,
	const struct compare_side *, struct text *);
/* The conditions that limit the verdict at the end of a row: sentences, each
 * with a blank after it. Adds nothing if the verdict needs no explanation. */
void say_compare_row(const struct compare_row *, struct text *);
/* Only the reason why the row has no verdict, with the names of the sessions:
 * "core shared: 42 % yesterday, 99 % today. Measure again". Has no full stop.
 * Adds nothing if the row has a verdict. */
void say_compare_short(const struct compare_row *, const char *first,
	const char *second, struct text *);
/* "3 and 6 launches: the test needs 4 of each". */
void say_few_launches(const struct compare_row *, struct text *);
/* "22.5 %", "3.1 x": the distance of a ratio from 1. */
void say_compare_change(double ratio, struct text *);
/* "1.003"; "-" if there is no ratio. */
void say_compare_ratio(double ratio, struct text *);
/* The colour of the row's verdict. */
enum text_style say_compare_style(const struct compare_row *);

#endif
