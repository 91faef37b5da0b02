/*
 * The Lab screen: the experiments, the form of the selected experiment, and its
 * results.
 */
#ifndef BENCHTOP_VIEW_LAB_H
#define BENCHTOP_VIEW_LAB_H

#include "screen.h"

/* Functions for the Lab's row in views.h. */
int lab_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void lab_draw(struct screen *, const struct pane *body);
void lab_enter(struct screen *);
void lab_move(struct screen *, int steps);

/* The panes of the Lab screen; each function draws one. */
void view_list(struct screen *, const struct pane *);
void view_form(struct screen *, const struct pane *);
void view_plot(struct screen *, const struct pane *);
/* Draws the histogram of the selected point. On a narrow screen, which has no
 * result pane, also draws its figures. */
void view_single(struct screen *, const struct figures *, const struct pane *);
/* Draws the points of a sweep. Where there is room, also draws the histogram of
 * the selected point. */
void view_points(struct screen *, const struct figures *, const struct pane *);
void view_strip(struct screen *, const struct pane *);
void view_result(struct screen *, const struct pane *);
void view_prediction(struct screen *, const struct pane *);
void view_about(struct screen *, const struct pane *);

/* The figures that a result pane shows. NULL if there are none: the run belongs
 * to another experiment, or no trial exists yet. */
const struct figures *view_figures(const struct screen *,
	const struct results **, bool *live);
/* Do the form's values differ from those the results were measured with? */
bool view_form_differs(const struct screen *, const struct results *);
/* Do the results come from the verb `ab`, which alternates two settings? */
bool view_is_ab(const struct results *);
/* Writes the parameters of one point, "call=getppid size=4K", in at most `room`
 * columns, whole words only. Swept parameters come first, without names ("64M
 * random") where room is short. Values that are not in the form follow. */
void view_params(const struct screen *, const struct results *, size_t point,
	int room, struct text *);
/* Writes why there are no figures, if there is room. */
void view_nothing(struct screen *, const struct pane *);

/* Writes why the figures of a point are not to be trusted, or what ended the
 * run. A sentence longer than `columns` is shortened. Writes nothing if there
 * is no doubt. */
void view_trust(const struct figures *, int columns, struct text *);
/* The prediction for one point: the user's, which covers all points, else the
 * model's for this point. */
const struct prediction *view_predicted(const struct results *, size_t point);
/* Writes how many predictions held. For a sweep with a user's prediction, it
 * counts points: "1 of 3 points". Otherwise it counts the session's
 * predictions: "3 of 5 held". */
void view_held(const struct session *, const struct results *, struct text *);

#endif
