/*
 * The structure of a sweep: the parameters with several values, the parameter
 * on the horizontal axis, and the lines. A line is the points that differ only
 * in the horizontal parameter, in its ascending order.
 *
 * A parameter is numeric if all its values in the results are quantities. The
 * horizontal parameter is the numeric one with the most values, or the
 * requested one. Reading the values of a thousand points takes 0.4 ms.
 *
 * If the experiment draws a parameter as a metric (drawn_as in probe.h), the
 * medians of that metric are its values, as soon as two of them are known.
 */
#ifndef BENCHTOP_CURVES_H
#define BENCHTOP_CURVES_H

#include "results.h"

/* A parameter with several values. */
struct swept {
	size_t index; /* index in the results' parameters */
	const char *name, *label; /* if measured, the label is the metric's */
	enum unit unit;
	bool numeric;
	bool measured;  /* numeric: the values are medians of a metric */
	size_t count;   /* distinct values */
	double *values; /* if numeric: ascending; owned */
	double *at;     /* if numeric: the value of each point, NaN if it has
			 * not been measured; owned */
};

struct curve {
	char *label;    /* "random", "64 B"; "" for a single line; owned */
	size_t *points; /* ascending; owned */
	size_t count;
};

struct curves {
	const struct results *results;
	struct swept *params; /* owned */
	size_t param_count;
	int across; /* index in params; -1: none is numeric */
	int down;   /* numeric one with the most values, without `across`; -1:
		     * none, or one of them is measured: no grid */
	struct curve *lines; /* owned; none if `across` is -1 */
	size_t line_count;
};

/* `experiment` defines the parameters' units. If it is NULL (unknown), values
 * that can be read as bytes are bytes. `asked` names the requested horizontal
 * parameter; NULL: any. */
void curves_of(struct curves *, const struct experiment *,
	const struct results *, const char *asked);
void curves_free(struct curves *);

/* A point's value of a numeric parameter; NaN if it has none. */
double curves_value(const struct curves *, int param, size_t point);
/* The line of a point and the index on that line; false: the point is on
 * none. */
bool curves_find(const struct curves *, size_t point, size_t *line, size_t *at);
/* The finding "knee" in the unit of the horizontal axis; NULL: none, or
 * several. */
const struct finding *curves_knee(const struct curves *);
/* The name of the next parameter that can be horizontal; NULL: no other one. */
const char *curves_next(const struct curves *);

#endif
