/*
 * JSON without loss, based on libcjson.
 *
 * Writing: numbers are formatted here, so that they round-trip, and inserted
 * raw, because libcjson prints 15 digits. Whole arrays of samples are inserted
 * as one raw text.
 *
 * A tree and then a text, not a stream: the whole text is checked before it
 * replaces a file. The tree needs most of the memory: a session of 5 million
 * trials (54 MB) takes 900 MB while it is loaded (bench_scale). So a text whose
 * tree would not fit into the available memory is refused.
 *
 * Reading: before libcjson parses a text, it is checked for size, depth, strict
 * UTF-8, the number grammar of RFC 8259, U+0000 and duplicate names, because
 * libcjson accepts violations silently. Look-ups are case-sensitive.
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

/* Adds the shortest text that reads back as the same double; "null" for NaN and
 * infinities. Always in the C locale. */
void json_number(struct text *, double value);

/* Adds a string in quotes. Characters that could affect a terminal are escaped,
 * so that a file can be shown by `cat`. */
void json_string(struct text *, const char *chars);

void json_add_number(cJSON *object, const char *name, double value);
/* A number up to 2^53, a decimal string above. */
void json_add_whole(cJSON *object, const char *name, uint64_t value);
void json_add_signed(cJSON *object, const char *name, int64_t value);
void json_add_text(cJSON *object, const char *name, const char *chars);
void json_add_bool(cJSON *object, const char *name, bool value);
void json_add_null(cJSON *object, const char *name);
/* Text that is already JSON, such as an array of samples. */
void json_add_raw(cJSON *object, const char *name, const char *json);

/* Adds the compact text of a tree. Members of the top three levels are on
 * separate lines, so that files can be compared with diff. */
void json_print(const cJSON *, struct text *);
/* Adds the text of a tree on one line, and deletes the tree. */
void json_print_line(cJSON *, struct text *);

/* Reads a file into an empty text, at most JSON_BYTES_MAX; one that gzip has
 * compressed is decompressed. Returns 0, or -1 with an error: it cannot be
 * read, is too large, or there is not enough memory. */
int json_read_file(const char *path, struct text *, struct error *);
/* Checks and parses a text; the caller frees the tree with cJSON_Delete(). On
 * error the message has the name, and error->line and column are set.
 * STATUS_INTERNAL: the text is valid, but its tree needs more memory than is
 * available. */
cJSON *json_parse(const char *chars, size_t length, const char *name,
	struct error *);

/* The position of a reader in a tree, for messages: "runs[0].points[2].args".
 * The first failure is kept. Later getters return harmless values, so that a
 * reader can check once at the end of an object. */
struct json_reader {
	const char *name; /* of the file */
	struct text path;
	struct error *error;
	bool failed;
};
/* Enter and leave a member. json_enter() returns it, or fails with NULL if it
 * is missing or of another type. */
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
