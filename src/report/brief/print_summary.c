/* A machine in ten figures. */
#include "print_summary.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "figure.h"
#include "highlight.h"
#include "quality.h"

/* Published sessions from which on there is a rank. */
enum { RANKED = 2 };

enum summary_column { NAME, MEDIAN, QUALITY, PRECISION, REPORTS, RANK };

/* A highlight and its experiment. */
struct row {
	const char *experiment;
	const struct highlight *highlight;
};

static bool find(const struct results *results, const struct row *row,
	struct digest *digest, const struct point **point)
{
	const struct highlight *highlight = row->highlight;

	if (strcmp(results->experiment, row->experiment) != 0)
		return false;
	int metric = results_metric(results, highlight->metric);
	*point = results_where(results, highlight->where);
	return metric >= 0 && *point && (*point)->state == POINT_OK &&
		digest_of(results, *point, (unsigned)metric, digest);
}

static const struct results *find_latest(const struct facts *facts,
	const struct row *row, struct digest *digest,
	const struct point **point)
{
	for (size_t i = facts->earlier_count; i-- > 0;)
		if (find(facts->earlier[i], row, digest, point))
			return facts->earlier[i];
	return NULL;
}

/* The figure of the published sessions that have it: the lowest, the highest,
 * their number, and how many are better than this machine's. */
struct reports {
	double low, high;
	size_t count, better;
};

static bool is_better(double than, double value, enum direction better)
{
	return better == MORE_IS_BETTER ? value > than : value < than;
}

static struct reports reports_of(const struct facts *facts,
	const struct row *row, double value, enum direction better)
{
	struct reports reports = { .low = INFINITY };
	struct published_runs runs = facts_published(facts);
	const char *last = NULL;

	for (size_t i = 0; i < runs.count; i++) {
		const struct published_run *published = &runs.list[i];
		const struct point *point;
		struct digest digest;

		/* The runs of a session follow each other. */
		if ((last && !strcmp(last, published->of)) ||
			!find(published->run, row, &digest, &point))
			continue;
		last = published->of;
		reports.count++;
		reports.low = fmin(reports.low, digest.headline);
		reports.high = fmax(reports.high, digest.headline);
		reports.better += is_better(value, digest.headline, better);
	}
	return reports;
}

/* "147 .. 547 ns" */
static void add_range(const struct reports *reports, enum unit unit,
	struct text *text)
{
	if (reports->count > 1) {
		figure_number(text, unit, reports->low, reports->high);
		text_add(text, " .. ");
	}
	if (reports->count)
		figure_add(text, unit, reports->high, 0);
}

/* "2nd of 4": among the published machines and this one. A figure of too few
 * data has no rank. */
static void add_rank(const struct reports *reports, enum direction better,
	const struct digest *digest, struct text *text)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	size_t rank = reports->better + 1;

	if (reports->count < RANKED || better == NEITHER_IS_BETTER ||
		digest->published || !digest->summary.trials ||
		digest->quality == QUALITY_NOT_ENOUGH)
		return;
	bool regular = rank % 10 > 3 || rank / 10 % 10 == 1;
	text_add(text, "%zu%s of %zu", rank,
		endings[regular ? 0 : rank % 10], reports->count + 1);
}

static void add_cell(struct columns *table, enum summary_column column,
	enum text_style style, struct text *text)
{
	columns_cell(table, column, style, "%s", text_chars(text));
	text_free(text);
}

static void add_figure(const struct point *point, enum unit unit,
	const struct digest *digest, struct columns *table)
{
	struct text median = { 0 }, quality = { 0 }, precision = { 0 };
	enum text_style style = STYLE_PLAIN;

	if (digest->published) {
		figure_add(&median, unit, digest->headline, 0);
		text_add(&quality, "published");
	} else {
		figure_median(&median, unit, digest);
		style = figure_quality(&quality, point, digest);
		figure_precision(&precision, point, digest);
	}
	/* In full, the ranks would not fit 80 columns. */
	if (!digest->published && !digest->summary.trials) {
		text_clear(&quality);
		text_add(&quality, "all excluded");
	}
	add_cell(table, MEDIAN, STYLE_BOLD, &median);
	add_cell(table, QUALITY, style, &quality);
	add_cell(table, PRECISION, style, &precision);
}

