/* Findings about page faults, and their predictions. */
#include <string.h>

#include "check.h"
#include "facts.h"
#include "faulting_expect.h"
#include "faulting_tell.h"
#include "finding_table.h"
#include "memory.h"
#include "unit/probe/named.h"

/* 420 faults brought 64 MiB into memory: with read-ahead, each mapped some
 * pages that had arrived. */
static const struct faulting_costs major = { .kind = FAULTING_EVICTED,
	.page_bytes = 4096,
	.stride_bytes = 4096,
	.fault_ns = 94e3,
	.touch_ns = 2410,
	.per_fault = 39 };
static const struct faulting_costs minor = { .kind = FAULTING_ANONYMOUS,
	.page_bytes = 4096,
	.stride_bytes = 4096,
	.fault_ns = 900,
	.touch_ns = 900,
	.per_fault = 1 };
static const struct facts nothing;

static struct results *results_of(size_t points)
{
	static const char *const kinds[] = { "major-file", "minor-anon" };
	struct results *results = results_new("mem.fault");

	results->param_names = xcalloc(1, sizeof *results->param_names);
	results->param_names[0] = xstrdup("kind");
	results->param_count = 1;
	for (size_t i = 0; i < points; i++)
		results_add_point(results)->values[0] = xstrdup(kinds[i]);
	return results;
}

/* The sentence about the cost of a fault also states how many pages it served,
 * and the cost of each. */
static void test_one_point(void **state)
{
	struct results *results = results_of(1);
	struct findings findings = { 0 };

	faulting_tell(&major, results, results->points, &nothing, &findings);
	const char *says = findings.list[0].sentence;
	assert_non_null(strstr(says, "39.0 pages"));
	assert_non_null(strstr(says, "in 94.00 us, "));
	assert_non_null(strstr(says, "2.410 us per page"));
	assert_non_null(strstr(says, "advice=random"));
	findings_free(&findings);
	findings = (struct findings){ 0 };
	/* With one page per fault no such sentence is needed. */
	faulting_tell(&minor, results, results->points, &nothing, &findings);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.list[0].name, "per-byte");
	assert_near(findings.list[0].value, 900. / 4096);
	findings_free(&findings);
	results_free(results);
}

static bool tells_of_bytes(struct faulting_costs costs, double *byte_ns)
{
	struct results *results = results_of(1);
	struct findings findings = { 0 };

	faulting_tell(&costs, results, results->points, &nothing, &findings);
	const struct finding *tells = finding_named(&findings, "per-byte");
	if (tells)
		*byte_ns = tells->value;
	findings_free(&findings);
	results_free(results);
	return tells != NULL;
}

/* The kernel also reads pages of a file that are not touched. The cost per byte
 * is only reported if each page is touched. Anonymous memory is provided page
 * by page at any stride. */
static void test_pages_left_out(void **state)
{
	struct faulting_costs file = major, memory = minor;
	double byte_ns;

	assert_true(tells_of_bytes(file, &byte_ns));
	assert_near(byte_ns, 94e3 / (39. * 4096));
	file.stride_bytes = 64 << 10;
	assert_false(tells_of_bytes(file, &byte_ns));
	file.kind = FAULTING_FILE;
	assert_false(tells_of_bytes(file, &byte_ns));
	/* Sixteen touches of one page cause one fault. */
	file.page_bytes = 64 << 10;
	file.stride_bytes = 4096;
	assert_true(tells_of_bytes(file, &byte_ns));
	assert_near(byte_ns, 94e3 / (39. * 4096));
	memory.stride_bytes = 64 << 10;
	assert_true(tells_of_bytes(memory, &byte_ns));
	assert_near(byte_ns, 900. / 4096);
}

/* A row without a value has an empty cell; the other rows keep theirs. */
static void test_a_row_without(void **state)
{
	struct results *results = results_of(2);
	struct faulting_costs sparse = major;
	struct finding_table table;

	sparse.stride_bytes = 1 << 20;
	faulting_tell(&sparse, results, &results->points[0], &nothing,
		&results->findings);
	faulting_tell(&minor, results, &results->points[1], &nothing,
		&results->findings);
	assert_true(finding_table_make(results, &table));
	assert_string_equal(finding_table_cell(&table, 0, 4), "per-byte");
	assert_string_equal(finding_table_cell(&table, 1, 4), "");
	assert_string_equal(finding_table_cell(&table, 2, 4), "0.220 ns");
	finding_table_free(&table);
	results_free(results);
}

