/* The list of experiments: groups that fold, states, marks, a legend. */
#include <math.h>
#include <string.h>

#include "view.h"

enum {
	NAME_COLUMN = 5,
	FIGURE_ROOM = 36, /* columns from which the last figure has a place */
	STATE_COLUMNS = 6,
	LEGEND_ROWS = 8,
	NONE_ROW = 3, /* of the legend: empty where nothing is so */
};

static bool is_running(const struct screen *screen, const char *name)
{
	struct run *run = screen->lab->run;

	return run && !strcmp(run_results(run)->experiment, name);
}

static bool is_waiting(const struct lab *lab, const char *name)
{
	for (size_t i = 0; i < lab->queue_count; i++)
		if (!strcmp(lab->queue[i].experiment->name, name))
			return true;
	return false;
}

/* One may end well without a figure: no point can be had here. */
static bool is_empty(const struct results *results)
{
	return results->state != RUN_FAILED && !results_visited(results) &&
		!results_published(results);
}

static bool any_is_empty(const struct session *session)
{
	for (size_t i = 0; i < session->run_count; i++)
		if (is_empty(session->runs[i]))
			return true;
	return false;
}

static const char *state_of(const struct screen *screen,
	const struct experiment *experiment, enum role *role)
{
	const struct results *last =
		session_last(screen->lab->session, experiment->name);

	*role = ROLE_STRONG;
	if (is_running(screen, experiment->name))
		return "run";
	if (is_waiting(screen->lab, experiment->name))
		return "wait";
	*role = last && last->state == RUN_FAILED ? ROLE_BAD : ROLE_GOOD;
	if (!last)
		return "";
	if (last->state == RUN_FAILED)
		return "bad";
	if (is_empty(last)) {
		*role = ROLE_DIM;
		return "none";
	}
	return last->state == RUN_STOPPED ? "part" : "ok";
}

static void draw_group(const struct screen *screen, const struct item *item,
	const struct pane *row)
{
	const struct experiment *experiment =
		screen->lab->registry.list[item->experiment];
	bool folded = screen->folded[item->experiment];

	pane_glyph(row, 1, 0, folded ? GLYPH_CLOSED : GLYPH_OPEN, ROLE_DIM);
	pane_text(row, 3, 0, ROLE_STRONG, "%.*s",
		(int)registry_group(experiment), experiment->name);
	pane_spot(row, 0, 0, row->columns, "pick %.*s; fold",
		(int)registry_group(experiment), experiment->name);
}

/* Its last median, or the one that a run has so far. */
static double figure_of(struct screen *screen, size_t experiment)
{
	const struct figures *figures = &screen->figures;
	const char *name = screen->lab->registry.list[experiment]->name;

	if (is_running(screen, name))
		return figures->live && figures->any &&
				!strcmp(figures->results->experiment, name) ?
			figures->digest.headline :
			NAN;
	return screen_headline(screen, experiment);
}

static void draw_experiment(struct screen *screen, const struct item *item,
	const struct pane *row)
{
	const struct experiment *experiment =
		screen->lab->registry.list[item->experiment];
	const struct draft *draft = &screen->drafts[item->experiment];
	enum role role;
	const char *state = state_of(screen, experiment, &role);
	struct pane inner = pane_part(row, 0, 0, -1, 1);

	if (draft->marked)
		pane_put(row, NAME_COLUMN - 2, 0, '*', ROLE_STRONG);
	pane_chars(row, NAME_COLUMN, 0, ROLE_TEXT,
		experiment->name + registry_group(experiment) + 1);
	pane_right(&inner, 0, role, state);
	pane_spot(row, 0, 0, row->columns, "pick %s", experiment->name);
	if (row->columns < FIGURE_ROOM)
		return;
	double headline = figure_of(screen, item->experiment);
	struct text figure = { 0 };
	struct pane place = pane_part(row, 0, 0, -STATE_COLUMNS, 1);
	unit_show(&figure, experiment->metrics[0].unit, headline);
	if (isfinite(headline))
		pane_right(&place, 0, ROLE_TEXT, figure.chars);
	text_free(&figure);
}

static void draw_item(struct screen *screen, size_t i, const struct pane *row)
{
	const struct item *item = &screen->items[i];

	if (item->group)
		draw_group(screen, item, row);
	else
		draw_experiment(screen, item, row);
	if (i != screen->selected)
		return;
	if (screen->focus[VIEW_LAB] == FOCUS_LIST)
		pane_role(row, 0, 0, row->columns, ROLE_SELECT);
	else if (!item->group)
		pane_glyph(row, NAME_COLUMN - 2, 0, GLYPH_CLOSED, ROLE_STRONG);
	if (screen->focus[VIEW_LAB] == FOCUS_LIST)
		pane_cursor(row, 1, 0);
}

/* Which states stand there: words that are not explained are jargon. */
static void draw_legend(const struct screen *screen, const struct pane *pane)
{
	static const struct {
		const char *word, *meaning;
		enum role role;
	} rows[] = {
		{ "ok", "measured already", ROLE_GOOD },
		{ "part", "stopped, kept", ROLE_GOOD },
		{ "bad", "failed, see why", ROLE_BAD },
		{ "", "", ROLE_TEXT }, /* NONE_ROW */
		{ "Space", "mark for later", ROLE_KEY },
		{ "R", "run all marked", ROLE_KEY },
	};
	size_t count = sizeof rows / sizeof *rows;

	if (any_is_empty(screen->lab->session)) {
		pane_chars(pane, 1, NONE_ROW, ROLE_DIM, "none");
		pane_chars(pane, 7, NONE_ROW, ROLE_DIM, "nothing measured");
	}
	for (size_t i = 0; i < count; i++) {
		pane_chars(pane, 1, (int)i, rows[i].role, rows[i].word);
		pane_chars(pane, 7, (int)i, ROLE_DIM, rows[i].meaning);
	}
	pane_text(pane, 1, (int)count, ROLE_DIM, "marked %zu",
		screen_marked(screen));
}

void view_list(struct screen *screen, const struct pane *pane)
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

		draw_item(screen, i, &row);
	}
	if (rows < screen->item_count + LEGEND_ROWS)
		return;
	struct pane legend = pane_part(&inside, 0,
		inside.rows - LEGEND_ROWS + 1, inside.columns, -1);
	legend.rows = LEGEND_ROWS - 1;
	draw_legend(screen, &legend);
}
