/* --trials=none: a session with figures and launch medians, without trials. */
#include <sys/stat.h>

#include "schema.h"

enum { EXPERIMENT_BYTES = 50000 };

/* One run with trials and, in another session, one without. */
static int prepare(void **state)
{
	static const char *const lines[] = {
		"run selftest.adds links=10,100 launches=6 trials=40; "
		"save full.json",
		"run selftest.adds links=10,100 launches=6 trials=40 "
		"keep=figures; save bare.json",
	};

	if (make_folder(state) || chdir(folder))
		return -1;
	for (size_t i = 0; i < 2; i++) {
		struct ran ran = RUN(SELFTEST, "-c", lines[i]);
		int status = ran.status;

		ran_free(&ran);
		if (status)
			return -1;
	}
	return 0;
}

static void assert_said(const char *line, const char *sentence)
{
	struct ran ran = RUN(SELFTEST, "-c", line);

	assert_status(ran, 0);
	if (!contains(&ran.out, sentence) && !contains(&ran.err, sentence))
		print_error("%s\n%s%s", line, text_chars(&ran.out),
			text_chars(&ran.err));
	assert_true(contains(&ran.out, sentence) ||
		contains(&ran.err, sentence));
	ran_free(&ran);
}

static void test_small(void **state)
{
	char *content = read_whole("bare.json");

	assert_in_range(strlen(content), 1000, EXPERIMENT_BYTES);
	assert_non_null(strstr(content, "\"figures_only\":true"));
	assert_non_null(strstr(content, "\"launch_medians\":["));
	assert_non_null(strstr(content, "\"ticks\":[],\"flags\":[]"));
	assert_null(strstr(content, "\"ticks\":[["));
	free(content);
	if (has_jsonschema())
		assert_true(assert_valid(".") >= 2);
}

/* Compressed, a session of many figures is small, and is read by every verb. */
static void test_compressed(void **state)
{
	struct stat is;
	struct ran ran = RUN(PROGRAM, "--trials=none", "-c",
		"run ipc.ready launches=6 trials=20 budget=1s; save many.json");
	assert_status(ran, 0);
	ran_free(&ran);
	assert_int_equal(system("mkdir packed && gzip -9 <many.json "
		">packed/many.json.gz && gzip <bare.json >packed/bare.json.gz "
		"&& head -c 900 packed/bare.json.gz >half.json.gz"), 0);
	assert_int_equal(stat("packed/many.json.gz", &is), 0);
	assert_in_range(is.st_size, 1000, EXPERIMENT_BYTES / 2);
	assert_said("verify packed/bare.json.gz", "read back, not recomputed");
	assert_said("fleet packed", "1 machine, 2 sessions");
	struct ran plain = RUN(PROGRAM, "export", "markdown", "--session=many.json");
	ran = RUN(PROGRAM, "export", "markdown", "--session=packed/many.json.gz");
	assert_status(ran, 0);
	assert_string_equal(text_chars(&plain.out), text_chars(&ran.out));
	ran_free(&plain);
	ran_free(&ran);
	ran = RUN(PROGRAM, "load", "half.json.gz");
	assert_status(ran, 3);
	assert_contains(ran.err, "gzip cannot decompress it");
	ran_free(&ran);
	unlink("many.json");
}

/* What is read is what was written: the same bytes, and the same text. */
static void test_same_again(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c", "load bare.json; save again.json");

	assert_status(ran, 0);
	ran_free(&ran);
	char *first = read_whole("bare.json"), *second =
		read_whole("again.json");
	assert_string_equal(first, second);
	free(first);
	free(second);
	unlink("again.json");
}

/* A report, an export and a comparison of the same session agree with those of
 * the session with trials, but for the last digits. */
static void test_figures_agree(void **state)
{
	static const char strip[] =
		"import json\n"
		"a = json.load(open('full.json'))\n"
		"a['runs'] = a['runs'][:1]\n"
		"for r in a['runs']:\n"
		"    r['figures_only'] = True\n"
		"    for p in r['points']:\n"
		"        v = p['visits']\n"
		"        p['launches'] = sorted({x['launch'] for x in v})\n"
		"        p['canaries'] = [0 for x in p['launches']]\n"
		"        p['visits'] = []\n"
		"        for m in p['metrics'].values():\n"
		"            for k in ('ticks', 'values', 'flags'):\n"
		"                if k in m: m[k] = []\n"
		"json.dump(a, open('stripped.json', 'w'))\n";

	if (!has_python())
		skip();
	struct ran ran = RUN("/usr/bin/env", "python3", "-c", strip);
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "export", "csv", "--session=full.json");
	struct ran other = RUN(SELFTEST, "export", "csv",
		"--session=stripped.json");
	assert_status(ran, 0);
	assert_status(other, 0);
	/* The last columns have the name of the file. */
	for (char *at = ran.out.chars; (at = strstr(at, ",full,"));)
		memcpy(at, ",same,", 6);
	char *with = ran.out.chars, *without = other.out.chars;
	while (*with && *without) {
		size_t length = strcspn(with, "\r");
		char *session = strstr(with, ",same,");

		if (session && session < with + length)
			length = (size_t)(session - with);
		assert_memory_equal(with, without, length);
		with = strchr(with, '\n') + 1;
		without = strchr(without, '\n') + 1;
	}
	assert_string_equal(with, without);
	ran_free(&ran);
	ran_free(&other);
	unlink("stripped.json");
}

