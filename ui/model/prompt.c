/* A line of text being typed. */
#include "prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw_popup.h"
#include "memory.h"
#include "text.h"
#include "words.h"

void prompt_open(struct prompt *prompt, enum prompt_kind kind,
	const char *label, const char *line)
{
	prompt->kind = kind;
	snprintf(prompt->label, sizeof prompt->label, "%s", label);
	snprintf(prompt->line, sizeof prompt->line, "%s", line);
	prompt->length = strlen(prompt->line);
	prompt->fixed = 0;
	prompt->rest = REST_WORDS;
	prompt->cursor = prompt->length;
	prompt->recalled = prompt->history_count;
	prompt->selected = false;
	prompt->changed = false;
	prompt->doubted = false;
}

void prompt_select(struct prompt *prompt)
{
	prompt->selected = prompt->length > prompt->fixed;
}

void prompt_close(struct prompt *prompt)
{
	prompt->kind = PROMPT_NONE;
	completion_free(&prompt->offered);
}

void prompt_free(struct prompt *prompt)
{
	for (size_t i = 0; i < prompt->history_count; i++)
		free(prompt->history[i]);
	free(prompt->history);
	completion_free(&prompt->offered);
	*prompt = (struct prompt){ 0 };
}

/* Whether the text already is one quoted word. */
static bool is_quoted(const char *rest)
{
	struct reader reader = reader_of(rest);
	struct words words;
	struct error ignored;

	if (words_read(&words, &reader, &ignored))
		return false;
	bool quoted = strchr("'\"", *rest) && words.count == 1 && !*reader.at;
	words_free(&words);
	return quoted;
}

/* The offset of the --options at the end of a line, including the blank before
 * them. */
static size_t options_behind(const char *line, size_t end)
{
	for (;;) {
		size_t word = end;

		while (word && line[word - 1] != ' ')
			word--;
		if (!word || strncmp(line + word, "--", 2))
			return end;
		while (word && line[word - 1] == ' ')
			word--;
		end = word;
	}
}

void prompt_line(const struct prompt *prompt, struct text *line)
{
	const char *rest = prompt->line + prompt->fixed;

	if (prompt->rest == REST_WORDS) {
		text_add(line, "%s", prompt->line);
		return;
	}
	while (*rest == ' ' || !strncmp(rest, "--", 2)) {
		rest += strcspn(rest, " ");
		rest += strspn(rest, " ");
	}
	size_t all = strlen(rest);
	while (all && rest[all - 1] == ' ')
		all--;
	size_t end =
		prompt->rest == REST_NAME ? options_behind(rest, all) : all;
	char *word = xstrndup(rest, end);
	text_add(line, "%.*s", (int)(rest - prompt->line), prompt->line);
	if (*word && is_quoted(word))
		text_add(line, "%s", word);
	else if (*word)
		words_quote(line, word);
	text_add(line, "%.*s", (int)(all - end), rest + end);
	free(word);
}

static void forget_oldest(struct prompt *prompt)
{
	free(prompt->history[0]);
	prompt->history_count--;
	memmove(prompt->history, prompt->history + 1,
		prompt->history_count * sizeof *prompt->history);
	if (prompt->history_kept)
		prompt->history_kept--;
}

void prompt_remember(struct prompt *prompt, const char *line)
{
	size_t count = prompt->history_count;

	if (!*line || (count && !strcmp(prompt->history[count - 1], line)))
		return;
	if (count == PROMPT_HISTORY_MOST)
		forget_oldest(prompt);
	ARRAY_GROW(prompt->history, prompt->history_count);
	prompt->history[prompt->history_count++] = xstrdup(line);
}

/* ---- editing ---------------------------------------------------------- */

static void insert(struct prompt *prompt, const char *bytes, size_t size)
{
	if (prompt->length + size >= sizeof prompt->line)
		return;
	memmove(prompt->line + prompt->cursor + size,
		prompt->line + prompt->cursor,
		prompt->length - prompt->cursor + 1);
	memcpy(prompt->line + prompt->cursor, bytes, size);
	prompt->length += size;
	prompt->cursor += size;
}

