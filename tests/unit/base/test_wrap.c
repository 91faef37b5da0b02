/* Lines broken at blanks, at commas, and within words without either. */
#include "wrap.h"

#include <string.h>

#include "check.h"

static void breaks_at_blanks_and_commas(void **state)
{
	struct text text = { 0 };

	wrap(&text, "one two three,four,five", 2, 10);
	assert_string_equal(text.chars,
		"  one two\n  three,\n  four,\n  five\n");
	text_free(&text);
}

/* Lines are broken between characters, never within one. */
static void breaks_no_character(void **state)
{
	static const char *const words[] = { "\xc3\xa9", "\xe2\x82\xac",
		"\xf0\x9f\x90\xa7" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (int width = 5; width < 24; width++) {
			struct text word = { 0 }, text = { 0 };

			for (int k = 0; k < 40; k++)
				text_add(&word, "%s", words[i]);
			wrap(&text, word.chars, 2, width);
			wrap_lines(&text, word.chars, width);
			assert_int_equal(utf8_valid(text.chars, text.length),
				text.length);
			text_free(&word);
			text_free(&text);
		}
}

/* The previous line is ended without trailing blanks, even if it has only
 * blanks. */
static void ends_a_line_of_blanks(void **state)
{
	struct text text = { 0 };

	text_pad(&text, ' ', 6);
	wrap(&text, "one", 2, 10);
	assert_string_equal(text.chars, "\n  one\n");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(breaks_at_blanks_and_commas),
		cmocka_unit_test(breaks_no_character),
		cmocka_unit_test(ends_a_line_of_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
