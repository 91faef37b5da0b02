/* Operations, trials, launches, and when to stop. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "canary.h"
#include "digest.h"
#include "interval.h"
#include "memory.h"
#include "memory_ruler.h"
#include "pairs.h"
#include "quality.h"
#include "quantile.h"
#include "regime.h"
#include "tape.h"

struct plan plan_at(const struct experiment *experiment,
	const struct param_set *set, size_t point)
{
	struct plan plan = experiment->plan;

	if (experiment->plan_for) {
		void *args = xcalloc(1, experiment->args_size);

		param_set_args(set, point, args);
		experiment->plan_for(args, &plan);
		free(args);
	}
	return plan;
}

struct window plan_window(const struct clock_facts *clock)
{
	double per_ns = clock->hz * 1e-9;
	double timer_hz = clock->timer_hz > 0 ? clock->timer_hz : 250;
	struct window window;

	window.least = fmax(1000 * clock->quantum, 20 * clock->overhead);
	window.most = .05 / timer_hz * clock->hz;
	window.target = fmin(fmax(5000 * per_ns, window.least), window.most);
	return window;
}

enum {
	LAUNCH_NS = 4 * 1000 * 1000, /* fork, pinning, overhead twice */
	CHEAP_NS = 50 * 1000 * 1000,
	CHEAP_NS_LEAST = 5 * 1000 * 1000,
	SETUP_PER_TRIALS = 10, /* an expensive set-up, for its trials */
	COUNTED_MOST = 20,     /* trials of a visit */
	WARM_NS = 1000 * 1000, /* of a point in a launch */
	BUSY_TIMES = 16,       /* how much slower trials may become */
};

double plan_warm_up_ns(const struct schedule *schedule)
{
	return (double)WARM_NS / schedule->clones;
}

/* The time of a visit, set-up included. */
static double visit_ns(const struct sizing *point, unsigned trials)
{
	return point->setup_ns + trials * point->trial_ns;
}

/* Limits that all visits of a launch share. */
struct share {
	double budget_ns; /* of a visit, from the run's budget */
	double cheap_ns;  /* more does not help if trials are short */
	double usual;     /* trials */
	double most;      /* trials that fit on the tape */
};

static struct share share_visits(const struct schedule *schedule, size_t points,
	double launch_ns)
{
	double visits = (double)(points * schedule->clones);

	return (struct share){
		.budget_ns = launch_ns / visits,
		.cheap_ns = fmax(CHEAP_NS / (double)points, CHEAP_NS_LEAST) /
			schedule->clones,
		.usual = (double)TRIALS_USUAL / schedule->clones,
		.most = .8 * TAPE_SAMPLES_MAX / schedule->launches_most /
			visits / (schedule->emits + 1.25),
	};
}

static unsigned visit_trials(const struct sizing *point,
	const struct share *share, unsigned least)
{
	double free_ns = fmax(share->budget_ns - point->setup_ns,
		point->setup_ns / SETUP_PER_TRIALS);
	double fits = free_ns / point->trial_ns;
	double wanted = fmax(share->cheap_ns / point->trial_ns, share->usual);

	/* Ten trials of each layout give its median. */
	wanted = fmax(wanted, 10);
	wanted = fmin(fmin(wanted, fits), fmin(share->most, TRIALS_MOST));
	return (unsigned)fmax(wanted, fmax(least, 1));
}

/* ---- draws ------------------------------------------------------------ */

/* Launches that visit a point if every point may take `most_ns` in total. */
static unsigned draws_within(const struct schedule *schedule, size_t i,
	const struct plan *plan, double most_ns)
{
	const struct sizing *point = &schedule->points[i];
	double cost_ns = schedule->clones * visit_ns(point, point->trials);
	double draws = fmin(floor(most_ns / cost_ns), schedule->draws_of);

	return (unsigned)fmax(draws,
		fmin(plan->draws_least, schedule->draws_of));
}

