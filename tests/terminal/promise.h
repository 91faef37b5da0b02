/*
 * Promises about time, held against a machine that others may be using.
 *
 * A promise is kept if one of many attempts keeps it: nothing but the program
 * can make it slow, everything can make one attempt slow. Where none does, a
 * piece of work of known processor time tells whether the machine could have:
 * if that took half as long again on the clock on the wall each time it was
 * looked at, nothing is proven and the test is skipped with the figures; else
 * it fails. tests/bench has the same promises strictly.
 *
 *     struct promise promise = { "Esc", "ms", 50 };
 *     while (promise_open(&promise))
 *             promise_attempt(&promise, what it took this time);
 *     promise_keep(&promise);
 */
#ifndef BENCHTOP_TERMINAL_PROMISE_H
#define BENCHTOP_TERMINAL_PROMISE_H

#include <stdbool.h>
#include <time.h>

#include "check.h"

struct promise {
	const char *what, *unit;
	double limit; /* at most */
	int most;     /* attempts; 0: as many as usual */
	int attempts;
	double best;
	double calm; /* the least of wall over processor time that was seen */
};

double promise_ms(clockid_t clock);
/* Is another attempt wanted? */
bool promise_open(const struct promise *promise);
void promise_attempt(struct promise *promise, double took);
void promise_keep(const struct promise *promise);

#endif
