/* Plots the trials behind a row: A above, B below, with the same bins and
 * scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amounts.h"
#include "digest.h"
#include "draw_axis.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"
#include "view_compare.h"

enum {
	LETTER = 2,   /* columns of "A " */
	FIGURES = 22, /* columns of the figures on the right */
	FIGURES_FROM = 60,
	ROWS_LEAST = 3,
	EIGHTHS = 8,
	FINER = 2, /* bins per column, if there are enough trials */
};

/* ---- computing -------------------------------------------------------- */

struct values {
	double *list; /* trials of the headline; owned */
	size_t count;
};

static void take_values(const struct compare_side *side, enum scale scale,
	struct values *values)
{
	uint16_t *flags;
	size_t n;

	*values = (struct values){ 0 };
	if (side->published)
		return;
	enum regime regime =
		results_regime(side->run, side->point, side->metric);
	n = results_values(side->run, side->point, side->metric, scale,
		&values->list, &flags);
	for (size_t i = 0; i < n; i++)
		if (regime_shows(regime, flags[i]) == SHOWN_HEADLINE)
			values->list[values->count++] = values->list[i];
	free(flags);
}

/* The quantum of both sides: the larger one, because bins must suit both. */
static double quantum_of(const struct compare_row *row, bool cycles)
{
	const struct compare_side *sides[] = { &row->first, &row->second };
	double most = 0;

	for (int i = 0; i < 2; i++) {
		const struct compare_side *side = sides[i];
		double quantum = side->published ?
			0 :
			results_quantum(side->run, side->point, side->metric);

		if (cycles)
			quantum *= side->run->clock.core_hz / 1e9;
		most = fmax(most, quantum);
	}
	return most;
}

/* Bin width by Freedman and Diaconis: twice the interquartile range, divided by
 * the cube root of n. */
static double fitting_width(struct values *values)
{
	size_t n = values->count;

	if (!n)
		return INFINITY;
	values_sort(values->list, n);
	double quartiles = values->list[n * 3 / 4] - values->list[n / 4];
	return 2 * quartiles / cbrt((double)n);
}

/* Narrows the bins. A width computed from both sides together is too wide if
 * they are far apart, so the narrower side's own width is used. */
static void lay_out(struct model_plot *plot, struct values *values,
	double quantum, struct histogram *half)
{
	double high = histogram_edge(half, half->bins);
	double width =
		fmin(fitting_width(&values[0]), fitting_width(&values[1]));

	width = fmax(width, (high - half->low) / (plot->columns * FINER));
	if (quantum > 0)
		width = quantum * ceil(fmax(width, quantum) / quantum);
	if (!half->bins || half->logarithmic || width >= half->width)
		return;
	histogram_narrow(half, width);
}

static void fill(struct model_plot *plot, const struct compare_row *row,
	struct values *values)
{
	double quantum = quantum_of(row, plot->cycles);
	size_t n = values[0].count + values[1].count;
	double *both = xmalloc((n + 1) * sizeof *both);

	if (values[0].count)
		memcpy(both, values[0].list, values[0].count * sizeof *both);
	if (values[1].count)
		memcpy(both + values[0].count, values[1].list,
			values[1].count * sizeof *both);
	values_sort(both, n);
	for (int i = 0; i < 2; i++) {
		histogram_layout(&plot->halves[i], both, n, quantum,
			(size_t)plot->columns * FINER, HISTOGRAM_AUTO);
		lay_out(plot, values, quantum, &plot->halves[i]);
		for (size_t k = 0; k < values[i].count; k++)
			histogram_add(&plot->halves[i], values[i].list[k], 0);
		plot->trials[i] = values[i].count;
	}
	free(both);
}

static void compute(struct compare_model *model, int columns)
{
	size_t at = model->order[model->selected];
	const struct compare_row *row = &model->pair.rows[at];
	struct model_plot *plot = &model->plot;
	bool cycles = model->cycles && row->has_cycles;
	enum scale scale = cycles ? SCALE_CYCLES : SCALE_UNIT;
	struct values values[2];

	if (plot->made && plot->row == at && plot->columns == columns &&
		plot->cycles == cycles)
		return;
	for (int i = 0; i < 2; i++)
		histogram_free(&plot->halves[i]);
	*plot = (struct model_plot){ .row = at,
		.columns = columns,
		.cycles = cycles,
		.made = true };
	take_values(&row->first, scale, &values[0]);
	take_values(&row->second, scale, &values[1]);
	fill(plot, row, values);
	free(values[0].list);
	free(values[1].list);
}

/* ---- drawing ---------------------------------------------------------- */

static size_t outside(const struct histogram *histogram)
{
	return histogram_below(histogram) + histogram_above(histogram);
}

/* The fraction of a side's trials in a column. Bins and columns have different
 * widths, so a column counts parts of bins. */
static double share_at(const struct model_plot *plot, int side, int column)
{
	const struct histogram *histogram = &plot->halves[side];
	double each = (double)histogram->bins / plot->columns;
	double from = column * each, to = (column + 1) * each, sum = 0;

	for (size_t i = (size_t)from; i < histogram->bins && (double)i < to;
		i++)
		sum += (double)histogram_count(histogram, i) *
			(fmin(to, (double)i + 1) - fmax(from, (double)i));
	return plot->trials[side] ? sum / (double)plot->trials[side] : 0;
}

