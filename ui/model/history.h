/*
 * The lines typed after `:`, kept between starts in the file benchtop/history
 * of $XDG_STATE_HOME. The file has one line per entry, oldest first, at most
 * 500, and is readable only by its owner. It is replaced atomically when the
 * screen closes, and includes entries that another screen has added meanwhile.
 * Lines that cannot have been typed are ignored.
 */
#ifndef BENCHTOP_HISTORY_H
#define BENCHTOP_HISTORY_H

#include "error.h"
#include "prompt.h"

/* Reads the lines of the file, if it exists. */
void history_load(struct prompt *);
/* Adds the lines typed since history_load() to the file. -1: the lines are not
 * saved; see the error. */
int history_keep(const struct prompt *, struct error *);

#endif
