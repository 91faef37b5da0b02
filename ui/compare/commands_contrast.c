/* Verbs of the Compare screen. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands_internal.h"
#include "memory.h"
#include "print_compare.h"
#include "view_compare.h"

static const char *const sides[] = { "a", "b", NULL };

static int side_named(const char *word)
{
	return !strcmp(word, "b");
}

/* ---- moving ----------------------------------------------------------- */

static void say_selected(struct screen *screen)
{
	struct contrast *contrast = contrast_of(screen);
	struct contrast_row shown;
	struct text text = { 0 };

	if (!contrast_make(screen, contrast))
		return;
	if (!contrast->pair.row_count) {
		screen_say(screen, ROLE_TEXT,
			"No experiment was measured in both sessions.");
		return;
	}
	contrast_row_at(contrast, contrast->selected, &shown);
	contrast_say_verdict(&shown, &text);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	/* What does not fit stands in the panes. */
	screen->message_read = true;
	text_free(&text);
}

static void say_browsing(struct screen *screen)
{
	const struct contrast *contrast = contrast_of(screen);

	screen_say(screen, ROLE_TEXT,
		"Enter uses the selected session for %c; o: a file by name.",
		"AB"[contrast->browsing]);
}

void compare_enter(struct screen *screen)
{
	struct contrast *contrast = contrast_of(screen);

	/* What surrounds the present session is compared too. */
	if (screen->lab->session->run_count)
		lab_machine(screen->lab);
	browser_read(&contrast->browser, screen->lab);
	if (!contrast_session(screen, contrast, 0))
		contrast->browsing = 0;
	if (compare_place(screen) == COMPARE_BROWSER)
		say_browsing(screen);
	else
		say_selected(screen);
}

void compare_move(struct screen *screen, int steps)
{
	struct contrast *contrast = contrast_of(screen);

	if (compare_place(screen) == COMPARE_BROWSER) {
		contrast->browser.selected =
			(size_t)moved((int)contrast->browser.selected, steps,
				(int)contrast->browser.count);
		return;
	}
	if (!contrast_make(screen, contrast))
		return;
	contrast->selected = (size_t)moved((int)contrast->selected, steps,
		(int)contrast->pair.row_count);
	say_selected(screen);
}

/* ---- choosing --------------------------------------------------------- */

static enum outcome take(struct screen *screen, int side, const char *name,
	struct reply *reply)
{
	if (contrast_choose(screen, side, name, &reply->error))
		return OUTCOME_FAILED;
	screen_view(screen, VIEW_COMPARE, COMPARE_ROWS);
	return OUTCOME_DONE;
}

static enum outcome exec_side(const struct call *call, struct reply *reply)
{
	return take(screen_of(call), side_named(call->arg[0]),
		call->count > 1 ? call->arg[1] : NULL, reply);
}

static enum outcome exec_browse(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	contrast_of(screen)->browsing = side_named(call->arg[0]);
	screen_view(screen, VIEW_COMPARE, COMPARE_BROWSER);
	contrast_of(screen)->browsing = side_named(call->arg[0]);
	say_browsing(screen);
	return OUTCOME_DONE;
}

/* Ends a paragraph, where there is one since the last. */
static void end_part(struct text *text, size_t *from)
{
	if (text->length > *from)
		text_add(text, "\n\n");
	*from = text->length;
}

/* All that is known of a row, for terminals without room for it. */
static void explain(struct screen *screen, const struct contrast *contrast)
{
	struct contrast_row shown;
	struct text text = { 0 }, name = { 0 };
	size_t from = 0;

	contrast_row_at(contrast, contrast->selected, &shown);
	contrast_say_name(&shown, 100, &name);
	contrast_say_verdict(&shown, &text);
	end_part(&text, &from);
	contrast_say_notes(&shown, &text);
	end_part(&text, &from);
	contrast_say_cause(contrast, &shown, &text);
	end_part(&text, &from);
	contrast_say_visible(&shown, &text);
	end_part(&text, &from);
	text_add(&text, "measured with ");
	point_describe(shown.row->second.run, shown.row->second.point, false,
		&text);
	text_add(&text, "\n%zu and %zu launches\n", shown.row->first.launches,
		shown.row->second.launches);
	screen_open_page(screen, name.chars, text.chars);
	text_free(&text);
	text_free(&name);
}

static enum outcome exec_choose(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct contrast *contrast = contrast_of(screen);
	struct browser *browser = &contrast->browser;

	if (compare_place(screen) == COMPARE_ROWS) {
		if (!contrast_make(screen, contrast) ||
			!contrast->pair.row_count)
			return reply_fail(reply, STATUS_USAGE,
				"no experiment was measured in both sessions");
		explain(screen, contrast);
		return OUTCOME_DONE;
	}
	if (call->count)
		browser->selected = (size_t)moved(steps_of(call) - 1, 0,
			(int)browser->count);
	if (!browser->count)
		return reply_fail(reply, STATUS_USAGE,
			"no list of sessions is open: `browse a` opens it");
	return take(screen, contrast->browsing,
		browser->list[browser->selected].name, reply);
}

static int check_choose(const struct call *call, struct error *error)
{
	return call->count ? check_steps(call, error) : 0;
}

