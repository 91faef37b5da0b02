/* Finding, checking and executing a statement. */
#include "command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "memory.h"

void command_add_table(struct lab *lab, const struct command *rows)
{
	for (const struct command *row = rows; row->name; row++) {
		ARRAY_GROW(lab->commands, lab->command_count);
		lab->commands[lab->command_count++] = row;
	}
}

const struct command *command_find(const struct lab *lab, const char *name)
{
	for (size_t i = 0; i < lab->command_count; i++)
		if (!strcmp(lab->commands[i]->name, name))
			return lab->commands[i];
	return NULL;
}

bool command_works(const struct lab *lab, const struct command *row)
{
	return !(row->flags & COMMAND_SCREEN) || lab->screen;
}

static int unknown_verb(const struct lab *lab, const struct words *words,
	struct error *error)
{
	const char *name = words->word[0];
	const char **names = xcalloc(lab->command_count + 1, sizeof *names);

	for (size_t i = 0; i < lab->command_count; i++)
		names[i] = lab->commands[i]->name;
	const char *nearest = text_nearest(name, names);
	free(names);
	words_point(words, 0, 0, error);
	if (nearest)
		return error_set(error, STATUS_USAGE,
			"unknown command %s: did you mean '%s'?",
			text_quoted(name).chars, nearest);
	return error_set(error, STATUS_USAGE,
		"unknown command %s: `help` lists all commands",
		text_quoted(name).chars);
}

/* ---- options ---------------------------------------------------------- */

bool command_shows(const struct command *command, const char *option)
{
	struct text bare = { 0 };

	text_add(&bare, "%.*s", (int)strcspn(option, "="), option);
	bool shows = strstr(command->usage, text_chars(&bare)) != NULL;
	text_free(&bare);
	return shows;
}

/* The row's option that `word` is, or NULL. */
static const char *option_of(const struct command *command, const char *word)
{
	for (size_t i = 0; command->options && command->options[i]; i++) {
		const char *option = command->options[i];
		size_t length = strlen(option);
		bool takes_value = option[length - 1] == '=';

		if (takes_value ? !strncmp(word, option, length) :
				  !strcmp(word, option))
			return option;
	}
	return NULL;
}

static int unknown_option(const struct command *command,
	const struct words *words, size_t i, struct error *error)
{
	const char *word = words->word[i];

	words_point(words, i, 0, error);
	if (!command->options)
		return error_set(error, STATUS_USAGE,
			"`%s` has no option %s: it takes none", command->name,
			text_quoted(word).chars);
	const char *nearest = text_nearest(word, command->options);
	return error_set(error, STATUS_USAGE,
		"`%s` has no option %s: expected '%s'", command->name,
		text_quoted(word).chars,
		nearest ? nearest : command->options[0]);
}

const char *call_option(const struct call *call, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; call->options[i]; i++)
		if (!strncmp(call->options[i], name, length))
			return call->options[i] + length;
	return NULL;
}

int call_fault(const struct call *call, size_t i, size_t offset,
	struct error *error)
{
	error->line = error->column = 0;
	if (call->words)
		words_point(call->words, call->index[i], offset, error);
	return -1;
}

int call_outlives(const struct call *call, const char *effect,
	const char *cure, struct error *error)
{
	if (!call->lab->one_command)
		return 0;
	error->line = error->column = 0;
	return error_set(error, STATUS_USAGE,
		"`%s` %s a session that ends with this command: write "
		"`benchtop -c '%s'`",
		call->command->name, effect, cure);
}

/* ---- one statement ---------------------------------------------------- */

struct prepared {
	struct call call;
	char **args;
	size_t *index;
	const char **options;
	char **joined; /* owned: "--option=" and the word behind it */
	size_t joined_count;
};

static void prepared_free(struct prepared *prepared)
{
	free(prepared->args);
	free(prepared->index);
	free(prepared->options);
	for (size_t i = 0; i < prepared->joined_count; i++)
		free(prepared->joined[i]);
	free(prepared->joined);
}

/* The option that takes a value and stands without it: the value is the next
 * word, as in `--fail-if-slower 5%`. */
static const char *option_before_value(const struct command *command,
	const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; command->options && command->options[i]; i++) {
		const char *option = command->options[i];

		if (!strncmp(option, word, length) &&
			!strcmp(option + length, "="))
			return option;
	}
	return NULL;
}

static const char *join_value(struct prepared *prepared, const char *option,
	const char *value)
{
	struct text whole = { 0 };

	text_add(&whole, "%s%s", option, value);
	ARRAY_GROW(prepared->joined, prepared->joined_count);
	prepared->joined[prepared->joined_count++] = text_take(&whole);
	return prepared->joined[prepared->joined_count - 1];
}

/* "--anything", or a letter that the row has: "-o". */
static bool is_option(const struct command *command, const char *word)
{
	return !strncmp(word, "--", 2) ||
		(word[0] == '-' && word[1] && !word[2] &&
			option_before_value(command, word));
}

/* Options may stand anywhere behind the verb, up to a word `--`; a single "-"
 * is an argument. */
static int split(const struct words *words, struct prepared *prepared,
	struct error *error)
{
	struct call *call = &prepared->call;
	size_t options = 0;
	bool ended = false;

