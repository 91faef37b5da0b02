/*
 * What could be typed next: from the same tables that parse it.
 */
#ifndef BENCHTOP_COMPLETE_H
#define BENCHTOP_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

struct lab;

struct completion {
	size_t from; /* offset in the line of the word they replace */
	char **list; /* whole words, sorted as in their tables */
	size_t count;
	bool files; /* names of files fit here as well */
};

/* Candidates for the last word of a line, which may be empty. */
void complete_line(const struct lab *, const char *line, struct completion *);
/* Adds the names of files that go on from the line's last word, where they
 * fit, folders with a / behind them: for the `:` line; shells know better.
 * Names are quoted as the language needs it, a folder's without the quote at
 * its end. */
void complete_files(const char *line, struct completion *);
void completion_free(struct completion *);

#endif
