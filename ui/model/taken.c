/* Forms go along with lines. */
#include "taken.h"

#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "memory.h"

static void take(struct draft *draft, const char *word)
{
	const char *equals = strchr(word, '=');
	char *name = xstrndup(word, (size_t)(equals - word));
	struct param_set *set = param_row(draft->args.rows, name) ?
		&draft->args :
		&draft->common;
	struct error ignored;

	/* The language has checked it; what a file says and this machine has
	 * not stays as it is. */
	param_set_values(set, name, equals + 1, &ignored);
	draft->budget_asked |= !strcmp(name, "budget");
	free(name);
}

void taken_by_form(struct screen *screen, const struct words *words)
{
	const struct registry *registry = &screen->lab->registry;

	if (words->count < 2 || strcmp(words->word[0], "run") != 0)
		return;
	for (size_t i = 0; i < registry->count; i++) {
		struct draft *draft = &screen->drafts[i];

		if (strcmp(registry->list[i]->name, words->word[1]) != 0)
			continue;
		if (words->count > 2 && !is_assignment(words->word[2]))
			return;
		param_set_free(&draft->args);
		param_set_free(&draft->common);
		param_set_init(&draft->args, registry->list[i]->params);
		param_set_copy(&draft->common, &screen->lab->common);
		draft->budget_asked = screen->lab->budget_set;
		draft->edited = false;
		for (size_t w = 2; w < words->count; w++)
			if (is_assignment(words->word[w]))
				take(draft, words->word[w]);
	}
}

void taken_from_session(struct screen *screen)
{
	const struct registry *registry = &screen->lab->registry;

	for (size_t i = 0; i < registry->count; i++) {
		const struct results *last = session_last(screen->lab->session,
			registry->list[i]->name);
		struct words words = { 0 };
		struct error ignored;

		if (!last || !last->asked || screen->drafts[i].edited)
			continue;
		struct reader reader = reader_of(last->asked);
		if (!words_read(&words, &reader, &ignored) && words.count > 1 &&
			!strcmp(words.word[1], registry->list[i]->name))
			taken_by_form(screen, &words);
		words_free(&words);
	}
}
