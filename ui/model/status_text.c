/* Status sentences after commands and runs. */
#include "status_text.h"

#include <string.h>

#include "amounts.h"
#include "digest.h"
#include "form_sync.h"
#include "judgement.h"
#include "print.h"
#include "print_compare.h"
#include "quality.h"

struct before status_before(const struct screen *screen)
{
	return (struct before){ screen->lab->aside.length };
}

static void add_word(struct text *text, const char *word)
{
	text_add_safe(text, word, strlen(word));
}

static void say_recording(struct screen *screen, const char *file)
{
	struct text text = { 0 };

	if (!strcmp(file, "off")) {
		text_add(&text, "the record is closed");
	} else {
		text_add(&text, "recording executed lines in ");
		add_word(&text, file);
		text_add(&text, "; `record off` ends that");
	}
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	text_free(&text);
}

static void say_note(struct screen *screen, const struct words *words)
{
	struct text text = { 0 };

	text_add(&text, "noted in the session:");
	for (size_t i = 1; i < words->count; i++) {
		text_add_char(&text, ' ');
		add_word(&text, words->word[i]);
	}
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	text_free(&text);
}

/* Selects an experiment with results, if the current one has none in the opened
 * session. */
static void show_some(struct screen *screen)
{
	const struct session *session = screen->lab->session;
	const struct registry *registry = &screen->lab->registry;
	const char *here = screen_descriptor(screen)->name;

	if (!session->run_count || session_last(session, here))
		return;
	const char *last = session->runs[session->run_count - 1]->experiment;
	for (size_t i = 0; i < registry->count; i++)
		if (!strcmp(registry->list[i]->name, last))
			screen_bring(screen, i, false);
}

/* Appends the lines of a text, each after a semicolon. */
static void add_lines(struct text *text, const char *lines)
{
	for (size_t length; (length = strcspn(lines, "\n")); ) {
		text_add(text, "; %.*s", (int)length, lines);
		lines += length + (lines[length] == '\n');
	}
}

/* Reports what was loaded, its warnings, and what happened to unsaved runs. The
 * reply has these in the opposite order. */
static void say_loaded(struct screen *screen, const struct before *before,
	const char *reply)
{
	const struct lab *lab = screen->lab;
	struct text text = { 0 };
	const char *aside = text_chars(&lab->aside) + before->aside;
	const char *runs = reply + strlen(aside);
	const char *rest = runs + strcspn(runs, "\n");

	text_add(&text, "%.*s", (int)(rest - runs), runs);
	add_lines(&text, rest + (*rest == '\n'));
	add_lines(&text, aside);
	screen_say(screen, *aside ? ROLE_WARN : ROLE_TEXT, "%s", text.chars);
	text_free(&text);
	show_some(screen);
}

/* Reports the stored prediction and when it is locked. */
static void say_expected(struct screen *screen, const char *name)
{
	const struct registry *registry = &screen->lab->registry;
	struct error none;
	const struct experiment *experiment =
		registry_get(registry, name, &none);
	struct text text = { 0 };

	if (!experiment)
		return;
	const struct prediction *own = lab_prediction(screen->lab, experiment);
	text_add(&text, "you expect ");
	amount_range(&text,
		prediction_unit(own, experiment->metrics[0].unit), &own->total);
	screen_say(screen, ROLE_TEXT, "%s; %s", text.chars,
		own->post_hoc ? "made after a result, and marked" :
				"locked when a run begins");
	text_free(&text);
}

/* Updates every form, and reports the options in any view. */
static void say_set(struct screen *screen, const struct words *words)
{
	struct text text = { 0 };

	form_sync_from_set(screen, words);
	text_add(&text, "set for all experiments:");
	for (size_t i = 1; i < words->count; i++) {
		text_add_char(&text, ' ');
		add_word(&text, words->word[i]);
	}
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	text_free(&text);
}

