/*
 * Sentences that compare a measured size with the nominal size: "agrees with
 * the kernel's 32 KiB", "effective 9 MiB of nominal 32 MiB (28 %)", "uncertain,
 * ..". The sizes agree if they differ by at most 15 %, or if the nominal size
 * is in the interval of the measured size. A nominal size never replaces a
 * measured one.
 */
#ifndef BENCHTOP_NOMINAL_H
#define BENCHTOP_NOMINAL_H

#include <stdbool.h>

#include "text.h"

/* All in bytes; nominal 0: unknown. */
void nominal_verdict(double found, double low, double high, bool uncertain,
	double nominal, struct text *);

#endif
