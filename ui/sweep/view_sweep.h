/*
 * The Sweep screen: how figures change along a parameter.
 *
 *     lines   one for each combination of the other parameters
 *     map     two swept quantities at once, a shade for each point
 *     bars    where nothing that was swept is a quantity
 *     table   the same in figures; of one point, what was found
 *     trace   what was recorded in order: the cost of each touch
 *
 * Which of them is chosen by what the results hold, unless a key has asked for
 * another. All show the results, and the selected point, of the Lab.
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
	SWEEP_NOTHING, /* a sentence says what is missing */
};

enum sweep_scale { SWEEP_FITTING, SWEEP_LINEAR, SWEEP_LOG };

/* What keys have asked for; kept by the screen. */
struct sweep_options {
	enum sweep_kind kind;
	enum sweep_scale across, up;
	bool intervals;
	int zoom;    /* halvings of what goes across, round the probe */
	char *asked; /* name of the parameter that goes across; owned */
	struct knees knees;
	/* Of the results that were drawn last: for scene_open() alone. */
	struct curves curves;
	uint64_t seed;   /* of those results */
	char *curves_by; /* what was `asked` for them; owned, or NULL */
	size_t trace;    /* which of the traces */
	size_t touch;    /* the probe in it: a point of the trace */
	size_t finding;  /* the first that is shown in a list of them */
};

/* All that one drawing, or one key, goes by. */
struct scene {
	struct screen *screen;
	struct sweep_options *options;
	const struct experiment *experiment;
	const struct results *results; /* NULL: nothing measured */
	const struct figures *figures; /* of the same; NULL: none yet */
	bool live;
	enum sweep_kind kind;
	struct curves curves;       /* the options' */
	struct cache_levels levels; /* of the line under the probe */
	struct cache_levels found;  /* what points are served by, if any */
	size_t point;               /* the probe */
	size_t line, at;            /* of it, where there are lines */
	unsigned trace_metric;      /* where there are traces */
	size_t trace_count;
	bool aside; /* a second plot, which the probe is not in */
};
void scene_open(struct scene *, struct screen *, int histogram_columns);

/* The trace after the one that is shown, without the probe. */
void scene_next_trace(const struct scene *, struct scene *next);

/* Can it be drawn so? */
bool scene_can(const struct scene *, enum sweep_kind);
/* The value to draw: the median, of all trials where none is clean. */
double scene_value(const struct scene *, size_t point);
/* Of half of the points at least the median is of clean trials: the others are
 * marked. */
bool scene_mostly_clean(const struct scene *);
/* Axes that hold all of the sweep, or what is zoomed in on. */
struct axis scene_across(const struct scene *);
struct axis scene_up(const struct scene *, const struct axis *across);

/* What its row of views.h needs. */
int sweep_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void sweep_draw(struct screen *, const struct pane *body);
void sweep_enter(struct screen *);
void sweep_move(struct screen *, int steps);
void sweep_forget(struct screen *);
void sweep_release(struct screen *);
/* Is a trace drawn that is one of several? */
bool sweep_has_next(const struct screen *);
void sweep_add_state(const struct screen *, int room, struct text *);
extern const struct command sweep_commands[];
struct sweep_options *sweep_options(struct screen *);

/* The parts, each for the inside of a frame. */
void sweep_chart(const struct scene *, const struct pane *);
void sweep_map(const struct scene *, const struct pane *);
void sweep_bars(const struct scene *, const struct pane *);
void sweep_table(const struct scene *, const struct pane *);
void sweep_trace(const struct scene *, const struct pane *);
void sweep_side(const struct scene *, const struct pane *);
/* What the run has found: whole sentences, and beside the levels the rest. */
void sweep_findings(const struct scene *, const struct pane *);
int sweep_found_aside(const struct scene *, const struct pane *, int row);
bool sweep_has_findings(const struct results *);
/* Levels over an axis: their names in a row, and where they end in view. */
void sweep_level_names(const struct scene *, const struct axis *,
	const struct pane *row);
size_t sweep_level_ends(const struct scene *, const struct axis *,
	double ends[LEVELS_MOST]);
/* A point's value of a swept parameter as typed, but of a part of an octave,
 * whose digits nobody reads, in short: "861M". */
void sweep_say_value(const struct swept *, double value, const char *typed,
	struct text *);
/* Where the probe is: "size=861M stride=64". */
void sweep_say_point(const struct scene *, struct text *);
/* The figures under the probe, in one row. */
void sweep_probe(const struct scene *, const struct pane *);

#endif