static void test_a_table_of_several(void **state)
{
	static const char *const wanted[][4] = {
		{ "kind", "per-fault", "pages-per-fault", "per-touch" },
		{ "major-file", "94.0 us", "39.0", "2.41 us" },
		{ "minor-anon", "900 ns", "1.00", "900 ns" },
	};
	struct results *results = results_of(2);
	struct finding_table table;

	faulting_tell(&major, results, &results->points[0], &nothing,
		&results->findings);
	faulting_tell(&minor, results, &results->points[1], &nothing,
		&results->findings);
	assert_true(finding_table_make(results, &table));
	for (size_t row = 0; row < 3; row++)
		for (size_t column = 0; column < 4; column++)
			assert_string_equal(finding_table_cell(&table, row,
						    column),
				wanted[row][column]);
	finding_table_free(&table);
	results_free(results);
}

/* With read-ahead a fault may only map its page, or wait for all that is read
 * ahead; without, it waits for one answer of the disk. */
static void test_read_ahead_is_expected(void **state)
{
	struct faulting_wish wish = { .kind = FAULTING_EVICTED,
		.page_bytes = 4096,
		.ahead_bytes = 2 << 20 };
	struct prediction ahead = { 0 }, single = { 0 };

	faulting_expect(&wish, &nothing, &ahead);
	wish.ahead_bytes = 0;
	faulting_expect(&wish, &nothing, &single);
	/* Each write to a page is a fault: 2 us at 2 GB/s. */
	assert_true(ahead.total.low < 1000);
	assert_near(single.total.low, 22e3);
	/* A fault reads 2 MiB at 100 MB/s. */
	assert_near(ahead.total.high - single.total.high, 20.97152e6);
	assert_non_null(strstr(ahead.why, "read-ahead"));
	assert_null(strstr(single.why, "read-ahead"));
}

static const struct experiment provider = {
	PROVIDES({ QUANTITY_WRITE_RATE, "bandwidth", "op=write threads=1" })
};

/* An earlier run wrote memory at 10 GB/s. */
static struct results *bandwidth(void)
{
	struct results *results = results_new("mem.rates");
	struct point *point;

	results->descriptor = &provider;
	results->clock.hz = 1e9;
	results->param_names = xcalloc(2, sizeof *results->param_names);
	results->param_names[0] = xstrdup("op");
	results->param_names[1] = xstrdup("threads");
	results->param_count = 2;
	results_add_metric(results, "bandwidth", "bandwidth", UNIT_NS,
		MORE_IS_BETTER, METRIC_TIMED, false);
	results_add_launch(results);
	point = results_add_point(results);
	point->values[0] = xstrdup("write");
	point->values[1] = xstrdup("1");
	point_add_visit(results, point)->trials = 1;
	*(uint64_t *)column_add(&point->series[0].raw) = 10000000000;
	column_add(&point->series[0].flags);
	point->series[0].slices[0].count = 1;
	point->series[0].ops = 1;
	return results;
}

/* A page that is already in memory is not filled, so the rate of memory is not
 * a reason for its cost. */
static void test_reasons(void **state)
{
	static const struct {
		enum faulting_kind kind;
		const char *why;
		bool fills;
	} rows[] = {
		{ FAULTING_ANONYMOUS, "filling the page at the rate of memory",
			true },
		{ FAULTING_ZERO, "mapping the zero page", false },
		{ FAULTING_COPIED, "copying the page", true },
		{ FAULTING_FILE, "mapping pages of the page cache",
			false },
	};
	struct results *results = bandwidth();
	const struct results *earlier[] = { results };
	struct facts facts = { .earlier = earlier, .earlier_count = 1 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct faulting_wish wish = { .kind = rows[i].kind,
			.page_bytes = 4096 };
		struct prediction is = { 0 };

		faulting_expect(&wish, &facts, &is);
		assert_non_null(strstr(is.why, rows[i].why));
		assert_non_null(strstr(is.why, "; kernel 0.2 to "));
		assert_int_equal(!strstr(is.why, "without filling"),
			rows[i].fills);
		assert_int_equal(!!strstr(is.why, "from mem.rates"),
			rows[i].fills);
	}
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_point),
		cmocka_unit_test(test_pages_left_out),
		cmocka_unit_test(test_a_row_without),
		cmocka_unit_test(test_a_table_of_several),
		cmocka_unit_test(test_read_ahead_is_expected),
		cmocka_unit_test(test_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
