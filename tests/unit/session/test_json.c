/* JSON without loss: numbers, texts, limits, and the reader's paths. */
#include "json.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "json_internal.h"
#include "memory.h"

static uint64_t random_bits(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static cJSON *parsed(const struct text *text)
{
	struct error error = { .message = "" };
	cJSON *tree = json_parse(text->chars, text->length, "x.json", &error);

	assert_string_equal(error.message, "");
	assert_non_null(tree);
	return tree;
}

/* ---- numbers ---------------------------------------------------------- */

enum { NUMBERS = 250000 };

static const double edges[] = { 0, -0.0, 1, -1, .1, 1.0 / 3, 1e15, 1e16, 1e17,
	1e22, 1e23, 9007199254740991.0, 9007199254740992.0, 9007199254740993.0,
	9007199254740994.0, 18446744073709551615.0, DBL_MIN, DBL_MAX, -DBL_MAX,
	DBL_EPSILON, 5e-324, -5e-324, 2.2250738585072009e-308,
	2.2250738585072011e-308, 4.9406564584124654e-321, 123456789012345678.0,
	0x1.fffffffffffffp-1, 1 + DBL_EPSILON, 4.35, 0.000001,
	999999999999999.0, 1000000000000001.0, 5708990770823839524.0,
	9.5367431640625e-07 };
enum { EDGES = sizeof edges / sizeof edges[0] };

static double some_double(size_t i)
{
	double value;

	if (i < EDGES)
		return edges[i];
	uint64_t bits = random_bits();
	/* A quarter of the values are subnormal, a quarter have everyday
	 * sizes. */
	if (i % 4 == 0)
		bits &= 0x800fffffffffffffu;
	if (i % 4 == 1)
		return (double)(bits >> 11) / 9007199254740992.0 * 1000;
	memcpy(&value, &bits, sizeof value);
	return isfinite(value) ? value : 1.5;
}

static void doubles_survive_here(void)
{
	double *values = xmalloc(NUMBERS * sizeof *values);
	struct text text = { 0 };

	for (size_t i = 0; i < NUMBERS; i++) {
		values[i] = some_double(i);
		text_add_char(&text, i ? ',' : '[');
		json_number(&text, values[i]);
	}
	text_add_char(&text, ']');
	cJSON *tree = parsed(&text);
	const cJSON *item = tree->child;
	for (size_t i = 0; i < NUMBERS; i++, item = item->next)
		if (memcmp(&item->valuedouble, &values[i], sizeof *values))
			fail_msg("%a became %a", values[i], item->valuedouble);
	assert_null(item);
	cJSON_Delete(tree);
	text_free(&text);
	free(values);
}

static void doubles_survive(void **state)
{
	doubles_survive_here();
}

/* A locale with a decimal comma, if one exists. */
static void doubles_survive_a_comma(void **state)
{
	if (!set_comma_locale())
		skip_because("no locale with a decimal comma here");
	doubles_survive_here();
	setlocale(LC_ALL, "C");
}

static const uint64_t wholes[] = { 0, 1, 9007199254740991, 9007199254740992,
	9007199254740993, UINT32_MAX, INT64_MAX, UINT64_MAX - 1, UINT64_MAX };
enum { WHOLES = sizeof wholes / sizeof wholes[0] };

static void wholes_survive(void **state)
{
	uint64_t *values = xmalloc(NUMBERS * sizeof *values);
	struct text text = { 0 };

	for (size_t i = 0; i < NUMBERS; i++) {
		values[i] = i < WHOLES ? wholes[i] : random_bits() >> (i % 64);
		text_add_char(&text, i ? ',' : '[');
		json_whole(&text, values[i]);
	}
	text_add_char(&text, ']');
	cJSON *tree = parsed(&text);
	const cJSON *item = tree->child;
	for (size_t i = 0; i < NUMBERS; i++, item = item->next) {
		uint64_t got = 0;

		if (!json_is_whole(item, &got) || got != values[i])
			fail_msg("%" PRIu64 " became %" PRIu64, values[i], got);
	}
	cJSON_Delete(tree);
	text_free(&text);
	free(values);
}

static void numbers_look_like_this(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "-0" },
		{ 42, "42" },
		{ -42, "-42" },
		{ .1, "0.1" },
		{ 102.7, "102.7" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 1e22, "1e+22" },
		{ 5e-324, "5e-324" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ 9007199254740993.0, "9007199254740992" },
		{ NAN, "null" },
		{ INFINITY, "null" },
		{ -INFINITY, "null" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct text text = { 0 };

		json_number(&text, rows[i].value);
		assert_string_equal(text.chars, rows[i].text);
		text_free(&text);
	}
}

/* ---- trees ------------------------------------------------------------ */

