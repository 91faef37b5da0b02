/* The head line of a result: what was measured, and on which processor. */
#ifndef BENCHTOP_PRINT_HEAD_H
#define BENCHTOP_PRINT_HEAD_H

#include "results.h"
#include "text.h"
#include "text_layout.h"

/* "getppid, raw": values of the parameters that all points share. Clear words
 * appear without the parameter's name. Other values are left out if they are
 * the default. */
void say_setting(const struct results *, struct text *);
/* "cpu 1 at 3.10 GHz"; `hz` 0 or NaN: unknown. */
void say_processor(const struct results *, double hz, struct text *);
/* Prints `title`, ": ", and as much of `setting` as fits; the rest follows in
 * further lines. `right` ends at the last column. */
void print_head(const struct text_layout *, const char *title,
	const char *setting, const char *right, struct text *);

#endif
