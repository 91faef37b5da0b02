/*
 * The Lab screen: experiments, the form of one, its result.
 */
#ifndef BENCHTOP_VIEW_LAB_H
#define BENCHTOP_VIEW_LAB_H

#include "screen.h"

/* What its row of views.h needs. */
int lab_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void lab_draw(struct screen *, const struct pane *body);
void lab_enter(struct screen *);
void lab_move(struct screen *, int steps);

/* Its parts, each for a pane. */
void view_list(struct screen *, const struct pane *);
void view_form(struct screen *, const struct pane *);
void view_plot(struct screen *, const struct pane *);
/* The histogram of the figures' point, and where no other pane has them its
 * figures. */
void view_single(struct screen *, const struct figures *, const struct pane *);
/* The points of a sweep, and where there is room the histogram of the selected
 * one. */
void view_points(struct screen *, const struct figures *, const struct pane *);
void view_strip(struct screen *, const struct pane *);
void view_result(struct screen *, const struct pane *);
void view_prediction(struct screen *, const struct pane *);
void view_about(struct screen *, const struct pane *);

/* The figures that a pane of results shows, NULL where there are none: a run
 * of another experiment, nothing measured, no trial yet. */
const struct figures *view_figures(const struct screen *,
	const struct results **, bool *live);
/* Does the form now say something else than the results were measured with? */
bool view_form_differs(const struct screen *, const struct results *);
/* "call=getppid size=4K": what one point was measured with, whole words only,
 * as many as so many columns hold; first what the sweep varies, without names
 * ("64M random") where these have no room, then what the form does not say. */
void view_params(const struct screen *, const struct results *, size_t point,
	int room, struct text *);
/* Says why there are no figures, where there is room. */
void view_nothing(struct screen *, const struct pane *);

/* Why the figures of a point are not to be trusted, or what ended the run, in
 * short where the sentence does not fit so many columns; nothing where all is
 * well. */
void view_trust(const struct figures *, int columns, struct text *);
/* What was predicted for one point: the user's word for all of them, else what
 * the model says of this one. */
const struct prediction *view_predicted(const struct results *, size_t point);
/* "1 of 3 points", of a sweep that a person made a prediction for: at so many
 * it held; else "3 of 5 held", of the session's. */
void view_held(const struct session *, const struct results *, struct text *);

#endif
