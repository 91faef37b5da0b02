/*
 * The tour: a strip below the view leads a newcomer through three experiments,
 * step by step.
 *
 * A step is done when the screen is in a state, however it got there: by the
 * key that the step names, a click, or a typed line. The tour changes nothing
 * but its own position. `benchtop tour` and the verb `tour` begin it.
 *
 * A user without settings, typed lines and kept sessions sees one line that
 * offers the tour.
 */
#ifndef BENCHTOP_TOUR_H
#define BENCHTOP_TOUR_H

#include "screen.h"

struct tour_step {
	const char *text;  /* two rows of 72 columns at most */
	const char *press; /* what to do, at most 33 columns */
	const char *line;  /* the command line that does it; NULL: none */
	/* Whether it is done; NULL: it ends the tour, by a key. `name` is the
	 * second word of the line: for `run` and its like an experiment. */
	bool (*done)(const struct screen *, const char *name);
};
/* A row without a text ends the table. */
extern const struct tour_step tour_steps[];
size_t tour_length(void);

/* Offers the tour at a first start. Call this after the settings have been
 * read. */
void tour_offer(struct screen *);
bool tour_offered(const struct screen *);
void tour_begin(struct screen *);
/* Skips the present step; begins the tour if none is running. */
void tour_next(struct screen *);
/* Ends the tour, or hides the offer; false if there is neither. */
bool tour_end(struct screen *);
/* Leaves all steps that are done. Call this after each change. */
void tour_advance(struct screen *);
/* The session was replaced: only its later runs count. */
void tour_forget(struct screen *);

#endif
