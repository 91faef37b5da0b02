/* The verbs about the lab itself: record, help, complete, quit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complete.h"
#include "expect.h"
#include "lab.h"
#include "link_params.h"
#include "manual.h"
#include "options.h"
#include "show.h"
#include "verbs.h"
#include "version.h"

static int check_record(const struct call *call, struct error *error)
{
	return call_outlives(call, "", "run EXPERIMENT", error);
}

/* Returns true if the file lacks a line. */
static bool end_recording(struct lab *lab)
{
	FILE *file = lab->record;

	lab->record = NULL;
	if (!file)
		return false;
	bool failed = ferror(file);
	return fclose(file) || failed;
}

static enum outcome exec_record(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;

	if (end_recording(lab))
		return reply_fail(reply, STATUS_OUTPUT,
			"the recording has ended, and it lacks lines that "
			"could not be written");
	if (!strcmp(call->arg[0], "off"))
		return OUTCOME_DONE;
	lab->record = fopen(call->arg[0], "wxe");
	if (lab->record &&
		(fprintf(lab->record, "# recorded by benchtop %s\n",
			 benchtop_version) < 0 ||
			fflush(lab->record))) {
		int why = errno;

		end_recording(lab);
		unlink(call->arg[0]);
		errno = why;
	}
	if (!lab->record)
		return reply_fail(reply, STATUS_OUTPUT,
			"cannot record to '%s': %s", call->arg[0],
			errno == EEXIST ? "the file exists, name a new file" :
					  strerror(errno));
	return OUTCOME_DONE;
}

/* ---- help ------------------------------------------------------------- */

enum { OPTIONS_MOST = 16 };

static void help_row(const struct command *row, int width,
	struct text *text)
{
	struct text line = { 0 };

	text_add(&line, "%s%s%s", row->name, *row->usage ? " " : "",
		row->usage);
	text_add(text, "  ");
	wrap_on(text, line.chars, 6, width);
	text_free(&line);
	wrap(text, row->help, 6, width);
}

static void help_all(const struct lab *lab, struct text *text)
{
	text_add(text,
		"benchtop measures what operations cost on this machine.\n"
		"\n  benchtop                   open the lab in a terminal\n"
		"  benchtop VERB ...          execute one line\n");
	for (const struct program_option *option = program_options;
		option->name; option++) {
		struct text words = { 0 };

		option_write(option, &words);
		text_add(text, "  benchtop %-17s %s\n", words.chars,
			option->help);
		text_free(&words);
	}
	text_add(text,
		"\nThe same words work at the screen's `:` line, in scripts "
		"and in a shell:\n\n");
	for (size_t i = 0; i < lab->command_count; i++)
		if (command_works(lab, lab->commands[i]))
			help_row(lab->commands[i], lab->layout.width, text);
	text_add(text, "\nFor details: `VERB --help`, `show EXPERIMENT`.\n");
}

/* Adds "NAME: this, that". */
static void help_words(const char *name, const char *const *words,
	int width, struct text *text)
{
	struct text line = { 0 };

	text_add(&line, "%s", name);
	for (size_t i = 0; words[i]; i++)
		text_add(&line, "%s %s", i ? "," : "", words[i]);
	wrap(text, line.chars, 6, width);
	text_free(&line);
}

/* Lists the options that the usage does not show. */
static void help_options(const struct command *row, int width,
	struct text *text)
{
	const char *hidden[OPTIONS_MOST + 1] = { NULL };
	size_t count = 0;

	for (size_t i = 0; row->options && row->options[i]; i++)
		if (!command_shows(row, row->options[i]))
			hidden[count++] = row->options[i];
	if (count)
		help_words(count == 1 ? "option:" : "options:", hidden, width,
			text);
}

static void help_verb(const struct command *row, int width,
	struct text *text)
{
	help_row(row, width, text);
	help_options(row, width, text);
	if (row->argument == ARGUMENT_METRIC) {
		help_words("STAT:", expect_stats, width, text);
		help_words("OP:", expect_operators, width, text);
	}
	text_add(text, "      example: %s\n", row->example);
	if (row->argument == ARGUMENT_LINK) {
		struct param_set set;

		param_set_init(&set, link_params);
		text_add_char(text, '\n');
		show_common(&set, width, text);
		param_set_free(&set);
	}
}

static int check_help(const struct call *call, struct error *error)
{
	if (!call->count || command_find(call->lab, call->arg[0]) ||
		option_word(call->arg[0]) ||
		registry_called(&call->lab->registry, call->arg[0]))
		return 0;
	error_set(error, STATUS_USAGE,
		"no help for %s: expected a verb or an experiment",
		text_quoted(call->arg[0]).chars);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_help(const struct call *call, struct reply *reply)
{
	struct lab *lab = call->lab;

	if (call_option(call, "--man")) {
		manual_write(lab, &reply->text);
		return OUTCOME_DONE;
	}
	if (!call->count) {
		help_all(lab, &reply->text);
		return OUTCOME_DONE;
	}
	const struct command *row = command_find(lab, call->arg[0]);
	if (row) {
		help_verb(row, lab->layout.width, &reply->text);
		return OUTCOME_DONE;
	}
	const struct program_option *word = option_word(call->arg[0]);
	if (word) {
		text_add(&reply->text, "  benchtop %s\n      %s\n",
			word->name, word->help);
		return OUTCOME_DONE;
	}
	struct queued queued = {
		.experiment = registry_called(&lab->registry, call->arg[0]),
	};
	param_set_init(&queued.args, queued.experiment->params);
	param_set_copy(&queued.common, &lab->common);
	show_text(lab, &queued, lab->layout.width, &reply->text);
	param_set_free(&queued.args);
	param_set_free(&queued.common);
	return OUTCOME_DONE;
}

/* ---- completion and quit ---------------------------------------------- */

static enum outcome exec_complete(const struct call *call, struct reply *reply)
{
	struct completion completion;

	complete_line(call->lab, call->arg[0], &completion);
	for (size_t i = 0; i < completion.count; i++)
		text_add(&reply->text, "%s\n", completion.list[i]);
	if (completion.files)
		text_add(&reply->text, "FILE\n");
	completion_free(&completion);
	return OUTCOME_DONE;
}

static enum outcome exec_quit(const struct call *call, struct reply *reply)
{
	(void)reply;
	lab_stop(call->lab);
	call->lab->quit = true;
	return OUTCOME_DONE;
}

static const char *const off[] = { "off", NULL };
static const char *const man_option[] = { "--man", NULL };

const struct command lab_commands[] = {
	{ "record", "FILE|off",
		"write each executed line of this lab to a script; off ends "
		"the recording",
		"record today.lab", 1, 1, ARGUMENT_FILE, off, NULL, 0,
		check_record, exec_record },
	{ "help", "[VERB|EXPERIMENT]",
		"show this help, or the help of a verb or an experiment; --man "
		"prints the manual page",
		"help run", 0, 1, ARGUMENT_VERB, NULL, man_option, 0,
		check_help, exec_help },
	{ "complete", "LINE",
		"print the possible completions of LINE, one per line, with "
		"FILE for file names (used by shell completion)",
		"complete -- \"run cpu.\"", 1, 1, ARGUMENT_LINE, NULL, NULL, 0,
		NULL, exec_complete },
	{ "quit", "", "leave the lab; a run in progress is stopped and kept",
		"quit", 0, 0, ARGUMENT_NONE, NULL, NULL, 0, NULL, exec_quit },
	{ .name = NULL },
};
