/* One experiment in all kept sessions, with the figures stored in their
 * files. */
#include "kept_index.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_runs.h"
#include "session_folder.h"
#include "version.h"

static const struct machine here = { .hostname = "here", .cpu = "Some CPU" };

static int prepare(void **state)
{
	int failed = make_folder(state) ||
		setenv("XDG_STATE_HOME", folder, 1);

	mkdir(in_folder("benchtop"), 0700);
	mkdir(in_folder("benchtop/sessions"), 0700);
	return failed;
}

static int empty(void **state)
{
	return system("rm -rf \"$XDG_STATE_HOME\"/benchtop/sessions/*");
}

static void add(struct results *run, const char *size, double times)
{
	double values[8];

	for (size_t i = 0; i < 8; i++)
		values[i] = eight[i] * times;
	made_launches(run, made_sized(run, size), values, 8, 300);
}

/* A kept session of that day, with two sizes and another experiment. */
static void keep(int day, const char *host, const char *kernel, double times)
{
	struct results *run = made_run("mem.made", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	struct results *other = made_run("mem.other", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED);
	struct error error;
	char name[80];

	snprintf(run->started, sizeof run->started,
		"2025-03-%02dT12:00:00+0100", day);
	add(run, "4K", times);
	add(run, "8K", 2 * times);
	add(other, "4K", 7);
	struct session *session = made_session(other);
	session_add_run(session, run);
	snprintf(session->machine.hostname, sizeof session->machine.hostname,
		"%s", host);
	snprintf(session->machine.kernel, sizeof session->machine.kernel, "%s",
		kernel);
	snprintf(session->machine.firmware, sizeof session->machine.firmware,
		"Maker 1.37, 03/20/2023");
	session->machine.cpus = 16;
	snprintf(name, sizeof name,
		"benchtop/sessions/202503%02d-120000-1.json", day);
	assert_int_equal(session_save_copy(session, in_folder(name), &error),
		0);
	session_free(session);
}

/* The figures equal those of the digest; other machines are left out. */
static void test_figures(void **state)
{
	struct kept_points points;

	keep(1, "here", "6.1.0", 1);
	keep(2, "there", "6.1.0", 3);
	keep(3, "here", "6.2.0-28", 1.5);
	index_points(&here, "mem.made", NULL, &points);
	assert_int_equal(points.count, 4);
	const struct kept_point *point = &points.list[0];
	assert_int_equal(point->session, 1);
	assert_int_equal(point->run, 1);
	assert_string_equal(point->started, "2025-03-01T12:00:00+0100");
	assert_string_equal(point->setting, "size=4K");
	assert_string_equal(point->surroundings->value[SURROUNDING_KERNEL],
		"6.1.0");
	assert_string_equal(point->surroundings->value[SURROUNDING_BENCHTOP],
		benchtop_version);
	assert_string_equal(point->surroundings->value[SURROUNDING_FIRMWARE],
		"Maker 1.37, 03/20/2023");
	assert_string_equal(point->surroundings->value[SURROUNDING_PROCESSORS],
		"16");
	assert_null(point->surroundings->value[SURROUNDING_NODES]);
	assert_string_equal(point->metric, "time");
	assert_int_equal(point->unit, UNIT_NS);
	assert_within(point->headline.median, 1000.5, .001);
	assert_true(point->headline.has_interval);
	assert_true(point->headline.interval.low < 1000 &&
		point->headline.interval.high > 1001);
	assert_near(point->alone, 1);
	assert_true(kept_point_counts(point));
	assert_true(kept_point_has(point, "size=4K"));
	assert_false(kept_point_has(point, "size=4"));
	assert_false(kept_point_has(point, "ize=4K"));
	point = &points.list[3];
	assert_int_equal(point->session, 3);
	assert_string_equal(point->setting, "size=8K");
	assert_string_equal(point->surroundings->value[SURROUNDING_KERNEL],
		"6.2.0-28");
	assert_within(point->headline.median, 3001, .001);
	kept_points_free(&points);
	index_points(&here, "mem.none", NULL, &points);
	assert_int_equal(points.count, 0);
	kept_points_free(&points);
}

/* The clock, canaries of two launches, and the readings of two visits as pairs
 * of trial and ticks; regimes with a figure of a shared core. */
static void test_rulers(void **state)
{
	static const char file[] =
		KEPT_BEGIN
		"  \"microcode\":\"0x2b\",\n"
		"   \"experiment\":\"mem.made\",\n"
		"    \"hz\":2000000000,\n"
		"    \"overhead\":100,\n"
		"    \"canary_multiplies\":200,\n"
		"    \"others\":0.25,\n"
		"     \"canary\":400,\n     \"canary\":440,\n"
		"     \"args\":{},\n"
		"     \"visits\":[{\"memory_ruler\":[0,4100,3,4300]},"
		"{\"memory_ruler\":[]},{\"memory_ruler\":[7,4500]}],\n"
		"     \"metrics\":{\"t\":{\"median\":1,\"regime\":\"alone\","
		"\"regimes\":{\"shared\":{\"median\":2,\"ci\":[1,3]}},"
		"\"ticks\":[]}}\n"
		"     \"args\":{},\n"
		"     \"metrics\":{\"t\":{\"median\":1,\"ticks\":[]}}\n"
		KEPT_END;
	struct kept_points points;

	write_file(in_folder("benchtop/sessions/1.json"), file, strlen(file));
	index_points(&here, "mem.made", NULL, &points);
	assert_int_equal(points.count, 2);
	const struct kept_point *point = points.list;
	assert_near(point->canary_ns, 420 / 2. / 200);
	assert_near(point->others, .25);
	assert_near(point->ruler_ns, (4300 - 100) / 2.);
	assert_int_equal(point->regime, REGIME_ALONE);
	assert_near(point->shared.median, 2);
	assert_true(point->shared.has_interval);
	assert_near(point->shared.interval.high, 3);
	assert_string_equal(
		point->surroundings->value[SURROUNDING_MICROCODE], "0x2b");
	assert_null(point->surroundings->value[SURROUNDING_LIBC]);
	/* The next point has no ruler. */
	assert_true(isnan(points.list[1].ruler_ns));
	assert_true(isnan(points.list[1].shared.median));
	kept_points_free(&points);
}

/* Text from a file cannot affect a terminal. */
static void test_control_characters(void **state)
{
	static const char file[] =
		KEPT_BEGIN
		"  \"kernel\":\"6.1\\u001b[31m\",\n"
		"   \"experiment\":\"mem.made\",\n"
		"   \"started\":\"\\u00072025\",\n"
		"     \"args\":{\"size\":\"4\\u001bK\"},\n"
		"     \"metrics\":{\"t\\u001b\":{\"median\":1,\"ticks\":[]}}\n"
		KEPT_END;
	struct kept_points points;

	write_file(in_folder("benchtop/sessions/1.json"), file, strlen(file));
	index_points(&here, "mem.made", NULL, &points);
	assert_int_equal(points.count, 1);
	assert_string_equal(points.list->started, "\\x072025");
	assert_string_equal(points.list->setting, "size=4\\x1bK");
	assert_string_equal(points.list->metric, "t\\x1b");
	assert_string_equal(
		points.list->surroundings->value[SURROUNDING_KERNEL],
		"6.1\\x1b[31m");
	kept_points_free(&points);
}

/* A file that is not a session, or is damaged, has no points and causes no
 * error. */
static void test_damaged(void **state)
{
	static const char *const files[] = {
		"",
		"{\n \"machine\":{\n  \"hostname\":\"here\",\n"
		"  \"cpu\":\"Some CPU\"\n },\n \"runs\":[\n  {\n"
		"   \"experiment\":\"mem.made\",\n"
		"     \"args\":[1,\n     \"metrics\":{\"time\":{\"unit\":",
		KEPT_BEGIN
		"   \"experiment\":\"mem.made\",\n     \"metrics\":{}\n"
		"     \"metrics\":{\"t\":{}}\n     \"metrics\":7\n"
		"     \"metrics\":{\"t\":{\"median\":null,\"ticks\":[]}}\n"
		"     \"metrics\":{\"t\":{\"median\":1,\"ci\":[1,\"\"],"
		"\"ticks\":[]}}\n"
		/* A point that could not be verified does not count. */
		"     \"args\":{},\n     \"state\":\"invalid\",\n"
		"     \"metrics\":{\"t\":{\"median\":2,\"ticks\":[]}}\n"
		KEPT_END,
	};
	struct kept_points points;

	for (size_t i = 0; i < 3; i++) {
		char name[40];

		snprintf(name, sizeof name, "benchtop/sessions/%zu.json", i);
		write_file(in_folder(name), files[i], strlen(files[i]));
	}
	index_points(&here, "mem.made", NULL, &points);
	assert_int_equal(points.count, 1);
	assert_string_equal(points.list[0].setting, "");
	assert_near(points.list[0].headline.median, 1);
	assert_false(points.list[0].headline.has_interval);
	assert_true(isnan(points.list[0].canary_ns));
	assert_true(isnan(points.list[0].ruler_ns));
	assert_false(isfinite(points.list[0].alone));
	kept_points_free(&points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_figures, empty),
		cmocka_unit_test_teardown(test_rulers, empty),
		cmocka_unit_test_teardown(test_control_characters, empty),
		cmocka_unit_test_teardown(test_damaged, empty),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
