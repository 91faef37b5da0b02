/*
 * A seat at a terminal: the program runs on a pty under a small shell, its
 * output is rendered by libvterm, and a test types, clicks, resizes, suspends,
 * hangs up and inspects.
 *
 * Nothing sleeps. A test waits for the idle mark that counts its last key
 * (described in ui.h), for words to appear on the screen, or for the program to
 * stop or end. Each wait fails after SEAT_PATIENCE_MS with a copy of the
 * screen. Marks are removed from the stream before libvterm or `log` receive
 * it.
 *
 * The shell is a process between the test and the program: leader of the pty's
 * session, with the program in a foreground process group of its own, as when a
 * user starts it. Without the shell, a stop signal would be discarded and a
 * hang-up would differ.
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

/* Words on the screen that identify its state. */
#define SEAT_LIST     "Experiments" /* the list is shown */
#define SEAT_KEYS     "q quit"      /* the complete key bar at 80 columns */
#define SEAT_BUSY     "x stop"      /* a run is active */
#define SEAT_LAUNCHED "%  launch " /* it measures, after the calibration */
#define SEAT_AT_REST  "r run"       /* no run is active */

struct seat_options {
	const char *program;      /* NULL: benchtop */
	const char *const *words; /* after its name; NULL: none */
	/* "NAME=VALUE" sets, "NAME" unsets; on top of TERM=xterm-256color,
	 * LC_ALL=C.UTF-8, BENCHTOP_IDLE_MARK=1, no LINES, COLUMNS, NO_COLOR. */
	const char *const *environment;
	int columns, rows;   /* 0: 80 x 24 */
	bool hangup_ignored; /* started as by nohup */
	bool hangup_untold;  /* its shell does not forward a hang-up */
	int out;             /* its standard output if not the pty; 0: the
			      * pty */
};

/* An idle mark; zero before the first. */
struct mark {
	unsigned long keys, frames;
	int columns, rows;
	uint64_t drawing_ns;  /* processor time of all frames so far */
	unsigned long serial; /* number of marks so far */
	uint64_t at_ns;       /* CLOCK_MONOTONIC, on receipt */
};

/* The state of the program. */
enum seat_state { SEAT_RUNS, SEAT_STOPPED, SEAT_ENDED };

struct seat {
	int columns, rows;
	pid_t shell, program;
	int master; /* -1 after a hang-up */
	int reports, orders;
	VTerm *term;
	VTermScreen *screen;
	struct text log;     /* all its output, without the marks */
	struct text pending; /* not yet rendered: the output after a mark */
	uint64_t read_ns;    /* time of the last read */
	size_t mark_bytes;   /* total size of the marks */
	bool amid_frame;     /* output was rendered since the last mark */
	unsigned long keys;  /* typed so far */
	unsigned long said;  /* number of messages of the terminal itself: for
			      * seat_key(), or in reply to a query */
	struct mark mark;
	enum seat_state state;
	int status; /* of waitpid(2), stopped or ended */
	/* A stop or end is reported twice: by the shell, with its time, and at
	 * its position in the stream. */
	uint64_t state_ns;
	uint64_t started_ns; /* by the shell */
	bool alternate, cursor_shown;
	int mouse; /* VTERM_PROP_MOUSE_.. */
	struct termios before;
};

/* Starts the program without waiting; fails the test on an error. */
void seat_open(struct seat *, const struct seat_options *);
/* Ends all processes and releases everything. */
void seat_close(struct seat *);

/* ---- acting ----------------------------------------------------------- */

/* Types characters and control characters, each a key; waits until all are
 * processed. For Esc use seat_key(). */
void seat_type(struct seat *, const char *utf8);
void seat_key(struct seat *, VTermKey);
/* Sends raw bytes that are not counted as keys. Does not wait. */
void seat_send(struct seat *, const char *bytes, size_t count);
/* Presses and releases button 1, or turns the wheel: 4 up, 5 down, in xterm's
 * SGR mode. Waits like a key. */
void seat_click(struct seat *, int column, int row, int button);
/* Changes the size; does not wait. */
void seat_resize(struct seat *, int columns, int rows);
/* Continues a stopped program in the foreground, as `fg` does. */
void seat_foreground(struct seat *);
/* Closes the terminal. */
void seat_hang_up(struct seat *);
/* Milliseconds from a start of the program to its first frame. */
double seat_start_ms(void);

/* ---- waiting ---------------------------------------------------------- */

/* Waits until every key is processed and the screen is drawn at the present
 * size. */
void seat_idle(struct seat *);
/* Waits for the next mark after `serial`. */
void seat_next_mark(struct seat *, unsigned long serial);
/* Wait until a complete frame has the words, or no longer has them. For a
 * program without marks: until the words are there. */
void seat_shows(struct seat *, const char *words);
void seat_shows_no(struct seat *, const char *words);
/* Waits until the program is stopped or has ended, and all its output is
 * received. */
void seat_await(struct seat *, enum seat_state);
/* Receives output for a time, for benchmarks. */
void seat_watch(struct seat *, double seconds);

/* ---- inspecting ------------------------------------------------------- */

VTermScreenCell seat_cell(struct seat *, int column, int row);
/* A row as UTF-8 without trailing blanks; valid until the next call. */
const char *seat_row(struct seat *, int row);
bool seat_find(struct seat *, const char *words, int *column, int *row);
void seat_cursor(struct seat *, int *column, int *row);
bool seat_logged(const struct seat *, const char *bytes);
/* True if clicks are reported to the program. */
bool seat_mouse_on(const struct seat *);
/* True if pasted text is enclosed in marks. */
bool seat_marks_pastes(const struct seat *);
/* The terminal's present settings; not after a hang-up. */
struct termios seat_settings(struct seat *);
/* The number of processes in the program's session, without the shell. */
int seat_processes(const struct seat *);
/* One of them that is not the program; or 0. */
pid_t seat_worker(const struct seat *);
uint64_t seat_now_ns(void);
void seat_print(struct seat *);

/* Fails unless the terminal is in its state before the program: main screen,
 * cursor shown, no mouse, no paste marks, the same settings. */
void assert_restored(struct seat *);
/* Fail unless the program ended by itself with this code, or by this signal. */
void assert_ended(struct seat *, int code);
void assert_killed(struct seat *, int number);
/* Opens the program, and fails unless it ends with this code, has the words on
 * the screen, and restores the terminal. */
void assert_prints(const struct seat_options *, int code, const char *words);

#endif
