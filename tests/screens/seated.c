/* One screen and one lab for all tests of a program. */
#include "seated.h"

#include "sweep_fixture.h"

#include <string.h>

struct screen screen;
struct lab lab;

int open_measured(void **state)
{
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	return 0;
}

int open_swept(void **state)
{
	swept_open(&lab, &screen);
	swept_measure(&lab);
	screen_execute(&screen, "view sweep");
	return 0;
}

int close_lab(void **state)
{
	fixture_close(&lab, &screen);
	return 0;
}

const char *drawn_at(int columns, int rows)
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

bool drawn_has(int columns, int rows, const char *words)
{
	return strstr(drawn_at(columns, rows), words) != NULL;
}

const char *swept_value(const char *param)
{
	bool live;
	const struct results *results = screen_results(&screen, &live);

	return point_value(results,
		&results->points[screen_point(&screen, results)], param);
}

void press(const char *key)
{
	screen_key(&screen, key, key[1] ? 0 : (uint32_t)key[0]);
}

const char *said(void)
{
	return text_chars(&screen.message);
}

void assert_answers(const struct answer *answers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		screen_execute(&screen, answers[i].line);
		if (!strstr(said(), answers[i].said))
			fail_msg("%s: '%s'", answers[i].line, said());
	}
}

void assert_hints(const struct hinted *cases, size_t count)
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
