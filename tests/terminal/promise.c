/* Promises about time. */
#include "promise.h"

#include <math.h>

enum { PROMISE_ATTEMPTS = 25, PROMISE_WORK_MS = 100 };

double promise_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The present ratio of wall time to processor time for a fixed amount of
 * work. */
static double promise_crowd(void)
{
	double wall = promise_ms(CLOCK_MONOTONIC);
	double used = promise_ms(CLOCK_THREAD_CPUTIME_ID), now = used;

	while (now < used + PROMISE_WORK_MS)
		now = promise_ms(CLOCK_THREAD_CPUTIME_ID);
	return (promise_ms(CLOCK_MONOTONIC) - wall) / (now - used);
}

/* A program with sanitizers is several times slower. */
static double promise_limit(const struct promise *promise)
{
	return promise->limit * (*BENCHTOP_SANITIZE ? 8 : 1);
}

bool promise_open(const struct promise *promise)
{
	int most = promise->most ? promise->most : PROMISE_ATTEMPTS;

	return !promise->attempts ||
		(promise->attempts < most &&
			promise->best > promise_limit(promise));
}

void promise_attempt(struct promise *promise, double took)
{
	double crowd = took > promise_limit(promise) ? promise_crowd() : 1;

	promise->best = promise->attempts ? fmin(promise->best, took) : took;
	promise->calm = promise->attempts ? fmin(promise->calm, crowd) : crowd;
	promise->attempts++;
}

void promise_keep(const struct promise *promise)
{
	bool kept = promise->best <= promise_limit(promise);

	print_message("%s: %.3g %s in the best of %d, promised %g: %s\n",
		promise->what, promise->best, promise->unit, promise->attempts,
		promise->limit, kept ? "kept" : "not kept");
	if (!kept && promise->calm > 1.5) {
		print_message("SKIP: not quiet in three attempts: work took "
			      "%.1f times its processor time\n",
			promise->calm);
		skip();
	}
	assert_true(kept);
}
