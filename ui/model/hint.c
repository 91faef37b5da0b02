/* Hints for the line being typed. */
#include "hint.h"

#include <string.h>

static enum role doubt(struct text *text, const struct error *error)
{
	text_add(text, "%s", error->message);
	return ROLE_BAD;
}

/* Checks a line as a command; has no side effects. */
static int check_line(const struct screen *screen, const char *line,
	struct error *error)
{
	struct words words;
	struct reader reader = reader_of(line);
	int failed = words_read(&words, &reader, error);

	if (failed)
		return failed;
	failed = words.count ? command_check(screen->lab, &words, error) : 0;
	words_free(&words);
	return failed;
}

/* Checks the typed value of a run option for this machine. */
static int check_common(const struct screen *screen, const struct param *row,
	struct error *error)
{
	struct text line = { 0 }, word = { 0 };

	text_add(&word, "%s=%s", row->name, screen->prompt.line);
	text_add(&line, "edit ");
	words_quote(&line, word.chars);
	int failed = check_line(screen, line.chars, error);
	text_free(&word);
	text_free(&line);
	return failed;
}

static enum role hint_of_field(const struct screen *screen, struct text *text)
{
	struct form *form = &screen->forms[screen_experiment(screen)];
	size_t at;
	struct param_set *set = screen_field(form, form->field, &at);
	struct error error;
	struct param_set trial;
	enum role role = ROLE_DIM;

	if (!set)
		return ROLE_DIM;
	const struct param here = screen_row(screen, set, at), *row = &here;
	if (param_check(row, screen->prompt.line, &error))
		return doubt(text, &error);
	param_set_copy(&trial, set);
	if (param_set_values(&trial, row->name, screen->prompt.line, &error) ||
		param_set_check_points(&trial, &error) ||
		(set == &form->common && check_common(screen, row, &error))) {
		role = doubt(text, &error);
	} else if (trial.values[at].count > 1) {
		text_add(text, "a sweep of %zu values; Enter applies them",
			trial.values[at].count);
	} else {
		text_add(text, "Enter applies it; ");
		param_accepts(row, set == &form->args, text);
	}
	param_set_free(&trial);
	return role;
}

void line_of_prediction(const struct screen *screen, const char *typed,
	struct text *line)
{
	text_add(line, "predict %s %s%s", screen_descriptor(screen)->name,
		strchr(typed, '=') ? "" : "hw=", typed + strspn(typed, " "));
}

/* Appends example ranges in the headline's unit. */
static void say_examples(enum unit unit, struct text *text)
{
	const char *one = "80..120ns", *two = "hw=30..60ns sw=40..90ns";

	if (unit == UNIT_BYTES_PER_S) {
		one = "6..12GB/s";
		two = "hw=8..12GB/s sw=0";
	} else if (unit == UNIT_BITS_PER_S) {
		one = "10..30Gbit";
		two = "hw=10..30Gbit sw=0";
	} else if (unit == UNIT_HZ) {
		one = "2..3GHz";
		two = "hw=2..3GHz sw=0";
	} else if (unit == UNIT_BYTES) {
		one = "32K..48K";
		two = "hw=32K..48K sw=0";
	}
	text_add(text, "the range you expect: %s; or %s", one,
		two);
}

static enum role hint_of_prediction(const struct screen *screen,
	struct text *text)
{
	const char *typed = screen->prompt.line;
	struct text line = { 0 };
	struct error error;

	if (!*typed) {
		say_examples(screen_descriptor(screen)->metrics[0].unit, text);
		return ROLE_DIM;
	}
	line_of_prediction(screen, typed, &line);
	int failed = check_line(screen, line.chars, &error);
	text_free(&line);
	if (failed)
		return doubt(text, &error);
	text_add(text, "Enter keeps the prediction; a run locks it");
	return ROLE_DIM;
}

static enum role hint_of_command(const struct screen *screen, struct text *text)
{
	char verb[24];

	if (sscanf(screen->prompt.line, "%23s", verb) == 1) {
		const struct command *row =
			command_find(screen->lab, verb);

		if (row) {
			text_add(text, "%s%s%s: %s", row->name,
				*row->usage ? " " : "", row->usage, row->help);
			return ROLE_DIM;
		}
	}
	text_add(text,
		"Tab completes, Up recalls, Enter executes, Esc leaves; `help` "
		"lists all commands");
	return ROLE_DIM;
}

enum role hint_of_prompt(const struct screen *screen, struct text *text)
{
	const struct prompt *prompt = &screen->prompt;

	if (prompt->doubted) {
		text_add(text, "Esc again discards the line");
		return ROLE_DIM;
	}
	switch (prompt->kind) {
	case PROMPT_FIELD:
		return hint_of_field(screen, text);
	case PROMPT_PREDICT:
		return hint_of_prediction(screen, text);
	case PROMPT_COMMAND:
		return hint_of_command(screen, text);
	case PROMPT_FIND:
		text_add(text,
			"part of a name, title or question; n and N repeat the "
			"search");
		break;
	case PROMPT_FILTER:
		text_add(text,
			"show only lines with this text; empty: all lines");
		break;
	case PROMPT_NONE:
		break;
	}
	return ROLE_DIM;
}
