/*
 * What a sweep is made of: the parameters that have several values, the one
 * that goes across, and the lines: the points that differ in nothing else, in
 * ascending order.
 *
 * A parameter is numeric where all its values in the results are quantities.
 * Across goes the numeric one with the most values, or one that was asked for.
 * To read the values of a thousand points takes a millisecond or two: whoever
 * draws again and again keeps them.
 */
#ifndef BENCHTOP_CURVES_H
#define BENCHTOP_CURVES_H

#include "results.h"

/* A parameter with several values. */
struct swept {
	size_t index; /* among those of the results */
	const char *name, *label;
	enum unit unit;
	bool numeric;
	size_t count;   /* distinct values */
	double *values; /* of a numeric one, ascending; owned */
	double *at;     /* of a numeric one, of each point; owned */
};

struct curve {
	char *label;    /* "random", "64 B"; "" for the only one; owned */
	size_t *points; /* ascending; owned */
	size_t count;
};

struct curves {
	const struct results *results;
	struct swept *params; /* owned */
	size_t param_count;
	int across; /* of params; -1: none is numeric */
	int down;   /* the numeric one with the most values of the others */
	struct curve *lines; /* owned; without `across` there are none */
	size_t line_count;
};

/* The experiment says the parameters' units (NULL: it is not known, and what
 * reads as bytes counts as such); `asked` is the name of one that
 * shall go across, NULL: any. */
void curves_of(struct curves *, const struct experiment *,
	const struct results *, const char *asked);
void curves_free(struct curves *);

/* A point's value of a numeric parameter; NaN where it has none. */
double curves_value(const struct curves *, int param, size_t point);
/* Which line a point is on, and where; false: on none. */
bool curves_find(const struct curves *, size_t point, size_t *line, size_t *at);
/* The name of the parameter to go across after this one; NULL: there is no
 * other. */
const char *curves_next(const struct curves *);

#endif