static void erase_back(struct prompt *prompt, size_t from)
{
	if (from < prompt->fixed)
		from = prompt->fixed;
	memmove(prompt->line + from, prompt->line + prompt->cursor,
		prompt->length - prompt->cursor + 1);
	prompt->length -= prompt->cursor - from;
	prompt->cursor = from;
}

static bool continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t before(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	while (at && continues(prompt->line[--at]))
		;
	return at < prompt->fixed ? prompt->fixed : at;
}

static size_t after(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	if (at < prompt->length)
		at++;
	while (at < prompt->length && continues(prompt->line[at]))
		at++;
	return at;
}

static size_t word_before(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	while (at && prompt->line[at - 1] == ' ')
		at--;
	while (at && prompt->line[at - 1] != ' ')
		at--;
	return at;
}

/* Recalls an earlier line; if the verb is fixed, only lines with this verb. */
static void recall(struct prompt *prompt, int step)
{
	size_t count = prompt->history_count, fixed = prompt->fixed;
	size_t at = prompt->recalled + (size_t)step;

	while (at < count && strncmp(prompt->history[at], prompt->line, fixed))
		at += (size_t)step;
	if (prompt->kind != PROMPT_COMMAND || at > count)
		return;
	const char *line = at < count ? prompt->history[at] + fixed : "";
	snprintf(prompt->line + fixed, sizeof prompt->line - fixed, "%s", line);
	prompt->length = strlen(prompt->line);
	prompt->cursor = prompt->length;
	prompt->recalled = at;
}

static size_t common_length(const struct completion *completion)
{
	const char *first = completion->list[0];
	size_t common = strlen(first);

	for (size_t i = 1; i < completion->count; i++)
		while (strncmp(first, completion->list[i], common))
			common--;
	return common;
}

/* The line so far, as the parser reads it. A name with blanks becomes one word
 * with an open quote; then this returns true. */
static bool line_so_far(const struct prompt *prompt, struct text *line)
{
	const char *rest = prompt->line + prompt->fixed;

	text_add(line, "%.*s", (int)prompt->fixed, prompt->line);
	if (prompt->rest != REST_NAME || !strchr(rest, ' ') ||
		strchr("\"'-", *rest)) {
		text_add(line, "%s", rest);
		return false;
	}
	words_quote(line, rest);
	line->chars[--line->length] = '\0';
	return true;
}

/* Replaces the last word by the candidates' common prefix; offers the
 * candidates if there are several. */
static void complete(struct prompt *prompt, const struct lab *lab)
{
	struct completion completion;

	if (prompt->kind != PROMPT_COMMAND || prompt->cursor != prompt->length)
		return;
	struct text line = { 0 };
	bool whole = line_so_far(prompt, &line);
	complete_line(lab, text_chars(&line), &completion);
	complete_files(text_chars(&line), &completion);
	text_free(&line);
	size_t common = completion.count ? common_length(&completion) : 0;
	/* With quoted and unquoted candidates there is no common prefix. */
	if (common) {
		const char *first = completion.list[0];
		char last = first[common - 1];

		erase_back(prompt, whole ? prompt->fixed : completion.from);
		insert(prompt, first, common);
		if (completion.count == 1 && last != '=' && last != '/')
			insert(prompt, " ", 1);
	}
	if (completion.count > 1)
		prompt->offered = completion;
	else
		completion_free(&completion);
}

/* Deletes the selected text if the key is a character or deletes; other keys
 * only end the selection. Returns true if the key needs no further handling. */
static bool replace(struct prompt *prompt, const char *key, uint32_t code)
{
	bool deletes = !strcmp(key, "Backspace") || !strcmp(key, "Delete");
	bool selected = prompt->selected;

	prompt->selected = false;
	if (!selected || (!code && !deletes))
		return false;
	prompt->cursor = prompt->length;
	erase_back(prompt, prompt->fixed);
	return deletes;
}

