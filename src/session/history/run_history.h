/*
 * The history of one setting: a value per run, and where its level changes.
 *
 * All values are of one regime: of an unshared core, where pooled figures
 * belong too; or of a shared core, if fewer than CHANGES_LEAST runs are alone
 * and more have a shared figure. A run without such a figure, or without enough
 * data, is listed but not counted.
 *
 * Changes are found on logarithms (changes.h). The floor of a series is its A/A
 * noise, the median difference of successive runs, and at least 1 %. Guests
 * need no larger one: their noise is in the series. The figure, the canary and
 * the memory ruler are tested as one family (holm_adjust()), at 5 % together
 * and at 2.5 % each. A change of the canary is a change of the processor's
 * frequency; a change of the ruler is one of the memory or its other users. If
 * the figure changes with them, the machine changed, otherwise the system or
 * the program.
 */
#ifndef BENCHTOP_RUN_HISTORY_H
#define BENCHTOP_RUN_HISTORY_H

#include "changes.h"
#include "kept_points.h"

enum history_what {
	HISTORY_FIGURE, /* a metric of the experiment */
	HISTORY_CANARY,
	HISTORY_RULER,
	HISTORY_SERIES,
};

struct history_series {
	size_t *runs;  /* indices of the counted runs, ascending; owned */
	double *logs;  /* their values; owned */
	size_t count;
	double floor;  /* of logarithms */
	double p;      /* that any change exists, adjusted; NaN: not tested */
	struct changes changes; /* `at` is an index of `runs`; means of logs */
};

struct history {
	const char *experiment;
	bool of_other; /* the metric is not the headline: titles name it */
	const struct kept_point *list; /* oldest first, at least one */
	size_t count;
	size_t repeated; /* runs left out, because another file has them */
	enum regime regime; /* alone or shared */
	struct history_series series[HISTORY_SERIES];
	/* Behind `list`, if history_own() gave them. */
	struct kept_points points;
	struct kept_point *owned;
};

/* `list` has one setting, metric and unit, and must outlive the history. */
void history_make(const char *experiment, const struct kept_point *list,
	size_t count, struct history *);
/* Gives the history its list and the points whose strings the list has. */
void history_own(struct history *, struct kept_point *list,
	const struct kept_points *);
void history_free(struct history *);

/* The figure of a run in the regime of the history; if it is not counted, its
 * headline. */
const struct kept_figure *history_figure(const struct history *, size_t run);
bool history_counts(const struct history *, size_t run);
/* "alone" or "beside a co-runner"; "" if no counted figure is of a regime. */
const char *history_regime_words(const struct history *);
/* The run since which the history has its regime: with its figure, those of
 * all runs became those of another regime. 0: it never had another. */
size_t history_regime_since(const struct history *);
/* The number of runs with enough data whose figure is not above 0. With any, no
 * change of the figure is looked for. */
size_t history_without_logarithm(const struct history *);
/* Adds how many runs are repeated, and how many have no logarithm; and the
 * regime, why it was chosen, and since which run, if the figures are of a
 * shared core or the regime has changed. */
void history_say_regime(const struct history *, struct text *);
/* The change of a series that begins at this run; NULL: none. */
const struct change *history_change(const struct history *,
	enum history_what, size_t run);
/* The change of a series at most CHANGES_SIDE runs away; NULL: none. */
const struct change *history_near(const struct history *, enum history_what,
	size_t run);
/* The same, however far away. */
const struct change *history_nearest(const struct history *, enum history_what,
	size_t run);
/* "time", "canary", "memory ruler" */
const char *history_name(const struct history *, enum history_what);
/* UNIT_NS for the canary and the memory ruler. */
enum unit history_unit(const struct history *, enum history_what);
/* NaN: the run has no value in the series. */
double history_value(const struct history *, enum history_what, size_t run);
/* The present level of a series, which has a value. */
double history_level(const struct history *, enum history_what);
/* The runs of a series between two changes, which have one level. */
struct history_stretch {
	size_t first, last; /* in the list */
	double level;
};
/* Their number; 0 if the level does not change. */
size_t history_stretches(const struct history *, enum history_what);
struct history_stretch history_stretch(const struct history *,
	enum history_what, size_t i);
/* The least and the greatest value of a series from run `first` on. NaN:
 * none. */
struct range history_range(const struct history *, enum history_what,
	size_t first);
/* Adds "mem.latency size=4K". */
void history_say_title(const struct history *, struct text *);
/* The relative change: .05 for 5 % more. */
double history_step(const struct change *);

/* The run at most CHANGES_SIDE runs from `run` at whose beginning a surrounding
 * changed, the nearest first, and the earlier of two; `count`: none. */
size_t history_cause(const struct history *, size_t run);
/* Adds what differs between a run and the run before it: "kernel 6.1 -> 6.2;
 * microcode 0x1 -> 0x2". */
void history_say_differences(const struct history *, size_t run, struct text *);

/* The answer for a job that measures regularly. Worse: a change of the figure
 * began in the last CHANGES_LEAST counted runs and is for the worse, or in any
 * direction if neither is better, and later changes have not undone it: the
 * present level differs from the level before it by more than the floor.
 * Undecided: fewer than CHANGES_LEAST runs count, or the last run does not. A
 * change shows when CHANGES_SIDE of its runs are known, so several answers in a
 * row are worse, then the new level is the usual one. */
enum history_verdict { HISTORY_UNCHANGED, HISTORY_WORSE, HISTORY_UNDECIDED };
enum history_verdict history_judge(const struct history *, enum direction);
/* The last such change; NULL: none. */
const struct change *history_worse(const struct history *, enum direction);
/* The last change of a series; NULL: none. */
const struct change *history_last(const struct history *, enum history_what);

/* Writes the history as an object of JSON. */
void history_write(const struct history *, struct text *);

#endif
