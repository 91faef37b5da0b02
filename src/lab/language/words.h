/*
 * Splits text into statements, and statements into words.
 *
 * Words are separated by blanks. In 'single quotes' every character is literal.
 * "Double quotes" have the escapes \" and \\. Both may contain line breaks. A #
 * at the beginning of a word starts a comment to the end of the line. An
 * unquoted line break or ; ends a statement. Nothing is expanded, because a
 * script is not a shell.
 *
 * Lines and columns count from 1. Columns count UTF-8 characters, so that an
 * editor finds the position in an error.
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

/* The position of a word in the text. */
struct origin {
	char *typed; /* as typed, with its quotes; owned */
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
 * end of the text. An empty statement has no words. Fails on an unclosed quote,
 * with its position. */
int words_read(struct words *, struct reader *, struct error *);
void words_free(struct words *);
/* Points the error at byte `offset` of a word. The word's length as offset
 * means the position after the word. Opening quotes are counted. */
void words_point(const struct words *, size_t word, size_t offset,
	struct error *);
/* Adds a word as it must be typed, with quotes if it needs them. */
void words_quote(struct text *, const char *word);

#endif
