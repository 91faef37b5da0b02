/* The verbs `compare` and `ab`: input, output and exit codes. */
#include "run.h"

/* A session of one run with known times: `count` launches of three trials each,
 * all of them around `ns`. Each path has a seed of its own, as each run has. */
static void write_session(const char *path, double ns, int launches,
	const char *governor)
{
	struct text ticks = { 0 }, text = { 0 };

	text_add(&text,
		"import json, sys\n"
		"a = json.load(open('%s/assets/pictures/syscall.json'))\n"
		"a['machine']['governor'] = '%s'\n"
		"a['notes'] = []\n"
		"run = a['runs'][0]\n"
		"a['runs'] = [run]\n"
		"point = run['points'][0]\n"
		"run['points'] = [point]\n"
		"run['findings'] = []\n"
		"run['seed'] = str(sum(map(ord, '%s')))\n"
		"n = min(%d, len(run['launches']))\n"
		"run['launches'] = run['launches'][:n]\n"
		"over = run['launches'][0]['overhead']\n"
		"for launch in run['launches']: launch['overhead'] = over\n"
		"visits = [v for v in point['visits'] if v['launch'] < n]\n"
		"time = point['metrics']['time']\n"
		"ops = time['ops']\n"
		"hz = run['clock']['hz']\n"
		"rows = []\n"
		"for i, visit in enumerate(visits):\n"
		"    visit['trials'], visit['warmup'] = 3, 0\n"
		"    ns = %.17g * (1 + (i %% 5 - 2) / 1000)\n"
		"    rows.append([round(ns * 1e-9 * hz * ops + over)] * 3)\n"
		"    visit['canary'] = [run['clock']['canary_multiplies'] * 3] * 2\n"
		"    visit['canary_every'] = 3\n"
		"for launch in run['launches']: launch['canary'] = 600\n"
		"point['visits'] = visits\n"
		"time['ticks'] = rows\n"
		"time['flags'] = [[] for row in rows]\n"
		"json.dump(a, open('%s', 'w'))\n",
		SOURCE_FOLDER, governor, path, launches, ns, path);
	struct ran ran = RUN("/usr/bin/env", "python3", "-c", text.chars);
	assert_status(ran, 0);
	ran_free(&ran);
	text_free(&text);
	text_free(&ticks);
}

static void make_sessions(void)
{
	static bool made;

	if (made)
		return;
	made = true;
	write_session(in_folder("monday.json"), 100, 30, "powersave");
	write_session(in_folder("tuesday.json"), 100, 30, "powersave");
	write_session(in_folder("slow.json"), 112, 30, "performance");
	write_session(in_folder("few.json"), 112, 3, "powersave");
}

static void test_equivalent(void **state)
{
	make_sessions();
	struct ran ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("tuesday.json"), "--fail-if-slower", "1%", "-v");
	assert_status(ran, 0);
	assert_contains(ran.out, "No known difference");
	assert_contains(ran.out, "0 slower, 1 equivalent");
	assert_contains(ran.out, "exit 0: not slower");
	ran_free(&ran);
}

/* Differing conditions come first, then the verdicts, then the exit code. */
static void test_slower(void **state)
{
	make_sessions();
	struct ran ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("slow.json"));
	assert_status(ran, 0);
	assert_contains(ran.out, "powersave -> performance");
	assert_contains(ran.out, "111.9 ns  1.120  ");
	assert_contains(ran.out, "  slower\n");
	assert_contains(ran.out, "  1 slower\n");
	assert_true(strstr(ran.out.chars, "powersave") <
		strstr(ran.out.chars, "1.120"));
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("slow.json"), "-v");
	assert_contains(ran.out, "1.120  [1.1");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("slow.json"), "--fail-if-slower", "5%");
	assert_status(ran, 1);
	assert_contains(ran.err, "1 of 1 comparisons proven slower by 5% or "
		"more");
	assert_contains(ran.out, "  slower\n");
	assert_contains(ran.out, "exit 1: slower\n");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("slow.json"), "--fail-if-slower=13%");
	assert_status(ran, 0);
	ran_free(&ran);
	/* In the other order the second session is faster, so nothing fails. */
	ran = RUN(PROGRAM, "compare", in_folder("slow.json"),
		in_folder("monday.json"), "--fail-if-slower", "0%");
	assert_status(ran, 0);
	assert_contains(ran.out, "  faster\n");
	ran_free(&ran);
}

/* Each session is compared with the first. */
static void test_many(void **state)
{
	make_sessions();
	struct ran ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("tuesday.json"), in_folder("slow.json"),
		"published:a", "--fail-if-slower", "5%", "-v");
	assert_status(ran, 1);
	assert_int_equal(lines_beginning(&ran.out, "A  "), 3);
	assert_int_equal(lines_beginning(&ran.out, "B  "), 3);
	assert_contains(ran.out, "published");
	assert_contains(ran.out, " not tested (published)");
	ran_free(&ran);
}

/* A gate that tested nothing does not pass. It ends with 7 if there are not
 * enough data, and with 1 if no comparison is possible. */
