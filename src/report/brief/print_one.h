/* The result of a single point: the figure in one line, then the lines that
 * support it. */
#ifndef BENCHTOP_PRINT_ONE_H
#define BENCHTOP_PRINT_ONE_H

#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

void print_one(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

#endif
