/* Verbs that move the selection: between panes, along the list, to a search
 * result. */
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "memory.h"

int check_steps(const struct call *call, struct error *error)
{
	char *end;

	strtol(call->arg[0], &end, 10);
	if (*end == '\0' && end != call->arg[0])
		return 0;
	error_set(error, STATUS_USAGE,
		"'%s' is not a number of steps: expected -1, 1, "
		"..", call->arg[0]);
	return call_fault(call, 0, 0, error);
}

int steps_of(const struct call *call)
{
	enum { MOST = 1000000 };
	long steps = strtol(call->arg[0], NULL, 10);

	return steps > MOST ? MOST : steps < -MOST ? -MOST : (int)steps;
}

int moved(int at, int steps, int count)
{
	at += steps;
	return at < 0 || count < 1 ? 0 : at >= count ? count - 1 : at;
}

int check_word_of(const struct call *call, const char *what,
	struct error *error)
{
	const char *const *words = call->command->words;
	struct text expected = { 0 };

	if (!call->count)
		return 0;
	for (size_t i = 0; words[i]; i++)
		if (!strcmp(words[i], call->arg[0]))
			return 0;
	for (size_t i = 0; words[i]; i++)
		text_add(&expected, "%s%s", i ? ", " : "", words[i]);
	error_set(error, STATUS_USAGE, "unknown %s '%.60s': expected one of %s",
		what, call->arg[0], text_chars(&expected));
	text_free(&expected);
	return call_fault(call, 0, 0, error);
}

int check_word(const struct call *call, struct error *error)
{
	return check_word_of(call, call->command->name, error);
}

/* ---- along the list --------------------------------------------------- */

enum outcome exec_move(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct view *view = &views[screen->view];

	(void)reply;
	if (view->move)
		view->move(screen, steps_of(call));
	return OUTCOME_DONE;
}

enum outcome exec_fold(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	size_t at = screen->selected;

	(void)reply;
	while (!screen->items[at].group)
		at--;
	screen->selected = at;
	bool *folded = &screen->folded[screen->items[at].experiment];
	*folded = !*folded;
	screen_list(screen);
	return OUTCOME_DONE;
}

enum outcome exec_view(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	(void)reply;
	screen_view(screen, view_named(call->arg[0]), -1);
	return OUTCOME_DONE;
}

enum outcome exec_focus(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	enum view_name view = screen->view;
	int place = screen->focus[view], count = view_places(view);
	const char *where = call->arg[0];

	if (!strcmp(where, "next"))
		place = (place + 1) % count;
	else if (!strcmp(where, "last"))
		place = (place + count - 1) % count;
	else
		view = view_with_place(where, &place);
	/* A group has no form: fold or unfold it instead. */
	if (!strcmp(where, "form") && screen->view == VIEW_LAB &&
		screen->focus[VIEW_LAB] == FOCUS_LIST &&
		screen_on_group(screen))
		return exec_fold(call, reply);
	screen_view(screen, view, place);
	return OUTCOME_DONE;
}

/* ---- selecting by name ------------------------------------------------ */

/* The index of the experiment, or of the first in the group, of this name; the
 * registry's count if the name is unknown. */
static size_t named(const struct lab *lab, const char *name, bool *group)
{
	size_t count = lab->registry.count;

	for (size_t i = 0; i < count; i++) {
		const struct experiment *experiment = lab->registry.list[i];
		size_t length = registry_group(experiment);

		*group = strlen(name) == length &&
			!strncmp(experiment->name, name, length);
		if (*group || !strcmp(experiment->name, name))
			return i;
	}
	return count;
}

int check_pick(const struct call *call, struct error *error)
{
	bool group;

	if (named(call->lab, call->arg[0], &group) < call->lab->registry.count)
		return 0;
	error_set(error, STATUS_USAGE,
		"unknown experiment or group '%.60s': `list` shows all",
		call->arg[0]);
	return call_fault(call, 0, 0, error);
}

void screen_bring(struct screen *screen, size_t experiment, bool group)
{
	const struct registry *registry = &screen->lab->registry;
	size_t first = experiment;
	size_t length = registry_group(registry->list[experiment]);

	while (first &&
		!strncmp(registry->list[first - 1]->name,
			registry->list[experiment]->name, length + 1))
		first--;
	if (!group)
		screen->folded[first] = false;
	screen_list(screen);
	screen_select(screen, experiment, group);
}

