/* Published figures, which have no trials, as plain text. */
#include "print_published.h"

#include <math.h>
#include <string.h>

#include "digest.h"
#include "memory_level.h"

/* "mean, published as 33.7 cycles". */
static void say_origin(const struct published *published, struct text *text)
{
	text_add(text, "%s, published as ",
		published_figure_name(published->figure));
	text_add_safe(text, published->printed, strlen(published->printed));
	text_add_char(text, '\n');
}

void print_published(enum unit unit, const struct published *published,
	struct text *text)
{
	const struct {
		const char *label;
		double value;
	} rows[] = {
		{ "sd within", published->sd_within },
		{ "sd between", published->sd_between },
		{ "min", published->min },
		{ "max", published->max },
		{ "max deviation", published->max_deviation },
	};
	bool any = false;

	unit_show(text, unit, published->value);
	text_add(text, "   ");
	say_origin(published, text);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!isfinite(rows[i].value))
			continue;
		text_add(text, "%s%s ", any ? "  " : "    ", rows[i].label);
		unit_show_like(text, unit, rows[i].value, published->value);
		any = true;
	}
	text_add(text, "%s    ", any ? "\n" : "");
	text_add_safe(text, published->source, strlen(published->source));
	text_add_char(text, '\n');
}

void print_published_row(const struct results *results,
	const struct point *point, const struct digest *digest,
	struct text *text)
{
	const char *level = point_level(point);
	struct text value = { 0 };

	unit_show(&value, results->metrics[0].unit, digest->headline);
	text_add(text, "%12s  ", value.chars);
	text_free(&value);
	if (level)
		text_add(text, "%s  ", level);
	say_origin(digest->published, text);
}
