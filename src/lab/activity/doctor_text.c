/* The doctor's findings as text and JSON. */
#include "doctor_text.h"

#include <string.h>

#include "json.h"
#include "wrap.h"

enum { INDENT = 23 };

/* The gap probe's histogram: its decades, in the order of gap_facts. */
static const char *const decades[] = { "under 1 us", "1 to 10 us",
	"10 to 100 us", "0.1 to 1 ms", "1 to 10 ms", "over 10 ms" };
enum { DECADES = sizeof decades / sizeof *decades };

static void add_histogram_json(const struct gap_facts *gaps, cJSON *object)
{
	cJSON *list = cJSON_AddArrayToObject(object, "histogram");

	for (size_t i = 0; i < DECADES; i++) {
		cJSON *bin = cJSON_CreateObject();

		json_add_text(bin, "gap", decades[i]);
		json_add_number(bin, "count", (double)gaps->decade[i]);
		cJSON_AddItemToArray(list, bin);
	}
}

/* Bars by the logarithm: one long gap is as much to be seen as a thousand
 * short ones. */
void doctor_text_gaps(const struct gap_facts *gaps, int indent,
	struct text *text)
{
	for (size_t i = 0; i < DECADES; i++) {
		text_add(text, "%*s%-12s %7zu ", indent, "", decades[i],
			gaps->decade[i]);
		for (size_t n = gaps->decade[i]; n; n /= 4)
			text_add(text, "#");
		while (text->chars[text->length - 1] == ' ')
			text->chars[--text->length] = '\0';
		text_add_char(text, '\n');
	}
}

void doctor_text_json(const struct doctor *doctor, const struct gap_facts *gaps,
	struct text *text)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];
		cJSON *object = cJSON_CreateObject();

		json_add_text(object, "check", row->check);
		json_add_text(object, "verdict",
			doctor_verdict_word(row->verdict));
		json_add_text(object, "found", row->found);
		json_add_text(object, "touches", row->touches);
		json_add_text(object, "effect", row->effect);
		json_add_text(object, "fix", row->fix);
		if (!strcmp(row->check, "gaps"))
			add_histogram_json(gaps, object);
		cJSON_AddItemToArray(array, object);
	}
	json_print(array, text);
	cJSON_Delete(array);
}

/* A line of the table, broken where it is too wide. */
static void add_wrapped(struct text *text, const char *chars)
{
	wrap(text, chars, INDENT, WRAP_PLAIN);
}

void doctor_text(const struct doctor *doctor, const struct gap_facts *gaps,
	struct text *text)
{
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];
		struct text effect = { 0 };

		text_add(text, "%-5s %-16s ", doctor_verdict_word(row->verdict),
			row->check);
		add_wrapped(text, row->found);
		if (!strcmp(row->check, "gaps"))
			doctor_text_gaps(gaps, INDENT, text);
		if (*row->effect) {
			text_add(&effect, "%s%s%s%s", row->effect,
				*row->touches ? " (" : "", row->touches,
				*row->touches ? ")" : "");
			add_wrapped(text, effect.chars);
			text_free(&effect);
		}
		/* To be copied: never broken. */
		if (*row->fix)
			text_add(text, "%23s$ %s\n", "", row->fix);
	}
}

void doctor_text_fixes(const struct doctor *doctor, struct text *text)
{
	size_t count = 0;

	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_row *row = &doctor->rows[i];

		if (row->verdict == DOCTOR_OK || !*row->fix)
			continue;
		text_add(text, "# %s: %s\n%s\n", row->check, row->found,
			row->fix);
		count++;
	}
	if (!count)
		text_add(text, "# nothing to fix\n");
}

void doctor_text_counts(const struct doctor *doctor, struct text *text)
{
	size_t counts[DOCTOR_BAD + 1] = { 0 };

	for (size_t i = 0; i < doctor->count; i++)
		counts[doctor->rows[i].verdict]++;
	text_add(text,
		"Checks done: %zu bad, %zu to note, %zu ok.\n",
		counts[DOCTOR_BAD], counts[DOCTOR_NOTE], counts[DOCTOR_OK]);
}