static void add_row(const struct facts *facts, const struct row *row,
	struct columns *table)
{
	struct text range = { 0 }, rank = { 0 };
	const struct point *point;
	struct digest digest;
	const struct results *results =
		find_latest(facts, row, &digest, &point);

	if (!results)
		return;
	const struct metric_info *metric = &results->metrics[results_metric(
		results, row->highlight->metric)];
	const struct reports reports =
		reports_of(facts, row, digest.headline, metric->better);

	columns_row(table);
	columns_cell(table, NAME, STYLE_PLAIN, "%s", row->highlight->name);
	add_figure(point, metric->unit, &digest, table);
	add_range(&reports, metric->unit, &range);
	add_rank(&reports, metric->better, &digest, &rank);
	add_cell(table, REPORTS, STYLE_PLAIN, &range);
	/* Without ranks, there is no such column. */
	if (!rank.length)
		return;
	if (table->count == RANK)
		columns_add(table, "fastest", COLUMN_LEFT, 2);
	add_cell(table, RANK, STYLE_PLAIN, &rank);
}

size_t print_summary(const struct experiment *const *experiments,
	const struct facts *facts, const struct text_layout *layout,
	struct text *text)
{
	struct columns table = { 0 };

	columns_add(&table, "this machine", COLUMN_LEFT, 0);
	columns_add(&table, "median", COLUMN_RIGHT, 0);
	columns_add(&table, "", COLUMN_LEFT, 0);
	/* The first to go: with it, the others do not fit 80 columns. */
	columns_add(&table, "", COLUMN_LEFT, 3);
	columns_add(&table, "course reports", COLUMN_RIGHT, 1);
	for (; *experiments; experiments++) {
		struct row row = { (*experiments)->name,
			(*experiments)->highlights };

		for (; row.highlight && row.highlight->name; row.highlight++)
			add_row(facts, &row, &table);
	}
	size_t rows = table.rows;
	if (rows)
		columns_print(&table, layout, text);
	columns_free(&table);
	return rows;
}

/* ---- rows that a script composes -------------------------------------- */

enum { NAME_WIDE = 24, FIGURE_WIDE = 10 };

/* Whole megabytes per second, also of a rate in bits, or whole megahertz:
 * "1734 MB/s". */
static void add_millions(struct text *text, enum unit unit,
	const struct digest *digest)
{
	bool all = !digest->summary.trials;
	double rate = all ? digest->median_all : digest->headline;

	if (!isfinite(rate)) {
		text_add_char(text, '-');
		return;
	}
	text_add(text, "%s%.0f %s", all ? "~" : "",
		rate / (unit == UNIT_BITS_PER_S ? 8e6 : 1e6),
		unit == UNIT_HZ ? "MHz" : "MB/s");
}

void print_summary_row(const char *name, const struct results *results,
	const struct point *point, unsigned metric, bool millions,
	const struct text_layout *layout, struct text *text)
{
	struct text median = { 0 }, verdict = { 0 };
	struct columns table = { 0 };
	struct digest digest;

	for (int i = 0; i < 3; i++)
		columns_add(&table, "", COLUMN_LEFT, 0);
	columns_row(&table);
	columns_cell(&table, 0, STYLE_PLAIN, "%-*s", NAME_WIDE, name);
	if (point && point->state == POINT_OK &&
		digest_of(results, point, metric, &digest)) {
		enum unit unit = results->metrics[metric].unit;
		enum text_style style =
			figure_verdict(&verdict, point, &digest);

		if (millions)
			add_millions(&median, unit, &digest);
		else
			figure_median(&median, unit, &digest);
		columns_cell(&table, 1, STYLE_BOLD, "%*s", FIGURE_WIDE,
			text_chars(&median));
		columns_cell(&table, 2, style, "%s", text_chars(&verdict));
	} else {
		columns_cell(&table, 1, STYLE_PLAIN, "%*s", FIGURE_WIDE, "-");
		columns_say(&table, 2,
			point && point->why ? point->why : "not measured");
	}
	columns_print(&table, layout, text);
	columns_free(&table);
	text_free(&median);
	text_free(&verdict);
}
