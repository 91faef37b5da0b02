/*
 * The options of `benchtop` on the shell's command line, before or instead of a
 * line of the command language: for main.c, help, completion and the manual.
 */
#ifndef BENCHTOP_OPTIONS_H
#define BENCHTOP_OPTIONS_H

#include "text.h"

struct program_option {
	const char *name;  /* one that ends in = is one word with its value */
	const char *value; /* what it takes; "" nothing */
	const char *help;  /* after "benchtop NAME VALUE", in a few words */
};

/* Ends with a row without a name. */
extern const struct program_option program_options[];

/* The option most similar to a word, or NULL. */
const char *option_nearest(const char *word);
/* "--script FILE". */
void option_write(const struct program_option *, struct text *);

#endif
