/*
 * A sweep as plain text: a line per point, with a column per parameter that
 * varies. Many points of two parameters are a table of both.
 */
#ifndef BENCHTOP_PRINT_SWEEP_H
#define BENCHTOP_PRINT_SWEEP_H

#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

/* The head line: "System call: time per call", and the processor. */
void print_sweep_head(const struct results *, const struct text_layout *,
	struct text *);
void print_sweep(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

#endif
