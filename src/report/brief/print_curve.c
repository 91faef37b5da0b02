/* A long sweep. */
#include "print_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "curves.h"
#include "digest.h"
#include "figure.h"
#include "levels.h"
#include "memory.h"
#include "memory_level.h"
#include "plot_text.h"
#include "print.h"
#include "print_head.h"
#include "print_support.h"
#include "quality.h"

enum { VALUES_LEAST = 25, LINES_MOST = 4 };

#define FAR 2 /* a knee off the kernel's size by this factor is reported */

static bool fits(const struct curves *curves)
{
	return curves->across >= 0 &&
		!curves->params[curves->across].measured &&
		curves->params[curves->across].count >= VALUES_LEAST &&
		curves->line_count && curves->line_count <= LINES_MOST &&
		curves->results->metric_count &&
		curves->results->metrics[0].kind != METRIC_TRACE;
}

bool is_curve(const struct results *results)
{
	struct curves curves;

	if (results->point_count < VALUES_LEAST || !results_visited(results))
		return false;
	curves_of(&curves, results->descriptor, results, NULL);
	bool curve = fits(&curves);
	curves_free(&curves);
	return curve;
}

/* ---- levels ----------------------------------------------------------- */

static void say_level(const struct level *level, struct text *text)
{
	bool known = level->kernel > 0 && isfinite(level->until);

	if (!isfinite(level->value))
		text_add(text, "not enough data");
	if (level->uncertain)
		text_add(text, "%suncertain", text->length ? "; " : "");
	if (known && (level->until > FAR * level->kernel ||
			     level->until * FAR < level->kernel)) {
		text_add(text, "%s", text->length ? "; " : "");
		figure_share(text, level->until / level->kernel);
		text_add(text, " of the kernel's size");
	}
}

static void add_level(struct columns *table, const struct level *level,
	enum unit unit, bool kernel, bool last)
{
	const char *about = level->uncertain ? "~" : "";
	struct text text = { 0 };
	size_t column = 0;

	columns_row(table);
	columns_cell(table, column++, STYLE_PLAIN, "%s", level->name);
	if (isfinite(level->until))
		figure_add(&text, UNIT_BYTES, level->until, 0);
	columns_cell(table, column++, STYLE_PLAIN, "%s%s",
		text.length                      ? about :
			last || !level->searched ? "" :
						   "no knee",
		text_chars(&text));
	text_clear(&text);
	if (level->kernel > 0)
		figure_add(&text, UNIT_BYTES, level->kernel, 0);
	if (kernel)
		columns_cell(table, column++, STYLE_PLAIN, "%s",
			text_chars(&text));
	text_clear(&text);
	figure_add(&text, unit, level->value, 0);
	columns_cell(table, column++, STYLE_BOLD, "%s", text_chars(&text));
	text_clear(&text);
	if (isfinite(level->cycles))
		figure_cycles(&text, level->cycles);
	columns_cell(table, column++, STYLE_PLAIN, "%s", text_chars(&text));
	text_clear(&text);
	say_level(level, &text);
	if (text.length)
		columns_say(table, column, text_chars(&text));
	text_free(&text);
}

/* Returns false if the line has no levels. */
static bool print_levels(const struct curves *curves, size_t line,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	const struct metric_info *metric = &curves->results->metrics[0];
	struct level levels[LEVELS_MOST];
	struct columns table = { 0 };
	size_t count = levels_of_line(curves, line, machine, levels);
	bool kernel = false, cycles = false;

	if (!count)
		return false;
	for (size_t i = 0; i < count; i++) {
		kernel |= levels[i].kernel > 0;
		cycles |= isfinite(levels[i].cycles);
	}
	columns_add(&table, "level", COLUMN_LEFT, 0);
	columns_add(&table, "until", COLUMN_RIGHT, 0);
	if (kernel)
		columns_add(&table, "by kernel", COLUMN_RIGHT, 0);
	columns_add(&table, metric->label, COLUMN_RIGHT, 0);
	columns_add(&table, cycles ? "cycles" : "", COLUMN_RIGHT, 2);
	columns_add(&table, "", COLUMN_LEFT, 1);
	for (size_t i = 0; i < count; i++)
		add_level(&table, &levels[i], metric->unit, kernel,
			i + 1 == count);
	columns_print(&table, layout, text);
	text_add_char(text, '\n');
	columns_free(&table);
	return true;
}

/* ---- curves ----------------------------------------------------------- */

