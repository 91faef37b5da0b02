/*
 * The Sweep screen: how figures change along a parameter.
 *
 *     lines   one for each combination of the other parameters
 *     map     two swept quantities at once, a shade for each point
 *     bars    where no swept parameter is a quantity
 *     table   the same in figures; for a single point, its findings
 *     trace   what was recorded in order: the cost of each touch
 *
 * The results decide which of them is drawn, unless a key has chosen another.
 * All show the results, and the selected point, of the Lab screen.
 */
#ifndef BENCHTOP_VIEW_SWEEP_H
#define BENCHTOP_VIEW_SWEEP_H

#include "curves.h"
#include "draw_axis.h"
#include "sweep_levels.h"
#include "view_lab.h"

enum sweep_kind {
	SWEEP_AUTO,
	SWEEP_LINES,
	SWEEP_MAP,
	SWEEP_BARS,
	SWEEP_TABLE,
	SWEEP_TRACE,
	SWEEP_NOTHING, /* a sentence names what is missing */
};

enum sweep_scale { SWEEP_FITTING, SWEEP_LINEAR, SWEEP_LOG };

/* What the keys have chosen; the screen owns it. */
struct sweep_options {
	enum sweep_kind kind;
	enum sweep_scale across, up;
	bool intervals;
	int zoom;    /* halvings of the horizontal range, around the probe */
	char *asked; /* parameter chosen for the horizontal axis; owned */
	size_t trace;   /* index of the trace shown */
	size_t touch;   /* position of the probe in the trace */
	size_t finding; /* first finding shown in a list */
};

/* The data for one drawing or one key. */
struct scene {
	struct screen *screen;
	struct sweep_options *options;
	const struct experiment *experiment;
	const struct results *results; /* NULL: nothing measured */
	const struct figures *figures; /* of `results`; NULL: none yet */
	bool live;
	enum sweep_kind kind;
	struct curves curves;       /* owned */
	struct cache_levels levels; /* levels of the line under the probe */
	struct cache_levels found;  /* caches that a run has found */
	size_t point;               /* index of the point under the probe */
	size_t line, at;            /* its line, and its place in that line */
	unsigned trace_metric;      /* metric of the trace, if there is one */
	size_t trace_count;
	bool aside; /* a second plot, without the probe */
};
/* `histogram_columns` 0: as many as before. */
void scene_open(struct scene *, struct screen *, int histogram_columns);
void scene_close(struct scene *);

/* Sets `next` to the trace after the one shown, without the probe. It is not
 * closed. */
void scene_next_trace(const struct scene *, struct scene *next);

/* Can the results be drawn as this kind? */
bool scene_can(const struct scene *, enum sweep_kind);
/* The value to draw: the median of the clean trials, or of all trials if none
 * is clean. */
double scene_value(const struct scene *, size_t point);
/* Do at least half of the measured points have a median of clean trials? If so,
 * the other points are marked. */
bool scene_mostly_clean(const struct scene *);
/* Axes that show the whole sweep, or the part that is zoomed in on. */
struct axis scene_across(const struct scene *);
struct axis scene_up(const struct scene *, const struct axis *across);

/* Functions for the Sweep's row in views.h. */
int sweep_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void sweep_draw(struct screen *, const struct pane *body);
void sweep_enter(struct screen *);
void sweep_move(struct screen *, int steps);
void sweep_release(struct screen *);
/* Does the verb `sweep` accept this word for the results shown? A map needs two
 * swept quantities, and `next-trace` needs several traces. */
bool sweep_offers(const struct screen *, const char *word);
void sweep_add_state(const struct screen *, int room, struct text *);
extern const struct command sweep_commands[];
struct sweep_options *sweep_options(struct screen *);

/* The parts of the screen; each draws the inside of a frame. */
void sweep_chart(const struct scene *, const struct pane *);
void sweep_map(const struct scene *, const struct pane *);
void sweep_bars(const struct scene *, const struct pane *);
void sweep_table(const struct scene *, const struct pane *);
void sweep_trace(const struct scene *, const struct pane *);
void sweep_side(const struct scene *, const struct pane *);
/* The run's findings as whole sentences. sweep_found_aside() draws beside the
 * levels the findings that are not levels. */
void sweep_findings(const struct scene *, const struct pane *);
int sweep_found_aside(const struct scene *, const struct pane *, int row);
bool sweep_has_findings(const struct results *);
/* Names of the levels in a row above an axis, and the ends of the levels that
 * are in view. */
void sweep_level_names(const struct scene *, const struct axis *,
	const struct pane *row);
size_t sweep_level_ends(const struct scene *, const struct axis *,
	double ends[LEVELS_MOST]);
/* Writes a swept value as typed. Fractions of an octave have too many digits,
 * so these are shortened: "861M". */
void sweep_say_value(const struct swept *, double value, const char *typed,
	struct text *);
/* Writes the parameters of the point under the probe: "size=861M stride=64". */
void sweep_say_point(const struct scene *, struct text *);
/* Draws the figures under the probe in one row. */
void sweep_probe(const struct scene *, const struct pane *);

#endif
