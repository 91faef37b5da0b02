/*
 * The machine of a session in few figures, each beside the range that the
 * course reports (published.h) printed for the same point, and its rank among
 * them where at least three have the figure.
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

#endif
