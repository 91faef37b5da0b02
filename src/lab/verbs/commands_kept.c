/* The verb that lists the kept sessions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kept_index.h"
#include "lab.h"
#include "verbs.h"

static const char *const json_option[] = { "--json", NULL };

enum { DATE = 16, HEADLINE = 10, EXPERIMENTS = 28, EXPERIMENTS_MOST = 60,
	NOTE_LEAST = 4 };

/* Adds text in exactly `columns`: padded with blanks, or cut and ended with
 * "..". Line breaks and tabs become blanks. */
static void add_cell(struct text *text, const char *chars, size_t columns)
{
	struct text line = { 0 }, safe = { 0 }, cell = { 0 };

	for (; *chars; chars++)
		text_add_char(&line, strchr("\t\n", *chars) ? ' ' : *chars);
	text_add_safe(&safe, text_chars(&line), line.length);
	text_add_cut(&cell, text_chars(&safe), (int)columns);
	text_add(text, "%s", text_chars(&cell));
	text_pad(text, ' ', columns - (size_t)text_width(text_chars(&cell)));
	text_free(&line);
	text_free(&safe);
	text_free(&cell);
}

struct row {
	const char *number, *started, *experiments, *median, *note;
};

/* `digits`: of the last number. */
static void add_row(const struct row *row, int digits, size_t columns,
	struct text *text)
{
	/* Half of what is more, or all of what is less, than TEXT_COLUMNS. */
	int more = (int)columns - TEXT_COLUMNS;
	int room = EXPERIMENTS + (more > 0 ? more / 2 : more);
	size_t wide = room > EXPERIMENTS_MOST ? EXPERIMENTS_MOST : (size_t)room;
	size_t before = text->length;

	text_add(text, "%*s  ", digits > 4 ? digits : 4, row->number);
	add_cell(text, row->started, DATE);
	text_add(text, "  ");
	add_cell(text, row->experiments, wide);
	text_add(text, "  %*s  ", HEADLINE, row->median);
	size_t used = text->length - before;
	if (row->note && used + NOTE_LEAST <= columns)
		add_cell(text, row->note, columns - used);
	text_trim(text);
	text_add_char(text, '\n');
}

static void add_head(size_t number, int digits, const struct kept_head *head,
	size_t columns, struct text *text)
{
	struct text names = { 0 }, headline = { 0 }, date = { 0 };
	char digit_chars[24];

	snprintf(digit_chars, sizeof digit_chars, "%zu", number);
	for (size_t i = 0; i < head->experiment_count; i++)
		text_add(&names, "%s%s", i ? ", " : "", head->experiments[i]);
	if (!isnan(head->median))
		unit_show(&headline, head->unit, head->median);
	text_add_minute(&date, head->at);
	const struct row row = { digit_chars, text_chars(&date),
		text_chars(&names), text_chars(&headline), head->note };
	add_row(&row, digits, columns, text);
	text_free(&names);
	text_free(&headline);
	text_free(&date);
}

static void add_object(size_t number, const char *path,
	const struct kept_head *head, cJSON *array)
{
	cJSON *object = cJSON_CreateObject();
	struct text name = { 0 };

	kept_name(path, &name);
	json_add_whole(object, "number", number);
	json_add_text(object, "name", text_chars(&name));
	json_add_text(object, "file", path);
	json_add_text(object, "started", head->at);
	cJSON *names = cJSON_AddArrayToObject(object, "experiments");
	for (size_t i = 0; i < head->experiment_count; i++)
		cJSON_AddItemToArray(names,
			cJSON_CreateString(head->experiments[i]));
	json_add_number(object, "median", head->median);
	json_add_text(object, "unit",
		isnan(head->median) ? "" : unit_name(head->unit));
	json_add_text(object, "note", head->note ? head->note : "");
	cJSON_AddItemToArray(array, object);
	text_free(&name);
}

static const struct row heading = { "#", "started", "experiments", "median",
	"note" };

static enum outcome exec_sessions(const struct call *call, struct reply *reply)
{
	bool json = call_option(call, "--json") != NULL;
	size_t columns = (size_t)call->lab->layout.width;
	cJSON *array = cJSON_CreateArray();
	struct kept_list list;

	kept_list_read(&list);
	int digits = snprintf(NULL, 0, "%zu", list.count);
	struct kept_head *heads = index_heads(&list);
	index_remark(&reply->remark);
	if (!json && list.count)
		add_row(&heading, digits, columns, &reply->text);
	for (size_t i = 0; i < list.count; i++) {
		if (json)
			add_object(i + 1, list.paths[i], &heads[i], array);
		else
			add_head(i + 1, digits, &heads[i], columns,
				&reply->text);
		kept_head_free(&heads[i]);
	}
	free(heads);
	if (json)
		json_print(array, &reply->text);
	else if (!list.count)
		text_add(&reply->text, "no session is kept yet\n");
	cJSON_Delete(array);
	kept_list_free(&list);
	return OUTCOME_DONE;
}

const struct command kept_commands[] = {
	{ "sessions", "",
		"list the sessions kept on this machine, the latest last: "
		"number, date, experiments, first median, first note; other "
		"verbs take the number, or `last`, in place of a file",
		"sessions", 0, 0, ARGUMENT_NONE, NULL, json_option, 0, NULL,
		exec_sessions },
	{ .name = NULL },
};
