/*
 * What the title row says on its right, unless a screen says something of its
 * own: the place, the processor and the session, as much as there is room for.
 */
#ifndef BENCHTOP_TITLE_H
#define BENCHTOP_TITLE_H

#include "screen.h"

/* In so many columns at most; see add_state in views.h. */
void title_add_state(const struct screen *, int room, struct text *);

#endif
