/* Compares the two sides of a row. */
#include "compare_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "moments.h"
#include "quality.h"
#include "regime.h"

/* In guests: of figures with ruler readings, and of tasks that wait. */

const struct metric_info *compare_row_metric(const struct compare_row *row)
{
	return &row->second.run->metrics[row->second.metric];
}

static bool test_pairs(struct compare_row *row, enum scale scale,
	struct comparison *comparison)
{
	const struct compare_side *a = &row->first, *b = &row->second;
	struct pairs pairs;

	pairs_of(a->run, a->point, b->point, a->metric, scale, &pairs);
	if (scale == SCALE_UNIT)
		row->pairs = pairs;
	const struct signed_rank *result = pairs_result(&pairs);
	*comparison = (struct comparison){
		.p = result->p,
		.exact = result->exact,
		.ratio = exp(result->centre),
		.ratio_low = exp(result->low),
		.ratio_high = exp(result->high),
	};
	if (compare_row_metric(row)->better == MORE_IS_BETTER)
		comparison_invert(comparison);
	return result->has_interval;
}

/* Launches of both sides with their memory ruler readings; owned. */
struct launches {
	struct ruled_launch *list[2];
	size_t count[2];
};

static struct launches launches_of(const struct compare_row *row,
	enum scale scale)
{
	const struct compare_side *sides[] = { &row->first, &row->second };
	struct launches launches;

	for (int i = 0; i < 2; i++)
		launches.count[i] = ruled_launches(sides[i]->run,
			sides[i]->point, sides[i]->metric, scale,
			sides[i]->regime, &launches.list[i]);
	return launches;
}

static void launches_free(struct launches *launches)
{
	free(launches->list[0]);
	free(launches->list[1]);
}

/* Compares values corrected to one ruler reading. If the fit does not apply,
 * the values are compared as they are. */
static bool compare_launches(const struct launches *launches,
	const struct ruled_fit *fit, bool rate, struct comparison *comparison)
{
	double reference =
		ruled_reference(launches->list[0], launches->count[0]);
	double *values[2];

	for (int i = 0; i < 2; i++) {
		size_t count = launches->count[i];

		values[i] = xmalloc((count + 1) * sizeof *values[i]);
		for (size_t k = 0; k < count; k++)
			values[i][k] = ruled_value(fit, &launches->list[i][k],
				reference);
	}
	bool done = compare_samples(values[0], launches->count[0], values[1],
		launches->count[1], comparison);
	free(values[0]);
	free(values[1]);
	if (done && rate)
		comparison_invert(comparison);
	return done;
}

static bool test(struct compare_row *row, enum scale scale,
	struct comparison *comparison)
{
	static const struct ruled_fit none = { .applies = false };
	bool rate = compare_row_metric(row)->better == MORE_IS_BETTER;

	if (row->paired)
		return test_pairs(row, scale, comparison);
	struct launches launches = launches_of(row, scale);
	struct ruled_fit fit = ruled_fit_of(launches.list[0], launches.count[0],
		launches.list[1], launches.count[1]);
	bool done = compare_launches(&launches, &fit, rate, comparison);
	if (scale == SCALE_UNIT)
		row->ruled = fit;
	if (scale == SCALE_UNIT && fit.applies)
		compare_launches(&launches, &none, rate, &row->measured);
	launches_free(&launches);
	return done;
}

static bool is_changed(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER;
}

/* The verdict of a change that is none in the other scale. */
static enum verdict unproven(const struct comparison *change, double delta)
{
	return change->ratio_low >= 1 - 2 * delta &&
			change->ratio_high <= 1 + 2 * delta ?
		VERDICT_SMALL :
		VERDICT_INCONCLUSIVE;
}

/* `delta`: the threshold at one frequency. `guests`: of two sessions. */
static void judge_cycles(struct compare_row *row, double delta, bool guests)
{
	row->has_cycles = row->first.run->clock.cycles_trusted &&
		row->second.run->clock.cycles_trusted &&
		test(row, SCALE_CYCLES, &row->cycles) &&
		isfinite(row->cycles.ratio);
	if (!row->has_cycles)
		return;
	row->cycles_delta = delta;
	row->cycles_verdict = verdict_of(row->cycles.ratio_low,
		row->cycles.ratio_high, delta);
	enum verdict time = verdict_of(row->time.ratio_low,
		row->time.ratio_high, delta);
	row->by_clock = (time == VERDICT_SLOWER || time == VERDICT_FASTER) &&
		row->cycles_verdict == VERDICT_EQUIVALENT;
	/* The host of a guest sets the frequency: only both prove a change. */
	if (!guests || row->verdict == row->cycles_verdict)
		return;
	if (is_changed(row->verdict)) {
		row->verdict = row->by_clock ?
			VERDICT_SMALL :
			unproven(&row->time, row->delta);
		row->more = UINT32_MAX;
	}
	if (is_changed(row->cycles_verdict))
		row->cycles_verdict = unproven(&row->cycles, delta);
}

/* Relative standard deviation of the launch medians, which the test
 * compares. */
static double relative_sd(const struct compare_side *side)
{
	double *medians;
	size_t count = results_launch_medians(side->run, side->point,
		side->metric, SCALE_UNIT, &medians, NULL);
	struct moments moments = { 0 };

	for (size_t i = 0; i < count; i++)
		moments_add(&moments, medians[i]);
	free(medians);
	return fabs(moments_sd(&moments) / moments.mean);
}

/* The smallest change for which four of five intervals would exclude 0. It is
 * 2.8 standard errors, and half an interval is 1.96 of them. */
static double visible_in_pairs(const struct comparison *time)
{
	return 2.8 / 1.96 * log(time->ratio_high / time->ratio_low) / 2;
}

