/* Compares two points of one run in pairs. */
#include "pairs.h"

#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "gather.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"
#include "ruled.h"

enum {
	ENOUGH_PAIRS = 20, /* of a regime in a launch */
	ENOUGH_SHARE = 10, /* or one in ten of its pairs */
};

/* Differences of the launches, by regime. */
struct differences {
	double *list[REGIMES];
	size_t count[REGIMES];
	size_t trials[REGIMES]; /* number of pairs in them */
};

static void add_difference(struct differences *all, enum regime regime,
	double difference)
{
	if (isfinite(difference))
		all->list[regime][all->count[regime]++] = difference;
}

/* ---- trial by trial --------------------------------------------------- */

/* The common regime of two trials; REGIMES: they are not a pair. */
static enum regime pair_regime(unsigned a, unsigned b)
{
	unsigned both = a | b;

	if (both & (FLAGS_EXCLUDED | FLAG_MIXED) ||
		(a & FLAG_SHARED) != (b & FLAG_SHARED))
		return REGIMES;
	return both & FLAG_SHARED ? REGIME_SHARED : REGIME_ALONE;
}

struct two {
	const struct results *results;
	const struct point *a, *b;
	unsigned metric;
	enum scale scale;
};

/* The pairs of one visit by regime: ln A and ln(B / A) of each pair. */
struct visit_pairs {
	double *a[REGIMES], *d[REGIMES];
	size_t count[REGIMES];
};

static void add_pair(struct visit_pairs *pairs, enum regime regime, double a,
	double d)
{
	size_t at = pairs->count[regime]++;

	pairs->a[regime][at] = a;
	pairs->d[regime][at] = d;
}

static void add_pairs(const struct reading *first, const struct reading *second,
	struct visit_pairs *pairs)
{
	for (size_t i = 0; i < first->count && i < second->count; i++) {
		double a = first->values[i], b = second->values[i];
		enum regime regime = pair_regime(first->flags[i],
			second->flags[i]);

		if (regime == REGIMES || !(a > 0) || !(b > 0))
			continue;
		add_pair(pairs, regime, log(a), log(b / a));
		add_pair(pairs, REGIME_POOLED, log(a), log(b / a));
	}
}

static void read_pairs(const struct two *two, size_t v,
	struct visit_pairs *pairs)
{
	struct reading a, b;

	a.next = b.next = 0;
	for (int r = 0; r < REGIMES; r++)
		pairs->count[r] = 0;
	while (results_read(two->results, two->a, two->metric, v, two->scale,
		       &a) &&
		results_read(two->results, two->b, two->metric, v, two->scale,
			&b))
		add_pairs(&a, &b, pairs);
}

/* One launch, by regime. For each visit, a is the median of ln A, and b is a
 * plus the median of ln(B / A). */
struct launch_pairs {
	double a[REGIMES][CLONES_MAX], b[REGIMES][CLONES_MAX];
	size_t visits[REGIMES], pairs[REGIMES];
};

static void add_visit(struct launch_pairs *launch, struct visit_pairs *pairs)
{
	for (int r = 0; r < REGIMES; r++) {
		size_t n = pairs->count[r];

		if (!n || launch->visits[r] == CLONES_MAX)
			continue;
		size_t at = launch->visits[r]++;
		launch->pairs[r] += n;
		launch->a[r][at] = median_unsorted(pairs->a[r], n);
		launch->b[r][at] =
			launch->a[r][at] + median_unsorted(pairs->d[r], n);
	}
}

static void end_launch(struct launch_pairs *launch, struct differences *all)
{
	size_t enough = launch->pairs[REGIME_POOLED] / ENOUGH_SHARE;

	enough = enough > ENOUGH_PAIRS ? ENOUGH_PAIRS : enough;
	for (int r = 0; r < REGIMES; r++) {
		if (!launch->visits[r] || launch->pairs[r] < enough)
			continue;
		add_difference(all, (enum regime)r,
			median_of(launch->b[r], launch->visits[r]) -
				median_of(launch->a[r], launch->visits[r]));
		all->trials[r] += launch->pairs[r];
	}
	*launch = (struct launch_pairs){ .visits = { 0 } };
}

