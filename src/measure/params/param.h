/*
 * Parameters and sweeps: from typed text to points.
 *
 * The grammar of a value list (all of one word; commas only separate):
 *     list    = item { "," item }
 *     item    = value | range
 *     range   = value ".." value [ step ]
 *     step    = "+" value      arithmetic: 0..64K+4K
 *             | "*" factor     geometric: 4K..512M*4
 *             | "/" whole      number of steps per doubling: 1K..1G/4
 * Without a step a range doubles if the unit is bytes, time or a rate, and has
 * step 1 otherwise. A range from 0 that doubles is 0, 1, 2, 4, .. . The end is
 * included if a step meets it; for "/" and "*" also if the last step exceeds it
 * only by rounding.
 *
 * Steps between whole values are rounded to the nearest, and equal results
 * become one value. A factor is at least 1.01, and there are up to 64 steps per
 * doubling. Choices are typed by name, and text is not changed; a list sweeps
 * over them, a range does not. A repeated value is an error, as is a value
 * outside the row's range. "auto" must be the only item of a list. It may end a
 * range if the row defines its value there (1K..auto/4), but never start one.
 * Values are never clamped. A row that combines its choices has one value, the
 * set of the listed choices.
 */
#ifndef BENCHTOP_PARAM_H
#define BENCHTOP_PARAM_H

#include "probe.h"

enum {
	PARAM_VALUES_MAX = 512,  /* per parameter */
	PARAM_POINTS_MAX = 4096, /* per run */
};

union param_value {
	int64_t whole; /* PARAM_AUTO for "auto" */
	double real;   /* (double)PARAM_AUTO for "auto" */
	int choice;
	const char *text; /* points into the memory of `typed` */
};

/* Is this the choice of a row, or among those that it combines? */
static inline bool param_chosen(const struct param *row,
	union param_value value, int choice)
{
	return row->combines ? value.choice >> choice & 1 :
			       value.choice == choice;
}

struct param_values {
	char *typed;             /* as typed, owned; followed in the same memory
				  * by a copy that is split at its commas */
	union param_value *list; /* owned */
	size_t count;
	bool twice; /* `list` has the single typed value twice */
};

/* The values of every row of a table. */
struct param_set {
	const struct param *rows;    /* borrowed, usually constant */
	size_t count;                /* rows */
	struct param_values *values; /* one per row */
};

/* Sets all rows to their presets. A preset that does not parse is a bug in the
 * table: aborts with the reason. */
void param_set_init(struct param_set *, const struct param *rows);
/* Initialises a set as a copy that owns its values. */
void param_set_copy(struct param_set *, const struct param_set *from);
void param_set_free(struct param_set *);

/* Changes the values of a row. On error nothing changes. *error has the
 * parameter, what is wrong, its column in `typed` (from 1), and what is
 * expected: the nearest choice, the range, or the forms of the unit. */
int param_set_values(struct param_set *, const char *name, const char *typed,
	struct error *);
/* Checks without changing, for the validation of a form during typing. */
int param_check(const struct param *row, const char *typed, struct error *);
/* Sets the error "no parameter 'sise': did you mean 'size'?". rows2 (may be
 * NULL) is a second table of names. Returns -1. */
int param_unknown(const struct param *rows, const struct param *rows2,
	const char *name, struct error *);

/* Duplicates the single value of a row, for comparing a setting with itself. */
void param_set_twice(struct param_set *, const struct param *row);

/* Replaces "auto" by the sweep that the experiment chooses (stands_for in
 * probe.h). A copy of the set has "auto" again. */
void param_set_expand(struct param_set *, size_t args_size);

/* The number of points of the set: the product of the counts, or SIZE_MAX. */
size_t param_set_points(const struct param_set *);
/* Checks that the set has at most PARAM_POINTS_MAX points. Returns 0, or -1
 * with an error. */
int param_set_check_points(const struct param_set *, struct error *);
/* Fills in the struct of arguments of point `index`; the last row varies
 * fastest. Text values point into the set. */
void param_set_args(const struct param_set *, size_t index, void *args);
/* Adds the canonical text of a row's value at a point: 8M, 40ms, getppid,
 * auto. */
void param_set_text(const struct param_set *, size_t index, size_t row,
	struct text *);
/* Adds the command words that differ from the presets, as typed: " call=getpid
 * via=libc". A value that is not one plain word is put in double quotes, with a
 * backslash before each quote or backslash in it. */
void param_set_line(const struct param_set *, struct text *);

/* The same, but the two values of a row are written separately for `ab`: "
 * call=getpid call=getppid via=libc". */
void param_set_ab_line(const struct param_set *, struct text *);

/* Adds a description of what a row accepts: "512..16M bytes, a list or range
 * sweeps", "one of getppid, getpid, ..". Lists are only mentioned if `sweeps`
 * is set. */
void param_accepts(const struct param *row, bool sweeps, struct text *);

#endif
