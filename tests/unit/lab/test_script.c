/* A whole script is checked before its first statement is executed. */
#include "script.h"

#include "say.h"

static int parse(struct lab *lab, const char *text, size_t length,
	struct script *script, struct error *error)
{
	return script_parse(lab, "a.lab", text, length, script, error);
}

static void test_whole(void **state)
{
	static const char text[] = "# a script\r\n"
				   "set budget=2s; note one\r\n"
				   "\n"
				   "note 'two\nlines'; run cpu.call\n"
				   "note end";
	static const char *const verbs[] = { "set", "note", "note", "run",
		"note" };
	static const int lines[] = { 2, 2, 4, 5, 6 };
	struct script script;
	struct error error;

	assert_int_equal(parse(*state, text, sizeof text - 1, &script, &error),
		0);
	assert_int_equal(script.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(script.list[i].word[0], verbs[i]);
		assert_int_equal(script.list[i].origin[0].line, lines[i]);
	}
	assert_string_equal(script.list[2].word[1], "two\nlines");
	script_free(&script);
}

/* An error on the last line: no earlier statement has been executed. */
static void test_nothing_done(void **state)
{
	struct lab *lab = *state;
	size_t notes = lab->session->note_count;
	char *sentence = checked(lab,
		"note one\nset budget=2s\nrun cpu.call\nnote two; rum x");

	assert_string_equal(sentence,
		"x.lab:4:11: unknown command 'rum': did you mean 'run'?");
	free(sentence);
	assert_int_equal(lab->session->note_count, notes);
	assert_int_equal(lab->queue_count, 0);
	assert_false(lab->budget_set);
}

static void test_bytes(void **state)
{
	static const struct {
		const char *text;
		size_t length;
		const char *says;
	} rows[] = {
		{ "list\nnote \0x", 12, "a.lab:2:6: a byte 0, expected text" },
		{ "list\nnote \xff\n", 12,
			"a.lab:2:6: a byte 0xff that is not UTF-8, expected "
			"text" },
		{ "note '\xc3\xa4\n\xc3\xa4' \xc3", 14,
			"a.lab:2:4: a byte 0xc3 that is not UTF-8, expected "
			"text" },
		{ "\xc0\xaf", 2,
			"a.lab:1:1: a byte 0xc0 that is not UTF-8, expected "
			"text" },
		{ "\xff\0", 2,
			"a.lab:1:1: a byte 0xff that is not UTF-8, expected "
			"text" },
		{ "\0\xff", 2, "a.lab:1:1: a byte 0, expected text" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct script script;
		struct error error;
		struct text says = { 0 };

		assert_int_equal(parse(*state, rows[i].text, rows[i].length,
					 &script, &error),
			-1);
		assert_int_equal(error.status, STATUS_INPUT);
		script_say(&script, &error, &says);
		assert_string_equal(says.chars, rows[i].says);
		text_free(&says);
		script_free(&script);
	}
}

static void test_byte_order_mark(void **state)
{
	struct script script;
	struct error error;
	const char *wrong = "\xef\xbb\xbfrum";

	assert_int_equal(parse(*state, "\xef\xbb\xbflist", 7, &script, &error),
		0);
	assert_int_equal(script.count, 1);
	script_free(&script);
	assert_int_equal(parse(*state, wrong, 6, &script, &error), -1);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 1);
	script_free(&script);
}

static void test_empty(void **state)
{
	static const char *const texts[] = { "", "\n\n", "# only words", ";;;",
		"   \t\r\n" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct script script;
		struct error error;

		assert_int_equal(parse(*state, texts[i], strlen(texts[i]),
					 &script, &error),
			0);
		assert_int_equal(script.count, 0);
		script_free(&script);
	}
}

