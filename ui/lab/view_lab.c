/* Assembles the Lab screen. */
#include "commands_internal.h"
#include "draw_histogram.h"
#include "lab_layout.h"
#include "view_lab.h"

int lab_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct lab_layout layout;
	int count = 0;

	lab_layout(&layout, body, (enum focus)screen->focus[VIEW_LAB]);
	parts[count++] = layout.list;
	parts[count++] = layout.form;
	parts[count++] = layout.plot;
	parts[count++] = layout.strip;
	parts[count++] = layout.result;
	parts[count++] = layout.prediction;
	parts[count++] = layout.about;
	return count;
}

/* The figures must be current before any pane draws them. */
static void refresh_figures(struct screen *screen,
	const struct lab_layout *layout)
{
	int columns = layout->plot.columns > 2 ? layout->plot.columns - 2 : 1;
	int room = histogram_room(columns);

	screen_figures(screen, room > 1 ? room : 1);
}

void lab_draw(struct screen *screen, const struct pane *body)
{
	struct lab_layout layout;

	lab_layout(&layout, body, (enum focus)screen->focus[VIEW_LAB]);
	refresh_figures(screen, &layout);
	view_list(screen, &layout.list);
	view_form(screen, &layout.form);
	view_plot(screen, &layout.plot);
	view_strip(screen, &layout.strip);
	view_result(screen, &layout.result);
	view_prediction(screen, &layout.prediction);
	view_about(screen, &layout.about);
}

/* ---- moving ----------------------------------------------------------- */

static void move_point(struct screen *screen, int steps)
{
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (results && results->point_count)
		screen_form(screen)->point =
			moved((int)screen_point(screen, results), steps,
				(int)results->point_count);
}

/* Writes all choices to the status row, because the form has room for only
 * some. */
static void say_choices(struct screen *screen, const struct param *row)
{
	struct text text = { 0 };

	text_add(&text, "%s: %s:", row->label, row->help);
	for (int i = 0; row->choices[i]; i++)
		text_add(&text, " %s", row->choices[i]);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	text_free(&text);
}

static void say_field(struct screen *screen)
{
	struct form *form = screen_form(screen);
	size_t at;
	const struct param_set *set = screen_field(form, form->field, &at);

	if (set && set->rows[at].type == PARAM_CHOICE)
		say_choices(screen, &set->rows[at]);
	else if (set)
		screen_say(screen, ROLE_TEXT, "%s: %s", set->rows[at].label,
			set->rows[at].help);
	else
		screen_say(screen, ROLE_TEXT,
			"prediction: your expectation, kept and compared with "
			"the result");
}

static void say_plot(struct screen *screen)
{
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (results && results->point_count > 1)
		screen_say(screen, ROLE_TEXT,
			"Up and Down choose a point, Enter shows the histogram "
			"of this point or all points.");
	else
		screen_say(screen, ROLE_TEXT,
			"l and L: log scales, c: cumulative distribution, d: "
			"every figure.");
}

void lab_move(struct screen *screen, int steps)
{
	struct form *form = screen_form(screen);

	switch ((enum focus)screen->focus[VIEW_LAB]) {
	case FOCUS_LIST:
	case FOCUSES:
		screen->selected = (size_t)moved((int)screen->selected, steps,
			(int)screen->item_count);
		break;
	case FOCUS_FORM:
		form->field = moved(form->field, steps, screen_fields(form));
		say_field(screen);
		break;
	case FOCUS_PLOT:
		move_point(screen, steps);
		break;
	}
}

/* Writes a description of the focused part to the status row. */
void lab_enter(struct screen *screen)
{
	switch ((enum focus)screen->focus[VIEW_LAB]) {
	case FOCUS_FORM:
		say_field(screen);
		break;
	case FOCUS_PLOT:
		say_plot(screen);
		break;
	case FOCUS_LIST:
	case FOCUSES:
		screen_say(screen, ROLE_TEXT, "%s",
			screen_descriptor(screen)->question);
		break;
	}
}
