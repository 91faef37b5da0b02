/*
 * The description of an experiment, for `show`, `predict` and `help`.
 */
#ifndef BENCHTOP_SHOW_H
#define BENCHTOP_SHOW_H

#include "lab.h"
#include "wrap.h"

/* Writes the description in lines of `width` columns. */
void show_text(struct lab *, const struct queued *, int width, struct text *);
void show_json(struct lab *, const struct queued *, struct text *);
void show_common(const struct param_set *, int width, struct text *);
/* "10 s": the expected time of a run. It is the requested budget, or else the
 * plan's, or that of trials whose duration is known if they take longer. */
void show_expected(const struct experiment *, const struct param_set *args,
	const struct common *, bool budget_asked, struct text *);
/* The model's prediction at each point. */
void show_prediction(struct lab *, const struct queued *, int width,
	struct text *);

#endif
