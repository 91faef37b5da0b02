/* Which machines of a fleet differ from the others? */
#include "fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "memory.h"
#include "moments.h"
#include "outliers.h"
#include "quantile.h"

/* Expected standard deviation of the logarithm of a standard deviation from
 * few launches. */
#define SCATTER_SD .5

/* The figures in the order of machines within each series. */
struct analysis {
	struct fleet *fleet;
	double expected;
	struct fleet_figure *figures;
	size_t figure_count;
	struct fleet_outlier *tests; /* all, with their p */
	size_t test_count;
	double *sums;   /* per machine: of logarithms of scatter */
	size_t *counts; /* their numbers */
};

static int by_series(const void *a, const void *b)
{
	const struct fleet_figure *one = a, *other = b;

	if (one->series != other->series)
		return one->series < other->series ? -1 : 1;
	if (one->machine != other->machine)
		return one->machine < other->machine ? -1 : 1;
	return 0;
}

static double *cell(const struct fleet *fleet, size_t machine, size_t series)
{
	return &fleet->ratio[machine * fleet->series_count + series];
}

static void begin(struct analysis *analysis, const struct fleet_figure *figures,
	size_t count)
{
	struct fleet *fleet = analysis->fleet;

	for (size_t i = 0; i < count; i++) {
		if (figures[i].machine >= fleet->machine_count)
			fleet->machine_count = figures[i].machine + 1;
		if (figures[i].series >= fleet->series_count)
			fleet->series_count = figures[i].series + 1;
	}
	size_t machines = fleet->machine_count;
	size_t cells = machines * fleet->series_count;

	fleet->series = xcalloc(fleet->series_count + 1, sizeof *fleet->series);
	fleet->ratio = xcalloc(cells + 1, sizeof *fleet->ratio);
	fleet->overall = xcalloc(machines + 1, sizeof *fleet->overall);
	fleet->scatter = xcalloc(machines + 1, sizeof *fleet->scatter);
	for (size_t i = 0; i < cells; i++)
		fleet->ratio[i] = NAN;
	for (size_t i = 0; i < machines; i++)
		fleet->overall[i] = fleet->scatter[i] = NAN;
	analysis->sums = xcalloc(machines + 1, sizeof *analysis->sums);
	analysis->counts = xcalloc(machines + 1, sizeof *analysis->counts);
	analysis->figures = xcalloc(count + 1, sizeof *figures);
	if (count)
		memcpy(analysis->figures, figures, count * sizeof *figures);
	analysis->figure_count = count;
	qsort(analysis->figures, count, sizeof *figures, by_series);
}

static void add_test(struct analysis *analysis, struct fleet_outlier test)
{
	ARRAY_GROW(analysis->tests, analysis->test_count);
	analysis->tests[analysis->test_count++] = test;
}

/* ---- a series --------------------------------------------------------- */

/* Per machine of a series: the median of its runs, and of their scatter. */
struct row {
	size_t machine;
	double value, scatter;
};

/* Standard deviation of the logarithms of the launches; NaN: too few. */
static double scatter_of(const struct fleet_figure *figure)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < figure->launch_count; i++)
		if (figure->launches[i] > 0)
			moments_add(&moments, log(figure->launches[i]));
	return moments.n < 3 ? NAN : moments_sd(&moments);
}

static double median_in(const struct fleet_figure *figures, size_t count,
	bool scatter)
{
	double *values = xcalloc(count, sizeof *values);
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		double value = scatter ? scatter_of(&figures[i]) :
					 figures[i].value;

		if (value > 0)
			values[used++] = value;
	}
	double median = median_of(values, used);
	free(values);
	return median;
}

/* Returns the number of machines. */
static size_t make_rows(const struct fleet_figure *figures, size_t count,
	struct row *rows)
{
	size_t row_count = 0;

	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count &&
			figures[next].machine == figures[i].machine;)
			next++;
		rows[row_count++] = (struct row){ figures[i].machine,
			median_in(figures + i, next - i, false),
			median_in(figures + i, next - i, true) };
	}
	return row_count;
}

static void test_series(struct analysis *analysis, size_t series,
	const struct row *rows, size_t count)
{
	struct fleet_series *into = &analysis->fleet->series[series];
	double *values = xcalloc(count, sizeof *values);
	struct outlier *out = xcalloc(count, sizeof *out);

	for (size_t i = 0; i < count; i++)
		values[i] = rows[i].value;
	struct outliers found =
		outliers_find(values, count, analysis->expected, out);
	for (size_t i = 0; i < count; i++) {
		double ratio = exp(out[i].away);

		*cell(analysis->fleet, rows[i].machine, series) = ratio;
		if (count >= FLEET_LEAST)
			add_test(analysis,
				(struct fleet_outlier){ rows[i].machine,
					FLEET_SERIES, series, ratio,
					out[i].p });
	}
	values_sort(values, count);
	into->machines = count;
	into->centre = found.centre;
	into->spread = found.spread;
	into->low = quantile_sorted(values, count, .05);
	into->high = quantile_sorted(values, count, .95);
	free(values);
	free(out);
}

/* Adds the logarithms of the machines' scatter, relative to their median. */
static void add_scatter(struct analysis *analysis, const struct row *rows,
	size_t count)
{
	double *values = xcalloc(count, sizeof *values);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].scatter > 0)
			values[used++] = log(rows[i].scatter);
	double centre = median_of(values, used);
	for (size_t i = 0; i < count && used >= FLEET_LEAST; i++)
		if (rows[i].scatter > 0) {
			size_t machine = rows[i].machine;

			analysis->sums[machine] +=
				log(rows[i].scatter) - centre;
			analysis->counts[machine]++;
		}
	free(values);
}

