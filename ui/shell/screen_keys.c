/* What keys, clicks and typed lines do to the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "hint.h"
#include "history.h"
#include "keys.h"
#include "memory.h"
#include "screen.h"

void screen_recall(struct screen *screen, const struct ui_options *options)
{
	struct error error;

	history_load(&screen->prompt);
	settings_free(&screen->settings);
	if (settings_load(&screen->settings, &error))
		screen_say(screen, ROLE_WARN, "%s", error.message);
	/* Another terminal may show less than the one it was chosen on. */
	if (!options->glyphs && screen->settings.tier < TIERS &&
		screen->settings.tier > screen->tier)
		screen->tier = screen->settings.tier;
	if (options->theme)
		screen->theme = theme_named(options->theme);
	else if (screen->settings.theme < THEMES)
		screen->theme = screen->settings.theme;
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

/* A value that was refused stays to be mended; its hint says what is wrong. */
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

void screen_key(struct screen *screen, const char *key, uint32_t code)
{
	/* To draw anew is not to read. */
	screen->message_read |= strcmp(key, "C-l") != 0;
	if (screen->prompt.kind != PROMPT_NONE) {
		type(screen, key, code);
		return;
	}
	const struct binding *binding = binding_find(screen, key);
	/* A sentence that has been read makes room for the progress. */
	if (lab_busy(screen->lab))
		text_clear(&screen->message);
	if (binding)
		screen_execute(screen, binding->line);
}

/* The line of a spot; a slider's says where it is, and takes the place that was
 * hit. */
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
