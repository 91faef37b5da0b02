/* Texts that are not JSON or exceed the limits: each is refused in one sentence
 * with the file, the line and the column. */
#include "json.h"

#include <string.h>

#include "check.h"

struct refused {
	const char *text;
	int line, column;
	const char *says;
};

/* clang-format off */
static const struct refused rows[] = {
	/* nothing, or not a value */
	{ "", 1, 1, "expected a value" },
	{ " ", 1, 2, "expected a value" },
	{ "\n\n", 3, 1, "expected a value" },
	{ "\n\t x", 2, 3, "expected a value" },
	{ "nul", 1, 1, "expected a value" },
	{ "nulL", 1, 1, "expected a value" },
	{ "NULL", 1, 1, "expected a value" },
	{ "None", 1, 1, "expected a value" },
	{ "True", 1, 1, "expected a value" },
	{ "tru", 1, 1, "expected a value" },
	{ "fals", 1, 1, "expected a value" },
	{ "FALSE", 1, 1, "expected a value" },
	{ "undefined", 1, 1, "expected a value" },
	{ "NaN", 1, 1, "expected a value" },
	{ "Infinity", 1, 1, "expected a value" },
	{ "-Infinity", 1, 1, "expected a value" },
	{ "-NaN", 1, 1, "expected a value" },
	{ "'a'", 1, 1, "expected a value" },
	{ "`a`", 1, 1, "expected a value" },
	{ "a", 1, 1, "expected a value" },
	{ "*", 1, 1, "expected a value" },
	{ ",", 1, 1, "expected a value" },
	{ ":", 1, 1, "expected a value" },
	{ "]", 1, 1, "expected a value" },
	{ "}", 1, 1, "expected a value" },
	{ "\\u0031", 1, 1, "expected a value" },
	{ "# c\n1", 1, 1, "expected a value" },
	{ "// c\n1", 1, 1, "expected a value" },
	{ "/* c */ 1", 1, 1, "expected a value" },
	{ "<xml/>", 1, 1, "expected a value" },
	{ "\xef\xbb\xbf{}", 1, 1, "byte order mark" },
	{ "\xff\xfe{", 1, 1, "expected a value" },
	{ "\xc2\xa0{}", 1, 1, "expected a value" },
	{ "\xe2\x80\xa8{}", 1, 1, "expected a value" },
	{ "\f1", 1, 1, "expected a value" },
	{ "\v1", 1, 1, "expected a value" },
	{ "\x7f", 1, 1, "expected a value" },
	{ "\x1b[31m", 1, 1, "expected a value" },
	/* more than one value */
	{ "1 2", 1, 3, "expected the end" },
	{ "1,", 1, 2, "expected the end" },
	{ "{} garbage", 1, 4, "expected the end" },
	{ "{}{}", 1, 3, "expected the end" },
	{ "[][]", 1, 3, "expected the end" },
	{ "[1]]", 1, 4, "expected the end" },
	{ "{}}", 1, 3, "expected the end" },
	{ "\"a\"x", 1, 4, "expected the end" },
	{ "nullx", 1, 5, "expected the end" },
	{ "truefalse", 1, 5, "expected the end" },
	{ "1\n\n 2", 3, 2, "expected the end" },
	{ "{}#", 1, 3, "expected the end" },
	{ "{}//", 1, 3, "expected the end" },
	{ "{};", 1, 3, "expected the end" },
	{ "1\f", 1, 2, "expected the end" },
	/* arrays */
	{ "[", 1, 2, "expected a value" },
	{ "[ ", 1, 3, "expected a value" },
	{ "[1", 1, 1, "an unterminated array" },
	{ "[1 ", 1, 1, "an unterminated array" },
	{ "[1,", 1, 4, "expected a value" },
	{ "[1,]", 1, 4, "expected a value" },
	{ "[,1]", 1, 2, "expected a value" },
	{ "[1,,2]", 1, 4, "expected a value" },
	{ "[,]", 1, 2, "expected a value" },
	{ "[1 2]", 1, 4, "expected , or ]" },
	{ "[1;2]", 1, 3, "expected , or ]" },
	{ "[1:2]", 1, 3, "expected , or ]" },
	{ "[1}", 1, 3, "expected , or ]" },
	{ "[\"a\" \"b\"]", 1, 6, "expected , or ]" },
	{ "[[1]", 1, 1, "an unterminated array" },
	{ "[[]", 1, 1, "an unterminated array" },
	{ "[1,\n 2,\n x]", 3, 2, "expected a value" },
	{ "[\"\xc3\xa4\xe2\x82\xac\", x]", 1, 8, "expected a value" },
	{ "[a]", 1, 2, "expected a value" },
	{ "[1,*]", 1, 4, "expected a value" },
	{ "[(1)]", 1, 2, "expected a value" },
	{ "[1e1 .5]", 1, 6, "expected , or ]" },
	{ "[null null]", 1, 7, "expected , or ]" },
	{ "[nul]", 1, 2, "expected a value" },
	{ "[1\f]", 1, 3, "expected , or ]" },
	{ "[\"", 1, 2, "an unterminated string" },
	{ "[{}", 1, 1, "an unterminated array" },
	{ "[{]", 1, 3, "expected a name" },
	/* objects */
	{ "{", 1, 2, "expected a name" },
	{ "{,}", 1, 2, "expected a name" },
	{ "{1:2}", 1, 2, "expected a name" },
	{ "{a:1}", 1, 2, "expected a name" },
	{ "{'a':1}", 1, 2, "expected a name" },
	{ "{null:1}", 1, 2, "expected a name" },
	{ "{[]:1}", 1, 2, "expected a name" },
	{ "{\"a\"", 1, 5, "expected : after a name" },
	{ "{\"a\" ", 1, 6, "expected : after a name" },
	{ "{\"a\"}", 1, 5, "expected : after a name" },
	{ "{\"a\" 1}", 1, 6, "expected : after a name" },
	{ "{\"a\"=1}", 1, 5, "expected : after a name" },
	{ "{\"a\",\"b\"}", 1, 5, "expected : after a name" },
	{ "{\"a\":", 1, 6, "expected a value" },
	{ "{\"a\":}", 1, 6, "expected a value" },
	{ "{\"a\"::1}", 1, 6, "expected a value" },
	{ "{\"a\":1", 1, 1, "an unterminated object" },
	{ "{\"a\":1 ", 1, 1, "an unterminated object" },
	{ "{\"a\":1,", 1, 8, "expected a name" },
	{ "{\"a\":1,}", 1, 8, "expected a name" },
	{ "{\"a\":1,,\"b\":2}", 1, 8, "expected a name" },
	{ "{\"a\":1;\"b\":2}", 1, 7, "expected , or }" },
	{ "{\"a\":1 \"b\":2}", 1, 8, "expected , or }" },
	{ "{\"a\":1]", 1, 7, "expected , or }" },
	{ "{\"a\":1:2}", 1, 7, "expected , or }" },
	{ "{\"a\":b}", 1, 6, "expected a value" },
	{ "{\"a\":{}", 1, 1, "an unterminated object" },
	{ "{\n\"a\":1\n\"b\":2}", 3, 1, "expected , or }" },
	{ "{\"a\":1,\"a\":2}", 1, 8, "a second member of this name" },
	{ "{\"a\":1,\"b\":2,\"a\":1}", 1, 14, "a second member of this name" },
	{ "{\"a\":1,\"\\u0061\":2}", 1, 8, "a second member of this name" },
	{ "{\"\\ud83d\\udc27\":1,\n\"\xf0\x9f\x90\xa7\":2}", 2, 1, "a second member of this name" },
	{ "{\"\":1,\"\":2}", 1, 7, "a second member of this name" },
	{ "{\"\\/\":1,\"/\":2}", 1, 9, "a second member of this name" },
	{ "[{\"b\":{\"a\":1,\"a\":1}}]", 1, 14, "a second member of this name" },
	{ "{\"a\" : /* c */ 1}", 1, 8, "expected a value" },
	{ "{{}}", 1, 2, "expected a name" },
	{ "{\"a\":1,...}", 1, 8, "expected a name" },
	/* strings */
	{ "\"", 1, 1, "an unterminated string" },
	{ "\"a", 1, 1, "an unterminated string" },
	{ "\"a\\", 1, 4, "after a backslash" },
	{ "\"a\\\"", 1, 1, "an unterminated string" },
	{ "\"\\x41\"", 1, 3, "after a backslash" },
	{ "\"\\a\"", 1, 3, "after a backslash" },
	{ "\"\\'\"", 1, 3, "after a backslash" },
	{ "\"\\0\"", 1, 3, "after a backslash" },
	{ "\"\\\n\"", 1, 3, "after a backslash" },
	{ "\"\\U0041\"", 1, 3, "after a backslash" },
	{ "\"\\\xc3\xa4\"", 1, 3, "after a backslash" },
	{ "\"\\", 1, 3, "after a backslash" },
	{ "\"\\u\"", 1, 4, "four hexadecimal digits" },
	{ "\"\\u", 1, 4, "four hexadecimal digits" },
	{ "\"\\u12\"", 1, 6, "four hexadecimal digits" },
	{ "\"\\u123", 1, 7, "four hexadecimal digits" },
	{ "\"\\u123g\"", 1, 7, "four hexadecimal digits" },
	{ "\"\\u+123\"", 1, 4, "four hexadecimal digits" },
	{ "\"\\u 123\"", 1, 4, "four hexadecimal digits" },
	{ "\"\\u00\x10g\"", 1, 6, "four hexadecimal digits" },
	{ "\"\\u12@0\"", 1, 6, "four hexadecimal digits" },
	{ "\"\\u12G0\"", 1, 6, "four hexadecimal digits" },
	{ "\"\\u0000\"", 1, 2, "U+0000" },
	{ "\"a\\u0000b\"", 1, 3, "U+0000" },
	{ "{\"a\\u0000\":1}", 1, 4, "U+0000" },
	{ "\"\\ud800\"", 1, 2, "half a surrogate pair" },
	{ "\"\\udc00\"", 1, 2, "half a surrogate pair" },
	{ "\"\\udfff\\ud800\"", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800\\ud800\"", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800\\u0041\"", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800\\n\"", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800x\"", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800\\", 1, 2, "half a surrogate pair" },
	{ "\"\\ud800\\u\"", 1, 10, "four hexadecimal digits" },
	{ "\"\\ud800\\udc0\"", 1, 13, "four hexadecimal digits" },
	{ "\"a\nb\"", 1, 3, "control character" },
	{ "\"a\tb\"", 1, 3, "control character" },
	{ "\"a\rb\"", 1, 3, "control character" },
	{ "\"\x01\"", 1, 2, "control character" },
	{ "\"\x1f\"", 1, 2, "control character" },
	{ "\"\x1b[2J\"", 1, 2, "control character" },
	{ "\"\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xbf\"", 1, 2, "not UTF-8" },
	{ "\"\xff\"", 1, 2, "not UTF-8" },
	{ "\"\xfe\"", 1, 2, "not UTF-8" },
	{ "\"\xc3\"", 1, 2, "not UTF-8" },
	{ "\"\xc3", 1, 2, "not UTF-8" },
	{ "\"\xc3(\"", 1, 2, "not UTF-8" },
	{ "\"\xc0\xaf\"", 1, 2, "not UTF-8" },
	{ "\"\xc1\xbf\"", 1, 2, "not UTF-8" },
	{ "\"\xe0\x80\xaf\"", 1, 2, "not UTF-8" },
	{ "\"\xe0\x9f\xbf\"", 1, 2, "not UTF-8" },
	{ "\"\xe2\x82\"", 1, 2, "not UTF-8" },
	{ "\"\xe2\x28\xa1\"", 1, 2, "not UTF-8" },
	{ "\"\xed\xa0\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xed\xbf\xbf\"", 1, 2, "not UTF-8" },
	{ "\"\xf0\x80\x80\xaf\"", 1, 2, "not UTF-8" },
	{ "\"\xf0\x8f\xbf\xbf\"", 1, 2, "not UTF-8" },
	{ "\"\xf4\x90\x80\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xf5\x80\x80\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xf8\x88\x80\x80\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xfc\x84\x80\x80\x80\x80\"", 1, 2, "not UTF-8" },
	{ "\"\xf0\x9f\x90\"", 1, 2, "not UTF-8" },
	{ "\"\xe9\"", 1, 2, "not UTF-8" },
	{ "\"ab\xe4\"", 1, 4, "not UTF-8" },
	{ "{\"\xe4\":1}", 1, 3, "not UTF-8" },
	/* numbers */
	{ "-", 1, 1, "expected a value" },
	{ "--1", 1, 1, "expected a value" },
	{ "+1", 1, 1, "expected a value" },
	{ "-a", 1, 1, "expected a value" },
	{ "- 1", 1, 1, "expected a value" },
	{ ".5", 1, 1, "expected a value" },
	{ "-.5", 1, 1, "expected a value" },
	{ "[-.5]", 1, 2, "expected a value" },
	{ "1.", 1, 3, "after the point" },
	{ "[1.]", 1, 4, "after the point" },
	{ "1.e5", 1, 3, "after the point" },
	{ "1.-5", 1, 3, "after the point" },
	{ "1..5", 1, 3, "after the point" },
	{ "1e", 1, 3, "of the exponent" },
	{ "1E", 1, 3, "of the exponent" },
	{ "1e+", 1, 4, "of the exponent" },
	{ "1e-", 1, 4, "of the exponent" },
	{ "1e+-1", 1, 4, "of the exponent" },
	{ "1e-+1", 1, 4, "of the exponent" },
	{ "1e.5", 1, 3, "of the exponent" },
	{ "[0e]", 1, 4, "of the exponent" },
	{ "1e1.5", 1, 4, "expected the end" },
	{ "1.5.5", 1, 4, "expected the end" },
	{ "01", 1, 2, "expected the end" },
	{ "-01", 1, 3, "expected the end" },
	{ "00", 1, 2, "expected the end" },
	{ "[012]", 1, 3, "expected , or ]" },
	{ "0x10", 1, 2, "expected the end" },
	{ "0b1", 1, 2, "expected the end" },
	{ "1_000", 1, 2, "expected the end" },
	{ "1 000", 1, 3, "expected the end" },
	{ "1,000", 1, 2, "expected the end" },
	{ "1a", 1, 2, "expected the end" },
	{ "1f", 1, 2, "expected the end" },
	{ "1L", 1, 2, "expected the end" },
	{ "1e5x", 1, 4, "expected the end" },
	{ "2.e3", 1, 3, "after the point" },
	{ "\xef\xbc\x91", 1, 1, "expected a value" },
	{ "1e999", 1, 1, "too large for a double" },
	{ "-1e999", 1, 1, "too large for a double" },
	{ "[1.8e308]", 1, 2, "too large for a double" },
	{ "1e309", 1, 1, "too large for a double" },
	{ "1e9999999999999999999", 1, 1, "too large for a double" },
	{ "9007199254740993", 1, 1, "expected a string" },
	{ "-9007199254740993", 1, 1, "expected a string" },
	{ "[18446744073709551615]", 1, 2, "expected a string" },
	{ "18446744073709551616", 1, 1, "expected a string" },
	{ "99999999999999999999999999", 1, 1, "expected a string" },
	{ "0.00000000000000000000000000000000000000001", 1, 1,
		"more than 40 characters" },
	{ "11111111111111111111111111111111111111111", 1, 1,
		"more than 40 characters" },
	{ "1e00000000000000000000000000000000000000001", 1, 1,
		"more than 40 characters" },
	/* depth */
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
		1, 33, "deeper than 32" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
		1, 33, "deeper than 32" },
	{ "[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\""
	  "\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[{\"\":[", 1, 81,
		"deeper than 32" },
};
/* clang-format on */

