/* Names the parameters that the figures on the screen were measured with. */
#include <stdlib.h>
#include <string.h>

#include "view_lab.h"

/* The number of consecutive points with the same value of a row. The last row
 * changes fastest. */
static size_t stride_of(const struct param_set *set, size_t row)
{
	size_t stride = 1;

	for (size_t i = row + 1; i < set->count; i++)
		stride *= set->values[i].count;
	return stride;
}

/* Are a row's values in the form those of the results? Compares one point per
 * value, not every point of a sweep. */
static bool same_values(const struct param_set *set, size_t row,
	const struct results *results)
{
	size_t stride = stride_of(set, row);
	bool same = true;

	for (size_t v = 0; same && v < set->values[row].count; v++) {
		struct text value = { 0 };

		param_set_text(set, v * stride, row, &value);
		same = v * stride < results->point_count &&
			!strcmp(text_chars(&value),
				results->points[v * stride].values[row]);
		text_free(&value);
	}
	return same;
}

bool view_form_differs(const struct screen *screen,
	const struct results *results)
{
	size_t chosen = screen_experiment(screen);
	struct param_set set;

	param_set_copy(&set, &screen->forms[chosen].args);
	param_set_expand(&set, screen->lab->registry.list[chosen]->args_size);
	bool differs = results->param_count != set.count ||
		results->point_count != param_set_points(&set);
	for (size_t row = 0; row < set.count && !differs; row++)
		differs =
			strcmp(results->param_names[row], set.rows[row].name) ||
			!same_values(&set, row, results);
	param_set_free(&set);
	return differs;
}

bool view_is_ab(const struct results *results)
{
	return results->plan.abba && results->point_count == 2;
}

/* Is this value of the point absent from the form? */
static bool is_foreign(const struct param_set *set,
	const struct results *results, const struct point *point, size_t param)
{
	bool foreign = true;

	if (results->param_count != set->count)
		return true;
	/* For "auto" the experiment chose a value that is not in the form. */
	if (set->rows[param].stands_for)
		return true;
	for (size_t v = 0; foreign && v < set->values[param].count; v++) {
		struct text value = { 0 };

		param_set_text(set, v * stride_of(set, param), param, &value);
		foreign = strcmp(text_chars(&value), point->values[param]) != 0;
		text_free(&value);
	}
	return foreign;
}

/* Does the parameter differ between points of the results? */
static bool is_swept(const struct results *results, size_t param)
{
	for (size_t p = 1; p < results->point_count; p++)
		if (strcmp(results->points[p].values[param],
			    results->points[0].values[param]) != 0)
			return true;
	return false;
}

/* Writes one parameter; without its name: "64M". */
static void say_param(const struct results *results, const struct point *point,
	size_t param, bool named, struct text *text)
{
	const char *value = point->values[param];

	text_add(text, "%s", text->length ? " " : "");
	if (named)
		text_add(text, "%s=", results->param_names[param]);
	text_add_safe(text, value, strlen(value));
}

/* Writes the swept parameters, or nothing if `room` is too small. */
static void say_swept(const struct results *results, const struct point *point,
	bool named, int room, struct text *text)
{
	for (size_t i = 0; i < results->param_count; i++)
		if (is_swept(results, i))
			say_param(results, point, i, named, text);
	if (text_columns(text_chars(text)) > room)
		text_clear(text);
}

static bool sweeps(const struct results *results)
{
	for (size_t i = 0; i < results->param_count; i++)
		if (is_swept(results, i))
			return true;
	return false;
}

void view_params(const struct screen *screen, const struct results *results,
	size_t point, int room, struct text *text)
{
	const struct param_set *set =
		&screen->forms[screen_experiment(screen)].args;
	const struct point *at = &results->points[point];

	say_swept(results, at, true, room, text);
	if (!text->length)
		say_swept(results, at, false, room, text);
	if (!text->length && sweeps(results))
		return;
	for (int foreign = 1; foreign >= 0; foreign--)
		for (size_t i = 0; i < results->param_count; i++) {
			struct text word = { 0 };

			if (is_swept(results, i) ||
				is_foreign(set, results, at, i) != foreign)
				continue;
			say_param(results, at, i, true, &word);
			if (text_columns(text_chars(text)) + !!text->length +
					text_columns(word.chars) <=
				room)
				text_add(text, "%s%s", text->length ? " " : "",
					word.chars);
			text_free(&word);
		}
}
