/* The screen's own verbs: the table, and what is done or typed. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answer.h"
#include "commands_internal.h"
#include "terminal.h"

/* ---- running ---------------------------------------------------------- */

static enum outcome refuse_while_busy(struct reply *reply)
{
	return reply_fail(reply, STATUS_USAGE,
		"a run goes on: x stops it, keeping what it has");
}

static enum outcome exec_start(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text line = { 0 };

	if (lab_busy(screen->lab))
		return refuse_while_busy(reply);
	screen_line(screen, &line);
	screen_execute(screen, line.chars);
	text_free(&line);
	return OUTCOME_DONE;
}

/* All that is marked, in the order of the list, each as its form says. A mark
 * goes when its run begins. */
static enum outcome exec_batch(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text lines = { 0 };

	if (lab_busy(screen->lab))
		return refuse_while_busy(reply);
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		struct draft *draft = &screen->drafts[i];

		if (!draft->marked)
			continue;
		text_add(&lines, "%srun %s", lines.length ? "; " : "",
			screen->lab->registry.list[i]->name);
		param_set_line(&draft->args, &lines);
		param_set_line(&draft->common, &lines);
		draft->waits = true;
	}
	if (!lines.length)
		return reply_fail(reply, STATUS_USAGE,
			"nothing is marked: Space marks the selected "
			"experiment or group");
	screen_execute(screen, lines.chars);
	text_free(&lines);
	return OUTCOME_DONE;
}

static enum outcome exec_stop(const struct call *call, struct reply *reply)
{
	if (!lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE, "nothing is running");
	lab_stop(call->lab);
	return OUTCOME_DONE;
}

/* ---- typing and drawing ----------------------------------------------- */

/* A session without a file is offered a name that Enter can take. */
static void add_new_name(const struct session *session, struct text *line)
{
	char name[40];
	time_t now = time(NULL);
	struct tm local;

	if (session->path)
		return;
	localtime_r(&now, &local);
	strftime(name, sizeof name, "session-%Y-%m-%d-%H%M%S.json", &local);
	text_add(line, "%s", name);
}

/* Do the words that are fixed lack one name, or one text? */
static int rest_of(const struct call *call)
{
	const struct command *row = call->count ?
		command_find(call->lab, call->arg[0]) :
		NULL;

	if (!row)
		return REST_WORDS;
	if (!strcmp(row->name, "note"))
		return REST_TEXT;
	bool name = row->argument == ARGUMENT_FILE && row->most == 1;
	bool behind = row->argument == ARGUMENT_WORD && row->most == 2 &&
		call->count == 2;
	return name || behind ? REST_NAME : REST_WORDS;
}

static enum outcome exec_prompt(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text line = { 0 };

	(void)reply;
	for (size_t i = 0; i < call->count; i++)
		text_add(&line, "%s ", call->arg[i]);
	size_t fixed = line.length;
	if (call->count == 1 && !strcmp(call->arg[0], "save"))
		add_new_name(screen->lab->session, &line);
	prompt_open(&screen->prompt, PROMPT_COMMAND, ":", text_chars(&line));
	screen->prompt.fixed = fixed;
	screen->prompt.rest = rest_of(call);
	text_free(&line);
	return OUTCOME_DONE;
}

static enum outcome exec_redraw(const struct call *call, struct reply *reply)
{
	(void)call;
	(void)reply;
	terminal_forget();
	return OUTCOME_DONE;
}

/* ---- the table -------------------------------------------------------- */

/* A verb without arguments, and one with a number of steps. */
#define PLAIN(NAME, HELP, EXEC) \
	{ \
		NAME, "", HELP, NAME, 0, 0, ARGUMENT_NONE, NULL, NULL, \
			COMMAND_SCREEN, NULL, EXEC \
	}
#define STEPS(NAME, HELP, EXEC) \
	{ \
		NAME, "NUMBER", HELP, NAME " 1", 1, 1, ARGUMENT_TEXT, NULL, \
			NULL, COMMAND_SCREEN, check_steps, EXEC \
	}

