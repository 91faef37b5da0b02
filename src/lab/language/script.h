/*
 * A script: many statements, checked whole before the first is executed.
 */
#ifndef BENCHTOP_SCRIPT_H
#define BENCHTOP_SCRIPT_H

#include "command.h"

enum { SCRIPT_BYTES_MAX = 1 << 20, SCRIPT_STATEMENTS_MAX = 10000 };

struct script {
	char *name;         /* of the file, for sentences; "" for one line */
	struct words *list; /* statements */
	size_t count;
};

/* Parses and checks every statement of a text, which must be UTF-8 and hold no
 * byte 0. On error nothing has been executed and the error says where. */
int script_parse(struct lab *, const char *name, const char *text,
	size_t length, struct script *, struct error *);
/* The same for a file; "-" is standard input. A name without a folder is
 * searched in the working folder, then among the assets' scripts. */
int script_read(struct lab *, const char *path, struct script *,
	struct error *);
/* The script of the words of a shell's command line. */
int script_of_words(struct lab *, char *const *words, struct script *,
	struct error *);
void script_free(struct script *);

/* Does the script continue after this failure? A failed or undecided gate and a
 * dead worker concern one run only. */
bool script_goes_on(enum status);

/* "FILE:3:17: sentence"; without a file "sentence (at character 17)". */
void script_say(const struct script *, const struct error *, struct text *);

#endif
