/* Shared by the parsing of lists and ranges. A list is split into pieces. Each
 * piece keeps its position in the typed text, for the column of errors. */
#ifndef BENCHTOP_SWEEP_INTERNAL_H
#define BENCHTOP_SWEEP_INTERNAL_H

#include "sweep.h"

struct reading {
	const struct param *row;
	const char *typed;
	struct param_values *values;
	size_t before; /* number of values of earlier items */
	struct error *error;
};

struct piece {
	const char *at; /* in reading.typed */
	size_t length;
};

bool piece_is(struct piece, const char *word);

/* Each returns -1 with an error that points at the piece. sweep_refuse() gives
 * "size: '4' is ..", with the format for the text after the quoted piece. */
int sweep_refuse(const struct reading *, struct piece, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int sweep_refuse_count(const struct reading *, struct piece);

/* Numbers are parsed as long double, which on the supported machines represents
 * every int64_t and every double exactly. */
int sweep_number(const struct reading *, struct piece, long double *number);
/* The same, with a check of the row's limits. */
int sweep_limited(const struct reading *, struct piece, long double *number);
union param_value sweep_value(const struct param *row, long double number);

/* Adds a value; a repeated value is an error. If the same item has already
 * produced the value, it is skipped: rounding made two values of a range
 * equal. */
int sweep_add(struct reading *, struct piece, union param_value);
/* Adds the values of a range; `dots` is the offset of ".." in the piece. */
int sweep_add_range(struct reading *, struct piece, size_t dots);

#endif
