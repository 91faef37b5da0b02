/* The description of an experiment, in 80 columns; and text broken into
 * lines. */
#include "show.h"

#include "say.h"

static void assert_narrow(const char *text)
{
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");

		if (length > 80)
			fail_msg("%.*s", (int)length, line);
		assert_true(!length || line[length - 1] != ' ');
		line += length + 1;
	}
}

static void test_wrap(void **state)
{
	static const struct {
		const char *before, *chars, *wanted;
	} rows[] = {
		{ "", "one two", "  one two\n" },
		{ "", "one two three", "  one two\n  three\n" },
		{ "", "one  two", "  one two\n" },
		{ "", "exactly ten", "  exactly\n  ten\n" },
		{ "", "12345678 9", "  12345678\n  9\n" },
		{ "", "123456789", "  12345678\n  9\n" },
		{ "", "1,234,5678,9", "  1,234,\n  5678,9\n" },
		{ "", "a 1,234,5678,9", "  a 1,234,\n  5678,9\n" },
		{ "x", "one", "x one\n" },
		{ "xyz", "one", "xyz\n  one\n" },
		{ "xyz  ", "one", "xyz\n  one\n" },
		{ "x\n", "one", "x\n  one\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };

		text_add(&text, "%s", rows[i].before);
		wrap(&text, rows[i].chars, 2, 10);
		assert_string_equal(text.chars, rows[i].wanted);
		text_free(&text);
	}
}

/* Text that is too long is wrapped; other text is unchanged. */
static void test_wrap_lines(void **state)
{
	static const struct {
		const char *chars, *wanted;
	} rows[] = {
		{ "", "" },
		{ "one   two\n\nthree", "one   two\n\nthree\n" },
		{ "exactly 10\n", "exactly 10\n" },
		{ "  one two three four", "  one two\n    three\n    four\n" },
		{ "12345678901", "1234567890\n  1\n" },
		{ "one two    three", "one two\n  three\n" },
		{ "a fig  ure  end", "a fig  ure\n  end\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };

		wrap_lines(&text, rows[i].chars, 10);
		assert_string_equal(text_chars(&text), rows[i].wanted);
		text_free(&text);
	}
}

/* The list of values fits, however long it is. */
static void test_narrow(void **state)
{
	struct text line = { 0 };

	text_add(&line, "show cpu.call call=getppid,getpid,read size=1");
	for (int i = 2; i < 90; i++)
		text_add(&line, ",%d", 1000 + i);
	char *shown = said(*state, line.chars);
	assert_narrow(shown);
	assert_non_null(strstr(shown, "267 points"));
	assert_non_null(strstr(shown, "1088,1089\n"));
	free(shown);
	text_free(&line);
	shown = said(*state, "set");
	assert_narrow(shown);
	/* A run has one value of each. */
	assert_null(strstr(shown, "sweeps"));
	free(shown);
}

static void test_rows(void **state)
{
	char *shown = said(*state, "show cpu.call size=8K");

	assert_narrow(shown);
	assert_non_null(strstr(shown, "cpu.call  Procedure call\n"));
	/* A label that equals the name is not printed twice. */
	assert_null(strstr(shown, "size: of the buffer"));
	assert_non_null(strstr(shown, "  size         8K           of the"));
	assert_non_null(strstr(shown, "one of getppid, getpid, read"));
	assert_non_null(strstr(shown, "1..1M bytes, a list or a range"));
	assert_non_null(strstr(shown, "time per call, ns (timed, the headl"));
	assert_non_null(strstr(shown, "the model has no prediction"));
	assert_non_null(strstr(shown, "run options, see `set`: cpu, launch"));
	free(shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_wrap_lines),
		WITH_LAB(test_narrow),
		WITH_LAB(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