enum outcome exec_pick(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	bool group = false;
	size_t at = named(call->lab, call->arg[0], &group);

	(void)reply;
	screen_bring(screen, at, group);
	screen->focus[VIEW_LAB] = FOCUS_LIST;
	return OUTCOME_DONE;
}

static bool same_group(const struct experiment *a, const struct experiment *b)
{
	return !strncmp(a->name, b->name, registry_group(a) + 1);
}

static enum outcome say_marked(struct screen *screen)
{
	size_t marked = screen_marked(screen);

	if (marked)
		screen_say(screen, ROLE_TEXT, "%zu marked: R runs %s", marked,
			marked == 1 ? "it" : "them in turn");
	else
		screen_say(screen, ROLE_TEXT, "no experiment is marked");
	return OUTCOME_DONE;
}

/* On a group, marks all its experiments, or none if all were marked. */
enum outcome exec_mark(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct registry *registry = &screen->lab->registry;
	const struct experiment *here = screen_descriptor(screen);
	struct form *form = screen_form(screen);
	bool all = true;

	(void)reply;
	if (!screen_on_group(screen)) {
		form->marked = !form->marked;
		screen->selected = (size_t)moved((int)screen->selected, 1,
			(int)screen->item_count);
		return say_marked(screen);
	}
	for (size_t i = 0; i < registry->count; i++)
		if (same_group(here, registry->list[i]))
			all &= screen->forms[i].marked;
	for (size_t i = 0; i < registry->count; i++)
		if (same_group(here, registry->list[i]))
			screen->forms[i].marked = !all;
	return say_marked(screen);
}

enum outcome exec_field(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct form *form = screen_form(screen);

	(void)reply;
	form->field = moved(steps_of(call), -1, screen_fields(form));
	return OUTCOME_DONE;
}

enum outcome exec_point(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	bool live;
	const struct results *results = screen_results(screen, &live);

	(void)reply;
	if (results && results->point_count)
		screen_form(screen)->point =
			moved(steps_of(call), -1, (int)results->point_count);
	return OUTCOME_DONE;
}

/* ---- finding ---------------------------------------------------------- */

static bool is_named(const struct experiment *experiment, const char *piece)
{
	return strcasestr(experiment->name, piece);
}

static bool is_like(const struct experiment *experiment, const char *piece)
{
	return is_named(experiment, piece) ||
		strcasestr(experiment->title, piece) ||
		strcasestr(experiment->question, piece);
}

/* Selects the next experiment in a direction that is one of the wanted. */
static bool find_next(struct screen *screen, int step,
	bool (*wanted)(const struct experiment *, const char *piece))
{
	int count = (int)screen->lab->registry.count;
	int from = (int)screen_experiment(screen);

	for (int i = 1; i <= count; i++) {
		int at = ((from + i * step) % count + count) % count;
		const struct experiment *experiment =
			screen->lab->registry.list[at];

		if (!wanted(experiment, screen->found))
			continue;
		screen_bring(screen, (size_t)at, false);
		screen_say(screen, ROLE_TEXT, "%s: %s", experiment->name,
			experiment->question);
		return true;
	}
	return false;
}

static enum outcome fail_find(const struct screen *screen, struct reply *reply)
{
	return reply_fail(reply, STATUS_USAGE,
		"no experiment has '%.60s' in its name, title or question",
		screen->found);
}

enum outcome exec_find(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	if (!call->count) {
		prompt_open(&screen->prompt, PROMPT_FIND, "/", "");
		return OUTCOME_DONE;
	}
	free(screen->found);
	screen->found = xstrdup(call->arg[0]);
	if (find_next(screen, 1, is_named) || find_next(screen, 1, is_like))
		return OUTCOME_DONE;
	return fail_find(screen, reply);
}

enum outcome exec_again(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);

	if (!screen->found)
		return reply_fail(reply, STATUS_USAGE,
			"no search yet: / starts one");
	if (find_next(screen, steps_of(call) < 0 ? -1 : 1, is_like))
		return OUTCOME_DONE;
	return fail_find(screen, reply);
}