static void printed_is(cJSON *tree, const char *want)
{
	struct text text = { 0 };

	json_print(tree, &text);
	assert_string_equal(text.chars, want);
	cJSON_Delete(parsed(&text));
	cJSON_Delete(tree);
	text_free(&text);
}

static void members_are_added(void **state)
{
	cJSON *tree = cJSON_CreateObject();

	json_add_number(tree, "n", 1.5);
	json_add_whole(tree, "w", 9007199254740993);
	json_add_signed(tree, "s", -3);
	json_add_signed(tree, "least", INT64_MIN);
	json_add_text(tree, "a\"b", "x\"\\\n\x01\xc3\xa4\xff\x7f");
	json_add_text(tree, "\xc2\x9b", "\xe2\x80\xae|\xf0\x9f\x98\x80");
	json_add_bool(tree, "t", true);
	json_add_raw(tree, "r", "[1,2]");
	json_add_null(tree, "z");
	printed_is(tree,
		"{\n \"n\":1.5,\n \"w\":\"9007199254740993\",\n \"s\":-3,\n"
		" \"least\":\"-9223372036854775808\",\n"
		" \"a\\\"b\":\"x\\\"\\\\\\n\\u0001\xc3\xa4?\\u007f\",\n"
		" \"\\u009b\":\"\\u202e|\xf0\x9f\x98\x80\",\n"
		" \"t\":true,\n \"r\":[1,2],\n \"z\":null\n}\n");
}

/* Three levels of objects are spread over lines. */
static void levels_are_spread(void **state)
{
	struct text text = { 0 };

	text_add(&text,
		"{\"a\":[{\"b\":[1,{\"c\":{\"d\":{\"e\":1}}}]},{}],"
		"\"f\":[],\"g\":[\"h\",{}]}");
	cJSON *tree = parsed(&text);
	text_free(&text);
	printed_is(tree,
		"{\n \"a\":[\n  {\n   \"b\":[1,{\n     \"c\":{\"d\":{\"e\":1}}"
		"\n    }]\n  },\n  {}\n ],\n \"f\":[],\n \"g\":[\"h\",{}]\n}\n");
}

/* ---- limits ----------------------------------------------------------- */

static bool is_taken(struct text *text)
{
	struct error error;
	size_t values;
	int failed = json_check(text->chars, text->length, "x.json", &values,
		&error);

	text_free(text);
	return !failed;
}

static bool depth_is_taken(size_t depth)
{
	struct text text = { 0 };

	text_pad(&text, '[', depth);
	text_pad(&text, ']', depth);
	return is_taken(&text);
}

static bool string_is_taken(size_t length)
{
	struct text text = { 0 };

	text_add_char(&text, '"');
	text_pad(&text, 's', length - 1);
	text_add(&text, "\\n\"");
	return is_taken(&text);
}

static bool number_is_taken(size_t length)
{
	struct text text = { 0 };

	text_add(&text, "0.");
	text_pad(&text, '1', length - 2);
	return is_taken(&text);
}

static bool members_are_taken(unsigned count)
{
	struct text text = { 0 };

	for (unsigned i = 0; i < count; i++)
		text_add(&text, "%c\"%u\":0", i ? ',' : '{', i);
	text_add_char(&text, '}');
	return is_taken(&text);
}

static bool values_are_taken(size_t count)
{
	struct text text = { 0 };

	text_add(&text, "[0");
	for (size_t i = 2; i < count; i++)
		text_add_chars(&text, ",0", 2);
	text_add_char(&text, ']');
	return is_taken(&text);
}

static bool bytes_are_taken(size_t count)
{
	struct text text = { 0 };

	text_pad(&text, ' ', count - 1);
	text_add_char(&text, '0');
	return is_taken(&text);
}

static void limits_are_kept(void **state)
{
	assert_true(depth_is_taken(JSON_DEPTH_MAX));
	assert_false(depth_is_taken(JSON_DEPTH_MAX + 1));
	assert_false(depth_is_taken(10000000));
	assert_true(string_is_taken(JSON_STRING_MAX));
	assert_false(string_is_taken(JSON_STRING_MAX + 1));
	assert_true(number_is_taken(JSON_NUMBER_MAX));
	assert_false(number_is_taken(JSON_NUMBER_MAX + 1));
	assert_true(members_are_taken(JSON_MEMBERS_MAX));
	assert_false(members_are_taken(JSON_MEMBERS_MAX + 1));
	assert_true(values_are_taken(JSON_VALUES_MAX));
	assert_false(values_are_taken(JSON_VALUES_MAX + 1));
	assert_true(bytes_are_taken(JSON_BYTES_MAX));
	assert_false(bytes_are_taken(JSON_BYTES_MAX + 1));
}

/* ---- reading ---------------------------------------------------------- */

