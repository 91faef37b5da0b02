/* Draws the title row, the current view and the last rows. */
#include "view.h"

#include <string.h>

#include "menu.h"

/* ---- the title row ---------------------------------------------------- */

/* " 1 Lab [2 Sweep] 3 Net ": one tab per view, the current one in brackets.
 * With `narrow`, only the current tab has a name. Draws if `pane` is given;
 * returns the columns. */
static int draw_tabs(const struct screen *screen, const struct pane *pane,
	int column, bool narrow)
{
	int used = 0;

	for (int i = 0; i < VIEWS; i++) {
		bool here = i == (int)screen->view;
		struct text tab = { 0 };

		if (!view_is_there((enum view_name)i))
			continue;
		text_add(&tab, here ? "[%d" : " %d", i + 1);
		if (here || !narrow)
			text_add(&tab, " %s", views[i].title);
		text_add_char(&tab, here ? ']' : ' ');
		int width = text_columns(tab.chars);
		if (pane) {
			pane_chars(pane, column + used, 0,
				here ? ROLE_SELECT : ROLE_DIM, tab.chars);
			pane_spot(pane, column + used, 0, width, "view %s",
				views[i].name);
		}
		used += width;
		text_free(&tab);
	}
	return used;
}

/* Draws the program's name and the tabs, as far as they fit. */
static int draw_names(const struct screen *screen, const struct pane *pane)
{
	static const char name[] = "benchtop";
	const char *recording = screen->lab->record ? "recording" : "";
	int column = 1 + (int)strlen(name) + 2;
	int rest = *recording ? 2 + text_columns(recording) : 0;
	bool narrow = column + draw_tabs(screen, NULL, 0, false) + rest >
		pane->columns;

	if (column + draw_tabs(screen, NULL, 0, narrow) + rest <= pane->columns)
		pane_text(pane, 1, 0, ROLE_STRONG, name);
	else
		column = 1;
	column += draw_tabs(screen, pane, column, narrow);
	if (*recording)
		column += 2 +
			pane_text(pane, column + 2, 0, ROLE_WARN, "%s",
				recording);
	return column;
}

static void draw_title(const struct screen *screen, const struct pane *pane)
{
	const struct view *view = &views[screen->view];
	struct pane inner = pane_part(pane, 0, 0, -1, 1);
	struct text right = { 0 };
	int room = inner.columns - draw_names(screen, pane) - 2;

	if (view->add_state)
		view->add_state(screen, room, &right);
	if (text_columns(text_chars(&right)) <= room)
		pane_right(&inner, 0, ROLE_DIM, text_chars(&right));
	text_free(&right);
}

/* In a terminal too small for the screen, shows the progress of a run and the
 * required size. */
static void draw_small(const struct screen *screen, const struct pane *pane)
{
	struct text text = { 0 };
	struct progress progress;

	if (screen->lab->run) {
		run_progress(screen->lab->run, &progress);
		text_add(&text, "%s %.0f %%. ",
			run_results(screen->lab->run)->experiment,
			progress.share * 100);
	}
	text_add(&text,
		"benchtop needs %d columns and %d rows, this window has %d and "
		"%d. Enlarge the window; q leaves.",
		LAYOUT_COLUMNS, LAYOUT_ROWS, pane->columns, pane->rows);
	pane_wrap(pane, 0, ROLE_TEXT, text.chars);
	text_free(&text);
}

void view_layout(struct layout *layout, const struct pane *whole)
{
	int columns = whole->columns, rows = whole->rows;
	struct pane none = pane_part(whole, 0, 0, 0, 0);

	*layout = (struct layout){ .body = *whole,
		.title = none,
		.status = none,
		.keys = none };
	layout->small = columns < LAYOUT_COLUMNS || rows < LAYOUT_ROWS;
	if (layout->small)
		return;
	layout->title = pane_part(whole, 0, 0, columns, 1);
	layout->body = pane_part(whole, 0, 1, columns, rows - 3);
	layout->status = pane_part(whole, 0, rows - 2, columns, 1);
	layout->keys = pane_part(whole, 0, rows - 1, columns, 1);
}

void view_draw(struct screen *screen, struct grid *grid)
{
	struct pane whole = pane_whole(grid);
	struct layout layout;

	grid->theme = (uint8_t)screen->theme;
	view_layout(&layout, &whole);
	if (layout.small) {
		draw_small(screen, &layout.body);
		return;
	}
	view_tour(screen, &layout.body);
	if (screen->page.text)
		view_page(screen, &layout.body);
	else
		views[screen->view].draw(screen, &layout.body);
	/* After the body, which updates the state that both show. */
	draw_title(screen, &layout.title);
	view_whole_status(screen, &layout.body);
	menu_draw(screen, &layout.body);
	prompt_draw_offered(&screen->prompt, &layout.body);
	view_status(screen, &layout.status);
	view_keys(screen, &layout.keys);
}
