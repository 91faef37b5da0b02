/* Verbs of the Sweep screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "memory.h"
#include "sweep_trace.h"
#include "view_sweep.h"

enum { ZOOM_MOST = 6 };

static void choose(struct scene *scene, size_t point)
{
	screen_form(scene->screen)->point = (int)point;
}

/* ---- the probe -------------------------------------------------------- */

static void along_trace(struct scene *scene, int steps)
{
	struct trace trace;

	trace_open(&trace, scene);
	long step = (long)trace_step(&trace, scene) * steps;
	long at = (long)trace.at + step;
	long last = (long)trace.n - 1;
	scene->options->touch = (size_t)(at < 0 ? 0 : at > last ? last : at);
	trace_close(&trace);
}

static void along_points(struct scene *scene, int steps)
{
	choose(scene,
		(size_t)moved((int)scene->point, steps,
			(int)scene->results->point_count));
}

static void along_findings(struct scene *scene, int steps)
{
	scene->options->finding = (size_t)moved((int)scene->options->finding,
		steps, (int)scene->results->findings.count);
}

static void along_line(struct scene *scene, int steps)
{
	const struct curve *line = &scene->curves.lines[scene->line];

	choose(scene,
		line->points[moved((int)scene->at, steps, (int)line->count)]);
}

/* The point of a line that is nearest to the probe's horizontal position. */
static size_t point_beside(const struct scene *scene, size_t line)
{
	const struct curves *curves = &scene->curves;
	double x = curves_value(curves, curves->across, scene->point);
	double least = INFINITY;
	size_t best = curves->lines[line].points[0];

	for (size_t i = 0; i < curves->lines[line].count; i++) {
		size_t point = curves->lines[line].points[i];
		double off =
			fabs(curves_value(curves, curves->across, point) - x);

		if (off >= least)
			continue;
		least = off;
		best = point;
	}
	return best;
}

/* The height of a line at the probe's position: its figure, or on a map its
 * value on the vertical axis. */
static double height(const struct scene *scene, size_t line)
{
	size_t point = point_beside(scene, line);
	double value = scene->kind == SWEEP_MAP ?
		curves_value(&scene->curves, scene->curves.down, point) :
		scene_value(scene, point);

	return isfinite(value) ? value : -INFINITY;
}

/* Is line `a` above `b`? Equal lines are ordered as in the results. */
static bool is_above(const struct scene *scene, size_t a, size_t b)
{
	double x = height(scene, a), y = height(scene, b);

	return x > y || (x == y && a < b);
}

/* Moves to the next line above (steps < 0) or below, if there is one. */
static void to_line(struct scene *scene, int steps)
{
	size_t count = scene->curves.line_count, best = count;
	size_t here = scene->line;

	for (size_t k = 0; k < count; k++) {
		bool beyond =
			k != here && is_above(scene, k, here) == (steps < 0);

		if (beyond &&
			(best == count ||
				is_above(scene, k, best) == (steps > 0)))
			best = k;
	}
	if (best < count)
		choose(scene, point_beside(scene, best));
}

void sweep_move(struct screen *screen, int steps)
{
	struct scene scene;
	struct trace trace;

	scene_open(&scene, screen, 0);
	switch (scene.kind) {
	case SWEEP_TRACE:
		trace_open(&trace, &scene);
		scene.options->touch =
			trace_next_stop(&trace, &scene.levels, steps);
		trace_close(&trace);
		break;
	case SWEEP_TABLE:
		if (scene.results->point_count == 1) {
			along_findings(&scene, steps);
			break;
		}
		along_points(&scene, steps);
		break;
	case SWEEP_BARS:
		along_points(&scene, steps);
		break;
	case SWEEP_LINES:
	case SWEEP_MAP:
		to_line(&scene, steps);
		break;
	case SWEEP_AUTO:
	case SWEEP_NOTHING:
		break;
	}
	scene_close(&scene);
}

static enum outcome exec_probe(const struct call *call, struct reply *reply)
{
	struct scene scene;
	enum outcome outcome = OUTCOME_DONE;

