/* Writes levels of memory as text. */
#include <string.h>

#include "amounts.h"
#include "nominal.h"
#include "sweep_levels.h"

void level_say_end(const struct cache_levels *levels, double end,
	struct text *text)
{
	if (levels->ends == UNIT_BYTES)
		amount_size(text, end);
	else
		text_add(text, "%.0f", end); /* pages are whole numbers */
}

static void add_comma(struct text *text)
{
	if (text->length)
		text_add(text, ", ");
}

void levels_say_knees(const struct cache_levels *levels, struct text *text)
{
	struct text knees = { 0 }, kernel = { 0 }, verdicts = { 0 };
	bool known = false;

	for (size_t i = 0; i < levels->count; i++) {
		const struct cache_level *level = &levels->list[i];

		if (!(level->knee > 0))
			continue;
		add_comma(&knees);
		level_say_end(levels, level->knee, &knees);
		add_comma(&kernel);
		level_say_end(levels, level->nominal, &kernel);
		add_comma(&verdicts);
		level_verdict(level, &verdicts);
		known |= level->nominal > 0;
	}
	text_add(text, "%s", text_chars(&knees));
	if (known)
		text_add(text, "  %s %s  %s", levels->by, text_chars(&kernel),
			text_chars(&verdicts));
	text_free(&knees);
	text_free(&kernel);
	text_free(&verdicts);
}

void level_verdict(const struct cache_level *level, struct text *text)
{
	struct text verdict = { 0 };

	if (level->knee > 0 && level->nominal > 0) {
		nominal_verdict(level->knee, level->knee_low, level->knee_high,
			level->knee_uncertain, level->nominal, &verdict);
		text_add(text, "%.*s", (int)strcspn(verdict.chars, " ,"),
			verdict.chars);
	} else if (level->knee_uncertain) {
		text_add(text, "uncertain");
	}
	text_free(&verdict);
}
