/*
 * The table of views, one row each. A new view needs
 *
 *     ui/NAME/view_NAME.c    the functions of its row
 *     ui/shell/view_table.c  its row
 *     ui/model/views.c       its words in the lists for completion
 *     ui/shell/keys.c        its keys: the digit, Esc, and its own keys.
 *                            `where` is its name or a place's name
 *
 * This provides the title, the verbs `view`, `focus` and `snapshot`, help,
 * completion, clicks, and the common tests of views. A view without a row does
 * not exist.
 *
 * A view owns the data it keeps between two drawings: a structure in
 * screen->kept[], created when needed, that its release() frees.
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

/* A part of a view that can have the focus. Names are unique among all views:
 * `focus NAME` opens the view that has the place. */
struct view_place {
	const char *name;  /* "list": word of `focus`, `where` of keys */
	const char *title; /* "In the list of experiments": for the help */
	const char *about; /* what it shows, if the title does not say it, or
			    * NULL */
};

enum { VIEW_PARTS = 12 };

struct view {
	const char *name;  /* "lab": word of `view` and `snapshot` */
	const char *title; /* "Lab" */
	const struct view_place
		*places; /* at least one; ends with a NULL name */
	/* The parts of the body that draw() draws into. They never overlap and
	 * cover the whole body. Returns their number, at most VIEW_PARTS. */
	int (*parts)(const struct screen *, const struct pane *body,
		struct pane *parts);
	void (*draw)(struct screen *, const struct pane *body);

	/* The following members may be NULL. */
	/* The place where keys act, if it can differ from the focus. */
	int (*place)(const struct screen *);
	const struct command *commands; /* its own verbs; self: the screen */
	/* Appends the right part of the title row, at most `room` columns. Text
	 * that does not fit is omitted. */
	void (*add_state)(const struct screen *, int room, struct text *);
	void (*enter)(struct screen *);           /* it becomes the current
						   * view */
	void (*move)(struct screen *, int steps); /* the verb `move` */
	void (*forget)(
		struct screen *); /* the session was replaced and its runs
				   * freed: drop references to them */
	void (*release)(struct screen *); /* frees its data */
};
/* VIEWS rows; set before a screen is created. */
extern const struct view *views;
void views_use(const struct view table[VIEWS]);

/* Words for completion, NULL-terminated. */
extern const char *const view_words[], *const focus_words[],
					       *const snapshot_words[];

bool view_is_there(enum view_name);
/* Returns VIEWS if the name is unknown. */
enum view_name view_named(const char *);
/* The view that has a place of this name, and the index of the place; VIEWS if
 * the name is unknown. */
enum view_name view_with_place(const char *, int *place);
int view_places(enum view_name);

#endif
