/* The form: the parameters of an experiment, and the prediction. */
#include <stdlib.h>
#include <string.h>

#include "amounts.h"
#include "digest.h"
#include "draw_slider.h"
#include "memory.h"
#include "slide.h"
#include "view_lab.h"

enum {
	NAME_COLUMNS = 11, /* a longer name takes more */
	HINT_COLUMN = 26,
	SLIDER_COLUMNS = 17,
	SLIDER_SHORT = 13,
	ROOMY = 34, /* from this many columns: the longer hint */
	SLIDER_LEAST = 9,
	CHOICES_LEAST = 16,
	TITLE_FRAME = 10, /* columns of a title used by its frame */
};

/* ---- hints beside a value --------------------------------------------- */

/* Writes "64 B .. 1 GiB"; round bounds take few digits. */
static void say_bound(struct text *text, const struct param *row, double value)
{
	if (row->type == PARAM_WHOLE)
		unit_write_whole(text, row->unit, (int64_t)value);
	else
		unit_write(text, row->unit, value);
}

static void say_bounds(struct text *text, const struct param *row)
{
	say_bound(text, row, row->min);
	text_add(text, " .. ");
	say_bound(text, row, row->max);
}

/* Width of choices first .. last, with a blank after each. */
static int choices_width(const struct param *row, int first, int last)
{
	int width = 0;

	for (int i = first; i <= last; i++)
		width += text_columns(row->choices[i]) + 1;
	return width;
}

static bool is_chosen(const struct param *row,
	const struct param_values *values, int choice)
{
	for (size_t v = 0; v < values->count; v++)
		if (param_chosen(row, values->list[v], choice))
			return true;
	return false;
}

/* Draws the choices. Brackets mark the chosen ones, so that the mark does not
 * depend on colour. Starts at the first choice that leaves room for the first
 * chosen one. */
static void draw_choices(const struct pane *pane, const struct param *row,
	const struct param_values *values, int field)
{
	int column = 0, first = 0, chosen = 0;

	if (pane->columns < CHOICES_LEAST)
		return;
	while (!param_chosen(row, values->list[0], chosen))
		chosen++;
	while (first < chosen &&
		choices_width(row, first, chosen) + 8 > pane->columns)
		first++;
	if (first)
		column = pane_text(pane, 0, 0, ROLE_DIM, ".. ");
	for (int i = first; row->choices[i]; i++) {
		bool is = is_chosen(row, values, i);
		int width = text_columns(row->choices[i]) + (is ? 2 : 0);
		int behind = row->choices[i + 1] ? 3 : 0;

		if (column + width + behind > pane->columns) {
			pane_text(pane, column, 0, ROLE_DIM, "..");
			return;
		}
		column +=
			pane_text(pane, column, 0, is ? ROLE_STRONG : ROLE_DIM,
				is ? "[%s]" : "%s", row->choices[i]);
		pane_spot(pane, column - width, 0, width,
			"focus form; field %d; edit %s=%s", field + 1,
			row->name, row->choices[i]);
		column++;
	}
}

/* A hint is drawn in full or omitted. */
static void draw_words(const struct pane *pane, const char *chars)
{
	if (text_columns(chars) <= pane->columns)
		pane_chars(pane, 0, 0, ROLE_DIM, chars);
}

static void draw_number(const struct pane *pane, const struct param *row,
	double value, int field)
{
	struct text bounds = { 0 };

	say_bounds(&bounds, row);
	int width = text_columns(text_chars(&bounds));
	int slider = pane->columns - width - 2;
	int usual = pane->columns >= ROOMY ? SLIDER_COLUMNS : SLIDER_SHORT;

	/* Same length as in the other rows, unless the bounds need the room. */
	slider = slider > usual ? usual : slider;
	struct pane place = pane_part(pane, 0, 0, slider, 1);
	if (slider >= SLIDER_LEAST) {
		draw_slider(&place, slide_place(row, value));
		pane_spot(&place, 0, 0, slider,
			"focus form; field %d; slide @%d+%d", field + 1,
			place.column, slider);
		pane_chars(pane, slider + 2, 0, ROLE_DIM, bounds.chars);
	} else {
		draw_words(pane, bounds.chars);
	}
	text_free(&bounds);
}

static bool is_automatic(const struct param *row,
	const union param_value *value)
{
	return row->automatic && row->type == PARAM_WHOLE &&
		value->whole == PARAM_AUTO;
}

static void draw_hint(const struct pane *pane, const struct param *row,
	const struct param_values *values, int field)
{
	const union param_value *first = &values->list[0];
	struct text text = { 0 };

	if (row->type == PARAM_CHOICE) {
		draw_choices(pane, row, values, field);
	} else if (values->count > 1) {
		text_add(&text, "sweeps %zu values", values->count);
	} else if (is_automatic(row, first)) {
		text_add(&text, "or ");
		say_bounds(&text, row);
	} else if (row->type == PARAM_TEXT) {
		text_add(&text, "Enter types it");
	} else {
		draw_number(pane, row,
			row->type == PARAM_WHOLE ? (double)first->whole :
						   first->real,
			field);
	}
	draw_words(pane, text_chars(&text));
	text_free(&text);
}

