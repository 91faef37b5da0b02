/* A table of the findings about single points. */
#include "finding_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heading.h"
#include "memory.h"
#include "text.h"

/* ---- columns and findings --------------------------------------------- */

/* "task:rate": the label of a row, and the name of a column. */
static const char *column_of(const struct finding *finding)
{
	const char *colon = strchr(finding->name, ':');

	return colon ? colon + 1 : finding->name;
}

static size_t label_length(const struct finding *finding)
{
	return (size_t)(column_of(finding) - finding->name);
}

static bool same_row(const struct finding *a, const struct finding *b)
{
	size_t length = label_length(a);

	return a->point == b->point && length == label_length(b) &&
		!strncmp(a->name, b->name, length);
}

/* The names of the columns, with NULL after the last. */
static size_t list_names(const struct findings *findings,
	const char *names[FINDING_COLUMNS_MOST])
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];
		bool known = finding->point < 0;

		for (size_t n = 0; n < count && !known; n++)
			known = !strcmp(names[n], column_of(finding));
		if (!known && count + 1 < FINDING_COLUMNS_MOST)
			names[count++] = column_of(finding);
	}
	return count;
}

/* The finding in the row of another one. */
static const struct finding *find(const struct findings *findings,
	const struct finding *row, const char *column)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		if (same_row(finding, row) &&
			!strcmp(column_of(finding), column))
			return finding;
	}
	return NULL;
}

/* True if no earlier finding is in its row. */
static bool begins_row(const struct findings *findings, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_row(&findings->list[i], &findings->list[at]))
			return false;
	return true;
}

/* ---- cells ------------------------------------------------------------ */

static void add_cell(struct finding_table *table, size_t *count,
	struct text *text)
{
	ARRAY_GROW(table->cells, *count);
	table->cells[(*count)++] = xstrdup(text_chars(text));
	text_clear(text);
}

/* Length of the longest value or name of each parameter that varies, else 0. */
static size_t *find_widths(const struct results *results)
{
	size_t *widths = xcalloc(results->param_count + 1, sizeof *widths);

	for (size_t i = 0; i < results->param_count; i++) {
		if (!results_changes(results, i))
			continue;
		widths[i] = strlen(results->param_names[i]);
		for (size_t p = 0; p < results->point_count; p++) {
			size_t wide = strlen(results->points[p].values[i]);

			widths[i] = wide > widths[i] ? wide : widths[i];
		}
	}
	return widths;
}

/* Adds a word of each parameter that varies, below each other in all names. */
static void add_name(const struct results *results, const size_t *widths,
	char *const *words, struct text *text)
{
	size_t room = 0, used = 0;

	for (size_t i = 0; i < results->param_count; i++) {
		if (!widths[i])
			continue;
		text_pad(text, ' ', room > used ? room - used : 0);
		text_add(text, "%s", room ? " " : "");
		text_add_safe(text, words[i], strlen(words[i]));
		used = text->length;
		room += widths[i] + (room > 0);
	}
}

static void make_names(const struct results *results,
	struct finding_table *table)
{
	size_t *widths = find_widths(results);
	struct text text = { 0 };

	table->names = xcalloc(results->point_count + 1,
		sizeof *table->names);
	for (size_t i = 0; i <= results->point_count; i++) {
		add_name(results, widths,
			i ? results->points[i - 1].values :
			    results->param_names,
			&text);
		if (text.length > table->name_length)
			table->name_length = text.length;
		table->names[table->name_count++] = text_take(&text);
	}
	free(widths);
}

const char *finding_table_name(const struct finding_table *table, size_t point)
{
	return table->names[point + 1];
}

/* Three digits without an exponent. The file has all digits. */
static void say_short(double value, struct text *text)
{
	bool whole = fabs(value) >= 99.95 || value == 0;

	text_add(text, whole ? "%.0f" : "%#.3g", value);
}

static void say_figure(const struct finding *finding, struct text *text)
{
	double scale;

	if (!finding || !finding->has_value)
		return;
	const char *prefix =
		unit_prefix(finding->unit, fabs(finding->value), &scale);
	say_short(finding->value / scale, text);
	if (finding->has_interval) {
		text_add(text, " [");
		say_short(finding->interval.low / scale, text);
		text_add(text, ", ");
		say_short(finding->interval.high / scale, text);
		text_add_char(text, ']');
	}
	text_add(text, "%s%s", *prefix ? " " : "", prefix);
}

static void add_row(struct finding_table *table, size_t *count,
	const struct results *results, const struct finding *first,
	const char *const *names)
{
	size_t point = (size_t)first->point, length = label_length(first);
	struct text text = { 0 };

	text_add(&text, "%s", finding_table_name(table, point));
	if (length) {
		text_pad(&text, ' ', table->name_length - text.length);
		text_add(&text, "%s", text.length ? " " : "");
		text_add_safe(&text, first->name, length - 1);
	}
	add_cell(table, count, &text);
	for (; *names; names++) {
		say_figure(find(&results->findings, first, *names), &text);
		add_cell(table, count, &text);
	}
	ARRAY_GROW(table->points, table->rows);
	table->points[table->rows++] = point;
	text_free(&text);
}

static void add_rows(struct finding_table *table, size_t *count,
	const struct results *results, size_t point, const char *const *names)
{
	const struct findings *findings = &results->findings;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->list[i].point == (int)point &&
			begins_row(findings, i))
			add_row(table, count, results, &findings->list[i],
				names);
}

static const char *heading_of(const struct results *results, const char *name)
{
	const struct heading *row =
		results->descriptor ? results->descriptor->headings : NULL;

	while (row && row->name && strcmp(row->name, name))
		row++;
	return row && row->name ? row->shown : name;
}

/* ---- the table -------------------------------------------------------- */

bool finding_table_make(const struct results *results,
	struct finding_table *table)
{
	const char *names[FINDING_COLUMNS_MOST] = { NULL };
	size_t found = list_names(&results->findings, names), count = 0;
	struct text text = { 0 };

	*table = (struct finding_table){ .columns = found + 1 };
	if (!found)
		return false;
	make_names(results, table);
	text_add(&text, "%s", table->names[0]);
	add_cell(table, &count, &text);
	for (size_t n = 0; n < found; n++) {
		const char *heading = heading_of(results, names[n]);

		text_add_safe(&text, heading, strlen(heading));
		add_cell(table, &count, &text);
	}
	text_free(&text);
	for (size_t i = 0; i < results->point_count; i++)
		add_rows(table, &count, results, i, names);
	return true;
}

void finding_table_free(struct finding_table *table)
{
	size_t count = table->cells ? (table->rows + 1) * table->columns : 0;

	for (size_t i = 0; i < count; i++)
		free(table->cells[i]);
	for (size_t i = 0; i < table->name_count; i++)
		free(table->names[i]);
	free(table->names);
	free(table->cells);
	free(table->points);
	*table = (struct finding_table){ 0 };
}

const char *finding_table_cell(const struct finding_table *table, size_t row,
	size_t column)
{
	return table->cells[row * table->columns + column];
}

size_t finding_table_row(const struct finding_table *table, size_t point)
{
	for (size_t i = 0; i < table->rows; i++)
		if (table->points[i] == point)
			return i + 1;
	return 0;
}
