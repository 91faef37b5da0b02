/* Consecutive commands in a shell: each has a session of its own, and verbs
 * that read sessions find those autosaved by earlier commands. */
#include <fcntl.h>
#include <sys/file.h>

#include "run.h"
#include "watch.h"

/* The part of a session file that a list of sessions reads. */
static const char small_session[] =
	"{\n \"format\":\"benchtop-session\",\n \"schema\":[1,5],\n"
	" \"notes\":[\n  {\n   \"at\":\"2025-03-01T12:00:00+0100\",\n"
	"   \"text\":\"a \\\"quote\\\"\\nand a very long note that no list "
	"of eighty columns has room for\"\n  }\n ],\n \"runs\":[\n  {\n"
	"   \"experiment\":\"cpu.call\",\n"
	"   \"started\":\"2025-03-02T12:00:00+0100\",\n   \"points\":[\n"
	"    {\n     \"state\":\"ok\",\n"
	"     \"metrics\":{\"pass\":{\"unit\":\"ns\",\"median\":1.59}}\n"
	"    }\n   ]\n  },\n  {\n   \"experiment\":\"cpu.syscall\",\n"
	"   \"points\":[]\n  },\n  {\n   \"experiment\":\"cpu.call\",\n"
	"   \"points\":[]\n  }\n ]\n}\n";

static const char *kept(const char *name)
{
	static char path[160];

	snprintf(path, sizeof path, "state/benchtop/sessions/%s", name);
	return path;
}

static void make_kept_folder(void)
{
	mkdir("state", 0700);
	mkdir("state/benchtop", 0700);
	mkdir("state/benchtop/sessions", 0700);
}

static void empty_kept_folder(void **state)
{
	assert_int_equal(system("rm -f state/benchtop/sessions/*"), 0);
}

static void test_none(void **state)
{
	struct ran ran = RUN(PROGRAM, "sessions");

	assert_status(ran, 0);
	assert_string_equal(ran.out.chars, "no session is kept yet\n");
	ran_free(&ran);
	ran = RUN(PROGRAM, "sessions", "--json");
	assert_status(ran, 0);
	assert_string_equal(ran.out.chars, "[]\n");
	ran_free(&ran);
}

/* Oldest first: by the time in the name, then by the number, compared as a
 * number. Reserved names and files without JSON are left out. */
static void test_order(void **state)
{
	static const char *const names[] = { "20250302-120000-99.json",
		"20250302-120000-100.json", "20250302-120000-100-1.json",
		"20250303-000000-1.json" };
	struct text wanted = { 0 };

	make_kept_folder();
	for (size_t i = sizeof names / sizeof *names; i-- > 0;)
		write_file(kept(names[i]), small_session);
	write_file(kept("20250304-000000-1.json"), "");
	write_file(kept("notes.txt"), "text");
	struct ran ran = RUN(PROGRAM, "sessions", "--json");
	assert_status(ran, 0);
	const char *at = ran.out.chars;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		text_clear(&wanted);
		text_add(&wanted, "\"number\":%zu,\n  \"name\":\"%.*s\"", i + 1,
			(int)(strlen(names[i]) - 5), names[i]);
		at = strstr(at, wanted.chars);
		assert_non_null(at);
	}
	assert_null(strstr(ran.out.chars, "20250304"));
	assert_contains(ran.out,
		"\"experiments\":[\"cpu.call\",\"cpu.syscall\"]");
	assert_contains(ran.out, "\"median\":1.59");
	assert_contains(ran.out, "\"note\":\"a \\\"quote\\\"\\nand");
	ran_free(&ran);
	text_free(&wanted);
	empty_kept_folder(state);
}

static const char titles[] = "   #  started           experiments        "
			     "               median  note\n";

static void assert_listed(const struct ran *ran, const char *rows)
{
	assert_int_equal(ran->status, 0);
	assert_memory_equal(ran->out.chars, titles, strlen(titles));
	assert_string_equal(ran->out.chars + strlen(titles), rows);
}

static void test_row(void **state)
{
	make_kept_folder();
	write_file(kept("20250302-120000-99.json"), small_session);
	struct ran ran = RUN(PROGRAM, "sessions");
	assert_listed(&ran,
		"   1  2025-03-01 12:00  cpu.call, cpu.syscall"
		"           1.590 ns  a \"quote\" an..\n");
	ran_free(&ran);
	empty_kept_folder(state);
}

