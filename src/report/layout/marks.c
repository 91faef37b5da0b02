/* Histograms, bars and curves, cell by cell. */
#include "marks.h"

#include <math.h>

enum { LEVELS = 8 };

void mark_level(struct text *text, const struct text_layout *layout,
	double share)
{
	static const char *const blocks[] = { " ", "\u2581", "\u2582", "\u2583",
		"\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char ascii[] = " .:-=+*#@";
	int level = (int)ceil(fmin(fmax(share, 0), 1) * LEVELS - 1e-9);

	if (layout->utf8)
		text_add(text, "%s", blocks[level]);
	else
		text_add_char(text, ascii[level]);
}

void mark_bar(struct text *text, const struct text_layout *layout,
	double share, int columns)
{
	static const char *const eighths[] = { "", "\u258f", "\u258e", "\u258d",
		"\u258c", "\u258b", "\u258a", "\u2589" };
	double length = fmin(fmax(share, 0), 1) * columns;
	int whole = (int)floor(length + 1e-9);
	int rest = (int)lround((length - whole) * LEVELS);

	if (share > 0 && !whole && !rest)
		rest = 1;
	if (!layout->utf8) {
		text_pad(text, '#', (size_t)lround(length));
		return;
	}
	for (int i = 0; i < whole + rest / LEVELS; i++)
		text_add(text, "\u2588");
	text_add(text, "%s", eighths[rest % LEVELS]);
}

void mark_quarters(struct text *text, const struct text_layout *layout,
	unsigned quarters)
{
	static const char *const blocks[] = { " ", "\u2598", "\u259d", "\u2580",
		"\u2596", "\u258c", "\u259e", "\u259b", "\u2597", "\u259a",
		"\u2590", "\u259c", "\u2584", "\u2599", "\u259f", "\u2588" };
	bool upper = quarters & 3, lower = quarters & 12;

	if (layout->utf8)
		text_add(text, "%s", blocks[quarters & 15]);
	else
		text_add_char(text,
			upper && lower ? ':' :
			upper	       ? '\'' :
			lower	       ? '.' :
					 ' ');
}

void mark_labels(struct text *text, const struct text_layout *layout,
	const struct axis *axis, const struct ticks *ticks, int first,
	int cells)
{
	/* Labels like "64K" need no unit. */
	const char *unit = axis->unit == UNIT_BYTES ? "" : ticks->unit;
	int more = *unit ? 1 + text_width(unit) : 0, column = 0;

	for (size_t i = 0; i < ticks->count; i++) {
		const char *label = ticks->list[i].label;
		int length = text_width(label);
		int at = first - length / 2 +
			axis_cell(axis, ticks->list[i].value, cells);

		if (at < column || at + length + more > layout->width)
			continue;
		text_pad(text, ' ', (size_t)(at - column));
		text_add(text, "%s", label);
		column = at + length;
	}
	text_add(text, "%s%s\n", *unit ? " " : "", unit);
}
