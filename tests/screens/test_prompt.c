/* Lines that a key has begun: the text typed after them is one name or one
 * text. */
#include <stdlib.h>
#include <unistd.h>

#include "seated.h"

/* Changes to the home folder of these tests. */
static int open_at_home(void **state)
{
	return open_measured(state) || chdir(getenv("HOME"));
}

/* Checks the complete line after a key has opened it and `typed` was typed. */
static void expect_line(const char *opened, const char *typed, const char *line)
{
	struct text got = { 0 };

	screen_execute(&screen, opened);
	press("C-u");
	fixture_type(&screen, typed);
	prompt_line(&screen.prompt, &got);
	assert_string_equal(text_chars(&got), line);
	text_free(&got);
	prompt_close(&screen.prompt);
}

static void test_names_are_one_word(void **state)
{
	expect_line("prompt save", "my file.json", "save \"my file.json\"");
	expect_line("prompt save", "mine.json", "save mine.json");
	expect_line("prompt save", " my file.json ", "save  \"my file.json\"");
	expect_line("prompt save", "a; b", "save \"a; b\"");
	expect_line("prompt save", "'my file.json'", "save 'my file.json'");
	expect_line("prompt save", "it's.json", "save \"it's.json\"");
	expect_line("prompt save", "my file.json --force",
		"save \"my file.json\" --force");
	expect_line("prompt save", "--force my file.json",
		"save --force \"my file.json\"");
	expect_line("prompt save", "", "save ");
	expect_line("prompt load", "a \"b\" c", "load \"a \\\"b\\\" c\"");
	expect_line("prompt side a", "x y.json", "side a \"x y.json\"");
	/* If several words are expected, they remain separate. */
	expect_line("prompt run", "cpu.call args=2", "run cpu.call args=2");
	expect_line("prompt", "save my file", "save my file");
}

static void test_texts_are_one_word(void **state)
{
	expect_line("prompt note", "don't; touch", "note \"don't; touch\"");
	expect_line("prompt note", "# 5 --wide", "note \"# 5 --wide\"");
	screen_execute(&screen, "note \"it's warm\"; menu notes; menu take");
	assert_string_equal(screen.prompt.line, "note --instead=1 it's warm");
	fixture_type(&screen, ", still");
	press("Enter");
	assert_string_equal(lab.session->notes[0].text, "it's warm, still");
}

/* The keys w and o, with the whole dialog. */
static void test_saves_and_opens(void **state)
{
	press("w");
	press("C-u");
	fixture_type(&screen, "my file.json");
	press("Enter");
	if (access("my file.json", R_OK))
		fail_msg("not saved: %s", said());
	assert_false(lab.session->changed);
	press("o");
	fixture_type(&screen, "my file.json");
	press("Enter");
	assert_non_null(strstr(lab.session->path, "my file.json"));
	assert_int_equal(lab.session->run_count, 2);
	/* The history has the line in executable form. */
	press("w");
	press("Up");
	assert_string_equal(screen.prompt.line, "save \"my file.json\"");
	prompt_close(&screen.prompt);
}

/* Tab completes a name with blanks, and puts it in quotes. */
static void test_completes_blanks(void **state)
{
	assert_int_equal(system("touch 'two words.json' two.json; "
				"mkdir -p 'a room'; touch 'a room/in.json'"),
		0);
	press("o");
	fixture_type(&screen, "two w");
	press("Tab");
	assert_string_equal(screen.prompt.line, "load \"two words.json\" ");
	press("C-u");
	/* Both candidates are offered, with and without quotes; the typed text
	 * remains. */
	fixture_type(&screen, "two");
	press("Tab");
	assert_string_equal(screen.prompt.line, "load two");
	assert_int_equal(screen.prompt.offered.count, 2);
	press("C-u");
	fixture_type(&screen, "a r");
	press("Tab");
	assert_string_equal(screen.prompt.line, "load \"a room/");
	press("Tab");
	assert_string_equal(screen.prompt.line, "load \"a room/in.json\" ");
	prompt_close(&screen.prompt);
	screen_execute(&screen, "prompt");
	fixture_type(&screen, "load \"two w");
	press("Tab");
	assert_string_equal(screen.prompt.line, "load \"two words.json\" ");
	prompt_close(&screen.prompt);
}

/* In a line typed completely, the name is two words; the message suggests
 * quotes. */
static void test_says_quotes(void **state)
{
	screen_execute(&screen, "save my file.json");
	assert_non_null(strstr(said(), "quote a name"));
}

#define AT_HOME(test) \
	cmocka_unit_test_setup_teardown(test, open_at_home, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AT_HOME(test_names_are_one_word),
		AT_HOME(test_texts_are_one_word),
		AT_HOME(test_saves_and_opens),
		AT_HOME(test_completes_blanks),
		AT_HOME(test_says_quotes),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
