/* Assembles the Sweep screen. */
#include "view_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "draw_histogram.h"
#include "draw_line.h"
#include "title.h"

enum {
	BROAD = 110, /* from this many columns: a right column */
	RIGHT = 40,
	RESULT = 19, /* rows of the figures */
	SIDE_LEAST = 8,
	TALL = 30, /* from this many rows: a second plot below */
	BELOW_MOST = 16,
};

/* ---- layout ----------------------------------------------------------- */

struct sweep_panes {
	struct pane main, below, side, result;
};

static void lay_out(struct sweep_panes *places, const struct pane *body)
{
	int columns = body->columns, rows = body->rows;
	int right = columns >= BROAD ? RIGHT : 0;
	int below = rows < TALL       ? 0 :
		rows / 3 < BELOW_MOST ? rows / 3 :
					BELOW_MOST;
	int result = rows - RESULT >= SIDE_LEAST ? RESULT : 0;

	places->main = pane_part(body, 0, 0, columns - right, rows - below);
	places->below =
		pane_part(body, 0, rows - below, columns - right, below);
	places->side = pane_part(body, columns - right, 0, right,
		right ? rows - result : 0);
	places->result = pane_part(body, columns - right, rows - result, right,
		right ? result : 0);
}

int sweep_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct sweep_panes places;

	(void)screen;
	lay_out(&places, body);
	parts[0] = places.main;
	parts[1] = places.below;
	parts[2] = places.side;
	parts[3] = places.result;
	return 4;
}

/* ---- titles ----------------------------------------------------------- */

/* The values that all points of a map share, of the other swept parameters:
 * ", op=cas". */
static void say_shared(const struct scene *scene, struct text *text)
{
	const struct curves *curves = &scene->curves;
	const struct point *point = &scene->results->points[scene->point];

	for (int i = 0; i < (int)curves->param_count; i++)
		if (i != curves->across && i != curves->down)
			text_add(text, ", %s=%s", curves->params[i].name,
				point->values[curves->params[i].index]);
}

static void say_title(const struct scene *scene, enum sweep_kind kind,
	struct text *text)
{
	const struct curves *curves = &scene->curves;
	const char *what = scene->results->metrics[0].label;

	if (kind == SWEEP_TRACE)
		what = scene->results->metrics[scene->trace_metric].label;
	if (kind == SWEEP_TABLE && scene->results->point_count == 1)
		what = "findings";
	text_add(text, "%s: %s", scene->experiment->name, what);
	if (kind == SWEEP_LINES)
		text_add(text, " against %s",
			curves->params[curves->across].label);
	if (kind == SWEEP_MAP) {
		say_shared(scene, text);
		text_add(text, ", %s down, %s across",
			curves->params[curves->down].label,
			curves->params[curves->across].label);
	}
	if (kind == SWEEP_TRACE && curves->param_count) {
		text_add(text, ", ");
		sweep_say_point(scene, text);
	}
}

/* Writes the scales of both axes and the other choices. */
static void say_state(const struct scene *scene, enum sweep_kind kind,
	struct text *text)
{
	if (scene->live)
		text_add(text, "live");
	/* If most points lack a median of clean trials, one warning replaces
	 * the marks on single points. */
	if (kind != SWEEP_TRACE && scene->results->point_count > 1 &&
		!scene_mostly_clean(scene))
		text_add(text, "%smost excluded", text->length ? "  " : "");
	if (kind == SWEEP_LINES) {
		struct axis across = scene_across(scene);
		struct axis up = scene_up(scene, &across);

		text_add(text, "%s%s", text->length ? "  " : "",
			across.logarithmic && up.logarithmic ? "log-log" :
				across.logarithmic           ? "log x" :
				up.logarithmic               ? "log y" :
							       "linear");
	}
	if (kind == SWEEP_TRACE && scene->trace_count > 1 && !scene->aside)
		text_add(text, "%s%zu of %zu", text->length ? "  " : "",
			scene->options->trace % scene->trace_count + 1,
			scene->trace_count);
	if (scene->options->zoom &&
		(kind == SWEEP_LINES || kind == SWEEP_TRACE))
		text_add(text, "%s%dx", text->length ? "  " : "",
			1 << scene->options->zoom);
	if (scene->options->intervals && kind == SWEEP_LINES)
		text_add(text, "  intervals");
}

void sweep_add_state(const struct screen *screen, int room, struct text *text)
{
	bool live;
	const struct results *results = screen_results(screen, &live);
	size_t measured = 0;

	for (size_t i = 0; results && i < results->point_count; i++)
		measured += results->points[i].visit_count > 0;
	if (results && results->point_count > 1) {
		if (results_published(results))
			text_add(text, "published  %zu points",
				results->point_count);
		else
			text_add(text, "cpu %d  %zu/%zu points",
				results->place.cpu, measured,
				results->point_count);
		if (text_columns(text->chars) <= room)
			return;
	}
	text_clear(text);
	title_add_state(screen, room, text);
}

/* ---- sentences -------------------------------------------------------- */

