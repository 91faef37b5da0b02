/* Looks up views in the table. */
#include "views.h"

#include <string.h>

/* ---- completion words: a test compares them with view_table.c --------- */

const char *const view_words[] = { "lab", "sweep", "net", "compare", "machine",
	NULL };

const char *const focus_words[] = { "list", "form", "plot", "probe",
	"handshake", "rounds", "sequence", "window", "rtt", "throughput",
	"packets", "path", "events", "connections", "compared", "browser",
	"fleet", "history", "checks", "facts", "next", "last", NULL };

const char *const snapshot_words[] = { "lab", "sweep", "net", "compare",
	"machine", "about", "details", "keys", "words", NULL };

/* ---- looking up ------------------------------------------------------- */

const struct view *views;

void views_use(const struct view table[VIEWS])
{
	views = table;
}

bool view_is_there(enum view_name view)
{
	return view < VIEWS && views[view].name;
}

enum view_name view_named(const char *name)
{
	int i = 0;

	while (i < VIEWS && !(views[i].name && !strcmp(views[i].name, name)))
		i++;
	return (enum view_name)i;
}

enum view_name view_with_place(const char *name, int *place)
{
	for (int i = 0; i < VIEWS; i++)
		for (*place = 0; *place < view_places((enum view_name)i);
			++*place)
			if (!strcmp(views[i].places[*place].name, name))
				return (enum view_name)i;
	return VIEWS;
}

int view_places(enum view_name view)
{
	int count = 0;

	while (view_is_there(view) && views[view].places[count].name)
		count++;
	return count;
}