static double draws_cost_ns(const struct schedule *schedule,
	const struct plan *plan, double most_ns)
{
	double sum_ns = 0;

	for (size_t i = 0; i < schedule->count; i++) {
		const struct sizing *point = &schedule->points[i];

		if (!point->skip)
			sum_ns += schedule->clones *
				draws_within(schedule, i, plan, most_ns) *
				visit_ns(point, point->trials);
	}
	return sum_ns;
}

/* The maximum time per point, by bisection. */
static double most_within(const struct schedule *schedule,
	const struct plan *plan, double budget_ns)
{
	/* If even the fewest draws do not fit, cheap points keep their
	 * draws. */
	double least_ns = 1.1 * draws_cost_ns(schedule, plan, 0);
	double low_ns = 0, high_ns;

	budget_ns = fmax(budget_ns, least_ns);
	high_ns = budget_ns;
	for (int i = 0; i < 60; i++) {
		double middle_ns = (low_ns + high_ns) / 2;

		if (draws_cost_ns(schedule, plan, middle_ns) <= budget_ns)
			low_ns = middle_ns;
		else
			high_ns = middle_ns;
	}
	return low_ns;
}

/* If not every launch can visit every point, the draws are spread over the
 * launches that a run makes at any budget. */
static void plan_draws(struct schedule *schedule, const struct plan *plan,
	double budget_ns)
{
	double most_ns = INFINITY;

	if (plan->draws_least &&
		draws_cost_ns(schedule, plan, INFINITY) > budget_ns) {
		if (schedule->draws_of < schedule->launches_most)
			schedule->draws_of = LAUNCHES_LEAST;
		most_ns = most_within(schedule, plan, budget_ns);
	}
	for (size_t i = 0; i < schedule->count; i++)
		schedule->points[i].draws =
			draws_within(schedule, i, plan, most_ns);
}

bool plan_visits(const struct schedule *schedule, size_t point, unsigned number)
{
	const struct sizing *sizing = &schedule->points[point];
	uint64_t of = schedule->draws_of;

	if (sizing->skip)
		return false;
	/* Evenly spread. Each point starts at a different launch, so that all
	 * launches take about the same time. */
	return (number - 1 + point) % of * sizing->draws % of < sizing->draws;
}

static void plan_canary(struct sizing *point, unsigned canary_multiplies)
{
	double longer = (double)canary_multiplies / CANARY_MULTIPLIES;
	double every = CANARY_EVERY_NS * fmax(longer, 1) / point->trial_ns;

	point->canary_every = every > 1 ? (unsigned)every : 1;
}

/* Samples of a trial, with its share of canaries, counters and rulers. Those
 * that depend on time are more if the machine becomes busy after the pilot. */
static double samples_of_trial(const struct schedule *schedule,
	const struct sizing *point)
{
	double slow_ns = BUSY_TIMES * point->trial_ns;
	double usages = slow_ns / BATCH_NS + .01;
	double rulers =
		point->ruler ? slow_ns / MEMORY_RULER_EVERY_NS + .01 : 0;

	return schedule->emits + 1.0 / point->canary_every + fmin(usages, 1) +
		fmin(rulers, 1);
}

unsigned plan_counted_trials(const struct sizing *point)
{
	unsigned tenth = point->trials / 10;

	if (point->trials < 3)
		return point->trials + 1;
	return tenth < 2 ? 2 : tenth < COUNTED_MOST ? tenth : COUNTED_MOST;
}

/* The time and the samples of a launch: the mean time, the maximum samples. */
static void expect_launch(struct schedule *schedule)
{
	schedule->launch_ns = LAUNCH_NS;
	schedule->samples = 64;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct sizing *point = &schedule->points[i];

		if (point->skip)
			continue;
		schedule->launch_ns += schedule->clones *
			visit_ns(point, point->trials) * point->draws /
			schedule->draws_of;
		if (schedule->counters)
			schedule->launch_ns +=
				visit_ns(point, plan_counted_trials(point)) *
				point->draws / schedule->draws_of;
		schedule->samples += schedule->counters * COUNTED_MOST;
		schedule->samples += (uint64_t)(schedule->clones *
			(256 + schedule->traces +
				point->trials *
					samples_of_trial(schedule, point)));
	}
}

