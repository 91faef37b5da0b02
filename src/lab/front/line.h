/*
 * Lines of standard input, taken while the loop turns: signals are heard and
 * a closed terminal is noticed while nobody types.
 */
#ifndef BENCHTOP_LINE_H
#define BENCHTOP_LINE_H

#include "loop.h"

struct line_input {
	struct text read; /* not yet given out */
	size_t given;     /* of it */
	bool ended;       /* nothing more will come */
};

/* Waits for the next line, without its newline; a last one may lack it. False
 * at the end, after a signal, and when the terminal is gone. */
bool line_next(struct line_input *, struct loop *, struct text *line);
void line_free(struct line_input *);

#endif
