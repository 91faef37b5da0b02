/* Writing JSON: numbers that round-trip, UTF-8 texts, whole trees. */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_internal.h"
#include "memory.h"

locale_t json_locale(void)
{
	static locale_t made;

	if (!made)
		made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return made;
}

void json_use_memory(void)
{
	cJSON_Hooks hooks = { .malloc_fn = xmalloc, .free_fn = free };

	cJSON_InitHooks(&hooks);
}

/* ---- numbers ---------------------------------------------------------- */

static void add_digits(struct text *text, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	text_add_chars(text, digits + at, sizeof digits - at);
}

void json_whole(struct text *text, uint64_t value)
{
	bool safe = value <= (uint64_t)JSON_WHOLE_MAX;

	if (!safe)
		text_add_char(text, '"');
	add_digits(text, value);
	if (!safe)
		text_add_char(text, '"');
}

/* Values are often whole numbers: counts, bytes, nanoseconds. */
static bool is_short_whole(double value)
{
	return fabs(value) < 1e15 && value == trunc(value) &&
		!(value == 0 && signbit(value));
}

/* 15 digits always read back unchanged in decimal, and 17 digits identify any
 * double. */
static void print_shortest(char out[40], double value)
{
	locale_t before = uselocale(json_locale());
	int digits = isnormal(value) ? 15 : 1;

	do
		snprintf(out, 40, "%.*g", digits, value);
	while (digits++ < 17 && strtod(out, NULL) != value);
	uselocale(before);
}

void json_number(struct text *text, double value)
{
	char out[40];

	if (!isfinite(value)) {
		text_add_chars(text, "null", 4);
	} else if (is_short_whole(value)) {
		if (value < 0)
			text_add_char(text, '-');
		add_digits(text, (uint64_t)fabs(value));
	} else {
		print_shortest(out, value);
		text_add_chars(text, out, strlen(out));
	}
}

/* ---- members ---------------------------------------------------------- */

/* A copy in strict UTF-8, so that it can be read again. An invalid byte becomes
 * one '?', so that the length does not change. A text longer than the reader's
 * limit is not shortened: json_check() detects it on saving. */
static char *clean(const char *chars)
{
	size_t length = strlen(chars), at = 0;
	char *copy = xstrdup(chars);

	while (at < length) {
		unsigned code;
		size_t size = utf8_read(copy + at, length - at, &code);

		if (!size)
			copy[at] = '?';
		at += size ? size : 1;
	}
	return copy;
}

static cJSON *add_item(cJSON *to, const char *name, cJSON *item)
{
	if (!name) {
		cJSON_AddItemToArray(to, item);
		return item;
	}
	char *safe = clean(name);
	cJSON_AddItemToObject(to, safe, item);
	free(safe);
	return item;
}

cJSON *json_add_object(cJSON *to, const char *name)
{
	return add_item(to, name, cJSON_CreateObject());
}

cJSON *json_add_array(cJSON *to, const char *name)
{
	return add_item(to, name, cJSON_CreateArray());
}

void json_add_null(cJSON *to, const char *name)
{
	add_item(to, name, cJSON_CreateNull());
}

void json_add_raw(cJSON *object, const char *name, const char *json)
{
	add_item(object, name, cJSON_CreateRaw(json));
}

static void add_printed(cJSON *to, const char *name, struct text *printed)
{
	json_add_raw(to, name, text_chars(printed));
	text_free(printed);
}

void json_add_number(cJSON *object, const char *name, double value)
{
	struct text printed = { 0 };

	json_number(&printed, value);
	add_printed(object, name, &printed);
}

void json_add_whole(cJSON *object, const char *name, uint64_t value)
{
	struct text printed = { 0 };

	json_whole(&printed, value);
	add_printed(object, name, &printed);
}

void json_add_signed(cJSON *object, const char *name, int64_t value)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	const char *quote = size > (uint64_t)JSON_WHOLE_MAX ? "\"" : "";
	struct text printed = { 0 };

	text_add(&printed, "%s%lld%s", quote, (long long)value, quote);
	add_printed(object, name, &printed);
}

