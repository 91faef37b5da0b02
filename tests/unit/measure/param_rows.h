/* The table of parameters that the tests share. */
#ifndef BENCHTOP_PARAM_ROWS_H
#define BENCHTOP_PARAM_ROWS_H

#include <stdlib.h>

#include "check.h"
#include "param.h"

struct args {
	int64_t size, cpu, count, time_ns, reach;
	double share, ratio;
	int call;
	const char *path;
};

enum { SIZE, CPU, COUNT, TIME, SHARE, RATIO, CALL, PATH, REACH, ROWS };

extern const struct param rows[];
/* The canonical texts of all values of a row, "4K 8K 16K". */
char *values_of(const struct param_set *set, int row);

#endif
