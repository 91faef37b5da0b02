/*
 * A line becomes statements, a statement becomes words.
 *
 * Words are separated by blanks. 'single quotes' take everything as it is;
 * "double quotes" know \" and \\; a # at the beginning of a word comments the
 * rest of the line out; a ; that is not quoted ends a statement. Nothing is
 * expanded: a script is data, not a shell.
 */
#ifndef BENCHTOP_WORDS_H
#define BENCHTOP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "text.h"

struct words {
	char **word; /* NULL-terminated, owned */
	int *column; /* where each begins in its line, from 1 */
	size_t count;
};

/* Reads one statement from *line on and moves *line behind it: past the ;
 * or to the end. `begin` is the line's first character. No words: an empty
 * statement. Fails on a quote that is not closed. */
int words_read(struct words *, const char *begin, const char **line,
	struct error *);
void words_free(struct words *);
/* One word as it must be typed: quoted where it needs to be. */
void words_quote(struct text *, const char *word);

#endif
