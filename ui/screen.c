/* The screen's state. */
#include "screen.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "judgement.h"
#include "keys.h"
#include "memory.h"
#include "said.h"
#include "taken.h"

#define DOCTOR "doctor: what may disturb measurements"

void screen_init(struct screen *screen, struct lab *lab)
{
	size_t count = lab->registry.count;

	*screen = (struct screen){ .lab = lab };
	screen->settings = (struct settings){ .theme = THEMES, .tier = TIERS };
	screen->drafts = xcalloc(count, sizeof *screen->drafts);
	screen->folded = xcalloc(count, sizeof *screen->folded);
	for (size_t i = 0; i < count; i++) {
		struct draft *draft = &screen->drafts[i];

		param_set_init(&draft->args, lab->registry.list[i]->params);
		param_set_copy(&draft->common, &lab->common);
		draft->point = POINT_FOLLOWS;
	}
	screen_list(screen);
	/* The first experiment, not its group. */
	screen->selected = screen->item_count > 1 ? 1 : 0;
	screen_say(screen, ROLE_TEXT, "Up and Down choose, r runs, ? helps.");
}

void screen_release(struct screen *screen)
{
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		param_set_free(&screen->drafts[i].args);
		param_set_free(&screen->drafts[i].common);
	}
	for (int i = 0; i < VIEWS; i++)
		if (views[i].release)
			views[i].release(screen);
	screen_close_page(screen);
	free(screen->examined);
	free(screen->drafts);
	free(screen->folded);
	free(screen->items);
	free(screen->found);
	prompt_free(&screen->prompt);
	text_free(&screen->message);
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

struct draft *screen_draft(struct screen *screen)
{
	return &screen->drafts[screen_experiment(screen)];
}

bool screen_on_group(const struct screen *screen)
{
	return screen->items[screen->selected].group;
}

/* ---- the form --------------------------------------------------------- */

int screen_fields(const struct draft *draft)
{
	return (int)(draft->args.count + 1 + draft->common.count);
}

static bool is_prediction(const struct draft *draft, int field)
{
	return field == (int)draft->args.count;
}

struct param_set *screen_field(struct draft *draft, int field, size_t *row)
{
	*row = (size_t)field;
	if (*row < draft->args.count)
		return &draft->args;
	if (is_prediction(draft, field))
		return NULL;
	*row -= draft->args.count + 1;
	return &draft->common;
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
	if (*live && run_results(run)->launch_count)
		return run_results(run);
	return session_last(screen->lab->session, name);
}

size_t screen_marked(const struct screen *screen)
{
	size_t marked = 0;

	for (size_t i = 0; i < screen->lab->registry.count; i++)
		marked += screen->drafts[i].marked;
	return marked;
}

size_t screen_point(const struct screen *screen, const struct results *results)
{
	int chosen = screen->drafts[screen_experiment(screen)].point;
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

	if (!results || !results->point_count || columns < 1)
		return NULL;
	figures_update(&screen->figures, results, screen_point(screen, results),
		columns, &screen->plot, screen->lab->session, live);
	return &screen->figures;
}

double screen_headline(struct screen *screen, size_t experiment)
{
	struct draft *draft = &screen->drafts[experiment];
	const struct results *last = session_last(screen->lab->session,
		screen->lab->registry.list[experiment]->name);

	if (draft->headline_of == last)
		return last ? draft->headline : NAN;
	draft->headline_of = last;
	draft->headline = NAN;
	if (last && last->point_count)
		results_median(last, &last->points[0], 0, &draft->headline);
	return draft->headline;
}

/* ---- speaking --------------------------------------------------------- */

void screen_say(struct screen *screen, enum role role, const char *format, ...)
{
	va_list list;

	text_clear(&screen->message);
	va_start(list, format);
	text_vadd(&screen->message, format, list);
	va_end(list);
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

void screen_leave_page(struct screen *screen)
{
	char *examined = screen->examined;

	screen->examined = NULL;
	screen_close_page(screen);
	if (examined)
		screen_open_page(screen, DOCTOR, examined);
	free(examined);
}

void screen_open_page(struct screen *screen, const char *title,
	const char *text)
{
	screen_close_page(screen);
	/* What was said before has nothing to do with it. */
	text_clear(&screen->message);
	screen->page.title = xstrdup(title);
	screen->page.text = xstrdup(text);
}

/* A reply of one line is a message, more of it is a page. */
static void show_reply(struct screen *screen, const char *title,
	const struct text *text)
{
	const char *chars = text_chars(text);
	const char *newline = strchr(chars, '\n');

	if (!*chars)
		return;
	if (newline && newline[1])
		screen_open_page(screen, title, chars);
	else
		screen_say(screen, ROLE_TEXT, "%.*s",
			(int)(newline ? newline - chars : (long)text->length),
			chars);
}

static void execute_words(struct screen *screen, const struct words *words)
{
	struct before before = said_before(screen);
	struct reply reply = { 0 };

	switch (command_exec(screen->lab, words, &reply)) {
	case OUTCOME_DONE:
		show_reply(screen, words->word[0], &reply.text);
		said_after(screen, words, &before);
		break;
	case OUTCOME_WAIT:
		text_clear(&screen->message);
		taken_by_form(screen, words);
		break;
	case OUTCOME_FAILED:
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
		break;
	}
	reply_free(&reply);
}

static void execute_statements(struct screen *screen, const char *line)
{
	struct reader reader = reader_of(line);

	while (*reader.at) {
		struct words words;
		struct error error;

		if (words_read(&words, &reader, &error)) {
			screen_say(screen, ROLE_BAD, "%s", error.message);
			return;
		}
		if (words.count)
			execute_words(screen, &words);
		words_free(&words);
	}
}

/* Another session: nothing that was computed holds. */
static void notice_session(struct screen *screen)
{
	if (screen->session == screen->lab->session)
		return;
	screen->session = screen->lab->session;
	figures_forget(&screen->figures);
	for (int i = 0; i < VIEWS; i++)
		if (views[i].forget)
			views[i].forget(screen);
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		screen->drafts[i].headline_of = NULL;
		screen->drafts[i].point = POINT_FOLLOWS;
	}
	taken_from_session(screen);
}

