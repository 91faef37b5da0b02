/* The manual page: generated from the tables during the build, complete, and
 * valid roff without warnings. */
#include "run.h"

#define BUILT BUILD_FOLDER "/benchtop.1"

/* Every verb and option of the help is in the manual. */
static void test_complete(void **state)
{
	struct ran help = RUN(PROGRAM, "help");
	struct ran man = RUN(PROGRAM, "help", "--man");
	struct ran verbs = RUN(PROGRAM, "complete", "");
	struct ran experiments = RUN(PROGRAM, "complete", "show ");

	assert_status(verbs, 0);
	for (char *verb = strtok(verbs.out.chars, "\n"); verb;
		verb = strtok(NULL, "\n")) {
		struct text piece = { 0 };

		bool program = !strcmp(verb, "quick") || !strcmp(verb, "tour");

		text_add(&piece, "\n  %s%s", program ? "benchtop " : "", verb);
		assert_contains(help.out, piece.chars);
		text_clear(&piece);
		text_add(&piece, ".TP\n\\fB%s\\fR", verb);
		assert_contains(man.out, piece.chars);
		text_free(&piece);
	}
	int count = 0;
	assert_status(experiments, 0);
	for (char *name = strtok(experiments.out.chars, "\n"); name;
		name = strtok(NULL, "\n")) {
		struct text piece = { 0 };

		text_add(&piece, ".SS %s\n", name);
		assert_contains(man.out, piece.chars);
		text_free(&piece);
		count++;
	}
	assert_true(count > 30);
	assert_contains(man.out, "\\fB\\-\\-script FILE\\fR");
	assert_contains(man.out, "\\fBlaunches=auto\\fR");
	assert_contains(man.out, "sd_between");
	/* Arguments after -- belong to another command. */
	assert_contains(man.out,
		"[\\-\\-counters] [\\-\\-json] \\-\\- COMMAND\n");
	/* What a token does not protect, and two tunnels that do. */
	assert_contains(man.out, "neither encrypted nor authenticated");
	assert_contains(man.out, "ssh \\-w 7:7");
	assert_contains(man.out, "wg set wg0");
	ran_free(&help);
	ran_free(&man);
	ran_free(&verbs);
	ran_free(&experiments);
}

static size_t longest_line(const struct text *text, size_t *rows)
{
	size_t longest = 0;

	*rows = 0;
	for (const char *at = text_chars(text); *at; ++*rows) {
		size_t length = strcspn(at, "\n");

		longest = length > longest ? length : longest;
		at += length + (at[length] == '\n');
	}
	return longest;
}

/* The help of every verb, by `VERB --help` and by `help`, fits 24 rows
 * including the prompt. */
static void test_fits(void **state)
{
	struct ran man = RUN(PROGRAM, "help", "--man");
	char *at = strstr(man.out.chars, ".SH VERBS\n");
	char *end = strstr(man.out.chars, ".SH RUN OPTIONS\n");
	static const char head[] = ".TP\n\\fB";
	size_t verbs = 0;

	assert_non_null(at);
	assert_non_null(end);
	*end = '\0';
	for (; (at = strstr(at, head)); verbs++) {
		char verb[32];
		size_t rows;

		at += sizeof head - 1;
		snprintf(verb, sizeof verb, "%.*s", (int)strcspn(at, "\\"), at);
		struct ran help = RUN(PROGRAM, verb, "--help");
		struct ran same = RUN(PROGRAM, "help", verb);
		assert_status(help, 0);
		assert_int_equal(help.err.length, 0);
		assert_string_equal(help.out.chars, same.out.chars);
		size_t longest = longest_line(&help.out, &rows);
		if (longest > 80 || rows > 23 || rows < 3)
			fail_msg("%zu rows of %zu columns:\n%s", rows, longest,
				help.out.chars);
		ran_free(&help);
		ran_free(&same);
	}
	assert_true(verbs > 30);
	ran_free(&man);
}

/* --help is recognised among other words, and nothing is run. */
static void test_asked(void **state)
{
	static const char *const lines[][6] = {
		{ "run", "cpu.syscall", "--help" },
		{ "run", "-h", "nothing", "call=x", "--json" },
		{ "run", "--help", "--json" },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct ran ran = run_words(PROGRAM, lines[i]);

		assert_status(ran, 0);
		assert_contains(ran.out, "  run EXPERIMENT|GROUP ");
		assert_contains(ran.out, "example: run cpu.syscall");
		ran_free(&ran);
	}
	struct ran note = RUN(PROGRAM, "-c", "note -- --help; quit");
	assert_status(note, 0);
	ran_free(&note);
}

static void test_roff(void **state)
{
	if (system("command -v groff >/dev/null"))
		skip_because("no groff here");
	struct ran ran = RUN("/usr/bin/env", "groff", "-ww", "-man", "-Tutf8",
		"-P-cbuo", BUILT);
	assert_status(ran, 0);
	assert_int_equal(ran.err.length, 0);
	/* Characters with a meaning in roff appear in the output. */
	assert_contains(ran.out, "RUN OPTIONS");
	assert_contains(ran.out, "'LINE; LINE'");
	assert_contains(ran.out, "\\\"");
	assert_contains(ran.out, "\\\\.");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_roff),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