static void test_what_it_lacks(void **state)
{
	assert_said("load bare.json",
		"1 of 1 runs keep figures and launch medians, but no trials\n");
	assert_said("load bare.json -v", "but no trials: no histogram");
	assert_said("verify bare.json",
		"1 of 1 runs keep no trials: their figures are read back, not "
		"recomputed\n");
	assert_said("compare full.json bare.json",
		"Runs without trials are compared by launch medians");
	assert_said("load bare.json; export csv --trials",
		"1 of 1 runs keep no trials, so they have no rows\n");
	assert_said("report bare.json -o bare.html", "");
	assert_said("expect --session=bare.json selftest.adds shared <= 100%",
		"");
	assert_said("fleet bare.json full.json", "1 machine, 2 sessions");
	assert_said("history selftest.adds links=10", "selftest.adds");
	assert_said("load bare.json; snapshot lab lab.txt 80x24", "");
	assert_said("load bare.json; snapshot sweep sweep.txt 80x24", "");
}

/* The option is for all runs of a process, or for one run. */
static void test_option(void **state)
{
	static const char line[] =
		"run selftest.adds launches=6 trials=20; save --force o.json";
	struct ran ran = RUN(SELFTEST, "--trials=none", "-c", line);

	assert_status(ran, 0);
	ran_free(&ran);
	char *content = read_whole("o.json");
	assert_null(strstr(content, "\"ticks\":[["));
	free(content);
	ran = RUN(SELFTEST, "run", "selftest.adds", "launches=6", "trials=20",
		"--trials=none");
	assert_status(ran, 0);
	assert_contains(ran.out, "no trials");
	ran_free(&ran);
	ran = RUN(SELFTEST, "--trials=all", "-c", line);
	assert_status(ran, 2);
	assert_contains(ran.err, "expected --trials=none");
	ran_free(&ran);
}

/* A pair test needs trials; launches are compared instead. */
static void test_ab(void **state)
{
	struct ran ran = RUN(SELFTEST, "-c",
		"set keep=figures; ab selftest.adds links=10 links=100 "
		"launches=6; save ab.json");

	assert_status(ran, 0);
	ran_free(&ran);
	assert_said("load ab.json -v", "no trials");
	unlink("ab.json");
}

static void assert_damaged(const char *from, const char *to,
	const char *sentence)
{
	char *content = read_whole("bare.json");
	char *at = strstr(content, from);
	struct text damaged = { 0 };

	assert_non_null(at);
	text_add_chars(&damaged, content, (size_t)(at - content));
	text_add(&damaged, "%s%s", to, at + strlen(from));
	write_file("damaged.json", damaged.chars);
	struct ran ran = RUN(SELFTEST, "-c", "load damaged.json");
	assert_status(ran, 3);
	assert_contains(ran.err, sentence);
	ran_free(&ran);
	text_free(&damaged);
	free(content);
	unlink("damaged.json");
}

/* More than the launches of a run, of which some may have no value. */
#define MORE "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"

static void test_damaged(void **state)
{
	assert_damaged("\"launches\":[0,1,", "\"launches\":[1,0,",
		"expected the index of a later launch");
	assert_damaged("\"launches\":[0,1,", "\"launches\":[0,77,",
		"expected the index of a later launch");
	assert_damaged("\"ticks\":[]", "\"ticks\":[[100]]",
		"has more arrays than visits");
	assert_damaged("\"regime\":\"", "\"regime\":\"un",
		"expected pooled, alone or shared");
	assert_damaged("\"canaries\":[", "\"canaries\":[" MORE,
		"has more values than launches");
	assert_damaged("\"launch_medians\":[", "\"launch_medians\":[" MORE,
		"expected at most a number per launch");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_figures_agree),
		cmocka_unit_test(test_what_it_lacks),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_option),
		cmocka_unit_test(test_ab),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
