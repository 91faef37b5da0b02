/* Reads keys, mouse and pasted text with ncurses. */
#include "terminal.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "mouse.h"
#include "terminal_internal.h"
#include "tick.h"

/* KEY_PASTE comes before pasted text, KEY_PASTED after it, KEY_REPORT before
 * the numbers of a mouse report. */
enum { KEY_PASTE = KEY_MAX + 1, KEY_PASTED, KEY_REPORT, ESCAPE = 27 };

static bool typing;  /* whether the terminal marks pasted text */
static bool pasting; /* whether the input is between such marks */
static enum mouse_format format; /* of this terminal's reports */
static struct mouse_report report;

/* ---- pasted text ------------------------------------------------------ */

/* The sequences of xterm and compatible terminals; terminfo has no capability
 * for them. */
static const char mark_pastes[] = "\033[?2004h";
static const char unmark_pastes[] = "\033[?2004l";

static bool marks_pastes(void)
{
	return tigetflag("XT") > 0;
}

/* What ncurses knows as KEY_MOUSE becomes KEY_REPORT, which it does not read
 * further. KEY_MOUSE remains for the mouse of a Linux console (gpm). */
static void prepare_reports(void)
{
	const char *begin = tigetstr("kmous");

	if (!begin || begin == (const char *)-1)
		return;
	if (!strcmp(begin, "\033[<"))
		format = MOUSE_SGR;
	else if (!strcmp(begin, "\033[M"))
		format = MOUSE_BYTES;
	else
		return;
	define_key(begin, KEY_REPORT);
}

void events_prepare(void)
{
	define_key("\033[200~", KEY_PASTE);
	define_key("\033[201~", KEY_PASTED);
	prepare_reports();
}

const char *events_undo(void)
{
	return marks_pastes() ? unmark_pastes : "";
}

void terminal_typing(bool on)
{
	const char *bytes = on ? mark_pastes : unmark_pastes;

	if (on == typing || !marks_pastes())
		return;
	typing = on;
	pasting = false;
	putp(bytes);
	fflush(stdout);
}

/* ---- keys ------------------------------------------------------------- */

static const struct {
	int code;
	const char *name;
} named_keys[] = {
	{ KEY_UP, "Up" },
	{ KEY_DOWN, "Down" },
	{ KEY_LEFT, "Left" },
	{ KEY_RIGHT, "Right" },
	{ KEY_HOME, "Home" },
	{ KEY_END, "End" },
	{ KEY_PPAGE, "PageUp" },
	{ KEY_NPAGE, "PageDown" },
	{ KEY_BACKSPACE, "Backspace" },
	{ KEY_DC, "Delete" },
	{ KEY_BTAB, "S-Tab" },
	{ KEY_ENTER, "Enter" },
	{ KEY_F(1), "F1" },
	{ KEY_F(5), "F5" },
	{ KEY_F(10), "F10" },
};

static void name_key(struct event *event, int code)
{
	event->kind = EVENT_KEY;
	for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
		if (named_keys[i].code == code)
			snprintf(event->key, sizeof event->key, "%s",
				named_keys[i].name);
}

static void name_mouse(struct event *event)
{
	MEVENT mouse;

	if (getmouse(&mouse) != OK)
		return;
	event->column = mouse.x;
	event->row = mouse.y;
	if (mouse.bstate & BUTTON4_PRESSED)
		snprintf(event->key, sizeof event->key, "Up");
	else if (mouse.bstate & BUTTON5_PRESSED)
		snprintf(event->key, sizeof event->key, "Down");
	else
		event->kind = EVENT_CLICK;
}

/* False if the report does not matter. */
static bool name_report(struct event *event)
{
	event->column = report.column;
	event->row = report.row;
	if (!report.pressed)
		return false;
	if (report.button == MOUSE_BUTTON_1)
		event->kind = EVENT_CLICK;
	else if (report.button == MOUSE_WHEEL_UP)
		snprintf(event->key, sizeof event->key, "Up");
	else if (report.button == MOUSE_WHEEL_DOWN)
		snprintf(event->key, sizeof event->key, "Down");
	else
		return false;
	return true;
}

/* Reads what has arrived of the report. Returns true if that makes an event. */
static bool take_report(struct event *event)
{
	enum mouse_step step = MOUSE_WITHIN;
	int code = 0;

	while (step == MOUSE_WITHIN && (code = getch()) != ERR)
		step = mouse_add(&report, code, tick_raw_ns());
	if (step == MOUSE_TRUNCATED)
		ungetch(code);
	return step == MOUSE_COMPLETE && name_report(event);
}

static void name_control(struct event *event, wint_t code)
{
	event->kind = EVENT_KEY;
	if (code == '\r' || code == '\n')
		snprintf(event->key, sizeof event->key, "Enter");
	else if (code == '\t')
		snprintf(event->key, sizeof event->key, "Tab");
	else if (code == ESCAPE)
		snprintf(event->key, sizeof event->key, "Esc");
	else if (code == 127 || code == 8)
		snprintf(event->key, sizeof event->key, "Backspace");
	else
		snprintf(event->key, sizeof event->key, "C-%c",
			(char)(code + 'a' - 1));
}

static void name_character(struct event *event, wint_t code)
{
	event->kind = EVENT_CHARACTER;
	event->code = code;
	event->key[utf8_write(code, event->key)] = '\0';
	if (code == ' ')
		snprintf(event->key, sizeof event->key, "Space");
}

/* Accepts only text from a paste: line breaks and tabs become blanks. */
static bool take_pasted(struct event *event, int kind, wint_t code)
{
	bool blank = code == '\r' || code == '\n' || code == '\t';

	if (kind == KEY_CODE_YES || (code < 32 && !blank) || code == 127)
		return false;
	name_character(event, blank ? ' ' : code);
	return true;
}

/* Codes that begin or end something and are not keys. */
static bool take_mark(int kind, wint_t code)
{
	if (kind != KEY_CODE_YES || code < KEY_PASTE || code > KEY_REPORT)
		return false;
	if (code == KEY_REPORT)
		mouse_begin(&report, format, tick_raw_ns());
	else
		pasting = code == KEY_PASTE && typing;
	return true;
}

bool terminal_event(struct event *event)
{
	wint_t code;
	int kind;

	*event = (struct event){ .kind = EVENT_KEY };
	for (;;) {
		if (report.format && take_report(event))
			return true;
		if (report.format || (kind = get_wch(&code)) == ERR)
			return false;
		if (take_mark(kind, code))
			continue;
		/* Terminals remove Esc from pasted text. So this is the Esc
		 * key, and the end mark of the paste was lost. */
		if (kind == OK && code == ESCAPE)
			pasting = false;
		if (!pasting)
			break;
		if (take_pasted(event, kind, code))
			return true;
	}
	if (kind == KEY_CODE_YES && code == KEY_MOUSE)
		name_mouse(event);
	else if (kind == KEY_CODE_YES)
		name_key(event, (int)code);
	else if (code < 32 || code == 127)
		name_control(event, code);
	else
		name_character(event, code);
	return true;
}
