/*
 * A growable string, always terminated. An empty string is
 * `struct text t = {0}` and owns no memory; text_free() returns to that state.
 * text_take() gives the characters to the caller, who frees them, and empties
 * the text.
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
/* Number of digits for "%.*g" that shows two significant digits, and all digits
 * before the decimal point, so that no exponent appears (420, not 4.2e+02). */
int text_digits(double value);
/* Adds `count` copies of one character. */
void text_pad(struct text *, char, size_t count);
/* Adds "2025-11-20 09:15" of the time "2025-11-20T09:15:00+0100"; nothing of a
 * shorter text. */
void text_add_minute(struct text *, const char *time);
/* Removes blanks from the end. */
void text_trim(struct text *);
/* The columns of a terminal that the characters occupy. */
int text_width(const char *chars);
/* Adds characters that take at most `columns`: cut, and ended "..". */
void text_add_cut(struct text *, const char *chars, int columns);
/* Adds untrusted text so that it cannot affect a terminal: control characters,
 * DEL, C1, bidirectional overrides and invalid UTF-8 appear as \xNN. */
void text_add_safe(struct text *, const char *chars, size_t length);
/* True for the characters that text_add_safe() replaces. */
bool text_is_unsafe(unsigned code);
/* The characters, "" while empty. The pointer is valid until the next
 * change. */
const char *text_chars(const struct text *);
char *text_take(struct text *);
void text_clear(struct text *);
void text_free(struct text *);

/*
 * Untrusted text for quotation in a message: in quotes, safe for a terminal,
 * shortened if it is long. Returned by value, for use within an argument list:
 *     error_set(error, STATUS_USAGE, "no file %s", text_quoted(name).chars)
 */
struct quoted {
	char chars[40 * 4 + sizeof "'..'"];
};
struct quoted text_quoted(const char *chars);
struct quoted text_quoted_part(const char *chars, size_t length);

/* Reads one UTF-8 character. Returns its length in bytes and its value in
 * *code. Returns 0 if the bytes are not strict UTF-8 (RFC 3629: no overlong
 * form, no surrogate, nothing above U+10FFFF). */
size_t utf8_read(const char *chars, size_t length, unsigned *code);
/* The offset of the first byte that is not strict UTF-8, or length. */
size_t utf8_valid(const char *chars, size_t length);
/* Writes one character as UTF-8: 1 to 4 bytes, not terminated. */
size_t utf8_write(unsigned code, char out[4]);

/* True if the characters are longer than the ending, and end so. */
bool text_ends(const char *chars, const char *ending);
/* The entry of a NULL-terminated list that is most similar to `word` by edit
 * distance (Levenshtein with swaps), for a suggestion in an error message. NULL
 * if no entry is similar. */
const char *text_nearest(const char *word, const char *const *list);
/* The index of the entry that equals `word`, `count` if none does. `word` may
 * be NULL. */
size_t text_index(const char *word, const char *const *list, size_t count);

#endif
