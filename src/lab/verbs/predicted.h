/*
 * A prediction as it is typed: LO..HI of the hardware's share, hw=LO..HI,
 * sw=LO..HI. Blanks within a range are no matter: 50 .. 90 ns. A low end
 * without a unit has that of the high end; without any a time is in ns, and a
 * rate, of bytes, bits or a clock, is refused unless it is 0.
 */
#ifndef BENCHTOP_PREDICTED_H
#define BENCHTOP_PREDICTED_H

#include "command.h"
#include "unit.h"

struct prediction;

/* Is a range among the words behind the first, or at least what is meant for
 * one? */
bool is_predicted(const struct call *);
/* The ranges behind the first word, in the unit of the headline. On error the
 * error points at what is wrong. */
int read_predicted(const struct call *, enum unit, struct prediction *,
	struct error *);

#endif
