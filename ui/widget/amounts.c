/* Formats quantities for labels and narrow columns. */
#include "amounts.h"

#include <math.h>

void amount_size(struct text *text, double bytes)
{
	static const char prefixes[] = " KMGT";
	int power = 0;

	while (bytes >= 1000 && prefixes[power + 1]) {
		bytes /= 1024;
		power++;
	}
	/* 1000 bytes become 0.977K, which keeps the number below 1000. */
	text_add(text, "%.3g", bytes);
	if (power)
		text_add_char(text, prefixes[power]);
}

void amount_short(struct text *text, enum unit unit, double value)
{
	double scale;
	const char *word = unit_prefix(unit, value, &scale);

	if (!isfinite(value)) {
		text_add_char(text, '-');
		return;
	}
	value /= scale;
	text_add(text, fabs(value) < 999.5 ? "%.3g" : "%.0f", value);
	if (*word)
		text_add(text, " %s", word);
}

void amount_percent(struct text *text, double part)
{
	double percent = part * 100;

	if (percent > 0 && percent < .01)
		text_add(text, "<0.01 %%");
	else
		text_add(text, percent < 10 ? "%.2g %%" : "%.3g %%", percent);
}

void amount_half_width(struct text *text, double part, bool by_cycles)
{
	text_add(text, "+-%.*g %%%s", text_digits(part * 100), part * 100,
		by_cycles ? " c" : "");
}

void amount_range(struct text *text, enum unit unit, const struct range *range)
{
	double scale;
	const char *word = unit_prefix(unit, range->high, &scale);

	text_add(text, "%.3g", range->low / scale);
	if (range->low < range->high)
		text_add(text, "..%.3g", range->high / scale);
	if (*word)
		text_add(text, " %s", word);
}
