/*
 * Text becomes statements, a statement becomes words.
 *
 * Words are separated by blanks. 'single quotes' take everything as it is;
 * "double quotes" know \" and \\; both may hold line breaks. A # at the
 * beginning of a word comments the rest of the line out; a line break or a ;
 * that is not quoted ends a statement. Nothing is expanded: a script is data,
 * not a shell.
 *
 * Lines and columns count from 1, columns in characters of UTF-8, so that an
 * editor finds the place that an error names.
 */
#ifndef BENCHTOP_WORDS_H
#define BENCHTOP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "text.h"

/* A position in a text. */
struct reader {
	const char *at;
	int line, column;
};

/* Where a word comes from. */
struct origin {
	char *typed; /* as it was written, quotes and all; owned */
	int line, column;
};

struct words {
	char **word; /* NULL-terminated, owned */
	struct origin *origin;
	size_t count;
};

/* Starts at the beginning of a NUL-terminated text. */
struct reader reader_of(const char *text);
/* Steps over one byte. */
void reader_advance(struct reader *);

/* Reads one statement and moves the reader past its ; or line break, or to the
 * end of the text. No words: an empty statement. Fails on an unclosed quote;
 * the error has its place. */
int words_read(struct words *, struct reader *, struct error *);
void words_free(struct words *);
/* Points the error at byte `offset` of a word; its length means the place after
 * the word. Opening quotes are counted. */
void words_point(const struct words *, size_t word, size_t offset,
	struct error *);
/* One word as it must be typed: quoted where it needs to be. */
void words_quote(struct text *, const char *word);

#endif
