/*
 * The state of the screen beyond the lab: the selection, the line being typed,
 * and settings that the user has changed but not yet run. Views draw this
 * state; only the screen's own commands change it.
 */
#ifndef BENCHTOP_SCREEN_H
#define BENCHTOP_SCREEN_H

#include "digest.h"
#include "figures.h"
#include "grid.h"
#include "lab.h"
#include "prompt.h"
#include "settings.h"
#include "theme.h"
#include "views.h"

/* Panes of the Lab view. */
enum focus { FOCUS_LIST, FOCUS_FORM, FOCUS_PLOT, FOCUSES };

enum { POINT_FOLLOWS = -1 };

/* The settings and view state of one experiment. */
struct form {
	struct param_set args, common;
	bool budget_asked;
	bool edited; /* by the user, since the last run */
	int field;   /* selected row, see screen_field() */
	int point;   /* selected point of a sweep, or POINT_FOLLOWS */
	bool zoomed; /* show the point's histogram, not the table */
	bool marked; /* marked, to run with all marked experiments */
	bool waits;  /* marked, and its run is queued */
};

/* A line of the list: a group, or an experiment of an open group. */
struct item {
	size_t experiment; /* for a group, the first of the group */
	bool group;
};

/* A text that covers the screen. */
struct page {
	char *title, *text; /* owned; NULL: no page */
	char *filter;       /* show only lines with this text; NULL: all */
	int row;            /* first visible row */
	int columns, rows;  /* size of the last drawing; 0: not drawn */
};

/* The statements of an executed line that wait for its runs. */
struct rest {
	struct text line;   /* waiting statements; may be empty */
	struct text failed; /* error of the first failed gate */
	bool stopped;       /* its runs were stopped: do not start others */
};

/* The position in the tour, see tour.h. */
struct tour {
	size_t step;  /* from 1; 0: no tour is running */
	size_t runs;  /* of the session, when the tour began */
	bool offered; /* at the first start, until it begins or is hidden */
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
	struct settings settings; /* saved settings */
	enum view_name view;
	int focus[VIEWS];     /* the focused place of each view */
	void *kept[VIEWS];    /* private data of each view, see views.h */
	struct form *forms; /* one per experiment */
	bool *folded;         /* one per experiment; a group uses its first */
	struct item *items;   /* the visible lines of the list */
	size_t item_count;
	size_t selected; /* index into items */
	char *found;     /* last search text, or NULL */
	struct prompt prompt;
	struct text message; /* the status sentence */
	enum role message_role;
	unsigned said;       /* number of messages so far */
	bool message_read;   /* a key was pressed after the message */
	size_t message_core; /* bytes to show if the row is too short; 0: as
			      * many as fit */
	struct rest rest;
	struct plot_options plot;
	struct figures figures;
	struct page page;
	struct menu menu;
	struct tour tour;
	char *examined; /* findings that arrived while a page was open; owned */
	size_t followed; /* number of the last run that the selection followed,
			  * from 1; 0: no run is running */
	const struct session *session; /* of the lab; only its address is
					* compared */
};

void screen_init(struct screen *, struct lab *);
void screen_release(struct screen *);

/* The selected experiment; for a group, its first. */
size_t screen_experiment(const struct screen *);
const struct experiment *screen_descriptor(const struct screen *);
struct form *screen_form(struct screen *);
bool screen_on_group(const struct screen *);
/* Rebuilds the items after folding, keeping the selection. */
void screen_list(struct screen *);
/* Selects an experiment, or with `group` the line of its group. */
void screen_select(struct screen *, size_t experiment, bool group);
/* Like screen_select(); without `group` it first opens the experiment's
 * group. */
void screen_bring(struct screen *, size_t experiment, bool group);

/* Rows of the form: the experiment's parameters, the prediction, then the run
 * options. screen_field() returns NULL for the prediction. */
int screen_fields(const struct form *);
struct param_set *screen_field(struct form *, int field, size_t *row);
/* A row of a set, limited to this machine: `cpu` ends at its last processor. */
struct param screen_row(const struct screen *, const struct param_set *,
	size_t row);

/* The results to show for the selected experiment: the live run if it has a
 * launch, else the last run of the session, else NULL. *live: the experiment is
 * being run. */
const struct results *screen_results(const struct screen *, bool *live);
/* The point to show: the selected point, else the last point that was
 * visited. */
size_t screen_point(const struct screen *, const struct results *);
/* The number of marked experiments. */
size_t screen_marked(const struct screen *);
/* Updated figures for a histogram of `columns`, 0: as many as before; NULL if
 * there are no results. */
const struct figures *screen_figures(struct screen *, int columns);
/* The median of an experiment's last run; NaN if there is none. */
double screen_headline(const struct screen *, size_t experiment);
/* The quality of the last run; good if there is none. */
enum quality screen_quality(const struct screen *, size_t experiment);

void screen_say(struct screen *, enum role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Applies the saved settings where the options are not set. */
void screen_recall(struct screen *, const struct ui_options *);
/* Opens a page; the text is copied. */
void screen_open_page(struct screen *, const char *title, const char *text);
void screen_close_page(struct screen *);
/* The command line that repeats the displayed experiment. */
void screen_line(const struct screen *, struct text *);

/* Switches to a view, and focuses `place` unless it is -1. */
void screen_view(struct screen *, enum view_name, int place);

/* Handles a key: the name is as in terminal.h; a character also has its
 * code. */
void screen_key(struct screen *, const char *key, uint32_t code);
/* Handles a click on the grid that was drawn last. */
void screen_click(struct screen *, const struct grid *, int column, int row);

#endif
