/* Fields with a word from a list, and ranges. */
#include "session_internal.h"

#include <math.h>
#include <string.h>

/* The index of a word in a list; fails if it is not in the list. */
static unsigned word_index(struct json_reader *reader, const char *word,
	const char *const *words)
{
	struct text sentence = { 0 };

	for (unsigned i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	unit_quote(&sentence, word, strlen(word));
	for (unsigned i = 0; words[i]; i++)
		text_add(&sentence, "%s%s", i ? ", " : ", expected one of ",
			words[i]);
	json_fail(reader, "%s", text_chars(&sentence));
	text_free(&sentence);
	return 0;
}

static unsigned get_word(const struct field *field, struct json_reader *reader,
	const cJSON *object)
{
	const cJSON *item =
		json_enter(reader, object, field->name, cJSON_String);

	if (!item)
		return 0;
	unsigned index = word_index(reader, item->valuestring, field->words);
	json_leave(reader);
	return index;
}

static void write_word(const struct field *field, const void *from,
	cJSON *object)
{
	unsigned index = *(const unsigned *)field_at(field, from);

	json_add_text(object, field->name, field->words[index]);
}

static void read_word(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	*(unsigned *)field_into(field, base) = get_word(field, reader, object);
}

const struct field_kind kind_word = { write_word, read_word };

static void write_bool(const struct field *field, const void *from,
	cJSON *object)
{
	bool value = *(const bool *)field_at(field, from);

	if (field->words)
		json_add_text(object, field->name, field->words[value]);
	else
		json_add_bool(object, field->name, value);
}

static void read_bool(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	bool *slot = field_into(field, base);

	if (field->words)
		*slot = get_word(field, reader, object);
	else
		*slot = json_get_bool(reader, object, field->name);
}

const struct field_kind kind_bool = { write_bool, read_bool };

/* Written only if true: a member added in a minor version, false for most
 * objects. */
static void write_mark(const struct field *field, const void *from,
	cJSON *object)
{
	if (*(const bool *)field_at(field, from))
		json_add_bool(object, field->name, true);
}

static void read_mark(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	*(bool *)field_into(field, base) = json_find(object, field->name) &&
		json_get_bool(reader, object, field->name);
}

const struct field_kind kind_mark = { write_mark, read_mark };

/* Written only if it is not 0, which means unknown. */
static void write_known(const struct field *field, const void *from,
	cJSON *object)
{
	double value = *(const double *)field_at(field, from);

	if (value != 0)
		json_add_number(object, field->name, value);
}

static void read_known(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	double *slot = field_into(field, base);

	*slot = 0;
	if (json_find(object, field->name))
		*slot = json_get_number(reader, object, field->name);
}

const struct field_kind kind_known = { write_known, read_known };

static void write_counted(const struct field *field, const void *from,
	cJSON *object)
{
	if (*(const unsigned *)field_at(field, from))
		kind_unsigned.write(field, from, object);
}

static void read_counted(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	*(unsigned *)field_into(field, base) = 0;
	if (json_find(object, field->name))
		kind_unsigned.read(field, base, reader, object);
}

const struct field_kind kind_counted = { write_counted, read_counted };

static void write_filled(const struct field *field, const void *from,
	cJSON *object)
{
	if (*(const char *)field_at(field, from))
		kind_chars.write(field, from, object);
}

static void read_filled(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	*(char *)field_into(field, base) = '\0';
	if (json_find(object, field->name))
		kind_chars.read(field, base, reader, object);
}

const struct field_kind kind_filled = { write_filled, read_filled };

static void write_set(const struct field *field, const void *from,
	cJSON *object)
{
	unsigned bits = *(const unsigned *)field_at(field, from);
	cJSON *list = json_add_array(object, field->name);

	for (unsigned i = 0; field->words[i]; i++)
		if (bits & (1u << i))
			json_add_text(list, NULL, field->words[i]);
}

static void read_set(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	unsigned *slot = field_into(field, base);
	const cJSON *list =
		json_enter(reader, object, field->name, cJSON_Array);
	const cJSON *item = list ? list->child : NULL;

	*slot = 0;
	for (size_t i = 0; item; item = item->next, i++) {
		if (!json_enter_element(reader, item, i, cJSON_String))
			break;
		*slot |= 1u
			<< word_index(reader, item->valuestring, field->words);
		json_leave(reader);
	}
	if (list)
		json_leave(reader);
}

const struct field_kind kind_set = { write_set, read_set };

static void write_unit(const struct field *field, const void *from,
	cJSON *object)
{
	json_add_text(object, field->name,
		unit_name(*(const enum unit *)field_at(field, from)));
}

static void read_unit(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	const char *words[UNIT_COUNTS + 1] = { NULL };
	struct field all = *field;

	for (int unit = 0; unit < UNIT_COUNTS; unit++)
		words[unit] = unit_name((enum unit)unit);
	all.words = words;
	*(enum unit *)field_into(field, base) =
		(enum unit)get_word(&all, reader, object);
}

const struct field_kind kind_unit = { write_unit, read_unit };

/* An unknown word is kept, unlike in other fields, because no figure depends on
 * it. */
static void write_stop(const struct field *field, const void *from,
	cJSON *object)
{
	session_add_text(object, field->name, stop_word(field_at(field, from)),
		"");
}

static void read_stop(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	const char *word = session_get_text(reader, object, field->name);

	if (!stop_read(field_into(field, base), word))
		session_fail_at(reader, field->name, "longer than its field");
}

const struct field_kind kind_stop = { write_stop, read_stop };

void session_write_range(cJSON *to, const char *name, bool exists, double low,
	double high)
{
	if (!exists) {
		json_add_null(to, name);
		return;
	}
	cJSON *pair = json_add_array(to, name);
	json_add_number(pair, NULL, low);
	json_add_number(pair, NULL, high);
}

static void write_range(const struct field *field, const void *from,
	cJSON *object)
{
	const struct range *range = field_at(field, from);

	session_write_range(object, field->name, true, range->low, range->high);
}

static double range_end(struct json_reader *reader, const cJSON *end,
	size_t index)
{
	const cJSON *item = json_enter_element(reader, end, index,
		cJSON_Number | cJSON_NULL);

	if (!item)
		return NAN;
	json_leave(reader);
	return cJSON_IsNull(item) ? NAN : item->valuedouble;
}

void session_read_range(struct json_reader *reader, const cJSON *object,
	const char *name, struct range *range)
{
	const cJSON *pair = json_enter(reader, object, name, cJSON_Array);
	const cJSON *low = pair ? pair->child : NULL;
	const cJSON *high = low ? low->next : NULL;

	if (!pair)
		return;
	if (!high || high->next)
		json_fail(reader, "expected [low, high]");
	range->low = range_end(reader, low, 0);
	range->high = range_end(reader, high, 1);
	json_leave(reader);
}

static void read_range(const struct field *field, void *base,
	struct json_reader *reader, const cJSON *object)
{
	session_read_range(reader, object, field->name,
		field_into(field, base));
}

const struct field_kind kind_range = { write_range, read_range };
