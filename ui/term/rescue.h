/*
 * Restores the terminal when a signal kills the program: a fault, an abort, or
 * another fatal signal that can be caught.
 *
 * The handler runs on its own stack. It writes bytes prepared in advance,
 * restores the terminal's settings and restores the previous signal handler.
 * Then it raises the signal again. Normally the kernel then kills the process
 * with the original signal and dumps a core at the fault. The handler does not
 * use ncurses: endwin() allocates memory, and the heap may be corrupt.
 *
 * INT, TERM and HUP are not covered: the lab handles them itself. Exhausted
 * memory (memory.h) ends the program without a signal; its terminal is restored
 * too.
 */
#ifndef BENCHTOP_RESCUE_H
#define BENCHTOP_RESCUE_H

#include "text.h"

/* Saves the terminal's settings and installs the handlers. Call it once, before
 * the terminal is changed. */
void rescue_arm(void);
/* Sets the bytes that undo the terminal's modes; they are copied. May be called
 * again. */
void rescue_undo(const struct text *bytes);
/* Removes the handlers. Call it when the terminal is restored. */
void rescue_disarm(void);

#endif
