/*
 * Where a value of a parameter stands on its slider, and what stands at a
 * place of it. Places are 0 .. 1; ranges of more than a hundredfold are
 * logarithmic, from 0 on by the logarithm of one more.
 */
#ifndef BENCHTOP_SLIDE_H
#define BENCHTOP_SLIDE_H

#include "param.h"

double slide_place(const struct param *, double value);
/* A value in few digits, a power of two for bytes, within the bounds; the ends
 * are the bounds themselves. */
double slide_value(const struct param *, double place);

#endif