	scene_open(&scene, screen_of(call), 0);
	if (scene.kind == SWEEP_NOTHING)
		outcome = reply_fail(reply, STATUS_USAGE,
			"no sweep: no run has several points");
	else if (scene.kind == SWEEP_TRACE)
		along_trace(&scene, steps_of(call));
	else if (scene.kind == SWEEP_TABLE && scene.results->point_count == 1)
		along_findings(&scene, steps_of(call));
	else if (scene.kind == SWEEP_BARS || scene.kind == SWEEP_TABLE)
		along_points(&scene, steps_of(call));
	else
		along_line(&scene, steps_of(call));
	scene_close(&scene);
	return outcome;
}

/* ---- the kind of drawing, and its axes -------------------------------- */

static const struct {
	const char *word;
	enum sweep_kind kind;
	const char *needs;
} kinds[] = {
	{ "lines", SWEEP_LINES, "a quantity with several values" },
	{ "map", SWEEP_MAP, "two quantities with several values each" },
	{ "bars", SWEEP_BARS, "several points" },
	{ "table", SWEEP_TABLE, "several points, or findings" },
	{ "trace", SWEEP_TRACE, "an experiment that records one" },
};

static const char *const words[] = { "lines", "map", "bars", "table", "trace",
	"fitting", "across", "log-across", "log-up", "intervals", "closer",
	"wider", "next-trace", NULL };

/* A second request for the same kind returns to the automatic choice. */
static enum outcome show_kind(struct scene *scene, size_t i,
	struct reply *reply)
{
	if (!scene_can(scene, kinds[i].kind))
		return reply_fail(reply, STATUS_USAGE,
			"no %s: needs %s", kinds[i].word,
			kinds[i].needs);
	scene->options->kind =
		scene->kind == kinds[i].kind ? SWEEP_AUTO : kinds[i].kind;
	return OUTCOME_DONE;
}

static enum outcome next_across(struct scene *scene, struct reply *reply)
{
	const char *next = curves_next(&scene->curves);

	if (!next)
		return reply_fail(reply, STATUS_USAGE,
			"no other swept quantity");
	free(scene->options->asked);
	scene->options->asked = xstrdup(next);
	scene->options->zoom = 0;
	screen_say(scene->screen, ROLE_TEXT, "%s on the horizontal axis", next);
	return OUTCOME_DONE;
}

/* Changes the scale to the one that is not on the screen. */
static void turn_scale(const struct scene *scene, bool up)
{
	struct axis across, axis;

	if (scene->kind == SWEEP_LINES) {
		across = scene_across(scene);
		axis = up ? scene_up(scene, &across) : across;
	} else {
		axis = (struct axis){ .logarithmic =
					      (up ? scene->options->up :
						    scene->options->across) ==
				SWEEP_LOG };
	}
	*(up ? &scene->options->up : &scene->options->across) =
		axis.logarithmic ? SWEEP_LINEAR : SWEEP_LOG;
}

static void turn_intervals(struct scene *scene)
{
	struct sweep_options *options = scene->options;
	double most = 0;

	options->intervals = !options->intervals;
	for (size_t i = 0; scene->figures && i < scene->figures->point_count;
		i++)
		most = fmax(most, scene->figures->points[i].half);
	if (!options->intervals)
		screen_say(scene->screen, ROLE_TEXT, "intervals off");
	else if (scene->kind == SWEEP_MAP)
		screen_say(scene->screen, ROLE_TEXT,
			"the map shows no intervals; `sweep lines` does");
	else if (most > 0)
		screen_say(scene->screen, ROLE_TEXT,
			"95 %% intervals on; the widest is +-%.*g %%",
			text_digits(most * 100), most * 100);
	else
		screen_say(scene->screen, ROLE_TEXT,
			"no point has an interval: several launches with clean "
			"trials are needed");
}

/* The probe returns to the start, because the next trace has other
 * positions. */
