/* Verbs of the Compare screen. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands_internal.h"
#include "memory.h"
#include "print_compare.h"
#include "print_fleet.h"
#include "print_history.h"
#include "view_compare.h"

static const char *const sides[] = { "a", "b", NULL };

static int side_named(const char *word)
{
	return !strcmp(word, "b");
}

static enum outcome refuse_rows(struct reply *reply)
{
	return reply_fail(reply, STATUS_USAGE,
		"no experiment was measured in both sessions");
}

/* ---- moving ----------------------------------------------------------- */

static void say_selected(struct screen *screen)
{
	struct compare_model *model = model_of(screen);
	struct model_row shown;
	struct text text = { 0 };

	if (!model_make(screen, model))
		return;
	if (!model->pair.row_count) {
		screen_say(screen, ROLE_TEXT,
			"No experiment was measured in both sessions.");
		return;
	}
	model_row_at(model, model->selected, &shown);
	model_say_verdict(&shown, &text);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	/* The panes show any text that the status row cuts. */
	screen->message_read = true;
	text_free(&text);
}

static void say_browsing(struct screen *screen)
{
	const struct compare_model *model = model_of(screen);

	screen_say(screen, ROLE_TEXT,
		"B is compared with A. Enter uses the selected session as %c, "
		"o a file.",
		"AB"[model->browsing]);
}

static void say_many(struct screen *screen)
{
	struct text text = { 0 };

	if (compare_place(screen) == COMPARE_FLEET)
		compare_fleet_say(screen, &text);
	else
		compare_history_say(screen, &text);
	screen_say(screen, ROLE_TEXT, "%s. Enter prints the text.", text.chars);
	text_free(&text);
}

void compare_enter(struct screen *screen)
{
	struct compare_model *model = model_of(screen);

	/* The comparison includes the conditions of the present session, so the
	 * machine must be known. */
	if (screen->lab->session->run_count)
		lab_machine(screen->lab);
	if (compare_place(screen) >= COMPARE_FLEET) {
		say_many(screen);
		return;
	}
	browser_read(&model->browser, screen->lab);
	if (!model_session(screen, model, 0))
		model->browsing = 0;
	if (compare_place(screen) == COMPARE_BROWSER)
		say_browsing(screen);
	else
		say_selected(screen);
}

void compare_move(struct screen *screen, int steps)
{
	struct compare_model *model = model_of(screen);

	if (compare_place(screen) == COMPARE_FLEET) {
		compare_fleet_move(screen, steps, 0);
		return;
	}
	if (compare_place(screen) == COMPARE_HISTORY) {
		compare_history_move(screen, steps);
		return;
	}
	if (compare_place(screen) == COMPARE_BROWSER) {
		model->browser.selected =
			(size_t)moved((int)model->browser.selected, steps,
				(int)model->browser.count);
		return;
	}
	if (!model_make(screen, model))
		return;
	model->selected = (size_t)moved((int)model->selected, steps,
		(int)model->pair.row_count);
	say_selected(screen);
}

/* ---- choosing --------------------------------------------------------- */

static enum outcome take(struct screen *screen, int side, const char *name,
	const char *path, struct reply *reply)
{
	if (model_choose(screen, side, name, path, &reply->error))
		return OUTCOME_FAILED;
	screen_view(screen, VIEW_COMPARE, COMPARE_ROWS);
	return OUTCOME_DONE;
}

static enum outcome exec_side(const struct call *call, struct reply *reply)
{
	return take(screen_of(call), side_named(call->arg[0]),
		call->count > 1 ? call->arg[1] : NULL, NULL, reply);
}

static enum outcome exec_browse(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	model_of(screen)->browsing = side_named(call->arg[0]);
	screen_view(screen, VIEW_COMPARE, COMPARE_BROWSER);
	model_of(screen)->browsing = side_named(call->arg[0]);
	say_browsing(screen);
	return OUTCOME_DONE;
}

/* Adds a blank line if the text has grown since `from`. */
static void end_part(struct text *text, size_t *from)
{
	if (text->length > *from)
		text_add(text, "\n\n");
	*from = text->length;
}

