/*
 * Words for what was found against what is said: "agrees with the kernel's 32
 * KiB", "effective 9 MiB of nominal 32 MiB (28 %)", "uncertain, ..". A size
 * that was found agrees where it is within 15 % of the nominal one, or where
 * the nominal one lies in its interval. No nominal size is ever put in the
 * place of what was found.
 */
#ifndef BENCHTOP_NOMINAL_H
#define BENCHTOP_NOMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* All in bytes; nominal 0: nothing is said. */
void nominal_verdict(double found, double low, double high, bool uncertain,
	double nominal, struct text *);

/* Which of n nominal sizes, from `from` on, is nearest to what was found, by
 * ratio; those that are 0 are none. Without any: `from`. */
size_t nominal_nearest(const double *nominal, size_t n, size_t from,
	double found);

#endif