/* The shell has removed its quotes; every word remains one word. */
static void test_of_words(void **state)
{
	char *const words[] = { (char *)"note", (char *)"two words; # not one",
		(char *)"", (char *)"a\nb", NULL };
	char *const wrong[] = { (char *)"run", (char *)"cpu.call",
		(char *)"size=", NULL };
	struct script script;
	struct error error;
	struct text says = { 0 };

	assert_int_equal(script_of_words(*state, words, &script, &error), 0);
	assert_int_equal(script.count, 1);
	assert_int_equal(script.list[0].count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(script.list[0].word[i], words[i]);
	script_free(&script);
	assert_int_equal(script_of_words(*state, wrong, &script, &error), -1);
	script_say(&script, &error, &says);
	assert_non_null(strstr(says.chars, "size: ''"));
	assert_int_equal(error.column, 19);
	script_free(&script);
	text_free(&says);
}

static void test_too_many(void **state)
{
	struct script script;
	struct error error;
	struct text text = { 0 };

	for (int i = 0; i < SCRIPT_STATEMENTS_MAX; i++)
		text_add(&text, "list\n");
	assert_int_equal(parse(*state, text.chars, text.length, &script,
				 &error),
		0);
	script_free(&script);
	text_add(&text, "list\n");
	assert_int_equal(parse(*state, text.chars, text.length, &script,
				 &error),
		-1);
	assert_int_equal(error.line, SCRIPT_STATEMENTS_MAX + 1);
	assert_int_equal(error.column, 1);
	script_free(&script);
	text_free(&text);
}

/* The place in an error sentence: with a file, or without any place. */
static void test_say(void **state)
{
	static const struct {
		const char *name;
		int line, column;
		const char *says;
	} rows[] = {
		{ "a.lab", 3, 17, "a.lab:3:17: no" },
		{ "a.lab", 0, 0, "a.lab: no" },
		{ "\x1b[2J", 1, 1, "\\x1b[2J:1:1: no" },
		{ "", 1, 1, "no" },
		{ "", 1, 9, "no" },
		{ "", 0, 0, "no" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[8];
		struct script script = { .name = name };
		struct error error = { STATUS_USAGE, rows[i].line,
			rows[i].column, "no" };
		struct text says = { 0 };

		snprintf(name, sizeof name, "%s", rows[i].name);
		script_say(&script, &error, &says);
		assert_string_equal(says.chars, rows[i].says);
		text_free(&says);
	}
}

/* The place is marked below the typed line if the sentence does not quote
 * it. */
static void test_point(void **state)
{
	static const struct {
		const char *typed, *message;
		int line, column;
		const char *shown;
	} rows[] = {
		{ "show a", "no", 1, 6, "\n  show a\n       ^" },
		{ "show \xc3\xa4 b", "no", 1, 8, "\n  show \xc3\xa4 b\n"
			"         ^" },
		{ "show a b c d e f g h i j k l m n o p q r s t u v w x y z",
			"no", 1, 6,
			"\n  show a b c d e f g h i j k l m n o p q r s t u v w "
			"x y z\n       ^" },
		{ "note 'x\ny'; rum", "no", 2, 5, "\n  y'; rum\n      ^" },
		{ "a\x1b b", "no", 1, 4, "\n  a\\x1b b\n        ^" },
		{ "a\nexpect x", "no", 2, 1, "\n  expect x\n  ^" },
		/* errors that need no mark */
		{ "show a", "'a' is not", 1, 6, "" },
		{ "show a=b", "no 'a': did you mean 'c'?", 1, 6, "" },
		{ "show", "too few", 1, 5, "" },
		{ "rum", "no", 1, 1, "" },
		{ "show a", "no", 0, 0, "" },
		{ "show a", "no", 7, 7, "" },
		{ "show a", "no", 1, 70, "" },
		{ NULL, "no", 1, 6, "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct script script = { .typed = (char *)rows[i].typed };
		struct error error = { STATUS_USAGE, rows[i].line,
			rows[i].column, "" };
		struct text shown = { 0 };

		snprintf(error.message, sizeof error.message, "%s",
			rows[i].message);
		script_point(&script, &error, &shown);
		assert_string_equal(text_chars(&shown), rows[i].shown);
		text_free(&shown);
	}
}

/* A long line is truncated on both sides, so that no terminal wraps it. */
static void test_point_far(void **state)
{
	char typed[4000];
	struct script script = { .typed = typed };
	struct error error = { STATUS_USAGE, 1, 2000, "no" };
	struct text shown = { 0 };

	memset(typed, 'x', sizeof typed);
	typed[sizeof typed - 1] = '\0';
	script_point(&script, &error, &shown);
	const char *below = strchr(shown.chars + 1, '\n');
	assert_non_null(below);
	assert_in_range(below - shown.chars, 60, 80);
	assert_int_equal(strspn(below + 1, " "), 2 + 2 + 48);
	assert_string_equal(below + 1 + 2 + 2 + 48, "^");
	text_free(&shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_LAB(test_whole),
		WITH_LAB(test_nothing_done),
		WITH_LAB(test_bytes),
		WITH_LAB(test_byte_order_mark),
		WITH_LAB(test_empty),
		WITH_LAB(test_of_words),
		WITH_LAB(test_too_many),
		cmocka_unit_test(test_say),
		cmocka_unit_test(test_point),
		cmocka_unit_test(test_point_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