/* Both points of a pair have the same number of trials and share the
 * canaries. */
static void pair_up(struct schedule *schedule)
{
	struct sizing *a = &schedule->points[0], *b = &schedule->points[1];

	schedule->paired = !a->skip && !b->skip;
	if (!schedule->paired)
		return;
	a->trials = b->trials = a->trials < b->trials ? a->trials : b->trials;
	a->canary_every = b->canary_every = a->canary_every < b->canary_every ?
		a->canary_every :
		b->canary_every;
}

void plan_trials(struct schedule *schedule, const struct plan *plan,
	const struct common *common, double spent_ns)
{
	unsigned goal = LAUNCHES_PRECISE + 2;
	size_t points = 0;

	schedule->launches_least = LAUNCHES_LEAST;
	schedule->launches_most = LAUNCHES_MOST;
	if (common->launches != PARAM_AUTO || plan->launches) {
		goal = common->launches != PARAM_AUTO ?
			(unsigned)common->launches :
			plan->launches;
		schedule->launches_most = goal;
	}
	if (plan->launches_least)
		schedule->launches_least = plan->launches_least;
	if (plan->launches && goal < schedule->launches_least)
		schedule->launches_least = goal;
	for (size_t i = 0; i < schedule->count; i++)
		points += !schedule->points[i].skip;
	double budget_ns = (double)common->budget_ns - spent_ns;
	struct share share = share_visits(schedule, points ? points : 1,
		budget_ns * .9 / goal - LAUNCH_NS);
	schedule->draws_of = goal;
	for (size_t i = 0; i < schedule->count; i++) {
		struct sizing *point = &schedule->points[i];

		if (point->skip)
			continue;
		point->trials = visit_trials(point, &share, plan->trials_least);
		if (point->trials_fixed || plan->trials)
			point->trials = point->trials_fixed ?
				point->trials_fixed :
				plan->trials;
		if (common->trials != PARAM_AUTO)
			point->trials = (unsigned)common->trials;
		plan_canary(point, schedule->canary_multiplies);
	}
	if (schedule->paired)
		pair_up(schedule);
	budget_ns = budget_ns * .9 - goal * (double)LAUNCH_NS;
	plan_draws(schedule, plan, budget_ns);
	expect_launch(schedule);
}

/* For each launch: the points that it visited, and the points with a figure
 * that counts (on an unshared core, or independent of sharing). */
struct usable {
	size_t *visited, *counts;
};

/* Counts launches with trials at a point. If all trials of a launch were
 * interrupted, it is missing in results_launch_figures(). */
static void count_visited(const struct results *results,
	const struct point *point, struct usable *usable)
{
	bool value = results->metrics[0].kind == METRIC_VALUE;
	size_t last = SIZE_MAX;

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];
		size_t trials = value ? point->series[0].slices[v].count :
					visit->trials;

		if (!trials || visit->launch == last)
			continue;
		last = visit->launch;
		usable->visited[last]++;
	}
}

static void count_point(const struct results *results,
	const struct point *point, struct usable *usable)
{
	struct launch_figures *list;
	size_t count =
		results_launch_figures(results, point, 0, SCALE_UNIT, &list);
	bool pooled = results_pooled(results, point, 0);

	count_visited(results, point, usable);
	for (size_t i = 0; i < count; i++)
		usable->counts[list[i].launch] +=
			pooled || !isnan(list[i].median[REGIME_ALONE]);
	free(list);
}

/* Two alternating points: their difference is what counts. */
static bool is_pair(const struct results *results)
{
	return results->plan.abba && results->point_count == 2;
}

static struct signed_rank pair_result(const struct results *results)
{
	struct pairs pairs;

