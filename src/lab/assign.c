/* NAME=VALUE words. */
#include "assign.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

bool is_assignment(const char *word)
{
	return strchr(word, '=') != NULL;
}

static int assign_one(const struct call *call, size_t i, struct param_set *set,
	struct param_set *second, struct error *error)
{
	const char *word = call->arg[i];
	const char *equals = strchr(word, '=');

	if (!equals || equals == word) {
		error_set(error, STATUS_USAGE,
			"%s is not a setting: expected NAME=VALUE",
			text_quoted(word).chars);
		return call_fault(call, i, 0, error);
	}
	char *name = xstrndup(word, (size_t)(equals - word));
	struct param_set *has = NULL;
	if (param_row(set->rows, name))
		has = set;
	else if (second && param_row(second->rows, name))
		has = second;
	int failed;
	if (has) {
		failed = param_set_values(has, name, equals + 1, error);
		if (failed)
			call_fault(call, i,
				(size_t)(equals - word) + (size_t)error->column,
				error);
	} else {
		failed = param_unknown(set->rows, second ? second->rows : NULL,
			name, error);
		call_fault(call, i, 0, error);
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
