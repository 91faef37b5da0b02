/* The screen's state. */
#include "screen.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "quality.h"

/* Selects the experiment for beginners, else the first one, not its group. */
static void select_first(struct screen *screen)
{
	const struct registry *registry = &screen->lab->registry;
	size_t first = 0;

	while (first < registry->count &&
		!(registry->list[first]->traits & TRAIT_FIRST))
		first++;
	screen_select(screen, first < registry->count ? first : 0, false);
}

void screen_init(struct screen *screen, struct lab *lab)
{
	size_t count = lab->registry.count;

	*screen = (struct screen){ .lab = lab };
	screen->settings = (struct settings){ .theme = THEMES, .tier = TIERS };
	screen->forms = xcalloc(count, sizeof *screen->forms);
	screen->folded = xcalloc(count, sizeof *screen->folded);
	for (size_t i = 0; i < count; i++) {
		struct form *form = &screen->forms[i];

		param_set_init(&form->args, lab->registry.list[i]->params);
		param_set_copy(&form->common, &lab->common);
		form->point = POINT_FOLLOWS;
	}
	screen_list(screen);
	select_first(screen);
	screen_say(screen, ROLE_TEXT, "Up and Down choose, r runs, ? helps.");
}

void screen_release(struct screen *screen)
{
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		param_set_free(&screen->forms[i].args);
		param_set_free(&screen->forms[i].common);
	}
	for (int i = 0; i < VIEWS; i++)
		if (views[i].release)
			views[i].release(screen);
	screen_close_page(screen);
	free(screen->examined);
	free(screen->forms);
	free(screen->folded);
	free(screen->items);
	free(screen->found);
	prompt_free(&screen->prompt);
	text_free(&screen->message);
	text_free(&screen->rest.line);
	text_free(&screen->rest.failed);
	figures_free(&screen->figures);
	settings_free(&screen->settings);
}

/* ---- the list --------------------------------------------------------- */

static bool same_group(const struct experiment *a, const struct experiment *b)
{
	size_t length = registry_group(a);

	return length == registry_group(b) &&
		!strncmp(a->name, b->name, length);
}

static void add_item(struct screen *screen, size_t experiment, bool group)
{
	ARRAY_GROW(screen->items, screen->item_count);
	screen->items[screen->item_count++] =
		(struct item){ experiment, group };
}

void screen_list(struct screen *screen)
{
	const struct registry *registry = &screen->lab->registry;
	size_t kept = screen->item_count ? screen_experiment(screen) : 0;
	bool on_group =
		screen->item_count && screen->items[screen->selected].group;
	size_t group = 0;

	screen->item_count = 0;
	for (size_t i = 0; i < registry->count; i++) {
		if (!i ||
			!same_group(registry->list[i], registry->list[i - 1])) {
			group = i;
			add_item(screen, i, true);
		}
		if (!screen->folded[group])
			add_item(screen, i, false);
	}
	screen_select(screen, kept, on_group);
}

void screen_select(struct screen *screen, size_t experiment, bool group)
{
	screen->selected = 0;
	for (size_t i = 0; i < screen->item_count; i++)
		if (screen->items[i].experiment == experiment &&
			screen->items[i].group == group)
			screen->selected = i;
}

size_t screen_experiment(const struct screen *screen)
{
	return screen->items[screen->selected].experiment;
}

const struct experiment *screen_descriptor(const struct screen *screen)
{
	return screen->lab->registry.list[screen_experiment(screen)];
}

struct form *screen_form(struct screen *screen)
{
	return &screen->forms[screen_experiment(screen)];
}

bool screen_on_group(const struct screen *screen)
{
	return screen->items[screen->selected].group;
}

/* ---- the form --------------------------------------------------------- */

int screen_fields(const struct form *form)
{
	return (int)(form->args.count + 1 + form->common.count);
}

static bool is_prediction(const struct form *form, int field)
{
	return field == (int)form->args.count;
}

struct param_set *screen_field(struct form *form, int field, size_t *row)
{
	*row = (size_t)field;
	if (*row < form->args.count)
		return &form->args;
	if (is_prediction(form, field))
		return NULL;
	*row -= form->args.count + 1;
	return &form->common;
}

