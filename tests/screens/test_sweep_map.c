/* The map of the Sweep screen: labels, sizes in words, intervals. */
#include "sweep_fixture.h"
#include "tiers.h"

#include "seated.h"

static const char *drawn(void)
{
	return drawn_at(80, 24);
}

/* A mountain with these sizes and two strides. */
static void measure_mountain(double least_bytes, int sizes)
{
	struct results *results = swept_results(&swept_mountain);

	for (int i = 0; i < 2 * sizes; i++) {
		struct text size = { 0 };

		unit_write(&size, UNIT_BYTES, least_bytes * pow(2, i / 2));
		swept_fill(results,
			swept_point(results, size.chars, i % 2 ? "64" : "80"),
			1 + i, 4);
		text_free(&size);
	}
	session_add_run(lab.session, results);
	screen_execute(&screen, "pick mem.mountain; point 1; sweep fitting");
}

/* All sizes or every second one have a label, 1M as well. */
static void test_labels_of_a_map(void **state)
{
	measure_mountain(4096, 14);
	screen_execute(&screen, "sweep map");
	assert_non_null(strstr(drawn(), " 64K 128K 256K 512K 1M "));
	measure_mountain(2048, 16);
	screen_execute(&screen, "sweep map");
	assert_non_null(strstr(drawn(), "2K"));
	assert_null(strstr(drawn(), " 4K"));
	assert_non_null(strstr(drawn(), "128K"));
	assert_null(strstr(drawn(), "256K"));
}

/* Sizes are rounded for display. */
static void test_sizes_of_a_map(void **state)
{
	measure_mountain(451452825.5, 3);
	screen_execute(&screen, "sweep map; probe 1");
	assert_string_equal(swept_value("size"), "902905651");
	assert_non_null(strstr(drawn(), "size=861M stride=80"));
	assert_null(strstr(drawn(), "902905651"));
}

/* A map has no intervals, and the message does not claim otherwise. */
static void test_no_intervals_on_a_map(void **state)
{
	screen_execute(&screen, "pick mem.mountain");
	press("b");
	assert_non_null(strstr(screen.message.chars, "map shows no intervals"));
	press("b");
	screen_execute(&screen, "sweep lines");
	press("b");
	assert_non_null(strstr(screen.message.chars, "intervals on; the "
		"widest"));
}

/* ---- three swept quantities ------------------------------------------- */

static const char *const grid_ops[] = { "cas", "store", NULL };

static const struct param grid_params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "on a line",
		.preset = "cas",
		CHOICE_FIELD(struct swept_args, choice),
		.choices = grid_ops },
	{ .name = "from",
		.label = "from",
		.help = "processor",
		.preset = "0",
		WHOLE_FIELD(struct swept_args, size_bytes),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 7 },
	{ .name = "to",
		.label = "to",
		.help = "processor",
		.preset = "0",
		WHOLE_FIELD(struct swept_args, stride_bytes),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 7 },
	{ .name = NULL },
};
static const struct metric grid_metrics[] = {
	{ .name = "trip", .label = "round trip", .unit = UNIT_NS },
	{ .name = NULL },
};
static SWEPT_EXPERIMENT(swept_grid, "cpu.grid", "Core to core", grid_params,
	grid_metrics, .sensitive_to = SENSITIVE_KERNEL);
static const struct experiment *const grid_list[] = { &swept_grid, NULL };

static int open_grid(void **state)
{
	swept_open_list(&lab, &screen, grid_list);
	struct results *results = swept_results(&swept_grid);

	for (int i = 0; i < 32; i++) {
		char from[2] = { (char)('0' + i / 4 % 4), '\0' };
		char to[2] = { (char)('0' + i % 4), '\0' };
		struct point *point =
			swept_point(results, grid_ops[i / 16], from);

		point->values[2] = xstrdup(to);
		swept_fill(results, point, 50 + i, 4);
	}
	session_add_run(lab.session, results);
	screen_execute(&screen, "view sweep; pick cpu.grid; sweep map");
	return 0;
}

/* A map has the points of one operation, that of the probe, and names it. */
static void test_map_names_what_it_shows(void **state)
{
	screen_execute(&screen, "point 1");
	assert_non_null(strstr(drawn(), "round trip, op=cas, "));
	assert_null(strstr(drawn(), "round trip, op=store, "));
	screen_execute(&screen, "point 32");
	assert_non_null(strstr(drawn(), "round trip, op=store, "));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_swept, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_labels_of_a_map),
		IN_LAB(test_sizes_of_a_map),
		IN_LAB(test_no_intervals_on_a_map),
		cmocka_unit_test_setup_teardown(test_map_names_what_it_shows,
			open_grid, close_lab),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
