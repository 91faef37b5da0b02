/*
 * One setting of an experiment over the stored sessions, as plain text: a row
 * per run, with its figure on a common axis; a sentence in front of each change
 * of the level; then a row per series with its present level and last change:
 * the figure, the canary and the memory ruler.
 */
#ifndef BENCHTOP_PRINT_HISTORY_H
#define BENCHTOP_PRINT_HISTORY_H

#include "run_history.h"
#include "text_layout.h"

void print_history(const struct history *, const struct text_layout *,
	struct text *);

#endif
