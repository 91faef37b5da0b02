/* Conditions in braces behind a name. */
#include "conditions.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int read_value(const struct call *call, const char *name,
	const char *value, size_t offset, struct conditions *conditions,
	struct error *error)
{
	const struct param *rows = conditions->where.rows;
	const struct param *row = param_row(rows, name);

	if (!row) {
		param_unknown(rows, NULL, name, error);
		return call_fault(call, 0, offset, error);
	}
	conditions->asked[row - rows] = true;
	if (!param_set_values(&conditions->where, name, value, error))
		return 0;
	return call_fault(call, 0,
		offset + strlen(name) + (size_t)error->column, error);
}

static int read_condition(const struct call *call, const char *word,
	size_t length, struct conditions *conditions, struct error *error)
{
	size_t offset = (size_t)(word - call->arg[0]);
	const char *equals = memchr(word, '=', length);

	if (!equals) {
		error_set(error, STATUS_USAGE,
			"%s is not a condition: expected NAME=VALUE",
			text_quoted_part(word, length).chars);
		return call_fault(call, 0, offset, error);
	}
	size_t width = (size_t)(equals - word);
	char *name = xstrndup(word, width);
	char *value = xstrndup(equals + 1, length - width - 1);
	int failed = read_value(call, name, value, offset, conditions, error);
	free(name);
	free(value);
	return failed;
}

int conditions_read(const struct call *call, const struct param *rows,
	struct conditions *conditions, struct error *error)
{
	const char *brace = strchr(call->arg[0], '{');

	param_set_init(&conditions->where, rows);
	conditions->asked = xcalloc(conditions->where.count + 1,
		sizeof *conditions->asked);
	if (!brace)
		return 0;
	const char *end = brace + strlen(brace) - 1;
	if (*end != '}') {
		error_set(error, STATUS_USAGE, "%s is not closed: expected }",
			text_quoted(brace).chars);
		return call_fault(call, 0, (size_t)(brace - call->arg[0]),
			error);
	}
	for (const char *at = brace + 1; at < end;) {
		size_t length = strcspn(at, ",}");

		if (read_condition(call, at, length, conditions, error))
			return -1;
		at += length + 1;
	}
	return 0;
}

void conditions_free(struct conditions *conditions)
{
	if (conditions->asked)
		param_set_free(&conditions->where);
	free(conditions->asked);
	*conditions = (struct conditions){ .asked = NULL };
}

size_t conditions_name_length(const struct call *call)
{
	return strcspn(call->arg[0], "{");
}
