/* The parameters of the verb `link`. Sweeps are not allowed, since a program
 * runs on one link. */
#ifndef BENCHTOP_LINK_PARAMS_H
#define BENCHTOP_LINK_PARAMS_H

#include "link_rows.h"

struct link_verb {
	struct link_args link;
	int64_t seed, cpu;
};

extern const struct param link_params[];

#endif
