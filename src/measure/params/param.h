/*
 * Parameters and sweeps: from what a person types to points.
 *
 * The grammar of a value list (all of one word; commas only separate):
 *     list    = item { "," item }
 *     item    = value | range
 *     range   = value ".." value [ step ]
 *     step    = "+" value      arithmetic: 0..64K+4K
 *             | "*" factor     geometric: 4K..512M*4
 *             | "/" whole      so many steps per doubling: 1K..1G/4
 * Without a step a range doubles where the unit is bytes, time or a rate, and
 * counts by one otherwise; a range from 0 that doubles goes 0, 1, 2, 4, ..
 * The end is included when a step meets it, and for "/" and "*" also when the
 * last step would pass it by less than rounding. Steps between whole values
 * are rounded to the nearest, and what then coincides is one value; a factor
 * is 1.01 or more, and there are up to 64 steps per doubling. Choices are
 * named, and text is taken as it is; a list sweeps over them, a range does
 * not. A value that is there already is an error, as is one outside the row's
 * range. "auto" stands alone in a list; it ends a range where the row says what
 * it means there (1K..auto/4), and never starts one. Nothing is clamped.
 */
#ifndef BENCHTOP_PARAM_H
#define BENCHTOP_PARAM_H

#include "probe.h"

enum {
	PARAM_VALUES_MAX = 512,  /* of one parameter */
	PARAM_POINTS_MAX = 4096, /* of one run */
};

union param_value {
	int64_t whole; /* PARAM_AUTO for "auto" */
	double real;   /* (double)PARAM_AUTO for "auto" */
	int choice;
	const char *text; /* into the memory of `typed` */
};

struct param_values {
	char *typed;             /* as typed, owned; a copy that is cut at
				   * its commas follows in the same memory */
	union param_value *list; /* owned */
	size_t count;
	bool twice; /* the one value that was typed stands in it twice */
};

/* The values of every row of a table. */
struct param_set {
	const struct param *rows;    /* borrowed, usually constant */
	size_t count;                /* rows */
	struct param_values *values; /* one per row */
};

/* All rows at their presets. A preset that does not parse is a bug in the
 * table: it aborts with the reason. */
void param_set_init(struct param_set *, const struct param *rows);
/* Initialises a set as a copy that owns its values. */
void param_set_copy(struct param_set *, const struct param_set *from);
void param_set_free(struct param_set *);

/* Gives a row other values. On error nothing is changed and *error names the
 * parameter, what was wrong, where in `typed` (column, from 1) and what would
 * have been right: the nearest choice, the range, the forms of the unit. */
int param_set_values(struct param_set *, const char *name, const char *typed,
	struct error *);
/* Checks without changing: for live validation of a form. */
int param_check(const struct param *row, const char *typed, struct error *);
/* "no parameter 'sise': did you mean 'size'?"; rows2 (may be NULL) is a
 * second table that names may come from. Returns -1. */
int param_unknown(const struct param *rows, const struct param *rows2,
	const char *name, struct error *);

/* Makes one value, which a row has, the only two: for comparing a setting with
 * itself. */
void param_set_twice(struct param_set *, const struct param *row);

/* Puts in place of "auto" what it stands for where the experiment chooses a
 * sweep (probe.h, stands_for). A copy of the set has "auto" again. */
void param_set_expand(struct param_set *, size_t args_size);

/* How many points the set makes: the product of the counts, or SIZE_MAX. */
size_t param_set_points(const struct param_set *);
/* Are they at most PARAM_POINTS_MAX? */
int param_set_check_points(const struct param_set *, struct error *);
/* Fills in the struct of arguments of point `index`; the last row changes
 * fastest. Text values point into the set. */
void param_set_args(const struct param_set *, size_t index, void *args);
/* The canonical text of a row's value at a point: 8M, 40ms, getppid, auto. */
void param_set_text(const struct param_set *, size_t index, size_t row,
	struct text *);
/* The command words that differ from the presets, as typed: " call=getpid
 * via=libc". A value that is not one plain word is put in double quotes, and a
 * backslash goes before a quote or a backslash in it. */
void param_set_line(const struct param_set *, struct text *);

/* The same of a set whose row with two values is written as ab takes it, one
 * after the other: " call=getpid call=getppid via=libc". */
void param_set_ab_line(const struct param_set *, struct text *);

/* What a row accepts, in words: "512..16M bytes, a list or range sweeps",
 * "one of getppid, getpid, .."; of lists only where its values may sweep. */
void param_accepts(const struct param *row, bool sweeps, struct text *);

#endif