	pairs_of(results, &results->points[0], &results->points[1], 0,
		SCALE_UNIT, &pairs);
	return *pairs_result(&pairs);
}

unsigned plan_counted(const struct results *results)
{
	if (is_pair(results))
		return (unsigned)pair_result(results).n;
	size_t launches = results->launch_count;
	struct usable usable = {
		xcalloc(launches + 1, sizeof *usable.visited),
		xcalloc(launches + 1, sizeof *usable.counts),
	};
	unsigned counted = 0;

	for (size_t p = 0; p < results->point_count; p++)
		count_point(results, &results->points[p], &usable);
	for (size_t i = 0; i < launches; i++)
		counted += 2 * usable.counts[i] >= usable.visited[i];
	free(usable.visited);
	free(usable.counts);
	return counted;
}

unsigned plan_next_look(unsigned launches)
{
	static const unsigned looks[] = { 6, 10, 15, 20, 30 };

	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		if (launches < looks[i])
			return looks[i];
	return launches + 1;
}

/* The headline's half-width divided by the required one; NaN without an
 * interval. */
static double excess_in(const struct results *results,
	const struct point *point, double precision, enum scale scale)
{
	struct interval interval;
	double *medians;
	double over = NAN;
	size_t n = results_launch_medians(results, point, 0, scale, &medians,
		NULL);

	values_sort(medians, n);
	if (interval_of_median(medians, n, .95, &interval)) {
		double half = (interval.high - interval.low) / 2;
		double quantum = scale == SCALE_UNIT ?
			results_quantum(results, point, 0) :
			0;
		double asked = fmax(precision * fabs(median_sorted(medians, n)),
			quantum);

		over = asked > 0 ? half / asked : half > 0 ? INFINITY : 0;
	}
	free(medians);
	return over;
}

/* The same in the metric's unit or in cycles, as the quality is judged
 * (quality.h). At most 1 is precise. A figure of a shared core never is,
 * because within the budget the core may become free. */
static double excess(const struct results *results, const struct point *point,
	double precision)
{
	const struct metric_info *headline = &results->metrics[0];

	if (!results_settled(results, point, 0))
		return INFINITY;
	double over = excess_in(results, point, precision, SCALE_UNIT);
	if (!(over > 1) || headline->kind == METRIC_VALUE || headline->rate)
		return over;
	double in_cycles = excess_in(results, point, precision, SCALE_CYCLES);
	return quality_prefers_cycles(over, in_cycles) ? in_cycles : over;
}

/* For a ratio, half of the precision is used. To show that two settings are
 * equivalent within the precision, the interval must be narrower than that. */
static double pair_excess(const struct results *results, double precision)
{
	struct signed_rank result = pair_result(results);

	if (!result.has_interval)
		return NAN;
	return precision > 0 ? (result.high - result.low) / precision :
			       INFINITY;
}

static double worst_excess(const struct results *results, double precision)
{
	double worst = 0;

	if (is_pair(results))
		return pair_excess(results, precision);

	for (size_t i = 0; i < results->point_count; i++) {
		if (results->points[i].state != POINT_OK)
			continue;
		double over = excess(results, &results->points[i], precision);

		if (isnan(over))
			return NAN;
		worst = fmax(worst, over);
	}
	return worst;
}

bool plan_precise(const struct results *results, double precision)
{
	double worst = worst_excess(results, precision);

	return !isnan(worst) && worst <= 1;
}

unsigned plan_launches_needed(const struct results *results, double precision,
	unsigned most)
{
	double worst = worst_excess(results, precision);
	double launches = (double)results->launch_count;

	if (isnan(worst))
		return launches < LAUNCHES_PRECISE ? LAUNCHES_PRECISE : most;
	/* The width is proportional to 1 / sqrt(launches). */
	double needed = ceil(launches * worst * worst);
	needed = fmax(needed, LAUNCHES_PRECISE);
	return needed > most ? most : (unsigned)needed;
}
