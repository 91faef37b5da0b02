/* The figures of a run: a row for each point, or for each metric of one. */
#include <math.h>
#include <string.h>

#include "digest.h"
#include "judgement.h"
#include "quality.h"
#include "report_internal.h"

static const struct column_head measured[] = {
	{ "", false, false },
	{ "median", true, false },
	{ "95 % low", true, false },
	{ "high", true, false },
	{ "mean", true, false },
	{ "sd within", true, false },
	{ "sd between", true, false },
	{ "min", true, false },
	{ "max", true, false },
	{ "max dev.", true, false },
	{ "trials", true, false },
	{ "launches", true, false },
	{ "cycles", true, false },
	{ "shared", true, false },
	{ "excluded", true, false },
	{ "quality", false, false },
	{ "predicted", true, false },
};
static const struct column_head printed[] = {
	{ "", false, false },
	{ "figure", true, false },
	{ "sd within", true, false },
	{ "sd between", true, false },
	{ "min", true, false },
	{ "max", true, false },
	{ "max dev.", true, false },
	{ "kind", false, false },
	{ "as printed", false, false },
	{ "where", false, true },
};
enum {
	MEASURED = sizeof measured / sizeof *measured,
	PRINTED = sizeof printed / sizeof *printed,
};

/* One table: its run and its form. */
struct table {
	struct document *document;
	const struct results *results;
	size_t run;
	bool published; /* published figures, without trials */
	bool by_metric; /* rows are metrics of the only point */
	bool predicted; /* has the column "predicted": first metric only */
};

/* A cell with a number; `of` is RUN/POINT/METRIC, defined in report.h. NaN is
 * shown as "-". */
static void number_cell(struct document *document, const char *of,
	const char *figure, enum unit unit, double value, double like)
{
	struct text text = { 0 }, where = { 0 };

	if (isfinite(value)) {
		unit_show_beside(&text, unit, value, like);
		text_add(&where, "%s/%s", of, figure);
	}
	document_number(document, text.length ? text.chars : "-",
		text_chars(&where));
	text_free(&text);
	text_free(&where);
}

void report_headline(struct document *document, const char *of, enum unit unit,
	const struct digest *digest)
{
	struct text text = { 0 }, where = { 0 };

	if (isfinite(digest->headline) || !isfinite(digest->median_all)) {
		number_cell(document, of, "median", unit, digest->headline,
			digest->headline);
		return;
	}
	text_add_char(&text, '(');
	unit_show(&text, unit, digest->median_all);
	text_add_char(&text, ')');
	text_add(&where, "%s/median_all", of);
	document_number(document, text.chars, where.chars);
	text_free(&text);
	text_free(&where);
}

void report_range(struct text *text, enum unit unit, const struct range *range)
{
	double scale;

	if (range->low == 0 && range->high == 0) {
		text_add(text, "none");
		return;
	}
	if (range->low == range->high) {
		unit_show(text, unit, range->high);
		return;
	}
	const char *prefix = unit_prefix(unit, range->high, &scale);
	double low = range->low / scale, high = range->high / scale;
	int digits = 4;

	/* Enough digits to show that the ends differ. */
	while (digits < 9 &&
		fabs(high - low) < fabs(high) * pow(10, 1 - digits))
		digits++;
	text_add(text, "%.*g .. %.*g%s%s", digits, low, digits, high,
		*prefix ? " " : "", prefix);
}

void report_range_cell(struct document *document, const char *of,
	const char *figure, enum unit unit, const struct range *range)
{
	struct text text = { 0 }, where = { 0 };

	report_range(&text, unit, range);
	text_add(&where, "%s/%s", of, figure);
	document_number(document, text.chars, where.chars);
	text_free(&text);
	text_free(&where);
}

static void no_figures(const struct table *table, size_t count)
{
	while (count--)
		document_cell(table->document, "-");
}

/* ---- rows ------------------------------------------------------------- */

struct named_figure {
	const char *name;
	double value;
};

/* All in the unit that fits `like`, so that the numbers of a row are
 * comparable. */
static void numbers(const struct table *table, const char *of, enum unit unit,
	const struct named_figure *list, size_t count, double like)
{
	for (size_t i = 0; i < count; i++)
		number_cell(table->document, of, list[i].name, unit,
			list[i].value, like);
}

static void published_cells(const struct table *table, const char *of,
	enum unit unit, const struct published *published)
{
	const struct named_figure list[] = {
		{ "median", published->value },
		{ "sd_within", published->sd_within },
		{ "sd_between", published->sd_between },
		{ "min", published->min },
		{ "max", published->max },
		{ "max_deviation", published->max_deviation },
	};

	numbers(table, of, unit, list, sizeof list / sizeof *list,
		published->value);
	document_cell(table->document,
		published_figure_name(published->figure));
	document_cell(table->document, published->printed);
	document_cell(table->document, published->source);
}

static void predicted_cell(const struct table *table, const char *of,
	const struct point *point, unsigned metric)
{
	struct judgement judgement = judge(table->results, point);

	if (!metric && judgement.prediction)
		report_range_cell(table->document, of, "total",
			prediction_unit(judgement.prediction,
				table->results->metrics[0].unit),
			&judgement.prediction->total);
	else
		document_cell(table->document, "-");
}

static void count_cell(const struct table *table, const char *of,
	const char *figure, size_t count)
{
	struct text text = { 0 }, where = { 0 };

	text_add(&text, "%zu", count);
	text_add(&where, "%s/%s", of, figure);
	document_number(table->document, text.chars, where.chars);
	text_free(&text);
	text_free(&where);
}