void screen_execute(struct screen *screen, const char *line)
{
	execute_statements(screen, line);
	notice_session(screen);
}

/* The status sentence after a run: at 80 columns the figure and whether it was
 * foreseen, else how it ended. Gives the bytes that matter most; 0: all. */
static size_t say_outcome(const struct results *results, struct text *text)
{
	struct digest digest;
	const struct point *point = &results->points[0];

	if (results->point_count != 1 || results->state == RUN_FAILED ||
		!digest_of(results, point, 0, &digest) || digest.published) {
		text_add(text, "%s ", results->experiment);
		say_ending(results, text);
		say_points_held(results, text);
		return 0;
	}
	text_add(text, "%s ", results->experiment);
	unit_show(text, results->metrics[0].unit, digest.clean.median);
	say_place_in_prediction(&results->prediction, digest.clean.median,
		results->metrics[0].unit, text);
	size_t core = text->length;
	text_add(text, "; %zu launches, ", results->launch_count);
	unit_show(text, UNIT_NS, results->took_s * 1e9);
	return core;
}

void screen_say_outcome(struct screen *screen, const struct results *results)
{
	struct text line = { 0 };

	size_t core = say_outcome(results, &line);
	screen_say(screen, ROLE_TEXT, "%s", text_chars(&line));
	screen->message_core = core;
	/* What does not fit the row stands in the panes: nothing must lie on
	 * top of them. */
	screen->message_read = true;
	text_free(&line);
}

static void take_reply(struct screen *screen)
{
	struct lab *lab = screen->lab;
	struct reply reply = { 0 };

	if (!lab_ended(lab, &reply))
		return;
	/* A capture file was opened: it comes into view, and beside it what is
	 * wrong with it. */
	bool opened = lab->annotation.news;
	lab->annotation.news = false;
	if (opened)
		screen_view(screen, VIEW_NET, -1);
	const struct results *last = lab->session->run_count ?
		lab->session->runs[lab->session->run_count - 1] :
		NULL;
	if (reply.error.status && reply.error.status != STATUS_INTERRUPTED) {
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
	} else if (lab->ended_run && last) {
		/* While others follow the row says how far they are. */
		if (lab_busy(lab))
			text_clear(&screen->message);
		else
			screen_say_outcome(screen, last);
	} else if (screen->page.text && strchr(text_chars(&reply.text), '\n')) {
		/* Somebody reads another one. */
		free(screen->examined);
		screen->examined = xstrdup(text_chars(&reply.text));
		screen_say(screen, ROLE_TEXT,
			"the doctor has looked: Esc leaves this page for what "
			"it found");
	} else {
		show_reply(screen, DOCTOR, &reply.text);
	}
	reply_free(&reply);
}

/* The next of several runs comes into view, unless the user looks at something
 * else than what ran before. */
static void follow(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	const struct session *session = lab->session;
	size_t number = session->run_count + 1;

	if (!lab->run || screen->followed == number)
		return;
	const char *name = run_results(lab->run)->experiment;
	const char *shown = screen_descriptor(screen)->name;
	bool along = !screen->followed || screen_on_group(screen) ||
		(session->run_count &&
			!strcmp(session->runs[number - 2]->experiment, shown));
	screen->followed = number;
	for (size_t i = 0; along && i < lab->registry.count; i++)
		if (!strcmp(lab->registry.list[i]->name, name)) {
			screen->drafts[i].point = POINT_FOLLOWS;
			screen_select(screen, i, false);
		}
}

/* The mark of what runs goes; marks whose runs were forgotten, because one was
 * stopped, stay and are said. */
static void settle_marks(struct screen *screen)
{
	const struct lab *lab = screen->lab;
	const char *name = lab->run ? run_results(lab->run)->experiment : "";
	bool over = !lab_busy(lab);
	size_t left = 0;

	for (size_t i = 0; i < lab->registry.count; i++) {
		struct draft *draft = &screen->drafts[i];

		if (!draft->waits)
			continue;
		if (!strcmp(lab->registry.list[i]->name, name))
			draft->marked = draft->waits = false;
		else if (over)
			draft->waits = false;
		left += over && draft->marked;
	}
	if (left)
		screen_say(screen, ROLE_WARN,
			"%zu of the marked did not run and stay%s marked: R "
			"runs %s",
			left, left == 1 ? "s" : "", left == 1 ? "it" : "them");
}

void screen_take_ended(struct screen *screen)
{
	notice_session(screen);
	follow(screen);
	take_reply(screen);
	settle_marks(screen);
	if (!lab_busy(screen->lab))
		screen->followed = 0;
}

void screen_line(const struct screen *screen, struct text *text)
{
	const struct draft *draft = &screen->drafts[screen_experiment(screen)];
	const struct experiment *experiment = screen_descriptor(screen);

	if (screen->items[screen->selected].group) {
		text_add(text, "run %.*s", (int)registry_group(experiment),
			experiment->name);
		return;
	}
	text_add(text, "run %s", experiment->name);
	param_set_line(&draft->args, text);
	param_set_line(&draft->common, text);
}
