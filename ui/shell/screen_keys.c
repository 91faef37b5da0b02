/* Handles keys, clicks and typed lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "hint.h"
#include "history.h"
#include "keys.h"
#include "memory.h"
#include "screen.h"
#include "tour.h"

void screen_recall(struct screen *screen, const struct ui_options *options)
{
	struct error error;

	history_load(&screen->prompt);
	settings_free(&screen->settings);
	if (settings_load(&screen->settings, &error))
		screen_say(screen, ROLE_WARN, "%s", error.message);
	/* The saved glyphs may be more than this terminal can show. */
	if (!options->glyphs && screen->settings.tier < TIERS &&
		screen->settings.tier > screen->tier)
		screen->tier = screen->settings.tier;
	if (options->theme)
		screen->theme = theme_named(options->theme);
	else if (screen->settings.theme < THEMES)
		screen->theme = screen->settings.theme;
	if (options->tour)
		tour_begin(screen);
	else
		tour_offer(screen);
}

static void finish_field(struct screen *screen, const char *line)
{
	struct form *form = screen_form(screen);
	struct text command = { 0 }, word = { 0 };
	size_t row;
	const struct param_set *set = screen_field(form, form->field, &row);

	if (!set)
		return;
	text_add(&word, "%s=%s", set->rows[row].name, line);
	text_add(&command, "edit ");
	words_quote(&command, word.chars);
	screen_execute(screen, command.chars);
	text_free(&word);
	text_free(&command);
}

static void finish_prediction(struct screen *screen, const char *line)
{
	struct text command = { 0 };

	if (!*line)
		return;
	line_of_prediction(screen, line, &command);
	screen_execute(screen, command.chars);
	text_free(&command);
}

static void finish_find(struct screen *screen, const char *line)
{
	struct text command = { 0 };

	if (!*line)
		return;
	text_add(&command, "find ");
	words_quote(&command, line);
	screen_execute(screen, command.chars);
	text_free(&command);
}

/* A refused value stays in the prompt for correction; its hint names the
 * error. */
static bool is_refused(const struct screen *screen)
{
	struct text hint = { 0 };
	bool value = screen->prompt.kind == PROMPT_FIELD ||
		screen->prompt.kind == PROMPT_PREDICT;
	bool bad = value && *screen->prompt.line &&
		hint_of_prompt(screen, &hint) == ROLE_BAD;

	text_free(&hint);
	return bad;
}

static void finish_prompt(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	char *line = xstrdup(prompt->line);
	enum prompt_kind kind = prompt->kind;
	bool refused = is_refused(screen);
	struct text command = { 0 };

	prompt_line(prompt, &command);
	if (!refused)
		prompt_close(prompt);
	text_clear(&screen->message);
	switch (kind) {
	case PROMPT_COMMAND:
		prompt_remember(prompt, text_chars(&command));
		screen_execute(screen, text_chars(&command));
		break;
	case PROMPT_FIND:
		finish_find(screen, line);
		break;
	case PROMPT_FILTER:
		free(screen->page.filter);
		screen->page.filter = *line ? xstrdup(line) : NULL;
		screen->page.row = 0;
		break;
	case PROMPT_FIELD:
		finish_field(screen, line);
		break;
	case PROMPT_PREDICT:
		finish_prediction(screen, line);
		break;
	case PROMPT_NONE:
		break;
	}
	text_free(&command);
	free(line);
}

static void type(struct screen *screen, const char *key, uint32_t code)
{
	switch (prompt_key(&screen->prompt, screen->lab, key, code)) {
	case PROMPT_TYPING:
		break;
	case PROMPT_DONE:
		finish_prompt(screen);
		break;
	case PROMPT_GIVEN_UP:
		prompt_close(&screen->prompt);
		break;
	}
}

/* The binding of a key. A key without a meaning on a page closes the page, and
 * then applies to the view below. If another page was waiting, the key has no
 * effect. */
static const struct binding *meant(struct screen *screen, const char *key)
{
	const struct binding *binding = binding_find(screen, key);

	if (binding || !screen->page.text)
		return binding;
	screen_leave_page(screen);
	return screen->page.text ? NULL : binding_find(screen, key);
}

void screen_key(struct screen *screen, const char *key, uint32_t code)
{
	/* Redrawing does not mean that the message was read. */
	screen->message_read |= strcmp(key, "C-l") != 0;
	if (screen->prompt.kind != PROMPT_NONE) {
		type(screen, key, code);
		return;
	}
	const struct binding *binding = meant(screen, key);
	/* A message that was read gives way to the progress. */
	if (lab_busy(screen->lab))
		text_clear(&screen->message);
	if (!binding)
		return;
	unsigned said = screen->said;
	screen_execute(screen, binding->line);
	/* A refusal disappears when another key has worked. */
	if (screen->said == said && screen->message_role == ROLE_BAD)
		text_clear(&screen->message);
}

/* The command line of a spot. A slider's line contains "@BEGIN+WIDTH", which is
 * replaced by the clicked place, 0 .. 1000. */
static char *clicked(const char *line, int column)
{
	enum { MOST = 1000 };
	const char *at = strchr(line, '@');
	int begin, width;

	if (!at || sscanf(at, "@%d+%d", &begin, &width) != 2 || width < 2)
		return xstrdup(line);
	struct text text = { 0 };
	text_add(&text, "%.*s%d", (int)(at - line), line,
		(column - begin) * MOST / (width - 1));
	return text_take(&text);
}

void screen_click(struct screen *screen, const struct grid *grid, int column,
	int row)
{
	const char *line = grid_spot(grid, column, row);

	if (screen->prompt.kind != PROMPT_NONE || !line || !*line)
		return;
	char *copy = clicked(line, column);
	screen_execute(screen, copy);
	free(copy);
}
