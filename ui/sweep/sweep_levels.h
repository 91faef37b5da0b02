/*
 * The levels of memory behind a sweep over sizes. Three sources describe each
 * level: the cache sizes that the kernel reports, the sizes that a run of the
 * session has found, and the knees of the line under the probe (levels.h).
 *
 * Levels are shown only where sizes go across and the points have a note
 * `level`: the level that serves them according to the kernel. For other
 * experiments nothing is assumed. Where a run has found cache sizes, they
 * replace the note. For strides above a cache line, the array spans more
 * bytes than it occupies in a cache.
 *
 * The notes `share` and `threads` mark points where each of several threads
 * uses part of the size. Such points fill one private cache per core and one
 * shared last cache.
 *
 * A run that found levels along a trace has its own levels.
 *
 * A run that found one knee itself reports a finding `knee` and a note
 * `expected`. It has two levels: the cache of that size, and the disk.
 */
#ifndef BENCHTOP_SWEEP_LEVELS_H
#define BENCHTOP_SWEEP_LEVELS_H

#include "curves.h"
#include "figures.h"
#include "levels.h"
#include "screen.h"

struct cache_level {
	char name[8];            /* "L1d", .., "memory" */
	double nominal;          /* bytes; 0: the kernel reports none */
	double found, low, high; /* found by a run; 0: none */
	double knee, knee_low, knee_high; /* of this line; 0: none */
	bool knee_uncertain;
	double value; /* the line's median in this level; NaN: none */
	double times; /* size of the sweep that fills the level, divided by the
		       * level's size. Two threads fill two caches, a copy uses
		       * two buffers, and a stride of two lines fills half a
		       * cache. */
};

struct cache_levels {
	bool live;                            /* no knees until the run ends */
	struct cache_level list[LEVELS_MOST]; /* memory is last */
	size_t count;                         /* 0: none, or none is known */
	bool by_size;   /* the line may have a knee at the end of each cache */
	bool searched;  /* it is long enough to have knees */
	const char *by; /* source of `nominal`: "kernel", "model" */
	bool traced;    /* along a trace: the run's own knees */
	enum unit ends; /* unit of the level ends */
	enum unit unit; /* unit of `value` */
};

/* There is no search for knees during a run. */
void levels_of(struct cache_levels *, const struct screen *,
	const struct curves *, size_t line, const struct figures *);
/* Fills in the levels that the run itself has found along a trace. The metric
 * `row` lists their names. The curve x, y holds the medians, x ascending. */
void levels_of_trace(struct cache_levels *, const struct screen *,
	const struct results *, const struct metric *row, const double *x,
	const double *y, size_t n);
/* Writes where a level ends, in few letters: "48K", "1536". */
void level_say_end(const struct cache_levels *, double end, struct text *);
/* The size of a level: found, else nominal; 0: unknown. level_end() is the size
 * of the sweep at which the level is full. */
double level_size(const struct cache_level *);
double level_end(const struct cache_level *);
/* Sets `times` of each cache for a point; memory must not be in the list.
 * False: the point has no notes `share` and `threads`. */
bool levels_fit_to_point(struct cache_levels *, const struct results *,
	size_t point);
/* Has any run found the size of one of these levels? */
bool levels_have_found(const struct cache_levels *);
/* Writes "agrees" or "effective": the knee compared with the nominal size.
 * Writes "uncertain" for an uncertain knee. Writes nothing if there is nothing
 * to compare. */
void level_verdict(const struct cache_level *, struct text *);
/* Writes "49.9K, 2M  kernel 48K, 2M  agrees, agrees": the knees compared with
 * the nominal sizes. Writes nothing if there are no knees. */
void levels_say_knees(const struct cache_levels *, struct text *);
/* The level that serves an array of `bytes`, according to the level ends. NULL:
 * the size is from 0.8 to 1.25 times an end. */
const struct cache_level *level_serving(const struct cache_levels *,
	double bytes);
/* The level that serves a point of the line of these levels, where `bytes` go
 * across. Found sizes decide if there are any, else the point's note. NULL: no
 * single level. */
const struct cache_level *level_serving_point(const struct cache_levels *,
	const struct results *, size_t point, double bytes);
/* Lists the caches with the sizes that a run has found, whatever is measured.
 * Empty if the session has no such finding. */
void levels_found(struct cache_levels *, const struct screen *);
/* Writes the level that serves a point, in the words of its note: "L3 and
 * memory" near an end. Writes nothing if the point has no note, or if nothing is
 * found and the note names no level. */
void levels_say_serving(const struct cache_levels *found,
	const struct results *, size_t point, struct text *);

#endif
