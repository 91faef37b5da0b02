/* The growable string, strict UTF-8, and the nearest name. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

static void an_empty_text_owns_nothing(void **state)
{
	struct text text = { 0 };

	assert_string_equal(text_chars(&text), "");
	text_clear(&text);
	text_add(&text, "%s", "");
	assert_string_equal(text_chars(&text), "");
	text_free(&text);
	assert_null(text.chars);
	char *taken = text_take(&text);
	assert_string_equal(taken, "");
	free(taken);
}

static void it_grows_and_stays_terminated(void **state)
{
	struct text text = { 0 };
	char wanted[5001];

	for (size_t i = 0; i < 5000; i++) {
		wanted[i] = (char)('a' + i % 26);
		text_add_char(&text, wanted[i]);
		assert_int_equal(text.chars[i + 1], '\0');
		assert_true(text.capacity > text.length);
	}
	wanted[5000] = '\0';
	assert_int_equal(text.length, 5000);
	assert_string_equal(text.chars, wanted);
	text_clear(&text);
	assert_int_equal(text.length, 0);
	assert_string_equal(text_chars(&text), "");
	text_free(&text);
}

static void columns_of_a_terminal(void **state)
{
	struct text text = { 0 };

	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("\u2588\u2591x"), 3);
	/* Each invalid byte of UTF-8 is shown by a character. */
	assert_int_equal(text_width("\xff\xfe"), 2);
	text_trim(&text);
	text_add(&text, " a   ");
	text_trim(&text);
	assert_string_equal(text.chars, " a");
	text_free(&text);
	text_add_cut(&text, "abcd", 4);
	text_add_cut(&text, " \u2588bcde", 4);
	assert_string_equal(text.chars, "abcd \u2588..");
	text_free(&text);
}

static void formats_of_any_length(void **state)
{
	struct text text = { 0 };

	text_add(&text, "%d,", 42);
	text_add(&text, "%0*d", 3000, 7);
	text_pad(&text, '-', 3);
	text_pad(&text, '-', 0);
	text_add_chars(&text, "xyz", 2);
	assert_int_equal(text.length, 3 + 3000 + 3 + 2);
	assert_memory_equal(text.chars, "42,000", 6);
	assert_string_equal(text.chars + 3002, "7---xy");
	char *taken = text_take(&text);
	assert_null(text.chars);
	assert_int_equal(text.length, 0);
	assert_int_equal(strlen(taken), 3008);
	free(taken);
}

static void a_nul_is_a_character(void **state)
{
	struct text text = { 0 };

	text_add_chars(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.chars, "a\0b", 4);
	text_free(&text);
}

/* ---- UTF-8 ------------------------------------------------------------ */

static void every_character_is_written_and_read(void **state)
{
	for (unsigned code = 0; code <= 0x10ffff; code++) {
		char bytes[4];
		unsigned back = ~0u;

		if (code >= 0xd800 && code <= 0xdfff)
			continue;
		size_t size = utf8_write(code, bytes);
		size_t wanted = code < 0x80 ? 1 :
			code < 0x800        ? 2 :
			code < 0x10000      ? 3 :
					      4;
		if (size != wanted || utf8_read(bytes, size, &back) != size ||
			back != code || utf8_read(bytes, size - 1, &back))
			fail_msg("U+%04X", code);
	}
}

static void what_is_not_strict_is_refused(void **state)
{
	static const char *const broken[] = {
		"\x80",             /* begins within a character */
		"\xc0\x80",         /* overlong */
		"\xc1\xbf",         /* overlong */
		"\xe0\x9f\xbf",     /* overlong */
		"\xf0\x8f\xbf\xbf", /* overlong */
		"\xed\xa0\x80",     /* a surrogate */
		"\xed\xbf\xbf",     /* a surrogate */
		"\xf4\x90\x80\x80", /* above U+10FFFF */
		"\xf5\x80\x80\x80", /* above U+10FFFF */
		"\xff",             /* never */
		"\xc3(",            /* no continuation byte */
		"\xe2\x82(",        /* no continuation byte */
		"\xe2\x82",         /* truncated */
	};

	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		char line[16];
		unsigned code;
		int length = snprintf(line, sizeof line, "ab%s", broken[i]);

		assert_int_equal(utf8_read(broken[i], strlen(broken[i]), &code),
			0);
		assert_int_equal(utf8_valid(line, (size_t)length), 2);
	}
	assert_int_equal(utf8_valid("na\xc3\xafve", 6), 6);
	assert_int_equal(utf8_valid("", 0), 0);
}

