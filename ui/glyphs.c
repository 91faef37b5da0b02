/* Glyphs by tier. */
#include "glyphs.h"

#include <string.h>

static const uint32_t unicode[GLYPHS] = {
	[GLYPH_HORIZONTAL] = 0x2500,
	[GLYPH_VERTICAL] = 0x2502,
	[GLYPH_TOP_LEFT] = 0x250c,
	[GLYPH_TOP_RIGHT] = 0x2510,
	[GLYPH_BOTTOM_LEFT] = 0x2514,
	[GLYPH_BOTTOM_RIGHT] = 0x2518,
	[GLYPH_TICK_LEFT] = 0x2524,
	[GLYPH_TICK_DOWN] = 0x252c,
	[GLYPH_RANGE_LEFT] = 0x251c,
	[GLYPH_RANGE_RIGHT] = 0x2524,
	[GLYPH_OPEN] = 0x25be,
	[GLYPH_CLOSED] = 0x25b8,
	[GLYPH_HERE] = 0x25b4,
	[GLYPH_BELOW] = 0x25be,
	[GLYPH_FULL] = 0x2588,
	[GLYPH_SHADE] = 0x2592,
};

static const uint32_t ascii[GLYPHS] = {
	[GLYPH_HORIZONTAL] = '-',
	[GLYPH_VERTICAL] = '|',
	[GLYPH_TOP_LEFT] = '+',
	[GLYPH_TOP_RIGHT] = '+',
	[GLYPH_BOTTOM_LEFT] = '+',
	[GLYPH_BOTTOM_RIGHT] = '+',
	[GLYPH_TICK_LEFT] = '+',
	[GLYPH_TICK_DOWN] = '+',
	[GLYPH_RANGE_LEFT] = '+',
	[GLYPH_RANGE_RIGHT] = '+',
	[GLYPH_OPEN] = 'v',
	[GLYPH_CLOSED] = '>',
	[GLYPH_HERE] = '^',
	[GLYPH_BELOW] = 'v',
	[GLYPH_FULL] = '#',
	[GLYPH_SHADE] = '=',
};

uint32_t glyph_code(enum tier tier, enum glyph glyph)
{
	/* The console's font has box lines, blocks and shades, no small
	 * triangles. */
	if (tier == TIER_CONSOLE && glyph >= GLYPH_OPEN && glyph <= GLYPH_BELOW)
		return ascii[glyph];
	return tier == TIER_ASCII ? ascii[glyph] : unicode[glyph];
}

uint32_t glyph_eighth(enum tier tier, int eighths)
{
	if (eighths <= 0)
		return ' ';
	if (eighths > 8)
		eighths = 8;
	if (tier == TIER_ASCII)
		return eighths < 3 ? '.' : eighths < 6 ? ':' : '#';
	if (tier == TIER_CONSOLE)
		return eighths < 6 ? 0x2584 : 0x2588;
	return 0x2580 + (uint32_t)eighths;
}

static const char *const names[] = { "braille", "block", "console", "ascii" };

const char *tier_name(enum tier tier)
{
	return tier < TIERS ? names[tier] : "";
}

enum tier tier_named(const char *name)
{
	for (int i = 0; i < TIERS; i++)
		if (!strcmp(names[i], name))
			return (enum tier)i;
	return TIERS;
}
