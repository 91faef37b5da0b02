/*
 * Comparisons as plain text: two sessions, or two settings of one run.
 */
#ifndef BENCHTOP_PRINT_COMPARE_H
#define BENCHTOP_PRINT_COMPARE_H

#include "compare_sessions.h"
#include "text_layout.h"

struct compare_titles {
	const char *brief[2]; /* short names of the sessions: column heads */
	const char *whole[2]; /* as they were typed */
	/* The result of a gate, "exit 1: slower"; NULL: no gate. */
	const char *gate;
	double fails_at; /* the least ratio that a gate refuses; 0: no gate */
};

/* Prints the differing conditions of the sessions, then the rows, then the
 * counts. There is a row per metric and point; a long sweep has one row. A
 * verbose layout shows every point, and the basis of each row. */
void print_compare(const struct compare_pair *, const struct compare_titles *,
	const struct text_layout *, struct text *);
/* Prints the answer of a run of `ab`. Returns false and prints nothing if the
 * run has none. */
bool print_ab(const struct results *, const struct text_layout *,
	struct text *);
/* The answer for the first metric in one line: "B is 3.2 % slower: 1.032
 * [1.021, 1.044]". With `cautions`, sentences on what limits it follow. */
void say_ab(const struct results *, bool cautions, struct text *);

#endif
