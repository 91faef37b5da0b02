/* Words: quoting, comments, line breaks, and places that count characters. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

/* The words of one statement, each in < >. */
static char *bracketed(const char *text)
{
	struct reader reader = reader_of(text);
	struct text all = { 0 };
	struct words words;
	struct error error = { 0 };

	if (words_read(&words, &reader, &error)) {
		text_add(&all, "error at %d:%d", error.line, error.column);
		return text_take(&all);
	}
	for (size_t i = 0; i < words.count; i++)
		text_add(&all, "<%s>", words.word[i]);
	if (words.count)
		assert_null(words.word[words.count]);
	words_free(&words);
	return text_take(&all);
}

static void test_read(void **state)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "", "" },
		{ "   \t ", "" },
		{ "# all of it", "" },
		{ "  # indented", "" },
		{ "run cpu.call", "<run><cpu.call>" },
		{ "\trun\t\tcpu.call  ", "<run><cpu.call>" },
		{ "run cpu.call\r\n", "<run><cpu.call>" },
		{ "run cpu.call # why", "<run><cpu.call>" },
		{ "note a#b", "<note><a#b>" },
		{ "note #b", "<note>" },
		{ "note '#b'", "<note><#b>" },
		{ "note 'two words'", "<note><two words>" },
		{ "note \"two words\"", "<note><two words>" },
		{ "note ''", "<note><>" },
		{ "note \"\" x", "<note><><x>" },
		{ "note a'b c'd", "<note><ab cd>" },
		{ "note 'a'\"b\"c", "<note><abc>" },
		{ "note '\"'", "<note><\">" },
		{ "note \"'\"", "<note><'>" },
		{ "note \"\\\"\"", "<note><\">" },
		{ "note \"\\\\\"", "<note><\\>" },
		{ "note \"\\n\"", "<note><\\n>" },
		{ "note '\\'", "<note><\\>" },
		{ "note a\\ b", "<note><a\\><b>" },
		{ "note 'a;b' ; run", "<note><a;b>" },
		{ "note a;b", "<note><a>" },
		{ "note a\nb", "<note><a>" },
		{ "; run", "" },
		{ "note $HOME `id` *", "<note><$HOME><`id`><*>" },
		{ "note 'one\ntwo'", "<note><one\ntwo>" },
		{ "note \"one\r\ntwo\" x", "<note><one\r\ntwo><x>" },
		{ "note '\xc3\xa4 \xe2\x82\xac'",
			"<note><\xc3\xa4 \xe2\x82\xac>" },
		{ "note 'a", "error at 1:6" },
		{ "note \"a\\\"", "error at 1:6" },
		{ "note '\xc3\xa4\xc3\xb6' \"x", "error at 1:11" },
		{ "note 'a\nb' 'c", "error at 2:4" },
		{ "note 'a\nb\n", "error at 1:6" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = bracketed(rows[i].text);

		assert_string_equal(got, rows[i].words);
		free(got);
	}
}

/* Reading all statements of a text reaches its end. */
static void test_statements(void **state)
{
	const char *text = "a 1; b 2 # c\n\n;;d 'x\ny' e;f\n";
	static const char *const verbs[] = { "a", "b", "d", "f" };
	static const int lines[] = { 1, 1, 3, 4 };
	static const int columns[] = { 1, 6, 3, 6 };
	struct reader reader = reader_of(text);
	struct error error;
	size_t statements = 0;

	while (*reader.at) {
		struct words words;

		assert_int_equal(words_read(&words, &reader, &error), 0);
		if (!words.count)
			continue;
		assert_true(statements < 4);
		assert_string_equal(words.word[0], verbs[statements]);
		assert_int_equal(words.origin[0].line, lines[statements]);
		assert_int_equal(words.origin[0].column, columns[statements]);
		statements++;
		words_free(&words);
	}
	assert_int_equal(statements, 4);
}

/* A place is the position of the character in the text, in characters instead
 * of bytes, regardless of earlier quotes. */