struct param screen_row(const struct screen *screen,
	const struct param_set *set, size_t at)
{
	struct param row = set->rows[at];

	if (set->rows == common_params && !strcmp(row.name, "cpu"))
		row.max = places_last(&screen->lab->places);
	return row;
}

/* ---- results ---------------------------------------------------------- */

const struct results *screen_results(const struct screen *screen, bool *live)
{
	const char *name = screen_descriptor(screen)->name;
	struct run *run = screen->lab->run;

	*live = run && !strcmp(run_results(run)->experiment, name);
	if (*live)
		return run_results(run)->launch_count ? run_results(run) : NULL;
	return session_last(screen->lab->session, name);
}

size_t screen_marked(const struct screen *screen)
{
	size_t marked = 0;

	for (size_t i = 0; i < screen->lab->registry.count; i++)
		marked += screen->forms[i].marked;
	return marked;
}

size_t screen_point(const struct screen *screen, const struct results *results)
{
	int chosen = screen->forms[screen_experiment(screen)].point;
	size_t best = 0;

	if (chosen >= 0 && (size_t)chosen < results->point_count)
		return (size_t)chosen;
	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].visit_count)
			best = i;
	return best;
}

const struct figures *screen_figures(struct screen *screen, int columns)
{
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (!results || !results->point_count)
		return NULL;
	if (!columns)
		columns = screen->figures.columns;
	figures_update(&screen->figures, results, screen_point(screen, results),
		columns, &screen->plot, screen->lab->session, live);
	return &screen->figures;
}

static const struct results *last_run(const struct screen *screen,
	size_t experiment)
{
	return session_last(screen->lab->session,
		screen->lab->registry.list[experiment]->name);
}

double screen_headline(const struct screen *screen, size_t experiment)
{
	const struct results *last = last_run(screen, experiment);
	double headline = NAN;

	if (last && last->point_count)
		results_median(last, &last->points[0], 0, &headline);
	return headline;
}

enum quality screen_quality(const struct screen *screen, size_t experiment)
{
	const struct results *last = last_run(screen, experiment);

	return last ? results_quality(last) : QUALITY_GOOD;
}

/* ---- messages --------------------------------------------------------- */

void screen_say(struct screen *screen, enum role role, const char *format, ...)
{
	va_list list;

	text_clear(&screen->message);
	va_start(list, format);
	text_vadd(&screen->message, format, list);
	va_end(list);
	screen->said++;
	screen->message_role = role;
	screen->message_read = false;
	screen->message_core = 0;
}

void screen_view(struct screen *screen, enum view_name view, int place)
{
	screen->view = view;
	if (place >= 0)
		screen->focus[view] = place;
	if (views[view].enter)
		views[view].enter(screen);
}

void screen_close_page(struct screen *screen)
{
	free(screen->page.title);
	free(screen->page.text);
	free(screen->page.filter);
	screen->page = (struct page){ 0 };
}

/* Lines of CSV end in CR LF; a CR would be drawn as an unknown character. */
static char *without_returns(const char *text)
{
	struct text copy = { 0 };

	for (size_t length; *text; text += length) {
		length = strcspn(text, "\r");
		text_add_chars(&copy, text, length);
		length += text[length] == '\r';
	}
	text_add(&copy, "%s", "");
	return text_take(&copy);
}

void screen_open_page(struct screen *screen, const char *title,
	const char *text)
{
	screen_close_page(screen);
	screen->menu = (struct menu){ 0 };
	/* An earlier message does not concern the page. */
	text_clear(&screen->message);
	screen->page.title = xstrdup(title);
	screen->page.text = without_returns(text);
}

void screen_line(const struct screen *screen, struct text *text)
{
	const struct form *form = &screen->forms[screen_experiment(screen)];
	const struct experiment *experiment = screen_descriptor(screen);

	if (screen->items[screen->selected].group) {
		text_add(text, "run %.*s", (int)registry_group(experiment),
			experiment->name);
		return;
	}
	text_add(text, "run %s", experiment->name);
	param_set_line(&form->args, text);
	param_set_line(&form->common, text);
}
