/* The manual page: made from the tables when the program is built, complete,
 * and roff without a warning. */
#include "run.h"

#define BUILT BUILD_FOLDER "/benchtop.1"

/* Every verb and option that help names has its place in the manual. */
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

		text_add(&piece, "\n  %s", verb);
		assert_contains(help.out, piece.chars);
		text_clear(&piece);
		text_add(&piece, ".TP\n\\fB%s\\fR", verb);
		assert_contains(man.out, piece.chars);
		text_free(&piece);
	}
	for (char *name = strtok(experiments.out.chars, "\n"); name;
		name = strtok(NULL, "\n")) {
		struct text piece = { 0 };

		text_add(&piece, ".SS %s\n", name);
		assert_contains(man.out, piece.chars);
		text_free(&piece);
	}
	assert_contains(man.out, "\\fB\\-\\-script FILE\\fR");
	assert_contains(man.out, "\\fBlaunches=auto\\fR");
	assert_contains(man.out, "sd_between");
	/* Behind -- stands what is not the verb's. */
	assert_contains(man.out,
		"[\\-\\-counters] [\\-\\-json] \\-\\- COMMAND\n");
	ran_free(&help);
	ran_free(&man);
	ran_free(&verbs);
	ran_free(&experiments);
}

static void test_roff(void **state)
{
	if (system("command -v groff >/dev/null")) {
		print_message("SKIP: no groff here\n");
		skip();
	}
	struct ran ran = RUN("/usr/bin/env", "groff", "-ww", "-man", "-Tutf8",
		"-P-cbuo", BUILT);
	assert_status(ran, 0);
	assert_int_equal(ran.err.length, 0);
	/* What roff would have eaten is there. */
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
		cmocka_unit_test(test_roff),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
