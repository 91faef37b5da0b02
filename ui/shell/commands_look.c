/* Verbs that change what the screen shows. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands_internal.h"
#include "earlier.h"
#include "glossary.h"
#include "keys.h"
#include "print.h"
#include "show.h"
#include "tour.h"
#include "view.h"

/* ---- the plot --------------------------------------------------------- */

const char *const plot_words[] = { "log-count", "log-value", "cumulative",
	"finer", "coarser", "point", NULL };

static enum outcome plot_point(struct screen *screen, struct reply *reply)
{
	bool live;
	const struct results *results = screen_results(screen, &live);
	struct form *form = screen_form(screen);

	if (!results || results->point_count < 2)
		return reply_fail(reply, STATUS_USAGE,
			"there is only one point");
	form->zoomed = !form->zoomed;
	form->point = (int)screen_point(screen, results);
	return OUTCOME_DONE;
}

/* Switches the axis of values between linear and logarithmic. Logarithmic bins
 * are at least an eighth of a doubling wide. Values within a factor of 2 would
 * fill few bins, so they get no logarithmic axis. */
static enum outcome plot_values(struct screen *screen, struct reply *reply)
{
	enum { DOUBLING = 2 };
	const struct histogram *histogram = &screen->figures.histogram;
	double high = histogram_edge(histogram, histogram->bins);

	if (histogram->logarithmic) {
		screen->plot.scale = HISTOGRAM_LINEAR;
		return OUTCOME_DONE;
	}
	if (histogram->bins && high < DOUBLING * histogram->low)
		return reply_fail(reply, STATUS_USAGE,
			"the values differ by only %.2g %%: a logarithmic axis "
			"would not show this",
			(high / histogram->low - 1) * 100);
	screen->plot.scale = HISTOGRAM_LOG;
	return OUTCOME_DONE;
}

enum outcome exec_plot(const struct call *call, struct reply *reply)
{
	enum { COARSER_MOST = 4 };
	struct screen *screen = screen_of(call);
	struct plot_options *plot = &screen->plot;
	const char *word = call->arg[0];

	if (!strcmp(word, "point"))
		return plot_point(screen, reply);
	if (!strcmp(word, "log-count"))
		plot->log_count = !plot->log_count;
	else if (!strcmp(word, "cumulative"))
		plot->cumulative = !plot->cumulative;
	else if (!strcmp(word, "log-value"))
		return plot_values(screen, reply);
	else if (!strcmp(word, "coarser"))
		plot->coarser = moved(plot->coarser, 1, COARSER_MOST + 1);
	else
		plot->coarser = moved(plot->coarser, -1, COARSER_MOST + 1);
	return OUTCOME_DONE;
}

/* ---- glyphs and colours ----------------------------------------------- */

/* Saves a choice and reports it, with the reason if it could not be saved. */
enum outcome keep_choice(struct screen *screen, const char *name,
	const char *value, const char *kinds)
{
	struct error error;

	if (settings_keep(&screen->settings, name, value, &error))
		screen_say(screen, ROLE_WARN, "%s: %s; %s", name, value,
			error.message);
	else
		screen_say(screen, ROLE_TEXT, "%s: %s, remembered (%s)", name,
			value, kinds);
	return OUTCOME_DONE;
}

const char *const glyphs_words[] = { "braille", "block", "console", "ascii",
	"keep", NULL };
const char *const colours_words[] = { "any", "dark", "light", "mono", "high",
	"keep", NULL };

/* With "keep" the current choice is saved; otherwise another one is shown. */
static bool keeps(const struct call *call)
{
	return call->count && !strcmp(call->arg[0], "keep");
}

enum outcome exec_glyphs(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	if (keeps(call))
		return keep_choice(screen, "glyphs", tier_name(screen->tier),
			"braille, block, console, ascii");
	screen->tier = call->count ? tier_named(call->arg[0]) :
				     (screen->tier + 1) % TIERS;
	screen_say(screen, ROLE_TEXT,
		"glyphs: %s; `glyphs keep` remembers this choice",
		tier_name(screen->tier));
	return OUTCOME_DONE;
}

enum outcome exec_theme(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	if (keeps(call))
		return keep_choice(screen, "theme", theme_name(screen->theme),
			"any, dark, light, mono, high");
	screen->theme = call->count ? theme_named(call->arg[0]) :
				      (screen->theme + 1) % THEMES;
	screen_say(screen, ROLE_TEXT,
		"theme: %s; `theme keep` remembers this choice",
		theme_name(screen->theme));
	return OUTCOME_DONE;
}

/* ---- pages ------------------------------------------------------------ */