/* ---- how it is shown -------------------------------------------------- */

static const char *const words[] = { "cycles", "order", "swap", "details",
	"path", "again", "back", NULL };

static void swap(struct contrast *contrast)
{
	struct contrast_side first = contrast->sides[0];

	contrast_drop(contrast);
	contrast->sides[0] = contrast->sides[1];
	contrast->sides[1] = first;
}

static void open_details(struct screen *screen, const struct contrast *contrast)
{
	struct text text = { 0 };

	print_compare(&contrast->pair, contrast_name(contrast, 0),
		contrast_name(contrast, 1), &text);
	screen_open_page(screen, "B against A", text.chars);
	text_free(&text);
}

static void open_path(struct screen *screen, const struct contrast *contrast)
{
	struct text line = { 0 };

	text_add(&line, "prompt side %c", "ab"[contrast->browsing]);
	screen_execute(screen, line.chars);
	text_free(&line);
}

/* Out of the list of sessions: to the comparison, where there is one. */
static void go_back(struct screen *screen, struct contrast *contrast)
{
	if (contrast_make(screen, contrast))
		screen_view(screen, VIEW_COMPARE, COMPARE_ROWS);
	else
		screen_view(screen, VIEW_LAB, -1);
}

/* As B asked for it; the new run is B's where B is the present session. */
static enum outcome measure_again(struct screen *screen,
	const struct contrast *contrast, struct reply *reply)
{
	struct contrast_row shown;

	if (!contrast->pair.row_count)
		return reply_fail(reply, STATUS_USAGE,
			"no experiment was measured in both sessions");
	contrast_row_at(contrast, contrast->selected, &shown);
	const char *asked = shown.row->second.run->asked;
	if (lab_busy(screen->lab))
		return reply_fail(reply, STATUS_USAGE,
			"a run is in progress: x stops the run and keeps its "
			"data");
	if (!asked || !*asked)
		return reply_fail(reply, STATUS_USAGE,
			"B does not record how it was measured");
	char *line = xstrdup(asked);
	screen_execute(screen, line);
	free(line);
	return OUTCOME_DONE;
}

static enum outcome turn_cycles(struct screen *screen,
	struct contrast *contrast, struct reply *reply)
{
	bool any = false;

	for (size_t i = 0; i < contrast->pair.row_count; i++)
		any |= contrast->pair.rows[i].has_cycles;
	if (!any && !contrast->cycles)
		return reply_fail(reply, STATUS_USAGE,
			"no cycles to compare: the core frequency must be "
			"known in both sessions");
	contrast->cycles = !contrast->cycles;
	contrast_sort(contrast);
	say_selected(screen);
	return OUTCOME_DONE;
}

static enum outcome exec_contrast(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct contrast *contrast = contrast_of(screen);
	const char *word = call->arg[0];

	if (!strcmp(word, "path")) {
		open_path(screen, contrast);
		return OUTCOME_DONE;
	}
	if (!strcmp(word, "back")) {
		go_back(screen, contrast);
		return OUTCOME_DONE;
	}
	if (!contrast_make(screen, contrast))
		return reply_fail(reply, STATUS_USAGE,
			"session %c is not chosen: use `side %c FILE` or "
			"`browse %c`",
			"AB"[!!contrast_session(screen, contrast, 0)],
			"ab"[!!contrast_session(screen, contrast, 0)],
			"ab"[!!contrast_session(screen, contrast, 0)]);
	if (!strcmp(word, "again"))
		return measure_again(screen, contrast, reply);
	if (!strcmp(word, "cycles"))
		return turn_cycles(screen, contrast, reply);
	if (!strcmp(word, "details")) {
		open_details(screen, contrast);
		return OUTCOME_DONE;
	}
	if (!strcmp(word, "swap")) {
		swap(contrast);
		contrast_make(screen, contrast);
	} else {
		contrast->by = (contrast->by + 1) % ORDERS;
		contrast_sort(contrast);
	}
	say_selected(screen);
	return OUTCOME_DONE;
}

const struct command contrast_commands[] = {
	{ "side", "a|b [FILE]",
		"choose a session for one side of the Compare screen; without "
		"FILE, the present session",
		"side a before.json", 1, 2, ARGUMENT_WORD, sides, NULL,
		COMMAND_SCREEN, check_word, exec_side },
	{ "browse", "a|b",
		"list the sessions for one side of the Compare screen",
		"browse a", 1, 1, ARGUMENT_WORD, sides, NULL, COMMAND_SCREEN,
		check_word, exec_browse },
	{ "choose", "[NUMBER]",
		"use the selected session of the list, or session NUMBER; in "
		"the table of the Compare screen, explain the selected row",
		"choose 2", 0, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_choose, exec_choose },
	{ "contrast", "cycles|order|swap|details|path|again|back",
		"compare cycles or time, change the sort order, swap A and B, "
		"show all figures, enter a file name, measure the selected row "
		"again, or leave the list of sessions",
		"contrast cycles", 1, 1, ARGUMENT_WORD, words, NULL,
		COMMAND_SCREEN, check_word, exec_contrast },
	{ .name = NULL },
};
