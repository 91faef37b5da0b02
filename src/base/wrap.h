/*
 * Text broken into lines, for pipes and terminals without a screen. Widths are
 * in columns of ASCII.
 */
#ifndef BENCHTOP_WRAP_H
#define BENCHTOP_WRAP_H

#include "text.h"

enum {
	WRAP_NEVER = 1 << 20, /* columns, for a page that breaks lines itself */
};

/* Adds text broken at blanks, and within too long words at commas or bars, into
 * lines of `width` columns, each indented. Text begins on the current line if
 * that is no longer than the indent, else on a new line. */
void wrap(struct text *, const char *chars, int indent, int width);
/* The same, but always begins on the current line. */
void wrap_on(struct text *, const char *chars, int indent, int width);
/* Adds lines and keeps the blanks within them. A line that is too long is
 * broken at blanks; its rest is indented two columns further. */
void wrap_lines(struct text *, const char *chars, int width);

#endif
