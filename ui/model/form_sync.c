/* Updates forms from command lines. */
#include "form_sync.h"

#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "memory.h"

/* Assigns to the experiment's parameter of that name if it has one and `common`
 * is false; otherwise to the run option. */
static void take(struct form *form, const char *word, bool common)
{
	const char *equals = strchr(word, '=');
	char *name = xstrndup(word, (size_t)(equals - word));
	struct param_set *set = !common && param_row(form->args.rows, name) ?
		&form->args :
		&form->common;
	struct error ignored;

	/* The command was already checked. A file may name a value that this
	 * machine does not have; then the form keeps its value. */
	param_set_values(set, name, equals + 1, &ignored);
	form->budget_asked |= !strcmp(name, "budget");
	free(name);
}

void form_sync_from_run(struct screen *screen, const struct words *words)
{
	const struct registry *registry = &screen->lab->registry;
	struct error ignored;

	if (words->count < 2 || strcmp(words->word[0], "run") != 0)
		return;
	const struct experiment *meant =
		registry_get(registry, words->word[1], &ignored);
	for (size_t i = 0; i < registry->count; i++) {
		struct form *form = &screen->forms[i];

		if (registry->list[i] != meant)
			continue;
		if (words->count > 2 && !is_assignment(words->word[2]))
			return;
		param_set_free(&form->args);
		param_set_free(&form->common);
		param_set_init(&form->args, registry->list[i]->params);
		param_set_copy(&form->common, &screen->lab->common);
		form->budget_asked = screen->lab->budget_set;
		form->edited = false;
		for (size_t w = 2; w < words->count; w++)
			if (is_assignment(words->word[w]))
				take(form, words->word[w], false);
	}
}

void form_sync_from_set(struct screen *screen, const struct words *words)
{
	for (size_t i = 0; i < screen->lab->registry.count; i++)
		for (size_t w = 1; w < words->count; w++)
			if (is_assignment(words->word[w]))
				take(&screen->forms[i], words->word[w], true);
}

void form_sync_from_session(struct screen *screen)
{
	const struct registry *registry = &screen->lab->registry;

	for (size_t i = 0; i < registry->count; i++) {
		const struct results *last = session_last(screen->lab->session,
			registry->list[i]->name);
		struct words words = { 0 };
		struct error ignored;

		if (!last || !last->asked || screen->forms[i].edited)
			continue;
		struct reader reader = reader_of(last->asked);
		if (!words_read(&words, &reader, &ignored) && words.count > 1 &&
			!strcmp(words.word[1], registry->list[i]->name))
			form_sync_from_run(screen, &words);
		words_free(&words);
	}
}
