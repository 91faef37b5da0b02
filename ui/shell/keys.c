/* The table of key bindings. */
#include "keys.h"

#include <string.h>

#include "screen.h"

/* A key that the key bar does not show. */
#define QUIET(place, key, line, help) \
	{ \
		place, key, line, NULL, help, ALWAYS, 0 \
	}
/* Rows that many places share: one step, by arrows and by letters; ten steps;
 * the first and the last `one`. */
#define STEPS(place, verb, before, after) \
	QUIET(place, "Up", verb " -1", before), \
		QUIET(place, "k", verb " -1", before), \
		QUIET(place, "Down", verb " 1", after), \
		QUIET(place, "j", verb " 1", after)
#define TENS(place) \
	QUIET(place, "PageUp", "move -10", "ten up"), \
		QUIET(place, "PageDown", "move 10", "ten down")
#define ENDS(place, verb, one) \
	QUIET(place, "Home", verb " -1000", "to the first" one), \
		QUIET(place, "g", verb " -1000", "to the first" one), \
		QUIET(place, "End", verb " 1000", "to the last" one), \
		QUIET(place, "G", verb " 1000", "to the last" one)

const struct binding bindings[] = {
	STEPS("list", "move", "up", "down"),
	TENS("list"),
	ENDS("list", "move", ""),
	{ "list", "Enter", "focus form", NULL,
		"to the parameters; open or close a group", ALWAYS, 0 },
	{ "list", "Right", "focus form", NULL,
		"to the parameters; open or close a group", ALWAYS, 0 },
	{ "list", "Left", "fold", NULL, "open or close the group", ALWAYS,
		0 },
	STEPS("form", "move", "row up", "row down"),
	{ "form", "PageUp", "move -5", NULL, "five up", ALWAYS, 0 },
	{ "form", "PageDown", "move 5", NULL, "five down", ALWAYS, 0 },
	{ "form", "Left", "change -1", NULL, "previous value", ALWAYS, 0 },
	{ "form", "h", "change -1", NULL, "previous value", ALWAYS, 0 },
	{ "form", "Right", "change 1", NULL, "next value", ALWAYS, 0 },
	{ "form", "l", "change 1", NULL, "next value", ALWAYS, 0 },
	{ "form", "Enter", "edit", "type", "type a value, a list or a range",
		ALWAYS, 0 },
	{ "form", "Backspace", "edit preset", "preset", "back to the preset",
		ALWAYS, 1 },
	{ "form", "Esc", "focus list", "back", "to the list", ALWAYS, 0 },
	STEPS("plot", "move", "point of a sweep up", "point of a sweep down"),
	TENS("plot"),
	{ "plot", "Enter", "plot point", NULL,
		"the histogram of this point, or all points", ALWAYS, 0 },
	{ "plot", "Esc", "focus list", "back", "to the list", ALWAYS, 0 },
	STEPS("page", "scroll", "up", "down"),
	{ "page", "PageUp", "scroll page-back", NULL, "page up", ALWAYS, 0 },
	{ "page", "PageDown", "scroll page", "page down", "page down", ALWAYS,
		1 },
	{ "page", "Space", "scroll page", NULL, "page down", ALWAYS, 0 },
	ENDS("page", "scroll", " line"),
	{ "page", "/", "filter", "only lines with ..",
		"only the lines with a word", ALWAYS, 0 },
	{ "page", "Esc", "scroll away", "back",
		"show all lines again, or close the page", ALWAYS, 0 },
	QUIET("page", "Enter", "scroll away", "close the page"),
	{ "page", "q", "scroll away", NULL, "close the page", ALWAYS, 0 },
	{ "sweep", "t", "sweep table", "table", "the figures, or the plot",
		ALWAYS, 1 },
	{ "sweep", "v", "sweep trace", "trace",
		"values in recorded order, or the sweep", ALWAYS, 1 },
	{ "sweep", "n", "sweep next-trace", "next trace",
		"the next of several traces", ALWAYS, 1 },
	{ "sweep", "m", "sweep map", "map", "a map of two quantities, or lines",
		ALWAYS, 1 },
	{ "sweep", "b", "sweep intervals", "intervals",
		"intervals of the medians", ALWAYS, 1 },
	{ "sweep", "c", "sweep across", NULL,
		"another swept quantity on the horizontal axis", ALWAYS, 0 },
	{ "sweep", "l", "sweep log-up", "lin/log",
		"figures on a logarithmic or linear scale", ALWAYS, 1 },
	{ "sweep", "L", "sweep log-across", NULL,
		"horizontal axis on a logarithmic or linear scale", ALWAYS,
		0 },
	{ "sweep", "+", "sweep closer", NULL, "zoom in, around the probe",
		ALWAYS, 0 },
	{ "sweep", "-", "sweep wider", NULL, "zoom out", ALWAYS, 0 },
	{ "sweep", "Tab", "measured 1", "next", "the next measured experiment",
		ALWAYS, 2 },
	{ "sweep", "S-Tab", "measured -1", NULL, "the previous measured "
		"experiment", ALWAYS, 0 },
	{ "sweep", "Esc", "view lab", "back", "to the Lab", ALWAYS, 0 },
	/* Before the keys of all places, for its place on the key bar. */
	{ "connections", "s", "net sort", "sort",
		"sort by the next column, which stays in view", ALWAYS, 1 },
	STEPS("net", "move", "the previous connection", "the next connection"),
	{ "net", "n", "connection 1", NULL, "the next connection", ALWAYS, 0 },
	{ "net", "N", "connection -1", NULL, "the previous connection", ALWAYS,
		0 },
	{ "net", "Left", "packet -1", NULL, "the previous packet", ALWAYS, 0 },
	{ "net", "h", "packet -1", NULL, "the previous packet", ALWAYS, 0 },
	{ "net", "Right", "packet 1", NULL, "the next packet", ALWAYS, 0 },
	{ "net", "l", "packet 1", NULL, "the next packet", ALWAYS, 0 },
	{ "net", "Home", "packet first", NULL, "to the first packet", ALWAYS,
		0 },
	{ "net", "g", "packet first", NULL, "to the first packet", ALWAYS, 0 },
	{ "net", "End", "packet last", NULL, "to the last packet", ALWAYS,
		0 },
	QUIET("net", "G", "packet last", "to the last packet"),
	{ "net", "Tab", "focus next", "pane", "the next pane", ALWAYS, 1 },
	{ "net", "v", "net plot", "plot",
		"to the plots; there, the next: sequence, window, round trips, "
		"throughput",
		ALWAYS, 1 },
	{ "net", "]", "event 1", "event", "the next event", ALWAYS, 1 },
	{ "net", "[", "event -1", NULL, "the previous event", ALWAYS, 0 },
	{ "net", "s", "focus connections", "list",
		"to the list of connections; there, sort it", ALWAYS, 1 },
	{ "net", "Enter", "decode", "decode", "explain the selected packet",
		ALWAYS, 1 },
	{ "net", "S-Tab", "focus last", NULL, "the previous pane", ALWAYS, 0 },
	{ "net", "z", "net zoom", "zoom", "one pane, or all panes", ALWAYS, 1 },
	{ "net", "t", "net clock", "clock", "time of day, or since the start",
		ALWAYS, 1 },
	{ "net", "m", "net mark", "mark",
		"count times in the list from the selected packet", ALWAYS,
		2 },
	{ "net", "f", "net follow", NULL,
		"follow new packets, as at the start", ALWAYS, 0 },
	{ "net", "c", "net lanes", NULL,
		"the connections on one time axis, or as a table", ALWAYS, 0 },
	{ "net", "/", "prompt only", NULL,
		"list only connections of a host or port", ALWAYS, 0 },
	{ "net", "O", "net other", NULL,
		"switch between the run and the file", ALWAYS, 0 },
	{ "net", "+", "net closer", NULL, "zoom in on time, around the packet",
		ALWAYS, 0 },
	{ "net", "-", "net wider", NULL,
		"zoom out, at last to all of the connection", ALWAYS, 0 },
	{ "net", "0", "net whole", NULL, "the whole transfer again", ALWAYS, 0 },
	{ "net", "Esc", "net back", "back",
		"all panes, all connections, the handshake, then the Lab",
		ALWAYS, 0 },
	STEPS("rounds", "move", "the previous round", "the next round"),
	STEPS("sequence", "move", "start of the previous round",
		"start of the next round"),
	STEPS("window", "move", "start of the previous round",
		"start of the next round"),
	STEPS("rtt", "move", "start of the previous round",
		"start of the next round"),
	STEPS("throughput", "move", "start of the previous round",
		"start of the next round"),
	TENS("connections"),
	{ "connections", "Home", "connection -9999", NULL, "to the first",
		ALWAYS, 0 },
	{ "connections", "g", "connection -9999", NULL, "to the first", ALWAYS,
		0 },
	{ "connections", "End", "connection 9999", NULL, "to the last",
		ALWAYS, 0 },
	QUIET("connections", "G", "connection 9999", "to the last"),
	{ "connections", "S", "net reverse", NULL, "reverse the order", ALWAYS,
		0 },
	{ "connections", "Enter", "focus handshake", NULL,
		"the handshake of this connection", ALWAYS, 0 },
	STEPS("packets", "move", "the previous packet", "the next packet"),
	TENS("packets"),
	STEPS("events", "move", "the previous event", "the next event"),
	TENS("events"),
	QUIET("events", "Home", "event to 1", "to the first event"),
	QUIET("events", "End", "event to 99999", "to the last event"),
	STEPS("compared", "move", "row up", "row down"),
	TENS("compared"),
	ENDS("compared", "move", ""),
	{ "compared", "Enter", "choose", "explain", "the row in words", ALWAYS,
		1 },
	STEPS("browser", "move", "up", "down"),
	TENS("browser"),
	ENDS("browser", "move", ""),
	{ "browser", "Enter", "choose", "use", "use this session", ALWAYS,
		0 },
	{ "browser", "Esc", "contrast back", "back",
		"to the comparison, else to the Lab", ALWAYS,
		0 },
	STEPS("fleet", "move", "the machine above", "the machine below"),
	TENS("fleet"),
	ENDS("fleet", "move", ""),
	{ "fleet", "Left", "contrast left", NULL, "the column to the left",
		ALWAYS, 0 },
	{ "fleet", "Right", "contrast right", NULL, "the column to the right",
		ALWAYS, 0 },
	{ "fleet", "Enter", "choose", "print", "all outliers and series as "
		"text", ALWAYS, 1 },
	QUIET("fleet", "d", "choose", "all outliers and series as text"),
	{ "fleet", "Esc", "contrast back", "back",
		"to the comparison, else to the Lab", ALWAYS, 0 },
	{ "history", "Left", "move -1", NULL, "the previous run", ALWAYS, 0 },
	{ "history", "Right", "move 1", NULL, "the next run", ALWAYS, 0 },
	STEPS("history", "move", "the previous run", "the next run"),
	TENS("history"),
	ENDS("history", "move", " run"),
	{ "history", "Enter", "choose", "print", "all runs as text", ALWAYS,
		1 },
	QUIET("history", "d", "choose", "all runs as text"),
	{ "history", "Esc", "contrast back", "back",
		"to the comparison, else to the Lab", ALWAYS, 0 },
	{ "compare", "a", "browse a", "session A", "choose session A", ALWAYS,
		1 },
	{ "compare", "b", "browse b", "B", "choose session B", ALWAYS, 1 },
	{ "compare", "o", "contrast path", NULL,
		"choose a session by file name", ALWAYS, 0 },
	{ "compare", "f", "contrast fleet", "fleet",
		"the machines of a fleet, or a prompt for their files", ALWAYS,
		2 },
	{ "compared", "n", "contrast cycles", "cycles",
		"compare cycles, or time again", ALWAYS, 1 },
	{ "compared", "s", "contrast order", "sort", "change the sort "
		"order", ALWAYS,
		1 },
	{ "compared", "r", "contrast again", "again",
		"measure the selected row again, into this session", WHEN_IDLE,
		1 },
	QUIET("compare", "r", "contrast again",
		"measure the selected row again"),
	{ "compared", "X", "contrast swap", NULL, "swap A and B", ALWAYS,
		0 },
	{ "compared", "d", "contrast details", "details",
		"all figures and all differences", ALWAYS, 1 },
	{ "compared", "h", "contrast history", "history",
		"the selected row over the kept sessions", ALWAYS, 2 },
	QUIET("compare", "h", "contrast history",
		"the selected row over the kept sessions"),
	{ "compare", "Tab", "focus browser", NULL, "the list of sessions",
		ALWAYS, 0 },
	{ "browser", "Tab", "focus compared", NULL, "the table", ALWAYS, 0 },
	{ "compare", "S-Tab", "focus browser", NULL, "the list of sessions",
		ALWAYS, 0 },
	{ "browser", "S-Tab", "focus compared", NULL, "the table", ALWAYS, 0 },
	{ "compared", "Esc", "view lab", "back", "to the Lab", ALWAYS, 0 },
	STEPS("machine", "move", "up", "down"),
	TENS("machine"),
	ENDS("machine", "move", ""),
	{ "machine", "Enter", "checkup explain", "explain",
		"all details of the check", ALWAYS, 0 },
	{ "machine", "f", "checkup fixes", "fixes", "commands that correct the "
		"findings",
		ALWAYS, 0 },
	{ "machine", "R", "checkup again", "recheck",
		"check again, and measure", WHEN_IDLE, 0 },
	{ "machine", "d", "machine", "details", "full description of the "
		"machine", ALWAYS,
		1 },
	{ "machine", "Tab", "focus next", "pane", "the other pane", ALWAYS, 1 },
	{ "machine", "S-Tab", "focus last", NULL, "the other pane", ALWAYS, 0 },
	{ "machine", "Esc", "view lab", "back", "to the Lab", ALWAYS, 0 },
	STEPS("menu", "entry", "up", "down"),
	{ "menu", "Enter", "menu take", "choose",
		"open the entry's command line; Enter executes", ALWAYS, 0 },
	{ "menu", "Delete", "menu remove", NULL, "remove the note", ALWAYS,
		0 },
	{ "menu", "D", "menu remove", "remove note", "remove the note",
		ALWAYS, 1 },
	{ "menu", "Esc", "menu away", "back", "close the list", ALWAYS, 0 },
	{ "menu", "q", "menu away", NULL, "close the list", ALWAYS, 0 },
	{ "views", "r", "start", "run", "run the experiment on the screen",
		WHEN_IDLE, 0 },
	{ "views", "F5", "start", NULL, "run the experiment on the screen",
		ALWAYS, 0 },
	{ "views", "x", "stop", "stop", "stop the run and keep its data",
		WHEN_BUSY, 0 },
	{ "views", "e", "focus form", "edit", "to the parameters", ALWAYS, 1 },
	{ "views", "p", "guess", "predict", "type what you expect", ALWAYS, 1 },
	{ "views", "d", "details", "details", "every figure of the result",
		ALWAYS, 1 },
	{ "lab", "R", "batch", "run marked", "run all marked experiments",
		WHEN_IDLE, 2 },
	{ "list", "Space", "mark", "mark", "mark for a later run with R",
		ALWAYS, 2 },
	{ "lab", "Tab", "focus next", NULL, "the next pane", ALWAYS, 0 },
	{ "lab", "S-Tab", "focus last", NULL, "the previous pane", ALWAYS, 0 },
	{ "lab", "z", "plot point", NULL,
		"the histogram of one point of a sweep, or all points", ALWAYS,
		0 },
	{ "lab", "l", "plot log-count", NULL, "counts on a log scale", ALWAYS,
		0 },
	{ "lab", "L", "plot log-value", NULL, "values on a log scale", ALWAYS,
		0 },
	{ "lab", "c", "plot cumulative", NULL,
		"cumulative distribution", ALWAYS, 0 },
	{ "lab", "+", "plot finer", NULL, "more bins", ALWAYS, 0 },
	{ "lab", "-", "plot coarser", NULL, "fewer bins", ALWAYS, 0 },
	{ "views", "a", "prompt note", "note", "add a note to the session",
		ALWAYS, 2 },
	{ "views", "w", "prompt save", "save", "save the session to a file",
		ALWAYS, 1 },
	{ "views", "o", "prompt load", "open", "load a session from a file",
		ALWAYS, 2 },
	{ "views", "E", "menu export", "export",
		"list what can be written to a file", ALWAYS, 0 },
	{ "views", "A", "menu notes", NULL, "all notes, to edit or remove",
		ALWAYS, 0 },
	{ "lab", "/", "find", "find", "find an experiment", ALWAYS, 1 },
	{ "lab", "n", "again 1", NULL, "find the next match", ALWAYS, 0 },
	{ "lab", "N", "again -1", NULL, "find the previous match", ALWAYS, 0 },
	{ "probe", "Left", "probe -1", NULL, "the probe to the left", ALWAYS,
		0 },
	{ "probe", "h", "probe -1", NULL, "the probe to the left", ALWAYS, 0 },
	{ "probe", "Right", "probe 1", NULL, "the probe to the right", ALWAYS,
		0 },
	{ "probe", "PageUp", "probe -10", NULL, "ten to the left", ALWAYS, 0 },
	{ "probe", "PageDown", "probe 10", NULL, "ten to the right", ALWAYS,
		0 },
	ENDS("probe", "probe", ""),
	STEPS("probe", "move", "the line above, the previous peak",
		"the line below, the next peak"),
	{ "probe", "Enter", "focus plot", NULL, "this point in the Lab", ALWAYS,
		0 },
	{ "views", "1", "view lab", NULL, "the Lab screen", ALWAYS, 0 },
	{ "views", "2", "view sweep", NULL, "the Sweep screen", ALWAYS, 0 },
	{ "views", "3", "view net", NULL, "the Net screen", ALWAYS, 0 },
	{ "views", "4", "view compare", NULL, "the Compare screen", ALWAYS, 0 },
	{ "views", "5", "view machine", NULL, "the Machine screen", ALWAYS, 0 },
	{ "", ":", "prompt", "command", "type any command", ALWAYS, 1 },
	{ "", "?", "keys", "help", "this key help", ALWAYS, 0 },
	{ "", "F1", "keys", NULL, "this key help", ALWAYS, 0 },
	QUIET("", ">", "tour next", "start the tour; there, skip a step"),
	QUIET("", "H", "tour off", "end the tour"),
	{ "views", "i", "about", NULL,
		"method and parameters of the experiment", ALWAYS, 0 },
	{ "", "W", "words", "words", "the glossary", ALWAYS, 2 },
	QUIET("", "U", "glyphs", "other glyphs, if these are unreadable"),
	{ "", "T", "theme", NULL, "other colours", ALWAYS, 0 },
	{ "", "C-l", "redraw", NULL, "redraw the screen", ALWAYS, 0 },
	{ "views", "q", "quit", "quit", "leave the lab", ALWAYS, 0 },
	{ "views", "F10", "quit", NULL, "leave the lab", ALWAYS, 0 },
	{ .key = NULL },
};

