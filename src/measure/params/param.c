/* Sets of parameters: tables of rows, their values and the points they make. */
#include "param.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sweep.h"

/* ---- sets ------------------------------------------------------------- */

static void read_preset(const struct param *row, struct param_values *values)
{
	struct error error;

	if (!sweep_read(row, row->preset, values, &error))
		return;
	fprintf(stderr, "benchtop: a preset is wrong: %s\n", error.message);
	abort();
}

static size_t count_rows(const struct param *rows)
{
	size_t count = 0;

	while (rows[count].name)
		count++;
	return count;
}

void param_set_init(struct param_set *set, const struct param *rows)
{
	set->rows = rows;
	set->count = count_rows(rows);
	set->values = xcalloc(set->count, sizeof *set->values);
	for (size_t i = 0; i < set->count; i++)
		read_preset(&rows[i], &set->values[i]);
}

void param_set_copy(struct param_set *set, const struct param_set *from)
{
	struct error error;

	*set = *from;
	set->values = xcalloc(set->count, sizeof *set->values);
	/* Texts point into the typed text, so the copy parses it again. That
	 * cannot fail, because it succeeded before. */
	for (size_t i = 0; i < set->count; i++)
		sweep_read(&set->rows[i], from->values[i].typed,
			&set->values[i], &error);
	for (size_t i = 0; i < set->count; i++)
		if (from->values[i].twice)
			param_set_twice(set, &set->rows[i]);
}

void param_set_twice(struct param_set *set, const struct param *row)
{
	struct param_values *values = &set->values[row - set->rows];

	values->list = xrealloc(values->list, 2, sizeof *values->list);
	values->list[1] = values->list[0];
	values->count = 2;
	values->twice = true;
}

void param_set_free(struct param_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		sweep_free(&set->values[i]);
	free(set->values);
	*set = (struct param_set){ 0 };
}

/* ---- rows and their values -------------------------------------------- */

int param_set_values(struct param_set *set, const char *name, const char *typed,
	struct error *error)
{
	const struct param *row = param_row(set->rows, name);
	struct param_values values;

	if (!row)
		return param_unknown(set->rows, NULL, name, error);
	if (sweep_read(row, typed, &values, error))
		return -1;
	sweep_free(&set->values[row - set->rows]);
	set->values[row - set->rows] = values;
	return 0;
}

int param_check(const struct param *row, const char *typed, struct error *error)
{
	struct param_values values;

	if (sweep_read(row, typed, &values, error))
		return -1;
	sweep_free(&values);
	return 0;
}

static size_t add_names(const char **names, const struct param *rows)
{
	size_t count = 0;

	for (; rows && rows[count].name; count++)
		names[count] = rows[count].name;
	return count;
}

int param_unknown(const struct param *rows, const struct param *rows2,
	const char *name, struct error *error)
{
	size_t most = count_rows(rows) + (rows2 ? count_rows(rows2) : 0);
	const char **names = xcalloc(most + 1, sizeof *names);
	size_t count = add_names(names, rows);
	struct text sentence = { 0 };

	add_names(names + count, rows2);
	text_add(&sentence, "no parameter ");
	unit_quote(&sentence, name, strlen(name));
	const char *nearest = text_nearest(name, names);
	if (nearest)
		text_add(&sentence, ": did you mean '%s'?", nearest);
	else
		for (size_t i = 0; i < most; i++)
			text_add(&sentence, "%s%s",
				i ? ", " : ": expected one of ", names[i]);
	error_set(error, STATUS_USAGE, "%s", text_chars(&sentence));
	error->column = 1;
	text_free(&sentence);
	free(names);
	return -1;
}

/* ---- points ----------------------------------------------------------- */

size_t param_set_points(const struct param_set *set)
{
	size_t points = 1;

	for (size_t i = 0; i < set->count; i++)
		if (__builtin_mul_overflow(points, set->values[i].count,
			    &points))
			return SIZE_MAX;
	return points;
}

int param_set_check_points(const struct param_set *set, struct error *error)
{
	size_t points = param_set_points(set);
	struct text sweeps = { 0 };

	if (points <= PARAM_POINTS_MAX)
		return 0;
	for (size_t i = 0; i < set->count; i++)
		if (set->values[i].count > 1)
			text_add(&sweeps, "%s%zu of '%s'",
				sweeps.length ? " x " : "",
				set->values[i].count, set->rows[i].name);
	error_set(error, STATUS_USAGE,
		"too many points: expected at most %d in one run, not %s",
		PARAM_POINTS_MAX, text_chars(&sweeps));
	error->column = 0;
	text_free(&sweeps);
	return -1;
}

static union param_value value_at(const struct param_set *set, size_t index,
	size_t row)
{
	for (size_t i = set->count - 1; i > row; i--)
		index /= set->values[i].count;
	return set->values[row].list[index % set->values[row].count];
}

