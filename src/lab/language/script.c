/* Scripts: parsed and checked completely before execution. */
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assets.h"
#include "file.h"
#include "memory.h"

/* Takes ownership of the words on success. */
static int add_statement(struct lab *lab, struct script *script,
	struct words *words, struct error *error)
{
	if (script->count == SCRIPT_STATEMENTS_MAX) {
		words_point(words, 0, 0, error);
		return error_set(error, STATUS_USAGE,
			"a script has at most %d statements",
			SCRIPT_STATEMENTS_MAX);
	}
	if (command_check(lab, words, error))
		return -1;
	ARRAY_GROW(script->list, script->count);
	script->list[script->count++] = *words;
	return 0;
}

static int check_text(const char *text, size_t length, struct error *error)
{
	size_t valid = utf8_valid(text, length);
	size_t terminated = strlen(text);
	bool ends_early = terminated < valid;
	struct reader reader = reader_of(text);

	if (valid == length && !ends_early)
		return 0;
	while (reader.at < text + (ends_early ? terminated : valid))
		reader_advance(&reader);
	error->line = reader.line;
	error->column = reader.column;
	if (ends_early)
		return error_set(error, STATUS_INPUT,
			"a byte 0, expected text");
	return error_set(error, STATUS_INPUT,
		"a byte 0x%02x that is not UTF-8, expected text",
		(unsigned char)*reader.at);
}

static int parse_statement(struct lab *lab, struct script *script,
	struct reader *reader, struct error *error)
{
	struct words words;

	if (words_read(&words, reader, error))
		return -1;
	if (words.count && add_statement(lab, script, &words, error)) {
		words_free(&words);
		return -1;
	}
	return 0;
}

int script_parse(struct lab *lab, const char *name, const char *text,
	size_t length, struct script *script, struct error *error)
{
	struct reader reader = reader_of(text);

	*script = (struct script){ .name = xstrdup(name) };
	if (!*name)
		script->typed = xstrndup(text, length);
	*error = (struct error){ 0 };
	if (check_text(text, length, error))
		return -1;
	/* Some editors begin a file with a byte order mark. */
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		reader.at += 3;
	while (*reader.at)
		if (parse_statement(lab, script, &reader, error))
			return -1;
	return 0;
}

/* The asset of that name, unless the working folder has such a file. */
static const struct asset *find_asset(const char *name)
{
	struct text asset = { 0 };

	if (strchr(name, '/') || !strcmp(name, "-") || !access(name, F_OK))
		return NULL;
	text_add(&asset, "scripts/%s", name);
	const struct asset *found = asset_find(asset.chars);
	text_free(&asset);
	return found;
}

int script_read(struct lab *lab, const char *name, struct script *script,
	struct error *error)
{
	const struct asset *asset = find_asset(name);
	struct text content = { 0 };

	*script = (struct script){ 0 };
	*error = (struct error){ 0 };
	if (asset)
		return script_parse(lab, name, asset->text,
			(size_t)(asset->end - asset->text), script, error);
	int failed = file_read(name, SCRIPT_BYTES_MAX, &content, error);
	if (!failed)
		failed = script_parse(lab, strcmp(name, "-") ? name : "input",
			text_chars(&content), content.length, script, error);
	text_free(&content);
	return failed;
}

int script_of_words(struct lab *lab, char *const *list, struct script *script,
	struct error *error)
{
	struct text line = { 0 };

	/* Join the words to one line, so that error columns count in that
	 * line. */
	for (size_t i = 0; list[i]; i++) {
		if (i)
			text_add_char(&line, ' ');
		words_quote(&line, list[i]);
	}
	struct reader reader = reader_of(text_chars(&line));
	*script = (struct script){ .name = xstrdup("") };
	*error = (struct error){ 0 };
	int failed = parse_statement(lab, script, &reader, error);
	script->typed = text_take(&line);
	return failed;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		words_free(&script->list[i]);
	free(script->list);
	free(script->name);
	free(script->typed);
	*script = (struct script){ 0 };
}

bool script_goes_on(enum status status)
{
	return status == STATUS_EXPECT || status == STATUS_AGAIN ||
		status == STATUS_WORKER;
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
	text_add(text, "%s", error->message);
}

/* ---- the error's position in the typed text ---------------------------- */

/* Finds the error's position in the text and the beginning of its line. NULL:
 * the text has no such position. */
static const char *find_place(const char *typed, const struct error *error,
	const char **line)
{
	struct reader reader = reader_of(typed);

	while (*reader.at && reader.line < error->line)
		reader_advance(&reader);
	*line = reader.at;
	while (*reader.at && *reader.at != '\n' &&
		reader.column < error->column)
		reader_advance(&reader);
	bool found = reader.line == error->line &&
		reader.column == error->column;
	return found ? reader.at : NULL;
}

/* Does the sentence quote the text at this position? */
static bool quotes_place(const char *sentence, const char *at)
{
	const char *quote = strchr(sentence, '\'');

	for (; quote; quote = strchr(quote + 1, '\'')) {
		size_t length = strcspn(quote + 1, "'");

		if (length && !strncmp(quote + 1, at, length))
			return true;
	}
	return false;
}

void script_point(const struct script *script, const struct error *error,
	struct text *text)
{
	enum { WIDE = 72, BEFORE = 48, INDENT = 2 };
	struct text before = { 0 }, behind = { 0 };
	const char *line, *at = NULL;

	/* An error at the very beginning needs no caret. */
	if (script->typed && (error->line > 1 || error->column > 1))
		at = find_place(script->typed, error, &line);
	if (!at || !*at || *at == '\n' || quotes_place(error->message, at))
		return;
	/* Shorten a long line to the part around the position, so that the
	 * terminal does not wrap it. */
	if (at - line > BEFORE) {
		for (line = at - BEFORE; ((unsigned char)*line & 0xc0) == 0x80;)
			line++;
		text_add(&before, "..");
	}
	text_add_safe(&before, line, (size_t)(at - line));
	size_t left = strcspn(at, "\n"), most = left;
	if (left > WIDE - (size_t)(at - line)) {
		most = WIDE - (size_t)(at - line);
		while (most && ((unsigned char)at[most] & 0xc0) == 0x80)
			most--;
	}
	text_add_safe(&behind, at, most);
	text_add(text, "\n%*s%s%s%s\n", INDENT, "", text_chars(&before),
		text_chars(&behind), left > most ? ".." : "");
	text_pad(text, ' ',
		INDENT + (size_t)text_width(text_chars(&before)));
	text_add_char(text, '^');
	text_free(&before);
	text_free(&behind);
}
