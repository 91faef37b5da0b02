/*
 * What the files of json.h share with one another and with the session's.
 *
 * The json_add functions append to an array where `name` is NULL.
 */
#ifndef BENCHTOP_JSON_INTERNAL_H
#define BENCHTOP_JSON_INTERNAL_H

#include <locale.h>

#include "json.h"

enum {
	/* Of a text, all together: libcjson spends 80 bytes on each. */
	JSON_VALUES_MAX = 24 << 20,
};

/* Numbers are printed and read in the C locale, whatever the program's. */
locale_t json_locale(void);
/* libcjson then ends the program like xmalloc() when memory is gone. */
void json_use_memory(void);

/* 2^53: every whole number up to here is a double. */
#define JSON_WHOLE_MAX 9007199254740992.0

/* Adds an empty object or array and returns it. */
cJSON *json_add_object(cJSON *to, const char *name);
cJSON *json_add_array(cJSON *to, const char *name);
void json_add_null(cJSON *to, const char *name);
/* A whole number as an element of a raw array. */
void json_whole(struct text *, uint64_t value);

/* A name's end, where all of it would leave no room for the sentence. */
const char *json_name_shown(const char *name);

/* Is this text JSON that json_parse() takes? */
int json_check(const char *chars, size_t length, const char *name,
	struct error *);

/* Paths: ".name", "[3]", "[\"odd name\"]"; up removes the last step. */
void json_path_member(struct text *path, const char *name);
void json_path_element(struct text *path, size_t index);
void json_path_up(struct text *path);

/* A member, or NULL where it is missing; never fails. */
const cJSON *json_find(const cJSON *object, const char *name);
/* Enters a member that is at hand already: finding it by name takes as long as
 * there are members in front of it. */
const cJSON *json_enter_member(struct json_reader *, const cJSON *member,
	int type);
/* Enters an element of the array that was entered last. `type` may name
 * several, cJSON_Object | cJSON_NULL. */
const cJSON *json_enter_element(struct json_reader *, const cJSON *element,
	size_t index, int type);
/* The value of an element or a member itself, for arrays of samples. False
 * where it is no whole number. */
bool json_is_whole(const cJSON *, uint64_t *value);

#endif
