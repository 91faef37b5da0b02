/* Bytes as a script, and as the words of a command line. */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "memory.h"
#include "script.h"

/* Quoted words read as the same words. */
static void check_words(const struct words *words)
{
	struct text line = { 0 };
	struct words again;
	struct error error;

	for (size_t i = 0; i < words->count; i++) {
		text_add_char(&line, ' ');
		words_quote(&line, words->word[i]);
	}
	struct reader reader = reader_of(text_chars(&line));
	must(!words_read(&again, &reader, &error));
	must(again.count == words->count);
	for (size_t i = 0; i < words->count; i++)
		must(!strcmp(again.word[i], words->word[i]));
	words_free(&again);
	text_free(&line);
}

static void check_fault(const struct script *script, const struct error *error)
{
	struct text said = { 0 };

	must_be_sentence(error);
	script_say(script, error, &said);
	script_point(script, error, &said);
	must_be_safe(&said, "\n");
	text_free(&said);
}

/* What a check might change. */
struct state {
	unsigned version;
	size_t queued, notes;
	bool changed, budget_set, quit, record;
};

static struct state state_of(const struct lab *lab)
{
	return (struct state){
		.version = lab->version,
		.queued = lab->queue_count,
		.notes = lab->session->note_count,
		.changed = lab->session->changed,
		.budget_set = lab->budget_set,
		.quit = lab->quit,
		.record = lab->record != NULL,
	};
}

static void must_be_same(const struct state *a, const struct lab *lab)
{
	struct state b = state_of(lab);

	must(a->version == b.version && a->queued == b.queued &&
		a->notes == b.notes && a->changed == b.changed &&
		a->budget_set == b.budget_set && a->quit == b.quit &&
		a->record == b.record);
}

static void read_script(struct lab *lab, const char *name, const char *text,
	size_t size)
{
	struct state before = state_of(lab);
	struct script script;
	struct error error = { 0 };

	if (script_parse(lab, name, text, size, &script, &error))
		check_fault(&script, &error);
	for (size_t i = 0; i < script.count; i++)
		check_words(&script.list[i]);
	script_free(&script);
	must_be_same(&before, lab);
}

/* A word per line. */
static void read_words(struct lab *lab, char *text)
{
	enum { WORDS_MOST = 100 };
	struct state before = state_of(lab);
	char *list[WORDS_MOST + 1], *rest = text;
	struct script script;
	struct error error = { 0 };
	size_t count = 0;

	while (rest && count < WORDS_MOST)
		list[count++] = strsep(&rest, "\n");
	list[count] = NULL;
	if (script_of_words(lab, list, &script, &error))
		check_fault(&script, &error);
	script_free(&script);
	must_be_same(&before, lab);
}

void script_input(const uint8_t *data, size_t size)
{
	char *text = size ? xstrndup((const char *)data, size) : xstrdup("");
	char *whole = xmalloc(size + 1);

	/* With bytes 0, which xstrndup() ends at. */
	if (size)
		memcpy(whole, data, size);
	whole[size] = '\0';
	read_script(the_lab(), "input.lab", whole, size);
	read_script(the_lab(), "", text, strlen(text));
	read_words(the_lab(), text);
	free(text);
	free(whole);
}
