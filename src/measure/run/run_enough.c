/* When a run stops, and how long it may take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "run_internal.h"
#include "tick.h"
#include "unit.h"

/* If a run is slower than its pilot, it may exceed the announced time by this
 * factor or this duration, to get its intervals. Otherwise points that
 * alternate would have no figures at all. */
static const double patience = 4;
static const double patience_ns = 10e9;

/* A longer time is announced during the pilot only if it exceeds the budget, or
 * the time announced before, by this factor. */
static const double much = 2;

/* The launches made at any budget. */
static unsigned fewest(const struct schedule *schedule)
{
	return schedule->launches_least < schedule->launches_most ?
		schedule->launches_least :
		schedule->launches_most;
}

double run_elapsed_ns(const struct run *run)
{
	return (double)(tick_raw_ns() - run->began_ns);
}

/* ---- time ------------------------------------------------------------- */

/* "14 s", "0.5 s": no digits that an estimate does not have. */
static void add_seconds(struct text *text, double ns)
{
	double s = ns * 1e-9;

	text_add(text, "%.*g s", text_digits(s), s);
}

static void say_longer(struct run *run, const char *why, const char *about,
	unsigned launches, double until_ns, const char *cure)
{
	size_t points = run->schedule.count;
	size_t warnings = run->results->warning_count;
	struct text until = { 0 }, budget = { 0 };

	add_seconds(&until, until_ns);
	add_seconds(&budget, (double)run->common.budget_ns);
	results_warn(run->results,
		"%sneeds %s %s for %u launch%s of %zu point%s; the budget is "
		"%s: %s",
		why, about, text_chars(&until), launches,
		launches == 1 ? "" : "es", points, points == 1 ? "" : "s",
		text_chars(&budget), cure);
	if (run->results->warning_count > warnings && warnings < 64)
		run->forecasts |= UINT64_C(1) << warnings;
	text_free(&until);
	text_free(&budget);
}

static void drop_forecasts(struct run *run)
{
	for (size_t i = 64; i-- > 0;)
		if (run->forecasts >> i & 1)
			results_withdraw(run->results, i);
	run->forecasts = 0;
}

void run_settle_forecasts(struct run *run)
{
	struct results *results = run->results;
	size_t launches = results->launch_count;
	struct text took = { 0 }, budget = { 0 };

	if (!run->forecasts)
		return;
	drop_forecasts(run);
	if (results->took_s * 1e9 <= (double)run->common.budget_ns)
		return;
	unit_show(&took, UNIT_NS, results->took_s * 1e9);
	add_seconds(&budget, (double)run->common.budget_ns);
	results_warn(results,
		"the pilot and %zu launch%s%s took %s; the budget was %s",
		launches, launches == 1 ? "" : "es",
		launches && launches == fewest(&run->schedule) ?
			" (the minimum)" :
			"",
		text_chars(&took), text_chars(&budget));
	text_free(&took);
	text_free(&budget);
}

static const char cure[] = "use fewer trials, or fewer or smaller points";

void run_take_sizing(const struct run *run, size_t i, struct sizing *sizing)
{
	const struct point *point = &run->results->points[i];

	sizing->skip = point->state != POINT_OK || point->trial_ns <= 0;
	sizing->trial_ns = point->trial_ns;
	sizing->ops = run->feed.sized[i].ops;
	sizing->found = run->feed.sized[i].found;
	sizing->setup_ns = run->feed.sized[i].setup_ns +
		plan_warm_up_ns(&run->schedule);
}

/* A point that the pilot has not sized yet. Requested trials of sized
 * operations last at least as long as the window allows. */
static void assume_least(const struct run *run, struct sizing *sizing)
{
	const struct clock_facts *clock = &run->results->clock;
	struct window window = plan_window(clock);

	if (run->common.trials == PARAM_AUTO || run->schedule.fixed_ops ||
		run->results->metrics[0].kind != METRIC_TIMED)
		return;
	sizing->skip = false;
	sizing->trial_ns = .9 * window.target / clock->hz * 1e9;
	sizing->setup_ns = 0;
}

