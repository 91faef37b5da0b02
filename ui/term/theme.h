/*
 * The appearance of each role: colours and attributes by theme.
 *
 *     any    four colours readable on black and on white: the default
 *     dark   brighter colours, for a dark background
 *     light  deeper colours, for a light background
 *     mono   no colour
 *     high   no colour and nothing faint; what matters is bold
 *
 * Colour alone carries no meaning: a flagged column, a warning and the
 * selection also differ by glyph, word or attribute. The background is never
 * painted, and running text keeps the terminal's own colour. Colours are those
 * of the 256-colour cube. Each colour has a contrast of at least 3:1 (WCAG 2.1)
 * against black and white, or 4.5:1 against its theme's background. Any two
 * colours differ by at least 25 (CIE 1976), also for the three common kinds of
 * colour blindness. A test computes both.
 */
#ifndef BENCHTOP_THEME_H
#define BENCHTOP_THEME_H

#include <stdint.h>

#include "grid.h"

enum theme {
	THEME_ANY,
	THEME_DARK,
	THEME_LIGHT,
	THEME_MONO,
	THEME_HIGH,
	THEMES,
};

enum look_attribute {
	LOOK_BOLD = 1 << 0,
	LOOK_DIM = 1 << 1,
	LOOK_REVERSE = 1 << 2,
	LOOK_UNDERLINE = 1 << 3,
};

struct look {
	int16_t colour256; /* -1: the terminal's own */
	int16_t colour8;   /* curses number 0 .. 7; -1: the terminal's own */
	uint8_t attributes;
};

struct look theme_look(enum theme, enum role);
/* Computes red, green and blue, 0 .. 255, of a colour of the cube (16 ..
 * 231). */
void theme_rgb(int colour256, uint8_t rgb[3]);

const char *theme_name(enum theme);
/* Returns THEMES if the name is unknown. */
enum theme theme_named(const char *);
/* The names, NULL-terminated, for completion. */
extern const char *const theme_names[];

#endif