const struct first_keys first_keys[] = {
	{ "Up Down", "select an experiment, a parameter or a point" },
	{ "Enter", "go to the parameters; there, type a value" },
	{ "p", "predict: type what you expect before you run" },
	{ "r", "run the selected experiment" },
	{ "x", "stop the run and keep its data" },
	{ "d", "show every figure of the result" },
	{ "1 2 3 4 5", "switch screens: Lab, Sweep, Net, Compare, Machine" },
	{ "E", "export figures, a report or this screen to a file" },
	{ "Esc", "go one step back" },
	{ "q", "leave the lab; the session is kept" },
	{ .keys = NULL },
};
_Static_assert(sizeof bindings / sizeof *bindings <= BINDINGS_MOST,
	"BINDINGS_MOST is too small");

const char *binding_place(const struct screen *screen)
{
	const struct view *view = &views[screen->view];
	int place =
		view->place ? view->place(screen) : screen->focus[screen->view];

	return screen->page.text  ? "page" :
		screen->menu.kind ? "menu" :
				    view->places[place].name;
}

/* How specific a binding's place is: higher values win. 0: the binding does not
 * apply. */
static int nearness(const struct screen *screen, const char *where)
{
	enum { NOT, EVERYWHERE, ANY_VIEW, THIS_VIEW, HERE };

	if (!*where)
		return EVERYWHERE;
	if (!strcmp(where, binding_place(screen)))
		return HERE;
	if (screen->page.text || screen->menu.kind)
		return NOT;
	if (!strcmp(where, views[screen->view].name))
		return THIS_VIEW;
	return strcmp(where, "views") ? NOT : ANY_VIEW;
}

bool binding_applies(const struct screen *screen, const struct binding *row)
{
	return binding_find(screen, row->key) == row;
}

const struct binding *binding_find(const struct screen *screen, const char *key)
{
	const struct binding *found = NULL;
	int best = 0;

	for (const struct binding *row = bindings; row->key; row++) {
		/* Compare the first character first: the key bar looks up all
		 * keys, ten times a second. */
		if (row->key[0] != key[0] || strcmp(row->key, key) != 0)
			continue;
		int near = nearness(screen, row->where);

		if (near <= best)
			continue;
		best = near;
		found = row;
	}
	return found;
}