/* Other files, or of another layout, are listed without an error. */
static void test_strange(void **state)
{
	make_kept_folder();
	write_file(kept("1.json"), "\"");
	write_file(kept("2.json"),
		"   \"text\":\"open\n   \"experiment\":1\n"
		"     \"metrics\":{\"unit\":\"ns\",\"median\":");
	write_file(kept("3.json"), "{\"format\":\"benchtop-session\"}");
	struct ran ran = RUN(PROGRAM, "sessions");
	assert_listed(&ran, "   1\n   2\n   3\n");
	ran_free(&ran);
	empty_kept_folder(state);
}

/* A sparse file of a terabyte would fill the memory. */
static void test_huge(void **state)
{
	make_kept_folder();
	write_file(kept("1.json"), "");
	assert_int_equal(truncate(kept("1.json"), 1LL << 40), 0);
	struct ran ran = RUN(PROGRAM, "sessions");
	assert_listed(&ran, "   1\n");
	ran_free(&ran);
	ran = RUN(PROGRAM, "fleet", kept("1.json"));
	assert_status(ran, 3);
	assert_contains(ran.err, "is larger than 268435456 bytes, the limit");
	ran_free(&ran);
	empty_kept_folder(state);
}

static void run_one(const char *links)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.adds", links,
		"launches=6", "trials=20", "budget=2s");

	assert_status(ran, 0);
	ran_free(&ran);
}

/* Numbers of five digits are whole and aligned. */
static void test_ten_thousand(void **state)
{
	char name[40];

	make_kept_folder();
	for (int i = 1; i < 9999; i++) {
		snprintf(name, sizeof name, "20200101-000000-%d.json", i);
		write_file(kept(name), "{\"format\":\"benchtop-session\"}");
	}
	run_one("links=10");
	run_one("links=10");
	struct ran ran = RUN(SELFTEST, "sessions");
	assert_status(ran, 0);
	assert_contains(ran.out, "\n 9999  20");
	assert_contains(ran.out, "\n10000  20");
	ran_free(&ran);
	ran = RUN(SELFTEST, "compare", "9999", "10000");
	assert_status(ran, 0);
	assert_contains(ran.out, "  session 9999 ");
	assert_contains(ran.out, "  #10000 ");
	ran_free(&ran);
	empty_kept_folder(state);
}

static void assert_said(const char *const *words, const char *out,
	const char *err)
{
	struct ran ran = run_words(SELFTEST, words);

	assert_status(ran, 0);
	assert_contains(ran.out, out);
	if (*err)
		assert_contains(ran.err, err);
	else
		assert_int_equal(ran.err.length, 0);
	ran_free(&ran);
}

#define SAID(out, err, ...) \
	assert_said((const char *const[]){ __VA_ARGS__, NULL }, (out), (err))

/* The heading names the setting. Whether the regime follows depends on the
 * other users of the machine. */
static void assert_history(const char *setting, const char *experiment,
	const char *word)
{
	struct ran ran = RUN(SELFTEST, "history", experiment, word);
	char heading[80];

	snprintf(heading, sizeof heading, "  selftest.adds %s", setting);
	assert_status(ran, 0);
	assert_memory_equal(ran.out.chars, heading, strlen(heading));
	assert_non_null(strchr("\n,", ran.out.chars[strlen(heading)]));
	ran_free(&ran);
}

/* Each verb that reads a session reads the last one, and prints its number and
 * date. */
static void test_last(void **state)
{
	static const char which[] = "session 2, 20", what[] = ": selftest.adds";

	run_one("links=10");
	run_one("links=100");
	SAID("report of 1 run", which, "report", "-o", "x.html");
	SAID("report of 1 run", what, "report", "-o", "x.html");
	SAID("saved 1 run in x.json", which, "save", "x.json");
	SAID("selftest.adds", which, "score");
	SAID("links=100", which, "export", "csv");
	SAID("", which, "export", "openmetrics", "x.txt");
	SAID("every figure follows", which, "verify");
	SAID("session", which, "compare", "1");
	SAID("ok", which, "expect", "selftest.adds", "excluded", "<=", "100%");
	assert_int_equal(access("x.txt", F_OK), 0);
	assert_history("links=100", "selftest.adds", NULL);
	assert_history("links=10", "selftest.adds", "links=10");
	assert_history("links=10", "selftest.adds{links=10}", NULL);
	SAID("\"setting\":\"links=10\"", "", "history", "selftest.adds",
		"links=10", "--json");
	/* `save` without a name asks for a file. */
	struct ran ran = RUN(SELFTEST, "save");
	assert_status(ran, 2);
	assert_contains(ran.err, "expected `save FILE`");
	ran_free(&ran);
	/* A session that was only read is not autosaved again. */
	SAID("\n   2  ", "", "sessions");
	ran = RUN(SELFTEST, "sessions");
	assert_null(strstr(ran.out.chars, "\n   3  "));
	ran_free(&ran);
}

