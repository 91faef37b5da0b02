/*
 * The levels of memory behind a sweep over sizes: what the kernel says of each
 * cache, what a run of the session has found, and where the line that
 * is looked at has its knees (steps.h).
 *
 * Only where points say by their note `level` what served them, by what the
 * kernel says, and sizes go across: nothing is assumed of other experiments.
 * Where a run has found caches, a point is served by what was found:
 * its lines are held against that, which for strides above a line are fewer
 * than the size.
 *
 * Points whose notes `share` and `threads` say that each of several threads has
 * a part of the size fill the caches of several cores, and one last cache.
 *
 * A run that found levels along a trace has those of its own.
 *
 * A run that found one knee itself, and says so by a finding `knee` and a note
 * `expected`, has two levels: the cache of that size, and what is behind it.
 */
#ifndef BENCHTOP_SWEEP_LEVELS_H
#define BENCHTOP_SWEEP_LEVELS_H

#include "curves.h"
#include "figures.h"
#include "screen.h"
#include "steps.h"

enum { LEVELS_MOST = 6 };

struct cache_level {
	char name[8];            /* "L1d", .., "memory" */
	double nominal;          /* bytes; 0: the kernel says nothing */
	double found, low, high; /* by a run; 0: not */
	double knee, knee_low, knee_high; /* of this line; 0: none */
	bool knee_uncertain;
	double value; /* the line's median where it serves; NaN */
	double times; /* the sweep's size at which it is full, over its own: two
		       * threads fill two caches, a copy takes two buffers, a
		       * stride of two lines fills half a cache */
};

struct cache_levels {
	bool live;                            /* no knees yet */
	struct cache_level list[LEVELS_MOST]; /* memory last */
	size_t count;                         /* 0: this sweep has no levels */
	bool searched;  /* the line is long enough to have knees */
	const char *by; /* who says `nominal`: "kernel", "model" */
	bool traced;    /* along a trace: the knees are what this run found */
	enum unit ends; /* of where levels end */
	enum unit unit; /* of `value` */
};

/* The knees of a line, kept while nothing has changed: to find them takes some
 * ten milliseconds. While a run goes on they are not looked for. */
struct knees {
	const struct results *results;
	unsigned long summed;
	size_t line;
	int across;
	bool searched;
	struct step steps[STEPS_MOST];
	size_t count;
};

void levels_of(struct cache_levels *, struct knees *kept, const struct screen *,
	const struct curves *, size_t line, const struct figures *);
/* The levels that the run itself has found along a trace, where its row of the
 * experiment names them; the curve are the medians, x ascending. */
void levels_of_trace(struct cache_levels *, const struct screen *,
	const struct results *, const struct metric *row, const double *x,
	const double *y, size_t n);
/* Where a level ends, in few letters: "48K", "1536". */
void level_say_end(const struct cache_levels *, double end, struct text *);
/* How large it is, as well as is known: found, else nominal; 0: unknown. And
 * where along the sizes of the sweep it ends. */
double level_size(const struct cache_level *);
double level_end(const struct cache_level *);
/* Sets their `times` for a point, of caches without memory; false: its notes
 * say of no shares. */
bool levels_fit_to_point(struct cache_levels *, const struct results *,
	size_t point);
/* Has an earlier run, or the run itself, found one of them? */
bool levels_have_found(const struct cache_levels *);
/* "agrees", "effective", "uncertain": the knee against the kernel; "" where
 * there is nothing to compare. */
void level_verdict(const struct cache_level *, struct text *);
/* "49.9K, 2M  kernel 48K, 2M  agrees, agrees": the knees against what is said
 * of them; "" without any. */
void levels_say_knees(const struct cache_levels *, struct text *);
/* The one that serves an array of that size, by where they end; NULL: within
 * a quarter of an end. */
const struct cache_level *level_serving(const struct cache_levels *,
	double bytes);
/* The one that serves a point of the line that the levels are of, where that
 * size goes across: by the sizes found, where there are some, else by the
 * point's note; NULL: none alone. */
const struct cache_level *level_serving_point(const struct cache_levels *,
	const struct results *, size_t point, double bytes);
/* The caches with what a run has found of them, whatever is measured;
 * none where the session has no such finding. */
void levels_found(struct cache_levels *, const struct screen *);
/* The same of any point in the words of its note, "L3 and memory" near an end;
 * nothing where it has no note. */
void levels_say_serving(const struct cache_levels *found,
	const struct results *, size_t point, struct text *);

#endif
