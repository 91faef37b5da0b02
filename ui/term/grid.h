/*
 * A grid of cells: what every view draws on, and all that a terminal, a test
 * or a picture ever sees of it.
 *
 * A cell holds one character that is one column wide, and a role: what the
 * character means, not what it looks like. Drawing goes through panes,
 * rectangles of a grid; whatever lies outside a pane is not drawn, so no
 * widget can write over its neighbour, at any size down to nothing.
 */
#ifndef BENCHTOP_GRID_H
#define BENCHTOP_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "glyphs.h"
#include "text.h"

enum role {
	ROLE_TEXT,
	ROLE_DIM,    /* less important */
	ROLE_STRONG, /* a headline, a title */
	ROLE_FRAME,
	ROLE_KEY,    /* a key that can be pressed */
	ROLE_SELECT, /* the selected row */
	ROLE_GOOD,
	ROLE_WARN,
	ROLE_BAD,
	ROLE_SERIES,   /* clean values of a plot */
	ROLE_SERIES_2, /* other lines of it: told apart by dash and label too */
	ROLE_SERIES_3,
	ROLE_SERIES_4,
	ROLE_FLAGGED, /* flagged values */
	ROLE_PREDICTED,
	ROLES,
};

struct cell {
	uint32_t code; /* Unicode, one column wide */
	uint8_t role;
};

/* A rectangle that does something when it is clicked. */
struct spot {
	int column, row, columns, rows;
	char *line; /* the command line, owned */
};

struct grid {
	int columns, rows;
	enum tier tier;
	uint8_t theme;      /* enum theme of theme.h; kept by grid_reset() */
	struct cell *cells; /* rows x columns, owned */
	int cursor_column, cursor_row; /* where a reader looks; -1 none */
	struct spot *spots;            /* the later ones lie on top; owned */
	size_t spot_count;
};

/* Gives the grid a size and blanks it; any size from 1 x 1. */
void grid_reset(struct grid *, int columns, int rows, enum tier);
void grid_free(struct grid *);
/* UTF-8 lines without trailing blanks. */
void grid_dump(const struct grid *, struct text *);
/* The same shape with one letter per role, for tests of colours. */
void grid_dump_roles(const struct grid *, struct text *);
/* The line of the spot at a place, or NULL: what a click there means. */
const char *grid_spot(const struct grid *, int column, int row);

struct pane {
	struct grid *grid;
	int column, row;   /* of its upper left corner */
	int columns, rows; /* may be 0 or less: nothing is drawn */
};

struct pane pane_whole(struct grid *);
/* A part of a pane; negative sizes mean "up to so far from the end". */
struct pane pane_part(const struct pane *, int column, int row, int columns,
	int rows);
void pane_put(const struct pane *, int column, int row, uint32_t code,
	enum role);
/* What stands there; 0 outside. */
uint32_t pane_code(const struct pane *, int column, int row);
void pane_glyph(const struct pane *, int column, int row, enum glyph,
	enum role);
/* Writes text, cut at the pane's edge; returns the columns it takes. */
int pane_chars(const struct pane *, int column, int row, enum role,
	const char *chars);
int pane_text(const struct pane *, int column, int row, enum role,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Ends at the pane's right edge. */
void pane_right(const struct pane *, int row, enum role, const char *chars);
/* Text broken at blanks, its own line breaks kept; returns the rows used. What
 * does not fit is not drawn, and " .." at the end says so. */
int pane_wrap(const struct pane *, int row, enum role, const char *chars);
/* Blanks a pane, and what could be clicked there. */
void pane_clear(const struct pane *);
/* Makes a stretch of a row execute a line when it is clicked. */
void pane_spot(const struct pane *, int column, int row, int columns,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same for all of a pane. */
void pane_spot_all(const struct pane *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Gives a stretch of a row another role: a selection. */
void pane_role(const struct pane *, int column, int row, int columns,
	enum role);
/* A frame with a title on the left and one on the right (either may be
 * NULL); returns what is inside. */
struct pane pane_frame(const struct pane *, const char *title,
	const char *right);
/* Columns that a text takes. */
int text_columns(const char *chars);
/* One line of a text broken at blanks to so many columns, its own line breaks
 * kept: where it begins; *length is its bytes, *at moves behind it. NULL at the
 * end. A word wider than a line is broken where it must. */
const char *text_line(const char **at, int columns, size_t *length);
void pane_cursor(const struct pane *, int column, int row);

#endif
