/* NAME=VALUE words. */
#include "assign.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "memory.h"

bool is_assignment(const char *word)
{
	return strchr(word, '=') != NULL;
}

/* What every run has is one thing for the whole run: no list, no range. */
static int check_single(const struct param_set *set, const char *name,
	struct error *error)
{
	const struct param *row = param_row(set->rows, name);

	if (set->rows != common_params ||
		set->values[row - set->rows].count == 1)
		return 0;
	error->column = 1;
	return error_set(error, STATUS_USAGE,
		"%s: %s is a sweep, expected one value: only an experiment's "
		"own parameters sweep",
		name, text_quoted(set->values[row - set->rows].typed).chars);
}

static int assign_value(const struct call *call, size_t i, const char *name,
	struct param_set *set, struct error *error)
{
	const char *word = call->arg[i];
	size_t value = strlen(name) + 1;

	if (!param_set_values(set, name, word + value, error) &&
		!check_single(set, name, error))
		return 0;
	return call_fault(call, i, value + (size_t)error->column - 1, error);
}

static int assign_one(const struct call *call, size_t i, struct param_set *set,
	struct param_set *second, struct error *error)
{
	const char *word = call->arg[i];
	const char *equals = strchr(word, '=');
	int failed;

	if (!equals || equals == word) {
		error_set(error, STATUS_USAGE,
			"%s is not a setting: expected NAME=VALUE",
			text_quoted(word).chars);
		return call_fault(call, i, 0, error);
	}
	char *name = xstrndup(word, (size_t)(equals - word));
	if (param_row(set->rows, name)) {
		failed = assign_value(call, i, name, set, error);
	} else if (second && param_row(second->rows, name)) {
		failed = assign_value(call, i, name, second, error);
	} else {
		param_unknown(set->rows, second ? second->rows : NULL, name,
			error);
		failed = call_fault(call, i, 0, error);
	}
	free(name);
	return failed;
}

int assign_words(const struct call *call, size_t first, struct param_set *set,
	struct param_set *second, bool *asked_budget, struct error *error)
{
	for (size_t i = first; i < call->count; i++) {
		if (assign_one(call, i, set, second, error))
			return -1;
		if (asked_budget && !strncmp(call->arg[i], "budget=", 7))
			*asked_budget = true;
	}
	return 0;
}
