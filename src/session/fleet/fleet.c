/* Which machines of a fleet differ from the others? */
#include "fleet_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "memory.h"
#include "outliers.h"
#include "quantile.h"

/* Expected standard deviation of the logarithm of a standard deviation from
 * few launches. */
#define SCATTER_SD .5

static int by_series(const void *a, const void *b)
{
	const struct fleet_figure *one = a, *other = b;

	if (one->series != other->series)
		return one->series < other->series ? -1 : 1;
	if (one->machine != other->machine)
		return one->machine < other->machine ? -1 : 1;
	return 0;
}

static double *unknown(size_t count)
{
	double *values = xcalloc(count + 1, sizeof *values);

	for (size_t i = 0; i < count; i++)
		values[i] = NAN;
	return values;
}

static void count_all(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	const struct fleet_figure *figures = analysis->figures;

	for (size_t i = 0; i < analysis->figure_count; i++) {
		if (figures[i].machine >= fleet->machine_count)
			fleet->machine_count = figures[i].machine + 1;
		if (figures[i].series >= fleet->series_count)
			fleet->series_count = figures[i].series + 1;
	}
	for (size_t m = 0; m < fleet->machine_count; m++) {
		size_t group = fleet_group_of(analysis, m);

		while (group >= fleet->group_count) {
			ARRAY_GROW(fleet->groups, fleet->group_count);
			fleet->groups[fleet->group_count++] =
				(struct fleet_group){ .machines = 0 };
		}
		if (!fleet->groups[group].machines++)
			fleet->groups[group].first = m;
	}
}

static void begin(struct analysis *analysis, const struct fleet_figure *figures,
	size_t count)
{
	struct fleet *fleet = analysis->fleet;

	analysis->figures = xcalloc(count + 1, sizeof *figures);
	if (count)
		memcpy(analysis->figures, figures, count * sizeof *figures);
	analysis->figure_count = count;
	qsort(analysis->figures, count, sizeof *figures, by_series);
	count_all(analysis);
	size_t machines = fleet->machine_count, series = fleet->series_count;

	fleet->series = xcalloc(series + 1, sizeof *fleet->series);
	fleet->ratio = unknown(machines * series);
	fleet->overall = unknown(machines);
	fleet->scatter = unknown(machines);
	analysis->tested =
		xcalloc(machines * series + 1, sizeof *analysis->tested);
	analysis->shifts = unknown(fleet->group_count * series);
	analysis->sums = xcalloc(machines + 1, sizeof *analysis->sums);
	analysis->fleet_sums =
		xcalloc(machines + 1, sizeof *analysis->fleet_sums);
	analysis->counts = xcalloc(machines + 1, sizeof *analysis->counts);
}

/* ---- a machine in all series ------------------------------------------ */

/* Tests one ratio per machine, NaN where there is none: in large groups, or
 * those outside them among all. */
static void test_machines(struct analysis *analysis, enum fleet_kind kind,
	const double *ratios, bool in_groups, double expected)
{
	size_t machines = analysis->fleet->machine_count, count = 0;
	double *values = xcalloc(machines + 1, sizeof *values);
	size_t *of = xcalloc(machines + 1, sizeof *of);
	struct outlier *out = xcalloc(machines + 1, sizeof *out);

	for (size_t i = 0; i < machines; i++) {
		size_t group = fleet_group_of(analysis, i);

		if (isnan(ratios[i]) ||
			(in_groups && !fleet_is_large(analysis, group)))
			continue;
		of[count] = i;
		values[count++] = ratios[i];
	}
	outliers_find(values, count, expected, out);
	for (size_t i = 0; i < count && count >= FLEET_LEAST; i++) {
		size_t group = fleet_group_of(analysis, of[i]);

		if (fleet_is_large(analysis, group) == in_groups)
			fleet_add_test(analysis,
				(struct fleet_outlier){ of[i], kind, 0,
					exp(out[i].away), out[i].p });
	}
	free(values);
	free(of);
	free(out);
}

/* The median ratio of a machine to the compared machines, or to the fleet. */
static double overall_of(const struct analysis *analysis, size_t machine,
	bool to_fleet, double *values)
{
	const struct fleet *fleet = analysis->fleet;
	size_t group = fleet_group_of(analysis, machine), count = 0;
	bool shifted = to_fleet && fleet_is_large(analysis, group);

	for (size_t s = 0; s < fleet->series_count; s++) {
		size_t at = fleet_cell(fleet, machine, s);

		if (analysis->tested[at])
			values[count++] = fleet->ratio[at] *
				(shifted ? analysis->shifts[group *
							 fleet->series_count +
						 s] :
					   1);
	}
	return count < FLEET_LEAST ? NAN : median_of(values, count);
}

static void test_overall(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	double *values = xcalloc(fleet->series_count + 1, sizeof *values);
	double *to_fleet = unknown(fleet->machine_count);

	for (size_t m = 0; m < fleet->machine_count; m++) {
		fleet->overall[m] = overall_of(analysis, m, false, values);
		to_fleet[m] = overall_of(analysis, m, true, values);
	}
	test_machines(analysis, FLEET_OVERALL, fleet->overall, true,
		analysis->expected);
	test_machines(analysis, FLEET_OVERALL, to_fleet, false,
		analysis->expected);
	free(values);
	free(to_fleet);
}

