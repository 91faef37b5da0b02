/* Invalid files: sessions, tapes, scripts. Exit code 3, one sentence with the
 * file, and nothing is written. */
#include "namespace.h"
#include "refused.h"

static char *whole; /* a session as the program writes it */

static int prepare(void **state)
{
	if (prepare_refusals(state))
		return -1;
	struct ran ran = RUN(PROGRAM, "-c",
		"note 'a note'; set budget=2s; save whole.json");
	int failed = ran.status;
	ran_free(&ran);
	whole = read_whole("whole.json");
	/* The note was reason enough for an autosave. */
	ran = RUN("/usr/bin/env", "rm", "-r", in_folder("state/benchtop"));
	ran_free(&ran);
	return failed;
}

static int clear(void **state)
{
	free(whole);
	return remove_folder(state);
}

static void refuse(const char *what, const char *says)
{
	static const char *const verbs[] = { "load", "verify" };
	char *before = read_whole("bad.json");

	for (size_t i = 0; i < 2; i++) {
		char line[128];

		snprintf(line, sizeof line,
			"%s bad.json; save new.json; save kept.json --force",
			verbs[i]);
		struct ran ran = RUN(PROGRAM, "-c", line);
		assert_refused(&ran, what, 3, "bad.json", says);
		ran_free(&ran);
		char *after = read_whole("bad.json");
		assert_string_equal(before, after);
		free(after);
	}
	free(before);
}

static void test_sessions(void **state)
{
	static const struct {
		const char *content, *says;
	} rows[] = {
		{ "", "'bad.json' is not a session file: expected one that" },
		{ " \n\n", "'bad.json' is not a session file" },
		{ "hello\n", "'bad.json' is not a session file" },
		{ "[]", "not a session file: bad.json: expected an object" },
		{ "{}", "not a session file: bad.json: format: missing" },
		{ "null", "bad.json" },
		{ "{\"format\":\"benchtop-session\"",
			"bad.json:1:1: an unterminated object" },
		{ "{\"format\":}", "bad.json:1:11: expected a value" },
		{ "{\"a\":1,}", "bad.json:1:8: " },
		{ "{'a':1}", "bad.json:1:2: " },
		{ "{\"a\":01}", "bad.json:1:7: " },
		{ "{\"a\":NaN}", "bad.json:1:6: " },
		{ "{\"a\":1}{", "bad.json:1:8: " },
		{ "{\"a\":\"\xff\"}", "bad.json:1:7: " },
		{ "{\"a\":\"\x01\"}", "bad.json:1:7: " },
		{ "{\"a\":\"\\ud800\"}", "bad.json:1:7: " },
		{ "{\"a\":1,\"a\":2}", "bad.json" },
		{ "\n\n {\"a\":tru}", "bad.json:3:7: " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_file("bad.json", rows[i].content);
		refuse(rows[i].content, rows[i].says);
	}
}

/* Not hung: each ends with a sentence, unlike `load <(cat FILE)`. */
static void test_no_writer(void **state)
{
	static const char *const verbs[][3] = { { "load", "pipe" },
		{ "verify", "pipe" }, { "annotate", "pipe" },
		{ "--script", "pipe" } };

	assert_int_equal(mkfifo("pipe", 0600), 0);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		struct ran ran = run_words(PROGRAM, verbs[i]);

		assert_refused(&ran, verbs[i][0], 3, "'pipe'",
			"is a pipe that no process writes: expected a file");
		ran_free(&ran);
	}
	assert_int_equal(unlink("pipe"), 0);
	struct ran ran = RUN("/bin/bash", "-c",
		"\"$0\" load <(sleep 0.2; cat whole.json)", PROGRAM);
	assert_status(ran, 0);
	assert_contains(ran.out, "loaded /dev/fd/");
	ran_free(&ran);
}

