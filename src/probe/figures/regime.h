/*
 * Regimes: the same figure on an unshared core and beside a co-runner.
 *
 * A trial on a shared core is not invalid: it answers another question. So each
 * launch has a median for each regime with enough trials (20, or a tenth of its
 * trials if that is less). A launch has no figure alone if its mixed trials are
 * more than a quarter of those alone: then a co-runner came and went too often
 * for the canaries to see it. The figure of a regime is the median of these,
 * with their order-statistic interval. The slowdown by a co-runner is compared
 * within launches: s = median of ln(shared / alone) over the launches with
 * both. In a launch of several alignment clones it is the median over its
 * visits with both, because layouts differ more than a co-runner's effect.
 *
 * The headline is
 *   pooled  if the interval of s is within 1 % of 0, so that sharing has no
 *           effect; if no canary ran beside the trials; and for steady metrics
 *           (probe.h)
 *   alone   if at least six launches have that figure
 *   shared  otherwise, if six launches have that figure
 *   pooled  otherwise, if six launches have any figure: what a tenant of the
 *           machine experiences
 * The headline is settled if it is from an unshared core, or if sharing has no
 * effect. The medians of all regimes are kept, and the median of all trials.
 */
#ifndef BENCHTOP_REGIME_H
#define BENCHTOP_REGIME_H

#include "digest.h"
#include "results.h"

struct gathered;

/* One launch at a point. */
struct launch_figures {
	unsigned launch; /* index into the launches */
	double at_s;
	size_t trials[REGIMES];
	double median[REGIMES]; /* NaN: too few trials */
	double cost;            /* ln(shared / alone); NaN: not both */
};

/* The figures of gathered trials, one entry per launch; the array has room for
 * one per visit. Returns their number. */
size_t regime_launches(const struct results *, const struct gathered *,
	struct launch_figures *);
/* The figures of a metric at a point; the caller frees the list. Returns their
 * number. */
size_t results_launch_figures(const struct results *, const struct point *,
	unsigned metric, enum scale, struct launch_figures **);

/* Summarises the launches for each regime, and the slowdown. */
void regime_summaries(const struct launch_figures *, size_t count,
	struct regime_figures by_regime[REGIMES], struct slowdown *);
/* The regime of the headline; `parted` is the result of gather_parts(). */
enum regime regime_choose(const struct regime_figures by_regime[REGIMES],
	const struct slowdown *, bool parted);
/* True if a headline of that regime is settled. */
bool regime_settles(enum regime, const struct slowdown *, bool parted);
/* All of these for a metric at a point, in its unit. */
struct regimes {
	struct regime_figures by_regime[REGIMES];
	struct slowdown slowdown;
	enum regime headline;
	bool settled;
};
void results_regimes(const struct results *, const struct point *,
	unsigned metric, struct regimes *);
enum regime results_regime(const struct results *, const struct point *,
	unsigned metric);
bool results_settled(const struct results *, const struct point *,
	unsigned metric);
/* True if the headline is of all trials, and will stay so. */
bool results_pooled(const struct results *, const struct point *,
	unsigned metric);

/* How a trial is shown with a headline of a regime; a histogram counts these
 * classes separately. */
enum shown {
	SHOWN_HEADLINE, /* part of the headline */
	SHOWN_OTHER,    /* part of the other regime's figure */
	SHOWN_EXCLUDED, /* part of neither */
};
enum shown regime_shows(enum regime headline, unsigned flags);

#endif
