/*
 * The terminal: paints a grid, reads keys. The files behind this header,
 * terminal.c and terminal_events.c, are the only ones that include ncurses.
 */
#ifndef BENCHTOP_TERMINAL_H
#define BENCHTOP_TERMINAL_H

#include "error.h"
#include "grid.h"

/* Takes over the terminal of standard input and output. Fails with a sentence
 * that names the cure where there is none, or it cannot move its cursor. From
 * here to terminal_close() it is given back even by a program that is killed
 * (rescue.h). No signal handler of ncurses' stays: who opens a terminal takes
 * SIGTSTP, SIGCONT and SIGWINCH himself, and calls what follows. */
int terminal_open(struct error *);
void terminal_close(void);
/* Gives the terminal back for a while, and takes it again: all is painted
 * anew, at the size it has by then. */
void terminal_leave(void);
void terminal_return(void);
/* Its size may be another. */
void terminal_measure(void);
/* Whether clicks and the wheel come here, or stay the terminal's own for
 * selecting text. On from the beginning, where the terminal has it. */
void terminal_mouse(bool on);
/* Whether text is being typed: what is pasted comes marked then, so that a
 * line break in it is a blank and not the key that executes. */
void terminal_typing(bool on);
/* The tier that fits its character set and type. */
enum tier terminal_tier(void);
void terminal_size(int *columns, int *rows);
/* Shows the grid: only cells that differ from what is shown are sent. Returns
 * about how many bytes that took. */
size_t terminal_paint(const struct grid *);
/* Everything is sent again at the next paint. */
void terminal_forget(void);

struct event {
	enum { EVENT_KEY, EVENT_CHARACTER, EVENT_CLICK } kind;
	char key[12];    /* "Up", "Enter", "Esc", "C-l"; a character itself;
			  * turning the mouse's wheel is "Up" and "Down" */
	uint32_t code;   /* EVENT_CHARACTER */
	int column, row; /* EVENT_CLICK */
};
/* The next event, if there is one; never waits. A character is also a key. */
bool terminal_event(struct event *);

/* Says that everything up to here has been taken in and painted, where the
 * idle mark of ui.h is asked for. It is sent behind what was painted, so
 * whoever reads it has the whole frame. */
void terminal_mark(unsigned long keys, unsigned long frames,
	uint64_t drawing_ns);

#endif
