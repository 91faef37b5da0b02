/*
 * Completion of a line, from the tables that also parse it.
 */
#ifndef BENCHTOP_COMPLETE_H
#define BENCHTOP_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

struct lab;

struct completion {
	size_t from; /* offset in the line of the word to replace */
	char **list; /* whole words, sorted as in their tables */
	size_t count;
	bool files; /* file names fit here as well */
};

/* Candidates for the last word of a line, which may be empty. */
void complete_line(const struct lab *, const char *line, struct completion *);
/* Adds file names that continue the line's last word, if it expects a file.
 * Folders end with /. This is only for the `:` line, because shells complete
 * files themselves. Names are quoted as the language requires, folders without
 * the closing quote. */
void complete_files(const char *line, struct completion *);
void completion_free(struct completion *);

#endif
