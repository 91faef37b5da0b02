/*
 * A script: many statements, checked whole before the first is executed.
 */
#ifndef BENCHTOP_SCRIPT_H
#define BENCHTOP_SCRIPT_H

#include "lab.h"

enum { SCRIPT_BYTES_MAX = 1 << 20, SCRIPT_STATEMENTS_MAX = 10000 };

struct statement {
	int line;
	struct words words;
};

struct script {
	char *name; /* of the file, for sentences; "" for one line */
	struct statement *list;
	size_t count;
};

/* Parses and checks every statement. On error nothing has been executed and
 * error->line and column say where. */
int script_parse(struct lab *, const char *name, const char *text,
	struct script *, struct error *);
/* The script of the words of a shell's command line. */
int script_of_words(struct lab *, char *const *words, struct script *,
	struct error *);
void script_free(struct script *);

/* "FILE:3:17: sentence", or what of it there is. */
void script_say(const struct script *, const struct error *, struct text *);

#endif
