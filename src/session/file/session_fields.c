/* Struct fields as JSON members, written and read: texts and numbers. */
#include "session_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void fields_write(const struct field *field, const void *from, cJSON *object)
{
	for (; field->name; field++)
		field->kind->write(field, from, object);
}

void fields_read(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	for (; field->name && !reader->failed; field++)
		field->kind->read(field, base, reader, object);
}

void session_fail_at(struct json_reader *reader, const char *name,
	const char *sentence)
{
	json_path_member(&reader->path, name);
	json_fail(reader, "%s", sentence);
	json_path_up(&reader->path);
}

/* ---- texts ------------------------------------------------------------ */

void session_check_text(struct json_reader *reader, const char *chars,
	const char *allowed)
{
	struct text safe = { 0 };

	for (const char *at = chars; *at && !reader->failed;) {
		size_t length = strcspn(at, allowed);

		text_clear(&safe);
		text_add_safe(&safe, at, length);
		if (safe.length != length)
			json_fail(reader,
				"%s has a control character, expected %s",
				text_quoted(chars).chars,
				*allowed ? "text, tabs and line breaks" :
					   "text on one line");
		at += length;
		at += strspn(at, allowed);
	}
	text_free(&safe);
}

/* Checks the text of an entered member and leaves the member. `item` is NULL if
 * none was entered; the text is then "". */
static const char *leave_text(struct json_reader *reader, const cJSON *item,
	const char *allowed)
{
	if (!item)
		return "";
	session_check_text(reader, item->valuestring, allowed);
	json_leave(reader);
	return reader->failed ? "" : item->valuestring;
}

static const char *get_text(struct json_reader *reader, const cJSON *object,
	const char *name, const char *allowed)
{
	return leave_text(reader,
		json_enter(reader, object, name, cJSON_String), allowed);
}

const char *session_get_item(struct json_reader *reader, const cJSON *member)
{
	return leave_text(reader,
		json_enter_member(reader, member, cJSON_String), "");
}

const char *session_get_text(struct json_reader *reader, const cJSON *object,
	const char *name)
{
	return get_text(reader, object, name, "");
}

void session_add_text(cJSON *object, const char *name, const char *chars,
	const char *allowed)
{
	const char *end = chars + strlen(chars);
	struct text line = { 0 }, safe = { 0 };

	while (chars < end) {
		unsigned code;
		size_t size = utf8_read(chars, (size_t)(end - chars), &code);

		size = size ? size : 1;
		text_clear(&safe);
		text_add_safe(&safe, chars, size);
		if (safe.length == size || strchr(allowed, *chars))
			text_add_chars(&line, chars, size);
		else
			text_add_char(&line, '?');
		chars += size;
	}
	json_add_text(object, name, text_chars(&line));
	text_free(&line);
	text_free(&safe);
}

static void write_chars(const struct field *field, const void *from,
	cJSON *object)
{
	session_add_text(object, field->name, field_at(field, from), "");
}

static void read_chars(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	const char *chars = session_get_text(reader, object, field->name);
	size_t length = strlen(chars);

	if (length >= field->size) {
		session_fail_at(reader, field->name, "longer than its field");
		return;
	}
	memcpy(field_into(field, base), chars, length + 1);
}

const struct field_kind kind_chars = { write_chars, read_chars };

static void write_string(const struct field *field, const void *from,
	cJSON *object)
{
	const char *chars = *(char *const *)field_at(field, from);

	session_add_text(object, field->name, chars ? chars : "", "");
}

static void read_string(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	char **slot = field_into(field, base);

	free(*slot);
	*slot = xstrdup(session_get_text(reader, object, field->name));
}

const struct field_kind kind_string = { write_string, read_string };

static void write_prose(const struct field *field, const void *from,
	cJSON *object)
{
	const char *chars = *(char *const *)field_at(field, from);

	session_add_text(object, field->name, chars ? chars : "", "\t\n");
}

static void read_prose(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	char **slot = field_into(field, base);

	free(*slot);
	*slot = xstrdup(get_text(reader, object, field->name, "\t\n"));
}

const struct field_kind kind_prose = { write_prose, read_prose };

static void write_optional(const struct field *field, const void *from,
	cJSON *object)
{
	if (*(char *const *)field_at(field, from))
		write_string(field, from, object);
	else
		json_add_null(object, field->name);
}

static void read_optional(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	if (!cJSON_IsNull(json_find(object, field->name)))
		read_string(field, base, reader, object);
}

