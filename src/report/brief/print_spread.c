/* Small histograms that share one axis. */
#include "print_spread.h"

#include <math.h>
#include <stdlib.h>

#include "axis.h"
#include "digest.h"
#include "figure.h"
#include "marks.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"

enum { LABEL = 19, GAP = 2, CELLS_LEAST = 16, CELLS_MOST = 44,
	TRIALS_LEAST = 40, ROWS = SHOWN_EXCLUDED };
enum { WIDE_LINE = 96 }; /* layouts from this width on have complete rows */

#define SEEN .01 /* a cell below this fraction of the highest stays empty */
#define WIDE 20  /* an axis with a greater ratio of its ends is logarithmic */

/* A histogram is scaled to its own highest cell; `share` is the row's fraction
 * of the trials. */
struct row {
	const char *name;
	double share;
	struct text says; /* text after the histogram */
	size_t counts[CELLS_MOST], most;
};

struct spread {
	const struct text_layout *layout;
	struct axis axis;
	int cells;             /* 0: no histogram */
	struct row rows[ROWS]; /* by enum shown */
};

/* ---- text of the rows ------------------------------------------------- */

/* True if all quantiles can be read in the median's unit. */
static bool share_unit(const struct summary *summary, enum unit unit)
{
	double scale;

	unit_prefix(unit, summary->median, &scale);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		if (fabs(summary->quantile[i]) >= 1e4 * scale)
			return false;
	return true;
}

static void add_quantile(const struct summary *summary, double value,
	enum unit unit, bool share, struct text *text)
{
	double width = summary->has_interval ?
		summary->interval.high - summary->interval.low : 0;

	if (share)
		figure_add_like(text, unit, value, summary->median, width);
	else
		figure_add(text, unit, value, 0);
}

static void add_quantiles(const struct summary *summary, enum unit unit,
	bool wide, struct text *text)
{
	static const double shown[] = { .05, .95, .99 };
	bool share = share_unit(summary, unit);
	double scale;

	text_add(text, "min ");
	add_quantile(summary, summary->min, unit, share, text);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		for (size_t k = !wide; k < sizeof shown / sizeof *shown; k++) {
			if (summary_quantile[i] != shown[k] ||
				!isfinite(summary->quantile[i]))
				continue;
			text_add(text, "  p%g ", shown[k] * 100);
			add_quantile(summary, summary->quantile[i], unit, share,
				text);
		}
	if (share)
		text_add(text, " %s",
			unit_prefix(unit, summary->median, &scale));
	text_trim(text);
}

static void add_other(const struct digest *digest, enum unit unit,
	bool wide, struct text *text)
{
	bool shared = digest->regime == REGIME_ALONE;
	const struct regime_figures *other =
		&digest->by_regime[shared ? REGIME_SHARED : REGIME_ALONE];

	if (!other->has_interval) {
		text_add(text, "too few for a figure");
		return;
	}
	text_add(text, "median ");
	figure_add(text, unit, other->median,
		other->interval.high - other->interval.low);
	if (digest->headline > 0)
		text_add(text, " (x%.3g)", other->median / digest->headline);
	if (wide)
		text_add(text, ", not in the headline");
}

static void name_rows(struct spread *spread, const struct digest *digest,
	enum unit unit)
{
	bool wide = spread->layout->width >= WIDE_LINE;
	double alone = digest_alone(digest);
	struct row *own = &spread->rows[SHOWN_HEADLINE];
	struct row *other = &spread->rows[SHOWN_OTHER];

	own->name = digest->regime == REGIME_POOLED ? "trials" :
		digest->regime == REGIME_ALONE      ? "alone" :
						      "shared";
	own->share = digest->regime == REGIME_POOLED ? 1 - digest->excluded :
		digest->regime == REGIME_ALONE ? alone : digest->shared;
	add_quantiles(&digest->summary, unit, wide, &own->says);
	other->share = 1 - digest->excluded - own->share;
	if (digest->regime == REGIME_POOLED || other->share < .005)
		return;
	other->name = digest->regime == REGIME_ALONE ? "shared" : "alone";
	add_other(digest, unit, wide, &other->says);
}

/* ---- histograms ------------------------------------------------------- */

static int room_of(const struct spread *spread)
{
	int longest = 0;

	for (int i = 0; i < ROWS; i++) {
		int columns = text_width(text_chars(&spread->rows[i].says));

		if (columns > longest)
			longest = columns;
	}
	int room = spread->layout->width - LABEL - GAP - longest;
	return room < CELLS_LEAST || !spread->layout->bars ? 0 :
		room > CELLS_MOST				  ? CELLS_MOST :
								    room;
}

