/*
 * A prediction as typed: LO..HI of the hardware's share, hw=LO..HI, sw=LO..HI.
 * Blanks within a range are ignored: 50 .. 90 ns. A low end without a unit has
 * the unit of the high end. A time without any unit is in ns. A rate without a
 * unit is refused unless it is 0.
 */
#ifndef BENCHTOP_PREDICTED_H
#define BENCHTOP_PREDICTED_H

#include "command.h"
#include "unit.h"

struct prediction;

/* Is there a range, or an attempt at a range, after the first word? */
bool is_predicted(const struct call *);
/* The ranges after the first word, in the unit of the headline. On failure the
 * error points at the faulty characters. */
int read_predicted(const struct call *, enum unit, struct prediction *,
	struct error *);

#endif
