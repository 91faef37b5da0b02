/* The head line of a result. */
#include "print_head.h"

#include <math.h>
#include <string.h>

#include "figure.h"
#include "wrap.h"

enum { INDENT = 2, GAP = 3 };

/* True if a value is clear without the parameter's name. */
static bool is_word(const struct param *row, const char *value)
{
	static const char *const vague[] = { "on", "off", "auto", "none",
		"default", "normal", "other", "own", "fixed", NULL };

	if (!row || row->type != PARAM_CHOICE || *value <= '9')
		return false;
	for (size_t i = 0; vague[i]; i++)
		if (!strcmp(value, vague[i]))
			return false;
	return true;
}

/* True if a value belongs in the head line. For an experiment unknown to this
 * program, every value does. */
static bool is_setting(const struct results *results, size_t param,
	const struct param *row)
{
	const char *value = results->points[0].values[param];

	if (!*value || results_changes(results, param))
		return false;
	return !row || is_word(row, value) || strcmp(value, row->preset) != 0;
}

void say_setting(const struct results *results, struct text *text)
{
	const struct param *rows =
		results->descriptor ? results->descriptor->params : NULL;
	const char *gap = "";

	for (size_t i = 0; results->point_count && i < results->param_count;
		i++) {
		const char *name = results->param_names[i];
		const char *value = results->points[0].values[i];
		const struct param *row = rows ? param_row(rows, name) : NULL;

		if (!is_setting(results, i, row))
			continue;
		text_add(text, "%s", gap);
		if (!is_word(row, value))
			text_add(text, "%s=", name);
		text_add_safe(text, value, strlen(value));
		gap = ", ";
	}
}

void say_processor(const struct results *results, double hz, struct text *text)
{
	if (results->place.cpu < 0)
		return;
	text_add(text, "cpu %d", results->place.cpu);
	if (hz > 0) {
		text_add(text, " at ");
		figure_add(text, UNIT_HZ, hz, 0);
	}
}

void print_head(const struct text_layout *layout, const char *title,
	const char *setting, const char *right, struct text *text)
{
	int room = layout->width - text_width(right) -
		(*right ? GAP : 0) - text_width(title);
	int wanted = *setting ? text_width(setting) + 2 : 0;
	bool fits = wanted <= room;

	style_add(text, layout, STYLE_BOLD, title);
	if (fits && *setting)
		text_add(text, ": %s", setting);
	room -= fits ? wanted : 0;
	if (*right) {
		text_pad(text, ' ', (size_t)fmax(room + GAP, GAP));
		text_add(text, "%s", right);
	}
	text_add_char(text, '\n');
	if (!fits)
		wrap(text, setting, INDENT, layout->width);
}
