/* The values of one parameter: parsing a typed list, formatting one value. */
#ifndef BENCHTOP_SWEEP_H
#define BENCHTOP_SWEEP_H

#include "param.h"

/* Parses a list by the grammar of param.h into `values`, whose previous
 * contents are not freed. On error `values` is not changed. */
int sweep_read(const struct param *row, const char *typed,
	struct param_values *values, struct error *);
void sweep_free(struct param_values *);
/* True if both have the same values in the same order, however typed. */
bool sweep_same(const struct param *row, const struct param_values *,
	const struct param_values *);
/* Adds the canonical text of one value: 8M, 40ms, getppid, auto. */
void sweep_write(const struct param *row, union param_value, struct text *);
/* Adds "512..16M", or "64M.." without an upper limit. */
void sweep_write_limits(const struct param *row, struct text *);

#endif
