/* NAME=VALUE words. */
#include "assign.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "lab.h"
#include "memory.h"
#include "sweep.h"

bool is_assignment(const char *word)
{
	return strchr(word, '=') != NULL;
}

/* A common parameter has one value for the whole run: no list and no range. */
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

/* Does the processor in `cpu=` exist? Checked before any run starts. */
static int check_processor(const struct call *call, const struct param_set *set,
	const char *name, struct error *error)
{
	const struct param *row = param_row(set->rows, name);

	if (set->rows != common_params || strcmp(name, "cpu"))
		return 0;
	error->column = 1;
	return place_check(&call->lab->places,
		set->values[row - set->rows].list[0].whole, error);
}

static int assign_value(const struct call *call, size_t i, const char *name,
	struct param_set *set, struct error *error)
{
	const char *word = call->arg[i];
	size_t value = strlen(name) + 1;

	if (!param_set_values(set, name, word + value, error) &&
		!check_single(set, name, error) &&
		!check_processor(call, set, name, error))
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

/* ---- two values ------------------------------------------------------- */

static size_t name_length(const char *word)
{
	return strcspn(word, "=");
}

static bool same_name(const char *a, const char *b)
{
	size_t length = name_length(a);

	return length == name_length(b) && a[length] && b[length] &&
		!strncmp(a, b, length);
}

/* Finds the first two words with the same name; false if there are none. */
static bool find_two(const struct call *call, size_t first, size_t two[2])
{
	for (two[0] = first; two[0] < call->count; two[0]++)
		for (two[1] = two[0] + 1; two[1] < call->count; two[1]++)
			if (same_name(call->arg[two[0]], call->arg[two[1]]))
				return true;
	return false;
}

/* `ab` uses two values, so a third word with the same name is an error. */
static int check_third(const struct call *call, const size_t two[2],
	struct error *error)
{
	for (size_t i = two[1] + 1; i < call->count; i++) {
		if (!same_name(call->arg[two[0]], call->arg[i]))
			continue;
		error_set(error, STATUS_USAGE,
			"a third value for '%.*s': `ab` compares two settings",
			(int)name_length(call->arg[i]), call->arg[i]);
		return call_fault(call, i, 0, error);
	}
	return 0;
}

static int assign_rest(const struct call *call, size_t first,
	const size_t two[2], struct param_set *set, struct param_set *second,
	bool *asked_budget, struct error *error)
{
	struct call rest = *call;
	size_t *index = xcalloc(call->count + 1, sizeof *index);

	rest.arg = xcalloc(call->count + 1, sizeof *rest.arg);
	rest.count = 0;
	for (size_t i = 0; i < call->count; i++) {
		if (i == two[0] || i == two[1])
			continue;
		rest.arg[rest.count] = call->arg[i];
		index[rest.count++] = call->index ? call->index[i] : 0;
	}
	rest.index = index;
	int failed =
		assign_words(&rest, first, set, second, asked_budget, error);
	free(rest.arg);
	free(index);
	return failed;
}

/* Reads each value for itself, then sets both as the two values of the row. */
static int assign_two(const struct call *call, const size_t two[2],
	const struct param *row, struct param_set *set, struct error *error)
{
	struct param_values values[2] = { 0 };
	size_t value = strlen(row->name) + 1;
	struct text both = { 0 };
	int failed = 0;

	for (int i = 0; i < 2 && !failed; i++) {
		failed = sweep_read(row, call->arg[two[i]] + value, &values[i],
			error);
		if (!failed && values[i].count != 1) {
			error->column = 1;
			failed = error_set(error, STATUS_USAGE,
				"%s: expected one value, `ab` compares two "
				"settings",
				row->name);
		}
		if (failed)
			call_fault(call, two[i],
				value + (size_t)error->column - 1, error);
	}
	if (!failed) {
		bool same = sweep_same(row, &values[0], &values[1]);

		text_add(&both, "%s%s%s", values[0].typed, same ? "" : ",",
			same ? "" : values[1].typed);
		failed = param_set_values(set, row->name, both.chars, error);
		if (!failed && same)
			param_set_twice(set, row);
	}
	sweep_free(&values[0]);
	sweep_free(&values[1]);
	text_free(&both);
	return failed;
}

/* No other row may have several values. Its preset may be a sweep, so this is
 * checked, too. */
static int check_rest(const struct call *call, size_t first,
	const struct param_set *set, size_t row, struct error *error)
{
	for (size_t i = 0; i < set->count; i++) {
		const char *name = set->rows[i].name;

		if (i == row || set->values[i].count < 2)
			continue;
		const char *typed = set->values[i].typed;
		const char *range = strstr(typed, "..");
		size_t first_value = strcspn(typed, ",");

		if (range && (size_t)(range - typed) < first_value)
			first_value = (size_t)(range - typed);
		error_set(error, STATUS_USAGE,
			"`ab` compares two settings: %s has %zu values (%s), "
			"expected one, as in %s=%.*s",
			name, set->values[i].count, typed, name,
			(int)first_value, typed);
		return call_fault(call, first, 0, error);
	}
	return 0;
}

/* The row with two values that a word sets as NAME=A,B. Returns the number of
 * rows if there is none. */
static size_t listed_two(const struct call *call, size_t first,
	const struct param_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = first; k < call->count; k++) {
			const char *name = set->rows[i].name;
			size_t length = name_length(call->arg[k]);

			if (set->values[i].count == 2 &&
				length == strlen(name) &&
				!strncmp(call->arg[k], name, length))
				return i;
		}
	return set->count;
}