static const char sample[] =
	"{\"n\":1.5,\"w\":7,\"big\":\"18446744073709551615"
	"\",\"t\":\"x\",\"yes\":true,\"no\":false,\"z\":null,\"a\":[{\"odd "
	"\\\"name\\\".[1]\":{\"b\":[0]}}],\"N\":2,\"half\":0.5,\"minus\":-1,"
	"\"huge\":\"18446744073709551616\",\"zeros\":\"007\",\"none\":\"\"}";

static void members_are_read(void **state)
{
	struct error error = { .message = "" };
	struct json_reader reader = { .name = "x.json", .error = &error };
	cJSON *tree = json_parse(sample, strlen(sample), "x.json", &error);

	assert_true(json_get_number(&reader, tree, "n") == 1.5);
	assert_true(json_get_number(&reader, tree, "N") == 2);
	assert_true(json_get_whole(&reader, tree, "w") == 7);
	assert_true(json_get_whole(&reader, tree, "big") == UINT64_MAX);
	assert_true(json_get_bool(&reader, tree, "yes"));
	assert_false(json_get_bool(&reader, tree, "no"));
	assert_string_equal(json_get_text(&reader, tree, "t"), "x");
	assert_false(reader.failed);
	assert_string_equal(error.message, "");
	assert_int_equal(reader.path.length, 0);
	text_free(&reader.path);
	cJSON_Delete(tree);
}

static void wrong_members_are_named(void **state)
{
	static const struct {
		const char *name, *message;
	} rows[] = {
		{ "y", "x.json: y: missing, expected a number" },
		{ "Big", "x.json: Big: missing, expected a number" },
		{ "t",
			"x.json: t: expected a whole number, as a string above "
			"2^53" },
		{ "z", "x.json: z: expected a number" },
		{ "a", "x.json: a: expected a number" },
		{ "half", NULL },
		{ "minus", NULL },
		{ "huge", NULL },
		{ "zeros", NULL },
		{ "none", NULL },
	};
	struct error error;
	cJSON *tree = json_parse(sample, strlen(sample), "x.json", &error);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct json_reader reader = { .name = "x.json",
			.error = &error };

		error = (struct error){ .line = 7 };
		assert_true(json_get_whole(&reader, tree, rows[i].name) == 0);
		assert_true(reader.failed);
		assert_int_equal(error.line, 0);
		assert_int_equal(error.status, STATUS_INPUT);
		if (rows[i].message)
			assert_string_equal(error.message, rows[i].message);
		/* The first error is kept, and later reads are harmless. */
		char first[sizeof error.message];
		memcpy(first, error.message, sizeof first);
		assert_true(json_get_number(&reader, tree, "n") == 0);
		assert_string_equal(json_get_text(&reader, tree, "t"), "");
		assert_null(json_enter(&reader, tree, "a", cJSON_Array));
		assert_string_equal(error.message, first);
		text_free(&reader.path);
	}
	cJSON_Delete(tree);
}

static void paths_go_down_and_up(void **state)
{
	struct error error;
	struct json_reader reader = { .name = "x.json", .error = &error };
	cJSON *tree = json_parse(sample, strlen(sample), "x.json", &error);

	const cJSON *a = json_enter(&reader, tree, "a", cJSON_Array);
	const cJSON *o = json_enter_element(&reader, a->child, 0,
		cJSON_Object | cJSON_NULL);
	const cJSON *odd =
		json_enter(&reader, o, "odd \"name\".[1]", cJSON_Object);
	const cJSON *b = json_enter(&reader, odd, "b", cJSON_Array);
	assert_non_null(b);
	assert_string_equal(reader.path.chars, "a[0][\"odd 'name'.[1]\"].b");
	json_leave(&reader);
	assert_string_equal(reader.path.chars, "a[0][\"odd 'name'.[1]\"]");
	json_leave(&reader);
	assert_string_equal(reader.path.chars, "a[0]");
	json_leave(&reader);
	assert_string_equal(reader.path.chars, "a");
	json_leave(&reader);
	assert_string_equal(reader.path.chars, "");
	json_path_member(&reader.path, "");
	json_path_member(&reader.path, "\x1b[31m");
	assert_string_equal(reader.path.chars, "[\"\"][\"\\x1b[31m\"]");
	json_leave(&reader);
	json_leave(&reader);
	assert_string_equal(reader.path.chars, "");
	text_free(&reader.path);
	cJSON_Delete(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubles_survive),
		cmocka_unit_test(doubles_survive_a_comma),
		cmocka_unit_test(wholes_survive),
		cmocka_unit_test(numbers_look_like_this),
		cmocka_unit_test(members_are_added),
		cmocka_unit_test(levels_are_spread),
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(members_are_read),
		cmocka_unit_test(wrong_members_are_named),
		cmocka_unit_test(paths_go_down_and_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
