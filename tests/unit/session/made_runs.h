/* Runs with known launch medians, for comparisons. */
#ifndef BENCHTOP_MADE_RUNS_H
#define BENCHTOP_MADE_RUNS_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

#include "check.h"
#include "session.h"

/* A run with one parameter `size` and one metric, without points. */
struct results *made_run(const char *experiment, enum unit unit,
	enum direction better, enum metric_kind kind);
struct point *made_sized(struct results *run, const char *size);
/* Adds one visit per value, whose trials all have this value: as ticks of 1 ns,
 * beside a canary of `canary` ticks. */
void made_launches(struct results *run, struct point *point,
	const double *values, size_t count, double canary);
/* Adds launch medians around `centre`, with a relative sd. */
void made_normal(struct results *run, struct point *point, double centre,
	double sd, size_t count, gsl_rng *random);
struct session *made_session(struct results *run);
extern const double eight[];
/* A session with one point of eight launches, with all times multiplied by
 * `times`. */
struct session *simple(const char *size, double times, double canary,
	enum direction better);

#endif