void run_foresee(struct run *run)
{
	struct schedule known = run->schedule;
	size_t bytes = known.count * sizeof *known.points;

	known.points = xmalloc(bytes + 1);
	memcpy(known.points, run->schedule.points, bytes);
	for (size_t i = 0; i < known.count; i++) {
		run_take_sizing(run, i, &known.points[i]);
		if (!run->feed.sized[i].ops)
			assume_least(run, &known.points[i]);
	}
	plan_trials(&known, &run->plan, &run->common, run_elapsed_ns(run));
	unsigned least = fewest(&known);
	double until_ns = run_elapsed_ns(run) + least * known.launch_ns;
	if (until_ns > much * fmax((double)run->common.budget_ns,
				  run->foreseen_ns)) {
		say_longer(run, "", "more than", least, until_ns, cure);
		run->foreseen_ns = until_ns;
	}
	free(known.points);
}

/* The requested trials, clones and points are measured with enough launches for
 * an interval, even beyond the budget. But then the user is warned before. */
void run_set_limit(struct run *run)
{
	const struct schedule *schedule = &run->schedule;
	unsigned least = fewest(schedule);
	double until_ns = run_elapsed_ns(run) + least * schedule->launch_ns;

	run->limit_ns = (double)run->common.budget_ns;
	if (until_ns > run->limit_ns + schedule->launch_ns) {
		if (until_ns > much * run->foreseen_ns)
			say_longer(run, "", "about", least, until_ns, cure);
		run->limit_ns = until_ns;
	}
	run->most_ns =
		fmax(patience * run->limit_ns, run->limit_ns + patience_ns);
}

/* True if another launch may start although an interval needs more launches
 * than the budget allows. */
static bool may_go_on(struct run *run)
{
	unsigned least = fewest(&run->schedule);
	double one_ns = run->launch_took_ns;
	double until_ns = run_elapsed_ns(run) + (least - run->launch) * one_ns;

	if (until_ns <= run->limit_ns + one_ns)
		return true;
	if (until_ns <= run->most_ns) {
		say_longer(run, "slower than the pilot expected; ", "about",
			least, until_ns, "an interval needs these launches");
		/* "About" allows a quarter more without another warning. */
		run->limit_ns = 1.25 * until_ns;
		return true;
	}
	if (run_elapsed_ns(run) <= run->limit_ns)
		return true;
	drop_forecasts(run);
	results_warn(run->results,
		"launches are slower than the pilot expected, and the budget "
		"is used before the %u launches that an interval needs: use "
		"fewer or smaller points, or a longer budget",
		least);
	return false;
}

static bool time_is_up(struct run *run)
{
	double next_ns = run_elapsed_ns(run) + run->launch_took_ns;

	if (run->launch < fewest(&run->schedule))
		return !may_go_on(run);
	return next_ns > (double)run->common.budget_ns;
}

/* ---- precision -------------------------------------------------------- */

/* True if the interval may be checked now and is narrow enough. The check is
 * made when the number of launches that count reaches a planned value. */
static bool precise_now(struct run *run)
{
	unsigned counted = run->counted;
	bool look = counted >= LAUNCHES_PRECISE && counted > run->looked_at &&
		counted == plan_next_look(counted - 1);

	if (!look)
		return false;
	run->looked_at = counted;
	return plan_precise(run->results, run->common.precision);
}

/* True if no point can be measured here, which the pilot does not notice if the
 * launch needs more than the pilot. */
static bool none_available(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].state != POINT_UNAVAILABLE)
			return false;
	return true;
}

enum stop_reason run_reason_to_end(struct run *run)
{
	const struct schedule *schedule = &run->schedule;
	bool fixed = run->common.launches != PARAM_AUTO || run->plan.launches;

	run->counted = fixed ? run->launch : plan_counted(run->results);
	run->needed = fixed ?
		schedule->launches_most :
		plan_launches_needed(run->results, run->common.precision,
			schedule->launches_most);
	if (run->stopping)
		return STOP_USER;
	if (none_available(run->results))
		return STOP_UNAVAILABLE;
	if (run->cramped && atomic_load(&run->tape.header->full))
		return STOP_MAXIMUM;
	if (run->counted >= schedule->launches_most)
		return STOP_MAXIMUM;
	if (!fixed && precise_now(run))
		return STOP_PRECISION;
	return time_is_up(run) ? STOP_BUDGET : STOP_NONE;
}
