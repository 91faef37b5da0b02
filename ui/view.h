/*
 * Views: pure functions from a screen to a grid. What they draw depends on
 * the screen's state and the grid's size and tier, on nothing else.
 */
#ifndef BENCHTOP_VIEW_H
#define BENCHTOP_VIEW_H

#include "screen.h"

/* Draws everything at the grid's size, which must be set. */
void view_draw(struct screen *, struct grid *);

/* Its parts, each for a pane. */
void view_title(const struct screen *, const struct pane *);
void view_list(const struct screen *, const struct pane *);
void view_form(struct screen *, const struct pane *);
void view_plot(struct screen *, const struct pane *);
void view_points(struct screen *, const struct results *, const struct pane *);
void view_statistics(struct screen *, const struct pane *);
void view_about(struct screen *, const struct pane *);
void view_status(struct screen *, const struct pane *);
void view_keys(const struct screen *, const struct pane *);
void view_page(const struct screen *, const struct pane *);

/* A histogram with its axes, its overflow and a mark for a prediction. */
void draw_histogram(const struct histogram *, enum unit,
	const struct prediction *, const struct pane *);

#endif