static void check_row(const struct refused *row)
{
	struct error error = { .message = "" };
	char place[60];
	cJSON *tree =
		json_parse(row->text, strlen(row->text), "x.json", &error);

	if (tree)
		fail_msg("taken: %s", row->text);
	snprintf(place, sizeof place, "x.json:%d:%d: ", row->line, row->column);
	if (strncmp(error.message, place, strlen(place)) ||
		!strstr(error.message, row->says))
		fail_msg("%s\nsays     %s\nexpected %s%s", row->text,
			error.message, place, row->says);
	assert_int_equal(error.line, row->line);
	assert_int_equal(error.column, row->column);
	assert_int_equal(error.status, STATUS_INPUT);
}

static void malformed_is_refused(void **state)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_row(&rows[i]);
	print_message("%zu texts\n", sizeof rows / sizeof rows[0]);
}

/* Bytes of value 0, which the strings of the table cannot contain. */
static void zero_bytes_are_refused(void **state)
{
	static const char *const texts[] = { "~", "1~", "[~1]", "\"~\"",
		"\"a~b\"", "{\"a~\":1}", "{}~", "nul~", "\"\\~\"", "\"\\u~\"" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct error error;
		char copy[20];
		size_t length = strlen(texts[i]);

		for (size_t j = 0; j < length; j++)
			copy[j] = texts[i][j] == '~' ? '\0' : texts[i][j];
		assert_null(json_parse(copy, length, "x.json", &error));
		assert_memory_equal(error.message, "x.json:1:", 9);
	}
}

