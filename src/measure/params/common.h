/*
 * What every run has: one more table of parameters, the same form, the same
 * grammar. `set` changes the presets of a lab, `run` those of one run.
 */
#ifndef BENCHTOP_COMMON_H
#define BENCHTOP_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"
#include "param.h"

enum priority { PRIORITY_NORMAL, PRIORITY_FIFO };

enum {
	LAUNCHES_LEAST = INTERVAL_LEAST,
	LAUNCHES_MOST = 30,
};

struct common {
	int64_t cpu;       /* PARAM_AUTO: place.h chooses */
	int64_t launches;  /* PARAM_AUTO: until precise */
	int64_t trials;    /* of a point and launch; PARAM_AUTO: by the plan */
	double precision;  /* half-width over median */
	int64_t budget_ns; /* wall time, set-up included */
	int64_t wait_quiet_ns; /* longest wait for a core of its own */
	int64_t seed;          /* PARAM_AUTO: random */
	int priority;
	int capture;
};
extern const struct param common_params[];

/* The values of a set of common parameters: each has exactly one. */
void common_values(const struct param_set *, struct common *);

#endif
