/* Several traces of one run on the Sweep screen: the key to the next, levels
 * counted in pages. */
#include "sweep_fixture.h"

#include "seated.h"

static const struct metric curve_metrics[] = {
	{ .name = "load", .label = "time per load", .unit = UNIT_NS },
	{ .name = "capacity",
		.label = "ns per load over bytes",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "size",
		.across_unit = UNIT_BYTES,
		.levels = "L1d L2 memory" },
	{ .name = "entries",
		.label = "ns per load over pages",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "page",
		.across_unit = UNIT_COUNT,
		.levels = "TLB1 TLB2 walks" },
	{ .name = NULL },
};
static SWEPT_EXPERIMENT(curves_of_one, "mem.hierarchy", "Cache hierarchy",
	latency_params, curve_metrics,
	PROVIDES({ QUANTITY_CACHE_SIZES, NULL, NULL }));
static const struct experiment *const curves_list[] = { &curves_of_one,
	&swept_fault, NULL };

static void add_curve(struct point *point, unsigned metric, double least)
{
	for (int launch = 0; launch < 2; launch++)
		for (int i = 0; i < 64; i++)
			*(struct trace_point *)column_add(
				&point->series[metric].trace) =
				(struct trace_point){ .x = least * exp2(i / 8.),
					.y = 1 + i / 16 };
}

static void add_found(struct results *results, const char *name, enum unit unit,
	double value, double low, double high)
{
	finding_interval(finding_value(&results->findings, name, value, unit,
				 "%s was found", name),
		low, high);
}

static int open_lab(void **state)
{
	swept_open_list(&lab, &screen, curves_list);
	struct results *results = swept_results(&curves_of_one);
	struct point *point = swept_point(results, "4K", "local");
	swept_fill(results, point, 1, 0);
	add_curve(point, 1, 4096);
	add_curve(point, 2, 16);
	add_found(results, "L1d", UNIT_BYTES, 31e3, 30e3, 32e3);
	add_found(results, "TLB1", UNIT_COUNT, 104.8, 88, 128);
	add_found(results, "TLB2", UNIT_COUNT, 2126.3, 2000, 2304.5);
	session_add_run(lab.session, results);
	session_add_run(lab.session, swept_touches());
	screen_execute(&screen, "view sweep; pick mem.hierarchy");
	return 0;
}

/* The key is offered only if there is a next trace. */
static void test_next_trace_is_offered(void **state)
{
	assert_non_null(strstr(drawn_at(80, 24), "n next trace"));
	assert_non_null(strstr(drawn_at(80, 24), "over bytes"));
	press("n");
	assert_non_null(strstr(drawn_at(80, 24), "over pages"));
	press("t");
	assert_null(strstr(drawn_at(80, 24), "n next trace"));
	screen_execute(&screen, "pick mem.fault; sweep fitting");
	assert_null(strstr(drawn_at(80, 24), "n next trace"));
}

/* Pages are shown as whole numbers; stored values keep their fraction. */
static void test_pages_are_whole(void **state)
{
	/* Shown beside the levels of the other trace. */
	assert_non_null(strstr(drawn_at(120, 40), "TLB1 105 [88, 128]"));
	press("n");
	assert_non_null(strstr(drawn_at(120, 40), "found 105, 2126"));
	assert_null(strstr(drawn_at(120, 40), "104.8"));
	const struct results *results =
		session_last(lab.session, "mem.hierarchy");
	assert_true(results->findings.list[1].value > 104.7);
	assert_true(results->findings.list[1].value < 104.9);
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_next_trace_is_offered),
		IN_LAB(test_pages_are_whole),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
