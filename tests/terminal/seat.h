/*
 * A seat at a terminal: the program runs on a pty under a small shell of ours,
 * what it sends is painted by libvterm, and a test types, clicks, resizes,
 * suspends, hangs up and looks.
 *
 * Nothing sleeps. A test waits for the idle mark that counts its last key
 * (ui.h describes it), for words to appear on the screen, or for the program
 * to stop or end; each wait fails after SEAT_PATIENCE_MS with a picture of the
 * screen. Marks are taken out of the stream before libvterm or `log` see it.
 *
 * The shell is a process between the test and the program: leader of the
 * pty's session, with the program in a process group of its own in the
 * foreground, as it is when a person starts it. Without it a stop signal
 * would be discarded and a hang-up would look different.
 */
#ifndef BENCHTOP_SEAT_H
#define BENCHTOP_SEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

#include "text.h"

enum { SEAT_PATIENCE_MS = 60000 };

/* Words of the screen that tell its state. */
#define SEAT_LIST     "Experiments" /* the list is there */
#define SEAT_KEYS     "q quit"      /* the key bar is whole at 80 columns */
#define SEAT_BUSY     "x stop"      /* a run goes on */
#define SEAT_LAUNCHED "%  launch " /* it measures, no longer its clock */
#define SEAT_AT_REST  "r run"       /* none does */

struct seat_options {
	const char *program;      /* NULL: benchtop */
	const char *const *words; /* after its name; NULL: none */
	/* "NAME=VALUE" sets, "NAME" unsets; on top of TERM=xterm-256color,
	 * LC_ALL=C.UTF-8, BENCHTOP_IDLE_MARK=1, no LINES, COLUMNS, NO_COLOR. */
	const char *const *environment;
	int columns, rows;   /* 0: 80 x 24 */
	bool hangup_ignored; /* started as nohup does */
	bool hangup_untold;  /* its shell does not pass a hang-up on */
	int out;             /* its standard output instead of the pty's; 0 */
};

/* An idle mark; zero before the first. */
struct mark {
	unsigned long keys, frames;
	int columns, rows;
	uint64_t drawing_ns;  /* processor time of all frames so far */
	unsigned long serial; /* how many came */
	uint64_t at_ns;       /* CLOCK_MONOTONIC, when it came here */
};

/* What became of the program. */
enum seat_state { SEAT_RUNS, SEAT_STOPPED, SEAT_ENDED };

struct seat {
	int columns, rows;
	pid_t shell, program;
	int master; /* -1 after a hang-up */
	int reports, orders;
	VTerm *term;
	VTermScreen *screen;
	struct text log;     /* every byte it sent, but the marks */
	struct text pending; /* not yet painted: what follows a mark */
	uint64_t read_ns;    /* when the last of it came */
	size_t mark_bytes;   /* sent for marks */
	bool amid_frame;     /* something was painted since the last mark */
	unsigned long keys;  /* typed so far */
	unsigned long said;  /* times the terminal itself sent something: for
			      * seat_key(), or because it was asked */
	struct mark mark;
	enum seat_state state;
	int status; /* of waitpid(2), stopped or ended */
	/* A stop or end is reported twice: by the shell, with its time, and at
	 * its place in the stream. */
	uint64_t state_ns;
	uint64_t started_ns; /* by the shell */
	bool alternate, cursor_shown;
	int mouse; /* VTERM_PROP_MOUSE_.. */
	struct termios before;
};

/* Starts; fails the test where it cannot. Does not wait. */
void seat_open(struct seat *, const struct seat_options *);
/* Ends whatever still lives, releases everything. */
void seat_close(struct seat *);

/* ---- acting ----------------------------------------------------------- */

/* Characters and control characters, each a key of its own; waits until all
 * are taken in. Esc is seat_key()'s. */
void seat_type(struct seat *, const char *utf8);
void seat_key(struct seat *, VTermKey);
/* Bytes as they are, uncounted: for what is no key. Does not wait. */
void seat_send(struct seat *, const char *bytes, size_t count);
/* Presses and releases button 1 there, or turns the wheel: 4 up, 5 down, as
 * terminals say it since xterm's SGR mode; waits like a key. */
void seat_click(struct seat *, int column, int row, int button);
/* Another size; does not wait. */
void seat_resize(struct seat *, int columns, int rows);
/* Continues a stopped program in the foreground, as `fg` does. */
void seat_foreground(struct seat *);
/* Closes the terminal. */
void seat_hang_up(struct seat *);

/* ---- waiting ---------------------------------------------------------- */

/* Until it has taken in every key and painted at the present size. */
void seat_idle(struct seat *);
/* Until one more mark than `serial` has come. */
void seat_next_mark(struct seat *, unsigned long serial);
/* Until a whole frame has the words, or has them no more. Of a program that
 * sends no marks: until they are there. */
void seat_shows(struct seat *, const char *words);
void seat_shows_no(struct seat *, const char *words);
/* Until it is stopped or has ended, and all that it sent is here. */
void seat_await(struct seat *, enum seat_state);
/* Takes what comes for so long, for benchmarks. */
void seat_watch(struct seat *, double seconds);

/* ---- looking ---------------------------------------------------------- */

VTermScreenCell seat_cell(struct seat *, int column, int row);
/* A row as UTF-8 without trailing blanks; valid until the next call. */
const char *seat_row(struct seat *, int row);
bool seat_find(struct seat *, const char *words, int *column, int *row);
void seat_cursor(struct seat *, int *column, int *row);
bool seat_logged(const struct seat *, const char *bytes);
/* Are clicks reported to the program? */
bool seat_mouse_on(const struct seat *);
/* Does pasted text come between marks? */
bool seat_marks_pastes(const struct seat *);
/* The terminal's settings as they are now; not after a hang-up. */
struct termios seat_settings(struct seat *);
/* How many processes of the program's session live, the shell apart. */
int seat_processes(const struct seat *);
/* One of them that is not the program, nor what workers come from; or 0. */
pid_t seat_worker(const struct seat *);
uint64_t seat_now_ns(void);
void seat_print(struct seat *);

/* Fails unless the terminal is as it was before the program: main screen,
 * cursor shown, no mouse, no pasting marks, the same settings. */
void assert_restored(struct seat *);
/* It ended by itself with this code, or by this signal. */
void assert_ended(struct seat *, int code);
void assert_killed(struct seat *, int number);

#endif