/* The largest fraction of any column; both sides share one scale. */
static double highest(const struct model_plot *plot)
{
	double most = 0;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < plot->columns; i++)
			most = fmax(most, share_at(plot, side, i));
	return most > 0 ? most : 1;
}

/* Bars that point down have glyphs only for one eighth and one half of a
 * cell. */
static void draw_column(const struct pane *plot, int side, int column,
	int eighths, enum role role)
{
	enum tier tier = plot->grid->tier;

	for (int i = 0; i < plot->rows && eighths > 0;
		i++, eighths -= EIGHTHS) {
		int row = side ? i : plot->rows - 1 - i;

		if (!side)
			pane_put(plot, column, row, glyph_eighth(tier, eighths),
				role);
		else
			pane_glyph(plot, column, row,
				eighths > 5         ? GLYPH_FULL :
					eighths > 2 ? GLYPH_UPPER :
						      GLYPH_UPPER_EIGHTH,
				role);
	}
}

static void draw_half(const struct model_plot *state, int side,
	const struct pane *plot)
{
	double most = highest(state);

	for (int i = 0; i < plot->columns; i++)
		draw_column(plot, side, i,
			(int)ceil(share_at(state, side, i) / most * EIGHTHS *
				(double)plot->rows),
			side ? ROLE_SERIES_2 : ROLE_SERIES);
}

/* Draws one side. Without trials, writes its published figure, or why there are
 * none. */
static void draw_side(const struct model_row *shown,
	const struct model_plot *state, int side, const struct pane *half,
	int columns)
{
	const struct compare_side *is =
		side ? &shown->row->second : &shown->row->first;
	struct pane plot = pane_part(half, LETTER, 0, columns, half->rows);
	const struct series *series = &is->point->series[is->metric];
	const struct published *figure = series->published;

	pane_chars(half, 0, side ? 0 : half->rows - 1, ROLE_STRONG,
		side ? "B" : "A");
	if (state->trials[side])
		draw_half(state, side, &plot);
	else if (is->published && figure)
		pane_text(&plot, 1, side ? 0 : half->rows - 1, ROLE_DIM,
			"published: %s", figure->printed);
	else
		pane_chars(&plot, 1, side ? 0 : half->rows - 1, ROLE_DIM,
			series->stored ? "the session keeps no trials" :
					 "no clean trial");
}

static void draw_figures(const struct model_row *shown,
	const struct model_plot *state, int side, const struct pane *half)
{
	struct pane words = pane_part(half, half->columns - FIGURES, 0, FIGURES,
		half->rows);
	double median = side ? shown->second : shown->first;
	int row = side ? 0 : half->rows - 1;
	struct text text = { 0 };

	text_add(&text, "%s ",
		(side ? shown->row->second.published :
			shown->row->first.published) ?
			"figure" :
			"median");
	unit_show(&text, shown->unit, median);
	pane_right(&words, row, ROLE_STRONG, text.chars);
	text_clear(&text);
	if (outside(&state->halves[side]))
		text_add(&text, "%zu of ", outside(&state->halves[side]));
	text_add(&text, "%zu %s", state->trials[side],
		outside(&state->halves[side]) ? "off axis" : "trials");
	if (half->rows > 1 && state->trials[side])
		pane_right(&words, side ? 1 : row - 1, ROLE_DIM, text.chars);
	text_free(&text);
}

/* Draws the line between both sides, with the labels of the axis. */
static void draw_line(const struct model_row *shown,
	const struct model_plot *state, const struct pane *line, int columns)
{
	const struct histogram *histogram = &state->halves[0];
	struct ticks ticks;
	int end = 0;

	for (int i = 0; i < line->columns; i++)
		pane_glyph(line, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	if (!histogram->bins || columns < 2)
		return;
	struct axis axis = axis_over(histogram->low,
		histogram_edge(histogram, histogram->bins),
		histogram->logarithmic, shown->unit);
	axis_ticks(&axis, columns * 3 / 4, &ticks);
	for (size_t i = 0; i < ticks.count; i++) {
		const char *label = ticks.list[i].label;
		int width = (int)strlen(label);
		int at = LETTER - width / 2 +
			axis_cell(&axis, ticks.list[i].value, columns);

		if (at <= end || at + width > LETTER + columns)
			continue;
		end = at + pane_chars(line, at, 0, ROLE_DIM, label);
	}
	pane_text(line, LETTER + columns + 1, 0, ROLE_DIM, " %s ", ticks.unit);
}

void compare_plot(struct compare_model *model, const struct pane *pane)
{
	bool figures = pane->columns >= FIGURES_FROM;
	int columns = pane->columns - LETTER - (figures ? FIGURES + 1 : 5);
	int above = pane->rows / 2, below = pane->rows - above - 1;
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	struct pane upper = pane_part(&inner, 0, 0, inner.columns, above);
	struct pane line = pane_part(&inner, 0, above, inner.columns, 1);
	struct pane lower =
		pane_part(&inner, 0, above + 1, inner.columns, below);
	struct model_row shown;

	columns -= 2;
	if (pane->rows < ROWS_LEAST || columns < 1)
		return;
	model_row_at(model, model->selected, &shown);
	compute(model, columns);
	draw_side(&shown, &model->plot, 0, &upper, columns);
	draw_side(&shown, &model->plot, 1, &lower, columns);
	draw_line(&shown, &model->plot, &line, columns);
	if (!figures)
		return;
	draw_figures(&shown, &model->plot, 0, &upper);
	draw_figures(&shown, &model->plot, 1, &lower);
}