/* NAME=A,A asks for an A/A control, which is written in two words. */
static int refuse_same(const struct call *call, size_t first,
	struct error *error)
{
	for (size_t i = first; i < call->count; i++) {
		const char *word = call->arg[i];
		const char *value = strchr(word, '=');
		const char *comma = value ? strchr(value, ',') : NULL;
		size_t length = comma ? (size_t)(comma - value) : 0;

		if (!comma || strlen(comma) != length ||
			strncmp(value + 1, comma + 1, length - 1) != 0)
			continue;
		error_set(error, STATUS_USAGE,
			"%s repeats a value: an A/A control is written `%.*s "
			"%.*s`",
			text_quoted(word).chars, (int)(comma - word), word,
			(int)(comma - word), word);
		return call_fault(call, i, 0, error);
	}
	return 0;
}

static int assign_list(const struct call *call, size_t first,
	struct param_set *set, struct param_set *second, bool *asked_budget,
	struct error *error)
{
	if (refuse_same(call, first, error) ||
		assign_words(call, first, set, second, asked_budget, error))
		return -1;
	size_t row = listed_two(call, first, set);
	if (row < set->count)
		return check_rest(call, first, set, row, error);
	error_set(error, STATUS_USAGE,
		"`ab` compares two values of one parameter: expected NAME=A,B "
		"or NAME=A NAME=B");
	return call_fault(call, 0, 0, error);
}

int assign_ab(const struct call *call, size_t first, struct param_set *set,
	struct param_set *second, bool *asked_budget, struct error *error)
{
	size_t two[2];

	if (!find_two(call, first, two))
		return assign_list(call, first, set, second, asked_budget,
			error);
	char *name =
		xstrndup(call->arg[two[0]], name_length(call->arg[two[0]]));
	const struct param *row = param_row(set->rows, name);
	if (!row) {
		error_set(error, STATUS_USAGE,
			"%s is not a parameter of the experiment: `ab` "
			"compares two values of an experiment's parameter",
			text_quoted(name).chars);
		call_fault(call, two[0], 0, error);
	}
	free(name);
	if (!row || check_third(call, two, error) ||
		assign_rest(call, first, two, set, second, asked_budget, error))
		return -1;
	if (check_rest(call, first, set, (size_t)(row - set->rows), error))
		return -1;
	return assign_two(call, two, row, set, error);
}

int assign_trials(struct param_set *common, const char *typed,
	struct error *error)
{
	if (!strcmp(typed, "none"))
		return param_set_values(common, "keep", "figures", error);
	return error_set(error, STATUS_USAGE,
		"--trials: %s is not known: expected --trials=none, or the "
		"setting trials=NUMBER",
		text_quoted(typed).chars);
}

int assign_options(const struct call *call, struct param_set *common,
	struct error *error)
{
	const char *wait = call_option(call, "--wait-quiet=");
	const char *trials = call_option(call, "--trials=");

	if (wait && param_set_values(common, "wait-quiet", wait, error))
		return -1;
	return trials ? assign_trials(common, trials, error) : 0;
}