static void test_scatter(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	double *to_fleet = unknown(fleet->machine_count);
	size_t most = 1;

	for (size_t m = 0; m < fleet->machine_count; m++) {
		double count = (double)analysis->counts[m];

		if (count >= FLEET_LEAST) {
			fleet->scatter[m] = exp(analysis->sums[m] / count);
			to_fleet[m] = exp(analysis->fleet_sums[m] / count);
		}
		if (analysis->counts[m] > most)
			most = analysis->counts[m];
	}
	double expected = SCATTER_SD / sqrt((double)most);
	test_machines(analysis, FLEET_SCATTER, fleet->scatter, true, expected);
	test_machines(analysis, FLEET_SCATTER, to_fleet, false, expected);
	free(to_fleet);
}

/* ---- groups ----------------------------------------------------------- */

static void shift_groups(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	double *values = xcalloc(fleet->series_count + 1, sizeof *values);

	for (size_t g = 0; g < fleet->group_count; g++) {
		size_t count = 0;

		for (size_t s = 0; s < fleet->series_count; s++) {
			double shift = analysis->shifts[g *
					fleet->series_count + s];

			if (!isnan(shift))
				values[count++] = shift;
		}
		fleet->groups[g].ratio = median_of(values, count);
	}
	free(values);
}

static void add_outlier(struct fleet *fleet, struct fleet_outlier outlier)
{
	ARRAY_GROW(fleet->outliers, fleet->outlier_count);
	fleet->outliers[fleet->outlier_count++] = outlier;
}

/* Lists the machines outside the usual group, if there is one. */
static void choose_unlike(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;
	size_t usual = 0;

	while (usual < fleet->group_count &&
		(double)fleet->groups[usual].machines <
			FLEET_ALIKE * (double)fleet->machine_count)
		usual++;
	for (size_t m = 0; usual < fleet->group_count &&
		m < fleet->machine_count; m++) {
		size_t group = fleet_group_of(analysis, m);

		if (group != usual)
			add_outlier(fleet,
				(struct fleet_outlier){ m, FLEET_SURROUNDINGS,
					0, fleet->groups[group].ratio, NAN });
	}
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

	/* NaN entries are not tests. */
	for (size_t i = 0; i < analysis->test_count; i++)
		p[i] = analysis->tests[i].kind == kind ? analysis->tests[i].p :
							 NAN;
	holm_adjust(p, analysis->test_count);
	for (size_t i = 0; i < analysis->test_count; i++) {
		struct fleet_outlier test = analysis->tests[i];
		double expected = kind == FLEET_SERIES ?
			fleet->series[test.series].expected :
			analysis->expected;

		test.p = p[i];
		if (!(p[i] < OUTLIERS_LEVEL) ||
			fabs(log(test.ratio)) < 2 * expected)
			continue;
		add_outlier(fleet, test);
	}
	free(p);
}

static void choose(struct analysis *analysis)
{
	struct fleet *fleet = analysis->fleet;

	choose_kind(analysis, FLEET_SERIES);
	choose_kind(analysis, FLEET_OVERALL);
	choose_kind(analysis, FLEET_SCATTER);
	choose_unlike(analysis);
	if (fleet->outlier_count)
		qsort(fleet->outliers, fleet->outlier_count,
			sizeof *fleet->outliers, by_machine);
}

void fleet_find(const struct fleet_figure *figures, size_t count,
	const size_t *groups, double expected, struct fleet *fleet)
{
	struct analysis analysis = { .fleet = fleet,
		.expected = expected,
		.groups = groups };

	*fleet = (struct fleet){ 0 };
	begin(&analysis, figures, count);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count &&
			analysis.figures[next].series ==
				analysis.figures[i].series;)
			next++;
		fleet_analyse_series(&analysis, i, next);
	}
	test_overall(&analysis);
	test_scatter(&analysis);
	shift_groups(&analysis);
	choose(&analysis);
	free(analysis.figures);
	free(analysis.tests);
	free(analysis.tested);
	free(analysis.shifts);
	free(analysis.sums);
	free(analysis.fleet_sums);
	free(analysis.counts);
}

void fleet_free(struct fleet *fleet)
{
	free(fleet->series);
	free(fleet->groups);
	free(fleet->ratio);
	free(fleet->overall);
	free(fleet->scatter);
	free(fleet->outliers);
	*fleet = (struct fleet){ 0 };
}

size_t fleet_sick(const struct fleet *fleet)
{
	size_t count = 0;

	for (size_t i = 0; i < fleet->outlier_count; i++)
		count += !i ||
			fleet->outliers[i].machine !=
				fleet->outliers[i - 1].machine;
	return count;
}

double fleet_ratio(const struct fleet *fleet, size_t machine,
	enum fleet_kind kind)
{
	return kind == FLEET_OVERALL     ? fleet->overall[machine] :
		kind == FLEET_SCATTER ? fleet->scatter[machine] :
					NAN;
}
