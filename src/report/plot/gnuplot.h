/*
 * Pictures drawn by gnuplot, for those who want its look or its own SVG to work
 * on: the lines of a sweep and traces, from the same figures as the pictures
 * that are drawn here, with the same colours, intervals and ticks.
 *
 * gnuplot runs once for each picture: its commands come from a file without a
 * name, and it is killed after 20 s. Where it is not installed, or fails,
 * nothing is added and false returned.
 */
#ifndef BENCHTOP_GNUPLOT_H
#define BENCHTOP_GNUPLOT_H

#include "plot_own.h"

/* Is there one in $PATH? */
bool gnuplot_there(void);

/* Begins a script: terminal, axes with ticks, and what they measure. `number`
 * keeps the names in pictures of one page apart. */
void gnuplot_begin(struct text *script, const struct frame *, double height,
	unsigned number, const char *across, const char *up);
/* Adds text as a string of a script. */
void gnuplot_quote(struct text *script, const char *chars);
/* Runs it and adds the element it makes. */
bool gnuplot_draw(const struct text *script, struct text *svg);

#endif