static void test_nothing_to_test(void **state)
{
	make_sessions();
	struct ran ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("few.json"));
	assert_status(ran, 0);
	assert_contains(ran.out, "undecided\n");
	assert_contains(ran.out, "not enough data: few (3 launches). Raise ");
	assert_contains(ran.out, "  0 slower, 1 undecided\n");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("few.json"),
		in_folder("few.json"));
	assert_contains(ran.out, "not enough data: A (3 launches), B (3 laun");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("few.json"),
		in_folder("few.json"), "-v");
	assert_contains(ran.out, "not enough data: A (3 launches), B (3 laun");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("few.json"), "--fail-if-slower", "5%");
	assert_status(ran, 7);
	assert_contains(ran.out, "again; no alarm raised.\n");
	assert_contains(ran.out, "exit 7: retry (1 means slower)\n");
	assert_contains(ran.err, "1 of 1 comparisons undecided");
	ran_free(&ran);
	/* A proven change has priority over an undecided comparison. */
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("few.json"), in_folder("slow.json"),
		"--fail-if-slower", "5%");
	assert_status(ran, 1);
	assert_contains(ran.err, "1 of 2 comparisons proven slower");
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"), "published:a",
		"--fail-if-slower", "5%");
	assert_status(ran, 1);
	assert_contains(ran.err, "no metric of published:a could be tested");
	ran_free(&ran);
	/* A second session that could be tested does not make up for one that
	 * could not. */
	ran = RUN(PROGRAM, "compare", in_folder("monday.json"), "published:a",
		in_folder("monday.json"), "--fail-if-slower", "5%");
	assert_status(ran, 1);
	assert_contains(ran.err, "no metric of published:a could be tested");
	ran_free(&ran);
}

/* At most 80 columns, whatever the names. */
static void assert_narrow(const struct text *text)
{
	for (const char *line = text->chars; *line;) {
		size_t length = strcspn(line, "\n");

		if (length > 80)
			fail_msg("%zu columns: %.*s", length, (int)length,
				line);
		line += length + (line[length] == '\n');
	}
}

static void test_published(void **state)
{
	struct ran ran = RUN(PROGRAM, "compare", "published:a", "published:b",
		"published:c", "published:d", "published:e", "-v");

	assert_status(ran, 0);
	assert_contains(ran.out, "hence no interval and no verdict");
	assert_contains(ran.out, "146.6 ns");
	assert_narrow(&ran.out);
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", "published:a", "published:x");
	assert_status(ran, 2);
	assert_contains(ran.err, "published:a to published:e");
	ran_free(&ran);
}

static void test_published_like_any_other(void **state)
{
	static const char *const names[] = { "published:a", "published:b",
		"published:c", "published:d", "published:e" };

	for (size_t i = 0; i < 5; i++) {
		struct ran ran = RUN(PROGRAM, "verify", names[i]);
		assert_status(ran, 0);
		assert_contains(ran.out, "read back, not recomputed");
		ran_free(&ran);
		ran = RUN(PROGRAM, "load", names[i], "-v");
		assert_status(ran, 0);
		assert_contains(ran.out, "published figures, without trials");
		assert_contains(ran.out, "published as ");
		assert_false(contains(&ran.out, "no clean"));
		ran_free(&ran);
		struct text lines = { 0 };
		text_add(&lines,
			"load %s; export openmetrics %s --force; "
			"export markdown %s --force; save %s --force",
			names[i], in_folder("p.prom"), in_folder("p.md"),
			in_folder("p.json"));
		ran = RUN(PROGRAM, "-c", lines.chars);
		assert_status(ran, 0);
		ran_free(&ran);
		text_free(&lines);
		/* A published session that was loaded and saved is the same
		 * session. */
		ran = RUN(PROGRAM, "compare", names[i], in_folder("p.json"),
			"-v");
		assert_status(ran, 0);
		assert_contains(ran.out, "No known difference");
		ran_free(&ran);
	}
	/* `save` without a name never overwrites an installed file. */
	struct ran ran = RUN(PROGRAM, "-c", "load published:a; save");
	assert_status(ran, 2);
	assert_contains(ran.err, "the session has no file yet");
	ran_free(&ran);
}

static void test_json(void **state)
{
	make_sessions();
	struct ran ran = RUN(PROGRAM, "compare", in_folder("monday.json"),
		in_folder("slow.json"), "--json");
	assert_status(ran, 0);
	write_file(in_folder("compare.json"), ran.out.chars);
	ran_free(&ran);
	struct text code = { 0 };
	text_add(&code,
		"import json\n"
		"pair, = json.load(open('%s'))\n"
		"row, = pair['rows']\n"
		"assert row['verdict'] == 'slower' and row['holds']\n"
		"assert row['ci'][0] < row['ratio'] < row['ci'][1]\n"
		"assert 1.11 < row['ratio'] < 1.13\n"
		"assert row['p'] <= row['p_holm'] < .001\n"
		"assert pair['differences'][0]['what'] == 'governor'\n",
		in_folder("compare.json"));
	ran = RUN("/usr/bin/env", "python3", "-c", code.chars);
	assert_status(ran, 0);
	ran_free(&ran);
	text_free(&code);
}

