/*
 * A grid of cells. Every view draws on a grid; a terminal, a test and a picture
 * read only the grid.
 *
 * A cell holds one character, one column wide, and a role. The role is the
 * meaning of the character, not its appearance. Drawing goes through panes,
 * which are rectangles of a grid. Drawing outside a pane has no effect, so no
 * widget overwrites another one, even in a pane of size 0.
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
	ROLE_SERIES_2, /* further lines of a plot; they also differ by dash and
			* label */
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

/* A rectangle that executes a command line when it is clicked. */
struct spot {
	int column, row, columns, rows;
	char *line; /* the command line, owned */
};

struct grid {
	int columns, rows;
	enum tier tier;
	uint8_t theme;      /* an enum theme (theme.h); grid_reset() keeps it */
	struct cell *cells; /* rows x columns, owned */
	int cursor_column, cursor_row; /* where the user's attention belongs;
					* -1: none */
	struct spot *spots;            /* later spots lie over earlier ones;
					* owned */
	size_t spot_count;
};

/* Sets the size, at least 1 x 1, and blanks the grid. */
void grid_reset(struct grid *, int columns, int rows, enum tier);
void grid_free(struct grid *);
/* Appends the grid as UTF-8 lines without trailing blanks. */
void grid_dump(const struct grid *, struct text *);
/* Like grid_dump(), but with one letter per role instead of each character; for
 * tests of colours. */
void grid_dump_roles(const struct grid *, struct text *);
/* The command line that a click at this place executes, or NULL. */
const char *grid_spot(const struct grid *, int column, int row);

struct pane {
	struct grid *grid;
	int column, row;   /* upper left corner in the grid */
	int columns, rows; /* if 0 or less, nothing is drawn */
};

struct pane pane_whole(struct grid *);
/* A part of a pane. A negative size means: end that many columns or rows before
 * the end of the pane. */
struct pane pane_part(const struct pane *, int column, int row, int columns,
	int rows);
void pane_put(const struct pane *, int column, int row, uint32_t code,
	enum role);
/* The character at this place; 0 outside the pane. */
uint32_t pane_code(const struct pane *, int column, int row);
void pane_glyph(const struct pane *, int column, int row, enum glyph,
	enum role);
/* Writes text, cut at the edge of the pane. Returns the columns of the whole
 * text. */
int pane_chars(const struct pane *, int column, int row, enum role,
	const char *chars);
int pane_text(const struct pane *, int column, int row, enum role,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Writes text that ends at the right edge of the pane. */
void pane_right(const struct pane *, int row, enum role, const char *chars);
/* Writes text wrapped at blanks; its line breaks are kept. Returns the rows
 * used. If the text does not fit, the rest is omitted and the last row ends
 * with " ..". */
int pane_wrap(const struct pane *, int row, enum role, const char *chars);
/* Blanks a pane and covers its clickable spots. */
void pane_clear(const struct pane *);
/* Makes part of a row execute a command line when it is clicked. */
void pane_spot(const struct pane *, int column, int row, int columns,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Like pane_spot(), but for the whole pane. */
void pane_spot_all(const struct pane *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Changes the role of part of a row, for example to show a selection. */
void pane_role(const struct pane *, int column, int row, int columns,
	enum role);
/* Draws a frame with a title on the left and a text on the right; either may be
 * NULL. Returns the inner pane. */
struct pane pane_frame(const struct pane *, const char *title,
	const char *right);
/* The width of a text in columns. */
int text_columns(const char *chars);
/* Returns the next line of a text wrapped at blanks to `columns`; line breaks
 * are kept. *length is the length of the line in bytes, and *at moves behind
 * it. Returns NULL at the end. A word wider than a line is split. */
const char *text_line(const char **at, int columns, size_t *length);
void pane_cursor(const struct pane *, int column, int row);

#endif
