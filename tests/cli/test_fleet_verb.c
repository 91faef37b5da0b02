/* `fleet` over the session files of many machines. */
#include "json.h"
#include "run.h"

/* Makes a folder with copies of one session, from `count` machines. The last
 * one is `times` as slow and has another kernel. */
static void make(const char *name, int count, double times)
{
	static const char copy[] =
		"import os, re, sys\n"
		"name, count, times = sys.argv[1], int(sys.argv[2]), "
		"float(sys.argv[3])\n"
		"os.makedirs(name)\n"
		"text = open('one.json').read()\n"
		"text = re.sub(r'\"quality\":\"[^\"]*\"', '\"quality\":\"good\"',"
		" text)\n"
		"for i in range(count):\n"
		"    last = i + 1 == count\n"
		"    ns = (100 + i * 7 % 5 / 10) * (times if last else 1)\n"
		"    new = re.sub(r'(\"unit\":\"ns\",\"median\":)[^,]*', "
		"lambda m: m.group(1) + repr(ns), text)\n"
		"    new = re.sub(r'\"hostname\":\"[^\"]*', "
		"'\"hostname\":\"node%d' % i, new)\n"
		"    new = re.sub(r'\"kernel\":\"[^\"]*', "
		"'\"kernel\":\"6.%d' % (2 if last else 1), new)\n"
		"    open('%s/%d.json' % (name, i), 'w').write(new)\n";
	char counted[20], factor[20];

	snprintf(counted, sizeof counted, "%d", count);
	snprintf(factor, sizeof factor, "%g", times);
	struct ran ran = RUN("/usr/bin/env", "python3", "-c", copy, name,
		counted, factor);
	assert_status(ran, 0);
	ran_free(&ran);
}

static int prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10 launches=6 trials=20; "
		"save one.json");
	int status = ran.status;

	ran_free(&ran);
	return status;
}

static void test_outlier(void **state)
{
	make("sick", 6, 2);
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
}

static void test_none(void **state)
{
	make("good", 6, 1);
	struct ran ran = RUN(SELFTEST, "fleet", "good", "--fail-if-outlier");
	assert_status(ran, 0);
	assert_non_null(strstr(ran.out.chars,
		"no machine differs from the others"));
	ran_free(&ran);
	/* Two machines do not show which of them is the sick one. */
	ran = RUN(SELFTEST, "fleet", "sick/0.json", "sick/5.json",
		"--fail-if-outlier");
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

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
