/* Scripts: parsed and checked whole. */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int add_statement(struct lab *lab, struct script *script,
	struct words *words, int line, struct error *error)
{
	if (script->count == SCRIPT_STATEMENTS_MAX)
		return error_set(error, STATUS_USAGE,
			"a script has at most %d statements",
			SCRIPT_STATEMENTS_MAX);
	if (command_check(lab, words, error))
		return -1;
	ARRAY_GROW(script->list, script->count);
	script->list[script->count++] =
		(struct statement){ .line = line, .words = *words };
	return 0;
}

static int parse_line(struct lab *lab, struct script *script, const char *line,
	int number, struct error *error)
{
	const char *at = line;

	while (*at && *at != '\n') {
		struct words words;

		if (words_read(&words, line, &at, error))
			return -1;
		if (!words.count) {
			words_free(&words);
			continue;
		}
		if (add_statement(lab, script, &words, number, error)) {
			words_free(&words);
			return -1;
		}
	}
	return 0;
}

int script_parse(struct lab *lab, const char *name, const char *text,
	struct script *script, struct error *error)
{
	const char *line = text;
	int number = 1;

	*script = (struct script){ .name = xstrdup(name) };
	*error = (struct error){ 0 };
	size_t length = strlen(text);
	if (utf8_valid(text, length) < length)
		return error_set(error, STATUS_USAGE,
			"the script is not UTF-8");
	for (;; number++) {
		if (parse_line(lab, script, line, number, error)) {
			error->line = number;
			return -1;
		}
		line = strchr(line, '\n');
		if (!line)
			return 0;
		line++;
	}
}

int script_of_words(struct lab *lab, char *const *list, struct script *script,
	struct error *error)
{
	struct words words = { 0 };
	struct text line = { 0 };

	/* As if the line had been typed: columns count in that line. */
	for (size_t i = 0; list[i]; i++) {
		if (i)
			text_add_char(&line, ' ');
		words_quote(&line, list[i]);
	}
	const char *at = text_chars(&line);
	*script = (struct script){ .name = xstrdup("") };
	*error = (struct error){ 0 };
	int failed = words_read(&words, at, &at, error);
	if (!failed && words.count)
		failed = add_statement(lab, script, &words, 0, error);
	if (failed)
		words_free(&words);
	text_free(&line);
	return failed;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		words_free(&script->list[i].words);
	free(script->list);
	free(script->name);
	*script = (struct script){ 0 };
}

void script_say(const struct script *script, const struct error *error,
	struct text *text)
{
	bool placed = script->name && *script->name;

	if (placed)
		text_add_safe(text, script->name, strlen(script->name));
	if (placed && error->line)
		text_add(text, ":%d", error->line);
	if (placed && error->column)
		text_add(text, ":%d", error->column);
	if (placed)
		text_add(text, ": ");
	text_add_safe(text, error->message, strlen(error->message));
	if (!placed && error->column)
		text_add(text, " (at character %d)", error->column);
}
