/* Candidates for the next word. */
#include "complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "counter.h"
#include "expect.h"
#include "hosts.h"
#include "kept.h"
#include "lab.h"
#include "link_params.h"
#include "memory.h"
#include "options.h"

/* The typed word and the words before it. */
struct typing {
	const struct lab *lab;
	const struct words *words; /* the complete words; the verb is first */
	const char *word;          /* the typed part of the last word */
	struct completion *completion;
};

/* Offers prefix + word + suffix if it begins with the typed part. */
static void offer(const struct typing *typing, const char *prefix,
	const char *word, const char *suffix)
{
	struct completion *completion = typing->completion;
	struct text whole = { 0 };

	text_add(&whole, "%s%s%s", prefix, word, suffix);
	if (strncmp(whole.chars, typing->word, strlen(typing->word))) {
		text_free(&whole);
		return;
	}
	ARRAY_GROW(completion->list, completion->count);
	completion->list[completion->count++] = text_take(&whole);
}

static void offer_list(const struct typing *typing, const char *prefix,
	const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		offer(typing, prefix, list[i], "");
}

static void offer_verbs(const struct typing *typing)
{
	const struct lab *lab = typing->lab;

	for (size_t i = 0; i < lab->command_count; i++)
		if (command_works(lab, lab->commands[i]))
			offer(typing, "", lab->commands[i]->name, "");
}

/* Words of `benchtop` itself, such as quick, which do not exist on the `:`
 * line. */
static void offer_program_words(const struct typing *typing)
{
	for (const struct program_option *row = program_options; row->name;
		row++)
		if (*row->name != '-' && !typing->lab->screen)
			offer(typing, "", row->name, "");
}

/* Likewise its options. Those are offered after -, like the options of a
 * command. */
static void offer_program_options(const struct typing *typing)
{
	for (const struct program_option *row = program_options; row->name;
		row++)
		if (*row->name == '-' && *typing->word && !typing->lab->screen)
			offer(typing, "", row->name, "");
}

static void offer_experiments(const struct typing *typing)
{
	const struct registry *registry = &typing->lab->registry;

	for (size_t i = 0; i < registry->count; i++)
		offer(typing, "", registry->list[i]->name, "");
}

static void offer_groups(const struct typing *typing)
{
	const struct registry *registry = &typing->lab->registry;

	for (size_t i = 0; i < registry->count; i++) {
		const struct experiment *experiment = registry->list[i];
		size_t length = registry_group(experiment);

		if (i &&
			!strncmp(registry->list[i - 1]->name, experiment->name,
				length + 1))
			continue;
		char *group = xstrndup(experiment->name, length);
		offer(typing, "", group, "");
		free(group);
	}
	offer(typing, "", "all", "");
}

/* ---- NAME=VALUE ------------------------------------------------------- */

/* Values of host=: `link`, and the remembered remote hosts. */
static void offer_hosts(const struct typing *typing, const char *prefix)
{
	char **remembered = hosts_read();

	offer(typing, prefix, "link", "");
	offer_list(typing, prefix, (const char *const *)remembered);
	hosts_free(remembered);
}

/* Values of a row. The list up to its last comma is kept. */
static void offer_values(const struct typing *typing, const struct param *row,
	const char *value)
{
	const char *comma = strrchr(value, ',');
	const char *last = comma ? comma + 1 : value;
	char *prefix = xstrndup(typing->word, (size_t)(last - typing->word));

	offer_list(typing, prefix, row->choices);
	if (!strcmp(row->name, "host"))
		offer_hosts(typing, prefix);
	if (row->automatic)
		offer(typing, prefix, param_word(row), "");
	/* The preset shows what a value looks like. */
	bool preset = !row->choices &&
		!(row->automatic && !strcmp(row->preset, param_word(row)));
	if (preset)
		offer(typing, prefix, row->preset, "");
	free(prefix);
}

/* Offers NAME= for each row, or after a known NAME= its values. `setting` is
 * where NAME begins in the word. */
static void offer_settings(const struct typing *typing,
	const struct param *rows, const char *setting)
{
	const char *equals = strchr(setting, '=');
	char *prefix = xstrndup(typing->word, (size_t)(setting - typing->word));

	for (const struct param *row = rows; row->name; row++) {
		size_t length = strlen(row->name);

		if (!equals)
			offer(typing, prefix, row->name, "=");
		else if (length == (size_t)(equals - setting) &&
			!strncmp(setting, row->name, length))
			offer_values(typing, row, equals + 1);
	}
	free(prefix);
}