static void edit(struct prompt *prompt, const char *key)
{
	if (!strcmp(key, "Backspace")) {
		erase_back(prompt, before(prompt));
	} else if (!strcmp(key, "C-u")) {
		erase_back(prompt, 0);
	} else if (!strcmp(key, "C-w")) {
		erase_back(prompt, word_before(prompt));
	} else if (!strcmp(key, "Delete") && prompt->cursor < prompt->length) {
		size_t from = prompt->cursor;

		prompt->cursor = after(prompt);
		erase_back(prompt, from);
	}
}

static void travel(struct prompt *prompt, const char *key)
{
	if (!strcmp(key, "Left"))
		prompt->cursor = before(prompt);
	else if (!strcmp(key, "Right"))
		prompt->cursor = after(prompt);
	else if (!strcmp(key, "Home") || !strcmp(key, "C-a"))
		prompt->cursor = prompt->fixed;
	else if (!strcmp(key, "End") || !strcmp(key, "C-e"))
		prompt->cursor = prompt->length;
	else if (!strcmp(key, "Up"))
		recall(prompt, -1);
	else if (!strcmp(key, "Down"))
		recall(prompt, 1);
}

static void change(struct prompt *prompt, const char *key)
{
	edit(prompt, key);
	travel(prompt, key);
}

/* The first Esc closes the popup of Tab, or asks for another Esc; the second
 * discards the line. */
static enum prompt_result give_up(struct prompt *prompt, bool offered)
{
	if (!prompt->changed || prompt->length <= prompt->fixed ||
		prompt->doubted)
		return PROMPT_GIVEN_UP;
	prompt->doubted = !offered;
	return PROMPT_TYPING;
}

enum prompt_result prompt_key(struct prompt *prompt, const struct lab *lab,
	const char *key, uint32_t code)
{
	char bytes[4];
	char *before_key = xstrdup(prompt->line);
	bool offered = prompt->offered.count > 0;
	enum prompt_result result = PROMPT_TYPING;

	completion_free(&prompt->offered);
	if (!strcmp(key, "Esc") || !strcmp(key, "C-c")) {
		result = give_up(prompt, offered);
	} else {
		prompt->doubted = false;
		if (replace(prompt, key, code))
			;
		else if (code)
			insert(prompt, bytes, utf8_write(code, bytes));
		else if (!strcmp(key, "Enter"))
			result = PROMPT_DONE;
		else if (!strcmp(key, "Tab"))
			complete(prompt, lab);
		else
			change(prompt, key);
	}
	prompt->changed |= strcmp(before_key, prompt->line) != 0;
	free(before_key);
	return result;
}

/* The columns of the first `bytes` bytes. */
static int columns_of(const struct prompt *prompt, size_t bytes)
{
	int columns = 0;

	for (size_t i = 0; i < bytes; i++)
		columns += !continues(prompt->line[i]);
	return columns;
}

void prompt_draw(const struct prompt *prompt, const struct pane *pane)
{
	int label = pane_text(pane, 0, 0, ROLE_STRONG, "%s", prompt->label);
	struct pane field = pane_part(pane, label, 0, pane->columns - label, 1);
	int columns = columns_of(prompt, prompt->cursor);
	int begin = columns_of(prompt, prompt->fixed);

	/* A line longer than the field is scrolled so that the cursor is
	 * visible. */
	int shift = columns >= field.columns ? columns - field.columns + 1 : 0;
	const char *from = prompt->line;
	for (int skip = shift; skip && *from; skip--) {
		from++;
		while (continues(*from))
			from++;
	}
	int used = pane_chars(&field, 0, 0, ROLE_TEXT, from);
	begin = begin > shift ? begin - shift : 0;
	if (prompt->selected)
		pane_role(&field, begin, 0, used - begin, ROLE_SELECT);
	pane_cursor(&field, columns - shift, 0);
}

void prompt_draw_offered(const struct prompt *prompt, const struct pane *pane)
{
	const struct completion *offered = &prompt->offered;

	draw_popup(pane, "Tab", (const char *const *)offered->list,
		offered->count, -1);
}