/* Control characters in a name are shown as text and never sent to the
 * terminal. */
static void test_odd_name(void **state)
{
	const char *odd = in_folder("\x1b[31m.json");
	const char *page = in_folder("\x1b[32m.md");
	struct text line = { 0 };

	text_add(&line, "load published:a; save '%s'", odd);
	struct ran ran = RUN(PROGRAM, "-c", line.chars);
	assert_status(ran, 0);
	assert_null(strchr(text_chars(&ran.out), '\x1b'));
	text_free(&line);
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", "published:b", odd);
	assert_contains(ran.out, "  \\x1b[31m    B/A");
	assert_null(strchr(text_chars(&ran.out), '\x1b'));
	ran_free(&ran);
	ran = RUN(PROGRAM, "compare", "published:b", odd, "-v");
	assert_contains(ran.out, "\\x1b[31m.json");
	assert_null(strchr(text_chars(&ran.out), '\x1b'));
	ran_free(&ran);
	ran = RUN(PROGRAM, "report", odd, "-o", page, "--beside", odd);
	assert_status(ran, 0);
	assert_contains(ran.out, "\\x1b[32m.md");
	assert_null(strchr(text_chars(&ran.out), '\x1b'));
	ran_free(&ran);
	char *written = read_whole(page);
	assert_null(strchr(written, '\x1b'));
	free(written);
}

static void test_refused(void **state)
{
	static const struct {
		const char *words[8];
		int status;
		const char *says;
	} rows[] = {
		{ { "compare" }, 2, "compare" },
		{ { "compare", "published:a" }, 2, "name a second FILE" },
		{ { "compare", "/nowhere.json", "published:a" }, 3,
			"/nowhere.json" },
		{ { "compare", "published:a", "published:b", "--fail-if-slower",
			  "much" },
			2, "'much'" },
		{ { "compare", "published:a", "published:b",
			  "--fail-if-faster" },
			2, "--fail-if-slower=" },
		{ { "ab", "cpu.syscall", "call=getppid", "via=raw" }, 2,
			"expected NAME=A,B or NAME=A NAME=B" },
		{ { "ab", "cpu.syscall", "call=getppid", "call=elephant" }, 2,
			"elephant" },
		{ { "ab", "cpu.syscall", "call=getppid,getpid", "call=time" },
			2, "expected one value" },
		{ { "ab", "cpu.syscall", "cpu=0", "cpu=1" }, 2,
			"not a parameter of the experiment" },
		{ { "ab", "cpu.nothing", "a=1", "a=2" }, 2, "cpu.nothing" },
		{ { "ab", "net.rtt", "rtt=20ms", "proto=tcp", "proto=udp" }, 2,
			"host=link" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = run_words(PROGRAM, rows[i].words);

		assert_status(ran, rows[i].status);
		assert_contains(ran.err, rows[i].says);
		ran_free(&ran);
	}
	struct ran ran = RUN(PROGRAM, "ab", "cpu.syscall", "call=getppid",
		"call=getpid", "via=raw,libc");
	assert_status(ran, 2);
	assert_contains(ran.err, " values (");
	ran_free(&ran);
}

/* One run has both settings in every launch and gives one verdict. After saving
 * and loading, the verdict is the same. The two settings may be equal. */
static void test_ab(void **state)
{
	struct text lines = { 0 };

	text_add(&lines,
		"ab cpu.syscall call=getppid call=getppid launches=6 trials=20 "
		"budget=1s; save %s --force",
		in_folder("ab.json"));
	struct ran ran = RUN(PROGRAM, "-c", lines.chars);
	text_free(&lines);
	assert_status(ran, 0);
	assert_contains(ran.out, "  A the same  ");
	assert_contains(ran.out, "\n  B the same  ");
	assert_contains(ran.out, " pairs in 6 launches\n");
	ran_free(&ran);
	char *file = read_whole(in_folder("ab.json"));
	assert_non_null(strstr(file, "\"abba\":true"));
	assert_non_null(
		strstr(file, "\"ab cpu.syscall call=getppid call=getppid"));
	free(file);
	ran = RUN(PROGRAM, "load", in_folder("ab.json"), "-v");
	assert_status(ran, 0);
	assert_contains(ran.out, "  A the same  ");
	assert_contains(ran.out, "done: ");
	ran_free(&ran);
	ran = RUN(PROGRAM, "verify", in_folder("ab.json"));
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(PROGRAM, "ab", "cpu.syscall", "call=getppid", "call=getpid",
		"launches=6", "trials=20", "budget=1s", "--json");
	assert_status(ran, 0);
	assert_contains(ran.out, "\"comparison\"");
	assert_contains(ran.out, "\"verdict\"");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equivalent),
		cmocka_unit_test(test_slower),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_nothing_to_test),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_published_like_any_other),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_odd_name),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ab),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