const struct field_kind kind_optional = { write_optional, read_optional };

/* ---- numbers ---------------------------------------------------------- */

static void write_number(const struct field *field, const void *from,
	cJSON *object)
{
	json_add_number(object, field->name,
		*(const double *)field_at(field, from));
}

static void read_number(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	double *slot = field_into(field, base);

	if (cJSON_IsNull(json_find(object, field->name)))
		*slot = NAN;
	else
		*slot = json_get_number(reader, object, field->name);
}

const struct field_kind kind_number = { write_number, read_number };

static void write_unsigned(const struct field *field, const void *from,
	cJSON *object)
{
	json_add_whole(object, field->name,
		*(const unsigned *)field_at(field, from));
}

static void read_unsigned(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	uint64_t value = json_get_whole(reader, object, field->name);

	if (value > UINT_MAX)
		session_fail_at(reader, field->name, "larger than 4294967295");
	*(unsigned *)field_into(field, base) = (unsigned)value;
}

const struct field_kind kind_unsigned = { write_unsigned, read_unsigned };

static void write_cpu(const struct field *field, const void *from,
	cJSON *object)
{
	int value = *(const int *)field_at(field, from);

	if (value < 0)
		json_add_null(object, field->name);
	else
		json_add_signed(object, field->name, value);
}

static void read_cpu(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	int *slot = field_into(field, base);

	*slot = -1;
	if (cJSON_IsNull(json_find(object, field->name)))
		return;
	uint64_t value = json_get_whole(reader, object, field->name);
	if (value > INT_MAX)
		session_fail_at(reader, field->name, "larger than 2147483647");
	else
		*slot = (int)value;
}

const struct field_kind kind_cpu = { write_cpu, read_cpu };

static void write_sibling(const struct field *field, const void *base,
	cJSON *object)
{
	const struct sibling *sibling = field_at(field, base);

	if (sibling->answer == SIBLING_NONE)
		json_add_null(object, field->name);
	else if (sibling->answer == SIBLING_FOUND)
		json_add_signed(object, field->name, sibling->cpu);
}

static void read_sibling(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	struct sibling *sibling = field_into(field, base);
	struct field number = { .offset = 0, .name = field->name };
	int cpu;

	*sibling = (struct sibling){ 0 };
	if (!json_find(object, field->name))
		return;
	read_cpu(&number, &cpu, reader, object);
	*sibling = cpu < 0 ? (struct sibling){ .answer = SIBLING_NONE } :
			     (struct sibling){ SIBLING_FOUND, cpu };
}

const struct field_kind kind_sibling = { write_sibling, read_sibling };

static void write_auto(const struct field *field, const void *from,
	cJSON *object)
{
	int64_t value = *(const int64_t *)field_at(field, from);

	if (value == PARAM_AUTO)
		json_add_null(object, field->name);
	else
		json_add_signed(object, field->name, value);
}

static void read_auto(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	int64_t *slot = field_into(field, base);

	*slot = PARAM_AUTO;
	if (cJSON_IsNull(json_find(object, field->name)))
		return;
	uint64_t value = json_get_whole(reader, object, field->name);
	if (value > INT64_MAX)
		session_fail_at(reader, field->name, "larger than 2^63 - 1");
	else
		*slot = (int64_t)value;
}

const struct field_kind kind_auto = { write_auto, read_auto };

static void write_seconds(const struct field *field, const void *from,
	cJSON *object)
{
	int64_t ns = *(const int64_t *)field_at(field, from);

	json_add_number(object, field->name, (double)ns / 1e9);
}

static void read_seconds(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	double seconds = json_get_number(reader, object, field->name);

	/* Up to a month, a double of seconds keeps each nanosecond. */
	if (fabs(seconds) > 31 * 86400.0)
		session_fail_at(reader, field->name, "longer than a month");
	else
		*(int64_t *)field_into(field, base) = llround(seconds * 1e9);
}

const struct field_kind kind_seconds = { write_seconds, read_seconds };

static void write_seed(const struct field *field, const void *from,
	cJSON *object)
{
	struct text digits = { 0 };
	uint64_t seed = *(const uint64_t *)field_at(field, from);

	text_add(&digits, "%llu", (unsigned long long)seed);
	json_add_text(object, field->name, text_chars(&digits));
	text_free(&digits);
}

static void read_seed(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	json_get_text(reader, object, field->name);
	*(uint64_t *)field_into(field, base) =
		json_get_whole(reader, object, field->name);
}

const struct field_kind kind_seed = { write_seed, read_seed };
