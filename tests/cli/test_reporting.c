/* The report of a real session: every number is recomputed by a program that
 * shares no code with benchtop; and files that must not be overwritten. */
#include "schema.h"

#define QUICK " budget=1s launches=7 trials="

static struct ran checked(const char *page, const char *markdown)
{
	return RUN("/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", "python3",
		SOURCE_FOLDER "/tests/cli/report_numbers.py",
		in_folder("s.json"), page, markdown, SOURCE_FOLDER "/sessions");
}

/* Timed, derived, rates, values, traces, and the user's own prediction. */
static void measure(void)
{
	struct ran ran = RUN(PROGRAM, "-c",
		"predict cpu.syscall hw=10..60ns sw=10..50ns;"
		"run cpu.syscall call=getppid,read" QUICK "60;"
		"run cpu.call args=0,7" QUICK "20;"
		"run cpu.syscall" QUICK "200;"
		"run mem.latency size=4K,64K,1M order=local" QUICK "20;"
		"run mem.bandwidth op=read,copy size=1M" QUICK "12;"
		"run mem.fault size=1M" QUICK "12;"
		"note '<b>a note</b>'; save s.json");

	assert_status(ran, 0);
	ran_free(&ran);
}

static void write_both(const char *beside)
{
	struct ran ran = RUN(PROGRAM, "report", "s.json", "-o", "s.html",
		"--beside", beside);

	assert_status(ran, 0);
	assert_contains(ran.out, "report of 6 runs in s.html");
	ran_free(&ran);
	ran = RUN(PROGRAM, "report", "s.json", "-o", "s.md", "--beside",
		beside);
	assert_status(ran, 0);
	ran_free(&ran);
}

static void every_number_is_recomputed(void **state)
{
	unsigned page = 0, markdown = 0, wrong = 1, words = 0;

	measure();
	write_both("all");
	if (!has_python())
		skip();
	struct ran ran = checked("s.html", "s.md");
	if (ran.status)
		fail_msg("%s%s", text_chars(&ran.out), text_chars(&ran.err));
	assert_int_equal(sscanf(text_chars(&ran.out),
				 "%u numbers of the page, %u in Markdown, %u "
				 "differ; %u words",
				 &page, &markdown, &wrong, &words),
		4);
	assert_int_equal(wrong, 0);
	/* 12 points, of 1 to 4 metrics, some 8 numbers each. */
	assert_true(page > 12 * 8);
	assert_true(markdown > 12 * 8);
	assert_true(words >= 12);
	ran_free(&ran);
}

/* The first digit after `after` that can be changed. NULL if there is none, as
 * in "0 %" for a core that was never shared. */
static char *digit_behind(char *content, const char *after)
{
	for (char *at = content; (at = strstr(at, after));) {
		at += strlen(after);
		char *digit = strpbrk(at, "123456789<");

		if (digit && *digit != '<')
			return digit;
	}
	return NULL;
}

static void alter(const char *path, const char *altered, const char *after)
{
	char *content = read_whole(path);
	char *digit = digit_behind(content, after);

	assert_non_null(digit);
	*digit = *digit == '9' ? '1' : (char)(*digit + 1);
	write_file(altered, content);
	free(content);
}

/* All are altered in one page. */
static void an_altered_number_is_found(void **state)
{
	static const char *const figures[] = { "median", "low", "sd_between",
		"max_deviation", "cycles", "shared", "excluded", "total",
		"hardware" };
	enum { FIGURES = sizeof figures / sizeof *figures };
	bool there[FIGURES];

	if (!has_python())
		skip();
	const char *from = "s.html";
	for (size_t i = 0; i < FIGURES; i++) {
		struct text piece = { 0 };

		text_add(&piece, "/%s\">", figures[i]);
		char *content = read_whole(from);
		/* If all trials were excluded, there is no figure. */
		there[i] = digit_behind(content, piece.chars);
		free(content);
		if (there[i]) {
			alter(from, "altered.html", piece.chars);
			from = "altered.html";
		}
		text_free(&piece);
	}
	struct ran ran = checked(from, "s.md");
	assert_int_equal(ran.status, 1);
	for (size_t i = 0; i < FIGURES; i++) {
		struct text says = { 0 };

		text_add(&says, "/%s, which is ", figures[i]);
		if (there[i])
			assert_contains(ran.out, says.chars);
		text_free(&says);
	}
	ran_free(&ran);
	alter("s.md", "altered.md", "|--:|\n| ");
	ran = checked("s.html", "altered.md");
	assert_int_equal(ran.status, 1);
	assert_contains(ran.out, "Markdown: table ");
	ran_free(&ran);
}

