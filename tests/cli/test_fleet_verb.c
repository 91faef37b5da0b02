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
	const char *groups = strstr(ran.out.chars, "alike  ratio  group\n");
	assert_non_null(groups);
	assert_non_null(strstr(groups, "\n      1  1.9"));
	assert_non_null(strstr(groups, "  kernel 6.2\n"));
	assert_string_equal(ran.err.chars,
		"benchtop: 1 outlier among 6 machines: node5\n");
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
	assert_contains(ran.out,
		"\nbenchtop_fleet_group_ratio{number=\"2\","
		"group=\"kernel 6.2\"} 1.9");
	assert_string_equal(ran.out.chars + ran.out.length - 6, "# EOF\n");
	write_file("metrics", ran.out.chars);
	if (!system("command -v promtool >/dev/null"))
		assert_int_equal(system("promtool check metrics <metrics"), 0);
	ran_free(&ran);
}

/* Only the outlier is named after the heat map, and its name is not markup. */
static void test_report(void **state)
{
	make("sick", 2);
	assert_int_equal(system("sed -i 's|\"hostname\":\"node5\"|"
		"\"hostname\":\"<script>5\\&\"|' sick/*"), 0);
	struct ran ran = RUN(SELFTEST, "fleet", "sick", "-o", "sick.html");
	assert_status(ran, 0);
	ran_free(&ran);
	char *page = read_whole("sick.html");
	assert_int_equal(system("python3 " SOURCE_FOLDER
		"/tests/cli/well_formed.py sick.html"), 0);
	assert_null(strstr(page, "<script"));
	assert_non_null(strstr(page, "6 machines, 6 sessions, 1 series: "
		"1 machine differs from the others."));
	/* The outlier is the first row of the map, and has the only cross. */
	const char *cross = strstr(page, "<path d=");
	assert_non_null(cross);
	assert_null(strstr(cross + 1, "<path d="));
	const char *sick = strstr(page, ">&lt;script&gt;5&amp;</text>");
	const char *good = strstr(page, ">node0</text>");
	assert_non_null(sick);
	assert_non_null(good);
	assert_true(sick < good);
	const char *outliers = strstr(page, "id=\"outliers\"");
	assert_non_null(outliers);
	assert_non_null(strstr(outliers, "&lt;script&gt;5&amp;</td>"));
	assert_non_null(strstr(outliers, "kernel 6.2, of most 6.1</td>"));
	assert_null(strstr(outliers, "node"));
	free(page);
}

static void test_report_file(void **state)
{
	make("good", 1);
	write_file("other.html", "mine\n");
	struct ran ran = RUN(SELFTEST, "fleet", "good", "-o", "other.html");
	assert_status(ran, 74);
	assert_string_equal(ran.err.chars,
		"benchtop: will not overwrite 'other.html': not a report; name "
		"another file, or use --force\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "good", "-o", "other.html", "--force");
	assert_status(ran, 0);
	ran_free(&ran);
	char *page = read_whole("other.html");
	assert_non_null(strstr(page, "no machine is an outlier."));
	assert_null(strstr(page, "id=\"outliers\""));
	assert_null(strstr(page, "<path d="));
	free(page);
	/* Now the file is a report. */
	ran = RUN(SELFTEST, "fleet", "good", "-o", "other.html");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "good", "-o", "page.txt");
	assert_status(ran, 2);
	assert_contains(ran.err,
		"-o 'page.txt': expected a name that ends in .html");
	ran_free(&ran);
}

static void test_none(void **state)
{
	make("good", 1);
	struct ran ran = RUN(SELFTEST, "fleet", "good", "--fail-if-outlier");
	assert_status(ran, 0);
	assert_non_null(strstr(ran.out.chars,
		"no machine is an outlier"));
	/* The sessions have one series. */
	assert_contains(ran.out,
		"\n  not tested, with fewer than 3 series to compare:\n"
		"    all series together on 6 of 6 machines\n"
		"    scatter between launches on 6 of 6 machines\n\n");
	ran_free(&ran);
	/* Two machines do not show which of them is the sick one. */
	ran = RUN(SELFTEST, "fleet", "sick/20250301-120000-1.json",
		"sick/20250306-120000-1.json", "--fail-if-outlier");
	assert_status(ran, 7);
	assert_non_null(strstr(ran.out.chars,
		"  an outlier needs 3 machines\n"));
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "sick/20250301-120000-1.json",
		"--fail-if-outlier");
	assert_status(ran, 7);
	assert_contains(ran.err, "1 machine: expected at least 3");
	ran_free(&ran);
}

