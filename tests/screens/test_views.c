/* Invariants of all screens: words, keys and clicks lead to a screen and back,
 * and it can be drawn. */
#include "keys.h"
#include "tiers.h"

#include "seated.h"

static bool is_among(const char *name, const char *const *words)
{
	while (*words && strcmp(*words, name) != 0)
		words++;
	return *words != NULL;
}

static size_t count_of(const char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	return count;
}

/* The lists for completion agree with the table of views. */
static void test_words(void **state)
{
	size_t there = 0, places = 0;

	for (int i = 0; i < VIEWS; i++) {
		const struct view *view = &views[i];
		int place;

		if (!view_is_there((enum view_name)i))
			continue;
		there++;
		assert_true(is_among(view->name, view_words));
		assert_true(is_among(view->name, snapshot_words));
		assert_int_equal(view_named(view->name), i);
		assert_true(view_places((enum view_name)i) >= 1);
		for (int k = 0; k < view_places((enum view_name)i); k++) {
			places++;
			assert_true(
				is_among(view->places[k].name, focus_words));
			/* No other view has a place of that name. */
			assert_int_equal(view_with_place(view->places[k].name,
						 &place),
				i);
			assert_int_equal(place, k);
		}
	}
	assert_int_equal(count_of(view_words), there);
	assert_int_equal(count_of(focus_words), places + 2); /* next, last */
	assert_int_equal(view_named("nowhere"), VIEWS);
}

/* A digit opens a screen, and from each of its places Esc leads to the Lab. */
static void test_keys_lead_there_and_back(void **state)
{
	for (int i = 0; i < VIEWS; i++)
		for (int k = 0; k < view_places((enum view_name)i); k++) {
			char digit[2] = { (char)('1' + i), '\0' };

			screen_view(&screen, VIEW_LAB, FOCUS_LIST);
			screen_key(&screen, digit, (uint32_t)digit[0]);
			assert_int_equal(screen.view, i);
			screen_view(&screen, (enum view_name)i, k);
			for (int esc = 0; esc < 3; esc++)
				screen_key(&screen, "Esc", 0);
			assert_int_equal(screen.view, VIEW_LAB);
			assert_false(lab.quit);
		}
}

/* A digit without a screen does nothing. */
static void test_nothing_where_there_is_none(void **state)
{
	for (int i = 0; i < 9; i++) {
		char digit[2] = { (char)('1' + i), '\0' };

		screen_view(&screen, VIEW_LAB, FOCUS_LIST);
		if (view_is_there((enum view_name)i))
			continue;
		screen_key(&screen, digit, (uint32_t)digit[0]);
		assert_int_equal(screen.view, VIEW_LAB);
	}
	screen_execute(&screen, "view nowhere");
	assert_non_null(strstr(screen.message.chars, "unknown view 'nowhere'"));
}

/* Tab goes through all places of a view and stays in it; `focus NAME` opens the
 * view with that place. */
static void test_focus(void **state)
{
	for (int i = 0; i < VIEWS; i++) {
		int count = view_places((enum view_name)i);

		if (!view_is_there((enum view_name)i))
			continue;
		screen_view(&screen, (enum view_name)i, 0);
		for (int k = 1; k <= count; k++) {
			screen_execute(&screen, "focus next");
			assert_int_equal(screen.view, i);
			assert_int_equal(screen.focus[i], k % count);
		}
		screen_execute(&screen, "focus last");
		assert_int_equal(screen.focus[i], count - 1);
		screen_execute(&screen, "view lab; focus list");
		for (int k = 0; k < count; k++) {
			struct text line = { 0 };

			text_add(&line, "focus %s", views[i].places[k].name);
			screen_execute(&screen, line.chars);
			assert_int_equal(screen.view, i);
			assert_int_equal(screen.focus[i], k);
			text_free(&line);
		}
	}
}

/* Each binding belongs to a place, a view, all views, the page or everything.
 * No other binding there has its key. */
static void test_bindings_have_a_place(void **state)
{
	int place;

	for (const struct binding *row = bindings; row->key; row++) {
		const char *where = row->where;

		if (*where && strcmp(where, "page") != 0 &&
			strcmp(where, "menu") != 0 &&
			strcmp(where, "views") != 0 &&
			view_named(where) == VIEWS &&
			view_with_place(where, &place) == VIEWS)
			fail_msg("%s: no place '%s'", row->key, where);
		for (const struct binding *also = row + 1; also->key; also++)
			if (!strcmp(also->key, row->key) &&
				!strcmp(also->where, where))
				fail_msg("%s twice in '%s'", row->key, where);
	}
}

/* A click on a name in the title opens the screen, at each width. */
static void test_clicks_in_the_title(void **state)
{
	static const int widths[] = { 40, 50, 60, 80, 120, 300 };
	struct grid grid = { 0 };

	for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
		for (int i = 0; i < VIEWS; i++) {
			int column = 0;
			char line[32];

			if (!view_is_there((enum view_name)i))
				continue;
			snprintf(line, sizeof line, "view %s", views[i].name);
			screen_view(&screen, VIEW_LAB, FOCUS_LIST);
			grid_reset(&grid, widths[w], 24, TIER_ASCII);
			view_draw(&screen, &grid);
			while (column < widths[w] &&
				(!grid_spot(&grid, column, 0) ||
					strcmp(grid_spot(&grid, column, 0),
						line) != 0))
				column++;
			assert_true(column < widths[w]);
			screen_click(&screen, &grid, column, 0);
			assert_int_equal(screen.view, i);
		}
	grid_free(&grid);
}

/* The title row shows which view is open, also while recording. */
static void test_title(void **state)
{
	static const int widths[] = { 40, 60, 80, 120 };
	struct text command = { 0 };

	text_add(&command, "record %s/title.lab", getenv("HOME"));
	for (int recording = 0; recording < 2; recording++) {
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
			for (int i = 0; i < VIEWS; i++) {
				struct grid grid = { 0 };
				struct text drawn = { 0 };
				char tab[32];

				if (!view_is_there((enum view_name)i))
					continue;
				snprintf(tab, sizeof tab, "[%d %s]", i + 1,
					views[i].title);
				screen_view(&screen, (enum view_name)i, -1);
				grid_reset(&grid, widths[w], 24, TIER_ASCII);
				view_draw(&screen, &grid);
				grid_dump(&grid, &drawn);
				*strchr(drawn.chars, '\n') = '\0';
				assert_non_null(strstr(drawn.chars, tab));
				assert_true(!recording ==
					!strstr(drawn.chars, "recording"));
				text_free(&drawn);
				grid_free(&grid);
			}
		screen_execute(&screen, command.chars);
	}
	screen_execute(&screen, "record off");
	text_free(&command);
}

static void test_r10_every_size_and_tier(void **state)
{
	enum { COLUMNS = 300, ROWS = 100 };

	for (int i = 0; i < VIEWS; i++)
		for (int k = 0; k < view_places((enum view_name)i); k++) {
			screen_view(&screen, (enum view_name)i, k);
			draw_sizes(&screen, COLUMNS, ROWS, 8, 6);
		}
}

int main(void)
{
#define IN_LAB(test) \
	cmocka_unit_test_setup_teardown(test, open_measured, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_words),
		IN_LAB(test_keys_lead_there_and_back),
		IN_LAB(test_nothing_where_there_is_none),
		IN_LAB(test_focus),
		IN_LAB(test_bindings_have_a_place),
		IN_LAB(test_clicks_in_the_title),
		IN_LAB(test_title),
		IN_LAB(test_r10_every_size_and_tier),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