/* Random bytes: safely added text is valid UTF-8, without control characters
 * that move a cursor. */
static void foreign_text_becomes_safe(void **state)
{
	uint64_t random = 11;

	for (int round = 0; round < 2000; round++) {
		struct text text = { 0 };
		char bytes[64];
		size_t length = random_below(&random, sizeof bytes);

		for (size_t i = 0; i < length; i++)
			bytes[i] = (char)random_below(&random, 256);
		text_add_safe(&text, bytes, length);
		assert_int_equal(utf8_valid(text_chars(&text), text.length),
			text.length);
		for (size_t at = 0; at < text.length;) {
			unsigned code = 0;

			at += utf8_read(text.chars + at, text.length - at,
				&code);
			assert_true(code >= 0x20 && code != 0x7f);
			assert_false(code >= 0x80 && code < 0xa0);
		}
		text_free(&text);
	}
}

static void unsafe_characters_are_spelt_out(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "plain", "plain" }, { "\x1b[31mred", "\\x1b[31mred" },
		{ "a\nb\tc", "a\\x0ab\\x09c" }, { "\x7f", "\\x7f" },
		{ "\xc2\x9b", "\\xc2\\x9b" },               /* C1 */
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },      /* override */
		{ "\xe2\x81\xa6x", "\\xe2\\x81\\xa6x" },    /* isolate */
		{ "\xef\xbb\xbfx", "\\xef\\xbb\\xbfx" },    /* byte order */
		{ "\xff\xc3\xa9", "\\xff\xc3\xa9" },        /* one is good */
		{ "\xe2\x82", "\\xe2\\x82" },               /* truncated */
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" }, /* four bytes */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text text = { 0 };

		text_add_safe(&text, cases[i].in, strlen(cases[i].in));
		assert_string_equal(text_chars(&text), cases[i].out);
		text_free(&text);
	}
}

/* ---- the nearest name ------------------------------------------------- */

static void the_nearest_name(void **state)
{
	static const char *const names[] = { "cpu.syscall", "cpu.switch",
		"cpu.clock", "precision", "budget", NULL };
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{ "cpu.sycsall", "cpu.syscall" }, /* swapped */
		{ "cpu.clok", "cpu.clock" },      /* left out */
		{ "cpu.swwitch", "cpu.switch" },  /* doubled */
		{ "prec", "precision" },          /* begun */
		{ "budgte", "budget" },
		{ "cpu.clock", "cpu.clock" },
		{ "zebra", NULL },
		{ "x", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *found = text_nearest(cases[i].word, names);

		if (!cases[i].nearest)
			assert_null(found);
		else
			assert_string_equal(found, cases[i].nearest);
	}
}

static void a_word_of_any_length_may_be_asked(void **state)
{
	static const char *const names[] = { "budget", NULL };
	char word[4000];

	memset(word, 'b', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	assert_null(text_nearest(word, names));
	assert_null(text_nearest("budget", &names[1]));
}

static void digits_without_an_exponent(void **state)
{
	static const struct {
		double value;
		const char *shown;
	} rows[] = { { 0, "0" }, { 0.0421, "0.042" }, { 4.24, "4.2" },
		{ 42.4, "42" }, { 99.4, "99" }, { 99.6, "99.6" },
		{ -99.6, "-99.6" }, { 437, "437" }, { 999.4, "999" },
		{ 999.6, "999.6" }, { 9999.7, "9999.7" },
		{ 123456, "123456" } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };

		text_add(&text, "%.*g", text_digits(rows[i].value),
			rows[i].value);
		assert_string_equal(text_chars(&text), rows[i].shown);
		text_free(&text);
	}
}

static void test_ends(void **state)
{
	assert_true(text_ends("a.json", ".json"));
	assert_false(text_ends(".json", ".json"));
	assert_false(text_ends("a.json.gz", ".json"));
	assert_false(text_ends("n", ".json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_owns_nothing),
		cmocka_unit_test(it_grows_and_stays_terminated),
		cmocka_unit_test(columns_of_a_terminal),
		cmocka_unit_test(formats_of_any_length),
		cmocka_unit_test(a_nul_is_a_character),
		cmocka_unit_test(every_character_is_written_and_read),
		cmocka_unit_test(what_is_not_strict_is_refused),
		cmocka_unit_test(foreign_text_becomes_safe),
		cmocka_unit_test(unsafe_characters_are_spelt_out),
		cmocka_unit_test(digits_without_an_exponent),
		cmocka_unit_test(the_nearest_name),
		cmocka_unit_test(a_word_of_any_length_may_be_asked),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