void param_set_args(const struct param_set *set, size_t index, void *args)
{
	for (size_t i = 0; i < set->count; i++) {
		union param_value value = value_at(set, index, i);
		char *field = (char *)args + set->rows[i].offset;

		switch (set->rows[i].type) {
		case PARAM_WHOLE:
			memcpy(field, &value.whole, sizeof value.whole);
			break;
		case PARAM_REAL:
			memcpy(field, &value.real, sizeof value.real);
			break;
		case PARAM_CHOICE:
			memcpy(field, &value.choice, sizeof value.choice);
			break;
		case PARAM_TEXT:
			memcpy(field, &value.text, sizeof value.text);
			break;
		}
	}
}

/* ---- sweeps chosen by the experiment ---------------------------------- */

static int by_value(const void *a, const void *b)
{
	int64_t x = ((const union param_value *)a)->whole;
	int64_t y = ((const union param_value *)b)->whole;

	return (x > y) - (x < y);
}

/* Each combination of the other parameters may need its own values: this
 * collects all of them. */
static size_t collect(const struct param_set *set, const struct param *row,
	void *args, union param_value *list)
{
	int64_t wanted[PARAM_VALUES_MAX];
	size_t count = 0, points = param_set_points(set);

	for (size_t i = 0; i < points && i < PARAM_POINTS_MAX; i++) {
		param_set_args(set, i, args);
		size_t n = row->stands_for(args, wanted, PARAM_VALUES_MAX);

		for (size_t j = 0; j < n && count < PARAM_VALUES_MAX; j++) {
			union param_value value = { .whole = wanted[j] };
			bool known = false;

			for (size_t k = 0; k < count && !known; k++)
				known = list[k].whole == value.whole;
			if (!known)
				list[count++] = value;
		}
	}
	qsort(list, count, sizeof *list, by_value);
	return count;
}

void param_set_expand(struct param_set *set, size_t args_size)
{
	void *args = xcalloc(1, args_size);

	for (size_t i = 0; i < set->count; i++) {
		const struct param *row = &set->rows[i];
		struct param_values *values = &set->values[i];

		if (!row->stands_for || values->count != 1 ||
			values->list[0].whole != PARAM_AUTO)
			continue;
		union param_value *list =
			xcalloc(PARAM_VALUES_MAX, sizeof *list);
		size_t count = collect(set, row, args, list);
		if (count) {
			free(values->list);
			values->list = list;
			values->count = count;
		} else {
			free(list);
		}
	}
	free(args);
}

/* ---- words ------------------------------------------------------------ */

void param_set_text(const struct param_set *set, size_t index, size_t row,
	struct text *text)
{
	sweep_write(&set->rows[row], value_at(set, index, row), text);
}

/* Adds a value as one word of a command line. */
static void add_word(struct text *text, const char *value)
{
	if (value[0] && !strpbrk(value, " ;#'\"\\")) {
		text_add(text, "%s", value);
		return;
	}
	text_add_char(text, '"');
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			text_add_char(text, '\\');
		text_add_char(text, *value);
	}
	text_add_char(text, '"');
}

static void add_row(const struct param_set *set, size_t i, struct text *text)
{
	const struct param *row = &set->rows[i];
	struct param_values preset;

	read_preset(row, &preset);
	if (!sweep_same(row, &set->values[i], &preset)) {
		text_add(text, " %s=", row->name);
		add_word(text, set->values[i].typed);
	}
	sweep_free(&preset);
}

void param_set_line(const struct param_set *set, struct text *text)
{
	for (size_t i = 0; i < set->count; i++)
		add_row(set, i, text);
}

void param_set_ab_line(const struct param_set *set, struct text *text)
{
	for (size_t i = 0; i < set->count; i++) {
		bool both = set->values[i].count == 2;

		if (!both)
			add_row(set, i, text);
		for (size_t v = 0; both && v < 2; v++) {
			struct text value = { 0 };

			sweep_write(&set->rows[i], set->values[i].list[v],
				&value);
			text_add(text, " %s=", set->rows[i].name);
			add_word(text, text_chars(&value));
			text_free(&value);
		}
	}
}

void param_accepts(const struct param *row, bool sweeps, struct text *text)
{
	switch (row->type) {
	case PARAM_CHOICE:
		text_add(text, "%s", row->combines ? "" : "one of ");
		for (int i = 0; row->choices[i]; i++)
			text_add(text, "%s%s",
				!i			   ? "" :
					i == row->combines ? " or a list of " :
							     ", ",
				row->choices[i]);
		break;
	case PARAM_TEXT:
		text_add(text, sweeps ? "text, or a list" : "text");
		break;
	case PARAM_WHOLE:
	case PARAM_REAL:
		if (row->automatic)
			text_add(text, "%s or ", param_word(row));
		sweep_write_limits(row, text);
		text_add(text, "%s%s%s",
			row->unit == UNIT_BYTES ? " bytes" : "",
			sweeps ? ", a list or a range" : "",
			row->range_end ? " up to auto" : "");
		break;
	}
}
