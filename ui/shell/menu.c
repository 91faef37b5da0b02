/* The entries of menus and their command lines. */
#include "menu.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands_internal.h"
#include "draw_popup.h"
#include "memory.h"

enum { SHOWN = 9 };

/* The exports: label, command line, and a proposed file name. "%s" in the line
 * is the current view. */
static const struct {
	const char *label, *line, *name;
} exports[] = {
	{ "figures as CSV", "export csv ", "figures.csv" },
	{ "figures as JSON Lines", "export jsonl ", "figures.jsonl" },
	{ "figures as OpenMetrics", "export openmetrics ", "figures.prom" },
	{ "figures as Markdown", "export markdown ", "figures.md" },
	{ "all trials as CSV", "export --trials csv ", "trials.csv" },
	{ "report as a web page", "report -o ", "report.html" },
	{ "report as Markdown", "report -o ", "report.md" },
	{ "this screen as a picture", "snapshot %s ", "screen.svg" },
	{ "this screen as text", "snapshot %s ", "screen.txt" },
};
enum { EXPORTS = sizeof exports / sizeof *exports };

int menu_count(const struct screen *screen)
{
	switch (screen->menu.kind) {
	case MENU_EXPORT:
		return EXPORTS;
	case MENU_NOTES:
		return (int)screen->lab->session->note_count + 1;
	case MENU_NONE:
		break;
	}
	return 0;
}

/* ---- drawing ---------------------------------------------------------- */

/* Appends the note's date and time, to the minute, and its first line. */
static void say_note(const struct session_note *note, struct text *text)
{
	if (*note->at) {
		text_add_minute(text, note->at);
		text_add(text, "  ");
	}
	text_add_safe(text, note->text, strcspn(note->text, "\n"));
}

static void say_entry(const struct screen *screen, int i, struct text *text)
{
	const struct session *session = screen->lab->session;

	if (screen->menu.kind == MENU_EXPORT)
		text_add(text, "%s", exports[i].label);
	else if ((size_t)i < session->note_count)
		say_note(&session->notes[i], text);
	else
		text_add(text, "add a note ..");
}

void menu_draw(const struct screen *screen, const struct pane *pane)
{
	const char *title = screen->menu.kind == MENU_EXPORT ?
		"export" :
		"notes: Enter edits, Delete removes";
	int count = menu_count(screen), chosen = screen->menu.chosen;
	int room = pane->rows - 2 < SHOWN ? pane->rows - 2 : SHOWN;
	int first = chosen >= room ? chosen - room + 1 : 0;
	char *lines[SHOWN];
	int shown = 0;

	if (room < 1)
		return;
	for (; shown < room && first + shown < count; shown++) {
		struct text text = { 0 };

		say_entry(screen, first + shown, &text);
		lines[shown] = xstrdup(text_chars(&text));
		text_free(&text);
	}
	draw_popup(pane, title, (const char *const *)lines, (size_t)shown,
		chosen - first);
	while (shown)
		free(lines[--shown]);
}

/* ---- verbs ------------------------------------------------------------ */

static const char *const words[] = { "export", "notes", "take", "remove",
	"away", NULL };

/* Opens the `:` line; the text `fixed` cannot be edited. */
static void open_line(struct screen *screen, const char *fixed,
	const char *rest, bool name)
{
	struct text line = { 0 };

	text_add(&line, "%s%s", fixed, rest);
	prompt_open(&screen->prompt, PROMPT_COMMAND, ":", line.chars);
	screen->prompt.fixed = strlen(fixed);
	screen->prompt.rest = name ? REST_NAME : REST_TEXT;
	if (name)
		prompt_select(&screen->prompt);
	text_free(&line);
}

static void take_export(struct screen *screen, int i)
{
	struct text fixed = { 0 };
	const char *view = views[screen->view].name;
	const char *gap = strstr(exports[i].line, "%s");

	if (gap)
		text_add(&fixed, "%.*s%s%s", (int)(gap - exports[i].line),
			exports[i].line, view, gap + 2);
	else
		text_add(&fixed, "%s", exports[i].line);
	open_line(screen, fixed.chars, exports[i].name, true);
	text_free(&fixed);
}

/* A note as the user would type it, quoted if it begins like a quote or an
 * option. */
static void add_plain(struct text *text, const char *note)
{
	if (strchr("\"'-", *note))
		words_quote(text, note);
	else
		text_add(text, "%s", note);
}

static void take_note(struct screen *screen, int i)
{
	const struct session *session = screen->lab->session;
	struct text fixed = { 0 }, shown = { 0 };

	if ((size_t)i < session->note_count) {
		text_add(&fixed, "note --instead=%d ", i + 1);
		add_plain(&shown, session->notes[i].text);
	} else {
		text_add(&fixed, "note ");
	}
	open_line(screen, fixed.chars, text_chars(&shown), false);
	text_free(&fixed);
	text_free(&shown);
}

static enum outcome take(struct screen *screen, struct reply *reply)
{
	struct menu menu = screen->menu;

	if (menu.kind == MENU_NONE)
		return reply_fail(reply, STATUS_USAGE,
			"no menu is open: use `menu export` or `menu notes`");
	screen->menu = (struct menu){ 0 };
	if (menu.kind == MENU_EXPORT)
		take_export(screen, menu.chosen);
	else
		take_note(screen, menu.chosen);
	return OUTCOME_DONE;
}

static enum outcome take_away(struct screen *screen, struct reply *reply)
{
	struct text line = { 0 };
	int chosen = screen->menu.chosen;

	if (screen->menu.kind != MENU_NOTES ||
		(size_t)chosen >= screen->lab->session->note_count)
		return reply_fail(reply, STATUS_USAGE,
			"no note is selected: `menu notes` lists them");
	text_add(&line, "note --delete=%d", chosen + 1);
	screen_execute(screen, line.chars);
	text_free(&line);
	return OUTCOME_DONE;
}

static enum outcome exec_menu(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const char *word = call->arg[0];

	if (!strcmp(word, "take"))
		return take(screen, reply);
	if (!strcmp(word, "remove"))
		return take_away(screen, reply);
	screen->menu = (struct menu){
		.kind = !strcmp(word, "export") ? MENU_EXPORT :
			!strcmp(word, "notes")  ? MENU_NOTES :
						  MENU_NONE,
	};
	return OUTCOME_DONE;
}

static enum outcome exec_entry(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	screen->menu.chosen =
		moved(screen->menu.chosen, steps_of(call), menu_count(screen));
	return OUTCOME_DONE;
}

const struct command menu_commands[] = {
	{ "menu", "export|notes|take|remove|away",
		"list the exports or the notes; take the selected entry, "
		"remove the selected note, or close the list",
		"menu export", 1, 1, ARGUMENT_WORD, words, NULL, COMMAND_SCREEN,
		check_word, exec_menu },
	{ "entry", "NUMBER", "select in a menu", "entry 1", 1, 1,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, check_steps,
		exec_entry },
	{ .name = NULL },
};
