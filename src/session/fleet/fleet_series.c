/* The machines of a fleet in one series. */
#include <math.h>
#include <stdlib.h>

#include "fleet_internal.h"
#include "memory.h"
#include "moments.h"
#include "outliers.h"
#include "quantile.h"

void fleet_add_test(struct analysis *analysis, struct fleet_outlier test)
{
	ARRAY_GROW(analysis->tests, analysis->test_count);
	analysis->tests[analysis->test_count++] = test;
}

/* Per machine of a series: the median of its runs, of their scatter, and of
 * the errors of both that the scatter leaves. */
struct row {
	size_t machine, group;
	double value, scatter, error;
};

static int by_group(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	if (one->group != other->group)
		return one->group < other->group ? -1 : 1;
	return one->machine < other->machine ? -1 : 1;
}

/* Standard deviation of the logarithms of the launches; NaN: too few. */
static double scatter_of(const struct fleet_figure *figure)
{
	struct moments moments = { 0 };

	for (size_t i = 0; i < figure->launch_count; i++)
		if (figure->launches[i] > 0)
			moments_add(&moments, log(figure->launches[i]));
	return moments.n < 3 ? NAN : moments_sd(&moments);
}

static double value_of(const struct fleet_figure *figure)
{
	return figure->value;
}

/* Of the figure, as a logarithm: that of a mean of the launches. */
static double error_of(const struct fleet_figure *figure)
{
	return scatter_of(figure) / sqrt((double)figure->launch_count);
}

static double median_in(const struct fleet_figure *figures, size_t count,
	double (*of)(const struct fleet_figure *))
{
	double *values = xcalloc(count, sizeof *values);
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		double value = of(&figures[i]);

		if (value > 0)
			values[used++] = value;
	}
	double median = median_of(values, used);
	free(values);
	return median;
}

/* Makes the rows, in the order of groups. Returns their number. */
static size_t make_rows(const struct analysis *analysis,
	const struct fleet_figure *figures, size_t count, struct row *rows)
{
	size_t row_count = 0;

	for (size_t i = 0, next; i < count; i = next) {
		size_t machine = figures[i].machine;

		for (next = i + 1;
			next < count && figures[next].machine == machine;)
			next++;
		rows[row_count++] = (struct row){ machine,
			fleet_group_of(analysis, machine),
			median_in(figures + i, next - i, value_of),
			median_in(figures + i, next - i, scatter_of),
			median_in(figures + i, next - i, error_of) };
	}
	qsort(rows, row_count, sizeof *rows, by_group);
	return row_count;
}

/* The number of rows of the first row's group. */
static size_t rows_alike(const struct row *rows, size_t count)
{
	size_t alike = 1;

	while (alike < count && rows[alike].group == rows->group)
		alike++;
	return alike;
}

/* Keeps the tests of the rows of one group, with `compared` machines. */
static void keep_tests(struct analysis *analysis, size_t series,
	const struct row *rows, const struct outlier *out, size_t count,
	size_t compared)
{
	struct fleet *fleet = analysis->fleet;

	for (size_t i = 0; i < count; i++) {
		size_t at = fleet_cell(fleet, rows[i].machine, series);
		double ratio = exp(out[i].away);

		fleet->ratio[at] = ratio;
		analysis->tested[at] = compared >= FLEET_LEAST;
		if (compared >= FLEET_LEAST)
			fleet_add_test(analysis,
				(struct fleet_outlier){ rows[i].machine,
					FLEET_SERIES, series, ratio,
					out[i].p });
	}
}

/* The spread that is expected of good machines, and the errors of their
 * figures: few machines of a noisy series would often differ by more. */
static double expected_in(const struct analysis *analysis,
	const struct row *rows, size_t count)
{
	double *errors = xcalloc(count, sizeof *errors);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].error > 0)
			errors[used++] = rows[i].error;
	double error = used ? median_of(errors, used) : 0;
	free(errors);
	return hypot(analysis->expected, error);
}

static void test_series(struct analysis *analysis, size_t series,
	const struct row *rows, size_t count)
{
	struct fleet *fleet = analysis->fleet;
	struct fleet_series *into = &fleet->series[series];
	double *values = xcalloc(count, sizeof *values);
	struct outlier *out = xcalloc(count, sizeof *out);

	into->expected = expected_in(analysis, rows, count);
	for (size_t i = 0; i < count; i++)
		values[i] = rows[i].value;
	struct outliers all =
		outliers_find(values, count, into->expected, out);
	for (size_t i = 0, alike; i < count; i += alike) {
		size_t group = rows[i].group;
		bool large = fleet_is_large(analysis, group);

		alike = rows_alike(rows + i, count - i);
		double centre = large ?
			outliers_find(values + i, alike, into->expected,
				out + i).centre :
			median_of(values + i, alike);
		analysis->shifts[group * fleet->series_count + series] =
			centre / all.centre;
		keep_tests(analysis, series, rows + i, out + i, alike,
			large ? alike : count);
	}
	values_sort(values, count);
	into->machines = count;
	into->centre = all.centre;
	into->spread = all.spread;
	into->low = quantile_sorted(values, count, .05);
	into->high = quantile_sorted(values, count, .95);
	free(values);
	free(out);
}

/* The median logarithm of the machines' scatter. NaN: fewer than FLEET_LEAST
 * have one. */
static double median_scatter(const struct row *rows, size_t count)
{
	double *values = xcalloc(count, sizeof *values);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].scatter > 0)
			values[used++] = log(rows[i].scatter);
	double median = used < FLEET_LEAST ? NAN : median_of(values, used);
	free(values);
	return median;
}

/* Adds the logarithms of the machines' scatter, relative to the median of the
 * compared machines. */
static void add_scatter(struct analysis *analysis, const struct row *rows,
	size_t count)
{
	double all = median_scatter(rows, count);

	for (size_t i = 0, alike; i < count; i += alike) {
		alike = rows_alike(rows + i, count - i);
		double centre = fleet_is_large(analysis, rows[i].group) ?
			median_scatter(rows + i, alike) :
			all;
		for (size_t k = i; k < i + alike; k++) {
			size_t machine = rows[k].machine;
			double scatter = log(rows[k].scatter);

			if (!(rows[k].scatter > 0) || isnan(centre))
				continue;
			analysis->sums[machine] += scatter - centre;
			analysis->fleet_sums[machine] += scatter - all;
			analysis->counts[machine]++;
		}
	}
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

void fleet_analyse_series(struct analysis *analysis, size_t first, size_t next)
{
	const struct fleet_figure *figures = analysis->figures + first;
	size_t count = next - first;
	struct row *rows = xcalloc(count, sizeof *rows);
	size_t row_count = make_rows(analysis, figures, count, rows);

	test_series(analysis, figures->series, rows, row_count);
	add_scatter(analysis, rows, row_count);
	analysis->fleet->series[figures->series].split =
		split_in(figures, count);
	free(rows);
}
