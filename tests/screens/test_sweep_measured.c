/* A sweep drawn against a metric on the Sweep screen: latency over bandwidth,
 * as of mem.loaded. */
#include "sweep_fixture.h"

#include "seated.h"

static const struct param loaded_params[] = {
	{ .name = "pause",
		.label = "pause",
		.help = "of the load threads",
		.preset = "0",
		WHOLE_FIELD(struct swept_args, size_bytes),
		.unit = UNIT_NS,
		.min = 0,
		.max = 1e6,
		.automatic = true,
		.word = "idle",
		.drawn_as = "bandwidth" },
	{ .name = "stride",
		.label = "stride",
		.help = "of the walk",
		.preset = "64",
		WHOLE_FIELD(struct swept_args, stride_bytes),
		.unit = UNIT_BYTES,
		.min = 8,
		.max = 4096 },
	{ .name = NULL },
};
static const struct metric loaded_metrics[] = {
	{ .name = "load", .label = "time per load", .unit = UNIT_NS },
	{ .name = "bandwidth",
		.label = "bytes moved",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};
static SWEPT_EXPERIMENT(swept_loaded, "mem.loaded", "Loaded latency",
	loaded_params, loaded_metrics, .sensitive_to = SENSITIVE_MEMORY);
static const struct experiment *const loaded_list[] = { &swept_loaded, NULL };

static void add_point(struct results *results, const char *pause, double ns,
	double per_s)
{
	struct point *point = swept_point(results, pause, "64");
	struct series *series = &point->series[1];

	swept_fill(results, point, ns, 4);
	for (size_t v = 0; v < point->visit_count; v++) {
		*(double *)column_add(&series->raw) = per_s;
		*(uint16_t *)column_add(&series->flags) = 0;
		series->slices[v].count++;
	}
}

static int open_lab(void **state)
{
	swept_open_list(&lab, &screen, loaded_list);
	struct results *results = swept_results(&swept_loaded);

	add_point(results, "0ns", 240, 16e9);
	add_point(results, "100ns", 110, 12e9);
	add_point(results, "1us", 95, 3e9);
	add_point(results, "idle", 90, 0);
	finding_value(&results->findings, "knee", 12e9, UNIT_BYTES_PER_S,
		"the knee is at 12 GB/s");
	session_add_run(lab.session, results);
	screen_execute(&screen, "view sweep; pick mem.loaded");
	return 0;
}

static void test_axis_is_the_metric(void **state)
{
	assert_true(drawn_has(120, 40, "time per load against bytes moved"));
	assert_true(drawn_has(120, 40, "GB/s"));
	assert_true(drawn_has(120, 40, "knee 12 GB/s"));
	assert_true(drawn_has(120, 40, "the knee is at 12 GB/s"));
}

/* From the least bandwidth to the highest, and the probe names both. */
static void test_probe_goes_by_the_metric(void **state)
{
	static const char *const pauses[] = { "idle", "1us", "100ns", "0ns" };

	press("Home");
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(swept_value("pause"), pauses[i]);
		press("Right");
	}
	press("Home");
	press("Right");
	assert_true(drawn_has(120, 40, "pause=1us  3 GB/s"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_axis_is_the_metric),
		IN_LAB(test_probe_goes_by_the_metric),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
