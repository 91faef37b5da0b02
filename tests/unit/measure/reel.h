/* Samples like those of a worker, and results to which they are fed. */
#ifndef BENCHTOP_REEL_H
#define BENCHTOP_REEL_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "feed.h"

enum { TIMED, TIMED_TOO, SHARE, CURVE };

struct reel {
	struct sample *list;
	size_t count;
};

void reel_put(struct reel *reel, struct sample sample);
void reel_launch(struct reel *reel, unsigned number);
void reel_end(struct reel *reel, unsigned number);
void reel_overhead(struct reel *reel, double median, double jitter);
void reel_visit(struct reel *reel, unsigned point, unsigned clone,
	unsigned canary_every);
/* One trial of both timed metrics. */
void reel_trial(struct reel *reel, uint64_t ticks, unsigned flags);
void reel_canary(struct reel *reel, uint64_t latency, uint64_t throughput);
void reel_usage(struct reel *reel, unsigned flags, unsigned trials);
void reel_text(struct reel *reel, enum sample_text kind, const char *text);
/* Two points, four metrics, a clock with one tick per nanosecond. */
struct results *reel_results(void);
/* Feeds all samples, `step` at a time, and empties the reel. */
void reel_feed(struct reel *reel, struct results *results, size_t step);
unsigned flags_of(const struct results *results, unsigned metric, size_t visit,
	size_t trial);
double value_of(const struct results *results, unsigned metric, size_t visit,
	size_t trial);

#endif
