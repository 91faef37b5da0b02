/*
 * Regimes: the same figure on a core of its own, and beside a co-runner.
 *
 * A trial that shared its core is no bad trial: it answers another question.
 * So each launch has a median for each regime of which it has enough trials
 * (20, or a tenth of its trials where that is less), and the figure of a
 * regime is the median over these, with their order-statistic interval. What a
 * co-runner costs is compared within launches: s = median of ln(shared /
 * alone) over the launches that have both. In a launch of several alignment
 * clones it is the median over its visits that have both, since layouts differ
 * by more than a co-runner costs.
 *
 * The headline is
 *   pooled  where the interval of s lies within 1 % of 0, so that sharing does
 *           not matter; where no canary stood beside the trials; and of steady
 *           metrics (probe.h)
 *   alone   where at least six launches have that figure
 *   shared  else, where six have that one
 *   pooled  else, where six have one at all: what a tenant of the machine sees
 * The headline is settled where it is of a core of its own, or where sharing
 * does not matter. The medians of all regimes stay, and so does the median of
 * all trials.
 */
#ifndef BENCHTOP_REGIME_H
#define BENCHTOP_REGIME_H

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

/* Those of gathered trials, a launch each: room for one per visit. Returns how
 * many there are. */
size_t regime_launches(const struct results *, const struct gathered *,
	struct launch_figures *);
/* Those of a metric at a point, to be freed. */
size_t results_launch_figures(const struct results *, const struct point *,
	unsigned metric, enum scale, struct launch_figures **);

/* What the launches show of each regime, and of the slowdown. */
void regime_summaries(const struct launch_figures *, size_t count,
	struct regime_figures by_regime[REGIMES], struct slowdown *);
/* Whose figure is the headline; `parted`: gather_parts(). */
enum regime regime_choose(const struct regime_figures by_regime[REGIMES],
	const struct slowdown *, bool parted);
/* Is a headline of that regime settled? */
bool regime_settles(enum regime, const struct slowdown *, bool parted);
/* The same of a metric at a point, by its unit. */
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
/* Is the headline of all trials, and stays so? */
bool results_pooled(const struct results *, const struct point *,
	unsigned metric);

/* How a trial is shown beside a headline of a regime; a histogram counts these
 * classes apart. */
enum shown {
	SHOWN_HEADLINE, /* it is in the headline */
	SHOWN_OTHER,    /* in the figure of the other regime */
	SHOWN_EXCLUDED, /* in neither */
};
enum shown regime_shows(enum regime headline, enum scale, unsigned flags);

#endif
