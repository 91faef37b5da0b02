/*
 * Text broken to lines, for pipes and terminals without a screen. Widths are
 * columns of ASCII.
 */
#ifndef BENCHTOP_WRAP_H
#define BENCHTOP_WRAP_H

#include "text.h"

enum {
	WRAP_PLAIN = 80,      /* columns of what goes to a pipe */
	WRAP_NEVER = 1 << 20, /* for a page, which breaks lines itself */
};

/* Adds text broken at blanks, and in words that are too long at commas, to
 * lines of `width` columns, each indented; the first goes on in the present
 * line where that is shorter than the indent. */
void wrap(struct text *, const char *chars, int indent, int width);
/* The same, and goes on in the present line however long it is. */
void wrap_on(struct text *, const char *chars, int indent, int width);
/* Adds lines, those that are too long broken at blanks and what follows
 * indented a little further; blanks within a line stay. */
void wrap_lines(struct text *, const char *chars, int width);

#endif
