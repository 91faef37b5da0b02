/* What reading lists and reading ranges share. A list is cut into pieces, and
 * each piece keeps its place in the typed text, so that an error can point at
 * it. */
#ifndef BENCHTOP_SWEEP_INTERNAL_H
#define BENCHTOP_SWEEP_INTERNAL_H

#include "sweep.h"

struct reading {
	const struct param *row;
	const char *typed;
	struct param_values *values;
	size_t before; /* values of the earlier items of the list */
	struct error *error;
};

struct piece {
	const char *at; /* in reading.typed */
	size_t length;
};

bool piece_is(struct piece, const char *word);

/* Each returns -1 with an error that points at the piece. The first says
 * "size: '4' is ..": the format gives what follows the quoted piece. */
int sweep_refuse(const struct reading *, struct piece, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int sweep_refuse_count(const struct reading *, struct piece);

/* Numbers are long doubles while they are read: on the machines this is built
 * for these hold every int64_t and every double exactly. */
int sweep_number(const struct reading *, struct piece, long double *number);
/* The same, within the limits of the row. */
int sweep_limited(const struct reading *, struct piece, long double *number);
union param_value sweep_value(const struct param *row, long double number);

/* Adds a value that is not there yet. One that the same item has made is
 * passed over: rounding put two of a range on the same number. */
int sweep_add(struct reading *, struct piece, union param_value);
/* Adds the values of a range, whose dots are at that offset of the piece. */
int sweep_add_range(struct reading *, struct piece, size_t dots);

#endif
