/* The result of a single point. */
#include "print_one.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "print_head.h"
#include "print_spread.h"
#include "print_support.h"
#include "wrap.h"

enum { GAP = 3 };

/* True if the metric has a figure. A trace has none; findings describe it. */
static bool is_other(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	return results->metrics[metric].kind != METRIC_TRACE &&
		digest_of(results, point, metric, digest);
}

static bool has_others(const struct results *results,
	const struct point *point)
{
	struct digest digest;

	for (unsigned m = 1; m < results->metric_count; m++)
		if (is_other(results, point, m, &digest))
			return true;
	return false;
}

/* Prints the head line. Uses the frequency measured beside the trials, if
 * canaries measured one. */
static void print_title(const struct results *results,
	const struct digest *digest, const struct text_layout *layout,
	struct text *text)
{
	bool beside = digest && digest->core_hz > 0;
	struct text setting = { 0 }, given = { 0 }, right = { 0 };
	struct text where = { 0 };

	/* If there are several figures, name the first. */
	if (has_others(results, results->points))
		text_add(&setting, "%s", results->metrics[0].label);
	say_setting(results, &given);
	if (given.length)
		text_add(&setting, "%s%s", setting.length ? ", " : "",
			given.chars);
	text_free(&given);
	say_processor(results,
		beside ? digest->core_hz : results_usual_hz(results), &where);
	text_add(&right, "%s", results->experiment);
	if (where.length)
		text_add(&right, "%*s%s", GAP, "", where.chars);
	print_head(layout, results->title, text_chars(&setting), right.chars,
		text);
	text_free(&setting);
	text_free(&right);
	text_free(&where);
}

/* The figure at the left end, the verdict at the right end. */
static void print_headline(const struct results *results,
	const struct point *point, const struct digest *digest,
	const struct text_layout *layout, struct text *text)
{
	enum unit unit = results->metrics[0].unit;
	struct text figure = { 0 }, rest = { 0 }, verdict = { 0 };
	enum text_style style = figure_verdict(&verdict, point, digest);

	figure_median(&figure, unit, digest);
	if (digest->summary.has_interval) {
		text_pad(&rest, ' ', GAP);
		figure_interval(&rest, unit, &digest->summary);
	}
	if (digest->has_cycles && digest->summary.trials) {
		text_pad(&rest, ' ', GAP);
		figure_cycles(&rest, digest->cycles.median);
		text_add(&rest, " cycles");
	}
	int left = layout->width - 2 - text_width(figure.chars) -
		text_width(text_chars(&rest)) -
		text_width(text_chars(&verdict));
	text_add(text, "\n  ");
	style_add(text, layout, STYLE_BOLD, figure.chars);
	text_add(text, "%s", text_chars(&rest));
	text_pad(text, ' ', (size_t)fmax(left, GAP));
	style_add(text, layout, style, text_chars(&verdict));
	text_add_char(text, '\n');
	text_free(&figure);
	text_free(&rest);
	text_free(&verdict);
}

/* ---- the other metrics ------------------------------------------------ */

enum { LABEL, FIGURE, INTERVAL, CYCLES, VERDICT };

static void add_metric(struct columns *table, const struct point *point,
	const struct metric_info *info, const struct digest *digest)
{
	struct text text = { 0 };
	const struct summary *summary = &digest->summary;

	columns_row(table);
	columns_cell(table, LABEL, STYLE_PLAIN, "%s", info->label);
	figure_median(&text, info->unit, digest);
	columns_cell(table, FIGURE, STYLE_PLAIN, "%s", text_chars(&text));
	text_clear(&text);
	if (summary->interval.high > summary->interval.low)
		figure_interval(&text, info->unit, summary);
	columns_cell(table, INTERVAL, STYLE_PLAIN, "%s", text_chars(&text));
	text_clear(&text);
	if (digest->has_cycles)
		figure_cycles(&text, digest->cycles.median);
	columns_cell(table, CYCLES, STYLE_PLAIN, "%s%s", text_chars(&text),
		text.length ? " cycles" : "");
	text_clear(&text);
	enum text_style style = figure_verdict(&text, point, digest);
	if (style != STYLE_GOOD)
		columns_cell(table, VERDICT, style, "%s", text_chars(&text));
	text_free(&text);
}

static void print_others(const struct results *results,
	const struct point *point, const struct text_layout *layout,
	struct text *text)
{
	struct columns table = { 0 };

	columns_add(&table, "", COLUMN_LEFT, 0);
	columns_add(&table, "", COLUMN_RIGHT, 0);
	columns_add(&table, "", COLUMN_LEFT, 2);
	columns_add(&table, "", COLUMN_RIGHT, 3);
	columns_add(&table, "", COLUMN_LEFT, 1);
	for (unsigned m = 1; m < results->metric_count; m++) {
		struct digest digest;

		if (is_other(results, point, m, &digest))
			add_metric(&table, point, &results->metrics[m],
				&digest);
	}
	if (table.rows)
		text_add_char(text, '\n');
	columns_print(&table, layout, text);
	columns_free(&table);
}

static void print_missing(const struct point *point,
	const struct text_layout *layout, struct text *text)
{
	struct text line = { 0 };

	if (point->state == POINT_UNAVAILABLE)
		text_add(&line, "unavailable: %s", point->why);
	else if (point->why)
		text_add(&line, "invalid: %s", point->why);
	else
		text_add(&line, "not measured");
	text_add(text, "\n  ");
	wrap(text, line.chars, 2, layout->width);
	text_free(&line);
}

void print_one(const struct results *results, const struct machine *machine,
	const struct text_layout *layout, struct text *text)
{
	const struct point *point = &results->points[0];
	struct digest digest;
	struct text rest = { 0 };
	bool any = results->metric_count &&
		digest_of(results, point, 0, &digest);

	print_title(results, any ? &digest : NULL, layout, text);
	if (any) {
		print_headline(results, point, &digest, layout, text);
		print_spread(results, point, &digest, layout, text);
	} else {
		print_missing(point, layout, text);
	}
	print_others(results, point, layout, text);
	print_found_table(results, layout, &rest);
	print_predicted(results, machine, layout, &rest);
	if (any)
		print_measured(results, &digest, layout, &rest);
	print_found(results, NULL, layout, &rest);
	if (any)
		print_conditions(results, point, &digest, layout, &rest);
	print_notes(results, layout, &rest);
	text_add(text, "%s%s", rest.length ? "\n" : "", text_chars(&rest));
	text_free(&rest);
}
