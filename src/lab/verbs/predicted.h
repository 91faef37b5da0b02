/*
 * Parses a prediction as typed: LO..HI or hw=LO..HI is the hardware's share,
 * sw=LO..HI the software's.
 *
 * Blanks within a range are ignored: 50 .. 90 ns. A low end without a unit has
 * the unit of the high end. A time without any unit is in ns. A rate without a
 * unit is refused unless it is 0. A time may be in cycles, such as 280c, and is
 * then compared with measured cycles.
 */
#ifndef BENCHTOP_PREDICTED_H
#define BENCHTOP_PREDICTED_H

#include "command.h"
#include "unit.h"

struct prediction;

/* Is there a range, or an attempt at a range, after the first word? */
bool is_predicted(const struct call *);
/* Reads the ranges after the first word, in the unit of the headline or in
 * cycles. On failure the error points at the faulty characters. */
int read_predicted(const struct call *, enum unit, struct prediction *,
	struct error *);

#endif