enum outcome exec_details(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	bool live;
	const struct results *results = screen_results(screen, &live);
	struct text text = { 0 };

	if (!results)
		return reply_fail(reply, STATUS_USAGE,
			"%s is not measured yet: `run` measures it",
			screen_descriptor(screen)->name);
	/* Without the histogram: the screen draws it. */
	print_figures(results, &text);
	if (!live)
		say_earlier(screen->lab->session, results,
			screen_point(screen, results), &text);
	text_add(&text, "\nW shows the glossary.\n");
	screen_open_page(screen, results->experiment, text.chars);
	text_free(&text);
	return OUTCOME_DONE;
}

enum outcome exec_words(const struct call *call, struct reply *reply)
{
	struct text text = { 0 };

	(void)reply;
	glossary(&text);
	screen_open_page(screen_of(call), "glossary", text.chars);
	text_free(&text);
	return OUTCOME_DONE;
}

static bool has_keys(const char *where)
{
	const struct binding *row = bindings;

	while (row->key && strcmp(row->where, where) != 0)
		row++;
	return row->key;
}

static void add_keys(const char *where, const char *title, const char *about,
	struct text *text)
{
	if (!about && !has_keys(where))
		return;
	text_add(text, "\n%s\n", title);
	if (about)
		text_add(text, "  %s\n", about);
	for (const struct binding *row = bindings; row->key; row++)
		if (!strcmp(row->where, where))
			text_add(text, "  %-10s%-18s%s\n", row->key, row->line,
				row->help);
}

static void add_view_keys(const struct view *view, struct text *text)
{
	struct text title = { 0 };

	text_add(&title, "On the %s screen", view->title);
	add_keys(view->name, title.chars, NULL, text);
	text_free(&title);
	for (const struct view_place *place = view->places; place->name;
		place++)
		add_keys(place->name, place->title, place->about, text);
}

enum outcome exec_keys(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct text text = { 0 };

	(void)reply;
	text_add(&text, "To begin with; > starts a tour of five minutes\n");
	for (const struct first_keys *row = first_keys; row->keys; row++)
		text_add(&text, "  %-12s%s\n", row->keys, row->help);
	text_add(&text,
		"\nEach key executes the command line in the middle column; "
		"every line can also be typed after `:`. `:help` lists the "
		"commands, W shows the glossary, i describes the experiment. / "
		"filters the lines by a word.\n");
	/* Keys of the current view come first. */
	add_view_keys(&views[screen->view], &text);
	add_keys("views", "On every screen", NULL, &text);
	for (int i = 0; i < VIEWS; i++)
		if (view_is_there((enum view_name)i) && i != (int)screen->view)
			add_view_keys(&views[i], &text);
	add_keys("page", "On a page like this", NULL, &text);
	add_keys("menu", "In a menu", NULL, &text);
	add_keys("", "Everywhere", NULL, &text);
	screen_open_page(screen, "keys", text.chars);
	text_free(&text);
	return OUTCOME_DONE;
}

enum outcome exec_about(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct form *form = screen_form(screen);
	struct queued queued = {
		.experiment = screen_descriptor(screen),
		.args = form->args,
		.common = form->common,
		.budget_asked = form->budget_asked,
	};
	struct text text = { 0 };

	(void)reply;
	show_text(screen->lab, &queued, WRAP_NEVER, &text);
	screen_open_page(screen, queued.experiment->name, text.chars);
	text_free(&text);
	return OUTCOME_DONE;
}

const char *const tour_words[] = { "next", "off", NULL };

enum outcome exec_tour(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	if (!call->count)
		tour_begin(screen);
	else if (!strcmp(call->arg[0], "next"))
		tour_next(screen);
	else if (tour_end(screen))
		screen_say(screen, ROLE_TEXT, "The tour has ended; > starts it.");
	else
		return reply_fail(reply, STATUS_USAGE,
			"no tour is running: `tour` starts it");
	return OUTCOME_DONE;
}

int check_scroll(const struct call *call, struct error *error)
{
	static const char *const words[] = { "away", "page", "page-back",
		NULL };

	for (size_t i = 0; words[i]; i++)
		if (!strcmp(call->arg[0], words[i]))
			return 0;
	return check_steps(call, error);
}

enum outcome exec_scroll(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct page *page = &screen->page;

	(void)reply;
	if (!page->text)
		return OUTCOME_DONE;
	if (!strcmp(call->arg[0], "page")) {
		page_scroll(page, page_paneful(page));
	} else if (!strcmp(call->arg[0], "page-back")) {
		page_scroll(page, -page_paneful(page));
	} else if (strcmp(call->arg[0], "away")) {
		page_scroll(page, steps_of(call));
	} else if (page->filter) {
		free(page->filter);
		page->filter = NULL;
		page->row = 0;
	} else {
		screen_leave_page(screen);
	}
	return OUTCOME_DONE;
}

enum outcome exec_filter(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	if (!screen->page.text)
		return reply_fail(reply, STATUS_USAGE,
			"no page is open: ? opens the key help");
	prompt_open(&screen->prompt, PROMPT_FILTER, "/",
		screen->page.filter ? screen->page.filter : "");
	prompt_select(&screen->prompt);
	return OUTCOME_DONE;
}
