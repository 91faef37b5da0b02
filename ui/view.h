/*
 * Views: pure functions from a screen to a grid. What they draw depends on
 * the screen's state and the grid's size and tier, on nothing else; what they
 * compute is kept in the screen's figures.
 */
#ifndef BENCHTOP_VIEW_H
#define BENCHTOP_VIEW_H

#include "screen.h"

enum { LAYOUT_COLUMNS = 40, LAYOUT_ROWS = 10 };

/* What every screen has, the body between the first row and the last two;
 * below 40 x 10 there is only the body, for a sentence. */
struct layout {
	bool small;
	struct pane title, body, status, keys;
};
void view_layout(struct layout *, const struct pane *whole);

/* Draws everything at the grid's size, which must be set. */
void view_draw(struct screen *, struct grid *);

/* The Lab: what its row of views.h needs. */
int lab_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void lab_draw(struct screen *, const struct pane *body);
void lab_enter(struct screen *);
void lab_move(struct screen *, int steps);

/* Its parts, each for a pane. */
/* What the title row says of the place and the session, see views.h. */
void view_add_state(const struct screen *, int room, struct text *);
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
void view_status(struct screen *, const struct pane *);
/* What its row cuts, whole, at the foot of a pane: until the next key. */
void view_whole_status(const struct screen *, const struct pane *);
void view_keys(const struct screen *, const struct pane *);
/* Takes the pane's size down, and scrolls back what is past its end. */
void view_page(struct screen *, const struct pane *);

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

/* Rows that a page takes at so many columns. */
int page_rows(const struct page *, int columns);
/* Scrolls a page, never so far that less than a paneful is left of it; by a
 * paneful less a row. */
void page_scroll(struct page *, int rows);
int page_paneful(const struct page *);

/* "70 .. 150 ns": a prediction's range in as few digits as it was said. */
void view_range(struct text *, enum unit, const struct range *);
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
/* "0.42 %", "99.7 %". */
void view_percent(struct text *, double part);
/* "+-0.42 %": half of an interval over what it is of. */
void view_half_width(struct text *, double part);
/* In three digits, for labels: "49.9K", "40M"; "1.39 ns". */
void say_size(struct text *, double bytes);
void unit_show_short(struct text *, enum unit, double value);

#endif