/* Reports the exported file: the export itself has no reply. */
static void say_exported(struct screen *screen, const struct words *words)
{
	const char *file = NULL;
	struct text text = { 0 };

	for (size_t i = 2; i < words->count; i++)
		if (!strcmp(words->word[i], "--session"))
			i++;
		else if (strncmp(words->word[i], "--", 2) != 0)
			file = words->word[i];
	if (!file)
		return;
	text_add(&text, "exported to ");
	add_word(&text, file);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	text_free(&text);
}

bool status_tells(const struct words *words)
{
	if (strcmp(words->word[0], "load") != 0)
		return false;
	for (size_t i = 1; i < words->count; i++)
		if (!strcmp(words->word[i], "-v"))
			return false; /* its results need a page */
	return true;
}

void status_after(struct screen *screen, const struct words *words,
	const struct before *before, const struct text *reply)
{
	const char *verb = words->word[0];
	const char *first = words->count > 1 ? words->word[1] : "";

	if (!strcmp(verb, "record"))
		say_recording(screen, first);
	else if (!strcmp(verb, "note"))
		say_note(screen, words);
	else if (!strcmp(verb, "predict") && words->count > 2)
		say_expected(screen, first);
	else if (!strcmp(verb, "set") && words->count > 1)
		say_set(screen, words);
	else if (!strcmp(verb, "export") && !reply->length)
		say_exported(screen, words);
	else if (!strcmp(verb, "load"))
		say_loaded(screen, before, text_chars(reply));
}

/* ---- runs ------------------------------------------------------------- */

/* Appends the figure, its quality, and whether it was predicted. */
static void say_headline(const struct results *results,
	const struct digest *digest, struct text *text)
{
	const struct prediction *predicted = &results->prediction;
	enum unit unit = results->metrics[0].unit;

	text_add(text, "%s ", results->experiment);
	unit_show(text, unit, digest->summary.median);
	if (digest->quality != QUALITY_GOOD)
		text_add(text, " (%s)", quality_word(digest->quality));
	say_place_in_prediction(predicted,
		prediction_measured(predicted, digest),
		prediction_unit(predicted, unit), text);
}

size_t status_of_run(const struct results *results, struct text *text)
{
	struct digest digest;
	struct text verdict = { 0 };
	bool one = results->point_count == 1 && results->state != RUN_FAILED &&
		digest_of(results, &results->points[0], 0, &digest) &&
		!digest.published;

	say_ab(results, false, &verdict);
	if (verdict.length) {
		text_add(text, "%s: %s", results->experiment, verdict.chars);
	} else if (one) {
		say_headline(results, &digest, text);
	} else {
		text_add(text, "%s ", results->experiment);
		say_ending(results, text);
		say_points_held(results, text);
		return 0;
	}
	size_t core = text->length;
	text_add(text, "; ");
	say_launches(results->launch_count, text);
	text_add(text, ", ");
	unit_show(text, UNIT_NS, results->took_s * 1e9);
	text_free(&verdict);
	return core;
}

static void say_group(const struct screen *screen, struct text *text)
{
	const struct registry *registry = &screen->lab->registry;
	const struct experiment *first = screen_descriptor(screen);
	size_t length = registry_group(first), count = 0, measured = 0;

	for (size_t i = 0; i < registry->count; i++) {
		const struct experiment *one = registry->list[i];

		if (registry_group(one) != length ||
			strncmp(one->name, first->name, length) != 0)
			continue;
		count++;
		measured += session_last(screen->lab->session, one->name) !=
			NULL;
	}
	text_add(text, "%.*s: %zu of %zu experiments measured; r measures all",
		(int)length, first->name, measured, count);
}

size_t status_at_rest(const struct screen *screen, struct text *text)
{
	bool live;
	const struct results *results = screen_results(screen, &live);

	/* A page and the other views do not concern a single experiment. */
	if (screen->page.text || lab_busy(screen->lab) ||
		(screen->view != VIEW_LAB && screen->view != VIEW_SWEEP))
		return 0;
	if (screen->view == VIEW_LAB && screen_on_group(screen))
		say_group(screen, text);
	else if (results && !live)
		return status_of_run(results, text);
	else
		text_add(text, "%s: not measured yet; r measures it",
			screen_descriptor(screen)->name);
	return 0;
}
