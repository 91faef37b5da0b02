/*
 * The machine of a session in few figures, each beside the range that the
 * course reports (published.h) printed for the same point, and the machine's
 * place among them and itself, fastest first, where at least two have the
 * figure. Where 80 columns have no room for both, intervals are omitted.
 */
#ifndef BENCHTOP_PRINT_SUMMARY_H
#define BENCHTOP_PRINT_SUMMARY_H

#include "facts.h"
#include "text_layout.h"

/* The highlights of a NULL-terminated list of experiments. Their figures are of
 * the latest run in `facts->earlier` that has them. A row without a figure is
 * omitted. Returns the number of rows; 0: nothing is printed. */
size_t print_summary(const struct experiment *const *, const struct facts *,
	const struct text_layout *, struct text *);
/* A row of a summary that a script composes: a name and the metric's figure at
 * a point. The columns have fixed widths, so that rows which are printed one by
 * one make a table. Without a figure, the row has the reason. NULL: the point
 * was not measured. `millions`: a rate of bits or bytes is in whole MB/s, a
 * frequency in whole MHz. */
void print_summary_row(const char *name, const struct results *,
	const struct point *, unsigned metric, bool millions,
	const struct text_layout *, struct text *);

#endif
