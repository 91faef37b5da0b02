/* The screen's state. */
#include "screen.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "memory.h"
#include "print.h"
#include "quantile.h"
#include "tick.h"

void screen_init(struct screen *screen, struct lab *lab)
{
	size_t count = lab->registry.count;

	*screen = (struct screen){ .lab = lab };
	screen->drafts = xcalloc(count, sizeof *screen->drafts);
	screen->folded = xcalloc(count, sizeof *screen->folded);
	for (size_t i = 0; i < count; i++) {
		param_set_init(&screen->drafts[i].args,
			lab->registry.list[i]->params);
		param_set_copy(&screen->drafts[i].common, &lab->common);
	}
	screen_list(screen);
	/* The first experiment, not its group. */
	screen->selected = screen->item_count > 1 ? 1 : 0;
	screen_say(screen, ROLE_TEXT,
		"Choose an experiment, press r to run it, ? for help.");
}

void screen_release(struct screen *screen)
{
	for (size_t i = 0; i < screen->lab->registry.count; i++) {
		param_set_free(&screen->drafts[i].args);
		param_set_free(&screen->drafts[i].common);
	}
	free(screen->drafts);
	free(screen->folded);
	free(screen->items);
	free(screen->page);
	prompt_free(&screen->prompt);
	text_free(&screen->message);
	histogram_free(&screen->figures.histogram);
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
	screen->selected = 0;
	for (size_t i = 0; i < screen->item_count; i++)
		if (screen->items[i].experiment == kept &&
			screen->items[i].group == on_group)
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

size_t screen_point(const struct results *results)
{
	size_t best = 0;

	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].visit_count)
			best = i;
	return best;
}

enum { LAYOUT_VALUES = 5000 };

/* Bins from an even sample of the clean values, counts from all of them. */
static void make_histogram(struct figures *figures, int columns)
{
	const struct results *results = figures->results;
	const struct point *point = &results->points[figures->point];
	double *values;
	uint16_t *flags;
	size_t n =
		results_values(results, point, 0, SCALE_UNIT, &values, &flags);
	size_t step = n / LAYOUT_VALUES + 1, kept = 0;
	double *clean = xmalloc((n / step + 1) * sizeof *clean);

	for (size_t i = 0; i < n; i += step)
		if (!flags[i])
			clean[kept++] = values[i];
	values_sort(clean, kept);
	histogram_free(&figures->histogram);
	histogram_layout(&figures->histogram, clean, kept,
		results_quantum(results, point, 0), (size_t)columns,
		HISTOGRAM_AUTO);
	for (size_t i = 0; i < n; i++)
		histogram_add(&figures->histogram, values[i], flags[i] != 0);
	free(clean);
	free(values);
	free(flags);
}

/* A live run changes ten times a second; its figures follow as often as costs
 * a twentieth of the time at most. */
static bool figures_stale(const struct figures *figures,
	const struct results *results, size_t point, int columns, bool live)
{
	uint64_t age_ns = tick_raw_ns() - figures->made_ns;

	if (figures->results != results || figures->point != point ||
		figures->columns != columns)
		return true;
	if (figures->version == results->version)
		return false;
	return !live || age_ns > 250000000u + 20 * figures->took_ns;
}

const struct figures *screen_figures(struct screen *screen, int columns)
{
	struct figures *figures = &screen->figures;
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (!results || !results->point_count || columns < 1)
		return NULL;
	size_t point = screen_point(results);
	if (!figures_stale(figures, results, point, columns, live))
		return figures;
	uint64_t began_ns = tick_raw_ns();
	figures->results = results;
	figures->version = results->version;
	figures->point = point;
	figures->columns = columns;
	figures->any = digest_of(results, &results->points[point], 0,
		&figures->digest);
	if (figures->any)
		make_histogram(figures, columns);
	figures->made_ns = tick_raw_ns();
	figures->took_ns = figures->made_ns - began_ns;
	return figures;
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
}

/* A reply of one line is a message, more of it is a page. */
static void show_reply(struct screen *screen, const struct text *text)
{
	const char *chars = text_chars(text);
	const char *newline = strchr(chars, '\n');

	if (!*chars)
		return;
	if (newline && newline[1]) {
		free(screen->page);
		screen->page = xstrdup(chars);
		screen->page_row = 0;
		return;
	}
	screen_say(screen, ROLE_TEXT, "%.*s",
		(int)(newline ? newline - chars : (long)text->length), chars);
}