static void measured_cells(const struct table *table, const char *of,
	enum unit unit, const struct point *point, const struct digest *digest)
{
	const struct summary *summary = &digest->summary;
	bool sure = summary->has_interval;
	const struct named_figure list[] = {
		{ "low", sure ? summary->interval.low : NAN },
		{ "high", sure ? summary->interval.high : NAN },
		{ "mean", summary->mean },
		{ "sd_within", summary->sd_within },
		{ "sd_between", summary->sd_between },
		{ "min", summary->min },
		{ "max", summary->max },
		{ "max_deviation", summary->max_deviation },
	};
	double cycles = digest->has_cycles ? digest->cycles.median : NAN;

	report_headline(table->document, of, unit, digest);
	numbers(table, of, unit, list, sizeof list / sizeof *list,
		digest->headline);
	count_cell(table, of, "trials", summary->trials);
	count_cell(table, of, "launches", summary->launches);
	number_cell(table->document, of, "cycles", UNIT_CYCLES, cycles, cycles);
	number_cell(table->document, of, "shared", UNIT_PERCENT,
		digest->published ? NAN : digest->shared, digest->shared);
	number_cell(table->document, of, "excluded", UNIT_PERCENT,
		digest->published ? NAN : digest->excluded, digest->excluded);
	document_cell(table->document,
		digest->published ? "-" :
		point->state == POINT_INVALID ? "invalid" :
					quality_of_scale(digest));
}

static void name_cell(const struct table *table, const struct point *point,
	unsigned metric)
{
	struct text name = { 0 };

	if (!table->by_metric)
		point_describe(table->results, point, true, &name);
	if (!name.length)
		text_add(&name, "%s", table->results->metrics[metric].label);
	if (point->state != POINT_OK && point->why)
		text_add(&name, " (%s: %s)",
			point->state == POINT_INVALID ? "invalid" :
							"unavailable",
			point->why);
	document_cell(table->document, name.chars);
	text_free(&name);
}

static void row(const struct table *table, size_t p, unsigned metric)
{
	const struct results *results = table->results;
	const struct point *point = &results->points[p];
	const struct published *published = point->series[metric].published;
	enum unit unit = results->metrics[metric].unit;
	struct text of = { 0 };
	struct digest digest;

	if (table->published && !published)
		return;
	name_cell(table, point, metric);
	text_add(&of, "%zu/%zu/%s", table->run, p,
		results->metrics[metric].name);
	if (table->published) {
		published_cells(table, of.chars, unit, published);
	} else {
		if (digest_of(results, point, metric, &digest))
			measured_cells(table, of.chars, unit, point, &digest);
		else
			no_figures(table, MEASURED - 2);
		if (table->predicted)
			predicted_cell(table, of.chars, point, metric);
	}
	text_free(&of);
}

/* ---- tables ----------------------------------------------------------- */

/* True if the metric has figures for a table. Sets *published to false if one
 * of them was measured. */
static bool has_figures(const struct results *results, unsigned metric,
	bool *published)
{
	bool any = false;

	if (results->metrics[metric].kind == METRIC_TRACE)
		return false;
	for (size_t p = 0; p < results->point_count; p++) {
		struct digest digest;

		if (!digest_of(results, &results->points[p], metric, &digest))
			continue;
		any = true;
		*published &= digest.published != NULL;
	}
	return any;
}

static void begin(const struct table *table, const char *caption)
{
	if (table->published)
		document_table_begin(table->document, caption, printed,
			PRINTED);
	else
		document_table_begin(table->document, caption, measured,
			MEASURED - !table->predicted);
}

static void by_metric(struct table *table)
{
	const struct results *results = table->results;
	struct text caption = { 0 };
	bool any = false, whole = true;

	table->published = true;
	for (unsigned m = 0; m < results->metric_count; m++)
		any |= has_figures(results, m, &table->published);
	if (!any)
		return;
	text_add(&caption, "%s: %s figures.", results->title,
		table->published ? "published" : "measured");
	begin(table, caption.chars);
	for (unsigned m = 0; m < results->metric_count; m++)
		if (has_figures(results, m, &whole))
			row(table, 0, m);
	document_table_end(table->document);
	text_free(&caption);
}

/* Tables of other metrics with more rows than this are folded. */
enum { ROWS_OPEN = 24 };

static void by_point(struct table *table, unsigned metric)
{
	const struct results *results = table->results;
	bool fold = metric && results->point_count > ROWS_OPEN;
	struct text caption = { 0 }, asked = { 0 };

	text_add(&caption, "%s: %s.", results->title,
		results->metrics[metric].label);
	text_add(&asked, "%s: a table of %zu rows",
		results->metrics[metric].label, results->point_count);
	if (fold)
		document_fold_begin(table->document, asked.chars);
	begin(table, caption.chars);
	for (size_t p = 0; p < results->point_count; p++)
		row(table, p, metric);
	document_table_end(table->document);
	if (fold)
		document_fold_end(table->document);
	text_free(&caption);
	text_free(&asked);
}

void report_tables(struct document *document, const struct results *results,
	size_t r)
{
	struct table table = { document, results, r, false,
		results->point_count == 1, true };

	if (table.by_metric) {
		by_metric(&table);
		return;
	}
	for (unsigned m = 0; m < results->metric_count; m++) {
		table.published = true;
		table.predicted = m == 0;
		if (has_figures(results, m, &table.published))
			by_point(&table, m);
	}
}
