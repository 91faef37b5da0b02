/* Opens and paints the terminal with ncurses. */
#include "terminal.h"

#include <curses.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include "memory.h"
#include "rescue.h"
#include "terminal_internal.h"
#include "theme.h"

/* term.h defines a macro for every capability; here these two are plain
 * names. */
#undef columns
#undef lines

enum { ESCAPE_MS = 25 };

static struct {
	SCREEN *screen;
	struct cell *shown; /* what the terminal shows, or NULL */
	int columns, rows;  /* size of `shown` */
	bool marks;         /* whether the idle mark is written */
	enum theme theme;   /* theme of the roles below */
	attr_t attributes[ROLES];
	short pair[ROLES];
} terminal;

/* ---- roles ------------------------------------------------------------ */

static attr_t attributes_of(const struct look *look)
{
	return (look->attributes & LOOK_BOLD ? A_BOLD : A_NORMAL) |
		(look->attributes & LOOK_DIM ? A_DIM : A_NORMAL) |
		(look->attributes & LOOK_REVERSE ? A_REVERSE : A_NORMAL) |
		(look->attributes & LOOK_UNDERLINE ? A_UNDERLINE : A_NORMAL);
}

static bool wants_colour(void)
{
	const char *no = getenv("NO_COLOR");

	return !(no && *no) && has_colors();
}

/* The terminal's number for the colour of a look. It is an index, or red, green
 * and blue if colours are values (xterm-direct). -1: the terminal's own
 * colour. */
static int colour_of(const struct look *look)
{
	uint8_t rgb[3];

	if (COLORS < 256)
		return look->colour8;
	if (look->colour256 < 0 || tigetflag("RGB") <= 0)
		return look->colour256;
	theme_rgb(look->colour256, rgb);
	return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

static void prepare_roles(void)
{
	bool colour = wants_colour();
	/* Without colours, the mono and high themes mark with attributes what
	 * otherwise differs only by colour. */
	enum theme mono =
		terminal.theme == THEME_HIGH ? THEME_HIGH : THEME_MONO;

	if (colour) {
		start_color();
		use_default_colors();
	}
	for (int role = 0; role < ROLES; role++) {
		struct look look = theme_look(colour ? terminal.theme : mono,
			(enum role)role);
		int number = colour_of(&look);

		terminal.attributes[role] = attributes_of(&look);
		terminal.pair[role] = 0;
		if (!colour || number < 0)
			continue;
		terminal.pair[role] = (short)(role + 1);
		init_extended_pair(terminal.pair[role], number, -1);
	}
}

/* ---- opening and closing ---------------------------------------------- */

/* Also needed for the ASCII tier: without a UTF-8 locale, ncurses repeats
 * characters with a sequence that some terminals do not support. */
static void prefer_utf8(void)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		setlocale(LC_CTYPE, "C.UTF-8");
}

static void do_nothing(int number)
{
	(void)number;
}

/* Calls newterm() so that ncurses handles no signal: it leaves those alone that
 * have a handler. Its own handlers are unsafe where they act, and not needed
 * where the signals are blocked. And it would ignore SIGTSTP during each frame,
 * which discards a pending one (lib_tstp.c of ncurses). */
static SCREEN *newterm_without_handlers(void)
{
	const struct sigaction handled = { .sa_handler = do_nothing };
	static const int numbers[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	enum { COUNT = sizeof numbers / sizeof *numbers };
	struct sigaction before[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		sigaction(numbers[i], &handled, &before[i]);
	SCREEN *screen = newterm(NULL, stdout, stdin);
	for (size_t i = 0; i < COUNT; i++)
		sigaction(numbers[i], &before[i], NULL);
	return screen;
}

/* After a suspension, ncurses would reset the palette. The lab never changes
 * the palette, but the user may have done so. term.h cannot remove the
 * capability from ncurses' own copy, so this empties the string in place. */
static void spare_palette(void)
{
	char *original = tigetstr("oc");

	if (original && original != (char *)-1)
		*original = '\0';
}

static const char *capability(const char *name)
{
	const char *string = tigetstr(name);

	return string && string != (const char *)-1 ? string : NULL;
}

/* Appends the bytes of a capability without its padding delays ("$<..>"), which
 * only old terminals needed. */
static void add_capability(struct text *text, const char *name)
{
	const char *at = capability(name);

	while (at && *at) {
		const char *pause = strstr(at, "$<");
		const char *end = pause ? strchr(pause, '>') : NULL;

		if (!end) {
			text_add(text, "%s", at);
			return;
		}
		text_add_chars(text, at, (size_t)(pause - at));
		at = end + 1;
	}
}

/* Prepares the rescue bytes in advance; the signal handler cannot allocate. */
static void prepare_rescue(void)
{
	struct text undo = { 0 };
	int row = getmaxy(stdscr) - 1;

	add_capability(&undo, "sgr0");
	add_capability(&undo, "op");
	add_capability(&undo, "rmkx");
	text_add(&undo, "%s",
		capability("XM") ? tparm(capability("XM"), 0) : "\033[?1000l");
	/* Without an alternate screen, messages continue below the last row. */
	if (capability("rmcup"))
		add_capability(&undo, "rmcup");
	else
		text_add(&undo, "%s\r\n", tparm(capability("cup"), row, 0));
	text_add(&undo, "%s", events_undo());
	add_capability(&undo, "cnorm");
	rescue_undo(&undo);
	text_free(&undo);
}

int terminal_open(struct error *error)
{
	const char *type = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(error, STATUS_USAGE,
			"the lab needs a terminal: otherwise use `benchtop "
			"--script FILE`, `-c` or a verb");
	if (!type || !*type)
		return error_set(error, STATUS_USAGE,
			"TERM is not set: set it to the terminal's type, or "
			"use --plain");
	prefer_utf8();
	/* Some shells export these variables; ncurses would then keep a fixed
	 * size. */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	rescue_arm();
	terminal.screen = newterm_without_handlers();
	if (!terminal.screen) {
		rescue_disarm();
		return error_set(error, STATUS_USAGE,
			"terminal type '%.40s' is unknown: set TERM, install "
			"ncurses-term, or use --plain",
			type);
	}
	if (!capability("cup")) {
		terminal_close();
		return error_set(error, STATUS_USAGE,
			"terminal type '%.40s' cannot move its cursor: use "
			"--plain",
			type);
	}
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	if (!getenv("ESCDELAY"))
		set_escdelay(ESCAPE_MS);
	prepare_roles();
	spare_palette();
	/* Reports a press immediately instead of waiting for a double click. */
	mouseinterval(0);
	terminal_mouse(true);
	events_prepare();
	prepare_rescue();
	terminal.marks = getenv("BENCHTOP_IDLE_MARK") != NULL;
	return 0;
}

/* endwin(), then the cursor again: with the first screen, some terminals also
 * restore a hidden cursor. */
void terminal_leave(void)
{
	terminal_typing(false);
	endwin();
	if (capability("cnorm"))
		putp(capability("cnorm"));
	fflush(stdout);
}

void terminal_close(void)
{
	if (!terminal.screen)
		return;
	terminal_leave();
	rescue_disarm();
	delscreen(terminal.screen);
	terminal.screen = NULL;
	terminal_forget();
}

void terminal_return(void)
{
	terminal_measure();
	terminal_forget();
}

void terminal_mouse(bool on)
{
	const mmask_t wanted =
		BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED;

	mousemask(on ? wanted : 0, NULL);
}

void terminal_measure(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ||
		!size.ws_row)
		return;
	resize_term(size.ws_row, size.ws_col);
	terminal_forget();
	prepare_rescue();
}

/* Whether the user's locale has UTF-8; prefer_utf8() may have replaced it. */
static bool user_has_utf8(void)
{
	const char *names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);

		if (!value || !*value)
			continue;
		locale_t locale = newlocale(LC_CTYPE_MASK, value, NULL);
		if (!locale)
			return false;
		bool utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
		freelocale(locale);
		return utf8;
	}
	return false;
}