static void print_line(const struct curves *curves, size_t line,
	const struct text_layout *layout, struct text *text)
{
	const struct curve *curve = &curves->lines[line];
	double *x = xcalloc(2 * curve->count + 1, sizeof *x);
	double *y = x + curve->count;
	size_t count = 0;

	for (size_t i = 0; i < curve->count; i++) {
		size_t point = curve->points[i];
		struct digest digest;

		if (curves->results->points[point].state != POINT_OK ||
			!digest_of(curves->results,
				&curves->results->points[point], 0, &digest))
			continue;
		double value = isfinite(digest.headline) ? digest.headline :
							   digest.median_all;
		if (!isfinite(value))
			continue;
		x[count] = curves_value(curves, curves->across, point);
		y[count++] = value;
	}
	plot_text(layout, x, y, count, curves->params[curves->across].unit,
		curves->results->metrics[0].unit, text);
	free(x);
}

bool print_curve(const struct results *results, const struct machine *machine,
	const struct text_layout *layout, struct text *text)
{
	struct curves curves;
	bool levels = false;

	curves_of(&curves, results->descriptor, results, NULL);
	for (size_t l = 0; fits(&curves) && l < curves.line_count; l++) {
		text_add_char(text, '\n');
		if (*curves.lines[l].label)
			text_add(text, "  %s\n", curves.lines[l].label);
		levels |= print_levels(&curves, l, machine, layout, text);
		print_line(&curves, l, layout, text);
	}
	curves_free(&curves);
	return levels;
}

/* ---- all -------------------------------------------------------------- */

/* Adds the exact value if it is short, else a rounded one. */
static void add_end(struct text *text, enum unit unit, double value)
{
	enum { SHORT = 6 };
	struct text typed = { 0 };

	unit_write(&typed, unit, value);
	if (typed.length <= SHORT)
		text_add(text, "%s", typed.chars);
	else
		figure_add(text, unit, value, 0);
	text_free(&typed);
}

/* "size 1K .. 128M, 69 points, 9 launches, 20 s" */
static void say_extent(const struct results *results, struct text *text)
{
	struct curves curves;

	curves_of(&curves, results->descriptor, results, NULL);
	const struct swept *across = &curves.params[curves.across];
	text_add(text, "%s ", across->name);
	add_end(text, across->unit, across->values[0]);
	text_add(text, " .. ");
	add_end(text, across->unit, across->values[across->count - 1]);
	text_add(text, ", %zu points, ", results->point_count);
	say_launches(results->launch_count, text);
	if (results->took_s > 0) {
		text_add(text, ", ");
		figure_add(text, UNIT_NS, results->took_s * 1e9, 0);
	}
	curves_free(&curves);
}

/* True for findings about one level, like "L2-random": the table of levels
 * shows them. */
static bool is_of_level(const struct finding *finding)
{
	size_t length = strcspn(finding->name, "-");
	char name[32];

	snprintf(name, sizeof name, "%.*s", (int)length, finding->name);
	return finding->name[length] && memory_level_named(name) &&
		!strstr(finding->name, "walks");
}

/* "105 of 146 points: shared core." */
static void note_points(const struct results *results, size_t count,
	const char *words, const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	if (count)
		text_add(&line, "%zu of %zu points: %s.", count,
			results->point_count, words);
	print_labelled(layout, "note", text_chars(&line), text);
	text_free(&line);
}

/* Prints how many points have not enough data or a shared core. */
static void print_trust(const struct results *results,
	const struct text_layout *layout, struct text *text)
{
	size_t few = 0, wide = 0, shared = 0;
	struct text too_few = { 0 }, too_wide = { 0 };

	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (!digest_of(results, &results->points[i], 0, &digest))
			continue;
		bool enough = digest.quality != QUALITY_NOT_ENOUGH;
		few += !enough && !digest.summary.has_interval;
		wide += !enough && digest.summary.has_interval;
		shared += digest.quality == QUALITY_SHARED_CORE;
	}
	text_add(&too_few, "not enough data, fewer than 6 launches. Raise %s",
		print_limit(results));
	text_add(&too_wide,
		"not enough data, the interval is wider than +-%g %%. Raise %s",
		quality_widest(results) * 100, print_limit(results));
	note_points(results, few, too_few.chars, layout, text);
	note_points(results, wide, too_wide.chars, layout, text);
	note_points(results, shared, "shared core", layout, text);
	text_free(&too_few);
	text_free(&too_wide);
}

void print_long_sweep(const struct results *results,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	struct text what = { 0 }, right = { 0 }, setting = { 0 };

	text_add(&what, "%s", results->metrics[0].label);
	say_setting(results, &setting);
	if (setting.length)
		text_add(&what, ", %s", setting.chars);
	say_extent(results, &right);
	print_head(layout, results->title, what.chars, right.chars, text);
	text_free(&what);
	text_free(&right);
	text_free(&setting);
	bool levels = print_curve(results, machine, layout, text);
	text_add_char(text, '\n');
	print_found_table(results, layout, text);
	print_predicted(results, machine, layout, text);
	print_found(results, levels ? is_of_level : NULL, layout, text);
	print_trust(results, layout, text);
	print_without(results, POINT_UNAVAILABLE, layout, text);
	print_without(results, POINT_INVALID, layout, text);
	print_notes(results, layout, text);
}
