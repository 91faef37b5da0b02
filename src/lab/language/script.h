/*
 * A script: many statements, all checked before the first is executed.
 */
#ifndef BENCHTOP_SCRIPT_H
#define BENCHTOP_SCRIPT_H

#include "command.h"

enum { SCRIPT_BYTES_MAX = 1 << 20, SCRIPT_STATEMENTS_MAX = 10000 };

struct script {
	char *name;         /* the file's name, for messages; "" for one line */
	char *typed;        /* the typed text if there is no file */
	struct words *list; /* statements */
	size_t count;
};

/* Parses and checks every statement of a text. The text must be UTF-8 without a
 * byte 0. On error nothing was executed, and the error has its position. */
int script_parse(struct lab *, const char *name, const char *text,
	size_t length, struct script *, struct error *);
/* Like script_parse(), for a file; "-" is standard input. A name without a
 * folder is searched in the working folder, then among the assets' scripts. */
int script_read(struct lab *, const char *path, struct script *,
	struct error *);
/* Parses the words of a shell's command line as a script. */
int script_of_words(struct lab *, char *const *words, struct script *,
	struct error *);
void script_free(struct script *);

/* Does the script continue after this failure? Some failures concern only one
 * run: a failed gate, an undecided gate, and a dead worker. */
bool script_goes_on(enum status);

/* Adds "FILE:3:17: sentence"; without a file only the sentence. */
void script_say(const struct script *, const struct error *, struct text *);
/* Adds two lines after the sentence: the typed line, and a caret below the
 * error's position. Adds nothing if the sentence quotes that position, if it is
 * the line's end, or if there is a file. */
void script_point(const struct script *, const struct error *, struct text *);

#endif
