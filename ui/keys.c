/* Keys and what they mean. */
#include "keys.h"

#include <string.h>

#include "screen.h"

const struct binding bindings[] = {
	{ "list", "Up", "move -1", NULL, "up", ALWAYS },
	{ "list", "k", "move -1", NULL, "up", ALWAYS },
	{ "list", "Down", "move 1", NULL, "down", ALWAYS },
	{ "list", "j", "move 1", NULL, "down", ALWAYS },
	{ "list", "PageUp", "move -10", NULL, "ten up", ALWAYS },
	{ "list", "PageDown", "move 10", NULL, "ten down", ALWAYS },
	{ "list", "Home", "move -1000", NULL, "to the first", ALWAYS },
	{ "list", "g", "move -1000", NULL, "to the first", ALWAYS },
	{ "list", "End", "move 1000", NULL, "to the last", ALWAYS },
	{ "list", "G", "glyphs", NULL, "other glyphs, if these look wrong",
		ALWAYS },
	{ "list", "Enter", "focus form", NULL,
		"to the parameters, or folds a group", ALWAYS },
	{ "list", "Right", "focus form", NULL, "to the parameters", ALWAYS },
	{ "list", "Space", "fold", NULL, "folds the group", ALWAYS },
	{ "form", "Up", "move -1", NULL, "row up", ALWAYS },
	{ "form", "k", "move -1", NULL, "row up", ALWAYS },
	{ "form", "Down", "move 1", NULL, "row down", ALWAYS },
	{ "form", "j", "move 1", NULL, "row down", ALWAYS },
	{ "form", "Left", "change -1", NULL, "previous value", ALWAYS },
	{ "form", "h", "change -1", NULL, "previous value", ALWAYS },
	{ "form", "Right", "change 1", NULL, "next value", ALWAYS },
	{ "form", "l", "change 1", NULL, "next value", ALWAYS },
	{ "form", "Enter", "edit", "type", "type a value, a list or a range",
		ALWAYS },
	{ "form", "Backspace", "edit preset", NULL, "back to the preset",
		ALWAYS },
	{ "form", "Esc", "focus list", "back", "to the list", ALWAYS },
	{ "page", "Up", "scroll -1", NULL, "up", ALWAYS },
	{ "page", "k", "scroll -1", NULL, "up", ALWAYS },
	{ "page", "Down", "scroll 1", NULL, "down", ALWAYS },
	{ "page", "j", "scroll 1", NULL, "down", ALWAYS },
	{ "page", "PageUp", "scroll -20", NULL, "page up", ALWAYS },
	{ "page", "PageDown", "scroll 20", NULL, "page down", ALWAYS },
	{ "page", "Space", "scroll 20", NULL, "page down", ALWAYS },
	{ "page", "Esc", "scroll away", "back", "closes the page", ALWAYS },
	{ "page", "q", "scroll away", NULL, "closes the page", ALWAYS },
	{ "", "r", "start", "run", "measures what the screen shows",
		WHEN_IDLE },
	{ "", "F5", "start", NULL, "measures what the screen shows", ALWAYS },
	{ "", "x", "stop", "stop", "stops the run, keeping what it has",
		WHEN_BUSY },
	{ "", "e", "focus form", "edit", "to the parameters", ALWAYS },
	{ "", "p", "guess", "predict", "type a prediction", ALWAYS },
	{ "", "Tab", "focus next", NULL, "the other pane", ALWAYS },
	{ "", "S-Tab", "focus next", NULL, "the other pane", ALWAYS },
	{ "", "w", "prompt save", "write", "save the session", ALWAYS },
	{ "", "/", "find", "find", "find an experiment", ALWAYS },
	{ "", ":", "prompt", "command", "type any command", ALWAYS },
	{ "", "?", "keys", "help", "what the keys do", ALWAYS },
	{ "", "F1", "keys", NULL, "what the keys do", ALWAYS },
	{ "", "i", "about", NULL, "method and parameters in words", ALWAYS },
	{ "", "C-l", "redraw", NULL, "draws everything again", ALWAYS },
	{ "", "q", "quit", "quit", "leaves the lab", ALWAYS },
	{ "", "F10", "quit", NULL, "leaves the lab", ALWAYS },
	{ .key = NULL },
};

const char *binding_place(const struct screen *screen)
{
	if (screen->page)
		return "page";
	return screen->focus == FOCUS_FORM ? "form" : "list";
}

const struct binding *binding_find(const struct screen *screen, const char *key)
{
	const char *place = binding_place(screen);
	const struct binding *everywhere = NULL;

	for (const struct binding *row = bindings; row->key; row++) {
		if (strcmp(row->key, key))
			continue;
		if (!strcmp(row->where, place))
			return row;
		if (!*row->where)
			everywhere = row;
	}
	return everywhere;
}
