/* The form: the parameters of the selected experiment, and their values. */
#include <math.h>
#include <string.h>

#include "view.h"

enum { NAME_COLUMNS = 12, VALUE_COLUMNS = 16, SLIDER_COLUMNS = 17 };

/* Where a value lies between its bounds, 0 .. 1: by its logarithm where the
 * range spans more than a hundredfold. */
static double position(const struct param *row, double value)
{
	double low = row->min, high = row->max;

	if (high <= low)
		return 0;
	if (low >= 0 && high / fmax(low, 1) > 100) {
		low = log2(low + 1);
		high = log2(high + 1);
		value = log2(value + 1);
	}
	return fmin(fmax((value - low) / (high - low), 0), 1);
}

static void draw_slider(const struct pane *pane, const struct param *row,
	double value)
{
	int columns =
		pane->columns < SLIDER_COLUMNS ? pane->columns : SLIDER_COLUMNS;

	if (columns < 5)
		return;
	pane_glyph(pane, 0, 0, GLYPH_RANGE_LEFT, ROLE_DIM);
	for (int i = 1; i < columns - 1; i++)
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_DIM);
	pane_glyph(pane, columns - 1, 0, GLYPH_RANGE_RIGHT, ROLE_DIM);
	pane_glyph(pane, 1 + (int)(position(row, value) * (columns - 3)), 0,
		GLYPH_HERE, ROLE_STRONG);
}

/* Width of choices first .. last - 1, with a blank behind each. */
static int choices_width(const struct param *row, int first, int last)
{
	int width = 0;

	for (int i = first; i < last; i++)
		width += (int)strlen(row->choices[i]) + 1;
	return width;
}

static bool is_chosen(const struct param_values *values, int choice)
{
	for (size_t v = 0; v < values->count; v++)
		if (values->list[v].choice == choice)
			return true;
	return false;
}

/* The choices, the chosen ones in brackets, which say it without colour too;
 * from so far on that the first chosen one is in view. */
static void draw_choices(const struct pane *pane, const struct param *row,
	const struct param_values *values)
{
	int chosen = values->list[0].choice;
	int column = 0, first = 0;

	while (first < chosen &&
		choices_width(row, first, chosen + 1) + 4 > pane->columns)
		first++;
	if (first)
		column = pane_text(pane, 0, 0, ROLE_DIM, ".. ");
	for (int i = first; row->choices[i]; i++) {
		bool is = is_chosen(values, i);

		column +=
			pane_text(pane, column, 0, is ? ROLE_STRONG : ROLE_DIM,
				is ? "[%s]" : "%s", row->choices[i]);
		column++;
	}
	if (column > pane->columns + 1)
		pane_right(pane, 0, ROLE_DIM, " ..");
}

static void draw_hint(const struct pane *pane, const struct param *row,
	const struct param_values *values)
{
	const union param_value *first = &values->list[0];

	if (row->type == PARAM_CHOICE) {
		draw_choices(pane, row, values);
	} else if (values->count > 1) {
		pane_text(pane, 0, 0, ROLE_DIM, "sweeps %zu values",
			values->count);
	} else if (row->type == PARAM_TEXT ||
		(row->automatic && row->type == PARAM_WHOLE &&
			first->whole == PARAM_AUTO)) {
		pane_chars(pane, 0, 0, ROLE_DIM, row->help);
	} else {
		double value = row->type == PARAM_WHOLE ? (double)first->whole :
							  first->real;

		draw_slider(pane, row, value);
		struct pane rest = pane_part(pane, SLIDER_COLUMNS + 2, 0,
			pane->columns - SLIDER_COLUMNS - 2, 1);
		pane_chars(&rest, 0, 0, ROLE_DIM, row->help);
	}
}

static void draw_row(const struct pane *line, const struct param *row,
	const struct param_values *values, bool selected)
{
	struct pane value = pane_part(line, NAME_COLUMNS, 0, VALUE_COLUMNS, 1);
	struct pane hint = pane_part(line, NAME_COLUMNS + VALUE_COLUMNS + 1, 0,
		line->columns - NAME_COLUMNS - VALUE_COLUMNS - 1, 1);
	bool preset = !strcmp(values->typed, row->preset);

	pane_text(line, 1, 0, ROLE_TEXT, "%s", row->name);
	pane_chars(&value, 0, 0, preset ? ROLE_TEXT : ROLE_STRONG,
		values->typed);
	draw_hint(&hint, row, values);
	if (!selected)
		return;
	pane_role(line, 0, 0, NAME_COLUMNS + VALUE_COLUMNS, ROLE_SELECT);
	pane_cursor(line, NAME_COLUMNS, 0);
}

void view_form(struct screen *screen, const struct pane *pane)
{
	const struct experiment *experiment = screen_descriptor(screen);
	const struct draft *draft = screen_draft(screen);
	int args = (int)draft->args.count;
	int count = args + (int)draft->common.count;
	struct pane inside =
		pane_frame(pane, experiment->name, experiment->title);
	int first = draft->field >= inside.rows ?
		draft->field - inside.rows + 1 :
		0;

	for (int i = first; i < count && i - first < inside.rows; i++) {
		const struct param_set *set =
			i < args ? &draft->args : &draft->common;
		int at = i < args ? i : i - args;
		struct pane line =
			pane_part(&inside, 0, i - first, inside.columns, 1);

		draw_row(&line, &set->rows[at], &set->values[at],
			screen->focus == FOCUS_FORM && i == draft->field);
	}
}
