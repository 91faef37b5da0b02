/* The Lab screen: which part goes where at which size. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "keys.h"

enum {
	LIST_COLUMNS = 25,
	RESULT_COLUMNS = 36,
	WIDE = 110,  /* columns from which the results have a pane */
	NARROW = 60, /* columns below which the list goes */
	FORM_ROWS = 8,
};

void view_title(const struct screen *screen, const struct pane *pane)
{
	const struct lab *lab = screen->lab;
	const struct session *session = lab->session;
	struct text right = { 0 };
	int used = pane_text(pane, 1, 0, ROLE_STRONG, "benchtop");

	pane_text(pane, used + 3, 0, ROLE_SELECT, "[1 Lab]");
	if (lab->machine_known)
		text_add(&right, "%s  ", lab->machine.hostname);
	if (lab->places.chosen >= 0)
		text_add(&right, "cpu %d  ", lab->places.chosen);
	if (session->path && pane->columns >= WIDE)
		text_add(&right, "%s%s ", session->path,
			session->changed ? "*" : "");
	else
		text_add(&right, "%zu run%s ", session->run_count,
			session->run_count == 1 ? "" : "s");
	if ((int)right.length < pane->columns - used - 14)
		pane_right(pane, 0, ROLE_DIM, text_chars(&right));
	text_free(&right);
}

static const char *state_of(const struct screen *screen,
	const struct experiment *experiment, enum role *role)
{
	const struct run *run = screen->lab->run;
	const struct results *last =
		session_last(screen->lab->session, experiment->name);

	*role = ROLE_GOOD;
	if (run &&
		!strcmp(run_results((struct run *)run)->experiment,
			experiment->name))
		return "run";
	if (!last)
		return "";
	if (last->state == RUN_FAILED)
		*role = ROLE_BAD;
	return last->state == RUN_FAILED ? "bad" : "ok";
}

static void list_item(const struct screen *screen, size_t i,
	const struct pane *row)
{
	const struct item *item = &screen->items[i];
	const struct experiment *experiment =
		screen->lab->registry.list[item->experiment];
	size_t group = registry_group(experiment);
	enum role role;

	if (item->group) {
		pane_glyph(row, 1, 0,
			screen->folded[item->experiment] ? GLYPH_CLOSED :
							   GLYPH_OPEN,
			ROLE_DIM);
		pane_text(row, 3, 0, ROLE_STRONG, "%.*s", (int)group,
			experiment->name);
	} else {
		pane_text(row, 5, 0, ROLE_TEXT, "%s",
			experiment->name + group + 1);
		const char *state = state_of(screen, experiment, &role);
		struct pane inner = pane_part(row, 0, 0, -1, 1);
		pane_right(&inner, 0, role, state);
	}
	if (i != screen->selected)
		return;
	if (screen->focus == FOCUS_LIST)
		pane_role(row, 0, 0, row->columns, ROLE_SELECT);
	else
		pane_glyph(row, 0, 0, GLYPH_CLOSED, ROLE_STRONG);
	pane_cursor(row, 1, 0);
}

void view_list(const struct screen *screen, const struct pane *pane)
{
	struct text count = { 0 };

	text_add(&count, "%zu", screen->lab->registry.count);
	struct pane inside = pane_frame(pane, "Experiments", count.chars);
	text_free(&count);
	/* The selection stays in view. */
	size_t rows = inside.rows > 0 ? (size_t)inside.rows : 0;
	size_t first =
		screen->selected >= rows ? screen->selected - rows + 1 : 0;
	for (size_t i = first; i < screen->item_count && i < first + rows;
		i++) {
		struct pane row = pane_part(&inside, 0, (int)(i - first),
			inside.columns, 1);

		list_item(screen, i, &row);
	}
}

