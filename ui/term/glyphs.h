/*
 * Four tiers of glyphs with one layout: whatever a terminal and its font can
 * show, every cell stays where it is.
 *
 * braille: UTF-8 and a font with braille; block: UTF-8; console: the Linux
 * console's font; ascii: everything else. Outside ASCII only box drawing,
 * block elements, braille and four small triangles are used: other signs are
 * two columns wide in some fonts.
 */
#ifndef BENCHTOP_GLYPHS_H
#define BENCHTOP_GLYPHS_H

#include <stdint.h>

enum tier { TIER_BRAILLE, TIER_BLOCK, TIER_CONSOLE, TIER_ASCII, TIERS };

enum glyph {
	GLYPH_HORIZONTAL,
	GLYPH_VERTICAL,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_TICK_LEFT,  /* on a vertical axis */
	GLYPH_TICK_DOWN,  /* on a horizontal axis */
	GLYPH_RANGE_LEFT, /* ends of a slider, a box plot */
	GLYPH_RANGE_RIGHT,
	GLYPH_OPEN, /* an open group */
	GLYPH_CLOSED,
	GLYPH_HERE,  /* the thumb of a slider */
	GLYPH_BELOW, /* points down at something */
	GLYPH_LEFT,  /* something lies further left */
	GLYPH_RIGHT,
	GLYPH_BAND,  /* a stretch of an axis */
	GLYPH_CROSS, /* a tick on an axis that something else uses too */
	GLYPH_FULL,
	GLYPH_SHADE,
	GLYPH_SHADE_LIGHT, /* with the other two, four steps of a map */
	GLYPH_SHADE_DARK,
	GLYPH_LEVEL, /* a border across a plot, drawn downwards */
	GLYPH_UPPER, /* the upper half, of a column that hangs down */
	GLYPH_UPPER_EIGHTH,
	GLYPHS,
};

uint32_t glyph_code(enum tier, enum glyph);
/* A column filled by eighths, 0 .. 8: 0 is a blank. */
uint32_t glyph_eighth(enum tier, int eighths);
/* A row filled from its left by eighths, 0 .. 8. */
uint32_t glyph_eighth_across(enum tier, int eighths);
/* Two columns and four rows of dots: bit 2 row + column. Where there is no
 * braille, what comes nearest; a blank exactly where there is no dot. */
uint32_t glyph_dots(enum tier, unsigned dots);

const char *tier_name(enum tier);
/* TIERS where there is no such name. */
enum tier tier_named(const char *);
/* The names, NULL-terminated, as completion wants them. */
extern const char *const tier_names[];

#endif
