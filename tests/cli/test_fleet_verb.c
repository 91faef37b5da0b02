/* `fleet` over the session files of many machines. */
#include "copies.h"
#include "json.h"
#include "run.h"

/* Makes a folder of sessions of six machines. The last one is `times` as slow
 * and has another kernel. */
static void make(const char *name, double times)
{
	copies_make(&(struct copies){ .folder = name,
		.count = 6,
		.at = 5,
		.times = times,
		.name = "kernel",
		.before = "6.1",
		.after = "6.2",
		.hosts = "node" });
}

static void test_outlier(void **state)
{
	make("sick", 2);
	struct ran ran = RUN(SELFTEST, "fleet", "sick", "--fail-if-outlier");
	assert_status(ran, 1);
	assert_non_null(strstr(ran.out.chars, "6 machines, 6 sessions, 1 series"));
	assert_non_null(strstr(ran.out.chars, "\n  node5    1.9"));
	assert_non_null(strstr(ran.out.chars, "selftest.adds links=10\n"));
	assert_non_null(strstr(ran.out.chars, "kernel 6.2, of most 6.1\n"));
	assert_non_null(strstr(ran.out.chars, "1 of 6 machines differs"));
	assert_string_equal(ran.err.chars,
		"benchtop: outliers among 6 machines, the first is node5\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "sick", "--json");
	assert_status(ran, 0);
	cJSON *tree = cJSON_Parse(ran.out.chars);
	const cJSON *outliers =
		cJSON_GetObjectItemCaseSensitive(tree, "outliers");
	assert_int_equal(cJSON_GetArraySize(outliers), 1);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(
				    cJSON_GetArrayItem(outliers, 0), "machine")
				->valuestring, "node5");
	cJSON_Delete(tree);
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "sick", "--openmetrics");
	assert_status(ran, 0);
	assert_contains(ran.out,
		"\nbenchtop_fleet_outlier_ratio{machine=\"node5\","
		"kind=\"series\",experiment=\"selftest.adds\","
		"setting=\"links=10");
	assert_int_equal(
		lines_beginning(&ran.out, "benchtop_fleet_ratio{machine="), 6);
	assert_string_equal(ran.out.chars + ran.out.length - 6, "# EOF\n");
	write_file("metrics", ran.out.chars);
	if (!system("command -v promtool >/dev/null"))
		assert_int_equal(system("promtool check metrics <metrics"), 0);
	ran_free(&ran);
}

static void test_none(void **state)
{
	make("good", 1);
	struct ran ran = RUN(SELFTEST, "fleet", "good", "--fail-if-outlier");
	assert_status(ran, 0);
	assert_non_null(strstr(ran.out.chars,
		"no machine differs from the others"));
	ran_free(&ran);
	/* Two machines do not show which of them is the sick one. */
	ran = RUN(SELFTEST, "fleet", "sick/20250301-120000-1.json",
		"sick/20250306-120000-1.json", "--fail-if-outlier");
	assert_status(ran, 7);
	assert_non_null(strstr(ran.out.chars,
		"an outlier shows among at least 3 machines"));
	ran_free(&ran);
}

static void test_refused(void **state)
{
	struct ran ran = RUN(SELFTEST, "fleet", "state");
	assert_status(ran, 3);
	assert_string_equal(ran.err.chars,
		"benchtop: 'state' has no session with a figure: expected "
		"files *.json that `save` wrote\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "missing.json");
	assert_status(ran, 3);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
