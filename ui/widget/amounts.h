/*
 * Quantities in few characters, for labels and narrow columns: what is read at
 * a glance. Whole figures are print.h's.
 */
#ifndef BENCHTOP_AMOUNTS_H
#define BENCHTOP_AMOUNTS_H

#include "results.h"
#include "text.h"

/* In three digits: "49.9K", "40M"; "1.39 ns". */
void amount_size(struct text *, double bytes);
void amount_short(struct text *, enum unit, double value);
/* "0.42 %", "99.7 %". */
void amount_percent(struct text *, double part);
/* "+-0.42 %": half of an interval over what it is of. */
void amount_half_width(struct text *, double part);
/* "70..150 ns": a prediction's range in as few digits as it was said. */
void amount_range(struct text *, enum unit, const struct range *);

#endif
