/* Sentences about what was done. */
#include "status_text.h"

#include <string.h>

#include "amounts.h"

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

/* What was opened has something to show: an experiment it has results of. */
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

/* Which file it was, and what has become of runs that were in none. */
static void say_loaded(struct screen *screen, const char *file,
	const struct before *before)
{
	const struct lab *lab = screen->lab;
	struct text text = { 0 };

	add_word(&text, file);
	text_add(&text, ": %zu run%s of %s", lab->session->run_count,
		lab->session->run_count == 1 ? "" : "s",
		lab->session->machine.cpu);
	size_t more = lab->aside.length - before->aside;
	if (more)
		text_add(&text, "; %.*s", (int)more - 1,
			lab->aside.chars + before->aside);
	screen_say(screen, more ? ROLE_WARN : ROLE_TEXT, "%s", text.chars);
	text_free(&text);
	show_some(screen);
}

/* What is kept of an expectation, and from when on it can not be changed. */
static void say_expected(struct screen *screen, const char *name)
{
	const struct registry *registry = &screen->lab->registry;
	const struct experiment *experiment = registry_find(registry, name);
	struct text text = { 0 };

	if (!experiment)
		return;
	const struct prediction *own = lab_prediction(screen->lab, experiment);
	text_add(&text, "you expect ");
	amount_range(&text, experiment->metrics[0].unit, &own->total);
	screen_say(screen, ROLE_TEXT, "%s; %s", text.chars,
		own->post_hoc ? "made after a result, and marked" :
				"locked when a run begins");
	text_free(&text);
}

void status_after(struct screen *screen, const struct words *words,
	const struct before *before)
{
	const char *verb = words->word[0];
	const char *first = words->count > 1 ? words->word[1] : "";

	if (!strcmp(verb, "record"))
		say_recording(screen, first);
	else if (!strcmp(verb, "note"))
		say_note(screen, words);
	else if (!strcmp(verb, "predict") && words->count > 2)
		say_expected(screen, first);
	else if (!strcmp(verb, "load"))
		say_loaded(screen, first, before);
}
