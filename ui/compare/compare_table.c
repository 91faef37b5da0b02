/* Draws the rows of a comparison, with their intervals as bars around 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "amounts.h"
#include "draw_axis.h"
#include "draw_table.h"
#include "memory.h"
#include "quantile.h"
#include "say_compare.h"
#include "view_compare.h"

enum {
	MARK = 1,  /* columns before the names, for the selection */
	BARE = 50, /* below this many columns: words, no bars */
	WITH_FIGURES = 58,
	WITH_INTERVAL = 70,
	WITH_WORDS = 106,
	BAR_LEAST = 9,
	BAR_NAMED = 17, /* from this many columns: "faster", "slower" */
	NAME = 18,
	LEGEND_FROM = 5, /* in rows */
	AXIS_FROM = 9,
	SUMMARY_FROM = 12,
	SUMMARY_ROWS = 3,
	AXIS_ROWS = 2,
};

/* The columns for which there is room. */
struct columns {
	int name;
	bool figures, interval, words, bars;
};

static struct columns choose(int room)
{
	struct columns columns = {
		.name = NAME,
		.figures = room >= WITH_FIGURES,
		.interval = room >= WITH_INTERVAL,
		.words = room < BARE || room >= WITH_WORDS,
		.bars = room >= BARE,
	};

	if (room < BARE)
		columns.name = room - 22;
	else if (room > WITH_WORDS)
		columns.name += (room - WITH_WORDS) / 2;
	return columns;
}

/* ---- the bars --------------------------------------------------------- */

/* The largest ratio on the scale of the bars. A row five times as far from 1 as
 * the median row is drawn as an arrow; otherwise all other bars would be
 * dots. */
static double reach(const struct compare_model *model)
{
	size_t count = model->pair.row_count, n = 0;
	double *off = xcalloc(count + 1, sizeof *off), most = .02;

	for (size_t i = 0; i < count; i++) {
		struct model_row shown;

		model_row_at(model, i, &shown);
		double far = fabs(log(shown.ratio));
		if (shown.tested)
			far = fmax(fabs(log(shown.low)), fabs(log(shown.high)));
		if (isfinite(far))
			off[n++] = far;
	}
	values_sort(off, n);
	for (size_t i = 0; i < n; i++)
		if (off[i] <= fmax(5 * off[n / 2], .1))
			most = fmax(most, off[i]);
	free(off);
	return exp(most * 1.05);
}

static void draw_bar_of(const struct model_row *shown,
	const struct axis *axis, const struct pane *bar)
{
	enum role role = model_role(shown);
	int last = bar->columns - 1;
	int at = axis_cell(axis, shown->ratio, bar->columns);

	role = role == ROLE_TEXT ? ROLE_SERIES : role;
	pane_glyph(bar, last / 2, 0, GLYPH_VERTICAL, ROLE_FRAME);
	if (!isfinite(shown->ratio) || !(shown->ratio > 0))
		return;
	if (shown->tested) {
		int low = axis_cell(axis, shown->low, bar->columns);
		int high = axis_cell(axis, shown->high, bar->columns);

		for (int i = low < 0 ? 0 : low; i <= high && i <= last; i++)
			pane_glyph(bar, i, 0, GLYPH_HORIZONTAL, role);
	}
	if (at < 0)
		pane_glyph(bar, 0, 0, GLYPH_LEFT, role);
	else if (at > last)
		pane_glyph(bar, last, 0, GLYPH_RIGHT, role);
	else
		pane_glyph(bar, at, 0, GLYPH_FULL, role);
}

static void draw_bar_head(const struct pane *bar)
{
	bool named = bar->columns >= BAR_NAMED;

	pane_chars(bar, 0, 0, ROLE_DIM, named ? "faster" : "<");
	pane_chars(bar, (bar->columns - 1) / 2, 0, ROLE_DIM, "1");
	pane_right(bar, 0, ROLE_DIM, named ? "slower" : ">");
}

/* ---- the rows --------------------------------------------------------- */

static void value_cell(struct table *table, const struct model_row *shown,
	double value)
{
	struct text text = { 0 };

	/* Times have three digits; cycles above a thousand need more. */
	if (shown->unit == UNIT_CYCLES)
		unit_show(&text, shown->unit, value);
	else
		amount_short(&text, shown->unit, value);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&text));
	text_free(&text);
}

static void ratio_cell(struct table *table, double ratio)
{
	if (!isfinite(ratio))
		table_cell(table, ROLE_DIM, "-");
	else
		table_cell(table, ROLE_STRONG, ratio < 10 ? "%.3f" : "%.4g",
			ratio);
}

/* Is the change significant on its own, but not after the correction for
 * multiple tests? */
static bool may_be_chance(const struct model_row *shown)
{
	return shown->tested && shown->verdict <= VERDICT_SLOWER &&
		!shown->row->holds;
}