/* A slow machine without enough data must not pass for a good one. */
static void test_left_out(void **state)
{
	make("few", 1);
	assert_int_equal(system("sed -i '/\"node5\"/,$ s/\"quality\":\"[a-z ]*\"/"
		"\"quality\":\"not enough data\"/g' few/20250306-120000-1.json"),
		0);
	write_file("few/broken.json", "{ \"benchtop\"");
	struct ran ran = RUN(SELFTEST, "fleet", "few", "--fail-if-outlier");
	assert_status(ran, 7);
	assert_contains(ran.out, "5 machines, 6 sessions, 1 series");
	assert_contains(ran.out, "no machine is an outlier");
	assert_contains(ran.out,
		"  left out: broken.json (no whole session with figures), "
		"node5 (not enough data)\n");
	assert_string_equal(ran.err.chars,
		"benchtop: no outlier, but left out: broken.json (no whole "
		"session with figures), node5 (not enough data)\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "few", "--json");
	assert_contains(ran.out, "\"left_out\":");
	ran_free(&ran);
}

/* In a container the host name is not the machine's. */
static void test_named(void **state)
{
	setenv("BENCHTOP_HOST", "worker-3", 1);
	struct ran ran = RUN(SELFTEST, "-c", "note x; save named.json");
	unsetenv("BENCHTOP_HOST");
	assert_status(ran, 0);
	ran_free(&ran);
	char *session = read_whole("named.json");
	assert_non_null(strstr(session, "\"hostname\":\"worker-3\""));
	free(session);
}

/* Sets what the files state of the regime of their headlines. */
static void set_regime(const char *files, const char *regime, const char *share)
{
	struct text line = { 0 };

	text_add(&line,
		"sed -i -E 's/\"regime\":\"[a-z]*\"/\"regime\":\"%s\"/; "
		"s/\"excluded\":[0-9.e-]+/\"excluded\":0/; "
		"s/\"shared\":[0-9.e-]+/\"shared\":%s/' %s",
		regime, share, files);
	assert_int_equal(system(line.chars), 0);
	text_free(&line);
}

/* A machine that is slow because of its load is an outlier, and its regime is
 * shown beside that of the others. */
static void test_shared(void **state)
{
	static const char words[] = "(alone on the core in 1 % of its trials, "
				    "the others in 97 %)";

	make("sick", 2);
	set_regime("sick/*", "alone", "0.03");
	set_regime("sick/20250306*", "shared", "0.99");
	struct ran ran = RUN(SELFTEST, "fleet", "sick", "--fail-if-outlier",
		"-o", "shared.html");
	assert_status(ran, 1);
	assert_contains(ran.out, words);
	assert_contains(ran.out, "\n  machines  shared  ");
	assert_contains(ran.out, "\n         6       1  ");
	ran_free(&ran);
	char *page = read_whole("shared.html");
	assert_non_null(strstr(page, words));
	free(page);
}

/* The same session twice by name, and compressed beside itself, is one. */
static void test_repeated(void **state)
{
	make("good", 1);
	assert_int_equal(system("gzip -k good/20250302-120000-1.json"), 0);
	struct ran ran = RUN(SELFTEST, "fleet", "good",
		"good/20250301-120000-1.json");
	assert_status(ran, 0);
	assert_contains(ran.out,
		"6 machines, 6 sessions (2 more files each repeat one of them), "
		"1 series\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "fleet", "good", "--json");
	assert_contains(ran.out, "\"repeated_files\":1");
	ran_free(&ran);
}

/* `remark` is what `compare` says of the files, and it compares one pair. */
static void assert_compared(const char *a, const char *b, const char *c,
	const char *remark)
{
	struct ran ran = RUN(SELFTEST, "compare", "--json", a, b, c);

	assert_status(ran, 0);
	assert_string_equal(ran.err.chars, remark);
	assert_int_equal(lines_beginning(&ran.out, "  \"b\":"), 1);
	ran_free(&ran);
}

/* A copy counts once, also of the first file. With nothing else, it is compared
 * with itself. */
static void test_compare_repeated(void **state)
{
	static const char a[] = "good/20250301-120000-1.json";
	static const char b[] = "good/20250302-120000-1.json";
	static const char copy[] = "good/20250302-120000-1.json.gz";
	static const char once[] = "1 file has a session that another file "
				   "has: it counts once\n";
	static const char itself[] = "one session is compared with itself: "
				     "both sides have the same trials\n";

	make("good", 1);
	assert_int_equal(system("gzip -k good/20250302-120000-1.json"), 0);
	assert_compared(a, b, copy, once);
	assert_compared(b, copy, a, once);
	assert_compared(b, a, copy, once);
	assert_compared(b, b, NULL, itself);
	assert_compared(b, copy, NULL, itself);
	assert_compared(b, copy, b, itself);
}

/* Nobody writes to the pipe. */
static void test_pipe(void **state)
{
	make("piped", 1);
	assert_int_equal(mkfifo("piped/pipe.json", 0600), 0);
	struct ran ran = RUN("/bin/sh", "-c",
		"exec timeout -s KILL 60 \"$0\" \"$@\"", SELFTEST, "fleet",
		"piped");
	assert_status(ran, 0);
	assert_contains(ran.out, "6 machines, 6 sessions, 1 series\n");
	assert_contains(ran.out,
		"  left out: pipe.json (no whole session with figures)\n");
	ran_free(&ran);
	ran = RUN("/bin/sh", "-c", "exec timeout -s KILL 60 \"$0\" \"$@\"",
		SELFTEST, "fleet", "piped/pipe.json");
	assert_status(ran, 3);
	assert_string_equal(ran.err.chars,
		"benchtop: cannot read 'piped/pipe.json': `fleet` reads "
		"regular files and folders only\n");
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
	ran = RUN(SELFTEST, "fleet", "good", "--openmetrics", "--json");
	assert_status(ran, 2);
	assert_contains(ran.err,
		"--json and --openmetrics: expected one of them");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_report_file),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_compare_repeated),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, copies_prepare, remove_folder);
}