enum tier terminal_tier(void)
{
	const char *type = getenv("TERM");

	if (!user_has_utf8())
		return TIER_ASCII;
	if (type && !strcmp(type, "linux"))
		return TIER_CONSOLE;
	return TIER_BRAILLE;
}

void terminal_size(int *columns, int *rows)
{
	getmaxyx(stdscr, *rows, *columns);
}

/* ---- painting --------------------------------------------------------- */

void terminal_forget(void)
{
	free(terminal.shown);
	terminal.shown = NULL;
	if (terminal.screen)
		clearok(stdscr, TRUE);
}

static void paint_cell(int column, int row, const struct cell *cell)
{
	wchar_t chars[2] = { (wchar_t)cell->code, 0 };
	cchar_t character;

	setcchar(&character, chars, terminal.attributes[cell->role],
		terminal.pair[cell->role], NULL);
	mvadd_wch(row, column, &character);
}

/* Estimates the bytes needed to send a cell: its character, and a cursor move
 * and colours unless it follows the previous cell. */
static size_t bytes_of(const struct cell *cell, bool follows)
{
	enum { MOVE_BYTES = 6, COLOUR_BYTES = 10 };
	size_t bytes = cell->code < 0x80 ? 1 : cell->code < 0x800 ? 2 : 3;

	return follows ? bytes : bytes + MOVE_BYTES + COLOUR_BYTES;
}

size_t terminal_paint(const struct grid *grid)
{
	size_t sent = 0, next = 0;
	size_t count = (size_t)grid->columns * (size_t)grid->rows;
	bool same = terminal.shown && terminal.columns == grid->columns &&
		terminal.rows == grid->rows && terminal.theme == grid->theme;

	if (terminal.theme != (enum theme)grid->theme) {
		terminal.theme = grid->theme;
		prepare_roles();
	}
	if (!same) {
		free(terminal.shown);
		terminal.shown = xcalloc(count, sizeof *terminal.shown);
		terminal.columns = grid->columns;
		terminal.rows = grid->rows;
		erase();
	}
	for (size_t i = 0; i < count; i++) {
		const struct cell *cell = &grid->cells[i];
		struct cell *shown = &terminal.shown[i];

		if (cell->code == shown->code && cell->role == shown->role)
			continue;
		sent += bytes_of(cell,
			i && next == i && cell->role == cell[-1].role);
		next = i + 1;
		*shown = *cell;
		paint_cell((int)(i % (size_t)grid->columns),
			(int)(i / (size_t)grid->columns), cell);
	}
	/* A hidden cursor is still placed where a screen reader reads. */
	curs_set(grid->cursor_row >= 0 ? 1 : 0);
	if (grid->cursor_row >= 0)
		move(grid->cursor_row, grid->cursor_column);
	refresh();
	return sent;
}

void terminal_mark(unsigned long keys, unsigned long frames,
	uint64_t drawing_ns)
{
	char mark[128];
	int length = snprintf(mark, sizeof mark,
		"\033]7777;idle;%lu;%lu;%d;%d;%" PRIu64 "\a", keys, frames,
		terminal.columns, terminal.rows, drawing_ns);

	if (terminal.marks && write(STDOUT_FILENO, mark, (size_t)length) < 0)
		terminal.marks = false;
}
