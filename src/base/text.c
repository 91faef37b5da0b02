/* A growable string, UTF-8, and the nearest name. */
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "memory.h"

static void text_reserve(struct text *text, size_t more)
{
	size_t wanted = text->length + more + 1;

	if (wanted <= text->capacity)
		return;
	size_t capacity = text->capacity ? text->capacity * 2 : 64;
	while (capacity < wanted)
		capacity *= 2;
	text->chars = xrealloc(text->chars, capacity, 1);
	text->capacity = capacity;
}

void text_add_chars(struct text *text, const char *chars, size_t length)
{
	text_reserve(text, length);
	if (length)
		memcpy(text->chars + text->length, chars, length);
	text->length += length;
	text->chars[text->length] = '\0';
}

void text_add_char(struct text *text, char c)
{
	text_add_chars(text, &c, 1);
}

int text_digits(double value)
{
	int digits = 2;

	/* From 99.5 on, two digits would show 1e+02. */
	for (double end = 99.5; digits < 15 && (value >= end || -value >= end);
		end = end * 10 + 4.5)
		digits++;
	return digits;
}

void text_pad(struct text *text, char c, size_t count)
{
	text_reserve(text, count);
	memset(text->chars + text->length, c, count);
	text->length += count;
	text->chars[text->length] = '\0';
}

void text_add_minute(struct text *text, const char *time)
{
	enum { DATE = 10, MINUTE = 16 };

	if (strlen(time) >= MINUTE)
		text_add(text, "%.*s %.*s", DATE, time, MINUTE - DATE - 1,
			time + DATE + 1);
}

void text_trim(struct text *text)
{
	while (text->length && text->chars[text->length - 1] == ' ')
		text->chars[--text->length] = '\0';
}

void text_vadd(struct text *text, const char *format, va_list list)
{
	va_list again;

	va_copy(again, list);
	int length = vsnprintf(NULL, 0, format, list);
	if (length > 0) {
		text_reserve(text, (size_t)length);
		vsnprintf(text->chars + text->length, (size_t)length + 1,
			format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void text_add(struct text *text, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	text_vadd(text, format, list);
	va_end(list);
}

size_t utf8_read(const char *chars, size_t length, unsigned *code)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)chars;

	if (!length)
		return 0;
	*code = at[0];
	if (at[0] < 0x80)
		return 1;
	size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	if (at[0] < 0xc2 || at[0] > 0xf4 || size > length)
		return 0;
	*code = at[0] & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
	if (*code < least[size] || *code > 0x10ffff || surrogate)
		return 0;
	return size;
}

/* The columns of the character that begins there, and its bytes. */
static int character_columns(const char *chars, size_t length, size_t *size)
{
	unsigned code;
	size_t read = utf8_read(chars, length, &code);
	int width = read ? wcwidth((wchar_t)code) : 1;

	*size = read ? read : 1;
	/* A locale that does not know it shows something. */
	return width < 0 ? 1 : width;
}

int text_width(const char *chars)
{
	size_t length = strlen(chars), size;
	int columns = 0;

	for (size_t at = 0; at < length; at += size)
		columns += character_columns(chars + at, length - at, &size);
	return columns;
}

void text_add_cut(struct text *text, const char *chars, int columns)
{
	size_t length = strlen(chars), at = 0, size;
	int room = columns - 2;

	if (text_width(chars) <= columns) {
		text_add_chars(text, chars, length);
		return;
	}
	while (at < length) {
		room -= character_columns(chars + at, length - at, &size);
		if (room < 0)
			break;
		at += size;
	}
	text_add_chars(text, chars, at);
	text_add(text, "..");
}

size_t utf8_valid(const char *chars, size_t length)
{
	size_t at = 0;

	while (at < length) {
		unsigned code;
		size_t size = utf8_read(chars + at, length - at, &code);

		if (!size)
			return at;
		at += size;
	}
	return length;
}

size_t utf8_write(unsigned code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = size - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	out[0] = (char)(lead[size] | code);
	return size;
}

bool text_is_unsafe(unsigned code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
		(code >= 0x200e && code <= 0x200f) ||
		(code >= 0x2028 && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x2069) || code == 0x61c ||
		code == 0xfeff;
}

void text_add_safe(struct text *text, const char *chars, size_t length)
{
	size_t at = 0;

	while (at < length) {
		unsigned code;
		size_t size = utf8_read(chars + at, length - at, &code);
		size_t end = at + (size ? size : 1);

		if (size && !text_is_unsafe(code)) {
			text_add_chars(text, chars + at, size);
			at = end;
		}
		for (; at < end; at++)
			text_add(text, "\\x%02x", (unsigned char)chars[at]);
	}
}

struct quoted text_quoted_part(const char *chars, size_t length)
{
	enum { SHOWN_MOST = 40 };
	struct quoted quoted;
	struct text safe = { 0 };
	size_t shown = length;

	if (shown > SHOWN_MOST) {
		shown = SHOWN_MOST;
		while (shown && ((unsigned char)chars[shown] & 0xc0) == 0x80)
			shown--;
	}
	text_add_safe(&safe, chars, shown);
	snprintf(quoted.chars, sizeof quoted.chars, "'%s%s'", text_chars(&safe),
		shown < length ? ".." : "");
	text_free(&safe);
	return quoted;
}

struct quoted text_quoted(const char *chars)
{
	return text_quoted_part(chars, strlen(chars));
}

const char *text_chars(const struct text *text)
{
	return text->chars ? text->chars : "";
}

char *text_take(struct text *text)
{
	char *chars = text->chars ? text->chars : xstrdup("");

	*text = (struct text){ 0 };
	return chars;
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->chars)
		text->chars[0] = '\0';
}

void text_free(struct text *text)
{
	free(text->chars);
	*text = (struct text){ 0 };
}

enum { NEAREST_MAX = 48 };

static size_t least3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Optimal string alignment distance (Damerau 1964, Levenshtein 1966). */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][NEAREST_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];
	size_t na = strlen(a), nb = strlen(b);

	if (na > NEAREST_MAX || nb > NEAREST_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= nb; j++)
		last[j] = j;
	for (size_t i = 1; i <= na; i++) {
		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t differs = a[i - 1] != b[j - 1];
			now[j] = least3(last[j] + 1, now[j - 1] + 1,
				last[j - 1] + differs);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		size_t *spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[nb];
}

bool text_ends(const char *chars, const char *ending)
{
	size_t length = strlen(chars), tail = strlen(ending);

	return length > tail && !strcmp(chars + length - tail, ending);
}

const char *text_nearest(const char *word, const char *const *list)
{
	const char *nearest = NULL;
	size_t length = strlen(word);
	size_t best = length / 3 + 1;

	for (; *list; list++) {
		size_t distance = edit_distance(word, *list);
		bool begins = length >= 2 && !strncmp(word, *list, length);

		if (begins && distance > 1)
			distance = 1;
		if (distance < best || (distance == best && !nearest)) {
			best = distance;
			nearest = *list;
		}
	}
	return nearest;
}

size_t text_index(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; word && i < count; i++)
		if (!strcmp(word, list[i]))
			return i;
	return count;
}
