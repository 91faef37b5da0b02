/*
 * What the screen knows besides the lab: where the eye is, what is being
 * typed, and what a person has changed but not yet run. Views draw it; the
 * screen's own commands change it; nothing else does.
 */
#ifndef BENCHTOP_SCREEN_H
#define BENCHTOP_SCREEN_H

#include "grid.h"
#include "histogram.h"
#include "lab.h"
#include "prompt.h"
#include "ui.h"

enum focus { FOCUS_LIST, FOCUS_FORM, FOCUSES };

/* Parameters of an experiment as they stand on the screen. */
struct draft {
	struct param_set args, common;
	bool budget_asked;
	int field; /* selected row of the form */
};

/* A line of the list: a group, or an experiment of an open group. */
struct item {
	size_t experiment; /* the first of its group, for a group */
	bool group;
};

/* Figures of the results that are shown, computed at most a few times a
 * second however often the screen is drawn. */
struct figures {
	const struct results *results;
	unsigned version;
	size_t point;
	uint64_t made_ns, took_ns;
	bool any;
	struct digest digest;
	struct histogram histogram;
	int columns; /* the histogram was laid out for */
};

struct screen {
	struct lab *lab;
	enum tier tier;
	enum focus focus;
	struct draft *drafts; /* one per experiment */
	bool *folded;         /* one per experiment: its group, at the first */
	struct item *items;   /* the visible lines of the list */
	size_t item_count;
	size_t selected; /* index into items */
	struct prompt prompt;
	struct text message; /* the status sentence */
	enum role message_role;
	struct figures figures;
	char *page;   /* a text that covers the screen; NULL */
	int page_row; /* first row of it that is shown */
	bool quit;
};

void screen_init(struct screen *, struct lab *);
void screen_release(struct screen *);

/* The experiment under the selection (the group's first, on a group). */
size_t screen_experiment(const struct screen *);
const struct experiment *screen_descriptor(const struct screen *);
struct draft *screen_draft(struct screen *);
/* Rebuilds the items after folding, keeping the selection. */
void screen_list(struct screen *);

/* The results to show for the selected experiment: the run that goes on, else
 * the last of the session, else NULL. *live says which. */
const struct results *screen_results(const struct screen *, bool *live);
/* Which of its points: the one being measured or, at the end, the last that
 * has figures. */
size_t screen_point(const struct results *);
/* Up-to-date figures for a plot of so many columns. */
const struct figures *screen_figures(struct screen *, int columns);

void screen_say(struct screen *, enum role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Executes a line as if typed; its reply becomes the message or the page. */
void screen_execute(struct screen *, const char *line);
/* Takes the reply of a run that has ended. */
void screen_take_ended(struct screen *);
/* The command line that repeats what is on the screen. */
void screen_line(const struct screen *, struct text *);

/* Key names as terminal.h gives them; a character has its code. */
void screen_key(struct screen *, const char *key, uint32_t code);

#endif
