/* The doctor's findings as text and JSON. */
#include "doctor_text.h"

#include <string.h>

#include "columns.h"
#include "json.h"
#include "wrap.h"

enum { INDENT = 23 };

/* Labels of the gap probe's histogram, in the order of gap_facts. */
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

/* Bars are logarithmic, so that one long gap is visible beside a thousand short
 * ones. */
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

/* ---- text ------------------------------------------------------------- */

static enum text_style style_of(enum doctor_verdict verdict)
{
	return verdict == DOCTOR_BAD   ? STYLE_BAD :
		verdict == DOCTOR_NOTE ? STYLE_ROUGH :
					 STYLE_PLAIN;
}

/* The last blank within `room` bytes that is not in single quotes, else the
 * first one after; the end if there is none. */
static size_t break_of(const char *command, size_t room)
{
	size_t last = 0, i;
	bool quoted = false;

	for (i = 0; command[i] && (i <= room || !last); i++) {
		quoted ^= command[i] == '\'';
		if (command[i] == ' ' && !quoted)
			last = i;
	}
	return last ? last : i;
}

/* Continued on further lines as in a shell, so that it can be copied. The first
 * line begins at `indent`. */
static void add_command(const char *command, int indent, int width,
	struct text *text)
{
	enum { CONTINUED = 2, MARK = 2 };
	size_t room = (size_t)(width - indent);

	while (strlen(command) > room) {
		size_t end = break_of(command, room - MARK);

		if (!command[end])
			break;
		text_add(text, "%.*s \\\n%*s", (int)end, command,
			indent + CONTINUED, "");
		command += end + 1;
		room = (size_t)(width - indent - CONTINUED);
	}
	text_add(text, "%s\n", command);
}

/* Writes all facts of a check. */
static void add_whole(const struct doctor_row *row,
	const struct gap_facts *gaps, const struct text_layout *layout,
	struct text *text)
{
	struct text effect = { 0 }, verdict = { 0 };

	text_add(&verdict, "%-5s", doctor_verdict_word(row->verdict));
	style_add(text, layout, style_of(row->verdict), verdict.chars);
	text_free(&verdict);
	text_add(text, " %-16s ", row->check);
	struct text found = { 0 };
	text_pad(&found, ' ', INDENT);
	wrap_on(&found, row->found, INDENT, layout->width);
	text_add(text, "%s", found.chars + INDENT);
	text_free(&found);
	if (!strcmp(row->check, "gaps"))
		doctor_text_gaps(gaps, INDENT, text);
	if (*row->effect) {
		text_add(&effect, "%s%s%s%s", row->effect,
			*row->touches ? " (" : "", row->touches,
			*row->touches ? ")" : "");
		wrap(text, effect.chars, INDENT, layout->width);
		text_free(&effect);
	}
	if (*row->fix) {
		text_add(text, "%*s$ ", INDENT, "");
		add_command(row->fix, INDENT + 2, layout->width, text);
	}
}

enum { VERDICT, CHECK, FOUND };

/* Writes the finding, its effect, and the command if it fits on a line. */
static void add_brief(struct columns *table, const struct doctor_row *row,
	const struct text_layout *layout)
{
	struct text found = { 0 }, fix = { 0 };
	/* The width left after the verdict, the widest check and both gaps. */
	int room = layout->width - INDENT;

	text_add(&found, "%s%s%s", row->found, *row->effect ? "; " : "",
		row->effect);
	columns_row(table);
	columns_cell(table, VERDICT, style_of(row->verdict), "%s",
		doctor_verdict_word(row->verdict));
	columns_cell(table, CHECK, STYLE_PLAIN, "%s", row->check);
	columns_say(table, FOUND, found.chars);
	text_add(&fix, "$ %s", row->fix);
	if (*row->fix && (int)fix.length <= room) {
		columns_row(table);
		columns_say(table, FOUND, fix.chars);
	}
	text_free(&found);
	text_free(&fix);
}

static void add_total(const struct doctor *doctor,
	const struct text_layout *layout, struct text *text)
{
	size_t counts[DOCTOR_BAD + 1] = { 0 }, fixes = 0;
	struct text line = { 0 };

	for (size_t i = 0; i < doctor->count; i++) {
		counts[doctor->rows[i].verdict]++;
		fixes += *doctor->rows[i].fix != '\0';
	}
	if (counts[DOCTOR_BAD])
		text_add(&line, "%zu bad, ", counts[DOCTOR_BAD]);
	if (counts[DOCTOR_NOTE])
		text_add(&line, "%zu note%s, ", counts[DOCTOR_NOTE],
			counts[DOCTOR_NOTE] == 1 ? "" : "s");
	text_add(&line, "%zu ok", counts[DOCTOR_OK]);
	if (!layout->verbose)
		text_add(&line, "; -v lists them%s",
			fixes ? ", `doctor fixes` all commands" : "");
	wrap(text, line.chars, 2, layout->width);
	text_free(&line);
}

void doctor_text(const struct doctor *doctor, const struct gap_facts *gaps,
	const struct text_layout *layout, struct text *text)
{
	int least = layout->verbose ? DOCTOR_OK : DOCTOR_NOTE;
	struct columns table = { 0 };

	for (int column = VERDICT; column <= FOUND; column++)
		columns_add(&table, "", COLUMN_LEFT, 0);
	for (int verdict = DOCTOR_BAD; verdict >= least; verdict--)
		for (size_t i = 0; i < doctor->count; i++) {
			const struct doctor_row *row = &doctor->rows[i];

			if ((int)row->verdict != verdict)
				continue;
			if (layout->verbose)
				add_whole(row, gaps, layout, text);
			else
				add_brief(&table, row, layout);
		}
	columns_print(&table, layout, text);
	columns_free(&table);
	add_total(doctor, layout, text);
}

/* As comment lines of a shell. */
static void add_comment(const struct doctor_row *row, int width,
	struct text *text)
{
	struct text sentence = { 0 }, lines = { 0 };

	text_add(&sentence, "%s: %s", row->check, row->found);
	wrap(&lines, sentence.chars, 0, width - 2);
	for (const char *at = lines.chars; *at; at++) {
		size_t length = strcspn(at, "\n");

		text_add(text, "# %.*s\n", (int)length, at);
		at += length;
	}
	text_free(&sentence);
	text_free(&lines);
}

void doctor_text_fixes(const struct doctor *doctor, int width,
	struct text *text)
{
	size_t before = text->length;

	for (int verdict = DOCTOR_BAD; verdict > DOCTOR_OK; verdict--)
		for (size_t i = 0; i < doctor->count; i++) {
			const struct doctor_row *row = &doctor->rows[i];

			if ((int)row->verdict != verdict || !*row->fix)
				continue;
			add_comment(row, width, text);
			add_command(row->fix, 0, width, text);
		}
	if (text->length == before)
		text_add(text, "# nothing to fix\n");
}

void doctor_text_counts(const struct doctor *doctor, struct text *text)
{
	size_t counts[DOCTOR_BAD + 1] = { 0 };

	for (size_t i = 0; i < doctor->count; i++)
		counts[doctor->rows[i].verdict]++;
	text_add(text,
		"Checks done: %zu bad, %zu note%s, %zu ok.\n",
		counts[DOCTOR_BAD], counts[DOCTOR_NOTE],
		counts[DOCTOR_NOTE] == 1 ? "" : "s", counts[DOCTOR_OK]);
}
