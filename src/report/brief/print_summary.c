/* A machine in ten figures. */
#include "print_summary.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "figure.h"
#include "highlight.h"

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

/* "147 .. 547 ns": the lowest and the highest. */
static void add_reports(const struct facts *facts, const struct row *row,
	enum unit unit, struct text *text)
{
	double low = INFINITY, high = 0;
	unsigned count = 0;

	for (size_t i = 0; i < facts->published_count; i++) {
		const struct point *point;
		struct digest digest;

		if (!find(facts->published[i].run, row, &digest, &point))
			continue;
		count++;
		low = fmin(low, digest.headline);
		high = fmax(high, digest.headline);
	}
	if (count > 1) {
		figure_number(text, unit, low, high);
		text_add(text, " .. ");
	}
	if (count)
		figure_add(text, unit, high, 0);
}

static void add_row(const struct facts *facts, const struct row *row,
	struct columns *table)
{
	struct text median = { 0 }, verdict = { 0 }, reports = { 0 };
	const struct point *point;
	struct digest digest;
	const struct results *results =
		find_latest(facts, row, &digest, &point);

	if (!results)
		return;
	int metric = results_metric(results, row->highlight->metric);
	enum unit unit = results->metrics[metric].unit;
	figure_median(&median, unit, &digest);
	enum text_style style = figure_verdict(&verdict, point, &digest);
	add_reports(facts, row, unit, &reports);
	columns_row(table);
	columns_cell(table, 0, STYLE_PLAIN, "%s", row->highlight->name);
	columns_cell(table, 1, STYLE_BOLD, "%s", text_chars(&median));
	columns_cell(table, 2, style, "%s", text_chars(&verdict));
	columns_cell(table, 3, STYLE_PLAIN, "%s", text_chars(&reports));
	text_free(&median);
	text_free(&verdict);
	text_free(&reports);
}

size_t print_summary(const struct experiment *const *experiments,
	const struct facts *facts, const struct text_layout *layout,
	struct text *text)
{
	struct columns table = { 0 };

	columns_add(&table, "this machine", COLUMN_LEFT, 0);
	columns_add(&table, "median", COLUMN_RIGHT, 0);
	columns_add(&table, "", COLUMN_LEFT, 0);
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
