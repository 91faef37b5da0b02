/*
 * A line of text being typed: the `:` line, a field of the form, or a search.
 *
 * Enter accepts the line. Esc discards it; a changed line needs a second Esc.
 * Tab completes commands from the lab's tables, and file names where a file is
 * expected; several candidates appear in a popup. The old content of a field is
 * selected, so the first character replaces it. Up and Down recall earlier
 * commands, also those of earlier starts (history.h). Ctrl-A, E, U and W work
 * as in a shell.
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
	PROMPT_COMMAND, /* a command line, with completion and history */
	PROMPT_FIELD,   /* a parameter's value */
	PROMPT_PREDICT, /* a prediction */
	PROMPT_FIND,    /* part of a name */
	PROMPT_FILTER,  /* text that filters the lines of a page */
};

enum { PROMPT_HISTORY_MOST = 500 };

struct prompt {
	enum prompt_kind kind;
	char label[40];
	char line[1024]; /* UTF-8 */
	size_t length;   /* bytes */
	size_t fixed;    /* leading bytes that stay: the verb a key has typed */
	enum {
		REST_WORDS,
		REST_NAME, /* the rest is a name, including blanks */
		REST_TEXT, /* the rest is text, including words like options */
	} rest;
	size_t cursor;  /* byte offset */
	bool selected;  /* all but `fixed`: typing replaces it */
	bool changed;   /* the line was changed */
	bool doubted;   /* Esc was pressed once */
	char **history; /* command lines, oldest first, owned */
	size_t history_count;
	size_t history_kept;       /* lines that are already in the file */
	size_t recalled;           /* index; history_count: the line being
				    * typed */
	struct completion offered; /* several candidates of Tab */
};

/* The effect of a key on the prompt. */
enum prompt_result { PROMPT_TYPING, PROMPT_DONE, PROMPT_GIVEN_UP };

void prompt_open(struct prompt *, enum prompt_kind, const char *label,
	const char *line);
/* Selects the initial text, except the fixed part. */
void prompt_select(struct prompt *);
void prompt_close(struct prompt *);
void prompt_free(struct prompt *);
enum prompt_result prompt_key(struct prompt *, const struct lab *,
	const char *key, uint32_t code);
/* The line to execute. A name or a text that a key has asked for is quoted,
 * unless it already is; --options next to it are kept. */
void prompt_line(const struct prompt *, struct text *);
/* Of the lines only the last PROMPT_HISTORY_MOST are kept. */
void prompt_remember(struct prompt *, const char *line);
void prompt_draw(const struct prompt *, const struct pane *);
/* Draws the popup with the candidates, at the bottom of a pane. */
void prompt_draw_offered(const struct prompt *, const struct pane *);

#endif