/* Both points have the same visits, except that the last visit may be
 * missing. */
static void pair_trials(const struct two *two, struct differences *all)
{
	const struct point *a = two->a;
	size_t visits = a->visit_count < two->b->visit_count ?
		a->visit_count :
		two->b->visit_count;
	struct launch_pairs launch = { .visits = { 0 } };
	struct visit_pairs pairs;
	size_t most = 1;

	for (size_t v = 0; v < visits; v++) {
		size_t n = visit_trials(two->results, a, two->metric, v);

		most = n > most ? n : most;
	}
	for (int r = 0; r < REGIMES; r++) {
		pairs.a[r] = xmalloc(most * sizeof *pairs.a[r]);
		pairs.d[r] = xmalloc(most * sizeof *pairs.d[r]);
	}
	for (size_t v = 0; v < visits; v++) {
		if (v && a->visits[v].launch != a->visits[v - 1].launch)
			end_launch(&launch, all);
		read_pairs(two, v, &pairs);
		add_visit(&launch, &pairs);
	}
	end_launch(&launch, all);
	for (int r = 0; r < REGIMES; r++) {
		free(pairs.a[r]);
		free(pairs.d[r]);
	}
}

/* ---- visit by visit --------------------------------------------------- */

/* Pairs the launches that both points have. If the values depend on the memory
 * ruler, they are corrected to one reading. */
static void pair_values(const struct ruled_launch *a, size_t na,
	const struct ruled_launch *b, size_t nb, struct differences *all)
{
	struct ruled_fit fit = ruled_fit_of(a, na, b, nb);
	double reference = ruled_reference(a, na);

	for (size_t i = 0, k = 0; i < na && k < nb;) {
		if (a[i].launch < b[k].launch) {
			i++;
		} else if (b[k].launch < a[i].launch) {
			k++;
		} else {
			double was = ruled_value(&fit, &a[i++], reference);
			double is = ruled_value(&fit, &b[k++], reference);

			add_difference(all, REGIME_POOLED,
				was > 0 && is > 0 ? log(is / was) : NAN);
		}
	}
}

/* Uses all trials only if sharing has no effect on either point. */
static void pair_launches(const struct two *two, struct differences *all)
{
	bool any = results_pooled(two->results, two->a, two->metric) &&
		results_pooled(two->results, two->b, two->metric);
	enum regime regime = any ? REGIME_POOLED : REGIME_ALONE;
	struct ruled_launch *a, *b;
	size_t na = ruled_launches(two->results, two->a, two->metric,
		two->scale, regime, &a);
	size_t nb = ruled_launches(two->results, two->b, two->metric,
		two->scale, regime, &b);

	pair_values(a, na, b, nb, all);
	free(a);
	free(b);
}

/* ---- the result ------------------------------------------------------- */

static bool are_apart(const struct signed_rank *a, const struct signed_rank *b)
{
	return a->has_interval && b->has_interval &&
		(a->low > b->high || b->low > a->high);
}

void pairs_of(const struct results *results, const struct point *a,
	const struct point *b, unsigned metric, enum scale scale,
	struct pairs *pairs)
{
	const struct two two = { results, a, b, metric, scale };
	size_t most = a->visit_count + b->visit_count + 1;
	struct differences all = { .count = { 0 } };

	for (int r = 0; r < REGIMES; r++)
		all.list[r] = xmalloc(most * sizeof *all.list[r]);
	if (results->plan.paired)
		pair_trials(&two, &all);
	else
		pair_launches(&two, &all);
	for (int r = 0; r < REGIMES; r++) {
		pairs->by_regime[r] = signed_rank_of(all.list[r], all.count[r]);
		pairs->trials[r] = all.trials[r];
		free(all.list[r]);
	}
	pairs->disagree = are_apart(&pairs->by_regime[REGIME_ALONE],
		&pairs->by_regime[REGIME_SHARED]);
	pairs->regime = pairs->disagree ? REGIME_ALONE : REGIME_POOLED;
}
