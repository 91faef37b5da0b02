/* Finds, checks and executes a statement. */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "memory.h"
#include "options.h"

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
	const struct experiment *experiment =
		registry_called(&lab->registry, name);
	size_t count = 0, options = 0;

	while (program_options[options].name)
		options++;
	const char **names =
		xcalloc(lab->command_count + options + 1, sizeof *names);
	for (size_t i = 0; i < lab->command_count; i++)
		if (command_works(lab, lab->commands[i]))
			names[count++] = lab->commands[i]->name;
	for (size_t i = 0; i < options && !lab->screen; i++)
		names[count++] = program_options[i].name;
	const char *nearest = text_nearest(name, names);
	free(names);
	words_point(words, 0, 0, error);
	if (experiment)
		return error_set(error, STATUS_USAGE,
			"unknown command %s: did you mean `run %s`?",
			text_quoted(name).chars, experiment->name);
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

/* Returns the row's option that `word` gives, or NULL. */
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

/* Returns the option that takes a value, if `word` is its name without "=". The
 * value is then the next word, as in `--fail-if-slower 5%`. */
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

static int lacks_value(const struct command *command, const char *option,
	struct error *error)
{
	if (strstr(command->example, option))
		return error_set(error, STATUS_USAGE,
			"%s has no value: expected one, as in `%s`", option,
			command->example);
	return error_set(error, STATUS_USAGE,
		"%s has no value: expected `%s=VALUE`", option, option);
}

static int unknown_option(const struct command *command,
	const struct words *words, size_t i, struct error *error)
{
	const char *word = words->word[i];

	words_point(words, i, 0, error);
	if (option_before_value(command, word))
		return lacks_value(command, word, error);
	if (!command->options)
		return error_set(error, STATUS_USAGE,
			"`%s` has no option %s: it takes none", command->name,
			text_quoted(word).chars);
	const char *nearest = text_nearest(word, command->options);
	bool runs_program = command->argument == ARGUMENT_LINK;
	struct text expected = { 0 };

	for (size_t k = 0; !nearest && command->options[k]; k++)
		text_add(&expected, "%s'%s'", k ? ", " : "",
			command->options[k]);
	if (nearest)
		text_add(&expected, "'%s'", nearest);
	error_set(error, STATUS_USAGE,
		"`%s` has no option %s: expected %s; %s", command->name,
		text_quoted(word).chars, text_chars(&expected),
		runs_program ? "put `--` before the program" :
			       "--help describes them");
	text_free(&expected);
	return -1;
}

const char *call_option(const struct call *call, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; call->options[i]; i++)
		if (!strncmp(call->options[i], name, length))
			return call->options[i] + length;
	return NULL;
}

const char call_verbose_option[] = "-v";

struct text_layout call_layout(const struct call *call)
{
	struct text_layout layout = call->lab->layout;

	layout.verbose |= call_option(call, call_verbose_option) != NULL;
	return layout;
}

int call_fault(const struct call *call, size_t i, size_t offset,
	struct error *error)
{
	error->line = error->column = 0;
	if (call->words)
		words_point(call->words, call->index[i], offset, error);
	return -1;
}

/* Adds the statement as a shell accepts it between single quotes. A long one is
 * abbreviated to "note ..". */
static void add_typed(const struct call *call, struct text *text)
{
	enum { LONG = 60 };
	struct text line = { 0 };

	for (size_t i = 0; i < call->words->count; i++) {
		text_add(&line, "%s", i ? " " : "");
		words_quote(&line, call->words->word[i]);
	}
	if (line.length > LONG || strchr(text_chars(&line), '\''))
		text_add(text, "%s ..", call->command->name);
	else
		text_add(text, "%s", line.chars);
	text_free(&line);
}

int call_outlives(const struct call *call, const char *before,
	const char *after, struct error *error)
{
	struct text typed = { 0 };

	if (!call->lab->one_command)
		return 0;
	add_typed(call, &typed);
	error->line = error->column = 0;
	error_set(error, STATUS_USAGE,
		"the effect of `%s` ends with this command: write `benchtop -c "
		"'%s%s%s%s%s'`",
		call->command->name, before, *before ? "; " : "", typed.chars,
		*after ? "; " : "", after);
	text_free(&typed);
	return -1;
}

