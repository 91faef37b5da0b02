/* Launches with canaries of given ratios, and a trial between each two. */
#ifndef BENCHTOP_CANARIES_H
#define BENCHTOP_CANARIES_H

#include "random.h"
#include "sharing.h"
#include "trials.h"

/* Net ticks of a latency half: so long that a ratio is right to 1e-5. */
enum { CANARY_NET = 100000, CANARY_OVERHEAD = 40, CANARIES_A_LAUNCH = 4000 };

/* Known to have the ratio 1 and those ticks on a core of its own; nothing is
 * judged yet. */
struct results *unjudged(void);
void put_canary(struct results *results, double latency, double ratio);
/* A launch of one visit, the trials of which have `flags` before they are
 * judged. */
void add_launch_of(struct results *results, const double *ratios, size_t count,
	unsigned flags);
/* The same, and judges it as the lab does when it has ended. */
void judge_launch(struct results *results, const double *ratios, size_t count);
/* A launch in which all canaries are alike. */
void judge_alike(struct results *results, double ratio, size_t count);
unsigned judged_flags(const struct results *results, size_t launch,
	size_t trial);
/* A number of ratios, even between two ends. */
void fill_between(double *ratios, size_t count, double low, double high,
	uint64_t *random);

#endif
