/*
 * One setting of an experiment over the stored sessions, as plain text: a row
 * per run, with its figure on a common axis.
 */
#ifndef BENCHTOP_PRINT_HISTORY_H
#define BENCHTOP_PRINT_HISTORY_H

#include "kept_points.h"
#include "text_layout.h"

/* The runs of one setting, with one metric, oldest first. */
struct history {
	const char *experiment;
	const struct kept_point *list;
	size_t count;
};

void print_history(const struct history *, const struct text_layout *,
	struct text *);

#endif