/* Writes values of a parameter that would make a sweep. */
static void say_example(const struct scene *scene, struct text *text)
{
	const struct param *row = scene->experiment->params;
	const struct point *point = &scene->results->points[0];
	double value;
	struct error error;

	for (; row->name; row++) {
		const char *typed =
			point_value(scene->results, point, row->name);

		if (row->type == PARAM_CHOICE && row->choices[1]) {
			text_add(text, "%s=%s,%s", row->name, row->choices[0],
				row->choices[1]);
			return;
		}
		if (!typed || row->type == PARAM_TEXT ||
			unit_parse(row->unit, typed, strlen(typed), &value,
				&error) ||
			!(value > 0) || value * 16 > row->max)
			continue;
		text_add(text, "%s=%s..", row->name, typed);
		unit_write(text, row->unit, value * 16);
		return;
	}
}

static void draw_missing(const struct scene *scene, const struct pane *pane)
{
	const struct results *results = scene->results;
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);
	struct text text = { 0 }, example = { 0 };

	if (!results && !scene->live) {
		text_add(&text,
			"%s is not measured yet: r measures it, with the "
			"values of the Lab's form.%s",
			scene->experiment->name,
			scene->screen->lab->session->run_count ?
				" Tab shows the next measured experiment." :
				"");
	} else if (results && results->point_count == 1 &&
		results->state != RUN_FAILED) {
		say_example(scene, &example);
		text_add(&text,
			"%s was measured at one point only. For a sweep, give "
			"a parameter several values",
			scene->experiment->name);
		if (example.length)
			text_add(&text, ", as in `run %s %s`",
				scene->experiment->name, example.chars);
		text_add_char(&text, '.');
	}
	if (text.length)
		pane_wrap(&words, 0, ROLE_TEXT, text.chars);
	else
		view_nothing(scene->screen, pane);
	text_free(&text);
	text_free(&example);
}

/* ---- the panes -------------------------------------------------------- */

static void draw_kind(const struct scene *scene, enum sweep_kind kind,
	const struct pane *pane)
{
	switch (kind) {
	case SWEEP_LINES:
		sweep_chart(scene, pane);
		break;
	case SWEEP_MAP:
		sweep_map(scene, pane);
		break;
	case SWEEP_BARS:
		sweep_bars(scene, pane);
		break;
	case SWEEP_TABLE:
		sweep_table(scene, pane);
		break;
	case SWEEP_TRACE:
		sweep_trace(scene, pane);
		break;
	case SWEEP_AUTO:
	case SWEEP_NOTHING:
		draw_missing(scene, pane);
		break;
	}
}

static void draw_main(const struct scene *scene, enum sweep_kind kind,
	const struct pane *pane)
{
	struct text title = { 0 }, right = { 0 };

	if (kind == SWEEP_NOTHING) {
		text_add(&title, "%s", scene->experiment->name);
	} else {
		say_title(scene, kind, &title);
		say_state(scene, kind, &right);
	}
	struct pane inside = pane_frame(pane, title.chars, text_chars(&right));
	draw_kind(scene, kind, &inside);
	text_free(&title);
	text_free(&right);
}

/* Draws a second view: the same points differently, the next trace, or the
 * trials of the probe's point. */
static void draw_below(const struct scene *scene, const struct pane *pane)
{
	enum sweep_kind other =
		scene->kind == SWEEP_MAP ? SWEEP_LINES : SWEEP_MAP;
	struct text title = { 0 };

	if (pane->rows < 3)
		return;
	if (scene->kind != SWEEP_NOTHING && scene_can(scene, other)) {
		draw_main(scene, other, pane);
		return;
	}
	if (scene->kind == SWEEP_TRACE && scene->trace_count > 1) {
		struct scene next;

		scene_next_trace(scene, &next);
		draw_main(&next, SWEEP_TRACE, pane);
		return;
	}
	if (scene->figures && scene->figures->any)
		point_describe(scene->results,
			&scene->results->points[scene->point],
			scene->results->point_count > 1, &title);
	struct pane inside = pane_frame(pane,
		title.length ? title.chars : "trials under the probe", NULL);
	if (scene->figures && scene->figures->any)
		view_single(scene->screen, scene->figures, &inside);
	else
		view_nothing(scene->screen, &inside);
	text_free(&title);
}

static void draw_side(const struct scene *scene, const struct pane *pane)
{
	bool levels = scene->levels.count > 0;
	const struct curve *line = scene->curves.line_count > 1 ?
		&scene->curves.lines[scene->line] :
		NULL;

	if (pane->columns < 3)
		return;
	struct pane inside = pane_frame(pane,
		scene->levels.traced && levels ? "Levels found" :
			levels                 ? "Levels" :
			line                   ? "At the probe" :
						 "What is this?",
		levels && line ? line->label : NULL);
	sweep_side(scene, &inside);
}

void sweep_draw(struct screen *screen, const struct pane *body)
{
	struct sweep_panes places;
	struct scene scene;

	lay_out(&places, body);
	int room = histogram_room(places.main.columns - 2);
	scene_open(&scene, screen, room > 1 ? room : 1);
	draw_main(&scene, scene.kind, &places.main);
	draw_below(&scene, &places.below);
	draw_side(&scene, &places.side);
	if (places.result.columns > 2)
		view_result(screen, &places.result);
	scene_close(&scene);
}
