/* The table of the screen's verbs, and the verbs that run experiments or open
 * the `:` line. */
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
		"a run is in progress: x stops the run and keeps its data");
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

/* Runs all marked experiments in list order, each with the settings of its
 * form. A mark is removed when its run begins. */
static enum outcome exec_batch(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text lines = { 0 };

	if (lab_busy(screen->lab))
		return refuse_while_busy(reply);
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		struct form *form = &screen->forms[i];

		if (!form->marked)
			continue;
		text_add(&lines, "%srun %s", lines.length ? "; " : "",
			screen->lab->registry.list[i]->name);
		param_set_line(&form->args, &lines);
		param_set_line(&form->common, &lines);
		form->waits = true;
	}
	if (!lines.length)
		return reply_fail(reply, STATUS_USAGE,
			"no experiment is marked: Space marks the selected "
			"experiment or group");
	screen_execute(screen, lines.chars);
	text_free(&lines);
	return OUTCOME_DONE;
}

static enum outcome exec_stop(const struct call *call, struct reply *reply)
{
	if (!lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE, "no run is in progress");
	lab_stop(call->lab);
	return OUTCOME_DONE;
}

/* ---- typing and drawing ----------------------------------------------- */

/* Proposes a file name for a session without one; Enter accepts it. */
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

/* What the fixed words still need: a name, a text, or any words. */
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
	prompt_select(&screen->prompt);
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
	STEPS("move", "move the selection", exec_move),
	PLAIN("fold", "open or close the group", exec_fold),
	{ "view", "lab|sweep|net|compare|machine",
		"switch to another screen", "view lab", 1, 1,
		ARGUMENT_WORD, view_words, NULL, COMMAND_SCREEN, check_word,
		exec_view },
	{ "focus", "PANE|next|last", "move to a pane of any screen",
		"focus form", 1, 1, ARGUMENT_WORD, focus_words, NULL,
		COMMAND_SCREEN, check_word, exec_focus },
	{ "pick", "EXPERIMENT|GROUP", "select an experiment or a group in the "
		"list", "pick cpu.syscall",
		1, 1, ARGUMENT_TARGET, NULL, NULL, COMMAND_SCREEN, check_pick,
		exec_pick },
	PLAIN("mark", "mark the experiment or the group for `batch`",
		exec_mark),
	STEPS("field", "select a row of the form", exec_field),
	STEPS("point", "select a point of a sweep", exec_point),
	STEPS("change", "choose the next value of the selected parameter",
		exec_change),
	{ "slide", "PLACE",
		"set the slider of the selected parameter, 0 .. 1000",
		"slide 500", 1, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_slide, exec_slide },
	{ "edit", "[NAME=VALUE ...|preset]",
		"set parameters of the experiment on the screen",
		"edit call=getpid", 0, 64, ARGUMENT_TEXT, NULL, NULL,
		COMMAND_SCREEN, check_edit, exec_edit },
	PLAIN("start", "run the experiment on the screen", exec_start),
	PLAIN("batch", "run all marked experiments, in turn", exec_batch),
	PLAIN("stop", "stop the run and keep its data", exec_stop),
	PLAIN("guess", "open the line for a prediction", exec_guess),
	{ "prompt", "[TEXT]", "open the `:` line", "prompt save", 0, 64,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, NULL, exec_prompt },
	{ "find", "[TEXT]",
		"select the next experiment with TEXT in its name, or else "
		"in its title or question; without TEXT, open the `/` line",
		"find sys", 0, 1, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		NULL, exec_find },
	STEPS("again", "find the next match, or with -1 the previous match",
		exec_again),
	{ "plot", "log-count|log-value|cumulative|finer|coarser|point",
		"change how the histogram is drawn", "plot log-count", 1, 1,
		ARGUMENT_WORD, plot_words, NULL, COMMAND_SCREEN, check_word,
		exec_plot },
	PLAIN("details", "show every figure of the result", exec_details),
	PLAIN("words", "show the glossary of the screen's words", exec_words),
	PLAIN("keys", "show the key help", exec_keys),
	{ "tour", "[next|off]",
		"start the tour of the screen, five minutes; next skips a "
		"step, off ends the tour",
		"tour", 0, 1, ARGUMENT_WORD, tour_words, NULL, COMMAND_SCREEN,
		check_word, exec_tour },
	PLAIN("about", "describe the experiment on the screen",
		exec_about),
	{ "scroll", "NUMBER|page|page-back|away",
		"move or close a page of text", "scroll page", 1, 1,
		ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN, check_scroll,
		exec_scroll },
	PLAIN("filter", "show only the lines of a page that contain a word",
		exec_filter),
	{ "glyphs", "[braille|block|console|ascii|keep]",
		"change the glyphs; with keep, remember the present ones",
		"glyphs ascii", 0, 1, ARGUMENT_WORD, glyphs_words, NULL,
		COMMAND_SCREEN, check_word, exec_glyphs },
	{ "theme", "[any|dark|light|mono|high|keep]",
		"change the colours; with keep, remember the present ones",
		"theme dark", 0, 1, ARGUMENT_WORD, colours_words, NULL,
		COMMAND_SCREEN, check_word, exec_theme },
	PLAIN("redraw", "redraw the screen", exec_redraw),
	{ "snapshot", "VIEW FILE [80x24]",
		"save a view (lab, sweep, net, compare, machine, about, "
		"details, keys or words) as text (.txt) or picture (.svg). "
		"Without a screen, the view after the last run is drawn. "
		"`snapshot net` of a capture file prints its connection",
		"snapshot lab today.svg 120x40", 2, 3, ARGUMENT_WORD,
		snapshot_words, NULL, 0, check_snapshot, exec_snapshot },
	{ .name = NULL },
};