static void published_sessions_are_reported(void **state)
{
	static const char *const names[] = { "published:a", "published:b",
		"published:c", "published:d", "published:e" };

	for (size_t i = 0; i < 5; i++) {
		struct ran ran = RUN(PROGRAM, "report", names[i], "-o",
			"published.html", "--beside", "all");

		assert_status(ran, 0);
		ran_free(&ran);
		ran = RUN(PROGRAM, "report", names[i], "-o", "published.md",
			"--beside", "all");
		assert_status(ran, 0);
		ran_free(&ran);
		struct text source = { 0 };
		text_add(&source, "%s/sessions/%s.json", SOURCE_FOLDER,
			strchr(names[i], ':') + 1);
		if (has_python()) {
			ran = RUN("/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1",
				"python3",
				SOURCE_FOLDER "/tests/cli/report_numbers.py",
				source.chars, "published.html", "published.md",
				SOURCE_FOLDER "/sessions");
			if (ran.status)
				fail_msg("%s%s", text_chars(&ran.out),
					text_chars(&ran.err));
			ran_free(&ran);
		}
		text_free(&source);
	}
}

static void words_are_checked_before_anything_runs(void **state)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{ "note a; report", "expected -o NAME.html" },
		{ "note a; report -o x.pdf", "ends in .html or .md" },
		{ "note a; report -o x.html --beside published:z",
			"published" },
		{ "note a; report a b -o x.html", "too many words" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ran ran = RUN(PROGRAM, "-c", cases[i].line);

		assert_true(ran.status == 2 || ran.status == 3);
		assert_contains(ran.err, cases[i].says);
		assert_int_equal(access("x.html", F_OK), -1);
		ran_free(&ran);
	}
	struct ran ran = RUN(PROGRAM, "-c", "report -o x.html");
	assert_status(ran, 2);
	assert_contains(ran.err, "nothing to report");
	ran_free(&ran);
}

/* A report replaces an existing report. It replaces other files only with an
 * option. */
static void nothing_else_is_written_over(void **state)
{
	write_file("thesis.html", "<h1>years of work</h1>\n");
	struct ran ran =
		RUN(PROGRAM, "report", "published:b", "-o", "thesis.html");
	assert_int_equal(ran.status, 74);
	assert_contains(ran.err, "not a report");
	ran_free(&ran);
	char *content = read_whole("thesis.html");
	assert_string_equal(content, "<h1>years of work</h1>\n");
	free(content);
	ran = RUN(PROGRAM, "report", "published:b", "-o", "thesis.html",
		"--force");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(PROGRAM, "report", "published:b", "-o", "thesis.html");
	assert_status(ran, 0);
	ran_free(&ran);
	ran = RUN(PROGRAM, "report", "published:b", "-o", "-");
	assert_status(ran, 0);
	assert_contains(ran.out, "## Summary");
	ran_free(&ran);
}

static void the_front_names_its_author(void **state)
{
	struct ran ran = RUN(PROGRAM, "report", "published:b", "-o", "-",
		"--author=Ada <ada@b.c>", "--course", "Systems 2",
		"--title=Lab 1");

	assert_status(ran, 0);
	assert_contains(ran.out, "# Lab 1\n");
	assert_contains(ran.out, "- **Author:** Ada \\<ada@b.c\\>\n");
	assert_contains(ran.out, "- **Course:** Systems 2\n");
	ran_free(&ran);
}

static int prepare(void **state)
{
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_recomputed),
		cmocka_unit_test(an_altered_number_is_found),
		cmocka_unit_test(published_sessions_are_reported),
		cmocka_unit_test(words_are_checked_before_anything_runs),
		cmocka_unit_test(nothing_else_is_written_over),
		cmocka_unit_test(the_front_names_its_author),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
