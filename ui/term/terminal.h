/*
 * The terminal: paints a grid and reads keys. Only terminal.c and
 * terminal_events.c, which implement this header, include ncurses.
 */
#ifndef BENCHTOP_TERMINAL_H
#define BENCHTOP_TERMINAL_H

#include "error.h"
#include "grid.h"

/* Takes over the terminal of standard input and output. Fails with a sentence
 * that names the cure if there is no terminal or it cannot move its cursor.
 * From this call to terminal_close(), rescue.h restores the terminal if a
 * signal kills the program. No signal handler of ncurses stays installed: the
 * caller handles SIGTSTP, SIGCONT and SIGWINCH and calls the functions
 * below. */
int terminal_open(struct error *);
void terminal_close(void);
/* Restores the terminal temporarily, for example while the program is
 * suspended. terminal_return() takes it over again: the next paint redraws
 * every cell at the current size. */
void terminal_leave(void);
void terminal_return(void);
/* Reads the terminal's size again, after a change. */
void terminal_measure(void);
/* Whether the program receives clicks and the wheel. If not, the terminal uses
 * them to select text. On at first, if the terminal has a mouse. */
void terminal_mouse(bool on);
/* Whether the user is typing text. If so, the terminal marks pasted text
 * (bracketed paste), and a line break in it is a blank instead of the Enter
 * key. */
void terminal_typing(bool on);
/* The tier that fits the locale's character set and the terminal type. */
enum tier terminal_tier(void);
void terminal_size(int *columns, int *rows);
/* Shows the grid; sends only cells that differ from those shown. Returns the
 * approximate number of bytes sent. */
size_t terminal_paint(const struct grid *);
/* Makes the next paint send every cell. */
void terminal_forget(void);

struct event {
	enum { EVENT_KEY, EVENT_CHARACTER, EVENT_CLICK } kind;
	char key[12];    /* "Up", "Enter", "Esc", "C-l", or the character
			  * itself; the mouse wheel is "Up" and "Down" */
	uint32_t code;   /* EVENT_CHARACTER */
	int column, row; /* EVENT_CLICK */
};
/* Reads the next event; returns false if none is pending. Never waits. An event
 * of a character also has a key. */
bool terminal_event(struct event *);

/* Writes the idle mark if it is enabled (see ui.h): all input so far is
 * processed and painted. The mark follows the painted bytes, so a program that
 * reads it has received the whole frame. */
void terminal_mark(unsigned long keys, unsigned long frames,
	uint64_t drawing_ns);

#endif
