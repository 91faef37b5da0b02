/* Findings about single points, in rows and columns. */
#include "finding_table.h"
#include "heading.h"
#include "trials.h"

static void add_param(struct results *results, const char *name)
{
	ARRAY_GROW(results->param_names, results->param_count);
	results->param_names[results->param_count++] = xstrdup(name);
}

static void add_point(struct results *results, const char *size,
	const char *order)
{
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup(size);
	point->values[1] = xstrdup("cold");
	point->values[2] = xstrdup(order);
}

static struct results *of_three(void)
{
	struct results *results = results_new("fs.remote");

	add_param(results, "size");
	add_param(results, "cache");
	add_param(results, "order");
	add_point(results, "4K", "sequential");
	add_point(results, "64K", "sequential");
	add_point(results, "64K", "random");
	return results;
}

static void cell_is(const struct finding_table *table, size_t row,
	size_t column, const char *wanted)
{
	assert_string_equal(finding_table_cell(table, row, column), wanted);
}

/* The experiment declares the heading of a name that needs more words. */
static const struct heading headings[] = {
	{ "ratio", "times the local disk" },
	{ .name = NULL },
};
static const struct experiment headed = { .headings = headings };

static void points_and_names_are_rows_and_columns(void **state)
{
	struct results *results = of_three();
	struct findings *findings = &results->findings;
	struct finding_table table;

	finding_add(findings, "all", "of the run");
	finding_cell(findings, results, &results->points[2], "local", 85.25e3,
		UNIT_NS);
	finding_interval(finding_cell(findings, results, &results->points[2],
				 "added", 2e6, UNIT_NS),
		1.9e6, 2.2e6);
	finding_cell(findings, results, &results->points[0], "local", 1213,
		UNIT_NS);
	finding_interval(finding_cell(findings, results, &results->points[0],
				 "ratio", 14.93, UNIT_NONE),
		14, 16.02);
	results->descriptor = &headed;
	assert_true(finding_table_make(results, &table));
	assert_int_equal(table.columns, 4);
	assert_int_equal(table.rows, 2);
	/* Parameters that are equal at all points are not shown. */
	cell_is(&table, 0, 0, "size order");
	cell_is(&table, 0, 1, "local");
	cell_is(&table, 0, 2, "added");
	cell_is(&table, 0, 3, "times the local disk");
	/* In the order of the points, and below each other. */
	cell_is(&table, 1, 0, "4K   sequential");
	cell_is(&table, 1, 1, "1.21 us");
	cell_is(&table, 1, 2, "");
	cell_is(&table, 1, 3, "14.9 [14.0, 16.0]");
	cell_is(&table, 2, 0, "64K  random");
	cell_is(&table, 2, 1, "85.2 us");
	cell_is(&table, 2, 2, "2.00 [1.90, 2.20] ms");
	cell_is(&table, 2, 3, "");
	assert_int_equal(finding_table_row(&table, 0), 1);
	assert_int_equal(finding_table_row(&table, 1), 0);
	assert_int_equal(finding_table_row(&table, 2), 2);
	finding_table_free(&table);
	results_free(results);
}

/* Names with a label make several rows of a point, in the order of the labels'
 * first occurrence. */
static void labels_are_rows(void **state)
{
	struct results *results = of_three();
	struct findings *findings = &results->findings;
	const struct point *last = &results->points[2];
	struct finding_table table;

	finding_cell(findings, results, last, "task:rate", 100, UNIT_HZ);
	finding_cell(findings, results, last, "tick:rate", 250, UNIT_HZ);
	finding_cell(findings, results, last, "task:longest", 5e4, UNIT_NS);
	finding_cell(findings, results, last, "plain", 7, UNIT_NONE);
	assert_true(finding_table_make(results, &table));
	assert_int_equal(table.columns, 4);
	assert_int_equal(table.rows, 3);
	cell_is(&table, 0, 1, "rate");
	cell_is(&table, 0, 2, "longest");
	cell_is(&table, 0, 3, "plain");
	cell_is(&table, 1, 0, "64K  random     task");
	cell_is(&table, 1, 1, "100 Hz");
	cell_is(&table, 1, 2, "50.0 us");
	cell_is(&table, 1, 3, "");
	cell_is(&table, 2, 0, "64K  random     tick");
	cell_is(&table, 2, 1, "250 Hz");
	cell_is(&table, 2, 2, "");
	cell_is(&table, 3, 0, "64K  random");
	cell_is(&table, 3, 3, "7.00");
	assert_int_equal(finding_table_row(&table, 2), 1);
	finding_table_free(&table);
	results_free(results);
}

/* What rounds to three digits before the point has no point. */
static void whole_numbers_have_no_point(void **state)
{
	static const struct {
		double hz;
		const char *shown;
	} rates[] = { { 99.94, "99.9 Hz" }, { 99.97, "100 Hz" },
		{ 100.4, "100 Hz" } };

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		struct results *results = results_new("cpu.two");
		struct finding_table table;

		results_add_point(results);
		finding_cell(&results->findings, results, results->points,
			"rate", rates[i].hz, UNIT_HZ);
		assert_true(finding_table_make(results, &table));
		cell_is(&table, 1, 1, rates[i].shown);
		finding_table_free(&table);
		results_free(results);
	}
}

static void without_any_there_is_no_table(void **state)
{
	struct results *results = of_three();
	struct finding_table table;

	finding_add(&results->findings, "all", "of the run");
	assert_false(finding_table_make(results, &table));
	assert_int_equal(table.rows, 0);
	assert_int_equal(finding_table_row(&table, 0), 0);
	finding_table_free(&table);
	results_free(results);
}

/* If there are more names than columns, the first names are shown. */
static void columns_have_an_end(void **state)
{
	struct results *results = of_three();
	struct finding_table table;

	for (int i = 0; i < 20; i++) {
		char name[8];

		snprintf(name, sizeof name, "n%d", i);
		finding_cell(&results->findings, results, results->points, name,
			i, UNIT_COUNT);
	}
	assert_true(finding_table_make(results, &table));
	assert_int_equal(table.columns, FINDING_COLUMNS_MOST);
	cell_is(&table, 0, FINDING_COLUMNS_MOST - 1, "n6");
	finding_table_free(&table);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_and_names_are_rows_and_columns),
		cmocka_unit_test(labels_are_rows),
		cmocka_unit_test(whole_numbers_have_no_point),
		cmocka_unit_test(without_any_there_is_no_table),
		cmocka_unit_test(columns_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
