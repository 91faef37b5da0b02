/* The manual page: made from the tables, stored in assets/man, and roff
 * without a warning. UPDATE_GOLDEN=1 stores it anew. */
#include "run.h"

#define STORED SOURCE_FOLDER "/assets/man/benchtop.1"

static void test_stored(void **state)
{
	struct ran ran = RUN(PROGRAM, "help", "--man");

	(void)state;
	assert_status(ran, 0);
	assert_int_equal(ran.err.length, 0);
	if (getenv("UPDATE_GOLDEN"))
		write_file(STORED, text_chars(&ran.out));
	char *stored = read_whole(STORED);
	if (strcmp(stored, text_chars(&ran.out)))
		fail_msg("%s is not what `benchtop help --man` prints: "
			 "UPDATE_GOLDEN=1 %s stores it",
			STORED, "test_manual");
	free(stored);
	ran_free(&ran);
}

/* Every verb and option that help names has its place in the manual. */
static void test_complete(void **state)
{
	struct ran help = RUN(PROGRAM, "help");
	struct ran man = RUN(PROGRAM, "help", "--man");
	struct ran verbs = RUN(PROGRAM, "complete", "");
	struct ran experiments = RUN(PROGRAM, "complete", "show ");

	(void)state;
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
	ran_free(&help);
	ran_free(&man);
	ran_free(&verbs);
	ran_free(&experiments);
}

static void test_roff(void **state)
{
	(void)state;
	if (system("command -v groff >/dev/null")) {
		print_message("SKIP: no groff here\n");
		skip();
	}
	struct ran ran = RUN("/usr/bin/env", "groff", "-ww", "-man", "-Tutf8",
		"-P-cbuo", STORED);
	assert_status(ran, 0);
	assert_int_equal(ran.err.length, 0);
	/* What roff would have eaten is there. */
	assert_contains(ran.out, "PARAMETERS OF EVERY RUN");
	assert_contains(ran.out, "'LINE; LINE'");
	assert_contains(ran.out, "\\\"");
	assert_contains(ran.out, "\\\\.");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stored),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_roff),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
