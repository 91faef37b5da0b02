/*
 * Annotated connections as text for a learner: the handshake as a ladder with
 * times, the rounds as a table with bars, the end of slow start, losses, and
 * teardown. 80 columns, ASCII.
 */
#ifndef BENCHTOP_ANNOTATION_TEXT_H
#define BENCHTOP_ANNOTATION_TEXT_H

#include "annotate.h"
#include "text.h"

/* `name` is the file name, for the first line. */
void annotation_text(const struct annotator *, const char *name, struct text *);

#endif
