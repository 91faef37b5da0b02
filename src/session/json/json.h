/*
 * JSON without loss, on top of libcjson.
 *
 * Writing: numbers are printed here, to round-trip, and inserted raw, because
 * libcjson prints 15 digits; whole arrays of samples are inserted as one raw
 * text. Reading: a text is checked for size, depth, strict UTF-8, numbers of
 * the grammar of RFC 8259, U+0000 and duplicate names before libcjson sees
 * it, because libcjson accepts all of that silently; look-ups are
 * case-sensitive.
 */
#ifndef BENCHTOP_JSON_H
#define BENCHTOP_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

enum {
	JSON_BYTES_MAX = 256 << 20,
	JSON_DEPTH_MAX = 32,
	JSON_STRING_MAX = 64 << 10,
	JSON_NUMBER_MAX = 40,
	JSON_MEMBERS_MAX = 1024,
};

/* The shortest text that reads back as the same double; "null" for NaN and
 * infinities. In the C locale, whatever the program's. */
void json_number(struct text *, double value);

void json_add_number(cJSON *object, const char *name, double value);
/* A number up to 2^53, a decimal string above. */
void json_add_whole(cJSON *object, const char *name, uint64_t value);
void json_add_signed(cJSON *object, const char *name, int64_t value);
void json_add_text(cJSON *object, const char *name, const char *chars);
void json_add_bool(cJSON *object, const char *name, bool value);
/* Text that is JSON already: an array of samples. */
void json_add_raw(cJSON *object, const char *name, const char *json);

/* Compact text of a tree; one line per run and point would be hard to diff,
 * so members of the top three levels stand on lines of their own. */
void json_print(const cJSON *, struct text *);

/* Checks and parses; the tree is freed with cJSON_Delete. On error the
 * sentence has the name, and error->line and column are set. */
cJSON *json_parse(const char *chars, size_t length, const char *name,
	struct error *);

/* Where in a tree a reader is, for sentences: "runs[0].points[2].args". The
 * first failure is kept; after it every getter returns a harmless value, so
 * that a reader checks once at the end of an object. */
struct json_reader {
	const char *name; /* of the file */
	struct text path;
	struct error *error;
	bool failed;
};
/* Enter and leave a member or an element; returns it (NULL and failed where
 * it is missing or of another type). */
const cJSON *json_enter(struct json_reader *, const cJSON *object,
	const char *name, int type);
void json_leave(struct json_reader *);
/* Members of an object, all required. */
double json_get_number(struct json_reader *, const cJSON *, const char *name);
uint64_t json_get_whole(struct json_reader *, const cJSON *, const char *name);
bool json_get_bool(struct json_reader *, const cJSON *, const char *name);
/* Borrowed from the tree; "" after a failure. */
const char *json_get_text(struct json_reader *, const cJSON *,
	const char *name);
/* Fails with "FILE: PATH: sentence". */
void json_fail(struct json_reader *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