static void verdict_cell(struct table *table, const struct model_row *shown,
	bool words, bool change)
{
	enum role role = model_role(shown);
	struct text by = { 0 };

	if (change)
		model_say_change(shown, &by);
	const char *doubt = may_be_chance(shown) ? "*" : "";

	if (!words)
		table_cell(table, role, "%c%s", model_sign(shown), doubt);
	else if (!change)
		table_cell(table, role, "%s%s", shown->word, doubt);
	else
		table_cell(table, role, "%c%s %s %s", model_sign(shown),
			doubt, shown->word,
			shown->tested && shown->verdict <= VERDICT_SLOWER ?
				text_chars(&by) :
				"");
	text_free(&by);
}

static void add_head(struct table *table, const struct columns *columns)
{
	table_cell(table, ROLE_DIM, "experiment");
	if (columns->figures) {
		table_cell(table, ROLE_DIM, "A");
		table_cell(table, ROLE_DIM, "B");
	}
	table_cell(table, ROLE_DIM, "B/A");
	if (columns->interval)
		table_cell(table, ROLE_DIM, "95 %% of B/A");
	table_cell(table, ROLE_DIM, "%s", columns->words ? "verdict" : "");
}

/* Why a row has no interval: what the sides shared. */
static void shares_cell(struct table *table, const struct compare_row *row,
	bool words)
{
	struct compare_shares shares =
		compare_shares_of(&row->first, &row->second);

	table_cell(table, ROLE_DIM,
		words ? "%s A %.0f %% B %.0f %%" : "%s %.0f %.0f %%",
		shares.others ? "others" : "shared", shares.first * 100,
		shares.second * 100);
}

static void interval_cell(struct table *table, const struct model_row *shown,
	bool words)
{
	const struct compare_row *row = shown->row;

	if (shown->tested)
		table_cell(table, ROLE_DIM, "%.3f %.3f", shown->low,
			shown->high);
	else if (compare_row_shared(row))
		shares_cell(table, row, words);
	else
		table_cell(table, ROLE_DIM, "%s", "");
}

static void add_row(struct table *table, const struct columns *columns,
	const struct model_row *shown)
{
	struct text name = { 0 };

	model_say_name(shown, columns->name, &name);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&name));
	if (columns->figures) {
		value_cell(table, shown, shown->first);
		value_cell(table, shown, shown->second);
	}
	ratio_cell(table, shown->ratio);
	if (columns->interval)
		interval_cell(table, shown, columns->words);
	verdict_cell(table, shown, columns->words, columns->bars);
	text_free(&name);
}

/* Draws the figures of the rows. Returns the columns they take. */
static int draw_figures(const struct compare_model *model,
	const struct columns *columns, const struct pane *rows, size_t first)
{
	struct table table = { .columns = 3 + 2 * columns->figures +
			columns->interval,
		.right = columns->figures ? 7u << 1 : 1u << 1 };

	add_head(&table, columns);
	for (size_t i = 0; i < model->pair.row_count; i++) {
		struct model_row shown;

		model_row_at(model, i, &shown);
		add_row(&table, columns, &shown);
	}
	int used = draw_table(&table, rows, first);
	table_free(&table);
	return used;
}

