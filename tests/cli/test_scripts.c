/* Scripts from a file, from -c and from standard input: all statements or none
 * are executed. A recorded script repeats the same actions. */
#include <dirent.h>

#include "run.h"

/* Runs the program with a text as its standard input. */
static struct ran run_input(const char *input, const char *const *words)
{
	const char *shell[8] = { "-c", "exec \"$0\" \"$@\" <input", PROGRAM };

	write_file("input", input);
	for (size_t i = 0; words[i]; i++)
		shell[3 + i] = words[i];
	return run_words("/bin/sh", shell);
}

/* Every installed script is valid: with an error appended after its last line
 * nothing is executed, and that error is the only one. */
static void test_assets(void **state)
{
	const char *folder_of_scripts = SOURCE_FOLDER "/assets/scripts";
	DIR *dir = opendir(folder_of_scripts);
	int count = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct text path = { 0 }, script = { 0 };

		if (entry->d_name[0] == '.')
			continue;
		text_add(&path, "%s/%s", folder_of_scripts, entry->d_name);
		char *content = read_whole(path.chars);
		text_add(&script, "%s\nnot a verb\n", content);
		write_file("broken.lab", script.chars);
		struct ran ran = RUN(PROGRAM, "--script", "broken.lab");
		assert_status(ran, 2);
		assert_int_equal(ran.out.length, 0);
		assert_contains(ran.err, "unknown command 'not'");
		ran_free(&ran);
		free(content);
		text_free(&path);
		text_free(&script);
		count++;
	}
	closedir(dir);
	assert_true(count > 0);
	assert_int_equal(access("quick.json", F_OK), -1);
}

/* Sum of the budgets of a script's runs, in seconds. */
static double budgets(const char *script)
{
	static const char word[] = " budget=";
	double sum = 0;

	for (const char *at = strstr(script, word); at;
		at = strstr(at + 1, word))
		sum += strtod(at + sizeof word - 1, NULL);
	return sum;
}

static char *script_named(const char *name)
{
	struct text path = { 0 };

	text_add(&path, SOURCE_FOLDER "/assets/scripts/%s.lab", name);
	char *script = read_whole(path.chars);
	text_free(&path);
	return script;
}

/* Only the user knows the server that fs.remote needs. */
static bool is_left_out(const char *experiment)
{
	return !strcmp(experiment, "fs.remote");
}

/* Every experiment is in the scripts that promise to contain it: course.lab
 * promises only those of the published reports. The budgets leave time for
 * set-up within the promised duration. */
static void test_promises(void **state)
{
	static const struct {
		const char *name;
		double most_s;
		bool all;
	} scripts[] = { { "quick", 120, true }, { "course", 750, false },
		{ "nightly", 1e9, true } };
	struct ran list = RUN(PROGRAM, "list", "--json");

	assert_status(list, 0);
	for (size_t i = 0; i < 3; i++) {
		char *script = script_named(scripts[i].name);
		size_t count = 0;

		for (const char *at = strstr(list.out.chars, "\"name\""); at;
			at = strstr(at + 1, "\"name\"")) {
			struct text run = { 0 };
			char name[32];

			assert_int_equal(sscanf(at, "\"name\"%*[: ]\"%31[^\"]",
						 name),
				1);
			text_add(&run, "\nrun %s ", name);
			if (strstr(script, run.chars))
				count++;
			else if (scripts[i].all && !is_left_out(name))
				fail_msg("%s.lab lacks %s", scripts[i].name,
					name);
			text_free(&run);
		}
		assert_true(count >= 20);
		assert_true(budgets(script) > 0);
		assert_true(budgets(script) <= scripts[i].most_s);
		free(script);
	}
	ran_free(&list);
	char *course = script_named("course"),
	     *nightly = script_named("nightly");
	assert_null(strstr(course, "limit=none"));
	assert_non_null(strstr(nightly, "\nrun fs.cache limit=none"));
	assert_non_null(strstr(nightly, "\nexpect "));
	assert_non_null(strstr(course,
		"\nsave course.json\nreport -o course.html --beside all\n"));
	free(course);
	free(nightly);
}

/* The figures are shown also where the session cannot be saved. */
static void test_quick_shows_first(void **state)
{
	char *script = script_named("quick");
	const char *shows = strstr(script, "\nsummary\n");

	assert_non_null(shows);
	assert_non_null(strstr(shows, "\nsave quick.json\n"));
	free(script);
}

