/*
 * The levels of a history: a row per series with its last change, and the
 * sentence that marks a change among the runs.
 */
#ifndef BENCHTOP_PRINT_LEVELS_H
#define BENCHTOP_PRINT_LEVELS_H

#include "run_history.h"
#include "text_layout.h"

/* Adds "Nov 20"; with `year` "2025-11-20"; with `time` also " 09:15". */
void say_day(const char *started, bool year, bool time, struct text *);
/* Adds the sentence about the change of the figure that begins at a run. */
void say_change(const struct history *, size_t run, const struct change *,
	struct text *);
void print_levels(const struct history *, bool year, bool time,
	const struct text_layout *, struct text *);

#endif
