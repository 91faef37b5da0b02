/*
 * Results as plain text: for a pipe, a log, or use without the screen.
 *
 * A single point has its figure in one line. A sweep has a line per point. A
 * sweep of two numeric parameters is a table of both, a long sweep is a curve.
 * Lines below support the figures. A `verbose` layout prints every other figure
 * too.
 */
#ifndef BENCHTOP_PRINT_RESULTS_H
#define BENCHTOP_PRINT_RESULTS_H

#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

/* `machine` gives the kernel's cache sizes and the possible causes of a wrong
 * prediction; NULL: unknown. */
void print_results(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);

#endif