static const struct experiment *experiment_at(const struct typing *typing,
	size_t i)
{
	return registry_called(&typing->lab->registry, typing->words->word[i]);
}

/* After the first argument: settings, and for `run` further experiments. */
static void offer_further(const struct typing *typing,
	const struct command *command)
{
	const struct words *words = typing->words;
	bool many = command->argument == ARGUMENT_TARGET && command->most > 1;
	bool only_names = many;

	for (size_t i = 1; i < words->count; i++)
		only_names = only_names && !strchr(words->word[i], '=');
	if (only_names && *typing->word)
		offer_experiments(typing);
	if (!strcmp(command->name, "predict")) {
		offer(typing, "", "hw=", "");
		offer(typing, "", "sw=", "");
	}
	/* Parameters of an experiment are accepted only with a single
	 * experiment. */
	bool single = words->count == 2 || strchr(words->word[2], '=') != NULL;
	if (single && experiment_at(typing, 1))
		offer_settings(typing, experiment_at(typing, 1)->params,
			typing->word);
	/* A history has no options of runs. */
	if (command->argument != ARGUMENT_SETTING)
		offer_settings(typing, common_params, typing->word);
}

/* ---- expect ----------------------------------------------------------- */

static void offer_metrics(const struct typing *typing)
{
	const struct registry *registry = &typing->lab->registry;

	for (size_t i = 0; i < registry->count; i++) {
		struct text prefix = { 0 };

		text_add(&prefix, "%s.", registry->list[i]->name);
		for (const struct metric *row = registry->list[i]->metrics;
			row->name; row++)
			offer(typing, prefix.chars, row->name, "");
		/* Few runs count, so counters need the experiment's name. */
		for (const struct metric *row = counter_metrics;
			row->name && !strncmp(typing->word, prefix.chars,
						prefix.length);
			row++)
			offer(typing, prefix.chars, row->name, "");
		text_free(&prefix);
	}
}

/* Offers the conditions in EXPERIMENT[.METRIC]{NAME=VALUE,.. */
static void offer_conditions(const struct typing *typing)
{
	const struct registry *registry = &typing->lab->registry;
	const char *brace = strchr(typing->word, '{');
	const char *comma = strrchr(typing->word, ',');

	for (size_t i = 0; i < registry->count && brace; i++) {
		const struct experiment *experiment = registry->list[i];
		size_t length = strlen(experiment->name);

		if (!strncmp(typing->word, experiment->name, length) &&
			(typing->word[length] == '{' ||
				typing->word[length] == '.'))
			offer_settings(typing, experiment->params,
				(comma ? comma : brace) + 1);
	}
}

static void offer_expectation(const struct typing *typing)
{
	switch (typing->words->count) {
	case 1:
		offer_conditions(typing);
		offer_experiments(typing);
		offer_metrics(typing);
		break;
	case 2:
		offer_list(typing, "", expect_stats);
		break;
	case 3:
		offer_list(typing, "", expect_operators);
		break;
	}
}

/* ---- sessions --------------------------------------------------------- */

/* Offers `last` and the numbers of the latest sessions. Once a digit is typed,
 * older sessions are offered, too. */
static void offer_sessions(const struct typing *typing, const char *prefix)
{
	enum { LATEST = 10 };
	bool digits = typing->word[strlen(prefix)] != '\0';
	struct kept_list list;
	char number[24];

	kept_list_read(&list);
	if (list.count)
		offer(typing, prefix, "last", "");
	for (size_t i = list.count; i > 0; i--) {
		snprintf(number, sizeof number, "%zu", i);
		if (digits || list.count - i < LATEST)
			offer(typing, prefix, number, "");
	}
	kept_list_free(&list);
}

/* Offers the value of --session, after its "=" or as the next word. */
static bool offer_session_option(const struct typing *typing)
{
	const struct words *words = typing->words;
	const char *name = call_session_option;
	size_t length = strlen(name);

	if (!strncmp(typing->word, name, length)) {
		offer_sessions(typing, name);
		return true;
	}
	if (strncmp(words->word[words->count - 1], name, length - 1) ||
		words->word[words->count - 1][length - 1])
		return false;
	offer_sessions(typing, "");
	typing->completion->files = true;
	return true;
}

/* ---- a line ----------------------------------------------------------- */

static bool follows_dashes(const struct words *words)
{
	for (size_t i = 1; i < words->count; i++)
		if (!strcmp(words->word[i], "--"))
			return true;
	return false;
}

static void offer_figures(const struct typing *typing)
{
	offer_conditions(typing);
	offer_metrics(typing);
}

