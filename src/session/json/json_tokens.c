/* Strings and numbers of JSON: syntax, and values that would be lost. */
#include "json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- strings ---------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
	/* FNV-1a */
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return hash;
}

static int hex_value(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool scan_hex(struct scan *scan, unsigned *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++) {
		int value = hex_value(peek(scan));

		if (value < 0)
			return wrong(scan, scan->at,
				"expected four hexadecimal digits after \\u");
		*code = *code << 4 | (unsigned)value;
		scan->at++;
	}
	return true;
}

/* After \u: one character, or a surrogate pair. */
static bool scan_unicode(struct scan *scan, unsigned *code)
{
	size_t start = scan->at - 2;
	unsigned low;

	if (!scan_hex(scan, code))
		return false;
	if (*code == 0)
		return wrong(scan, start, "U+0000 cannot be part of a text");
	if (*code < 0xd800 || *code > 0xdfff)
		return true;
	if (*code > 0xdbff || !skip_char(scan, '\\') || !skip_char(scan, 'u'))
		return wrong(scan, start, "half a surrogate pair");
	if (!scan_hex(scan, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return wrong(scan, start, "half a surrogate pair");
	*code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/* After a backslash: an escape. */
static bool scan_escape(struct scan *scan, char out[4], size_t *size)
{
	static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
	int c = peek(scan);
	unsigned code;

	for (const char *pair = pairs; *pair; pair += 2)
		if (*pair == c) {
			scan->at++;
			out[0] = pair[1];
			*size = 1;
			return true;
		}
	if (c != 'u')
		return wrong(scan, scan->at,
			"expected one of \" \\ / b f n r t u after a "
			"backslash");
	scan->at++;
	if (!scan_unicode(scan, &code))
		return false;
	*size = utf8_write(code, out);
	return true;
}

/* Decodes one character of a string. */
static bool scan_char(struct scan *scan, char out[4], size_t *size)
{
	unsigned code;

	if (skip_char(scan, '\\'))
		return scan_escape(scan, out, size);
	if ((unsigned char)scan->chars[scan->at] < ' ')
		return wrong(scan, scan->at,
			"a control character in a string must be written "
			"\\u00NN");
	*size = utf8_read(scan->chars + scan->at, scan->length - scan->at,
		&code);
	if (!*size)
		return wrong(scan, scan->at, "a byte that is not UTF-8");
	memcpy(out, scan->chars + scan->at, *size);
	scan->at += *size;
	return true;
}

static bool is_plain(int c)
{
	return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

bool scan_string(struct scan *scan, uint64_t *hash)
{
	size_t start = scan->at++, decoded = 0;

	*hash = 0xcbf29ce484222325u;
	for (;;) {
		size_t size = 0;
		char out[4];

		while (is_plain(peek(scan)) && decoded <= JSON_STRING_MAX) {
			out[0] = scan->chars[scan->at++];
			*hash = hash_bytes(*hash, out, 1);
			decoded++;
		}
		if (scan->at >= scan->length)
			return wrong(scan, start, "an unterminated string");
		if (decoded > JSON_STRING_MAX)
			return wrong(scan, start,
				"a string longer than 64 KiB");
		if (skip_char(scan, '"'))
			return true;
		if (!scan_char(scan, out, &size))
			return false;
		*hash = hash_bytes(*hash, out, size);
		decoded += size;
	}
}

/* ---- numbers ---------------------------------------------------------- */

static size_t skip_digits(struct scan *scan)
{
	size_t start = scan->at;

	while (peek(scan) >= '0' && peek(scan) <= '9')
		scan->at++;
	return scan->at - start;
}

/* True if a double represents this whole number exactly. 15 digits always fit;
 * 20 digits exceed a uint64_t. */
static bool check_whole(struct scan *scan, size_t start, size_t digits)
{
	enum { DIGITS_FIT = 15, DIGITS_MOST = 19 };
	uint64_t value = 0;

	if (digits <= DIGITS_FIT)
		return true;
	for (size_t i = scan->at - digits; i < scan->at; i++)
		value = value * 10 + (uint64_t)(scan->chars[i] - '0');
	if (digits > DIGITS_MOST || (uint64_t)(double)value != value)
		return wrong(scan, start,
			"a whole number beyond the exact range of a double, "
			"expected a string");
	return true;
}

/* After the e. Only a large exponent can make a number too large. */
static bool scan_exponent(struct scan *scan, size_t start)
{
	char token[JSON_NUMBER_MAX + 1];

	bool negative = skip_char(scan, '-');
	if (!negative)
		skip_char(scan, '+');
	if (!skip_digits(scan))
		return wrong(scan, scan->at,
			"expected a digit of the exponent");
	size_t length = scan->at - start;
	if (negative || length > JSON_NUMBER_MAX)
		return true;
	memcpy(token, scan->chars + start, length);
	token[length] = '\0';
	return isfinite(strtod(token, NULL)) ||
		wrong(scan, start, "a number too large for a double");
}

bool scan_number(struct scan *scan)
{
	size_t start = scan->at;
	bool whole = true;

	skip_char(scan, '-');
	size_t digits = skip_char(scan, '0') ? 1 : skip_digits(scan);
	if (!digits)
		return wrong(scan, start, "expected a value");
	if (skip_char(scan, '.')) {
		whole = false;
		if (!skip_digits(scan))
			return wrong(scan, scan->at,
				"expected a digit after the point");
	}
	if (skip_char(scan, 'e') || skip_char(scan, 'E')) {
		whole = false;
		if (!scan_exponent(scan, start))
			return false;
	}
	if (scan->at - start > JSON_NUMBER_MAX)
		return wrong(scan, start,
			"a number of more than 40 characters");
	return whole ? check_whole(scan, start, digits) : true;
}
