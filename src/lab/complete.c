/* What could be typed next. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "lab.h"
#include "memory.h"

static void offer(struct completion *completion, const char *typed,
	const char *prefix, const char *word, const char *suffix)
{
	struct text whole = { 0 };

	text_add(&whole, "%s%s%s", prefix, word, suffix);
	if (strncmp(whole.chars, typed, strlen(typed))) {
		text_free(&whole);
		return;
	}
	ARRAY_GROW(completion->list, completion->count);
	completion->list[completion->count++] = text_take(&whole);
}

static void offer_list(struct completion *completion, const char *typed,
	const char *prefix, const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		offer(completion, typed, prefix, list[i], "");
}

static void offer_verbs(const struct lab *lab, struct completion *completion,
	const char *typed)
{
	for (size_t t = 0; t < lab->table_count; t++)
		for (const struct command *row = lab->tables[t].rows; row->name;
			row++)
			if (!(row->flags & COMMAND_SCREEN) || lab->has_screen)
				offer(completion, typed, "", row->name, "");
}

static void offer_experiments(const struct lab *lab, bool groups,
	struct completion *completion, const char *typed)
{
	const struct registry *registry = &lab->registry;

	for (size_t i = 0; i < registry->count; i++)
		offer(completion, typed, "", registry->list[i]->name, "");
	for (size_t i = 0; groups && i < registry->count; i++) {
		const struct experiment *experiment = registry->list[i];
		size_t length = registry_group(experiment);

		if (i &&
			!strncmp(registry->list[i - 1]->name, experiment->name,
				length + 1))
			continue;
		char *group = xstrndup(experiment->name, length);
		offer(completion, typed, "", group, "");
		free(group);
	}
}

/* NAME= for each row; behind a known NAME= the choices, also after a comma. */
static void offer_params(const struct param *rows,
	struct completion *completion, const char *typed)
{
	const char *equals = strchr(typed, '=');

	for (const struct param *row = rows; row->name; row++) {
		size_t length = strlen(row->name);

		if (!equals) {
			offer(completion, typed, "", row->name, "=");
			continue;
		}
		if (length != (size_t)(equals - typed) ||
			strncmp(typed, row->name, length))
			continue;
		const char *comma = strrchr(typed, ',');
		const char *value = comma ? comma + 1 : equals + 1;
		char *prefix = xstrndup(typed, (size_t)(value - typed));
		offer_list(completion, typed, prefix, row->choices);
		if (row->automatic)
			offer(completion, typed, prefix, "auto", "");
		if (!row->choices)
			offer(completion, typed, prefix, row->preset, "");
		free(prefix);
	}
}

static void offer_predictions(const struct command *command,
	struct completion *completion, const char *typed)
{
	if (strcmp(command->name, "predict"))
		return;
	offer(completion, typed, "", "hw=", "");
	offer(completion, typed, "", "sw=", "");
}

static void offer_settings(const struct lab *lab, const struct words *words,
	const struct command *command, struct completion *completion,
	const char *typed)
{
	const struct experiment *experiment = words->count > 1 ?
		registry_find(&lab->registry, words->word[1]) :
		NULL;

	offer_predictions(command, completion, typed);
	if (experiment)
		offer_params(experiment->params, completion, typed);
	offer_params(common_params, completion, typed);
}

static void offer_metrics(const struct lab *lab, struct completion *completion,
	const char *typed)
{
	const struct registry *registry = &lab->registry;

	offer_experiments(lab, false, completion, typed);
	for (size_t i = 0; i < registry->count; i++) {
		struct text prefix = { 0 };

		text_add(&prefix, "%s.", registry->list[i]->name);
		for (const struct metric *row = registry->list[i]->metrics;
			row->name; row++)
			offer(completion, typed, prefix.chars, row->name, "");
		text_free(&prefix);
	}
}

static void offer_argument(const struct lab *lab, const struct words *words,
	const struct command *command, struct completion *completion,
	const char *typed)
{
	bool first = words->count == 1;

	switch (command->argument) {
	case ARGUMENT_EXPERIMENT:
	case ARGUMENT_TARGET:
		if (first)
			offer_experiments(lab,
				command->argument == ARGUMENT_TARGET,
				completion, typed);
		else
			offer_settings(lab, words, command, completion, typed);
		break;
	case ARGUMENT_COMMON:
		offer_params(common_params, completion, typed);
		break;
	case ARGUMENT_METRIC:
		if (first)
			offer_metrics(lab, completion, typed);
		else if (words->count == 2)
			offer_list(completion, typed, "", expect_stats);
		break;
	case ARGUMENT_VERB:
		offer_verbs(lab, completion, typed);
		offer_experiments(lab, false, completion, typed);
		break;
	case ARGUMENT_WORD:
		if (first)
			offer_list(completion, typed, "", command->words);
		else
			completion->files = true;
		break;
	case ARGUMENT_FILE:
		completion->files = true;
		break;
	case ARGUMENT_NONE:
	case ARGUMENT_TEXT:
	case ARGUMENT_LINE:
		break;
	}
	if (*typed == '-')
		offer_list(completion, typed, "", command->options);
}

/* Where the last word begins: behind the last blank or ;. */
static size_t last_word(const char *line)
{
	size_t from = strlen(line);

	while (from && !strchr(" \t;", line[from - 1]))
		from--;
	return from;
}

void complete_line(const struct lab *lab, const char *line,
	struct completion *completion)
{
	struct words words = { 0 };
	struct error ignored;
	void *self;

	*completion = (struct completion){ .from = last_word(line) };
	char *before = xstrndup(line, completion->from);
	char *begin = strrchr(before, ';');
	struct reader reader = reader_of(begin ? begin + 1 : before);
	const char *typed = line + completion->from;
	if (!words_read(&words, &reader, &ignored)) {
		const struct command *command = words.count ?
			command_find(lab, words.word[0], &self) :
			NULL;

		if (!words.count)
			offer_verbs(lab, completion, typed);
		else if (command)
			offer_argument(lab, &words, command, completion, typed);
		words_free(&words);
	}
	free(before);
}

void completion_free(struct completion *completion)
{
	for (size_t i = 0; i < completion->count; i++)
		free(completion->list[i]);
	free(completion->list);
	*completion = (struct completion){ 0 };
}
