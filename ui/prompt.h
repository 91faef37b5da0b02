/*
 * A line of text being typed: the `:` line, a field of the form, a search.
 */
#ifndef BENCHTOP_PROMPT_H
#define BENCHTOP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grid.h"

struct lab;

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_COMMAND, /* a line of the language; completes and remembers */
	PROMPT_FIELD,   /* a parameter's value */
	PROMPT_FIND,    /* a piece of a name */
};

struct prompt {
	enum prompt_kind kind;
	char label[40];
	char line[1024]; /* UTF-8 */
	size_t length;   /* bytes */
	size_t cursor;   /* byte offset */
	char **history;  /* command lines, oldest first, owned */
	size_t history_count;
	size_t recalled; /* history_count: the line being typed */
};

/* What a key did to it. */
enum prompt_result { PROMPT_TYPING, PROMPT_DONE, PROMPT_GIVEN_UP };

void prompt_open(struct prompt *, enum prompt_kind, const char *label,
	const char *line);
void prompt_close(struct prompt *);
void prompt_free(struct prompt *);
enum prompt_result prompt_key(struct prompt *, const struct lab *,
	const char *key, uint32_t code);
void prompt_remember(struct prompt *, const char *line);
void prompt_draw(const struct prompt *, const struct pane *);

#endif
