/* Draws the facts about the machine, line by line. */
#include <stdlib.h>
#include <string.h>

#include "machine_text.h"
#include "memory.h"
#include "view_machine.h"

enum { NAME = 12, VALUE = NAME + 1, FACTS_MOST = 64, ROWS_EACH = 3, FEW = 16 };

struct fact {
	char *name, *value; /* owned */
	int rank;
};

struct facts_list {
	struct fact list[FACTS_MOST];
	size_t count;
};

/* The facts that affect figures most come first. All others follow in their
 * original order. */
static const char *const first[] = { "host", "cpu", "cycle", "processors",
	"siblings", "governor", "clock", "memory", "modules", "kernel",
	"hypervisor", "system", "disk", "network", NULL };
/* The map shows these facts. */
static const char *const mapped[] = { "L1d", "L1i", "L2", "L3", "L4", NULL };

static int place_in(const char *const *list, const char *name)
{
	int i = 0;

	while (list[i] && strcmp(list[i], name) != 0)
		i++;
	return i;
}

static void trim(struct text *text)
{
	while (text->length && text->chars[text->length - 1] == ' ')
		text->chars[--text->length] = '\0';
}

static void add_fact(struct facts_list *facts, const char *name,
	size_t name_length, const char *value, size_t value_length)
{
	struct text is = { 0 }, says = { 0 };

	text_add_safe(&is, name, name_length);
	trim(&is);
	text_add_safe(&says, value, value_length);
	if (facts->count < FACTS_MOST)
		facts->list[facts->count++] = (struct fact){
			.name = xstrdup(text_chars(&is)),
			.value = xstrdup(text_chars(&says)),
			.rank = place_in(first, text_chars(&is)),
		};
	text_free(&is);
	text_free(&says);
}

/* Appends the rest of a value that continues on another line. */
static void go_on(struct facts_list *facts, const char *more, size_t length)
{
	struct fact *last = &facts->list[facts->count - 1];
	struct text whole = { 0 };

	text_add(&whole, "%s ", last->value);
	text_add_safe(&whole, more, length);
	free(last->value);
	last->value = text_take(&whole);
}

/* Reads the facts from the lines of machine_text(). */
static void list_facts(const struct machine *machine, struct facts_list *facts)
{
	struct text text = { 0 };

	facts->count = 0;
	machine_text(machine, false, &text);
	for (const char *at = text_chars(&text); *at;) {
		size_t length = strcspn(at, "\n");

		if (length > VALUE && *at != ' ')
			add_fact(facts, at, NAME, at + VALUE, length - VALUE);
		else if (length > VALUE && facts->count)
			go_on(facts, at + VALUE, length - VALUE);
		at += length + (at[length] == '\n');
	}
	text_free(&text);
}

static void sort_facts(struct facts_list *facts)
{
	for (size_t i = 1; i < facts->count; i++)
		for (size_t k = i;
			k > 0 && facts->list[k].rank < facts->list[k - 1].rank;
			k--) {
			struct fact fact = facts->list[k];

			facts->list[k] = facts->list[k - 1];
			facts->list[k - 1] = fact;
		}
}

/* Removes the facts that the map shows. */
static void leave_out(struct facts_list *facts)
{
	size_t kept = 0;

	for (size_t i = 0; i < facts->count; i++) {
		struct fact *fact = &facts->list[i];

		if (mapped[place_in(mapped, fact->name)]) {
			free(fact->name);
			free(fact->value);
			continue;
		}
		facts->list[kept++] = *fact;
	}
	facts->count = kept;
}

/* The rows of a value at a width of `columns`, at most `most`. */
static int rows_of(const char *value, int columns, int most)
{
	size_t length;
	int rows = 0;

	while (rows < most && text_line(&value, columns, &length))
		rows++;
	return rows ? rows : 1;
}

/* Draws facts from index `from`. Long values are cut to a few rows, the last to
 * the rows left. Returns the number of facts drawn. */
static size_t draw_facts(const struct facts_list *facts, size_t from,
	const struct pane *pane)
{
	int columns = pane->columns - VALUE - 1, row = 0;
	size_t i = from;

	for (; i < facts->count && row < pane->rows; i++) {
		const struct fact *fact = &facts->list[i];
		int takes = rows_of(fact->value, columns,
			pane->rows < FEW ? ROWS_EACH - 1 : ROWS_EACH);

		if (takes > pane->rows - row)
			takes = pane->rows - row;
		struct pane value =
			pane_part(pane, 1 + VALUE, row, columns, takes);
		pane_chars(pane, 1, row, ROLE_DIM, fact->name);
		pane_wrap(&value, 0, ROLE_TEXT, fact->value);
		row += takes;
	}
	return i - from;
}

size_t machine_facts(const struct screen *screen,
	const struct inspection *inspection, const struct pane *pane,
	size_t *shown)
{
	struct facts_list facts;

	list_facts(&screen->lab->machine, &facts);
	if (inspection->map.cores)
		leave_out(&facts);
	sort_facts(&facts);
	size_t from = (size_t)inspection->scroll < facts.count ?
		(size_t)inspection->scroll :
		facts.count;
	*shown = draw_facts(&facts, from, pane);
	size_t count = facts.count;
	while (facts.count) {
		free(facts.list[--facts.count].name);
		free(facts.list[facts.count].value);
	}
	return count;
}
