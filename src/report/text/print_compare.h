/*
 * Comparisons as plain text: ASCII, at most 80 columns.
 */
#ifndef BENCHTOP_PRINT_COMPARE_H
#define BENCHTOP_PRINT_COMPARE_H

#include "compare_sessions.h"

/* What surrounds both that differs, then a row for each metric, then what to
 * make of it. The names stand for the sessions. */
void print_compare(const struct compare_pair *, const char *first,
	const char *second, struct text *);
/* Why two sides allow no verdict: "the core was shared in 42 % of A and in 99 %
 * of B", shares of the trials. */
void say_compare_undecided(const struct compare_side *,
	const struct compare_side *, struct text *);
/* What a person must know to trust the word at the end of a row: sentences,
 * each with a blank behind it; nothing where the word is enough. */
void say_compare_row(const struct compare_row *, struct text *);
/* "22.5 %", "3.1 x": by how much a ratio is off 1. */
void say_compare_change(double ratio, struct text *);
/* The verdict of a run that `ab` made; nothing for another run. */
void print_ab(const struct results *, struct text *);
/* The same of its first metric, in a line: "B is 3.2 % slower: 1.032 [1.021,
 * 1.044]". */
void say_ab(const struct results *, struct text *);

#endif