const struct command screen_commands[] = {
	STEPS("move", "moves the selection", exec_move),
	PLAIN("fold", "opens or closes the group", exec_fold),
	{ "view", "lab|sweep|net|compare|machine",
		"brings another of the screens into view", "view lab", 1, 1,
		ARGUMENT_WORD, view_words, NULL, COMMAND_SCREEN, check_word,
		exec_view },
	{ "focus", "PANE|next|last", "moves to a pane of any screen",
		"focus form", 1, 1, ARGUMENT_WORD, focus_words, NULL,
		COMMAND_SCREEN, check_word, exec_focus },
	{ "pick", "EXPERIMENT|GROUP", "selects in the list", "pick cpu.syscall",
		1, 1, ARGUMENT_TARGET, NULL, NULL, COMMAND_SCREEN, check_pick,
		exec_pick },
	PLAIN("mark", "marks the experiment or the group to be run by `batch`",
		exec_mark),
	STEPS("field", "selects a row of the form", exec_field),
	STEPS("point", "selects a point of a sweep", exec_point),
	STEPS("change", "the next value of the selected parameter",
		exec_change),
	{ "slide", "PLACE",
		"puts the slider of the selected parameter there, 0 .. 1000",
		"slide 500", 1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_slide, exec_slide },
	{ "edit", "[NAME=VALUE ...|preset]",
		"other values for the experiment on the screen",
		"edit call=getpid", 0, 64, ARGUMENT_TEXT, NULL, NULL,
		COMMAND_SCREEN, check_edit, exec_edit },
	PLAIN("start", "runs what the screen shows", exec_start),
	PLAIN("batch", "runs all that is marked, in turn", exec_batch),
	PLAIN("stop", "stops the run, keeping what was measured", exec_stop),
	PLAIN("guess", "opens the line for a prediction", exec_guess),
	{ "prompt", "[TEXT]", "opens the `:` line", "prompt save", 0, 64,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, NULL, exec_prompt },
	{ "find", "[TEXT]",
		"selects the next experiment with a text in its name, title or "
		"question; alone, opens the `/` line",
		"find sys", 0, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		NULL, exec_find },
	STEPS("again", "finds the next one, or with -1 the one before",
		exec_again),
	{ "plot", "log-count|log-value|cumulative|finer|coarser|point",
		"draws the histogram another way", "plot log-count", 1, 1,
		ARGUMENT_WORD, plot_words, NULL, COMMAND_SCREEN, check_word,
		exec_plot },
	PLAIN("details", "every figure of the result", exec_details),
	PLAIN("words", "what the words on the screen mean", exec_words),
	PLAIN("keys", "says what the keys do", exec_keys),
	PLAIN("about", "says what the experiment on the screen does",
		exec_about),
	{ "scroll", "NUMBER|page|page-back|away",
		"moves or closes a page of text", "scroll page", 1, 1,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, check_scroll,
		exec_scroll },
	PLAIN("filter", "shows only the lines of a page with a word",
		exec_filter),
	{ "glyphs", "[braille|block|console|ascii]",
		"draws with other glyphs, and remembers them", "glyphs ascii",
		0, 1, ARGUMENT_WORD, tier_names, NULL, COMMAND_SCREEN,
		check_word, exec_glyphs },
	{ "theme", "[any|dark|light|mono|high]",
		"draws in other colours, and remembers them", "theme dark", 0,
		1, ARGUMENT_WORD, theme_names, NULL, COMMAND_SCREEN, check_word,
		exec_theme },
	PLAIN("redraw", "draws everything again", exec_redraw),
	{ "snapshot", "VIEW FILE [80x24]",
		"saves a view (lab, sweep, net, compare, machine, about, "
		"details, keys or words) as text or as a picture, as FILE ends "
		"with .txt or .svg; without a screen, as it is after the last "
		"run; `snapshot net` of a capture file prints its connection",
		"snapshot lab today.svg 120x40", 2, 3, ARGUMENT_WORD,
		snapshot_words, NULL, 0, check_snapshot, exec_snapshot },
	{ .name = NULL },
};
