/*
 * A line of text being typed: the `:` line, a field of the form, a search.
 *
 * Enter takes it; Esc gives it up, but what has been typed only at the second
 * Esc. Tab completes a command from the lab's tables, and names of files where
 * a file is expected; several candidates are offered in a popup. Up and Down
 * recall earlier commands, also those of earlier starts (history.h). Ctrl-A, E,
 * U and W do what they do in a shell.
 */
#ifndef BENCHTOP_PROMPT_H
#define BENCHTOP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "complete.h"
#include "grid.h"

struct lab;
struct text;

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_COMMAND, /* a line of the language; completes and remembers */
	PROMPT_FIELD,   /* a parameter's value */
	PROMPT_PREDICT, /* a prediction */
	PROMPT_FIND,    /* a piece of a name */
	PROMPT_FILTER,  /* lines of a page that have this */
};

struct prompt {
	enum prompt_kind kind;
	char label[40];
	char line[1024]; /* UTF-8 */
	size_t length;   /* bytes */
	size_t fixed;    /* of them that stay: the verb a key has typed */
	enum {
		REST_WORDS,
		REST_NAME, /* what follows is a name, blanks and all */
		REST_TEXT, /* a text: also what looks like an option */
	} rest;
	size_t cursor;  /* byte offset */
	bool changed;   /* something was typed */
	bool doubted;   /* Esc was pressed once */
	char **history; /* command lines, oldest first, owned */
	size_t history_count;
	size_t history_kept;       /* of them are in the file */
	size_t recalled;           /* history_count: the line being typed */
	struct completion offered; /* what Tab could not decide between */
};

/* What a key did to it. */
enum prompt_result { PROMPT_TYPING, PROMPT_DONE, PROMPT_GIVEN_UP };

void prompt_open(struct prompt *, enum prompt_kind, const char *label,
	const char *line);
void prompt_close(struct prompt *);
void prompt_free(struct prompt *);
enum prompt_result prompt_key(struct prompt *, const struct lab *,
	const char *key, uint32_t code);
/* The line to execute: a name or a text that a key has asked for is quoted as
 * the language needs it, unless it already is; --options beside it stay. */
void prompt_line(const struct prompt *, struct text *);
void prompt_remember(struct prompt *, const char *line);
void prompt_draw(const struct prompt *, const struct pane *);
/* The popup of what is offered, at the foot of a pane. */
void prompt_draw_offered(const struct prompt *, const struct pane *);

#endif
