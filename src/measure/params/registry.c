/* The experiments, found by name. */
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "counter.h"
#include "memory.h"
#include "param.h"
#include "text.h"

static void mistake(const struct experiment *experiment, const char *what)
{
	fprintf(stderr, "benchtop: experiment '%s': %s\n",
		experiment->name ? experiment->name : "?", what);
	abort();
}

static size_t field_bytes(enum param_type type)
{
	static const size_t bytes[] = {
		[PARAM_WHOLE] = sizeof(int64_t),
		[PARAM_REAL] = sizeof(double),
		[PARAM_CHOICE] = sizeof(int),
		[PARAM_TEXT] = sizeof(char *),
	};

	return bytes[type];
}

static bool is_value(const struct metric *row)
{
	return row && row->kind == METRIC_VALUE;
}

static void check_params(const struct experiment *experiment)
{
	struct param_set set;

	for (const struct param *row = experiment->params; row->name; row++) {
		if (!row->label || !row->help || !row->preset)
			mistake(experiment, "a parameter without label, help "
				"or preset");
		if (row->type == PARAM_CHOICE &&
			(!row->choices || !row->choices[0]))
			mistake(experiment, "a choice without choices");
		if (row->offset + field_bytes(row->type) >
			experiment->args_size)
			mistake(experiment, "a parameter outside its struct");
		if (row->min > row->max)
			mistake(experiment, "a parameter's range is empty");
		if (param_row(experiment->params, row->name) != row)
			mistake(experiment, "two parameters of the same name");
		if (param_row(common_params, row->name))
			mistake(experiment,
				"a parameter has the name of a common "
				"parameter");
		if (row->drawn_as &&
			!is_value(metric_row(experiment->metrics,
				row->drawn_as)))
			mistake(experiment,
				"drawn_as of a parameter does not name a value "
				"metric");
	}
	/* Aborts if a preset does not parse. */
	param_set_init(&set, experiment->params);
	param_set_free(&set);
}

static void check_metrics(const struct experiment *experiment)
{
	size_t count = 0;

	for (const struct metric *row = experiment->metrics; row->name; row++) {
		count++;
		if (metric_row(counter_metrics, row->name))
			mistake(experiment,
				"a metric has the name of a counter");
		if (!row->label)
			mistake(experiment, "a metric without label");
		if ((row->kind == METRIC_DERIVED) != (row->derive != NULL))
			mistake(experiment,
				"only derived metrics have derive(), and all "
				"of them");
		for (const struct metric *other = experiment->metrics;
			other < row; other++)
			if (!strcmp(other->name, row->name))
				mistake(experiment, "two metrics of the same "
					"name");
	}
	if (!count || count > METRICS_MAX - COUNTERS)
		mistake(experiment, "no metric, or too many");
}

static void check_provisions(const struct experiment *experiment)
{
	const struct provision *row = experiment->provides;

	for (; row && row->quantity; row++)
		if (row->quantity != QUANTITY_CACHE_SIZES &&
			(!row->metric ||
				!metric_row(experiment->metrics, row->metric)))
			mistake(experiment, "a quantity without its metric");
}

static void check(const struct experiment *experiment)
{
	if (!experiment->name || !strchr(experiment->name, '.'))
		mistake(experiment, "the name is not group.name");
	if (!experiment->title || !experiment->question ||
		!experiment->method || !experiment->trial)
		mistake(experiment, "title, question, method or trial missing");
	if (experiment->traits & TRAIT_PEER && !experiment->peer)
		mistake(experiment, "peer() is missing");
	if (!experiment->params || !experiment->metrics)
		mistake(experiment, "no table of parameters or metrics");
	if (experiment->plan.clones > CLONES_MAX)
		mistake(experiment, "too many clones");
	check_params(experiment);
	check_metrics(experiment);
	check_provisions(experiment);
	if (experiment->watched &&
		!metric_row(experiment->metrics, experiment->watched))
		mistake(experiment, "`watched` is not a metric");
}

void registry_init(struct registry *registry,
	const struct experiment *const *list)
{
	registry->list = list;
	registry->count = 0;
	for (; list[registry->count]; registry->count++) {
		const struct experiment *experiment = list[registry->count];

		check(experiment);
		if (registry_find(registry, experiment->name))
			mistake(experiment, "two experiments of the same name");
	}
}

const struct experiment *registry_find(const struct registry *registry,
	const char *name)
{
	for (size_t i = 0; i < registry->count; i++)
		if (!strcmp(registry->list[i]->name, name))
			return registry->list[i];
	return NULL;
}

/* The number of experiments whose name after the dot equals, or begins with,
 * the word; the last of them is *found. */
static size_t match(const struct registry *registry, const char *word,
	bool begins, const struct experiment **found, struct text *names)
{
	size_t count = 0;

	for (size_t i = 0; i < registry->count; i++) {
		const char *name = registry->list[i]->name;
		const char *own = strchr(name, '.') + 1;

		if (begins ? strncmp(own, word, strlen(word)) :
			     strcmp(own, word))
			continue;
		*found = registry->list[i];
		text_add(names, "%s%s", count++ ? ", " : "", name);
	}
	return count;
}

const struct experiment *registry_called(const struct registry *registry,
	const char *word)
{
	const struct experiment *found = registry_find(registry, word);
	struct text names = { 0 };

	if (!found && match(registry, word, false, &found, &names) != 1)
		found = NULL;
	text_free(&names);
	return found;
}

static void refuse_unknown(const struct registry *registry, const char *name,
	struct error *error)
{
	const char **names = xcalloc(registry->count + 1, sizeof *names);

	for (size_t i = 0; i < registry->count; i++)
		names[i] = registry->list[i]->name;
	const char *nearest = text_nearest(name, names);
	if (nearest)
		error_set(error, STATUS_USAGE,
			"unknown experiment %s: did you mean '%s'?",
			text_quoted(name).chars, nearest);
	else
		error_set(error, STATUS_USAGE,
			"unknown experiment %s: `list` shows all",
			text_quoted(name).chars);
	free(names);
}

const struct experiment *registry_get(const struct registry *registry,
	const char *name, struct error *error)
{
	const struct experiment *found = registry_called(registry, name);
	struct text names = { 0 };
	size_t count = 0;

	if (found)
		return found;
	if (*name)
		count = match(registry, name, true, &found, &names);
	if (count > 1) {
		found = NULL;
		error_set(error, STATUS_USAGE,
			"%s matches %zu experiments: expected one of %s",
			text_quoted(name).chars, count, text_chars(&names));
	} else if (!count) {
		refuse_unknown(registry, name, error);
	}
	text_free(&names);
	return found;
}

size_t registry_group(const struct experiment *experiment)
{
	return strcspn(experiment->name, ".");
}