static void judge_time(struct compare_row *row)
{
	const struct comparison *time = &row->time;
	size_t launches = row->first.launches < row->second.launches ?
		row->first.launches :
		row->second.launches;

	row->ratio = time->ratio;
	row->p_holm = time->p;
	row->verdict =
		verdict_of(time->ratio_low, time->ratio_high, row->delta);
	row->visible = row->paired ?
		visible_in_pairs(time) :
		smallest_visible_change(fmax(relative_sd(&row->first),
						relative_sd(&row->second)),
			launches);
	if (row->verdict == VERDICT_INCONCLUSIVE)
		row->more = verdict_more_launches(time, launches, row->delta);
}

static bool is_undecided(const struct compare_side *side)
{
	return !quality_decides(side->quality);
}

static bool is_shared(const struct compare_row *row)
{
	return row->first.quality == QUALITY_SHARED_CORE ||
		row->second.quality == QUALITY_SHARED_CORE;
}

bool compare_row_shared(const struct compare_row *row)
{
	return row->basis == COMPARE_UNDECIDED && is_shared(row);
}

struct compare_shares compare_shares_of(const struct compare_side *first,
	const struct compare_side *second)
{
	if (first->crowded || second->crowded)
		return (struct compare_shares){ true, first->run->place.others,
			second->run->place.others };
	return (struct compare_shares){ false, first->not_alone,
		second->not_alone };
}

/* The relative difference of the core's frequency beside the trials of both
 * points; 0 if it is not known and has no session-wide estimate either. */
static double clock_drift(const struct compare_row *row, double canary_drift)
{
	const struct compare_side *a = &row->first, *b = &row->second;

	if (!isfinite(canary_drift)) /* another processor */
		return 0;
	double drift = fabs(results_core_hz(b->run, b->point) /
			results_core_hz(a->run, a->point) - 1);
	return isfinite(drift) ? drift : canary_drift;
}

double compare_guest_delta(const struct results *run)
{
	return run->plan.traits & (TRAIT_BLOCKS | TRAIT_PARTIES) ?
		COMPARE_DELTA_WIDE :
		COMPARE_DELTA_GUEST;
}

/* At one frequency. */
static double base_delta(const struct compare_row *row,
	const struct compare_pair *pair)
{
	return pair->guest && !row->paired ?
		compare_guest_delta(row->second.run) :
		pair->delta;
}

static double delta_of(const struct compare_row *row,
	const struct compare_pair *pair)
{
	double memory = fabs(log(row->ruled.ratio));

	if (row->paired)
		return pair->delta;
	if (pair->guest && isfinite(memory))
		return fmax(pair->delta, COMPARE_DELTA_WIDE + memory);
	return base_delta(row, pair) + clock_drift(row, pair->drift);
}

/* ---- what guests share ------------------------------------------------- */

static bool is_of(const struct results *run, const char *group)
{
	return !strncmp(run->experiment, group, strlen(group));
}

bool compare_is_of_core(const struct results *run, const struct point *point,
	unsigned metric)
{
	unsigned traits = run->plan.traits;

	if (run->metrics[metric].steady)
		return true;
	if (!run->clock.cycles_trusted || point->ruler.count ||
		(is_of(run, "mem.") && traits & TRAIT_FAULTS))
		return false;
	return !(traits & TRAIT_THREADS) && !is_of(run, "fs.") &&
		!is_of(run, "net.");
}

static bool is_of_core(const struct compare_row *row)
{
	const struct compare_side *side = &row->second;

	return compare_is_of_core(side->run, side->point, side->metric) &&
		(row->has_cycles || compare_row_metric(row)->steady);
}

static void doubt_guests(struct compare_row *row)
{
	row->of_host = true;
	row->by_host = is_changed(row->verdict);
	if (row->by_host) {
		row->verdict = VERDICT_INCONCLUSIVE;
		row->more = 0;
	}
	if (row->has_cycles && is_changed(row->cycles_verdict))
		row->cycles_verdict = VERDICT_INCONCLUSIVE;
}

void compare_row_fill(struct compare_row *row, const struct compare_pair *pair)
{
	bool more = compare_row_metric(row)->better == MORE_IS_BETTER;

	row->ruled.ratio = NAN;
	row->p_holm = NAN;
	row->visible = NAN;
	row->ratio = more ? row->first.figure / row->second.figure :
			    row->second.figure / row->first.figure;
	if (row->first.published || row->second.published)
		row->basis = COMPARE_FIGURES;
	else if (!row->paired &&
		(is_undecided(&row->first) || is_undecided(&row->second)))
		row->basis = COMPARE_UNDECIDED;
	else if (row->paired &&
		!(row->first.figure > 0 && row->second.figure > 0))
		row->basis = COMPARE_NO_RATIO;
	else if (row->paired && !test(row, SCALE_UNIT, &row->time))
		row->basis =
			is_shared(row) ? COMPARE_UNDECIDED : COMPARE_TOO_FEW;
	else if (!test(row, SCALE_UNIT, &row->time))
		row->basis = COMPARE_TOO_FEW;
	else if (!isfinite(row->time.ratio))
		row->basis = COMPARE_NO_RATIO;
	else
		row->basis = COMPARE_LAUNCHES;
	if (!(row->first.figure > 0) || !(row->second.figure > 0))
		row->ratio = NAN;
	row->delta = delta_of(row, pair);
	if (row->basis != COMPARE_LAUNCHES)
		return;
	judge_time(row);
	judge_cycles(row, base_delta(row, pair), pair->guest && !row->paired);
	if (pair->guest && !row->paired && !is_of_core(row))
		doubt_guests(row);
}
