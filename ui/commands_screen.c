/* The screen's own verbs: where the eye is, what is typed, what is shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "keys.h"
#include "memory.h"
#include "screen.h"
#include "show.h"
#include "terminal.h"

static struct screen *screen_of(const struct call *call)
{
	return call->self;
}

/* ---- moving ----------------------------------------------------------- */

static int check_steps(const struct call *call, struct error *error)
{
	char *end;

	strtol(call->arg[0], &end, 10);
	if (*end == '\0' && end != call->arg[0])
		return 0;
	error_set(error, STATUS_USAGE,
		"'%s' is no number of steps: expected -1, 1, ..", call->arg[0]);
	return call_fault(call, 0, 0, error);
}

static int moved(int at, int steps, int count)
{
	at += steps;
	return at < 0 ? 0 : at >= count ? count - 1 : at;
}

static int fields(const struct draft *draft)
{
	return (int)(draft->args.count + draft->common.count);
}

static enum outcome exec_move(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	int steps = (int)strtol(call->arg[0], NULL, 10);
	struct draft *draft = screen_draft(screen);

	(void)reply;
	if (screen->focus == FOCUS_FORM)
		draft->field = moved(draft->field, steps, fields(draft));
	else
		screen->selected = (size_t)moved((int)screen->selected, steps,
			(int)screen->item_count);
	return OUTCOME_DONE;
}

static enum outcome exec_fold(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	size_t at = screen->selected;

	(void)reply;
	while (!screen->items[at].group)
		at--;
	screen->selected = at;
	bool *folded = &screen->folded[screen->items[at].experiment];
	*folded = !*folded;
	screen_list(screen);
	return OUTCOME_DONE;
}

static const char *const places[] = { "list", "form", "next", NULL };

static enum outcome exec_focus(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const char *where = call->arg[0];

	(void)reply;
	if (!strcmp(where, "next"))
		screen->focus = (screen->focus + 1) % FOCUSES;
	else if (!strcmp(where, "list"))
		screen->focus = FOCUS_LIST;
	else if (screen->items[screen->selected].group)
		return exec_fold(call, reply);
	else
		screen->focus = FOCUS_FORM;
	return OUTCOME_DONE;
}

static int check_place(const struct call *call, struct error *error)
{
	for (size_t i = 0; places[i]; i++)
		if (!strcmp(places[i], call->arg[0]))
			return 0;
	error_set(error, STATUS_USAGE,
		"no pane '%s': expected list, form or next", call->arg[0]);
	return call_fault(call, 0, 0, error);
}

/* ---- parameters ------------------------------------------------------- */

static struct param_set *field_set(struct draft *draft, size_t *row)
{
	*row = (size_t)draft->field;
	if (*row < draft->args.count)
		return &draft->args;
	*row -= draft->args.count;
	return &draft->common;
}

static int neighbour_choice(const struct param *row, int choice, int step)
{
	int count = 0;

	while (row->choices[count])
		count++;
	return (choice + step + count) % count;
}

/* The next value up or down: choices in turn; sizes and times double; plain
 * counts go by one. */
static void neighbour_number(const struct param *row, double value, int step,
	struct text *text)
{
	bool doubles = row->unit == UNIT_BYTES || row->unit == UNIT_NS ||
		row->unit == UNIT_HZ || row->unit == UNIT_BITS_PER_S;

	if (row->automatic && value == (double)PARAM_AUTO)
		value = step > 0 ? row->min : row->max;
	else if (doubles)
		value = step > 0 ? value * 2 : value / 2;
	else if (row->type == PARAM_REAL)
		value = step > 0 ? value * 1.25 : value / 1.25;
	else
		value += step;
	if (doubles && step > 0 && value == 0)
		value = 1;
	value = fmin(fmax(value, row->min), row->max);
	if (row->type == PARAM_WHOLE)
		unit_write_whole(text, row->unit, (int64_t)value);
	else
		unit_write(text, row->unit, value);
}