static void execute_words(struct screen *screen, const struct words *words)
{
	struct reply reply = { 0 };

	switch (command_exec(screen->lab, words, &reply)) {
	case OUTCOME_DONE:
		show_reply(screen, &reply.text);
		break;
	case OUTCOME_WAIT:
		text_clear(&screen->message);
		break;
	case OUTCOME_FAILED:
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
		break;
	}
	reply_free(&reply);
}

void screen_execute(struct screen *screen, const char *line)
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

/* The status sentence after a run: at 80 columns the figure and whether it was
 * foreseen, else how it ended. */
static void say_outcome(const struct results *results, struct text *text)
{
	struct digest digest;
	const struct point *point = &results->points[0];

	if (results->point_count != 1 || results->state == RUN_FAILED ||
		!digest_of(results, point, 0, &digest)) {
		text_add(text, "%s ", results->experiment);
		say_ending(results, text);
		return;
	}
	text_add(text, "%s ", results->experiment);
	unit_show(text, results->metrics[0].unit, digest.clean.median);
	say_place_in_prediction(&results->prediction, digest.clean.median,
		results->metrics[0].unit, text);
	text_add(text, "; %zu launches, ", results->launch_count);
	unit_show(text, UNIT_NS, results->took_s * 1e9);
}

void screen_take_ended(struct screen *screen)
{
	struct lab *lab = screen->lab;
	struct reply reply = { 0 };
	struct text line = { 0 };

	if (!lab_ended(lab, &reply))
		return;
	const struct results *last = lab->session->run_count ?
		lab->session->runs[lab->session->run_count - 1] :
		NULL;
	if (reply.error.status && reply.error.status != STATUS_INTERRUPTED) {
		screen_say(screen, ROLE_BAD, "%s", reply.error.message);
	} else if (lab->ended_run && last) {
		say_outcome(last, &line);
		screen_say(screen, ROLE_TEXT, "%s", text_chars(&line));
	} else {
		show_reply(screen, &reply.text);
	}
	text_free(&line);
	reply_free(&reply);
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

/* ---- keys ------------------------------------------------------------- */

static void find_experiment(struct screen *screen, const char *piece)
{
	size_t count = screen->lab->registry.count;
	size_t from = screen_experiment(screen);

	for (size_t i = 1; i <= count; i++) {
		size_t at = (from + i) % count;

		if (!strstr(screen->lab->registry.list[at]->name, piece))
			continue;
		memset(screen->folded, 0, count * sizeof *screen->folded);
		screen_list(screen);
		for (size_t k = 0; k < screen->item_count; k++)
			if (screen->items[k].experiment == at &&
				!screen->items[k].group)
				screen->selected = k;
		return;
	}
	screen_say(screen, ROLE_WARN, "no experiment has '%s' in its name",
		piece);
}

static void finish_prompt(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	char *line = xstrdup(prompt->line);
	enum prompt_kind kind = prompt->kind;
	struct draft *draft = screen_draft(screen);

	prompt_close(prompt);
	if (kind == PROMPT_COMMAND) {
		prompt_remember(prompt, line);
		screen_execute(screen, line);
	} else if (kind == PROMPT_FIND && *line) {
		find_experiment(screen, line);
	} else if (kind == PROMPT_FIELD) {
		struct text command = { 0 }, word = { 0 };
		int field = draft->field;
		const struct param *row = field < (int)draft->args.count ?
			&draft->args.rows[field] :
			&draft->common.rows[field - (int)draft->args.count];

		text_add(&word, "%s=%s", row->name, line);
		text_add(&command, "edit ");
		words_quote(&command, word.chars);
		screen_execute(screen, command.chars);
		text_free(&word);
		text_free(&command);
	}
	free(line);
}

void screen_key(struct screen *screen, const char *key, uint32_t code)
{
	if (screen->prompt.kind != PROMPT_NONE) {
		switch (prompt_key(&screen->prompt, screen->lab, key, code)) {
		case PROMPT_TYPING:
			break;
		case PROMPT_DONE:
			finish_prompt(screen);
			break;
		case PROMPT_GIVEN_UP:
			prompt_close(&screen->prompt);
			break;
		}
		return;
	}
	const struct binding *binding = binding_find(screen, key);
	if (binding)
		screen_execute(screen, binding->line);
}
