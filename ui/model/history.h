/*
 * The lines typed after `:`, kept between two lives in the file
 * benchtop/history of $XDG_STATE_HOME: one a line, oldest first, at most 500,
 * for its owner only. It is written when the screen is left, whole and at
 * once, with what another screen has added meanwhile. What is no line that
 * could have been typed is passed over.
 */
#ifndef BENCHTOP_HISTORY_H
#define BENCHTOP_HISTORY_H

#include "error.h"
#include "prompt.h"

/* Takes over the lines of the file, if there is one. */
void history_load(struct prompt *);
/* Adds the lines typed since to the file. -1: they are not kept, and the error
 * says why. */
int history_keep(const struct prompt *, struct error *);

#endif
