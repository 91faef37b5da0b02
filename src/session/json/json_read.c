/* Reading JSON: a checked tree, and members by name with a path for errors. */
#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "available.h"
#include "file.h"
#include "json_gzip.h"
#include "json_internal.h"
#include "unit.h"

const char *json_name_shown(const char *name)
{
	enum { SHOWN_MOST = 160 };
	size_t length = strlen(name);

	return length > SHOWN_MOST ? name + length - SHOWN_MOST : name;
}

/* Refuses to use more memory than is available, before the out-of-memory killer
 * ends the lab. */
static int ask_memory(const char *name, size_t bytes, struct error *error)
{
	enum { SMALL = 16 << 20 }; /* not worth a question to the kernel */
	uint64_t available = bytes < SMALL ? bytes : memory_available("");
	struct text a = { 0 }, b = { 0 };

	if (bytes <= available)
		return 0;
	unit_show(&a, UNIT_BYTES, (double)bytes);
	unit_show(&b, UNIT_BYTES, (double)available);
	error_set(error, STATUS_INTERNAL,
		"'%s' needs %s of memory, %s are available: close other "
		"programs, or read it on a larger machine",
		json_name_shown(name), a.chars, b.chars);
	text_free(&a);
	text_free(&b);
	return -1;
}

/* Replaces the text. */
static int decompress(const char *path, struct text *text, struct error *error)
{
	struct text packed = *text;
	size_t bytes = json_gzip_bytes(packed.chars, packed.length);

	*text = (struct text){ 0 };
	int failed = ask_memory(path, 3 * bytes, error) ||
		json_gunzip(packed.chars, packed.length, json_name_shown(path),
			text, error);
	text_free(&packed);
	return failed ? -1 : 0;
}

int json_read_file(const char *path, struct text *text, struct error *error)
{
	struct stat is;
	bool known = !stat(path, &is) && S_ISREG(is.st_mode) &&
		is.st_size <= JSON_BYTES_MAX;

	/* A growing text is copied to twice its size. */
	if (known && ask_memory(path, 3 * (size_t)is.st_size, error))
		return -1;
	if (file_read(path, JSON_BYTES_MAX, text, error))
		return -1;
	return json_is_gzip(text->chars, text->length) ?
		decompress(path, text, error) :
		0;
}

cJSON *json_parse(const char *chars, size_t length, const char *name,
	struct error *error)
{
	size_t values;

	if (json_check(chars, length, name, &values, error) ||
		ask_memory(name, values * JSON_VALUE_BYTES, error))
		return NULL;
	json_use_memory();
	/* libcjson uses the locale's decimal point. */
	locale_t before = uselocale(json_locale());
	cJSON *tree = cJSON_ParseWithLengthOpts(chars, length, NULL, false);
	uselocale(before);
	if (!tree)
		error_set(error, STATUS_INTERNAL, "%s: libcjson cannot parse "
			"it",
			json_name_shown(name));
	return tree;
}

/* ---- paths ------------------------------------------------------------ */

static bool is_word(const char *name)
{
	const char *at = name;

	while (isalnum((unsigned char)*at) || *at == '_' || *at == '-')
		at++;
	return *at == '\0' && at > name;
}

/* A double quote in the name is replaced, so that json_path_up() can search
 * from the end. */
static void add_odd_name(struct text *path, const char *name)
{
	enum { SHOWN_MOST = 40 };
	struct text safe = { 0 };
	size_t length = strlen(name);

	text_add_safe(&safe, name, length < SHOWN_MOST ? length : SHOWN_MOST);
	text_add(path, "[\"");
	for (const char *at = text_chars(&safe); *at; at++)
		text_add_char(path, (char)(*at == '"' ? '\'' : *at));
	text_add(path, "%s\"]", length > SHOWN_MOST ? ".." : "");
	text_free(&safe);
}

void json_path_member(struct text *path, const char *name)
{
	if (!is_word(name) || strlen(name) > 80)
		add_odd_name(path, name);
	else
		text_add(path, "%s%s", path->length ? "." : "", name);
}

void json_path_element(struct text *path, size_t index)
{
	text_add(path, "[%zu]", index);
}

void json_path_up(struct text *path)
{
	size_t at = path->length;

	if (!at)
		return;
	if (at > 2 && path->chars[at - 1] == ']' && path->chars[at - 2] == '"')
		for (at -= 2; path->chars[at - 1] != '"'; at--)
			;
	do
		at--;
	while (at && path->chars[at] != '.' && path->chars[at] != '[');
	path->length = at;
	path->chars[at] = '\0';
}

