/* Assembles the Compare screen. */
#include "view_compare.h"

#include <string.h>

#include "draw_table.h"
#include "fit.h"

enum {
	BROAD = 110, /* from this many columns: a pane for the cause */
	WHY = 40,
	TALL = 30,
	PLOT_FROM = 18, /* from this many rows: a plot */
	PLOT = 7,
	HEAD_FROM = 12, /* from this many rows: both sessions by name */
	MANY_FROM = 14, /* from this many rows: words below a map or a plot */
	MANY_WORDS = 7,
	TABLE = 10,     /* rows of the table besides its data rows */
	NAME_MOST = 30,
	CPU_MOST = 26,
};

/* ---- layout ----------------------------------------------------------- */

struct compare_panes {
	struct pane head, main, plot, why;
};

int compare_place(const struct screen *screen)
{
	const struct compare_model *model = screen->kept[VIEW_COMPARE];
	const struct many *many = &screen->lab->many;
	bool both = model && model_session(screen, model, 0) &&
		model_session(screen, model, 1);
	int place = screen->focus[VIEW_COMPARE];

	if ((place == COMPARE_FLEET && many->fleet) ||
		(place == COMPARE_HISTORY && many->history))
		return place;
	return !both                     ? COMPARE_BROWSER :
		place == COMPARE_BROWSER ? COMPARE_BROWSER :
					   COMPARE_ROWS;
}

/* Does the screen show a fleet or a history? */
static bool has_many(const struct screen *screen)
{
	return compare_place(screen) >= COMPARE_FLEET;
}

/* The number of rows in the table; 0 if there is no table. */
static size_t shown_rows(const struct screen *screen)
{
	const struct compare_model *model = screen->kept[VIEW_COMPARE];

	return compare_place(screen) == COMPARE_BROWSER || !model->made ?
		0 :
		model->pair.row_count;
}

static void lay_out(const struct screen *screen, struct compare_panes *places,
	const struct pane *body)
{
	int rows = body->rows, columns = body->columns;
	int head = rows >= TALL   ? 6 :
		rows >= PLOT_FROM ? 5 :
		rows >= HEAD_FROM ? 4 :
				    0;
	size_t count = shown_rows(screen);
	int plot = !count         ? 0 :
		rows >= TALL      ? rows * 2 / 5 :
		rows >= PLOT_FROM ? PLOT :
				    0;
	/* The plot uses the rows that the table does not need. */
	if (rows >= TALL && plot && rows - head - plot > (int)count + TABLE)
		plot = rows - head - (int)count - TABLE;
	int why = plot && columns >= BROAD ? WHY : 0;

	places->head = pane_part(body, 0, 0, columns, head);
	places->main = pane_part(body, 0, head, columns, rows - head - plot);
	places->plot = pane_part(body, 0, rows - plot, columns - why, plot);
	places->why = pane_part(body, columns - why, rows - plot, why, plot);
}

static void lay_out_many(const struct pane *body, struct pane *map,
	struct pane *below)
{
	int words = body->rows >= MANY_FROM ? MANY_WORDS : 0;

	*map = pane_part(body, 0, 0, body->columns, body->rows - words);
	*below = pane_part(body, 0, body->rows - words, body->columns, words);
}

int compare_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct compare_panes places;

	if (has_many(screen)) {
		lay_out_many(body, &parts[0], &parts[1]);
		return 2;
	}
	lay_out(screen, &places, body);
	parts[0] = places.head;
	parts[1] = places.main;
	parts[2] = places.plot;
	parts[3] = places.why;
	return 4;
}

/* ---- the sessions ----------------------------------------------------- */

/* Writes the start of the session's first run, to the minute. */
static void say_when(const struct session *session, struct text *text)
{
	const char *started =
		session->run_count ? session->runs[0]->started : "";

	text_add_minute(text, started);
}