static void test_places(void **state)
{
	static const struct {
		const char *text;
		size_t word, offset;
		int line, column;
	} rows[] = {
		{ "ab cd", 0, 0, 1, 1 },
		{ "ab cd", 0, 1, 1, 2 },
		{ "ab cd", 0, 2, 1, 3 },
		{ "ab cd", 1, 0, 1, 4 },
		{ "ab cd", 1, 1, 1, 5 },
		{ "\xc3\xa4\xe2\x82\xac cd", 1, 0, 1, 4 },
		{ "\xc3\xa4\xe2\x82\xac cd", 0, 2, 1, 2 },
		{ "\xf0\x9f\x90\xa7 \xf0\x9f\x90\xa7x", 1, 4, 1, 4 },
		{ "'ab' cd", 0, 0, 1, 1 },
		{ "'ab' cd", 0, 1, 1, 3 },
		{ "'ab' cd", 0, 2, 1, 5 },
		{ "x='a b'", 0, 2, 1, 4 },
		{ "\"a\\\"b\"", 0, 1, 1, 3 },
		{ "\"a\\\"b\"", 0, 2, 1, 5 },
		{ "'a\nb' cd", 0, 2, 2, 1 },
		{ "'a\nb' cd", 1, 1, 2, 5 },
		{ "'\xc3\xa4\n\xc3\xa4' cd", 1, 0, 2, 4 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct reader reader = reader_of(rows[i].text);
		struct words words;
		struct error error;

		assert_int_equal(words_read(&words, &reader, &error), 0);
		words_point(&words, rows[i].word, rows[i].offset, &error);
		if (error.line != rows[i].line ||
			error.column != rows[i].column)
			fail_msg("%s: %zu+%zu is at %d:%d", rows[i].text,
				rows[i].word, rows[i].offset, error.line,
				error.column);
		words_free(&words);
	}
}

static void test_quote_plain(void **state)
{
	struct text text = { 0 };

	words_quote(&text, "call=getppid,getpid");
	text_add_char(&text, ' ');
	words_quote(&text, "");
	text_add_char(&text, ' ');
	words_quote(&text, "a \"b\"");
	assert_string_equal(text.chars,
		"call=getppid,getpid \"\" \"a \\\"b\\\"\"");
	text_free(&text);
}

/* Any words, quoted and parsed again, are the same words. */
static void test_quote_round(void **state)
{
	static const char signs[] = "ab=,.\"'\\;# \t\n\r\xc3";
	uint64_t random = 7;

	for (int round = 0; round < 2000; round++) {
		char list[4][12] = { 0 };
		struct text line = { 0 };
		struct words words;
		struct error error;

		for (int i = 0; i < 4; i++) {
			size_t length = random_below(&random, 11);

			for (size_t k = 0; k < length; k++)
				list[i][k] = signs[random_below(&random,
					sizeof signs - 1)];
			words_quote(&line, list[i]);
			text_add_char(&line, ' ');
		}
		struct reader reader = reader_of(line.chars);
		assert_int_equal(words_read(&words, &reader, &error), 0);
		assert_int_equal(words.count, 4);
		for (int i = 0; i < 4; i++)
			assert_string_equal(words.word[i], list[i]);
		assert_int_equal(*reader.at, '\0');
		words_free(&words);
		text_free(&line);
	}
}

/* For any bytes, reading ends, and every place lies in the text. */
static void test_noise(void **state)
{
	uint64_t random = 11;

	for (int round = 0; round < 5000; round++) {
		char noise[24] = { 0 };
		struct error error = { 0 };
		struct words words;

		for (size_t i = random_below(&random, 23); i-- > 0;)
			noise[i] = (char)(1 + random_below(&random, 255));
		struct reader reader = reader_of(noise);
		while (*reader.at) {
			if (words_read(&words, &reader, &error)) {
				assert_in_range(error.column, 1, 24);
				break;
			}
			for (size_t i = 0; i < words.count; i++) {
				words_point(&words, i, strlen(words.word[i]),
					&error);
				assert_in_range(error.column, 1, 24);
			}
			words_free(&words);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_quote_plain),
		cmocka_unit_test(test_quote_round),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
