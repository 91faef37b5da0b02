/*
 * Small looks at what the kernel shows under /proc and /sys.
 *
 * Every path is taken below a root folder, "" for the machine itself, so that
 * a test can lay out a machine of its own. A look never waits, reads no more
 * than it has room for, and fails quietly: a file may be missing, empty,
 * forbidden or nonsense. What is handed out as a line or a field is safe to
 * print: UTF-8 without control characters, cut at a whole character.
 * Numbers have a decimal point: LC_NUMERIC must stay "C".
 */
#ifndef BENCHTOP_PEEK_H
#define BENCHTOP_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/* The first bytes of a file as they are, terminated; returns how many. */
size_t peek_bytes(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* The first line without blanks around it; false and "" where there is
 * none. */
bool peek_line(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* The number a file begins with; false leaves *value alone. */
bool peek_number(const char *root, double *value, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));

/* Where a symbolic link points to, as it is written there; false and "" where
 * there is none. */
bool peek_link(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* Is there anything of that name? */
bool peek_there(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));

/* The value of `key` in text of lines like "key : value" (mark ':') or
 * "key value" (mark ' '); false and "" where there is none. */
bool field_find(const char *text, const char *key, char mark, char *into,
	size_t size_bytes);
/* The number such a value begins with. */
bool field_number(const char *text, const char *key, char mark, double *value);
/* Does this word stand among words separated by blanks? */
bool words_have(const char *words, const char *word);
/* Reads a decimal number, finite, at the start of a text. */
bool number_read(const char *text, double *value);

/* Copies text, made safe, trimmed, and ended by ".." where it does not fit. */
void safe_copy(char *into, size_t size_bytes, const char *from);

/* The first entries of a folder in the order of their names. */
enum { FOLDER_ENTRIES = 64, FOLDER_NAME_BYTES = 64 };
struct folder {
	char name[FOLDER_ENTRIES][FOLDER_NAME_BYTES];
	size_t count;
};
void peek_folder(const char *root, struct folder *, const char *path_format,
	...) __attribute__((format(printf, 3, 4)));

/* How many entries a folder has, all of them; 0 where there is none. */
size_t peek_count(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));

/* A list of processors as sysfs writes them: "0-3,8". */
enum { PROCESSORS_MAX = 4096 };
struct processors {
	bool has[PROCESSORS_MAX];
};
size_t processors_read(const char *list, struct processors *);
size_t processors_count(const struct processors *);
void processors_write(const struct processors *, char *into, size_t size_bytes);

#endif
