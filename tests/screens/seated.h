/* The one screen and lab that all tests of a program share, each beginning with
 * a fresh one: measured by open_measured(), or opened by the program's own;
 * close_lab() ends it. Included last: its names are those of other headers'
 * parameters. */
#ifndef BENCHTOP_SEATED_H
#define BENCHTOP_SEATED_H

#include "fixture.h"
#include "hint.h"

static struct screen screen;
static struct lab lab;

static inline int open_measured(void **state)
{
	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	return 0;
}

static inline int close_lab(void **state)
{
	(void)state;
	fixture_close(&lab, &screen);
	return 0;
}

/* The screen as text, until it is drawn again. */
static inline const char *drawn_at(int columns, int rows)
{
	static struct text text;
	struct grid grid = { 0 };

	grid_reset(&grid, columns, rows, TIER_ASCII);
	view_draw(&screen, &grid);
	text_clear(&text);
	grid_dump(&grid, &text);
	grid_free(&grid);
	return text.chars;
}

/* Presses a key by its name: a letter, or "Enter". */
static inline void press(const char *key)
{
	screen_key(&screen, key, key[1] ? 0 : (uint32_t)key[0]);
}

/* The screen's last message. */
static inline const char *said(void)
{
	return text_chars(&screen.message);
}

/* A line, and what is said of it. */
struct answer {
	const char *line, *said;
};

static inline void assert_answers(const struct answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		screen_execute(&screen, answers[i].line);
		if (!strstr(said(), answers[i].said))
			fail_msg("%s: '%s'", answers[i].line, said());
	}
}

/* What a field is given, and what is said of it before it is taken. */
struct hinted {
	const char *typed, *words;
	bool wrong;
};

static inline void assert_hints(const struct hinted *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text hint = { 0 };

		screen_execute(&screen, "edit");
		press("C-u");
		fixture_type(&screen, cases[i].typed);
		enum role role = hint_of_prompt(&screen, &hint);
		if ((role == ROLE_BAD) != cases[i].wrong ||
			!strstr(hint.chars, cases[i].words))
			fail_msg("'%s': %s", cases[i].typed, hint.chars);
		text_free(&hint);
		prompt_close(&screen.prompt);
	}
}

#endif
