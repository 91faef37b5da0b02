/* A figure by the name of its experiment, metric and conditions. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "counter.h"
#include "lab.h"
#include "memory.h"

static size_t add_names(const struct metric *rows, const char **names,
	size_t count)
{
	for (; rows->name; rows++)
		names[count++] = rows->name;
	names[count] = NULL;
	return count;
}

/* A metric of the experiment, or a counter. */
static int find_metric(const struct call *call, const char *name, size_t offset,
	struct subject *subject, struct error *error)
{
	const struct metric *rows = subject->experiment->metrics;
	const char *names[METRICS_MAX + 1];
	size_t count = add_names(rows, names, 0);

	count = add_names(counter_metrics, names, count);
	subject->metric = metric_row(rows, name);
	if (!subject->metric)
		subject->metric = metric_row(counter_metrics, name);
	if (subject->metric)
		return 0;
	const char *nearest = text_nearest(name, names);
	struct text all = { 0 };
	for (size_t i = 0; i < count; i++)
		text_add(&all, "%s%s", i ? ", " : "", names[i]);
	error_set(error, STATUS_USAGE,
		nearest ? "%s has no metric %s: did you mean '%s'?" :
			  "%s has no metric %s: expected one of %s",
		subject->experiment->name, text_quoted(name).chars,
		nearest ? nearest : all.chars);
	text_free(&all);
	return call_fault(call, 0, offset, error);
}

/* For GROUP.EXPERIMENT.METRIC with a misspelt experiment, suggests the whole
 * name. Otherwise `error` is unchanged. */
static void suggest_whole(const struct registry *registry, const char *name,
	struct error *error)
{
	const char *metric = strrchr(name, '.');
	const char **names = xcalloc(registry->count + 1, sizeof *names);
	const char *nearest = NULL;

	for (size_t i = 0; i < registry->count; i++)
		names[i] = registry->list[i]->name;
	if (metric && strchr(name, '.') != metric) {
		char *experiment = xstrndup(name, (size_t)(metric - name));

		nearest = text_nearest(experiment, names);
		free(experiment);
	}
	if (nearest)
		error_set(error, STATUS_USAGE,
			"unknown experiment %s: did you mean '%s%s'?",
			text_quoted(name).chars, nearest, metric);
	free(names);
}

static int read_name(const struct call *call, size_t length,
	struct subject *subject, struct error *error)
{
	const struct registry *registry = &call->lab->registry;
	char *name = xstrndup(call->arg[0], length);
	int failed = 0;

	subject->experiment = registry_called(registry, name);
	char *dot = strrchr(name, '.');
	if (!subject->experiment && dot) {
		*dot = '\0';
		subject->experiment = registry_called(registry, name);
		if (subject->experiment)
			failed = find_metric(call, dot + 1,
				(size_t)(dot + 1 - name), subject, error);
		else
			*dot = '.';
	}
	if (!subject->experiment)
		subject->experiment = registry_get(registry, name, error);
	if (!subject->experiment) {
		suggest_whole(registry, name, error);
		failed = call_fault(call, 0, 0, error);
	}
	free(name);
	return failed;
}

int subject_read(const struct call *call, struct subject *subject,
	struct error *error)
{
	*subject = (struct subject){ 0 };
	if (read_name(call, conditions_name_length(call), subject, error))
		return -1;
	subject->named = subject->metric != NULL;
	if (!subject->named)
		subject->metric = subject->experiment->metrics;
	return conditions_read(call, subject->experiment->params,
		&subject->conditions, error);
}

bool subject_matches(const struct subject *subject,
	const struct results *results, const struct point *point)
{
	const struct param_set *where = &subject->conditions.where;

	for (size_t row = 0; row < where->count; row++) {
		struct text wanted = { 0 };
		const char *has =
			point_value(results, point, where->rows[row].name);

		if (!subject->conditions.asked[row])
			continue;
		param_set_text(where, 0, row, &wanted);
		bool same = has && !strcmp(has, text_chars(&wanted));
		text_free(&wanted);
		if (!same)
			return false;
	}
	return true;
}
