/* Draws the figures under the probe in one row. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "quality.h"
#include "view_sweep.h"

void sweep_say_value(const struct swept *swept, double value, const char *typed,
	struct text *text)
{
	enum { DIGITS_MOST = 5 };

	if (swept->numeric && swept->unit == UNIT_BYTES &&
		strspn(typed, "0123456789") > DIGITS_MOST)
		amount_size(text, value);
	else
		text_add_safe(text, typed, strlen(typed));
}

void sweep_say_point(const struct scene *scene, struct text *text)
{
	const char *gap = "";

	for (size_t i = 0; i < scene->curves.param_count; i++) {
		const struct swept *swept = &scene->curves.params[i];
		const char *typed = scene->results->points[scene->point]
					    .values[swept->index];

		if (!*typed)
			continue;
		text_add(text, "%s%s=", gap, swept->name);
		sweep_say_value(swept,
			swept->numeric ? swept->at[scene->point] : NAN, typed,
			text);
		gap = " ";
	}
}

/* ---- pieces ----------------------------------------------------------- */

/* Writes the probe's horizontal position: "8M", "threads=2". */
static void say_where(const struct scene *scene, struct text *text)
{
	const struct swept *param = &scene->curves.params[scene->curves.across];
	const char *value =
		scene->results->points[scene->point].values[param->index];

	if (param->unit == UNIT_BYTES)
		amount_size(text,
			curves_value(&scene->curves, scene->curves.across,
				scene->point));
	else
		text_add(text, "%s=%s", param->name, value);
	if (param->measured) {
		text_add(text, "  ");
		amount_short(text, param->unit,
			curves_value(&scene->curves, scene->curves.across,
				scene->point));
	}
}

/* Writes the median of a point; if `whole`, also its interval. */
static void say_figure(const struct scene *scene, size_t point, bool whole,
	struct text *text)
{
	const struct point_figures *row = &scene->figures->points[point];
	enum unit unit = scene->results->metrics[0].unit;
	double value = scene_value(scene, point);

	if (!isfinite(value)) {
		text_add(text, "%s",
			scene->results->points[point].state ==
					POINT_UNAVAILABLE ?
				"unavailable" :
				row->visits ? "no figure" :
					      "not yet");
		return;
	}
	if (!whole) {
		amount_short(text, unit, value);
		return;
	}
	if (!row->any)
		text_add_char(text, '~');
	unit_show(text, unit, value);
	if (isfinite(row->low)) {
		text_add_char(text, ' ');
		unit_show_interval(text, unit, row->low, row->high, value);
	} else if (!row->any) {
		text_add(text, " of all, excluded");
	}
}

/* The level to compare with: the one before, or for the first level the
 * next. */
static const struct cache_level *level_beside(const struct cache_levels *levels,
	const struct cache_level *here)
{
	const struct cache_level *other = NULL;

	for (size_t i = 0; i < levels->count; i++) {
		const struct cache_level *level = &levels->list[i];

		if (isfinite(level->value) && level != here &&
			(level < here || !other))
			other = level;
	}
	return other;
}

static const struct cache_level *level_here(const struct scene *scene)
{
	return scene->levels.count && scene->curves.across >= 0 ?
		level_serving_point(&scene->levels, scene->results,
			scene->point,
			curves_value(&scene->curves, scene->curves.across,
				scene->point)) :
		NULL;
}

/* Writes the level that serves the point and its cost relative to another
 * level: "in L3, 4.4 x L2". */
static void say_level(const struct scene *scene, struct text *text)
{
	const struct cache_level *here = level_here(scene);
	const struct cache_level *other =
		here ? level_beside(&scene->levels, here) : NULL;
	double value = scene_value(scene, scene->point);
	struct text said = { 0 };

	levels_say_serving(&scene->found, scene->results, scene->point, &said);
	if (here)
		text_add(text, "%s %s",
			level_end(here) > 0 || said.length ? "in" : "from",
			here->name);
	else if (said.length)
		text_add(text, "in %s", said.chars);
	text_free(&said);
	if (other && isfinite(value))
		text_add(text, ", %.*g x %s", text_digits(value / other->value),
			value / other->value, other->name);
}

/* ---- the row ---------------------------------------------------------- */

/* A row of pieces; a piece that does not fit is omitted. */
struct line {
	const struct pane *pane;
	int column;
};

static void add_piece(struct line *line, enum role role,
	const struct text *piece)
{
	int width = text_columns(text_chars(piece));

	if (!width || line->column + width > line->pane->columns)
		return;
	pane_chars(line->pane, line->column, 0, role, text_chars(piece));
	line->column += width + 3;
}

/* Do lines have names here? On a map, and without a horizontal axis, a point is
 * named by all its parameters. */
static bool has_lines(const struct scene *scene)
{
	return scene->curves.across >= 0 && scene->kind != SWEEP_MAP;
}

static void add_selected(const struct scene *scene, struct line *line)
{
	struct text piece = { 0 };
	bool lines = has_lines(scene);
	const char *label = lines ? scene->curves.lines[scene->line].label : "";

	for (int whole = 1; whole >= 0; whole--) {
		text_clear(&piece);
		if (lines) {
			say_where(scene, &piece);
			text_add(&piece, "  %s%s", label, *label ? " " : "");
		} else {
			sweep_say_point(scene, &piece);
			text_add(&piece, "  ");
		}
		say_figure(scene, scene->point, whole, &piece);
		if (text_columns(piece.chars) <= line->pane->columns)
			break;
	}
	add_piece(line, ROLE_STRONG, &piece);
	text_free(&piece);
}

static void add_quality(const struct scene *scene, struct line *line)
{
	const struct point_figures *row = &scene->figures->points[scene->point];
	struct text piece = { 0 };

	if (row->trials && row->quality != QUALITY_GOOD)
		text_add(&piece, "%s", quality_word(row->quality));
	add_piece(line, ROLE_WARN, &piece);
	text_free(&piece);
}

/* Adds the values of the other lines at the probe's position. */
static void add_others(const struct scene *scene, struct line *line)
{
	const struct curves *curves = &scene->curves;

	for (size_t k = 0; k < curves->line_count; k++) {
		const struct curve *other = &curves->lines[k];
		double x = curves_value(curves, curves->across, scene->point);

		for (size_t i = 0; k != scene->line && i < other->count; i++) {
			struct text piece = { 0 };

			if (curves_value(curves, curves->across,
				    other->points[i]) != x)
				continue;
			text_add(&piece, "%s ", other->label);
			say_figure(scene, other->points[i], false, &piece);
			add_piece(line, (enum role)(ROLE_SERIES + k % 4),
				&piece);
			text_free(&piece);
		}
	}
}

void sweep_probe(const struct scene *scene, const struct pane *pane)
{
	struct line line = { pane, 0 };
	struct text level = { 0 };

	add_selected(scene, &line);
	add_quality(scene, &line);
	say_level(scene, &level);
	add_piece(&line, ROLE_TEXT, &level);
	text_free(&level);
	if (has_lines(scene))
		add_others(scene, &line);
}
