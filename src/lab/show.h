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

/* Adds text broken at blanks to lines of `width` columns, each indented. */
void wrap(struct text *, const char *chars, int indent, int width);

#endif