/* The values of one row, sorted. */
struct values {
	double *list;
	size_t count;
};

/* Sets the axis from the values of both regimes. Each one's upper tail is left
 * out, since it would compress the rest into a few cells. The printed quantiles
 * describe the tail. */
static void lay_out(struct spread *spread, const struct values values[ROWS],
	double quantum, enum unit unit)
{
	double low = INFINITY, high = -INFINITY;

	for (int i = 0; i < ROWS; i++) {
		const struct values *row = &values[i];

		if (!row->count)
			continue;
		low = fmin(low, quantile_sorted(row->list, row->count, .002));
		high = fmax(high, quantile_sorted(row->list, row->count, .96));
	}
	double least = quantum * (spread->cells - 1);

	if (high - low < least) {
		low -= (least - (high - low)) / 2;
		high = low + least;
	}
	spread->axis = axis_over(low, high, low > 0 && high > WIDE * low,
		unit);
}

static void count(struct spread *spread, const double *values,
	const uint16_t *flags, size_t n, enum regime regime)
{
	for (size_t i = 0; i < n; i++) {
		enum shown shown = regime_shows(regime, flags[i]);
		int cell = axis_cell(&spread->axis, values[i], spread->cells);

		if (shown == SHOWN_EXCLUDED || cell < 0 ||
			cell >= spread->cells)
			continue;
		struct row *row = &spread->rows[shown];
		if (++row->counts[cell] > row->most)
			row->most = row->counts[cell];
	}
}

static void fill(struct spread *spread, const struct results *results,
	const struct point *point, const struct digest *digest)
{
	double *values;
	uint16_t *flags;
	struct values rows[ROWS] = { 0 };
	size_t n = results_values(results, point, 0, SCALE_UNIT, &values,
		&flags);

	for (int i = 0; i < ROWS; i++)
		rows[i].list = xmalloc((n + 1) * sizeof(double));
	for (size_t i = 0; i < n; i++) {
		enum shown shown =
			regime_shows(digest->regime, flags[i]);

		if (isfinite(values[i]) && shown != SHOWN_EXCLUDED &&
			spread->rows[shown].name)
			/* NOLINTNEXTLINE(clang-analyzer-core.*) */
			rows[shown].list[rows[shown].count++] = values[i];
	}
	for (int i = 0; i < ROWS; i++)
		values_sort(rows[i].list, rows[i].count);
	if (rows[SHOWN_HEADLINE].count) {
		lay_out(spread, rows, results_quantum(results, point, 0),
			results->metrics[0].unit);
		count(spread, values, flags, n, digest->regime);
	}
	for (int i = 0; i < ROWS; i++)
		free(rows[i].list);
	free(values);
	free(flags);
}

/* ---- lines ------------------------------------------------------------ */

static void print_row(const struct spread *spread, const struct row *row,
	struct text *text)
{
	text_add(text, "  %-9s ", row->name);
	struct text share = { 0 };
	figure_share(&share, row->share);
	text_add(text, "%5s  ", text_chars(&share));
	text_free(&share);
	for (int i = 0; i < spread->cells; i++) {
		double height = row->most ?
			(double)row->counts[i] / (double)row->most : 0;

		mark_level(text, spread->layout, height < SEEN ? 0 : height);
	}
	text_pad(text, ' ', spread->cells ? GAP : 0);
	text_add(text, "%s", text_chars(&row->says));
	text_trim(text);
	text_add_char(text, '\n');
}

void print_spread(const struct results *results, const struct point *point,
	const struct digest *digest, const struct text_layout *layout,
	struct text *text)
{
	struct spread spread = { .layout = layout };
	struct ticks ticks;

	if (digest->summary.trials < TRIALS_LEAST)
		return;
	name_rows(&spread, digest, results->metrics[0].unit);
	spread.cells = room_of(&spread);
	if (spread.cells)
		fill(&spread, results, point, digest);
	if (!spread.rows[SHOWN_HEADLINE].most)
		spread.cells = 0;
	text_add_char(text, '\n');
	for (int i = 0; i < ROWS; i++) {
		if (spread.rows[i].name)
			print_row(&spread, &spread.rows[i], text);
		text_free(&spread.rows[i].says);
	}
	if (!spread.cells)
		return;
	axis_ticks(&spread.axis, spread.cells, &ticks);
	mark_labels(text, layout, &spread.axis, &ticks, LABEL, spread.cells);
}