static size_t times(const struct text *text, const char *piece)
{
	size_t count = 0;

	for (const char *at = text_chars(text); (at = strstr(at, piece)); at++)
		count++;
	return count;
}

/* A command that measured ends with the number that `sessions` lists: once,
 * even after several runs. JSON output has no such line. */
static void test_where_it_is_kept(void **state)
{
	static const char two[] = "run selftest.adds links=10 launches=6 "
		"trials=20; run selftest.adds links=10 launches=6 trials=20 -v";

	empty_kept_folder(state);
	struct ran ran = RUN(SELFTEST, "-c", two);
	assert_status(ran, 0);
	assert_int_equal(times(&ran.out, "\nkept as session 1 "), 1);
	assert_contains(ran.out, "next: benchtop report -o x.html | -v for");
	/* The first result is printed in short form, the second in full. */
	assert_int_equal(times(&ran.out, "\n  measured   6 launches"), 1);
	assert_int_equal(times(&ran.out, "sd within"), 1);
	ran_free(&ran);
	ran = RUN(SELFTEST, "-c", strchr(two, ';') + 1);
	assert_status(ran, 0);
	assert_contains(ran.out, "\nkept as session 2 ");
	assert_int_equal(times(&ran.out, "-v for"), 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "run", "selftest.adds", "launches=6", "trials=20",
		"--json");
	assert_status(ran, 0);
	assert_int_equal(times(&ran.out, "kept as"), 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "sessions");
	assert_contains(ran.out, "\n   3  ");
	ran_free(&ran);
	empty_kept_folder(state);
}

/* Sessions are found by number, name, file or `last`; then the reply does not
 * name the session. */
static void test_named(void **state)
{
	struct ran ran = RUN(SELFTEST, "sessions", "--json");
	const char *at = strstr(ran.out.chars, "\"name\":\"");
	char *name, file[96];

	assert_non_null(at);
	at += strlen("\"name\":\"");
	name = strndup(at, strcspn(at, "\""));
	ran_free(&ran);
	SAID("links=10,", "", "export", "csv", "--session=1");
	SAID("links=10,", "", "export", "csv", "--session", name);
	snprintf(file, sizeof file, "%s.json", name);
	SAID("links=10,", "", "export", "csv", "--session", file);
	SAID("links=10,", "", "export", "csv", "--session", kept(file));
	SAID("links=100,", "", "export", "csv", "--session=last");
	SAID("saved 1 run in y.json", "", "save", "y.json", "--session=1");
	SAID("every figure follows", "", "verify", "1");
	SAID("report of 1 run", "", "report", "1", "-o", "x.html");
	SAID("", "", "compare", "1", "last");
	ran = RUN(SELFTEST, "compare", "2");
	assert_status(ran, 2);
	assert_contains(ran.err, "'2' is the last session, with which it wo");
	ran_free(&ran);
	SAID("loaded session 1: 1 run of selftest.adds, 20", "", "-c", "load 1");
	SAID("loaded session 2: 1 run of", "", "load", "last");
	SAID("\n  links=100\n", "", "load", "last", "-v");
	/* --session applies only to its own statement; afterwards the present
	 * session is used again. */
	ran = RUN(SELFTEST, "-c",
		"note mine; export csv --session=1; save z.json");
	assert_status(ran, 0);
	assert_contains(ran.out, "saved 0 runs in z.json");
	ran_free(&ran);
	ran = RUN(SELFTEST, "verify", "77");
	assert_status(ran, 3);
	assert_contains(ran.err, "no session '77': expected 1 to ");
	ran_free(&ran);
	free(name);
	/* With -c, `report` reads the present session, even if it is empty. */
	ran = RUN(SELFTEST, "-c", "report -o z.html");
	assert_status(ran, 2);
	ran_free(&ran);
	empty_kept_folder(state);
	ran = RUN(SELFTEST, "report", "-o", "z.html");
	assert_status(ran, 2);
	assert_contains(ran.err, "nothing to report");
	ran_free(&ran);
	ran = RUN(SELFTEST, "verify", "last");
	assert_status(ran, 3);
	assert_contains(ran.err, "none is kept yet");
	ran_free(&ran);
}

/* A run that failed before its first trial leaves no session, and `last` stays
 * the session before it. */