static void fitted_cell(struct table *table, enum role role, const char *chars,
	int columns)
{
	struct text text = { 0 };

	fit_words(&text, chars, columns);
	table_cell(table, role, "%s", text_chars(&text));
	text_free(&text);
}

static void add_side(struct table *table, const struct screen *screen,
	const struct compare_model *model, int side)
{
	const struct session *session =
		model_session(screen, model, side);
	struct text name = { 0 }, when = { 0 };
	const char *called = model_name(model, side);

	text_add_safe(&name, called, strlen(called));
	if (session)
		say_when(session, &when);
	table_cell(table, ROLE_STRONG, "%c", "AB"[side]);
	fitted_cell(table, session ? ROLE_TEXT : ROLE_WARN, name.chars,
		NAME_MOST);
	table_cell(table, ROLE_DIM, "%s", text_chars(&when));
	fitted_cell(table, ROLE_TEXT, session ? session->machine.hostname : "",
		NAME_MOST);
	fitted_cell(table, ROLE_TEXT, session ? session->machine.cpu : "",
		CPU_MOST);
	table_cell(table, ROLE_DIM, "%s",
		session ? session->machine.kernel : "");
	table_cell(table, ROLE_DIM, "%s",
		session ? session->machine.governor : "");
	if (session)
		table_cell(table, ROLE_DIM, "%zu run%s", session->run_count,
			session->run_count == 1 ? "" : "s");
	else
		table_cell(table, ROLE_DIM, "%s", "");
	text_free(&name);
	text_free(&when);
}

static void draw_differences(const struct compare_pair *pair,
	const struct pane *pane)
{
	struct text differs = { 0 }, alone = { 0 };
	bool values = pane->rows > 1;

	if (!pair->difference_count)
		text_add(&differs,
			"machine, system and program: no known difference");
	else
		model_say_differences(pair, values, pane->columns - 11,
			&differs);
	if (pair->difference_count)
		pane_chars(pane, 0, 0, ROLE_DIM, "differs:");
	pane_chars(pane, pair->difference_count ? 9 : 0, 0, ROLE_TEXT,
		text_chars(&differs));
	if (pair->only_first.length)
		text_add(&alone, "only in A: %s  ", pair->only_first.chars);
	if (pair->only_second.length)
		text_add(&alone, "only in B: %s  ", pair->only_second.chars);
	if (pair->unlike.length)
		text_add(&alone, "with other parameters: %s",
			pair->unlike.chars);
	struct pane below = pane_part(pane, 0, 1, pane->columns, 1);
	pane_wrap(&below, 0, ROLE_DIM,
		alone.length ? alone.chars :
			       "both contain the same experiments");
	text_free(&differs);
	text_free(&alone);
}

static void draw_head(const struct screen *screen,
	const struct compare_model *model, const struct pane *pane)
{
	struct table table = { .columns = 8 };

	if (pane->rows < 3)
		return;
	struct pane inside = pane_frame(pane, "Sessions", NULL);
	struct pane rows = pane_part(&inside, 1, 0, -1, inside.rows);
	struct pane below = pane_part(&rows, 0, 2, rows.columns, rows.rows - 2);

	for (int side = 0; side < 2; side++) {
		add_side(&table, screen, model, side);
		pane_spot(&rows, 0, side, rows.columns, "browse %c",
			"ab"[side]);
	}
	draw_table(&table, &rows, 0);
	table_free(&table);
	if (below.rows > 0 && model->made &&
		machine_is_known(&model->pair.first->machine) &&
		machine_is_known(&model->pair.second->machine))
		draw_differences(&model->pair, &below);
}

/* ---- the panes -------------------------------------------------------- */

static const char *const orders[] = { "fastest first", "most changed first",
	"as measured" };

static void draw_browser(struct compare_model *model,
	const struct pane *pane)
{
	struct text right = { 0 };

	text_add(&right, "%zu to choose from", model->browser.count);
	struct pane inside = pane_frame(pane,
		model->browsing ? "Which session is B?" :
				     "Which session is A?",
		right.chars);
	browser_draw(&model->browser, &inside);
	text_free(&right);
}

