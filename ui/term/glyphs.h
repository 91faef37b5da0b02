/*
 * Four tiers of glyphs with one layout: every cell keeps its place, whatever
 * the terminal and its font can show.
 *
 * braille: UTF-8 and a font with braille; block: UTF-8; console: the font of
 * the Linux console; ascii: all other terminals. Outside ASCII, only box
 * drawing, block elements, braille and four small triangles are used. In some
 * fonts other characters are two columns wide.
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
	GLYPH_HERE,  /* the handle of a slider */
	GLYPH_BELOW, /* points down at a place */
	GLYPH_LEFT,  /* more content to the left */
	GLYPH_RIGHT,
	GLYPH_BAND,  /* a range on an axis */
	GLYPH_CROSS, /* a tick where an axis also shows a range */
	GLYPH_FULL,
	GLYPH_SHADE,
	GLYPH_SHADE_LIGHT, /* with GLYPH_SHADE and GLYPH_SHADE_DARK: steps of a
			    * heat map */
	GLYPH_SHADE_DARK,
	GLYPH_LEVEL, /* a vertical border across a plot */
	GLYPH_UPPER, /* upper half block, for a column that hangs down */
	GLYPH_UPPER_EIGHTH,
	GLYPHS,
};

uint32_t glyph_code(enum tier, enum glyph);
/* A cell filled from its bottom by eighths, 0 .. 8; 0 is a blank. */
uint32_t glyph_eighth(enum tier, int eighths);
/* A cell filled from its left by eighths, 0 .. 8; 0 is a blank. */
uint32_t glyph_eighth_across(enum tier, int eighths);
/* A cell of two columns and four rows of dots; bit 2 * row + column is one dot.
 * Tiers without braille use the nearest glyph. The result is a blank only if
 * `dots` is 0. */
uint32_t glyph_dots(enum tier, unsigned dots);

const char *tier_name(enum tier);
/* Returns TIERS if the name is unknown. */
enum tier tier_named(const char *);
/* The names, NULL-terminated, for completion. */
extern const char *const tier_names[];

#endif