void view_status(struct screen *screen, const struct pane *pane)
{
	struct run *run = screen->lab->run;
	struct progress progress;

	if (screen->prompt.kind != PROMPT_NONE) {
		struct pane field = pane_part(pane, 1, 0, -1, 1);

		prompt_draw(&screen->prompt, &field);
		return;
	}
	if (!run || screen->message.length) {
		pane_chars(pane, 1, 0, screen->message_role,
			text_chars(&screen->message));
		return;
	}
	run_progress(run, &progress);
	struct text line = { 0 };
	text_add(&line, "%s: ", run_results(run)->experiment);
	if (progress.launch)
		text_add(&line, "launch %u of %u, ", progress.launch,
			progress.launches);
	else
		text_add(&line, "%s, ", progress.stage);
	text_add(&line, "%.0f %%, %.0f s left; x stops it",
		progress.share * 100, progress.left_s);
	if (progress.lab_shares)
		text_add(&line, "; drawing waits, all processors measure");
	pane_chars(pane, 1, 0, ROLE_TEXT, line.chars);
	text_free(&line);
}

void view_keys(const struct screen *screen, const struct pane *pane)
{
	const char *place = binding_place(screen);
	bool busy = lab_busy(screen->lab);
	int column = 1;

	for (const struct binding *row = bindings; row->key; row++) {
		if (!row->hint || (*row->where && strcmp(row->where, place)))
			continue;
		if (row->when == (busy ? WHEN_IDLE : WHEN_BUSY))
			continue;
		/* On a page only what concerns the page. */
		if (screen->page && !*row->where)
			continue;
		int width = (int)(strlen(row->key) + strlen(row->hint)) + 1;
		if (column + width > pane->columns)
			break;
		column += pane_text(pane, column, 0, ROLE_KEY, "%s", row->key);
		column += 1 +
			pane_text(pane, column + 1, 0, ROLE_DIM, "%s",
				row->hint);
		column += 2;
	}
}

void view_page(const struct screen *screen, const struct pane *pane)
{
	struct pane inside = pane_frame(pane, "benchtop", NULL);
	const char *at = screen->page;

	for (int skip = screen->page_row; skip > 0 && at; skip--) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	for (int row = 0; row < inside.rows && at && *at; row++) {
		size_t length = strcspn(at, "\n");
		struct text line = { 0 };

		text_add_chars(&line, at, length);
		pane_chars(&inside, 1, row, ROLE_TEXT, line.chars);
		text_free(&line);
		at = at[length] ? at + length + 1 : NULL;
	}
}

static void draw_body(struct screen *screen, const struct pane *body)
{
	int left = body->columns >= NARROW ? LIST_COLUMNS : 0;
	int right = body->columns >= WIDE ? RESULT_COLUMNS : 0;
	int middle = body->columns - left - right;
	int form_rows = body->rows >= FORM_ROWS + 8 ? FORM_ROWS : 0;
	struct pane list = pane_part(body, 0, 0, left, body->rows);
	struct pane form = pane_part(body, left, 0, middle, form_rows);
	struct pane plot = pane_part(body, left, form_rows, middle,
		body->rows - form_rows);

	view_list(screen, &list);
	view_form(screen, &form);
	view_plot(screen, &plot);
	if (!right)
		return;
	int half = body->rows / 2 + 2;
	struct pane figures = pane_part(body, left + middle, 0, right, half);
	struct pane about =
		pane_part(body, left + middle, half, right, body->rows - half);
	view_statistics(screen, &figures);
	view_about(screen, &about);
}

void view_draw(struct screen *screen, struct grid *grid)
{
	struct pane whole = pane_whole(grid);
	struct pane title = pane_part(&whole, 0, 0, whole.columns, 1);
	struct pane body = pane_part(&whole, 0, 1, whole.columns, -2);
	struct pane status =
		pane_part(&whole, 0, whole.rows - 2, whole.columns, 1);
	struct pane keys =
		pane_part(&whole, 0, whole.rows - 1, whole.columns, 1);

	view_title(screen, &title);
	if (screen->page)
		view_page(screen, &body);
	else
		draw_body(screen, &body);
	view_status(screen, &status);
	view_keys(screen, &keys);
}
