/* `history` over many kept sessions: changes and the exit code for nightly
 * jobs. */
#include "copies.h"
#include "run.h"

/* Replaces the kept sessions by `count` copies of one run. From copy `at` on
 * the median is `step` times as high, and libc another. */
static void keep(int count, int at, double step)
{
	copies_make(&(struct copies){ .folder = "state/benchtop/sessions",
		.count = count,
		.at = at,
		.times = step,
		.name = "libc",
		.before = "glibc 2.98",
		.after = "glibc 2.99" });
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

/* A metric by the name that `expect` has for it: of the same runs. */
static void test_metric(void **state)
{
	keep(20, 16, 1.05);
	assert_int_equal(system("sed -i -E '/^     \"metrics\":/ "
		"s/\\{(\"time\":(.*))\\}(,?)$/{\\1,\"page-faults\":\\2}\\3/' "
		"state/benchtop/sessions/*"), 0);
	struct ran ran = RUN(SELFTEST, "history",
		"selftest.adds.page-faults{links=10}", "--fail-if-changed");
	assert_contains(ran.out, "  selftest.adds.page-faults links=10");
	assert_contains(ran.err, "the page-faults changed by +5.1 %");
	assert_status(ran, 1);
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds");
	assert_contains(ran.out, "  selftest.adds links=10");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds.tme");
	assert_status(ran, 2);
	assert_contains(ran.err, "did you mean 'time'");
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds.cycles");
	assert_status(ran, 3);
	assert_contains(ran.err, "has selftest.adds.cycles: expected");
	ran_free(&ran);
}

/* A copy of a session beside it does not count. */
static void test_repeated(void **state)
{
	keep(20, 16, 1.05);
	assert_int_equal(system("cd state/benchtop/sessions && gzip "
		"<20250303-120000-1.json >20250403-120000-1.json"), 0);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "--json");
	assert_contains(ran.out, "\"repeated_runs\":1");
	assert_int_equal(lines_beginning(&ran.out, "   \"started\":"), 20);
	ran_free(&ran);
	ran = RUN(SELFTEST, "history", "selftest.adds");
	assert_contains(ran.out, "1 more run is in another file, and is "
				 "counted once.");
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

/* Between two places of a page; `end` NULL: its end. */
static size_t count_dots(const char *page, const char *end)
{
	size_t dots = 0;

	while ((page = strstr(page, "<circle ")) && (!end || page < end)) {
		dots++;
		page++;
	}
	return dots;
}

/* The page has a dot per run, two levels, and a row for the change. */
static void test_page(void **state)
{
	keep(20, 16, 1.05);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "-o",
		"history.html");
	assert_status(ran, 0);
	assert_contains(ran.out, "The level rises by 5.1 % here");
	assert_contains(ran.err, "report in history.html\n");
	ran_free(&ran);
	assert_int_equal(system("python3 " SOURCE_FOLDER
		"/tests/cli/well_formed.py history.html"), 0);
	char *page = read_whole("history.html");
	const char *below = strstr(page, "the machine in the same runs");
	assert_non_null(below);
	assert_int_equal(count_dots(page, below), 20);
	assert_in_range(count_dots(below, NULL), 20, 40);
	assert_non_null(strstr(below, "The canary beside the trials"));
	assert_non_null(strstr(page,
		"20 runs, 20 of them counted: the level changes 1 time."));
	const char *changes = strstr(page, "id=\"changes\"");
	assert_non_null(changes);
	assert_non_null(strstr(changes, ">17</td>"));
	assert_non_null(strstr(changes,
		"Changed here: libc glibc 2.98 -&gt; glibc 2.99."));
	const char *runs = strstr(page, "id=\"runs\"");
	assert_non_null(strstr(runs, "2025-03-20 12:00"));
	free(page);
	ran = RUN(SELFTEST, "history", "selftest.adds", "-o", "history.txt");
	assert_status(ran, 2);
	ran_free(&ran);
	write_file("mine.html", "mine\n");
	ran = RUN(SELFTEST, "history", "selftest.adds", "-o", "mine.html");
	assert_status(ran, 74);
	ran_free(&ran);
}

/* Files that another program has indented again. */
static void test_indented(void **state)
{
	keep(20, 16, 1.05);
	assert_int_equal(system("cd state/benchtop/sessions && for f in *.json; "
		"do python3 -m json.tool \"$f\" >new && mv new \"$f\"; "
		"done"), 0);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "--json");

	assert_status(ran, 0);
	assert_contains(ran.out, "\"session\":17");
	assert_contains(ran.out,
		"\"surroundings\":\"libc glibc 2.98 -> glibc 2.99\"");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "state/benchtop/sessions", "--json");
	assert_contains(ran.out, "\"sessions\":20");
	ran_free(&ran);
}

/* The caption mentions intervals where they are drawn. */
static void assert_intervals(int runs, bool drawn)
{
	keep(runs, runs, 1);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "-o",
		"page.html");
	assert_status(ran, 0);
	ran_free(&ran);
	char *page = read_whole("page.html");
	assert_int_equal(strstr(page, "with its interval") != NULL, drawn);
	assert_int_equal(strstr(page, "stroke-opacity=\".5\"") != NULL, drawn);
	assert_null(strstr(page, "Left out"));
	free(page);
}

static void test_intervals(void **state)
{
	assert_intervals(300, true);
	assert_intervals(301, false);
}

/* Too few runs for changes. */
static void test_short_page(void **state)
{
	keep(2, 2, 1);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds", "-o",
		"short.html", "--json");
	assert_status(ran, 0);
	ran_free(&ran);
	char *page = read_whole("short.html");
	assert_non_null(strstr(page, "changes are searched from 10 counted"));
	assert_null(strstr(page, "id=\"changes\""));
	free(page);
}

/* Sessions of another machine, which has had two processors. */
static void test_named(void **state)
{
	keep(20, 20, 1);
	assert_int_equal(system("cd state/benchtop/sessions && "
		"sed -i 's/^  \"hostname\":\".*/  \"hostname\":\"n1\",/;"
		"s/^  \"cpu\":\".*/  \"cpu\":\"second\",/' *.json && "
		"sed -i 's/\"second\"/\"first\"/' $(ls | head -8)"), 0);
	struct ran ran = RUN(SELFTEST, "history", "selftest.adds");
	assert_status(ran, 3);
	assert_contains(ran.err, "no kept session of this machine has");
	ran_free(&ran);
	setenv("BENCHTOP_HOST", "n1", 1);
	ran = RUN(SELFTEST, "history", "selftest.adds", "--json");
	assert_status(ran, 0);
	assert_contains(ran.out, "\"runs\":12,");
	ran_free(&ran);
	setenv("BENCHTOP_HOST", "n2", 1);
	ran = RUN(SELFTEST, "history", "selftest.adds");
	unsetenv("BENCHTOP_HOST");
	assert_status(ran, 3);
	assert_contains(ran.err, "no kept session of 'n2', which BENCHTOP_HOST "
				 "names, has selftest.adds.time");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worse),
		cmocka_unit_test(test_unchanged),
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_metric),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_short_page),
		cmocka_unit_test(test_indented),
		cmocka_unit_test(test_named),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
