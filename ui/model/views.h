/*
 * The screens there are: one row each. Whoever adds one writes
 *
 *     ui/NAME/view_NAME.c    what its row points to
 *     ui/shell/view_table.c  its row
 *     ui/model/views.c       its words in the lists for completion
 *     ui/shell/keys.c        its keys: the digit, Esc, and its own with its
 *                            name, or one of its places', as `where`
 *
 * and has the title, the verbs `view`, `focus` and `snapshot`, help,
 * completion, clicks, and the tests of what every view must keep. A view
 * without a row is not there: nothing names it.
 *
 * What a view keeps between two drawings is its own: a structure that it makes
 * when it needs it, in screen->kept[], and that its release() frees.
 */
#ifndef BENCHTOP_VIEWS_H
#define BENCHTOP_VIEWS_H

#include "command.h"
#include "grid.h"

struct screen;

/* In the order of their digits: 1, 2, .. */
enum view_name {
	VIEW_LAB,
	VIEW_SWEEP,
	VIEW_NET,
	VIEW_COMPARE,
	VIEW_MACHINE,
	VIEWS,
};

/* Where keys can go in a view. The names are unique among all views: `focus
 * NAME` opens the view that has it. */
struct view_place {
	const char *name;  /* "list": the word of `focus`, `where` of keys */
	const char *title; /* "In the list of experiments": for the help */
	const char *about; /* what it shows, where that wants words; NULL */
};

enum { VIEW_PARTS = 12 };

struct view {
	const char *name;  /* "lab": of `view` and `snapshot` */
	const char *title; /* "Lab" */
	const struct view_place
		*places; /* one at least; ends with a NULL name */
	/* The parts of the body that draw() draws into: they never overlap, and
	 * leave nothing. Returns how many, VIEW_PARTS at most. */
	int (*parts)(const struct screen *, const struct pane *body,
		struct pane *parts);
	void (*draw)(struct screen *, const struct pane *body);

	/* Those that follow may be NULL. */
	/* Where keys act, where that may be another place than the focus. */
	int (*place)(const struct screen *);
	const struct command *commands; /* its own verbs; self: the screen */
	/* What the title row says on its right, in so many columns: what does
	 * not fit is not shown. */
	void (*add_state)(const struct screen *, int room, struct text *);
	void (*enter)(struct screen *);           /* it comes into view */
	void (*move)(struct screen *, int steps); /* the verb `move` */
	void (*forget)(
		struct screen *); /* the session's runs are about to go */
	void (*release)(struct screen *); /* frees what it keeps */
};
/* VIEWS rows; set before any screen is made. */
extern const struct view *views;
void views_use(const struct view table[VIEWS]);

/* Words for completion, NULL-terminated. */
extern const char *const view_words[], *const focus_words[],
					       *const snapshot_words[];

bool view_is_there(enum view_name);
/* VIEWS where there is none of that name. */
enum view_name view_named(const char *);
/* The view that has a place of that name, and which of its places; VIEWS. */
enum view_name view_with_place(const char *, int *place);
int view_places(enum view_name);

#endif
