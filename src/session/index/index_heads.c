/* The head of a session in the index. */
#include <stdio.h>
#include <stdlib.h>

#include "index_rows.h"
#include "json.h"
#include "memory.h"

/* ["cpu.call","cpu.syscall"]: a name in a file may have any character. */
static void add_names(const struct kept_head *head, struct text *text)
{
	text_add_char(text, '[');
	for (size_t i = 0; i < head->experiment_count; i++) {
		text_add(text, "%s", i ? "," : "");
		json_string(text, head->experiments[i]);
	}
	text_add_char(text, ']');
}

static void take_names(const char *names, struct kept_head *head)
{
	cJSON *array = names ? cJSON_Parse(names) : NULL;
	const cJSON *item;

	cJSON_ArrayForEach(item, array) if (cJSON_IsString(item))
	{
		ARRAY_GROW(head->experiments, head->experiment_count);
		head->experiments[head->experiment_count++] =
			xstrdup(item->valuestring);
	}
	cJSON_Delete(array);
}

bool index_put_head(sqlite3 *database, const char *name, const char *stamp,
	const struct kept_head *head, bool has_points, int64_t *id)
{
	struct row old = row_begin(database,
		"DELETE FROM sessions WHERE name = ?");
	row_put_text(&old, name);
	row_insert(&old);
	if (!row_end(&old))
		return false;
	struct text names = { 0 };
	add_names(head, &names);
	struct row new = row_begin(database,
		"INSERT INTO sessions(name, stamp, at, experiments, median, "
		"unit, note, has_points) VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
	row_put_text(&new, name);
	row_put_text(&new, stamp);
	row_put_text(&new, head->at);
	row_put_text(&new, names.chars);
	row_put_number(&new, head->median);
	row_put_whole(&new, head->unit);
	row_put_text(&new, head->note);
	row_put_whole(&new, has_points);
	row_insert(&new);
	*id = sqlite3_last_insert_rowid(database);
	text_free(&names);
	return row_end(&new);
}

void index_take_head(struct row *row, struct kept_head *head)
{
	const char *at = row_text(row);

	snprintf(head->at, sizeof head->at, "%s", at ? at : "");
	take_names(row_text(row), head);
	head->median = row_number(row);
	head->unit = (enum unit)row_choice(row, UNIT_COUNTS);
	const char *note = row_text(row);
	head->note = note ? xstrdup(note) : NULL;
}
