/*
 * Gives the terminal back when the program is killed by a signal: a fault, an
 * abort, anything that ends a process and can be caught.
 *
 * The handler runs on a stack of its own and does nothing but write bytes
 * that were made ready before, restore the terminal's settings and hand the
 * signal on to whoever had it before, as a rule the kernel: the process dies
 * of the very signal, with its core where the fault was. No ncurses: endwin()
 * allocates, and the heap may be what broke.
 *
 * Signals that the lab takes in order (INT, TERM, HUP) are not rescued from.
 */
#ifndef BENCHTOP_RESCUE_H
#define BENCHTOP_RESCUE_H

#include "text.h"

/* Remembers the terminal's settings and watches; once, before it is touched. */
void rescue_arm(void);
/* What undoes the terminal's modes; copied. May be called again. */
void rescue_undo(const struct text *bytes);
/* The terminal is back in order: nothing is to be undone any more. */
void rescue_disarm(void);

#endif