/* Opens a page with the full text of a row, for terminals without room. */
static void explain(struct screen *screen, const struct compare_model *model)
{
	struct model_row shown;
	struct text text = { 0 }, name = { 0 };
	size_t from = 0;

	model_row_at(model, model->selected, &shown);
	model_say_name(&shown, 100, &name);
	model_say_verdict(&shown, &text);
	end_part(&text, &from);
	model_say_notes(&shown, &text);
	end_part(&text, &from);
	model_say_cause(model, &shown, &text);
	end_part(&text, &from);
	model_say_visible(&shown, &text);
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

/* Opens a page with the fleet or the history as text. */
static void print_many(struct screen *screen)
{
	const struct many *many = &screen->lab->many;
	bool fleet = compare_place(screen) == COMPARE_FLEET;
	struct text text = { 0 };

	if (fleet)
		print_fleet(many->fleet, &screen->lab->layout, &text);
	else
		print_history(many->history, &screen->lab->layout, &text);
	screen_open_page(screen, fleet ? "fleet" : "history",
		text_chars(&text));
	text_free(&text);
}

static enum outcome exec_choose(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct compare_model *model = model_of(screen);
	struct browser *browser = &model->browser;

	if (compare_place(screen) >= COMPARE_FLEET) {
		print_many(screen);
		return OUTCOME_DONE;
	}
	if (compare_place(screen) == COMPARE_ROWS) {
		if (!model_make(screen, model) ||
			!model->pair.row_count)
			return refuse_rows(reply);
		explain(screen, model);
		return OUTCOME_DONE;
	}
	if (call->count)
		browser->selected = (size_t)moved(steps_of(call) - 1, 0,
			(int)browser->count);
	if (!browser->count)
		return reply_fail(reply, STATUS_USAGE,
			"no list of sessions is open: `browse a` opens it");
	const struct browsed *chosen = &browser->list[browser->selected];
	return take(screen, model->browsing, chosen->name, chosen->path, reply);
}

static int check_choose(const struct call *call, struct error *error)
{
	return call->count ? check_steps(call, error) : 0;
}

/* ---- display ---------------------------------------------------------- */

static const char *const words[] = { "cycles", "order", "swap", "details",
	"history", "fleet", "left", "right", "path", "again", "back", NULL };

static void swap(struct compare_model *model)
{
	struct model_side first = model->sides[0];

	model_drop(model);
	model->sides[0] = model->sides[1];
	model->sides[1] = first;
}

static void open_details(struct screen *screen,
	const struct compare_model *model)
{
	const char *a = model_name(model, 0), *b = model_name(model, 1);
	const struct compare_titles titles = { .brief = { "A", "B" },
		.whole = { a, b } };
	struct text_layout layout = screen->lab->layout;
	struct text text = { 0 };

	layout.verbose = true;
	print_compare(&model->pair, &titles, &layout, &text);
	screen_open_page(screen, "B against A", text.chars);
	text_free(&text);
}

/* Shows the selected row over all kept sessions. */
static void open_history(struct screen *screen,
	const struct compare_model *model)
{
	struct text line = { 0 };
	struct model_row shown;

	model_row_at(model, model->selected, &shown);
	const struct compare_side *side = &shown.row->second;
	if (side->metric) {
		screen_say(screen, ROLE_WARN,
			"history shows the first metric of an experiment: %s",
			side->run->metrics[0].label);
		return;
	}
	text_add(&line, "history %s", side->run->experiment);
	for (size_t i = 0; i < side->run->param_count; i++) {
		struct text word = { 0 };

		if (!*side->point->values[i])
			continue;
		text_add(&word, "%s=%s", side->run->param_names[i],
			side->point->values[i]);
		text_add_char(&line, ' ');
		words_quote(&line, word.chars);
		text_free(&word);
	}
	screen_execute(screen, line.chars);
	text_free(&line);
}

/* Shows the fleet that was read last; without one, asks for its files. */
static void open_fleet(struct screen *screen)
{
	if (screen->lab->many.fleet)
		screen_view(screen, VIEW_COMPARE, COMPARE_FLEET);
	else
		screen_execute(screen, "prompt fleet");
}

static void open_path(struct screen *screen, const struct compare_model *model)
{
	struct text line = { 0 };

	text_add(&line, "prompt side %c", "ab"[model->browsing]);
	screen_execute(screen, line.chars);
	text_free(&line);
}

/* Leaves the list of sessions, the fleet or the history: to the comparison, or
 * to the Lab if none can be made. */
static void go_back(struct screen *screen, struct compare_model *model)
{
	bool pair = model_make(screen, model);

	screen->focus[VIEW_COMPARE] = COMPARE_ROWS;
	screen_view(screen, pair ? VIEW_COMPARE : VIEW_LAB, -1);
}

/* Repeats the command that measured B. If B is the present session, the new run
 * becomes part of B. */
static enum outcome measure_again(struct screen *screen,
	const struct compare_model *model, struct reply *reply)
{
	struct model_row shown;

	if (!model->pair.row_count)
		return refuse_rows(reply);
	model_row_at(model, model->selected, &shown);
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
	struct compare_model *model, struct reply *reply)
{
	bool any = false;

	for (size_t i = 0; i < model->pair.row_count; i++)
		any |= model->pair.rows[i].has_cycles;
	if (!any && !model->cycles)
		return reply_fail(reply, STATUS_USAGE,
			"no cycles to compare: the core frequency must be "
			"known in both sessions");
	model->cycles = !model->cycles;
	model_sort(model);
	say_selected(screen);
	return OUTCOME_DONE;
}

/* The words that need no comparison. False: another word. */
static bool exec_free(struct screen *screen, struct compare_model *model,
	const char *word)
{
	bool left = !strcmp(word, "left");

	if (!strcmp(word, "path"))
		open_path(screen, model);
	else if (!strcmp(word, "back"))
		go_back(screen, model);
	else if (!strcmp(word, "fleet"))
		open_fleet(screen);
	else if (!left && strcmp(word, "right") != 0)
		return false;
	else if (compare_place(screen) == COMPARE_FLEET)
		compare_fleet_move(screen, 0, left ? -1 : 1);
	else
		compare_move(screen, left ? -1 : 1);
	return true;
}

static enum outcome exec_contrast(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct compare_model *model = model_of(screen);
	const char *word = call->arg[0];

	if (exec_free(screen, model, word))
		return OUTCOME_DONE;
	if (!model_make(screen, model))
		return reply_fail(reply, STATUS_USAGE,
			"session %c is not chosen: use `side %c FILE` or "
			"`browse %c`",
			"AB"[!!model_session(screen, model, 0)],
			"ab"[!!model_session(screen, model, 0)],
			"ab"[!!model_session(screen, model, 0)]);
	if (!strcmp(word, "again"))
		return measure_again(screen, model, reply);
	if (!strcmp(word, "cycles"))
		return turn_cycles(screen, model, reply);
	if (!strcmp(word, "details")) {
		open_details(screen, model);
		return OUTCOME_DONE;
	}
	if (!strcmp(word, "history")) {
		if (!model->pair.row_count)
			return refuse_rows(reply);
		open_history(screen, model);
		return OUTCOME_DONE;
	}
	if (!strcmp(word, "swap")) {
		swap(model);
		model_make(screen, model);
	} else {
		model->by = (model->by + 1) % ORDERS;
		model_sort(model);
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
	{ "contrast", "cycles|order|swap|details|history|fleet|left|right|path|"
		"again|back",
		"compare cycles or time, change the sort order, swap A and B, "
		"show all figures, show the selected row over the kept "
		"sessions, show the fleet, move the selection across, enter a "
		"file name, measure that row again, or leave the list of "
		"sessions, the fleet or the history",
		"contrast cycles", 1, 1, ARGUMENT_WORD, words, NULL,
		COMMAND_SCREEN, check_word, exec_contrast },
	{ .name = NULL },
};