/* A complete session in which one piece is replaced. */
static void test_changed(void **state)
{
	static const struct {
		const char *old, *new, *says;
	} rows[] = {
		{ "benchtop-session", "benchtop",
			"not a session file: bad.json: expected \"format\"" },
		{ "[1,8]", "[2,0]", "'bad.json' is a session of schema 2.0" },
		{ "[1,8]", "[0,9]", "schema 0.9" },
		{ "[1,8]", "\"1.0\"", "schema: expected an array" },
		{ "\"machine\"", "\"machinery\"", "machine: missing" },
		{ "\"hostname\":\"", "\"hostname\":7,\"x\":\"",
			"machine.hostname: expected a string" },
		{ "\"cpus\":", "\"cpus\":-", "machine.cpus: expected a whole" },
		{ "\"notes\":[", "\"notes\":{},\"x\":[",
			"notes: expected an array" },
		{ "\"a note\"", "[]", "notes[0].text: expected a string" },
		{ "\"at\":", "\"when\":", "notes[0].at: missing" },
		{ "\"cpu\":\"", "\"cpu\":\"\\u001b[31m",
			"machine.cpu: '\\x1b[31m" },
		{ "\"runs\":[]", "\"runs\":[7]",
			"runs[0]: expected an object" },
		{ "\"runs\":[]", "\"runs\":[{}]", "runs[0].experiment" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };
		const char *at = strstr(whole, rows[i].old);

		assert_non_null(at);
		text_add(&text, "%.*s%s%s", (int)(at - whole), whole,
			rows[i].new, at + strlen(rows[i].old));
		write_file("bad.json", text.chars);
		refuse(rows[i].new, rows[i].says);
		text_free(&text);
	}
}

/* Truncated at any byte. */
static void test_cut(void **state)
{
	size_t length = strlen(whole);

	for (size_t i = 1; i < 12; i++) {
		char *part = strdup(whole);

		part[length * i / 12] = '\0';
		write_file("bad.json", part);
		refuse("cut", "bad.json:");
		free(part);
	}
}

static void test_deep(void **state)
{
	struct text text = { 0 };

	text_pad(&text, '[', 100000);
	write_file("bad.json", text.chars);
	refuse("deep", "'bad.json' is not a session file");
	text_free(&text);
}

/* Tapes, scripts, and names of files that do not exist. */
static void test_others(void **state)
{
	static const struct {
		const char *words[3];
		int status;
		const char *says;
	} rows[] = {
		{ { "load", "none.json" }, 3,
			"cannot open 'none.json': No such file or directory: "
			"expected a file, `last`, or a number of `sessions`" },
		{ { "verify", "none.json" }, 3, "cannot open 'none.json'" },
		{ { "load", "." }, 3, "'.' is a folder, expected a file" },
		{ { "recover", "none.tape" }, 3, "none.tape" },
		{ { "recover", "whole.json" }, 3, "whole.json" },
		{ { "recover", "short.tape" }, 3, "is not a tape" },
		{ { "--script", "none.lab" }, 3, "cannot open 'none.lab'" },
		{ { "--script", "." }, 3, "'.' is a folder" },
		{ { "--script", "binary.lab" }, 3,
			"binary.lab:2:6: a byte 0xff that is not UTF-8" },
		{ { "--script", "/dev/zero" }, 3,
			"is larger than 1048576 bytes" },
	};

	write_file("binary.lab", "list\nnote \xff\n");
	write_file("short.tape", "abc");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *words[4] = { NULL };

		memcpy(words, rows[i].words, sizeof rows[i].words);
		struct ran ran = run_words(PROGRAM, words);
		assert_refused(&ran, words[1], rows[i].status, "",
			rows[i].says);
		ran_free(&ran);
	}
}

