/* Glyphs by tier. */
#include "glyphs.h"

#include "text.h"

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
	[GLYPH_LEFT] = 0x25c2,
	[GLYPH_RIGHT] = 0x25b8,
	[GLYPH_BAND] = 0x2550,
	[GLYPH_CROSS] = 0x2564,
	[GLYPH_FULL] = 0x2588,
	[GLYPH_SHADE] = 0x2592,
	[GLYPH_SHADE_LIGHT] = 0x2591,
	[GLYPH_SHADE_DARK] = 0x2593,
	[GLYPH_LEVEL] = 0x250a,
	[GLYPH_UPPER] = 0x2580,
	[GLYPH_UPPER_EIGHTH] = 0x2594,
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
	[GLYPH_LEFT] = '<',
	[GLYPH_RIGHT] = '>',
	[GLYPH_BAND] = '=',
	[GLYPH_CROSS] = '+',
	[GLYPH_FULL] = '#',
	[GLYPH_SHADE] = '=',
	[GLYPH_SHADE_LIGHT] = '.',
	[GLYPH_SHADE_DARK] = '%',
	[GLYPH_LEVEL] = ':',
	[GLYPH_UPPER] = '"',
	[GLYPH_UPPER_EIGHTH] = '\'',
};

uint32_t glyph_code(enum tier tier, enum glyph glyph)
{
	/* The console font has box lines, blocks and shades but no small
	 * triangles. */
	if (tier == TIER_CONSOLE &&
		((glyph >= GLYPH_OPEN && glyph <= GLYPH_RIGHT) ||
			glyph == GLYPH_LEVEL))
		return ascii[glyph];
	if (tier == TIER_CONSOLE && glyph == GLYPH_UPPER_EIGHTH)
		glyph = GLYPH_UPPER;
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

uint32_t glyph_eighth_across(enum tier tier, int eighths)
{
	if (eighths <= 0)
		return ' ';
	if (eighths > 8)
		eighths = 8;
	if (tier == TIER_ASCII)
		return eighths < 5 ? '-' : '#';
	if (tier == TIER_CONSOLE)
		return eighths < 6 ? 0x258c : 0x2588;
	return 0x2590 - (uint32_t)eighths;
}

/* The quarters of the cell that contain a dot; bits from 0: upper left, upper
 * right, lower left, lower right. */
static unsigned quarters(unsigned dots)
{
	return (dots & 0x05 ? 1 : 0) | (dots & 0x0a ? 2 : 0) |
		(dots & 0x50 ? 4 : 0) | (dots & 0xa0 ? 8 : 0);
}

static uint32_t braille(unsigned dots)
{
	static const uint8_t bits[8] = { 0x01, 0x08, 0x02, 0x10, 0x04, 0x20,
		0x40, 0x80 };
	uint32_t code = 0x2800;

	for (unsigned i = 0; i < 8; i++)
		if (dots & 1u << i)
			code |= bits[i];
	return code;
}

uint32_t glyph_dots(enum tier tier, unsigned dots)
{
	static const uint32_t blocks[16] = { ' ', 0x2598, 0x259d, 0x2580,
		0x2596, 0x258c, 0x259e, 0x259b, 0x2597, 0x259a, 0x2590, 0x259c,
		0x2584, 0x2599, 0x259f, 0x2588 };
	static const uint32_t halves[4] = { ' ', 0x2580, 0x2584, 0x2588 };
	static const uint32_t points[4] = { ' ', '\'', '.', ':' };
	unsigned four = quarters(dots);
	unsigned two = (four & 3 ? 1 : 0) | (four & 12 ? 2 : 0);

	if (!dots)
		return ' ';
	switch (tier) {
	case TIER_BRAILLE:
		return braille(dots);
	case TIER_BLOCK:
		return blocks[four];
	case TIER_CONSOLE:
		return halves[two];
	case TIER_ASCII:
	case TIERS:
		break;
	}
	return points[two];
}

const char *const tier_names[] = { "braille", "block", "console", "ascii",
	NULL };

const char *tier_name(enum tier tier)
{
	return tier < TIERS ? tier_names[tier] : "";
}

enum tier tier_named(const char *name)
{
	return (enum tier)text_index(name, tier_names, TIERS);
}