void json_add_text(cJSON *object, const char *name, const char *chars)
{
	char *safe = clean(chars);

	add_item(object, name, cJSON_CreateString(safe));
	free(safe);
}

void json_add_bool(cJSON *object, const char *name, bool value)
{
	add_item(object, name, cJSON_CreateBool(value));
}

/* ---- printing --------------------------------------------------------- */

static void print_escaped(struct text *text, unsigned code)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (const char *pair = letters; *pair; pair += 2)
		if ((unsigned char)*pair == code) {
			char out[2] = { '\\', pair[1] };

			text_add_chars(text, out, sizeof out);
			return;
		}
	text_add(text, "\\u%04x", code);
}

/* The bytes at the start that are printed as they are. */
static size_t plain_bytes(const char *chars, const char *end)
{
	const char *at = chars;

	while (at < end && *at != '"' && *at != '\\') {
		unsigned code;
		size_t size = utf8_read(at, (size_t)(end - at), &code);

		if (size && text_is_unsafe(code))
			break;
		at += size ? size : 1;
	}
	return (size_t)(at - chars);
}

void json_string(struct text *text, const char *chars)
{
	const char *end = chars + strlen(chars);

	text_add_char(text, '"');
	while (chars < end) {
		size_t plain = plain_bytes(chars, end);
		unsigned code;

		text_add_chars(text, chars, plain);
		chars += plain;
		if (chars == end)
			break;
		chars += utf8_read(chars, (size_t)(end - chars), &code);
		print_escaped(text, code);
	}
	text_add_char(text, '"');
}

/* Objects of the top three levels (session, run, point) have one member per
 * line. */
enum { SPREAD_LEVELS = 3 };

struct place {
	unsigned level;  /* of objects around this value */
	unsigned indent; /* spaces, if one member per line */
};

static void print_value(struct text *text, const cJSON *item,
	struct place place);

static void new_line(struct text *text, bool spread, unsigned indent)
{
	if (!spread)
		return;
	text_add_char(text, '\n');
	text_pad(text, ' ', indent);
}

static void print_children(struct text *text, const cJSON *item,
	struct place place)
{
	bool object = cJSON_IsObject(item);
	const cJSON *child = item->child;
	bool spread = place.level < SPREAD_LEVELS && child &&
		(object || cJSON_IsObject(child));
	struct place inner = { place.level + object, place.indent + 1 };

	text_add_char(text, object ? '{' : '[');
	for (; child; child = child->next) {
		new_line(text, spread, inner.indent);
		if (object) {
			json_string(text, child->string);
			text_add_char(text, ':');
		}
		print_value(text, child, inner);
		if (child->next)
			text_add_char(text, ',');
	}
	new_line(text, spread, place.indent);
	text_add_char(text, object ? '}' : ']');
}

static void print_value(struct text *text, const cJSON *item,
	struct place place)
{
	if (cJSON_IsObject(item) || cJSON_IsArray(item))
		print_children(text, item, place);
	else if (cJSON_IsString(item))
		json_string(text, item->valuestring);
	else if (cJSON_IsRaw(item))
		text_add_chars(text, item->valuestring,
			strlen(item->valuestring));
	else if (cJSON_IsNumber(item))
		json_number(text, item->valuedouble);
	else if (cJSON_IsBool(item))
		text_add(text, cJSON_IsTrue(item) ? "true" : "false");
	else
		text_add(text, "null");
}

void json_print(const cJSON *tree, struct text *text)
{
	print_value(text, tree, (struct place){ 0 });
	text_add_char(text, '\n');
}

void json_print_line(cJSON *tree, struct text *text)
{
	char *printed = cJSON_PrintUnformatted(tree);

	text_add_chars(text, printed, strlen(printed));
	free(printed);
	cJSON_Delete(tree);
}
