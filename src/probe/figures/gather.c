/* Collects trials for figures, screens and findings. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"

enum {
	ENOUGH_TRIALS = 20, /* of a regime in a launch */
	ENOUGH_SHARE = 10,  /* or one in ten of its trials */
};

void gathered_free(struct gathered *all)
{
	free(all->values);
	free(all->visits);
}

/* An upper limit of the number of values of a metric at a point. */
static size_t most_values(const struct results *results,
	const struct point *point, unsigned metric)
{
	size_t most = 0;

	for (size_t v = 0; v < point->visit_count; v++)
		most += visit_trials(results, point, metric, v);
	return most;
}

/* The resolution of a value in the scale. It is 0 for derived values, which are
 * sums and reciprocals of readings and not multiples of a step. */
static double step_of(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale)
{
	double step_ns = results_quantum(results, point, metric);

	if (point->series[metric].derived)
		return 0;
	return scale == SCALE_CYCLES ? step_ns * 1e-9 * results->clock.core_hz :
				       step_ns;
}

static enum trial_class class_of(unsigned flags)
{
	if (flags & FLAGS_EXCLUDED)
		return CLASS_EXCLUDED;
	if (flags & FLAG_MIXED)
		return CLASS_MIXED;
	return flags & FLAG_SHARED ? CLASS_SHARED : CLASS_ALONE;
}

/* The values of one visit with their classes, in the order of its trials. */
struct scratch {
	double *values;
	uint8_t *classes;
	size_t count;
};

/* Counts all trials by their flags, and keeps those that have a value. */
static void classify(const struct reading *reading, bool steady,
	struct scratch *scratch, size_t *flagged)
{
	unsigned ignored = steady ? FLAGS_CONDITIONS : 0;

	for (size_t i = 0; i < reading->count; i++) {
		unsigned flags = reading->flags[i];

		flagged[flags]++;
		if (!trial_shows(reading->values[i], flags))
			continue;
		scratch->values[scratch->count] = reading->values[i];
		scratch->classes[scratch->count++] =
			(uint8_t)class_of(flags & ~ignored);
	}
}

/* Appends the values of a visit, ordered by class. */
static void add_visit(struct gathered *all, unsigned launch,
	const struct scratch *scratch)
{
	struct gathered_visit *visit = &all->visits[all->visit_count++];
	size_t at[CLASSES];

	*visit = (struct gathered_visit){ .launch = launch,
		.first = all->value_count };
	for (size_t i = 0; i < scratch->count; i++)
		visit->count[scratch->classes[i]]++;
	at[0] = all->value_count;
	for (int c = 1; c < CLASSES; c++)
		at[c] = at[c - 1] + visit->count[c - 1];
	for (size_t i = 0; i < scratch->count; i++)
		all->values[at[scratch->classes[i]]++] = scratch->values[i];
	all->value_count += scratch->count;
}

/* Has each trial one value? Only then do the flags of a trial apply to its
 * value. */
static bool is_parallel(const struct point *point, unsigned metric)
{
	const struct series *series = &point->series[metric];

	for (size_t v = 0; v < point->visit_count; v++)
		if (series->slices[v].count != point->visits[v].trials)
			return false;
	return true;
}

bool gather_parts(const struct results *results, const struct point *point,
	unsigned metric)
{
	const struct metric_info *info = &results->metrics[metric];

	return point->canary.count && !info->steady &&
		(info->kind != METRIC_VALUE || is_parallel(point, metric));
}

void gather(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, size_t visit, struct gathered *all)
{
	size_t most = most_values(results, point, metric) + 1;
	bool steady = results->metrics[metric].steady;
	struct scratch scratch = { xmalloc(most * sizeof *scratch.values),
		xmalloc(most), 0 };

	*all = (struct gathered){
		.values = xmalloc(most * sizeof *all->values),
		.visits =
			xmalloc((point->visit_count + 1) * sizeof *all->visits),
		.step = step_of(results, point, metric, scale),
	};
	for (size_t v = visit; v < point->visit_count; v++) {
		struct reading reading;

		reading.next = scratch.count = 0;
		while (results_read(results, point, metric, v, scale, &reading))
			classify(&reading, steady, &scratch, all->flagged);
		add_visit(all, point->visits[v].launch, &scratch);
	}
	free(scratch.values);
	free(scratch.classes);
}

/* ---- groups ----------------------------------------------------------- */

/* The number of trials of a regime in a visit; *skip is the index of the
 * first. */
static size_t regime_trials(const struct gathered_visit *visit,
	enum regime regime, size_t *skip)
{
	size_t pooled = visit->count[CLASS_ALONE] + visit->count[CLASS_SHARED] +
		visit->count[CLASS_MIXED];

	*skip = regime == REGIME_SHARED ? visit->count[CLASS_ALONE] : 0;
	switch (regime) {
	case REGIME_ALONE:
		return visit->count[CLASS_ALONE];
	case REGIME_SHARED:
		return visit->count[CLASS_SHARED];
	case REGIME_POOLED:
		return pooled;
	case REGIMES:
		break;
	}
	return pooled + visit->count[CLASS_EXCLUDED];
}

/* Has the launch with these visits enough trials of the regime? If a co-runner
 * comes and goes as often as canaries run, it also runs between two canaries
 * that were alone. Then many trials are mixed, and none can be trusted to have
 * been alone. */
static bool is_enough(const struct gathered_visit *visits, size_t count,
	enum regime regime)
{
	size_t of_regime = 0, all = 0, mixed = 0, skip;

	if (regime != REGIME_ALONE && regime != REGIME_SHARED)
		return true;
	for (size_t v = 0; v < count; v++) {
		of_regime += regime_trials(&visits[v], regime, &skip);
		all += regime_trials(&visits[v], REGIME_POOLED, &skip);
		mixed += visits[v].count[CLASS_MIXED];
	}
	if (regime == REGIME_ALONE && of_regime < GATHER_STEADY_TIMES * mixed)
		return false;
	size_t enough = all / ENOUGH_SHARE;
	enough = enough > ENOUGH_TRIALS ? ENOUGH_TRIALS : enough;
	return of_regime && of_regime >= enough;
}

void gathered_groups(const struct gathered *all, enum regime regime,
	struct group *groups)
{
	for (size_t at = 0, end; at < all->visit_count; at = end) {
		const struct gathered_visit *visits = all->visits + at;

		for (end = at + 1; end < all->visit_count &&
			all->visits[end].launch == visits->launch;
			end++)
			;
		bool enough = is_enough(visits, end - at, regime);
		for (size_t v = at; v < end; v++) {
			size_t skip;
			size_t n =
				regime_trials(&all->visits[v], regime, &skip);

			groups[v] = (struct group){
				.launch = visits->launch,
				.values = all->values + all->visits[v].first +
					skip,
				.n = enough ? n : 0,
				.step = all->step,
			};
		}
	}
}

/* ---- for screens ------------------------------------------------------ */

size_t results_values(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, double **values, uint16_t **flags)
{
	size_t most = most_values(results, point, metric) + 1;
	size_t count = 0;

	*values = xmalloc(most * sizeof **values);
	if (flags)
		*flags = xmalloc(most * sizeof **flags);
	for (size_t v = 0; v < point->visit_count; v++) {
		struct reading reading;

		reading.next = 0;
		while (results_read(results, point, metric, v, scale, &reading))
			for (size_t i = 0; i < reading.count; i++) {
				if (!trial_shows(reading.values[i],
					    reading.flags[i]))
					continue;
				if (flags)
					(*flags)[count] = reading.flags[i];
				(*values)[count++] = reading.values[i];
			}
	}
	return count;
}