	prepared->args = xcalloc(words->count + 1, sizeof *prepared->args);
	prepared->index = xcalloc(words->count, sizeof *prepared->index);
	prepared->options =
		xcalloc(words->count + 1, sizeof *prepared->options);
	call->arg = prepared->args;
	call->words = words;
	call->index = prepared->index;
	call->options = prepared->options;
	for (size_t i = 1; i < words->count; i++) {
		const char *word = words->word[i];

		if (!ended && is_option(call->command, word)) {
			ended = !strcmp(word, "--");
			if (ended)
				continue;
			const char *option =
				option_before_value(call->command, word);
			if (option && i + 1 < words->count) {
				prepared->options[options++] =
					join_value(prepared, option,
						words->word[++i]);
				continue;
			}
			if (!option_of(call->command, word))
				return unknown_option(call->command, words, i,
					error);
			prepared->options[options++] = word;
			continue;
		}
		prepared->args[call->count] = words->word[i];
		prepared->index[call->count++] = i;
	}
	return 0;
}

static int check_counts(const struct call *call, const struct words *words,
	struct error *error)
{
	const struct command *command = call->command;

	if (call->count >= command->least && call->count <= command->most)
		return 0;
	bool few = call->count < command->least;
	size_t last = words->count - 1;
	if (few)
		words_point(words, last, strlen(words->word[last]), error);
	else
		words_point(words, call->index[command->most], 0, error);
	/* It is the likely cause. */
	bool file = command->argument == ARGUMENT_FILE && !few;
	return error_set(error, STATUS_USAGE,
		"`%s` has too %s words: expected `%s%s%s`%s", command->name,
		few ? "few" : "many", command->name, *command->usage ? " " : "",
		command->usage, file ? "; quote a name with blanks" : "");
}

/* A screen reads keys there: whoever else reads it waits for ever. */
static int check_input(const struct call *call, struct error *error)
{
	if (!call->lab->screen || call->command->argument != ARGUMENT_FILE)
		return 0;
	for (size_t i = 0; i < call->count; i++) {
		if (strcmp(call->arg[i], "-") != 0)
			continue;
		error_set(error, STATUS_USAGE,
			"'-' is standard input, which carries the screen's "
			"keys: expected a file");
		return call_fault(call, i, 0, error);
	}
	return 0;
}

static int prepare(struct lab *lab, const struct words *words,
	struct prepared *prepared, struct error *error)
{
	struct call *call = &prepared->call;

	*prepared = (struct prepared){ 
		.call = { .lab = lab, .screen = lab->screen },
	};
	*error = (struct error){ 0 };
	call->command = command_find(lab, words->word[0]);
	if (!call->command)
		return unknown_verb(lab, words, error);
	if (split(words, prepared, error) || check_counts(call, words, error))
		return -1;
	if (!command_works(lab, call->command)) {
		words_point(words, 0, 0, error);
		return error_set(error, STATUS_USAGE,
			"`%s` needs the screen: start `benchtop` without "
			"arguments in a terminal",
			call->command->name);
	}
	if (check_input(call, error))
		return -1;
	if (!call->command->check || !call->command->check(call, error))
		return 0;
	/* What no single word is to blame for. */
	if (!error->line)
		words_point(words, 0, 0, error);
	return -1;
}

int command_check(struct lab *lab, const struct words *words,
	struct error *error)
{
	struct prepared prepared;
	int failed = prepare(lab, words, &prepared, error);

	prepared_free(&prepared);
	return failed;
}

/* Appends a statement to the file of `record`, if there is one. */
static void record(struct lab *lab, const struct words *words)
{
	struct text line = { 0 };

	if (!lab->record)
		return;
	for (size_t i = 0; i < words->count; i++) {
		if (i)
			text_add_char(&line, ' ');
		words_quote(&line, words->word[i]);
	}
	fprintf(lab->record, "%s\n", text_chars(&line));
	fflush(lab->record);
	text_free(&line);
}

enum outcome command_exec(struct lab *lab, const struct words *words,
	struct reply *reply)
{
	struct prepared prepared;
	enum outcome outcome = OUTCOME_FAILED;

	struct session *own = lab->session;

	text_clear(&reply->text);
	text_clear(&reply->remark);
	if (!prepare(lab, words, &prepared, &reply->error)) {
		outcome = prepared.call.command->exec(&prepared.call, reply);
		/* Not a place in a file that it read. */
		if (outcome == OUTCOME_FAILED)
			words_point(words, 0, 0, &reply->error);
	}
	if (lab->session != own && prepared.call.command &&
		(prepared.call.command->flags & COMMAND_READS)) {
		session_free(lab->session);
		lab->session = own;
	}
	if (outcome != OUTCOME_FAILED &&
		(prepared.call.command->flags & COMMAND_RECORDED))
		record(lab, words);
	prepared_free(&prepared);
	return outcome;
}

enum outcome reply_fail(struct reply *reply, enum status status,
	const char *format, ...)
{
	va_list list;

	va_start(list, format);
	error_vset(&reply->error, status, format, list);
	va_end(list);
	return OUTCOME_FAILED;
}
