/*
 * How plain text is laid out: what its reader can show.
 *
 * A terminal has its own width, at least TEXT_COLUMNS; a pipe has TEXT_COLUMNS.
 * Block characters depend on the locale alone, bold and colour on a terminal.
 */
#ifndef BENCHTOP_TEXT_LAYOUT_H
#define BENCHTOP_TEXT_LAYOUT_H

#include <stdbool.h>

enum { TEXT_COLUMNS = 80, TEXT_COLUMNS_MOST = 200 };

struct text_layout {
	int width;    /* columns, at least TEXT_COLUMNS: no line is longer,
		       * except one with a command to copy */
	bool utf8;    /* block and line-drawing characters may be used */
	bool bars;    /* drawings of characters; off where text is read aloud */
	bool colour;  /* escape sequences for bold and colour may be used */
	bool verbose; /* print everything, not only what a reader asks first */
};

/* The layout of a file descriptor. Needs setlocale() before it. Colour is off
 * where NO_COLOR is set (no-color.org) or TERM is "dumb". */
struct text_layout text_layout_of(int fd);
/* 80 columns of ASCII, drawings included. */
extern const struct text_layout text_layout_plain;

#endif
