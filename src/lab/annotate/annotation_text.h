/*
 * Annotated connections as text for a reader who is learning: the handshake
 * as a ladder with times, the rounds as a table with bars, what ended slow
 * start, what was lost, and the end. 80 columns, ASCII.
 */
#ifndef BENCHTOP_ANNOTATION_TEXT_H
#define BENCHTOP_ANNOTATION_TEXT_H

#include "annotate.h"
#include "text.h"

/* `name` is the file's, for the first line. */
void annotation_text(const struct annotator *, const char *name, struct text *);

#endif
