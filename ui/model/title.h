/*
 * The right part of the title row, unless a view has its own text. It shows the
 * place, the processor and the session, as far as they fit.
 */
#ifndef BENCHTOP_TITLE_H
#define BENCHTOP_TITLE_H

#include "screen.h"

/* Appends at most `room` columns; see add_state in views.h. */
void title_add_state(const struct screen *, int room, struct text *);

#endif
