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

/* `digits`: of the last number. */
static void add_head(size_t number, int digits, const struct kept_head *head,
	size_t columns, struct text *text)
{
	struct text names = { 0 }, headline = { 0 }, date = { 0 };
	/* Half of what is more, or all of what is less, than TEXT_COLUMNS. */
	int more = (int)columns - TEXT_COLUMNS;
	int room = EXPERIMENTS + (more > 0 ? more / 2 : more);
	size_t wide = room > EXPERIMENTS_MOST ? EXPERIMENTS_MOST : (size_t)room;

	for (size_t i = 0; i < head->experiment_count; i++)
		text_add(&names, "%s%s", i ? ", " : "", head->experiments[i]);
	if (!isnan(head->median))
		unit_show(&headline, head->unit, head->median);
	text_add_minute(&date, head->at);
	size_t before = text->length;
	text_add(text, "%*zu  ", digits > 4 ? digits : 4, number);
	add_cell(text, text_chars(&date), DATE);
	text_add(text, "  ");
	add_cell(text, text_chars(&names), wide);
	text_add(text, "  %*s  ", HEADLINE, text_chars(&headline));
	size_t used = text->length - before;
	if (head->note && used + NOTE_LEAST <= columns)
		add_cell(text, head->note, columns - used);
	text_trim(text);
	text_add_char(text, '\n');
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