static void draw_nothing(const struct compare_model *model,
	const struct pane *pane)
{
	const struct compare_pair *pair = &model->pair;
	struct pane words = pane_part(pane, 1, 0, -1, pane->rows);
	struct text text = { 0 };

	text_add(&text, "No experiment was measured in both. ");
	if (!pair->second->run_count)
		text_add(&text,
			"B has no runs yet: 1 opens the Lab, b chooses another "
			"session.");
	else if (pair->unlike.length)
		text_add(&text, "Both have %s, with other parameters.",
			pair->unlike.chars);
	else
		text_add(&text, "a and b choose other sessions.");
	pane_wrap(&words, 0, ROLE_TEXT, text.chars);
	text_free(&text);
}

static void draw_main(struct compare_model *model, const struct pane *pane)
{
	struct text right = { 0 }, title = { 0 };

	text_add(&right, "%zu, %s%s", model->pair.row_count,
		orders[model->by], model->cycles ? ", in cycles" : "");
	text_add(&title, "B against A");
	struct pane inside = pane_frame(pane, title.chars, right.chars);
	if (model->pair.row_count)
		compare_table(model, &inside);
	else
		draw_nothing(model, &inside);
	text_free(&right);
	text_free(&title);
}

static void draw_plot(struct compare_model *model, const struct pane *pane)
{
	struct model_row shown;
	struct text title = { 0 };

	if (pane->rows < 3)
		return;
	model_row_at(model, model->selected, &shown);
	model_say_name(&shown, pane->columns - 30, &title);
	struct pane inside = pane_frame(pane, title.chars, "A above, B below");
	compare_plot(model, &inside);
	text_free(&title);
}

static void draw_why(const struct compare_model *model, const struct pane *pane)
{
	if (pane->rows < 3 || pane->columns < 3)
		return;
	struct pane inside = pane_frame(pane, "Why?", NULL);
	if (model->pair.row_count)
		compare_why(model, &inside);
}

static void draw_many(struct screen *screen, const struct pane *body)
{
	struct pane map, below;

	lay_out_many(body, &map, &below);
	if (compare_place(screen) == COMPARE_FLEET)
		compare_fleet_draw(screen, &map, &below);
	else
		compare_history_draw(screen, &map, &below);
}

void compare_draw(struct screen *screen, const struct pane *body)
{
	struct compare_model *model = model_of(screen);
	struct compare_panes places;

	if (has_many(screen)) {
		draw_many(screen, body);
		return;
	}
	bool ready = model_make(screen, model);

	lay_out(screen, &places, body);
	draw_head(screen, model, &places.head);
	if (compare_place(screen) == COMPARE_BROWSER || !ready) {
		draw_browser(model, &places.main);
		return;
	}
	draw_main(model, &places.main);
	draw_plot(model, &places.plot);
	draw_why(model, &places.why);
}

/* ---- the title -------------------------------------------------------- */

void compare_add_state(const struct screen *screen, int room, struct text *text)
{
	const struct compare_model *model = screen->kept[VIEW_COMPARE];
	struct compare_counts counts;

	if (compare_place(screen) == COMPARE_FLEET) {
		compare_fleet_say(screen, text);
		return;
	}
	if (compare_place(screen) == COMPARE_HISTORY) {
		compare_history_say(screen, text);
		return;
	}
	if (!model || !model->made) {
		text_add(text, "%s", "choose two sessions");
		return;
	}
	model_count(model, &counts);
	text_add(text, "%zu faster  %zu slower  of %zu",
		counts.verdicts[VERDICT_FASTER],
		counts.verdicts[VERDICT_SLOWER], model->pair.row_count);
	if (text_columns(text->chars) <= room)
		return;
	text_clear(text);
	text_add(text, "%zu compared", model->pair.row_count);
}