static void well_formed_is_taken(void **state)
{
	static const char *const texts[] = {
		"1", " 1 ", "-0", "0.0", "1e5", "1E-5", "1e+5", "\"\"",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
		"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7\x7f\"", "null", "true",
		"false", "[]", "{}", "[ ]", "{ }", "\n[\r\n1\t,\n2 ]\n",
		"{\"a\":{\"a\":1},\"A\":2}", "\"\\ud83d\\udc27\"",
		"9007199254740992", "9007199254740994", "-9007199254740992",
		"1e308", "1e-400", "1000000000000000000",
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct error error = { .message = "" };
		cJSON *tree = json_parse(texts[i], strlen(texts[i]), "x.json",
			&error);

		assert_string_equal(error.message, "");
		assert_non_null(tree);
		cJSON_Delete(tree);
	}
}

/* A very long name leaves room for the sentence. */
static void long_names_are_cut(void **state)
{
	struct error error;
	char name[5000];

	memset(name, 'n', sizeof name);
	memcpy(name + sizeof name - 8, "/x.json", 8);
	assert_null(json_parse("[", 1, name, &error));
	assert_non_null(strstr(error.message, "/x.json:1:2: expected a value"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(malformed_is_refused),
		cmocka_unit_test(zero_bytes_are_refused),
		cmocka_unit_test(well_formed_is_taken),
		cmocka_unit_test(long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