/* ---- one statement ---------------------------------------------------- */

struct prepared {
	struct call call;
	char **args;
	size_t *index;
	const char **options;
	char **joined; /* owned: "--option=" and the next word */
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

static const char *join_value(struct prepared *prepared, const char *option,
	const char *value)
{
	struct text whole = { 0 };

	text_add(&whole, "%s%s", option, value);
	ARRAY_GROW(prepared->joined, prepared->joined_count);
	prepared->joined[prepared->joined_count++] = text_take(&whole);
	return prepared->joined[prepared->joined_count - 1];
}

/* Is it "--anything", or "-x"? "-" and "-1ns" are arguments, as is the "-x" of a
 * program that `link` starts. */
static bool is_option(const struct command *command, const char *word)
{
	bool runs_program = command->argument == ARGUMENT_LINK;

	return word[0] == '-' &&
		(word[1] == '-' ||
			(!runs_program && isalpha((unsigned char)word[1])));
}

/* Options may be anywhere after the verb, up to a word `--`. A single "-" is an
 * argument. */
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
	/* An unquoted name with blanks is the likely cause. */
	bool file = command->argument == ARGUMENT_FILE && !few;
	return error_set(error, STATUS_USAGE,
		"`%s` has too %s words: expected `%s%s%s`%s", command->name,
		few ? "few" : "many", command->name, *command->usage ? " " : "",
		command->usage, file ? "; quote a name with blanks" : "");
}

/* A live screen reads its keys from standard input. Another reader there would
 * wait forever. */
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

bool command_asks_help(const struct words *words)
{
	for (size_t i = 1; i < words->count; i++) {
		const char *word = words->word[i];

		if (!strcmp(word, "--help") || !strcmp(word, "-h"))
			return true;
		if (!strcmp(word, "--"))
			return false;
	}
	return false;
}

static void prepare_help(const struct words *words, struct prepared *prepared)
{
	struct call *call = &prepared->call;

	call->command = command_find(call->lab, "help");
	prepared->args = xcalloc(2, sizeof *prepared->args);
	prepared->index = xcalloc(1, sizeof *prepared->index);
	prepared->options = xcalloc(1, sizeof *prepared->options);
	prepared->args[0] = words->word[0];
	call->arg = prepared->args;
	call->count = 1;
	call->words = words;
	call->index = prepared->index;
	call->options = prepared->options;
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
	if (command_asks_help(words)) {
		prepare_help(words, prepared);
		return 0;
	}
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
	/* The error concerns no single word, so it points at the verb. */
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

/* Appends a statement to the file of `record`, if there is one. After a failure
 * it appends none: a script without a line in between does something else.
 * `record off` fails then. */
static void record(struct lab *lab, const struct words *words,
	struct reply *reply)
{
	struct text line = { 0 };

	if (!lab->record || ferror(lab->record))
		return;
	for (size_t i = 0; i < words->count; i++) {
		if (i)
			text_add_char(&line, ' ');
		words_quote(&line, words->word[i]);
	}
	if (fprintf(lab->record, "%s\n", text_chars(&line)) < 0 ||
		fflush(lab->record))
		text_add(&reply->remark,
			"cannot record this line and those after it: %s\n",
			strerror(errno));
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
		/* A position in a file that the verb read would be
		 * misunderstood as one in the script. */
		if (outcome == OUTCOME_FAILED)
			words_point(words, 0, 0, &reply->error);
	}
	/* NULL: the statement was refused. */
	const struct command *command = prepared.call.command;
	if (lab->session != own && command && command->flags & COMMAND_READS) {
		session_free(lab->session);
		lab->session = own;
	}
	if (outcome != OUTCOME_FAILED && command &&
		command->flags & COMMAND_RECORDED)
		record(lab, words, reply);
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
