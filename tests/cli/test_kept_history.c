/* `history` over many kept sessions: changes and the exit code for nightly
 * jobs. */
#include "run.h"

/* Replaces the kept sessions by `count` copies of one run, a day apart. From
 * copy `at` on the median is `step` times as high, and libc another. */
static void keep(int count, int at, double step)
{
	static const char copy[] =
		"import glob, os, re, sys\n"
		"count, at, step = int(sys.argv[1]), int(sys.argv[2]), "
		"float(sys.argv[3])\n"
		"sessions = 'state/benchtop/sessions/'\n"
		"for old in glob.glob(sessions + '*'): os.remove(old)\n"
		"text = open('one.json').read()\n"
		"text = re.sub(r'\"quality\":\"[^\"]*\"', '\"quality\":\"good\"',"
		" text)\n"
		"for i in range(count):\n"
		"    ns = (100 + i * 7 % 5 / 10) * (step if i >= at else 1)\n"
		"    new = re.sub(r'(\"unit\":\"ns\",\"median\":)[^,]*', "
		"lambda m: m.group(1) + repr(ns), text)\n"
		"    new = re.sub(r'\"started\":\"[^\"]*', "
		"'\"started\":\"2025-03-%02dT12:00:00+0000' % (i + 1), new)\n"
		"    libc = '\"libc\":\"glibc %s\"' % "
		"('2.99' if i >= at else '2.98')\n"
		"    new = re.sub(r'\"libc\":\"[^\"]*\"', libc, new)\n"
		"    name = '202503%02d-120000-1.json' % (i + 1)\n"
		"    open(sessions + name, 'w').write(new)\n";
	char counted[20], first[20], factor[20];

	snprintf(counted, sizeof counted, "%d", count);
	snprintf(first, sizeof first, "%d", at);
	snprintf(factor, sizeof factor, "%g", step);
	struct ran ran = RUN("/usr/bin/env", "python3", "-c", copy, counted,
		first, factor);
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

static struct ran judge(int count, int at, double step)
{
	keep(count, at, step);
	return RUN(SELFTEST, "history", "selftest.adds", "--fail-if-changed");
}

static void test_worse(void **state)
{
	struct ran ran = judge(20, 16, 1.05);

	assert_status(ran, 1);
	assert_contains(ran.out, "The level rises by 5.1 % here, from 100.2 ns");
	assert_contains(ran.out, "Changed here: libc glibc");
	assert_contains(ran.err, "selftest.adds: the time changed by +5.1 % "
				 "with session 17, 4 counted runs ago\n");
	ran_free(&ran);
}

/* The change is printed, but is for the better, or of long ago. */
static void test_unchanged(void **state)
{
	struct ran ran = judge(20, 16, .95);

	assert_status(ran, 0);
	assert_contains(ran.out, "The level falls by 4.9 % here");
	ran_free(&ran);
	ran = judge(20, 8, 1.05);
	assert_status(ran, 0);
	assert_contains(ran.out, "The level rises by 5.0 % here");
	ran_free(&ran);
	ran = judge(20, 20, 1);
	assert_status(ran, 0);
	assert_false(contains(&ran.out, "The level"));
	ran_free(&ran);
}

/* Too few runs, and none. */
static void test_undecided(void **state)
{
	struct ran ran = judge(9, 6, 1.05);

	assert_status(ran, 7);
	assert_contains(ran.err, "9 runs count, expected at least 10");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds", "links=100",
		"--fail-if-changed");
	assert_status(ran, 7);
	assert_contains(ran.err, "no kept session has selftest.adds");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds", "links=100");
	assert_status(ran, 3);
	ran_free(&ran);
}

static void test_json(void **state)
{
	keep(20, 16, 1.05);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"regime\":\"alone\"");
	assert_contains(ran.out, "\"name\":\"canary\"");
	assert_contains(ran.out, "\"session\":17");
	assert_contains(ran.out,
		"\"surroundings\":\"libc glibc 2.98 -> glibc 2.99\"");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worse),
		cmocka_unit_test(test_unchanged),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