/* ---- rows ------------------------------------------------------------- */

/* A list that is too long is cut after one of its values. */
static void draw_value(const struct pane *pane, enum role role,
	const char *typed)
{
	if (text_columns(typed) <= pane->columns) {
		pane_chars(pane, 0, 0, role, typed);
		return;
	}
	char *copy = xstrdup(typed);
	char *comma;
	while (text_columns(copy) > pane->columns - 3 &&
		(comma = strrchr(copy, ',')))
		*comma = '\0';
	int used = pane_chars(pane, 0, 0, role, copy);
	if (strlen(copy) < strlen(typed))
		pane_chars(pane, used, 0, ROLE_DIM, ",..");
	free(copy);
}

struct line_parts {
	struct pane value, hint;
};

/* Values are aligned, except after a name too long for its column. */
static int name_columns(const char *name)
{
	int columns = text_columns(name) + 2;

	return columns > NAME_COLUMNS ? columns : NAME_COLUMNS;
}

static struct line_parts parts_of(const struct pane *line, int names)
{
	int hint = HINT_COLUMN;

	return (struct line_parts){
		pane_part(line, names, 0, hint - names - 1, 1),
		pane_part(line, hint, 0, line->columns - hint - 1, 1),
	};
}

static void draw_param(const struct pane *line, const struct param *row,
	const struct param_values *values, int field)
{
	struct line_parts parts = parts_of(line, name_columns(row->name));
	bool preset = !strcmp(values->typed, row->preset);

	pane_chars(line, 1, 0, ROLE_TEXT, row->name);
	draw_value(&parts.value, preset ? ROLE_TEXT : ROLE_STRONG,
		values->typed);
	draw_hint(&parts.hint, row, values, field);
}

/* Is the prediction locked? A run in progress has its own copy, so that no
 * change is possible. */
static bool is_locked(const struct screen *screen)
{
	bool live;

	screen_results(screen, &live);
	return live && run_results(screen->lab->run)->prediction.set;
}

static void draw_prediction(const struct screen *screen,
	const struct pane *line)
{
	const struct experiment *experiment = screen_descriptor(screen);
	const struct prediction *own =
		&screen->lab->predictions[screen_experiment(screen)];
	struct line_parts parts = parts_of(line, NAME_COLUMNS);
	struct text value = { 0 };
	const char *hint = "what do you expect? p";

	if (own->set) {
		amount_range(&value,
			prediction_unit(own, experiment->metrics[0].unit),
			&own->total);
		hint = own->post_hoc ? "made after a result" :
				       "locked at the next run";
		if (is_locked(screen))
			hint = "locked, the run started";
	} else {
		text_add(&value, "-");
	}
	pane_chars(line, 1, 0, ROLE_TEXT, "predict");
	pane_wrap(&parts.value, 0, own->set ? ROLE_PREDICTED : ROLE_DIM,
		value.chars);
	draw_words(&parts.hint, hint);
	text_free(&value);
}

static void draw_row(struct screen *screen, int field, const struct pane *line)
{
	struct form *form = screen_form(screen);
	int names = NAME_COLUMNS;
	size_t at;
	const struct param_set *set = screen_field(form, field, &at);

	pane_spot(line, 0, 0, line->columns, "focus form; field %d", field + 1);
	if (set) {
		struct param row = screen_row(screen, set, at);

		names = name_columns(row.name);
		draw_param(line, &row, &set->values[at], field);
	} else {
		draw_prediction(screen, line);
	}
	if (screen->focus[VIEW_LAB] != FOCUS_FORM || field != form->field)
		return;
	pane_role(line, 0, 0, HINT_COLUMN - 1, ROLE_SELECT);
	pane_cursor(line, names, 0);
}

void view_form(struct screen *screen, const struct pane *pane)
{
	const struct experiment *experiment = screen_descriptor(screen);
	const struct form *form = screen_form(screen);
	int count = screen_fields(form);
	int rows = pane->rows - 2;
	int first = form->field >= rows ? form->field - rows + 1 : 0;
	struct text right = { 0 }, more = { 0 };

	text_add(&right, "%s", experiment->title);
	if (first + rows < count && rows > 0)
		text_add(&more, "%d more below", count - first - rows);
	if (more.length) {
		int room = pane->columns - TITLE_FRAME -
			text_columns(experiment->name);

		if (text_columns(right.chars) + 2 + text_columns(more.chars) >
			room)
			text_clear(&right);
		text_add(&right, "%s%s", right.length ? ", " : "", more.chars);
	}
	text_free(&more);
	struct pane inside =
		pane_frame(pane, experiment->name, text_chars(&right));
	for (int i = first; i < count && i - first < inside.rows; i++) {
		struct pane line =
			pane_part(&inside, 0, i - first, inside.columns, 1);

		draw_row(screen, i, &line);
	}
	text_free(&right);
}