/* lmbench.lab has every column of lmbench's summary, or names it as not
 * measured. */
static void test_lmbench_rows(void **state)
{
	static const char *const columns[] = { "Mhz", "tlb pages",
		"cache line bytes", "mem par", "scal load", "null call",
		"null I/O, read", "stat", "open clos", "slct TCP", "sig inst",
		"sig hndl", "fork proc", "exec proc", "sh proc", "intgr bit",
		"intgr add", "intgr mul", "intgr div", "intgr mod", "int64 bit",
		"int64 add", "int64 mul", "int64 div", "int64 mod", "float add",
		"float mul", "float div", "float bogo", "double add",
		"double mul", "double div", "double bogo", "2p/0K ctxsw",
		"2p/16K ctxsw", "2p/64K ctxsw", "8p/16K ctxsw", "8p/64K ctxsw",
		"16p/16K ctxsw", "16p/64K ctxsw", "Pipe", "AF UNIX", "UDP",
		"RPC/UDP", "TCP", "RPC/TCP", "TCP conn", "0K File Create",
		"0K File Delete", "10K File Create", "10K File Delete",
		"Mmap Latency", "Prot Fault", "Page Fault", "100fd selct",
		"File reread", "Mmap reread", "Bcopy (libc)", "Bcopy (hand)",
		"Mem read", "Mem write", "L1 $", "L2 $", "Main mem",
		"Rand mem" };
	char *script = script_named("lmbench");
	const char *summary = strstr(script, "\nsummary ");
	struct ran ran;

	assert_non_null(summary);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (!strstr(summary, columns[i]))
			fail_msg("lmbench.lab lacks %s", columns[i]);
	/* Headings alone, which need no figures. */
	const char *missing = strstr(script, "summary \"Not measured\"");
	assert_non_null(missing);
	write_file("missing.lab", missing);
	ran = RUN(PROGRAM, "--script", "missing.lab");
	assert_status(ran, 0);
	assert_contains(ran.out, "\n  RPC/UDP, RPC/TCP: glibc no longer has ");
	assert_contains(ran.out, "\n  HTTP: ");
	ran_free(&ran);
	free(script);
}

/* The tour is short. */
static void test_tour(void **state)
{
	struct ran ran = RUN(PROGRAM, "--script",
		SOURCE_FOLDER "/assets/scripts/tour.lab");

	/* Its last line is an expectation, which a busy machine may break (1)
	 * or leave undecided (7). */
	if (ran.status != 7)
		assert_in_range(ran.status, 0, 1);
	assert_contains(ran.out, "report of 4 runs in tour.html");
	ran_free(&ran);
	char *page = read_whole("tour.html");
	assert_non_null(strstr(page, "my first session"));
	free(page);
}

static void test_ways(void **state)
{
	static const char script[] = "# two notes\nnote one; note two\n"
				     "save ways.json\n";
	static const char *const by_dash[] = { "--script", "-", NULL };
	static const char *const by_file[] = { "--script", "ways.lab", NULL };
	static const char *const by_line[] = { "-c", script, NULL };
	static const char *const *const ways[] = { by_dash, by_file, by_line };

	write_file("ways.lab", script);
	for (size_t i = 0; i < 3; i++) {
		unlink("ways.json");
		struct ran ran = run_input(script, ways[i]);
		assert_status(ran, 0);
		assert_string_equal(text_chars(&ran.out),
			"saved 0 runs in ways.json\n");
		assert_int_equal(ran.err.length, 0);
		ran_free(&ran);
		char *content = read_whole("ways.json");
		assert_non_null(strstr(content, "\"text\":\"one\""));
		assert_non_null(strstr(content, "\"text\":\"two\""));
		free(content);
	}
}

/* An error on the last line: no earlier statement has been executed. */
static void test_nothing_runs(void **state)
{
	static const char script[] =
		"save first.json\nrun cpu.syscall budget=1s launches=6\n"
		"export csv first.csv\nnote done\nsave 'never.json' too many";
	static const struct {
		const char *words[3];
		const char *place;
	} ways[] = {
		{ { "--script", "-" }, "benchtop: input:5:19: " },
		{ { "--script", "last.lab" }, "benchtop: last.lab:5:19: " },
		{ { "-c", script }, "\n  save 'never.json' too many\n" },
	};

	write_file("last.lab", script);
	for (size_t i = 0; i < 3; i++) {
		struct ran ran = run_input(script, ways[i].words);

		assert_status(ran, 2);
		assert_int_equal(ran.out.length, 0);
		assert_contains(ran.err, ways[i].place);
		assert_contains(ran.err, "`save` has too many words");
		ran_free(&ran);
		assert_int_equal(access("first.json", F_OK), -1);
		assert_int_equal(access("first.csv", F_OK), -1);
	}
}