/* Behind -o. */
static bool offer_output(const struct typing *typing)
{
	const struct words *words = typing->words;

	typing->completion->files = !strcmp(words->word[words->count - 1], "-o");
	return typing->completion->files;
}

static void offer_files(const struct typing *typing,
	const struct command *command)
{
	if (typing->words->count > command->most)
		return;
	offer_list(typing, "", command->words);
	if (command->words == published_names)
		offer_sessions(typing, "");
	typing->completion->files = true;
}

static void offer_argument(const struct typing *typing,
	const struct command *command)
{
	bool first = typing->words->count == 1;

	if (offer_session_option(typing) || offer_output(typing))
		return;
	switch (command->argument) {
	case ARGUMENT_GROUP:
		offer_groups(typing);
		break;
	case ARGUMENT_EXPERIMENT:
	case ARGUMENT_SETTING:
	case ARGUMENT_TARGET:
		if (!first && command->most > 1)
			offer_further(typing, command);
		if (!first)
			break;
		offer_experiments(typing);
		if (command->argument == ARGUMENT_SETTING)
			offer_figures(typing);
		if (command->argument == ARGUMENT_TARGET)
			offer_groups(typing);
		break;
	case ARGUMENT_COMMON:
		offer_settings(typing, common_params, typing->word);
		break;
	case ARGUMENT_LINK:
		if (!follows_dashes(typing->words))
			offer_settings(typing, link_params, typing->word);
		typing->completion->files = follows_dashes(typing->words);
		break;
	case ARGUMENT_METRIC:
		offer_expectation(typing);
		break;
	case ARGUMENT_VERB:
		if (!first)
			break;
		offer_verbs(typing);
		offer_program_words(typing);
		offer_experiments(typing);
		break;
	case ARGUMENT_WORD:
		if (first)
			offer_list(typing, "", command->words);
		else
			typing->completion->files = command->most > 1;
		break;
	case ARGUMENT_FILE:
		offer_files(typing, command);
		break;
	case ARGUMENT_NONE:
	case ARGUMENT_TEXT:
	case ARGUMENT_LINE:
		break;
	}
	if (*typing->word == '-')
		offer_list(typing, "", command->options);
}

/* Offers the scripts among the assets; files fit as well. */
static void offer_scripts(const struct typing *typing)
{
	static const char folder[] = "scripts/";
	size_t length = strlen(folder);

	for (const struct asset *asset = assets; asset->name; asset++)
		if (!strncmp(asset->name, folder, length))
			offer(typing, "", asset->name + length, "");
	typing->completion->files = true;
}

static void offer_next(const struct typing *typing)
{
	const struct words *words = typing->words;

	if (!words->count) {
		offer_verbs(typing);
		offer_program_words(typing);
		offer_program_options(typing);
		return;
	}
	if (!strcmp(words->word[0], "--script")) {
		if (words->count == 1)
			offer_scripts(typing);
		return;
	}
	const struct command *command =
		command_find(typing->lab, words->word[0]);
	if (command)
		offer_argument(typing, command);
}

static bool ends_statement(char c)
{
	return c == ';' || c == '\n';
}

/* The offset of the last word. It begins after the last unquoted blank or end
 * of a statement. */
static size_t last_word(const char *line)
{
	size_t from = 0;
	char quote = '\0';

	for (size_t i = 0; line[i]; i++)
		if (quote == '"' && line[i] == '\\' && line[i + 1])
			i++;
		else if (quote)
			quote = line[i] == quote ? '\0' : quote;
		else if (line[i] == '"' || line[i] == '\'')
			quote = line[i];
		else if (strchr(" \t;\n", line[i]))
			from = i + 1;
	return from;
}

void complete_line(const struct lab *lab, const char *line,
	struct completion *completion)
{
	struct words words = { 0 };
	struct error ignored;

	*completion = (struct completion){ .from = last_word(line) };
	char *before = xstrndup(line, completion->from);
	struct reader reader = reader_of(before);
	const struct typing typing = {
		.lab = lab,
		.words = &words,
		.word = line + completion->from,
		.completion = completion,
	};
	int failed = 0;
	/* Find the statement of the last word. It is empty if that word begins
	 * a statement. */
	while (!failed && *reader.at) {
		words_free(&words);
		failed = words_read(&words, &reader, &ignored);
	}
	if (completion->from && ends_statement(before[completion->from - 1]))
		words_free(&words);
	if (!failed)
		offer_next(&typing);
	words_free(&words);
	free(before);
}

void completion_free(struct completion *completion)
{
	for (size_t i = 0; i < completion->count; i++)
		free(completion->list[i]);
	free(completion->list);
	*completion = (struct completion){ 0 };
}
