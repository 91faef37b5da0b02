/*
 * Formats quantities in few characters, for labels and narrow columns. print.h
 * formats full figures.
 */
#ifndef BENCHTOP_AMOUNTS_H
#define BENCHTOP_AMOUNTS_H

#include "results.h"
#include "text.h"

/* With three digits: "49.9K", "40M"; "1.39 ns". */
void amount_size(struct text *, double bytes);
void amount_short(struct text *, enum unit, double value);
/* "0.42 %", "99.7 %". */
void amount_percent(struct text *, double part);
/* "+-0.42 %": half the interval's width, relative to its value; "+-0.42 % c"
 * for that of the cycles. */
void amount_half_width(struct text *, double part, bool by_cycles);
/* "70..150 ns": a range of a prediction. */
void amount_range(struct text *, enum unit, const struct range *);

#endif