static struct split split_in(const struct fleet_figure *figures, size_t count)
{
	struct split_value *values = NULL;
	size_t value_count = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < figures[i].launch_count; k++) {
			if (!(figures[i].launches[k] > 0))
				continue;
			ARRAY_GROW(values, value_count);
			values[value_count++] = (struct split_value){
				figures[i].machine, i,
				log(figures[i].launches[k])
			};
		}
	struct split split = split_of(values, value_count);
	free(values);
	return split;
}

static void analyse_series(struct analysis *analysis, size_t first, size_t next)
{
	const struct fleet_figure *figures = analysis->figures + first;
	size_t count = next - first;
	struct row *rows = xcalloc(count, sizeof *rows);
	size_t row_count = make_rows(figures, count, rows);

	test_series(analysis, figures->series, rows, row_count);
	add_scatter(analysis, rows, row_count);
	analysis->fleet->series[figures->series].split =
		split_in(figures, count);
	free(rows);
}

/* ---- a machine in all series ------------------------------------------ */

/* Tests one ratio per machine, NaN where there is none. */
static void test_machines(struct analysis *analysis, enum fleet_kind kind,
	const double *ratios, double expected)
{
	size_t machines = analysis->fleet->machine_count, count = 0;
	double *values = xcalloc(machines + 1, sizeof *values);
	size_t *of = xcalloc(machines + 1, sizeof *of);
	struct outlier *out = xcalloc(machines + 1, sizeof *out);

	for (size_t i = 0; i < machines; i++)
		if (!isnan(ratios[i])) {
			of[count] = i;
			values[count++] = ratios[i];
		}
	outliers_find(values, count, expected, out);
	for (size_t i = 0; i < count && count >= FLEET_LEAST; i++)
		add_test(analysis,
			(struct fleet_outlier){ of[i], kind, 0,
				exp(out[i].away), out[i].p });
	free(values);
	free(of);
	free(out);
}

static void test_overall(struct analysis *analysis)
{
	const struct fleet *fleet = analysis->fleet;
	double *values = xcalloc(fleet->series_count + 1, sizeof *values);

	for (size_t m = 0; m < fleet->machine_count; m++) {
		size_t count = 0;

		for (size_t s = 0; s < fleet->series_count; s++)
			if (fleet->series[s].machines >= FLEET_LEAST &&
				!isnan(*cell(fleet, m, s)))
				values[count++] = *cell(fleet, m, s);
		if (count >= FLEET_LEAST)
			fleet->overall[m] = median_of(values, count);
	}
	free(values);
	test_machines(analysis, FLEET_OVERALL, fleet->overall,
		analysis->expected);
}

static void test_scatter(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	size_t most = 1;

	for (size_t m = 0; m < fleet->machine_count; m++) {
		size_t count = analysis->counts[m];

		if (count >= FLEET_LEAST)
			fleet->scatter[m] =
				exp(analysis->sums[m] / (double)count);
		if (count > most)
			most = count;
	}
	test_machines(analysis, FLEET_SCATTER, fleet->scatter,
		SCATTER_SD / sqrt((double)most));
}

/* ---- all -------------------------------------------------------------- */

static int by_machine(const void *a, const void *b)
{
	const struct fleet_outlier *one = a, *other = b;
	double far = fabs(log(one->ratio)), near = fabs(log(other->ratio));

	if (one->machine != other->machine)
		return one->machine < other->machine ? -1 : 1;
	if (one->kind != other->kind)
		return one->kind == FLEET_OVERALL ? -1 :
			other->kind == FLEET_OVERALL ? 1 :
			one->kind < other->kind ? -1 : 1;
	return far > near ? -1 : far < near;
}

static void choose_kind(struct analysis *analysis, enum fleet_kind kind)
{
	struct fleet *fleet = analysis->fleet;
	double *p = xcalloc(analysis->test_count + 1, sizeof *p);
	double least = 2 * analysis->expected;

	/* NaN entries are not tests. */
	for (size_t i = 0; i < analysis->test_count; i++)
		p[i] = analysis->tests[i].kind == kind ? analysis->tests[i].p :
							 NAN;
	holm_adjust(p, analysis->test_count);
	for (size_t i = 0; i < analysis->test_count; i++) {
		struct fleet_outlier test = analysis->tests[i];

		test.p = p[i];
		if (!(p[i] < OUTLIERS_LEVEL) || fabs(log(test.ratio)) < least)
			continue;
		ARRAY_GROW(fleet->outliers, fleet->outlier_count);
		fleet->outliers[fleet->outlier_count++] = test;
	}
	free(p);
}

static void choose(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;

	for (int kind = 0; kind < FLEET_KINDS; kind++)
		choose_kind(analysis, (enum fleet_kind)kind);
	if (fleet->outlier_count)
		qsort(fleet->outliers, fleet->outlier_count,
			sizeof *fleet->outliers, by_machine);
}

void fleet_find(const struct fleet_figure *figures, size_t count,
	double expected, struct fleet *fleet)
{
	struct analysis analysis = { .fleet = fleet, .expected = expected };

	*fleet = (struct fleet){ 0 };
	begin(&analysis, figures, count);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count &&
			analysis.figures[next].series ==
				analysis.figures[i].series;)
			next++;
		analyse_series(&analysis, i, next);
	}
	test_overall(&analysis);
	test_scatter(&analysis);
	choose(&analysis);
	free(analysis.figures);
	free(analysis.tests);
	free(analysis.sums);
	free(analysis.counts);
}

void fleet_free(struct fleet *fleet)
{
	free(fleet->series);
	free(fleet->ratio);
	free(fleet->overall);
	free(fleet->scatter);
	free(fleet->outliers);
	*fleet = (struct fleet){ 0 };
}
