/*
 * Lines of standard input, read by the loop, so that signals and a closed
 * terminal are noticed between lines.
 */
#ifndef BENCHTOP_LINE_H
#define BENCHTOP_LINE_H

#include "loop.h"

struct line_input {
	struct text read; /* not yet given out */
	size_t given;     /* of it */
	bool ended;       /* nothing more will come */
};

/* Waits for the next line, without its newline, which the last line may lack.
 * False at the end, after a signal, and when the terminal is closed. */
bool line_next(struct line_input *, struct loop *, struct text *line);
void line_free(struct line_input *);

#endif
