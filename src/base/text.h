/*
 * A growable string, always terminated. An empty one is `struct text t = {0}`
 * and owns nothing; text_free() returns it to that state. text_take() hands
 * the characters to the caller (to free()) and empties the text.
 */
#ifndef BENCHTOP_TEXT_H
#define BENCHTOP_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
	char *chars; /* NULL while empty; see text_chars() */
	size_t length;
	size_t capacity;
};

void text_add(struct text *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_vadd(struct text *, const char *format, va_list)
	__attribute__((format(printf, 2, 0)));
void text_add_chars(struct text *, const char *chars, size_t length);
void text_add_char(struct text *, char);
/* For "%.*g": as many digits as show the value with two that count, and never
 * with an exponent where there are more before the point (420, not 4.2e+02). */
int text_digits(double value);
/* Repeats one character. */
void text_pad(struct text *, char, size_t count);
/* Adds foreign text so that a terminal is safe with it: control characters,
 * DEL, C1, bidirectional overrides and broken UTF-8 appear as \xNN. */
void text_add_safe(struct text *, const char *chars, size_t length);
/* The characters, "" while empty; valid until the next change. */
const char *text_chars(const struct text *);
char *text_take(struct text *);
void text_clear(struct text *);
void text_free(struct text *);

/* Foreign text as a sentence quotes it: in quotes, safe for a terminal, cut
 * where it is long. A value, so that a sentence takes it where it stands:
 *     error_set(error, STATUS_USAGE, "no file %s", text_quoted(name).chars)
 */
struct quoted {
	char chars[40 * 4 + sizeof "'..'"];
};
struct quoted text_quoted(const char *chars);
struct quoted text_quoted_part(const char *chars, size_t length);

/* Reads one UTF-8 character: its length in bytes and, in *code, its value;
 * 0 where the bytes are not strict UTF-8 (RFC 3629: no overlong form, no
 * surrogate, nothing above U+10FFFF). */
size_t utf8_read(const char *chars, size_t length, unsigned *code);
/* The offset of the first byte that is not strict UTF-8, or length. */
size_t utf8_valid(const char *chars, size_t length);
/* Writes one character as UTF-8: 1 to 4 bytes, not terminated. */
size_t utf8_write(unsigned code, char out[4]);

/* The entry of a NULL-terminated list that is most like `word` by edit
 * distance (Levenshtein with swaps), or NULL when none is near: an error
 * message may then name it. */
const char *text_nearest(const char *word, const char *const *list);

#endif