/* The largest 1, 2 or 5 times a power of ten that does not exceed `value`. */
static double nice_below(double value)
{
	double power = pow(10, floor(log10(value)));
	double share = value / power;

	return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

/* Draws marks at 1 and at round ratios on both sides. */
static void draw_scale(const struct axis *axis, double most,
	const struct pane *pane)
{
	double step = nice_below(most - 1), times = nice_below(most);
	int end = -1;

	for (int i = 0; i < pane->columns; i++)
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	for (int i = -2; i <= 2; i++) {
		double at = most < 2 ? 1 + i * step : pow(times, i);
		int column = axis_cell(axis, at, pane->columns);
		char label[32];

		snprintf(label, sizeof label, "%.4g", at);
		int width = text_columns(label), begin = column - width / 2;
		if (begin <= end || begin + width > pane->columns)
			continue;
		pane_glyph(pane, column, 0, GLYPH_TICK_DOWN, ROLE_FRAME);
		end = begin + pane_chars(pane, begin, 1, ROLE_DIM, label);
	}
}

/* ---- below the table -------------------------------------------------- */

static void add_sign(struct text *text, size_t count, const char *sign)
{
	if (count)
		text_add(text, "%s%s", text->length ? "  " : "", sign);
}

/* The signs that the rows have: all do not fit in 80 columns. */
static void draw_legend(const struct compare_model *model,
	const struct pane *row)
{
	static const char *const signs[] = { [VERDICT_FASTER] = "< faster",
		[VERDICT_SLOWER] = "> slower",
		[VERDICT_EQUIVALENT] = "= equivalent",
		[VERDICT_SMALL] = "~ small",
		[VERDICT_INCONCLUSIVE] = "? inconclusive" };
	struct compare_counts counts;
	struct text text = { 0 };

	model_count(model, &counts);
	for (size_t i = 0; i <= VERDICT_INCONCLUSIVE; i++)
		add_sign(&text, counts.verdicts[i], signs[i]);
	add_sign(&text, counts.undecided, "! undecided");
	add_sign(&text, counts.figures + counts.too_few, "- not tested");
	if (row->columns >= 100)
		text_add(&text, "   above 1 B is slower, of rates too");
	pane_chars(row, 0, 0, ROLE_DIM, text_chars(&text));
	text_free(&text);
}

static void add_count(struct text *text, size_t count, const char *word)
{
	if (count)
		text_add(text, "%s%zu %s", text->length ? "  " : "", count,
			word);
}

static void draw_summary(const struct compare_model *model,
	const struct pane *pane)
{
	struct compare_counts counts;
	struct text text = { 0 };

	model_count(model, &counts);
	for (unsigned i = 0; i <= VERDICT_INCONCLUSIVE; i++)
		add_count(&text, counts.verdicts[i],
			verdict_word((enum verdict)i));
	add_count(&text, counts.undecided, "undecided");
	add_count(&text, counts.figures, "not tested (published)");
	add_count(&text, counts.too_few, "not tested (too few launches or a value of 0)");
	add_count(&text, counts.by_clock, "explained by the clock");
	pane_chars(pane, 0, 0, ROLE_TEXT, text_chars(&text));
	text_clear(&text);
	text_add(&text, "below ");
	say_compare_thresholds(&model->pair, &text);
	text_add(&text, ": small; * not significant after Holm's correction");
	pane_chars(pane, 0, 1, ROLE_DIM, text.chars);
	text_free(&text);
}

/* ---- the whole table -------------------------------------------------- */

static void select_row(const struct compare_model *model,
	const struct pane *rows,
	const struct pane *mark, size_t first, int used)
{
	for (int row = 1; row < rows->rows &&
		first + (size_t)row - 1 < model->pair.row_count;
		row++) {
		size_t at = first + (size_t)row - 1;

		pane_spot(rows, 0, row, rows->columns, "move %d",
			(int)at - (int)model->selected);
		if (at != model->selected)
			continue;
		pane_glyph(mark, 0, row, GLYPH_CLOSED, ROLE_STRONG);
		pane_role(rows, 0, row, used, ROLE_SELECT);
		pane_cursor(rows, 0, row);
	}
}

void compare_table(struct compare_model *model, const struct pane *pane)
{
	size_t count = model->pair.row_count;
	int foot = pane->rows >= SUMMARY_FROM ? SUMMARY_ROWS :
		pane->rows >= LEGEND_FROM     ? 1 :
						0;
	/* At this width the verdicts are words and need no legend. */
	if (pane->columns < BARE)
		foot = 0;
	int scale = pane->rows >= AXIS_FROM ? AXIS_ROWS : 0;
	struct pane rows =
		pane_part(pane, MARK, 0, -1, pane->rows - foot - scale);
	struct pane below = pane_part(pane, 1, pane->rows - foot, -1, foot);
	struct columns columns = choose(rows.columns);

	if (rows.rows > (int)count + 1)
		rows.rows = (int)count + 1;
	size_t room = rows.rows > 1 ? (size_t)rows.rows - 1 : 1;
	size_t first =
		model->selected >= room ? model->selected - room + 1 : 0;
	int used = draw_figures(model, &columns, &rows, first);
	struct pane bars = pane_part(&rows, used + 2, 0, -1, rows.rows);
	bars.columns -= !(bars.columns % 2);
	if (columns.bars && bars.columns >= BAR_LEAST) {
		double most = reach(model);
		struct axis axis = axis_over(1 / most, most, true, UNIT_NONE);

		draw_bar_head(&bars);
		for (int i = 1; i < bars.rows; i++) {
			struct pane bar =
				pane_part(&bars, 0, i, bars.columns, 1);
			struct model_row shown;

			model_row_at(model, first + (size_t)i - 1,
				&shown);
			draw_bar_of(&shown, &axis, &bar);
		}
		struct pane line = pane_part(pane, bars.column - pane->column,
			rows.rows, bars.columns, AXIS_ROWS);
		if (scale)
			draw_scale(&axis, most, &line);
	}
	select_row(model, &rows, pane, first, used);
	if (foot > 1)
		draw_summary(model, &below);
	if (foot) {
		struct pane legend =
			pane_part(&below, 0, foot - 1, below.columns, 1);

		draw_legend(model, &legend);
	}
}
