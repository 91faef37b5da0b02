/*
 * An experiment described: for `show`, `predict` and `help`.
 */
#ifndef BENCHTOP_SHOW_H
#define BENCHTOP_SHOW_H

#include "lab.h"

void show_text(struct lab *, const struct queued *, struct text *);
void show_json(struct lab *, const struct queued *, struct text *);
void show_common(const struct param_set *, struct text *);
/* The model's prediction at each point. */
void show_prediction(struct lab *, const struct queued *, struct text *);

/* Adds text broken at blanks, and in words that are too long at commas, to
 * lines of `width` columns, each indented; the first goes on in the present
 * line where that is shorter than the indent. */
void wrap(struct text *, const char *chars, int indent, int width);

#endif