/* ---- failures --------------------------------------------------------- */

void json_fail(struct json_reader *reader, const char *format, ...)
{
	struct text sentence = { 0 };
	va_list list;

	if (reader->failed)
		return;
	reader->failed = true;
	va_start(list, format);
	text_vadd(&sentence, format, list);
	va_end(list);
	reader->error->line = 0;
	reader->error->column = 0;
	error_set(reader->error, STATUS_INPUT, "%s: %s%s%s",
		json_name_shown(reader->name), text_chars(&reader->path),
		reader->path.length ? ": " : "", text_chars(&sentence));
	text_free(&sentence);
}

static const char *type_words(int type)
{
	static const struct {
		int type;
		const char *words;
	} rows[] = {
		{ cJSON_Object, "an object" },
		{ cJSON_Array, "an array" },
		{ cJSON_Number, "a number" },
		{ cJSON_String, "a string" },
		{ cJSON_True, "true or false" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].type & type)
			return rows[i].words;
	return "null";
}

static void fail_type(struct json_reader *reader, const cJSON *found, int type)
{
	json_fail(reader, "%sexpected %s%s", found ? "" : "missing, ",
		type_words(type), type & cJSON_NULL ? " or null" : "");
}

const cJSON *json_find(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- entering --------------------------------------------------------- */

/* The step to `found` is already in the path; it is removed if the type is
 * wrong. */
static const cJSON *enter(struct json_reader *reader, const cJSON *found,
	int type)
{
	if (found && (found->type & 0xff & type))
		return found;
	fail_type(reader, found, type);
	json_path_up(&reader->path);
	return NULL;
}

const cJSON *json_enter(struct json_reader *reader, const cJSON *object,
	const char *name, int type)
{
	if (reader->failed || !object)
		return NULL;
	json_path_member(&reader->path, name);
	return enter(reader, json_find(object, name), type);
}

const cJSON *json_enter_member(struct json_reader *reader, const cJSON *member,
	int type)
{
	if (reader->failed || !member)
		return NULL;
	json_path_member(&reader->path, member->string);
	return enter(reader, member, type);
}

const cJSON *json_enter_element(struct json_reader *reader,
	const cJSON *element, size_t index, int type)
{
	if (reader->failed || !element)
		return NULL;
	json_path_element(&reader->path, index);
	return enter(reader, element, type);
}

void json_leave(struct json_reader *reader)
{
	json_path_up(&reader->path);
}

/* ---- members ---------------------------------------------------------- */

double json_get_number(struct json_reader *reader, const cJSON *object,
	const char *name)
{
	const cJSON *item = json_enter(reader, object, name, cJSON_Number);

	if (!item)
		return 0;
	json_leave(reader);
	return item->valuedouble;
}

/* Decimal digits without leading zeros. */
static bool read_digits(const char *chars, uint64_t *value)
{
	size_t count = strspn(chars, "0123456789");

	if (!count || chars[count] || (chars[0] == '0' && count > 1))
		return false;
	*value = 0;
	for (; *chars; chars++)
		if (__builtin_mul_overflow(*value, 10u, value) ||
			__builtin_add_overflow(*value, (unsigned)(*chars - '0'),
				value))
			return false;
	return true;
}

bool json_is_whole(const cJSON *item, uint64_t *value)
{
	if (cJSON_IsString(item))
		return read_digits(item->valuestring, value);
	if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
		item->valuedouble > JSON_WHOLE_MAX)
		return false;
	*value = (uint64_t)item->valuedouble;
	return (double)*value == item->valuedouble;
}

uint64_t json_get_whole(struct json_reader *reader, const cJSON *object,
	const char *name)
{
	const cJSON *item =
		json_enter(reader, object, name, cJSON_Number | cJSON_String);
	uint64_t value;

	if (!item)
		return 0;
	if (!json_is_whole(item, &value)) {
		json_fail(reader,
			"expected a whole number, as a string above 2^53");
		value = 0;
	}
	json_leave(reader);
	return value;
}

bool json_get_bool(struct json_reader *reader, const cJSON *object,
	const char *name)
{
	const cJSON *item =
		json_enter(reader, object, name, cJSON_True | cJSON_False);

	if (!item)
		return false;
	json_leave(reader);
	return cJSON_IsTrue(item);
}

const char *json_get_text(struct json_reader *reader, const cJSON *object,
	const char *name)
{
	const cJSON *item = json_enter(reader, object, name, cJSON_String);

	if (!item)
		return "";
	json_leave(reader);
	return item->valuestring;
}
