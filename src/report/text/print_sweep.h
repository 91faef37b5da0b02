/* A sweep as plain text: a row for each point, and what its words mean below
 * the rows. */
#ifndef BENCHTOP_PRINT_SWEEP_H
#define BENCHTOP_PRINT_SWEEP_H

#include "results.h"

void print_sweep(const struct results *, struct text *);

#endif
