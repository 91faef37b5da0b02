/* The values of one parameter: reading a typed list, writing one value. */
#ifndef BENCHTOP_SWEEP_H
#define BENCHTOP_SWEEP_H

#include "param.h"

/* Reads a whole list by the grammar of param.h into `values`, whose former
 * contents are not released. On error `values` is as it was. */
int sweep_read(const struct param *row, const char *typed,
	struct param_values *values, struct error *);
void sweep_free(struct param_values *);
/* The same values in the same order, however they were typed? */
bool sweep_same(const struct param *row, const struct param_values *,
	const struct param_values *);
/* The canonical text of one value: 8M, 40ms, getppid, auto. */
void sweep_write(const struct param *row, union param_value, struct text *);
/* "512..16M"; "64M.." where there is no upper end. */
void sweep_write_limits(const struct param *row, struct text *);
/* "getppid, getpid, times". */
void sweep_write_choices(const struct param *row, struct text *);

#endif
