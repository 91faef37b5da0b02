/*
 * A text on its way through json_check(): private to the check's files.
 */
#ifndef BENCHTOP_JSON_SCAN_H
#define BENCHTOP_JSON_SCAN_H

#include "json_internal.h"

/* A member name of an object that is still open, by its hash. */
struct key {
	uint64_t hash;
	size_t at;
};

struct scan {
	const char *chars;
	size_t length, at;
	size_t values;
	unsigned depth;
	struct key *keys; /* of all open objects, the innermost last */
	size_t key_count, key_capacity;
	const char *wrong; /* the sentence; NULL while all is well */
	size_t wrong_at;
};

/* Remembers what is wrong where, and returns false. */
static inline bool wrong(struct scan *scan, size_t at, const char *sentence)
{
	scan->wrong = sentence;
	scan->wrong_at = at;
	return false;
}

/* The byte at `at`, or -1 at the end. */
static inline int peek(const struct scan *scan)
{
	return scan->at < scan->length ? (unsigned char)scan->chars[scan->at] :
					 -1;
}

static inline bool skip_char(struct scan *scan, char c)
{
	if (peek(scan) != c)
		return false;
	scan->at++;
	return true;
}

/* Both stand at the first character, and past the last afterwards. The hash is
 * that of what a string stands for, its escapes resolved. */
bool scan_string(struct scan *, uint64_t *hash);
bool scan_number(struct scan *);

#endif