/* Saving to an impossible place, or over a file that is not a session. */
static void test_saving(void **state)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{ "save none/x.json", "cannot save 'none/x.json'" },
		{ "save .", "cannot save '.': not a regular file" },
		{ "save /dev/full", "not a regular file" },
		{ "save kept.json",
			"will not overwrite 'kept.json': not a" },
		{ "save newer.json", "a newer benchtop wrote it" },
		{ "record none/x.lab", "cannot record to 'none/x.lab'" },
		{ "record kept.json", "the file exists, name a new file" },
	};

	write_file("newer.json",
		"{\"format\":\"benchtop-session\",\"schema\":[1,9]}");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[128];

		/* An empty session is not saved at all. */
		snprintf(line, sizeof line, "note kept; %s", rows[i].line);
		struct ran ran = RUN(PROGRAM, "-c", line);
		assert_status(ran, 74);
		assert_contains(ran.err, rows[i].says);
		ran_free(&ran);
		char *kept = read_whole("kept.json");
		assert_string_equal(kept, REFUSED_KEPT);
		free(kept);
	}
}

/* Exports without data, to an impossible place, or over an existing file. */
static void test_exporting(void **state)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{ "export csv none/x.csv", "cannot save 'none/x.csv'" },
		{ "export csv .", "not a regular file" },
		{ "export csv mine.txt",
			"will not overwrite 'mine.txt': the file exists" },
	};

	struct ran ran = RUN(SELFTEST, "-c", "export csv nothing.csv");
	assert_refused(&ran, "no runs", 2, "", "the session has no runs");
	assert_int_equal(access("nothing.csv", F_OK), -1);
	ran_free(&ran);
	ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10 launches=6 trials=20 budget=2s; "
		"save measured.json");
	assert_status(ran, 0);
	ran_free(&ran);
	write_file("mine.txt", "precious");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[128];

		snprintf(line, sizeof line, "load measured.json; %s",
			rows[i].line);
		ran = RUN(SELFTEST, "-c", line);
		assert_status(ran, 74);
		assert_contains(ran.err, rows[i].says);
		ran_free(&ran);
	}
	char *mine = read_whole("mine.txt");
	assert_string_equal(mine, "precious");
	free(mine);
	ran = RUN(SELFTEST, "-c",
		"load measured.json; export --force csv mine.txt");
	assert_status(ran, 0);
	ran_free(&ran);
	mine = read_whole("mine.txt");
	assert_non_null(strstr(mine, "selftest.adds,"));
	free(mine);
}

static void test_too_large(void **state)
{
	write_file("bad.json", "");
	assert_int_equal(truncate("bad.json", (256 << 20) + 1), 0);
	struct ran ran = RUN(PROGRAM, "load", "bad.json");
	assert_refused(&ran, "large", 3, "bad.json",
		"'bad.json' is larger than 268435456 bytes, the limit");
	ran_free(&ran);
}

/* Valid JSON whose tree needs more memory than the kernel reports. */
static void test_little_memory(void **state)
{
	enum { VALUES = 400000 };
	static const char *const verbs[] = { "load", "verify" };
	struct text text = { 0 };

	write_file("meminfo", "MemAvailable: 32768 kB\n");
	if (own_namespaces(CLONE_NEWNS) ||
		mount("meminfo", "/proc/meminfo", NULL, MS_BIND, NULL))
		skip_because("not permitted here: mounting");
	text_add(&text, "{\"a\":[0");
	for (int i = 0; i < VALUES; i++)
		text_add_chars(&text, ",0", 2);
	text_add(&text, "]}");
	write_file("bad.json", text.chars);
	text_free(&text);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		struct ran ran = RUN(PROGRAM, verbs[i], "bad.json");

		assert_refused(&ran, verbs[i], 70, "bad.json",
			"'bad.json' needs 36.62 MiB of memory, 28.00 MiB are "
			"available: close other programs, or ");
		ran_free(&ran);
	}
	assert_int_equal(umount("/proc/meminfo"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_no_writer),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_little_memory),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_exporting),
		cmocka_unit_test(test_saving),
	};

	return cmocka_run_group_tests(tests, prepare, clear);
}
