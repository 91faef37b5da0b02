/*
 * The parameters of every run: another table, with the same form and grammar.
 * `set` changes the values of a lab, `run` those of one run.
 */
#ifndef BENCHTOP_COMMON_H
#define BENCHTOP_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"
#include "param.h"

enum keep { KEEP_TRIALS, KEEP_FIGURES };
enum priority { PRIORITY_NORMAL, PRIORITY_FIFO };

enum {
	LAUNCHES_LEAST = INTERVAL_LEAST,
	LAUNCHES_MOST = 30,
};

struct common {
	int64_t cpu;       /* PARAM_AUTO: chosen by place.h */
	int64_t launches;  /* PARAM_AUTO: until precise */
	int64_t trials;    /* per point and launch; PARAM_AUTO: by the plan */
	double precision;  /* half-width over median */
	int64_t budget_ns; /* wall time, set-up included */
	int64_t wait_quiet_ns; /* longest wait for an unshared core */
	int64_t seed;          /* PARAM_AUTO: random */
	int priority;
	int capture;
	int counters; /* the choices of counter.h, as bits */
	int keep;     /* enum keep */
};
extern const struct param common_params[];

/* Converts a set of common parameters, each of which has exactly one value. */
void common_values(const struct param_set *, struct common *);

#endif
