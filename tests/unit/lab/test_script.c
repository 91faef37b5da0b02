/* A script is checked whole before its first statement is executed. */
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

/* An error on the last line: nothing before it has had an effect. */
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

/* The shell has taken its quotes off; every word stays one. */
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
	assert_non_null(strstr(says.chars, "(at character 19)"));
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

/* How a place is said: with a file, on a single line, on one of several. */
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
		{ "", 1, 9, "no (at character 9)" },
		{ "", 2, 9, "no (at line 2, character 9)" },
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
