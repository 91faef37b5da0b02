/*
 * What the screen knows besides the lab: where the eye is, what is being
 * typed, and what a person has changed but not yet run. Views draw it; the
 * screen's own commands change it; nothing else does.
 */
#ifndef BENCHTOP_SCREEN_H
#define BENCHTOP_SCREEN_H

#include "figures.h"
#include "grid.h"
#include "lab.h"
#include "prompt.h"
#include "settings.h"
#include "theme.h"
#include "views.h"

/* Places of the Lab. */
enum focus { FOCUS_LIST, FOCUS_FORM, FOCUS_PLOT, FOCUSES };

enum { POINT_FOLLOWS = -1 };

/* An experiment as it stands on the screen. */
struct form {
	struct param_set args, common;
	bool budget_asked;
	bool edited; /* by hand, and not run since */
	int field;   /* selected row of the form, see screen_field() */
	int point;   /* selected point of a sweep, or POINT_FOLLOWS */
	bool zoomed; /* the histogram of that point, not the table */
	bool marked; /* for running all that are marked */
	bool waits;  /* marked, and its run waits for its turn */
	/* Figures of its last run, computed once per run. */
	const struct results *last;
	double headline;
	enum quality quality;
};

/* A line of the list: a group, or an experiment of an open group. */
struct item {
	size_t experiment; /* the first of its group, for a group */
	bool group;
};

/* A text that covers the screen. */
struct page {
	char *title, *text; /* owned; NULL: no page */
	char *filter;       /* only lines with this; NULL: all */
	int row;            /* first row that is shown */
	int columns, rows;  /* it was drawn in last; 0: not yet */
};

/* Of a line that was executed: what its runs hold up. */
struct rest {
	struct text line;   /* statements; empty: none wait */
	struct text failed; /* the first of its gates that did not hold */
	bool stopped;       /* its runs were: no other is begun */
};

/* A menu on top of the screen: menu.h. */
enum menu_kind { MENU_NONE, MENU_EXPORT, MENU_NOTES };

struct menu {
	enum menu_kind kind;
	int chosen;
};

struct screen {
	struct lab *lab;
	enum tier tier;
	enum theme theme;
	struct settings settings; /* what is remembered */
	enum view_name view;
	int focus[VIEWS];     /* which place of each view */
	void *kept[VIEWS];    /* each view's own, see views.h */
	struct form *forms; /* one per experiment */
	bool *folded;         /* one per experiment: its group, at the first */
	struct item *items;   /* the visible lines of the list */
	size_t item_count;
	size_t selected; /* index into items */
	char *found;     /* what was looked for last; NULL */
	struct prompt prompt;
	struct text message; /* the status sentence */
	enum role message_role;
	bool message_read;   /* a key was pressed since */
	size_t message_core; /* bytes that a row too short for all shows; 0:
			      * as much as there is room for */
	struct rest rest;
	struct plot_options plot;
	struct figures figures;
	struct page page;
	struct menu menu;
	char *examined; /* what the doctor found while a page was open, owned */
	size_t followed; /* number of the run the selection has gone along
			  * with, from 1; 0: none goes on */
	const struct session *session; /* the lab's; only compared */
};

void screen_init(struct screen *, struct lab *);
void screen_release(struct screen *);

/* The experiment under the selection (the group's first, on a group). */
size_t screen_experiment(const struct screen *);
const struct experiment *screen_descriptor(const struct screen *);
struct form *screen_form(struct screen *);
bool screen_on_group(const struct screen *);
/* Rebuilds the items after folding, keeping the selection. */
void screen_list(struct screen *);
/* Selects an experiment, or with `group` its group's line. */
void screen_select(struct screen *, size_t experiment, bool group);
/* The same, opening its group. */
void screen_bring(struct screen *, size_t experiment, bool group);

/* Rows of the form: the experiment's parameters, the prediction, then what
 * every run has. NULL for the prediction. */
int screen_fields(const struct form *);
struct param_set *screen_field(struct form *, int field, size_t *row);
/* A row of a set as this machine has it: no processors beyond its last. */
struct param screen_row(const struct screen *, const struct param_set *,
	size_t row);

/* The results to show for the selected experiment: the run that goes on, else
 * the last of the session, else NULL. *live says which. */
const struct results *screen_results(const struct screen *, bool *live);
/* Which of its points: the selected one, else the one being measured or, at
 * the end, the last that has figures. */
size_t screen_point(const struct screen *, const struct results *);
/* How many experiments are marked. */
size_t screen_marked(const struct screen *);
/* Up-to-date figures for a histogram of so many columns. */
const struct figures *screen_figures(struct screen *, int columns);
/* The median of an experiment's last run; NaN where there is none. */
double screen_headline(struct screen *, size_t experiment);
/* The quality of that run; good where there is none. */
enum quality screen_quality(struct screen *, size_t experiment);

void screen_say(struct screen *, enum role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Takes over what is remembered, where the options say nothing. */
void screen_recall(struct screen *, const struct ui_options *);
/* Opens a page; the text is copied. */
void screen_open_page(struct screen *, const char *title, const char *text);
void screen_close_page(struct screen *);
/* The command line that repeats what is on the screen. */
void screen_line(const struct screen *, struct text *);

/* Brings another of the screens into view; at one of its places, unless that
 * is -1. */
void screen_view(struct screen *, enum view_name, int place);

/* Key names as terminal.h gives them; a character has its code. */
void screen_key(struct screen *, const char *key, uint32_t code);
/* A click at a place of the grid that was drawn last. */
void screen_click(struct screen *, const struct grid *, int column, int row);

#endif
