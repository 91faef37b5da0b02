/*
 * The options of `benchtop` on the shell's command line, before or instead of a
 * line of the command language: for main.c, help, completion and the manual.
 */
#ifndef BENCHTOP_OPTIONS_H
#define BENCHTOP_OPTIONS_H

#include "text.h"

struct program_option {
	const char *name;  /* if it ends in =, one word with its value */
	const char *value; /* placeholder of the value; "": no value */
	const char *help;  /* a few words, after "benchtop NAME VALUE" */
};

/* A row without a name ends the table. */
extern const struct program_option program_options[];

/* The row of a word such as quick that is no verb and no option, or NULL. */
const struct program_option *option_word(const char *word);
/* The option most similar to a word, or NULL. */
const char *option_nearest(const char *word);
/* Adds the option and its value: "--script FILE". */
void option_write(const struct program_option *, struct text *);

#endif
