/*
 * State of json_check(); private to the files of the check.
 */
#ifndef BENCHTOP_JSON_SCAN_H
#define BENCHTOP_JSON_SCAN_H

#include "json_internal.h"

/* Hash of a member name of an object that is still open. */
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
	const char *wrong; /* the error sentence; NULL: no error */
	size_t wrong_at;
};

/* Stores an error and its position; returns false. */
static inline bool wrong(struct scan *scan, size_t at, const char *sentence)
{
	scan->wrong = sentence;
	scan->wrong_at = at;
	return false;
}

/* The current byte, or -1 at the end. */
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

/* Both start at the first character and end after the last. The hash is for the
 * decoded string. */
bool scan_string(struct scan *, uint64_t *hash);
bool scan_number(struct scan *);

#endif