static void next_trace(struct scene *scene)
{
	struct sweep_options *options = scene->options;

	options->trace = scene->trace_count ?
		(options->trace + 1) % scene->trace_count :
		0;
	options->touch = 0;
}

static enum outcome change(struct scene *scene, const char *word,
	struct reply *reply)
{
	struct sweep_options *options = scene->options;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].word, word))
			return show_kind(scene, i, reply);
	if (!strcmp(word, "across"))
		return next_across(scene, reply);
	if (!strcmp(word, "fitting"))
		options->kind = SWEEP_AUTO;
	else if (!strcmp(word, "log-across"))
		turn_scale(scene, false);
	else if (!strcmp(word, "log-up"))
		turn_scale(scene, true);
	else if (!strcmp(word, "intervals"))
		turn_intervals(scene);
	else if (!strcmp(word, "closer"))
		options->zoom = moved(options->zoom, 1, ZOOM_MOST + 1);
	else if (!strcmp(word, "wider"))
		options->zoom = moved(options->zoom, -1, ZOOM_MOST + 1);
	else
		next_trace(scene);
	return OUTCOME_DONE;
}

static enum outcome exec_sweep(const struct call *call, struct reply *reply)
{
	struct scene scene;

	scene_open(&scene, screen_of(call), 0);
	enum outcome outcome = change(&scene, call->arg[0], reply);
	scene_close(&scene);
	return outcome;
}

/* Shows the next measured experiment, in the order of the list. */
static enum outcome exec_measured(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct lab *lab = call->lab;
	int count = (int)lab->registry.count,
	    from = (int)screen_experiment(screen);
	int step = steps_of(call) < 0 ? -1 : 1;

	for (int i = 1; i < count; i++) {
		int at = ((from + i * step) % count + count) % count;

		if (!session_last(lab->session, lab->registry.list[at]->name))
			continue;
		screen_bring(screen, (size_t)at, false);
		sweep_enter(screen);
		return OUTCOME_DONE;
	}
	return reply_fail(reply, STATUS_USAGE, "no other experiment was "
		"measured");
}

void sweep_enter(struct screen *screen)
{
	static const char *const sentences[] = {
		[SWEEP_LINES] = "Left and Right move the probe, Up and Down "
				"change the line.",
		[SWEEP_MAP] = "The arrows move the probe; m shows lines.",
		[SWEEP_BARS] = "Up and Down choose a point.",
		[SWEEP_TABLE] = "Up and Down choose a point; t goes back.",
		[SWEEP_TRACE] = "Left and Right move the probe, Up and Down "
				"move between peaks.",
		[SWEEP_AUTO] = "",
		[SWEEP_NOTHING] = "",
	};
	struct scene scene;

	sweep_options(screen)->zoom = 0;
	sweep_options(screen)->touch = 0;
	sweep_options(screen)->finding = 0;
	scene_open(&scene, screen, 0);
	if (scene.kind == SWEEP_TRACE && scene.levels.traced)
		screen_say(screen, ROLE_TEXT, "%s",
			scene.levels.count ?
				"Up and Down move between levels; n: next "
				"trace, t: findings." :
				"Left and Right move the probe; n: next "
				"trace.");
	else
		screen_say(screen, ROLE_TEXT, "%s", sentences[scene.kind]);
	scene_close(&scene);
}

const struct command sweep_commands[] = {
	{ "probe", "NUMBER",
		"move the probe along a sweep or a trace by NUMBER steps",
		"probe 1", 1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_steps, exec_probe },
	{ "sweep",
		"lines|map|bars|table|trace|fitting|across|log-across|log-up|"
		"intervals|closer|wider|next-trace",
		"change how a sweep is drawn", "sweep table", 1, 1,
		ARGUMENT_WORD, words, NULL, COMMAND_SCREEN, check_word,
		exec_sweep },
	{ "measured", "NUMBER",
		"select the next measured experiment, or with -1 the previous "
		"one",
		"measured 1", 1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_steps, exec_measured },
	{ .name = NULL },
};
