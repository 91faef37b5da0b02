/*
 * Promises about time, tested on a machine that others may use.
 *
 * A promise is kept if one of many attempts meets it: only the program can make
 * it slow in every attempt, but anything can slow down a single attempt. If
 * none does, work of known processor time shows whether the machine was able
 * to. If that work always took at least one and a half times its processor time
 * in wall time, nothing is proven, and the test is skipped with the figures.
 * Otherwise it fails. tests/bench checks the same promises strictly.
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
	double limit; /* maximum */
	int most;     /* attempts; 0: the default */
	int attempts;
	double best;
	double calm; /* minimum of wall time over processor time */
};

double promise_ms(clockid_t clock);
/* True if another attempt is needed. */
bool promise_open(const struct promise *promise);
void promise_attempt(struct promise *promise, double took);
void promise_keep(const struct promise *promise);

#endif
