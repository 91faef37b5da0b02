/*
 * Checks that a text is JSON: strictly RFC 8259, in UTF-8, within the limits of
 * json.h, and without anything that would be lost: duplicate names, U+0000,
 * numbers that a double cannot represent.
 */
#include "json_scan.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void skip_space(struct scan *scan)
{
	int c;

	while ((c = peek(scan)) == ' ' || c == '\n' || c == '\t' || c == '\r')
		scan->at++;
}

static bool scan_value(struct scan *scan);

static bool scan_array(struct scan *scan)
{
	size_t start = scan->at++;

	skip_space(scan);
	if (skip_char(scan, ']'))
		return true;
	for (;;) {
		if (!scan_value(scan))
			return false;
		skip_space(scan);
		if (skip_char(scan, ']'))
			return true;
		if (scan->at >= scan->length)
			return wrong(scan, start, "an unterminated array");
		if (!skip_char(scan, ','))
			return wrong(scan, scan->at, "expected , or ]");
	}
}

static void push_key(struct scan *scan, uint64_t hash, size_t at)
{
	if (scan->key_count == scan->key_capacity) {
		scan->key_capacity = scan->key_capacity * 2 + 64;
		scan->keys = xrealloc(scan->keys, scan->key_capacity,
			sizeof *scan->keys);
	}
	scan->keys[scan->key_count++] = (struct key){ hash, at };
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Checks the names of an object that has ended, from `first`. Two names with
 * the same hash count as equal: a collision is less likely than a disk
 * error. */
static bool check_keys(struct scan *scan, size_t first)
{
	struct key *keys = scan->keys + first;
	size_t count = scan->key_count - first;

	if (count > 1)
		qsort(keys, count, sizeof *keys, compare_keys);
	for (size_t i = 1; i < count; i++)
		if (keys[i].hash == keys[i - 1].hash)
			return wrong(scan, keys[i].at,
				"a second member of this name");
	scan->key_count = first;
	return true;
}

static bool scan_member(struct scan *scan)
{
	uint64_t hash;
	size_t at = scan->at;

	if (peek(scan) != '"')
		return wrong(scan, at, "expected a name in double quotes");
	if (!scan_string(scan, &hash))
		return false;
	push_key(scan, hash, at);
	skip_space(scan);
	if (!skip_char(scan, ':'))
		return wrong(scan, scan->at, "expected : after a name");
	return scan_value(scan);
}

static bool scan_object(struct scan *scan)
{
	size_t start = scan->at++, first = scan->key_count;

	skip_space(scan);
	if (skip_char(scan, '}'))
		return true;
	for (;;) {
		if (scan->key_count - first == JSON_MEMBERS_MAX)
			return wrong(scan, scan->at,
				"an object of more than 1024 members");
		if (!scan_member(scan))
			return false;
		skip_space(scan);
		if (skip_char(scan, '}'))
			return check_keys(scan, first);
		if (scan->at >= scan->length)
			return wrong(scan, start,
				"an unterminated object");
		if (!skip_char(scan, ','))
			return wrong(scan, scan->at, "expected , or }");
		skip_space(scan);
	}
}

static bool scan_word(struct scan *scan)
{
	static const char *const words[] = { "null", "true", "false" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t length = strlen(words[i]);

		if (scan->length - scan->at < length ||
			memcmp(scan->chars + scan->at, words[i], length) != 0)
			continue;
		scan->at += length;
		return true;
	}
	return wrong(scan, scan->at, "expected a value");
}

static bool scan_nested(struct scan *scan, bool (*inside)(struct scan *))
{
	if (scan->depth == JSON_DEPTH_MAX)
		return wrong(scan, scan->at, "nested deeper than 32 levels");
	scan->depth++;
	bool fine = inside(scan);
	scan->depth--;
	return fine;
}

static bool scan_value(struct scan *scan)
{
	uint64_t hash;

	skip_space(scan);
	_Static_assert(JSON_VALUES_MAX == 25165824, "as in the message");
	if (++scan->values > JSON_VALUES_MAX)
		return wrong(scan, scan->at, "more than 25165824 values");
	int c = peek(scan);
	if (c == '-' || (c >= '0' && c <= '9'))
		return scan_number(scan);
	if (c == '"')
		return scan_string(scan, &hash);
	if (c == '[')
		return scan_nested(scan, scan_array);
	if (c == '{')
		return scan_nested(scan, scan_object);
	return scan_word(scan);
}

static bool scan_text(struct scan *scan)
{
	if (scan->length > JSON_BYTES_MAX)
		return wrong(scan, 0, "larger than 256 MiB");
	if (scan->length >= 3 && !memcmp(scan->chars, "\xef\xbb\xbf", 3))
		return wrong(scan, 0, "a byte order mark, expected a value");
	if (!scan_value(scan))
		return false;
	skip_space(scan);
	if (scan->at < scan->length)
		return wrong(scan, scan->at,
			"expected the end of the file after the value");
	return true;
}

/* Lines and columns count from 1; a column is a character. */
static void set_place(const struct scan *scan, struct error *error)
{
	error->line = 1;
	error->column = 1;
	for (size_t i = 0; i < scan->wrong_at; i++) {
		unsigned char c = (unsigned char)scan->chars[i];

		if (c == '\n') {
			error->line++;
			error->column = 1;
		} else if ((c & 0xc0) != 0x80) {
			error->column++;
		}
	}
}

int json_check(const char *chars, size_t length, const char *name,
	size_t *values, struct error *error)
{
	struct scan scan = { .chars = chars, .length = length };

	locale_t before = uselocale(json_locale());
	bool fine = scan_text(&scan);
	uselocale(before);
	free(scan.keys);
	*values = scan.values;
	if (fine)
		return 0;
	set_place(&scan, error);
	return error_set(error, STATUS_INPUT, "%s:%d:%d: %s",
		json_name_shown(name), error->line, error->column, scan.wrong);
}
