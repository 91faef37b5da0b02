/*
 * Shared by the files of json.h and by the session's files.
 *
 * The json_add functions append to an array if `name` is NULL.
 */
#ifndef BENCHTOP_JSON_INTERNAL_H
#define BENCHTOP_JSON_INTERNAL_H

#include <locale.h>

#include "json.h"

enum {
	JSON_VALUES_MAX = 24 << 20, /* per text */
	/* Memory per value: libcjson uses 80 bytes, a session up to 16. */
	JSON_VALUE_BYTES = 96,
};

/* The C locale, in which numbers are printed and parsed. */
locale_t json_locale(void);
/* Makes libcjson end the program if memory is exhausted, like xmalloc(). */
void json_use_memory(void);

/* 2^53: every whole number up to here is exact as a double. */
#define JSON_WHOLE_MAX 9007199254740992.0

/* Adds an empty object or array and returns it. */
cJSON *json_add_object(cJSON *to, const char *name);
cJSON *json_add_array(cJSON *to, const char *name);
/* A whole number as an element of a raw array. */
void json_whole(struct text *, uint64_t value);

/* The end of a name that is too long for a message. */
const char *json_name_shown(const char *name);

/* Checks that a text is JSON that json_parse() accepts, and counts its values.
 * Returns 0, or -1 with an error; then *values are those before it. */
int json_check(const char *chars, size_t length, const char *name,
	size_t *values, struct error *);

/* Paths: ".name", "[3]", "[\"odd name\"]". json_path_up() removes the last
 * step. */
void json_path_member(struct text *path, const char *name);
void json_path_element(struct text *path, size_t index);
void json_path_up(struct text *path);

/* A member, or NULL if it is missing; never fails. */
const cJSON *json_find(const cJSON *object, const char *name);
/* Enters a member that was already found: a search by name takes time
 * proportional to the preceding members. */
const cJSON *json_enter_member(struct json_reader *, const cJSON *member,
	int type);
/* Enters an element of the array that was entered last. `type` may combine
 * several types, cJSON_Object | cJSON_NULL. */
const cJSON *json_enter_element(struct json_reader *, const cJSON *element,
	size_t index, int type);
/* The value of an element or member, for arrays of samples. False if it is not
 * a whole number. */
bool json_is_whole(const cJSON *, uint64_t *value);

#endif
