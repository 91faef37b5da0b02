/* Launches with canaries of given ratios, and a trial between adjacent
 * canaries. */
#ifndef BENCHTOP_CANARIES_H
#define BENCHTOP_CANARIES_H

#include "random.h"
#include "sharing.h"
#include "trials.h"

/* Net ticks of a latency half: long enough for a ratio precise to 1e-5. */
enum { CANARY_NET = 100000, CANARY_OVERHEAD = 40, CANARIES_A_LAUNCH = 4000 };

/* Results with a calibrated ratio of 1 and those ticks on an unshared core; no
 * launch is judged yet. */
struct results *unjudged(void);
void put_canary(struct results *results, double latency, double ratio);
/* Adds a launch of one visit, whose trials have `flags` before the
 * judgement. */
void add_launch_of(struct results *results, const double *ratios, size_t count,
	unsigned flags);
/* The same, followed by the judgement that the lab makes after a launch. */
void judge_launch(struct results *results, const double *ratios, size_t count);
/* Adds a launch with equal canaries. */
void judge_alike(struct results *results, double ratio, size_t count);
unsigned judged_flags(const struct results *results, size_t launch,
	size_t trial);
/* Fills in ratios distributed evenly between two limits. */
void fill_between(double *ratios, size_t count, double low, double high,
	uint64_t *random);

#endif
