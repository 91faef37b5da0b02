/* Bytes as the values of a parameter, and as a line to complete. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "lab.h"
#include "memory.h"
#include "sweep.h"
#include "words.h"

/* The words that `record` writes for the set are read as the same values. */
static void check_line(const struct param_set *set)
{
	struct text line = { 0 };
	struct param_set again;
	struct words words;
	struct error error;

	param_set_line(set, &line);
	struct reader reader = reader_of(text_chars(&line));
	must(!words_read(&words, &reader, &error));
	param_set_init(&again, set->rows);
	for (size_t i = 0; i < words.count; i++) {
		char *equals = strchr(words.word[i], '=');

		must(equals != NULL);
		*equals = '\0';
		must(!param_set_values(&again, words.word[i], equals + 1,
			&error));
	}
	for (size_t i = 0; i < set->count; i++)
		must(sweep_same(&set->rows[i], &set->values[i],
			&again.values[i]));
	param_set_free(&again);
	words_free(&words);
	text_free(&line);
}

/* The canonical text of each value is read as this value. */
static void check_values(const struct param *row,
	const struct param_values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		struct param_values again;
		struct text text = { 0 };
		struct error error;

		sweep_write(row, values->list[i], &text);
		if (row->type != PARAM_TEXT && row->type != PARAM_REAL) {
			must(!sweep_read(row, text_chars(&text), &again,
				&error));
			must(again.count == 1);
			must(again.list[0].whole == values->list[i].whole ||
				row->type == PARAM_CHOICE);
			sweep_free(&again);
		}
		text_free(&text);
	}
}

static void read_values(const struct experiment *experiment,
	const struct param *row, const char *typed)
{
	struct param_set set;
	struct error error = { 0 };
	int failed = param_check(row, typed, &error);

	param_set_init(&set, row >= common_params && row->name &&
			param_row(common_params, row->name) == row ?
		common_params : experiment->params);
	must(!param_set_values(&set, row->name, typed, &error) == !failed);
	if (failed) {
		must_be_sentence(&error);
		must(error.column >= 0 &&
			(size_t)error.column <= strlen(typed) + 1);
	} else {
		const struct param_values *values =
			&set.values[row - set.rows];

		must(values->count && values->count <= PARAM_VALUES_MAX);
		check_values(row, values);
		check_line(&set);
	}
	param_set_free(&set);
}

static void complete(const struct lab *lab, const char *line)
{
	struct completion completion;

	complete_line(lab, line, &completion);
	must(completion.from <= strlen(line));
	completion_free(&completion);
	complete_files(line, &completion);
	must(completion.from <= strlen(line));
	completion_free(&completion);
}

/* The row at an index that counts those of the experiment, then those of every
 * run. */
static const struct param *row_at(const struct experiment *experiment,
	size_t index)
{
	size_t own = 0, common = 0;

	while (experiment->params[own].name)
		own++;
	while (common_params[common].name)
		common++;
	index %= own + common;
	return index < own ? &experiment->params[index] :
			     &common_params[index - own];
}

void param_input(const uint8_t *data, size_t size)
{
	const struct lab *lab = the_lab();
	struct text line = { 0 };

	if (size < 2)
		return;
	const struct experiment *experiment =
		lab->registry.list[data[0] % lab->registry.count];
	const struct param *row = row_at(experiment, data[1]);
	char *typed = xstrndup((const char *)data + 2, size - 2);
	read_values(experiment, row, typed);
	complete(lab, typed);
	text_add(&line, "run %s %s=%s", experiment->name, row->name, typed);
	complete(lab, text_chars(&line));
	text_free(&line);
	free(typed);
}