static void test_failed(void **state)
{
	struct ran ran = RUN(SELFTEST, "run", "selftest.fault", "how=abort",
		"phase=setup", "launch=1", "launches=6", "budget=2s");

	assert_status(ran, 5);
	assert_int_equal(times(&ran.out, "kept as"), 0);
	assert_int_equal(times(&ran.err, "kept in"), 0);
	ran_free(&ran);
	ran = RUN(SELFTEST, "sessions");
	assert_string_equal(ran.out.chars, "no session is kept yet\n");
	ran_free(&ran);
	ran = RUN(SELFTEST, "load", "lasst");
	assert_status(ran, 3);
	assert_contains(ran.err, "no session 'lasst': did you mean 'last'?");
	ran_free(&ran);
}

/* Prometheus parses every metric, and its linter accepts every name. */
static void test_promtool(void **state)
{
	static const char *const sessions[] = { "last", "published:a",
		"published:b", "published:c", "published:d", "published:e" };

	if (system("command -v promtool >promtool"))
		skip_because("no promtool here");
	run_one("links=10,100");
	for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
		SAID("", "", "export", "openmetrics", "metrics", "--force",
			"--session", sessions[i]);
		assert_int_equal(system("promtool check metrics <metrics"), 0);
	}
}

/* The names of the kept sessions, in the order of their numbers. */
static void read_names(char names[][80], size_t count)
{
	struct ran ran = RUN(SELFTEST, "sessions", "--json");
	const char *at = ran.out.chars;

	assert_status(ran, 0);
	for (size_t i = 0; i < count; i++) {
		at = strstr(at, "\"name\":\"");
		assert_non_null(at);
		at += strlen("\"name\":\"");
		snprintf(names[i], 80, "%.*s", (int)strcspn(at, "\""), at);
	}
	assert_null(strstr(at, "\"name\":"));
	ran_free(&ran);
}

/* A lab that was opened first and measures last has the last number, and the
 * numbers of the others stay. */
static void test_numbers_stay(void **state)
{
	char before[2][80], after[3][80];
	FILE *lab = popen(SELFTEST " --plain >/dev/null 2>&1", "w");

	assert_non_null(lab);
	empty_kept_folder(state);
	pause_ms(1500); /* it is open; names have seconds */
	run_one("links=10");
	run_one("links=100");
	read_names(before, 2);
	pause_ms(1100);
	fputs("run selftest.adds links=1000 launches=6 trials=20 budget=2s\n"
	      "quit\n", lab);
	assert_int_equal(pclose(lab), 0);
	read_names(after, 3);
	assert_string_equal(after[0], before[0]);
	assert_string_equal(after[1], before[1]);
	SAID("links=1000", "", "export", "csv", "--session", "3");
	empty_kept_folder(state);
}

/* The clock has gone back: a new session is still the last. */
static void test_clock_goes_back(void **state)
{
	char names[3][80];

	make_kept_folder();
	empty_kept_folder(state);
	write_file(kept("20991231-235959-99999999.json"), small_session);
	run_one("links=10");
	run_one("links=100");
	read_names(names, 3);
	assert_string_equal(names[0], "20991231-235959-99999999");
	assert_memory_equal(names[1], "2100010", 7);
	assert_memory_equal(names[2], "2100010", 7);
	SAID("links=100", "", "export", "csv", "--session", "last");
	empty_kept_folder(state);
}

/* Labs that save within a second are in the order in which they saved, although
 * the process decides in their names. */
static void test_same_second(void **state)
{
	static const char *const links[] = { "links=0", "links=10",
		"links=100", "links=1000" };
	char before[4][80], after[4][80];

	empty_kept_folder(state);
	for (size_t i = 0; i < 4; i++) {
		run_one(links[i]);
		read_names(after, i + 1);
		for (size_t k = 0; k < i; k++)
			assert_string_equal(after[k], before[k]);
		memcpy(before, after, sizeof before);
	}
	empty_kept_folder(state);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

/* A lab that was stopped while it gave a name does not stop the others. */
static void test_lock_is_held(void **state)
{
	char names[1][80];

	empty_kept_folder(state);
	int sessions = open("state/benchtop/sessions",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(sessions >= 0);
	assert_int_equal(flock(sessions, LOCK_EX), 0);
	run_one("links=10");
	read_names(names, 1);
	close(sessions);
	empty_kept_folder(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_ten_thousand),
		cmocka_unit_test(test_strange),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_where_it_is_kept),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_promtool),
		cmocka_unit_test(test_numbers_stay),
		cmocka_unit_test(test_clock_goes_back),
		cmocka_unit_test(test_same_second),
		cmocka_unit_test(test_lock_is_held),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