static enum outcome exec_change(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	int step = (int)strtol(call->arg[0], NULL, 10);
	size_t at;
	struct param_set *set = field_set(screen_draft(screen), &at);
	const struct param *row = &set->rows[at];
	const union param_value *value = &set->values[at].list[0];
	struct text text = { 0 };

	if (row->type == PARAM_TEXT)
		return OUTCOME_DONE;
	if (row->type == PARAM_CHOICE)
		text_add(&text, "%s",
			row->choices[neighbour_choice(row, value->choice,
				step)]);
	else
		neighbour_number(row,
			row->type == PARAM_WHOLE ? (double)value->whole :
						   value->real,
			step, &text);
	int failed = param_set_values(set, row->name, text_chars(&text),
		&reply->error);
	text_free(&text);
	if (!strcmp(row->name, "budget"))
		screen_draft(screen)->budget_asked = true;
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

static int check_edit(const struct call *call, struct error *error)
{
	struct screen *screen = screen_of(call);
	struct draft *draft = screen_draft(screen);
	struct param_set args, common;

	if (!call->count || !strcmp(call->arg[0], "preset"))
		return 0;
	param_set_copy(&args, &draft->args);
	param_set_copy(&common, &draft->common);
	int failed = assign_words(call, 0, &args, &common, NULL, error);
	if (!failed)
		failed = param_set_check_points(&args, error);
	param_set_free(&args);
	param_set_free(&common);
	return failed;
}

static enum outcome exec_edit(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct draft *draft = screen_draft(screen);
	size_t at;
	struct param_set *set = field_set(draft, &at);
	const struct param *row = &set->rows[at];

	if (!call->count) {
		struct text label = { 0 };

		text_add(&label, "%s = ", row->name);
		prompt_open(&screen->prompt, PROMPT_FIELD, label.chars,
			set->values[at].typed);
		text_free(&label);
		return OUTCOME_DONE;
	}
	int failed;
	if (!strcmp(call->arg[0], "preset"))
		failed = param_set_values(set, row->name, row->preset,
			&reply->error);
	else
		failed = assign_words(call, 0, &draft->args, &draft->common,
			&draft->budget_asked, &reply->error);
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

/* ---- running ---------------------------------------------------------- */

static enum outcome exec_start(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text line = { 0 };

	if (lab_busy(screen->lab))
		return reply_fail(reply, STATUS_USAGE,
			"a run goes on: x stops it, keeping what it has");
	screen_line(screen, &line);
	screen_execute(screen, line.chars);
	text_free(&line);
	return OUTCOME_DONE;
}

static enum outcome exec_stop(const struct call *call, struct reply *reply)
{
	if (!lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE, "nothing is running");
	lab_stop(call->lab);
	return OUTCOME_DONE;
}

static enum outcome exec_guess(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text line = { 0 };

	(void)reply;
	text_add(&line, "predict %s hw=", screen_descriptor(screen)->name);
	prompt_open(&screen->prompt, PROMPT_COMMAND, ":", line.chars);
	text_free(&line);
	return OUTCOME_DONE;
}

/* ---- typing and reading ----------------------------------------------- */

static enum outcome exec_prompt(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text line = { 0 };

	(void)reply;
	for (size_t i = 0; i < call->count; i++)
		text_add(&line, "%s ", call->arg[i]);
	prompt_open(&screen->prompt, PROMPT_COMMAND, ":", text_chars(&line));
	text_free(&line);
	return OUTCOME_DONE;
}

static enum outcome exec_find(const struct call *call, struct reply *reply)
{
	(void)reply;
	prompt_open(&screen_of(call)->prompt, PROMPT_FIND, "/",
		call->count ? call->arg[0] : "");
	return OUTCOME_DONE;
}

static enum outcome exec_keys(const struct call *call, struct reply *reply)
{
	(void)call;
	text_add(&reply->text,
		"Keys. Each is a binding to a command line, and "
		"every line can be typed after `:`.\n\n");
	for (const struct binding *row = bindings; row->key; row++)
		text_add(&reply->text, "  %-5s %-10s %-16s %s\n", row->where,
			row->key, row->line, row->help);
	return OUTCOME_DONE;
}

static enum outcome exec_about(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct draft *draft = screen_draft(screen);
	struct queued queued = {
		.experiment = screen_descriptor(screen),
		.args = draft->args,
		.common = draft->common,
		.budget_asked = draft->budget_asked,
	};

	show_text(screen->lab, &queued, &reply->text);
	return OUTCOME_DONE;
}

static int check_scroll(const struct call *call, struct error *error)
{
	return strcmp(call->arg[0], "away") ? check_steps(call, error) : 0;
}

static enum outcome exec_scroll(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	int lines = 0;

	(void)reply;
	if (!screen->page)
		return OUTCOME_DONE;
	if (!strcmp(call->arg[0], "away")) {
		free(screen->page);
		screen->page = NULL;
		return OUTCOME_DONE;
	}
	for (const char *at = screen->page; (at = strchr(at, '\n')); at++)
		lines++;
	screen->page_row = moved(screen->page_row,
		(int)strtol(call->arg[0], NULL, 10), lines ? lines : 1);
	return OUTCOME_DONE;
}

static const char *const tiers[] = { "braille", "block", "console", "ascii",
	NULL };

static int check_glyphs(const struct call *call, struct error *error)
{
	if (!call->count || tier_named(call->arg[0]) < TIERS)
		return 0;
	error_set(error, STATUS_USAGE,
		"no glyphs '%s': expected braille, block, console or ascii",
		call->arg[0]);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_glyphs(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	screen->tier = call->count ? tier_named(call->arg[0]) :
				     (screen->tier + 1) % TIERS;
	screen_say(screen, ROLE_TEXT, "glyphs: %s", tier_name(screen->tier));
	return OUTCOME_DONE;
}

static enum outcome exec_redraw(const struct call *call, struct reply *reply)
{
	(void)call;
	(void)reply;
	terminal_forget();
	return OUTCOME_DONE;
}

const struct command screen_commands[] = {
	{ "move", "STEPS", "moves the selection", "move 1", 1, 1, ARGUMENT_TEXT,
		NULL, NULL, COMMAND_SCREEN, check_steps, exec_move },
	{ "fold", "", "opens or closes the group", "fold", 0, 0, ARGUMENT_NONE,
		NULL, NULL, COMMAND_SCREEN, NULL, exec_fold },
	{ "focus", "list|form|next", "moves to a pane", "focus form", 1, 1,
		ARGUMENT_WORD, places, NULL, COMMAND_SCREEN, check_place,
		exec_focus },
	{ "change", "STEPS", "the next value of the selected parameter",
		"change 1", 1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_steps, exec_change },
	{ "edit", "[NAME=VALUE ...|preset]",
		"other values for the experiment on the screen",
		"edit call=getpid", 0, 64, ARGUMENT_TEXT, NULL, NULL,
		COMMAND_SCREEN, check_edit, exec_edit },
	{ "start", "", "runs what the screen shows", "start", 0, 0,
		ARGUMENT_NONE, NULL, NULL, COMMAND_SCREEN, NULL, exec_start },
	{ "stop", "", "stops the run, keeping what was measured", "stop", 0, 0,
		ARGUMENT_NONE, NULL, NULL, COMMAND_SCREEN, NULL, exec_stop },
	{ "guess", "", "opens the line for a prediction", "guess", 0, 0,
		ARGUMENT_NONE, NULL, NULL, COMMAND_SCREEN, NULL, exec_guess },
	{ "prompt", "[TEXT]", "opens the `:` line", "prompt save", 0, 64,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, NULL, exec_prompt },
	{ "find", "[TEXT]", "opens the `/` line", "find sys", 0, 1,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, NULL, exec_find },
	{ "keys", "", "says what the keys do", "keys", 0, 0, ARGUMENT_NONE,
		NULL, NULL, COMMAND_SCREEN, NULL, exec_keys },
	{ "about", "", "says what the experiment on the screen does", "about",
		0, 0, ARGUMENT_NONE, NULL, NULL, COMMAND_SCREEN, NULL,
		exec_about },
	{ "scroll", "STEPS|away", "moves or closes a page of text", "scroll 1",
		1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, check_scroll,
		exec_scroll },
	{ "glyphs", "[TIER]", "other glyphs", "glyphs ascii", 0, 1,
		ARGUMENT_WORD, tiers, NULL, COMMAND_SCREEN, check_glyphs,
		exec_glyphs },
	{ "redraw", "", "draws everything again", "redraw", 0, 0, ARGUMENT_NONE,
		NULL, NULL, COMMAND_SCREEN, NULL, exec_redraw },
	{ .name = NULL },
};
