/*
 * Lines of standard input, read by the loop, so that signals and a closed
 * terminal are noticed between lines.
 */
#ifndef BENCHTOP_LINE_H
#define BENCHTOP_LINE_H

#include "loop.h"

struct line_input {
	struct text read; /* bytes read from standard input */
	size_t given;     /* bytes of `read` already returned */
	bool ended;       /* end of the input */
};

/* Waits for the next line and returns it without its newline. The last line
 * needs no newline. False at the end, after a signal, and when the terminal is
 * closed. */
bool line_next(struct line_input *, struct loop *, struct text *line);
void line_free(struct line_input *);

#endif
