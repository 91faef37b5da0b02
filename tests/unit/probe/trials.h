/* Results made by hand: a clock with one tick per nanosecond, and single
 * trials. */
#ifndef BENCHTOP_TRIALS_H
#define BENCHTOP_TRIALS_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "digest.h"
#include "results.h"

struct results *new_results(void);
void timed_metric(struct results *results, const char *name);
struct launch *new_launch(struct results *results);
/* For the launch that was added last. */
struct visit *new_visit(struct results *results, size_t at, unsigned clone);
void put_flags(struct series *series, unsigned flags);
/* Ticks as read from the clock, overhead included. */
void new_trial(struct results *results, size_t at, unsigned metric,
	uint64_t ticks, unsigned flags);
void new_value(struct results *results, size_t at, unsigned metric,
	double value);
void new_canary_of(struct results *results, size_t at, uint32_t latency,
	uint32_t throughput);
/* A canary of an unshared core. */
void new_canary(struct results *results, size_t at, uint32_t latency);
/* One point with one timed metric. */
struct results *one_metric(uint64_t ops);
struct digest digested(const struct results *results, unsigned metric);
/* Six launches of four trials: ns 10 20 30 40, each launch one more. */
struct results *by_hand(void);

#endif
