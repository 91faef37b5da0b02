/*
 * Bounded reads of files under /proc and /sys.
 *
 * Every path is relative to a root folder, "" for the machine itself, so that a
 * test can provide a machine of its own. A read never blocks, is limited to the
 * given size, and fails without an error: a file may be missing, empty,
 * forbidden or invalid. Lines and fields are returned safe to print: UTF-8
 * without control characters, cut at a whole character. Numbers have a decimal
 * point: LC_NUMERIC must stay "C".
 */
#ifndef BENCHTOP_PEEK_H
#define BENCHTOP_PEEK_H

#include <stdbool.h>
#include <stddef.h>

#include "processors.h"

/* Reads the first bytes of a file unchanged, terminated. Returns their
 * number. */
size_t peek_bytes(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* Reads the first line without surrounding blanks. False with "" if there is
 * none. */
bool peek_line(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* Parses the number at the beginning of a file. False leaves *value
 * unchanged. */
bool peek_number(const char *root, double *value, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads the target of a symbolic link, as stored. False with "" if there is
 * none. */
bool peek_link(const char *root, char *into, size_t size_bytes,
	const char *path_format, ...) __attribute__((format(printf, 4, 5)));
/* True if the path exists. */
bool peek_there(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));

/* Finds the value of `key` in lines like "key : value" (mark ':') or "key
 * value" (mark ' '). False with "" if there is none. */
bool field_find(const char *text, const char *key, char mark, char *into,
	size_t size_bytes);
/* The number at the beginning of such a value. */
bool field_number(const char *text, const char *key, char mark, double *value);
/* True if `words`, separated by blanks, contain the word. */
bool words_have(const char *words, const char *word);
/* Parses a finite decimal number at the start of a text. */
bool number_read(const char *text, double *value);

/* Copies text, made safe and trimmed, with ".." at the end if it is
 * shortened. */
void safe_copy(char *into, size_t size_bytes, const char *from);

/* The first entries of a folder, ordered by name. */
enum { FOLDER_ENTRIES = 64, FOLDER_NAME_BYTES = 64 };
struct folder {
	char name[FOLDER_ENTRIES][FOLDER_NAME_BYTES];
	size_t count;
};
void peek_folder(const char *root, struct folder *, const char *path_format,
	...) __attribute__((format(printf, 3, 4)));

/* The number of all entries of a folder; 0 if it does not exist. */
size_t peek_count(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes the list of a set, with ".." at the end if it is shortened. */
void processors_write(const struct processors *, char *into, size_t size_bytes);

#endif
