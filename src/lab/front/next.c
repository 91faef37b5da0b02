/* The line that suggests the next commands. */
#include "next.h"

#include <string.h>

#include "command.h"
#include "kept.h"

/* Adds the words if the line has room for them. */
static void suggest(const struct lab *lab, const char *words,
	const char *gap, struct text *line)
{
	if (text_width(line->chars) + (int)strlen(gap) + (int)strlen(words) <=
		lab->layout.width)
		text_add(line, "%s%s", gap, words);
}

/* Suggests `history` for a session with one run, if this program has that
 * verb. */
static void suggest_history(const struct lab *lab, struct text *line)
{
	const struct session *session = lab->session;
	struct text words = { 0 };

	if (session->run_count != 1 || !command_find(lab, "history"))
		return;
	text_add(&words, "benchtop history %s", session->runs[0]->experiment);
	suggest(lab, words.chars, " | ", line);
	text_free(&words);
}

void say_next(const struct lab *lab, struct text *text)
{
	struct text line = { 0 };
	size_t number = lab->printed_results && lab->autosave &&
			!lab->autosave_why ?
		kept_number(lab->autosave) :
		0;

	if (!number)
		return;
	text_add(&line, "kept as session %zu", number);
	suggest(lab, "next: benchtop report -o x.html", "      ", &line);
	suggest_history(lab, &line);
	if (lab->printed_short)
		suggest(lab, "-v for all", " | ", &line);
	text_add(text, "%s\n", line.chars);
	text_free(&line);
}