/* A statement that fails during the script is reported with its place, and ends
 * the script. */
static void test_fails_later(void **state)
{
	write_file("later.lab",
		"note one\n  load none.json; note two\n"
		"save later.json\n");
	struct ran ran = RUN(PROGRAM, "--script", "later.lab");
	assert_status(ran, 3);
	assert_contains(ran.err, "benchtop: later.lab:2:3: cannot open 'none");
	ran_free(&ran);
	assert_int_equal(access("later.json", F_OK), -1);
}

static void test_empty(void **state)
{
	static const char *const texts[] = { "", "\n", "# nothing\n", ";;\n" };
	static const char *const words[] = { "--script", "-", NULL };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ran ran = run_input(texts[i], words);

		assert_status(ran, 0);
		assert_int_equal(ran.out.length + ran.err.length, 0);
		ran_free(&ran);
	}
}

/* Lines of a file, without those that begin a comment. */
static char *statements_of(const char *path)
{
	char *content = read_whole(path);
	struct text text = { 0 };

	for (char *line = strtok(content, "\n"); line;
		line = strtok(NULL, "\n"))
		if (*line != '#')
			text_add(&text, "%s\n", line);
	free(content);
	return text_take(&text);
}

/* A recorded lab is replayed and recorded again. The second script is the same,
 * and its session has the same runs and notes. */
static void test_record(void **state)
{
	static const char script[] =
		"record once.lab\n"
		"set budget=1s launches=6\n"
		"predict selftest.adds hw=10..60ns sw=0..10ns\n"
		"list\n"
		"run selftest.adds links=10,100 trials=20\n"
		"expect selftest.adds excluded <= 100%\n"
		"note 'two words' \"a \\\"quote\\\"\" '#' a\\b\n"
		"note 'two\nlines'\n"
		"record off\nsave once.json\n";

	write_file("record.lab", script);
	struct ran ran = RUN(SELFTEST, "--script", "record.lab");
	assert_status(ran, 0);
	ran_free(&ran);
	char *first = statements_of("once.lab");
	assert_non_null(strstr(first, "run selftest.adds links=10,100"));
	/* Statements that only show something are not recorded. */
	assert_null(strstr(first, "list"));
	struct text again = { 0 };
	text_add(&again, "record twice.lab\n%srecord off\nsave twice.json\n",
		first);
	write_file("again.lab", again.chars);
	ran = RUN(SELFTEST, "--script", "again.lab");
	assert_status(ran, 0);
	assert_contains(ran.out, "ok   selftest.adds");
	ran_free(&ran);
	char *second = statements_of("twice.lab");
	assert_string_equal(first, second);
	char *session = read_whole("twice.json");
	assert_non_null(strstr(session, "two words a \\\"quote\\\" # a\\\\b"));
	assert_non_null(strstr(session, "two\\nlines"));
	assert_non_null(strstr(session, "\"by\":\"user\""));
	free(session);
	free(first);
	free(second);
	text_free(&again);
}

/* A recording that lacks lines says so, at once and at its end. */
static void test_record_full(void **state)
{
	struct text line = { 0 };

	text_add(&line, "ulimit -f 1; exec " PROGRAM " -c \"record full.lab");
	for (int i = 0; i < 4; i++) {
		text_add(&line, "; predict cpu.call hw=1ns sw=");
		for (int k = 0; k < 600; k++)
			text_add_char(&line, '0');
		text_add(&line, "1ns");
	}
	text_add(&line, "; record off\"");
	struct ran ran = RUN("/bin/sh", "-c", line.chars);
	assert_status(ran, 74);
	assert_contains(ran.err,
		"cannot record this line and those after it: File too large");
	assert_contains(ran.err, "it lacks lines that could not be written");
	ran_free(&ran);
	text_free(&line);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_assets),
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_quick_shows_first),
		cmocka_unit_test(test_lmbench_rows),
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_nothing_runs),
		cmocka_unit_test(test_fails_later),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_record_full),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
