/* The list of experiments: groups that fold, states, marks and a legend. */
#include <math.h>
#include <string.h>

#include "digest.h"
#include "quality.h"
#include "view_lab.h"

enum {
	NAME_COLUMN = 5,
	FIGURE_ROOM = 36, /* from this many columns: the last figure is shown */
	STATE_COLUMNS = 8, /* the longest word and a space to each side */
	MEANING_COLUMN = 8, /* of the legend */
	KEY_ROWS = 4,       /* rows of keys below the states */
};

enum state {
	STATE_NEVER,
	STATE_RUNS,
	STATE_WAITS,
	STATE_NONE,
	STATE_FAILED,
	STATE_PUBLISHED,
	STATE_GOOD, /* from here in the order of enum quality */
	STATE_ROUGH,
	STATE_SHARED_CORE,
	STATE_NOT_ENOUGH,
	STATES,
};

static const struct {
	const char *word, *meaning;
	enum role role;
} states[STATES] = {
	[STATE_NEVER] = { "", "", ROLE_TEXT },
	[STATE_RUNS] = { "run", "", ROLE_STRONG },
	[STATE_WAITS] = { "wait", "", ROLE_STRONG },
	[STATE_GOOD] = { "good", "precise", ROLE_GOOD },
	[STATE_ROUGH] = { "rough", "less precise", ROLE_WARN },
	[STATE_SHARED_CORE] = { "shared", "shared core", ROLE_WARN },
	[STATE_NOT_ENOUGH] = { "few", "not enough data", ROLE_WARN },
	[STATE_PUBLISHED] = { "given", "published", ROLE_GOOD },
	[STATE_NONE] = { "none", "not measured", ROLE_DIM },
	[STATE_FAILED] = { "failed", "see why", ROLE_BAD },
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

/* Did the run end without failure and without a figure? This happens when no
 * point can be measured on this machine. */
static bool is_empty(const struct results *results)
{
	return results->state != RUN_FAILED && !results_visited(results) &&
		!results_published(results);
}

static enum state state_of(struct screen *screen, size_t experiment)
{
	const char *name = screen->lab->registry.list[experiment]->name;
	const struct results *last = session_last(screen->lab->session, name);

	if (is_running(screen, name))
		return STATE_RUNS;
	if (is_waiting(screen->lab, name))
		return STATE_WAITS;
	if (!last)
		return STATE_NEVER;
	if (last->state == RUN_FAILED)
		return STATE_FAILED;
	if (is_empty(last))
		return STATE_NONE;
	if (results_published(last))
		return STATE_PUBLISHED;
	return STATE_GOOD + (unsigned)screen_quality(screen, experiment);
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

/* The experiment's last median, or the median so far if it is running. */
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
	const struct form *form = &screen->forms[item->experiment];
	enum state state = state_of(screen, item->experiment);
	struct pane inner = pane_part(row, 0, 0, -1, 1);

	if (form->marked)
		pane_put(row, NAME_COLUMN - 2, 0, '*', ROLE_STRONG);
	pane_chars(row, NAME_COLUMN, 0, ROLE_TEXT,
		experiment->name + registry_group(experiment) + 1);
	pane_right(&inner, 0, states[state].role, states[state].word);
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

/* Finds the states in the list, so that the legend explains each of them. */
static void seen_states(struct screen *screen, bool seen[STATES])
{
	for (size_t i = 0; i < screen->lab->registry.count; i++)
		seen[state_of(screen, i)] = true;
}

static void draw_legend_row(const struct pane *pane, int row, enum role role,
	const char *word, const char *meaning)
{
	pane_chars(pane, 1, row, role, word);
	pane_chars(pane, MEANING_COLUMN, row, ROLE_DIM, meaning);
}

/* Draws the legend in the last rows of the pane, if `left` rows suffice. */
static void draw_legend(struct screen *screen, const struct pane *pane,
	int left)
{
	bool seen[STATES] = { false };
	int count = KEY_ROWS;

	seen_states(screen, seen);
	for (int state = 0; state < STATES; state++)
		count += seen[state] && *states[state].meaning;
	if (count >= left)
		return;
	int row = pane->rows - count;
	for (int state = 0; state < STATES; state++)
		if (seen[state] && *states[state].meaning)
			draw_legend_row(pane, row++, states[state].role,
				states[state].word, states[state].meaning);
	row++;
	draw_legend_row(pane, row++, ROLE_KEY, "Space", "mark for later");
	draw_legend_row(pane, row++, ROLE_KEY, "R", "run all marked");
	pane_text(pane, 1, row, ROLE_DIM, "marked %zu", screen_marked(screen));
}

void view_list(struct screen *screen, const struct pane *pane)
{
	struct text count = { 0 };

	text_add(&count, "%zu", screen->lab->registry.count);
	struct pane inside = pane_frame(pane, "Experiments", count.chars);
	text_free(&count);
	/* Scroll so that the selection stays in view. */
	size_t rows = inside.rows > 0 ? (size_t)inside.rows : 0;
	size_t first =
		screen->selected >= rows ? screen->selected - rows + 1 : 0;
	for (size_t i = first; i < screen->item_count && i < first + rows;
		i++) {
		struct pane row = pane_part(&inside, 0, (int)(i - first),
			inside.columns, 1);

		draw_item(screen, i, &row);
	}
	if (rows > screen->item_count)
		draw_legend(screen, &inside, (int)(rows - screen->item_count));
}
