/* When a run is enough, and how long it may take. */
#include <math.h>
#include <string.h>

#include "run_internal.h"
#include "tick.h"

/* A run that turns out to be slower than its pilot may come to so many times
 * what was said, or so much more, for the sake of its intervals: points that
 * take turns would else have no figure at all. */
static const double patience = 4;
static const double patience_ns = 10e9;

/* Launches that are made whatever they take. */
static unsigned fewest(const struct run *run)
{
	const struct schedule *schedule = &run->schedule;

	return schedule->launches_least < schedule->launches_most ?
		schedule->launches_least :
		schedule->launches_most;
}

double run_elapsed_ns(const struct run *run)
{
	return (double)(tick_raw_ns() - run->began_ns);
}

/* ---- time ------------------------------------------------------------- */

static void say_longer(struct run *run, const char *what, unsigned launches,
	double until_ns, const char *cure)
{
	struct text until = { 0 }, budget = { 0 };

	unit_show(&until, UNIT_NS, until_ns);
	unit_show(&budget, UNIT_NS, (double)run->common.budget_ns);
	results_warn(run->results,
		"%s %u launches of all points take about %s, longer than "
		"budget=%s: %s",
		what, launches, text_chars(&until), text_chars(&budget), cure);
	text_free(&until);
	text_free(&budget);
}

/* Trials, clones and points that were asked for are made, and launches enough
 * for an interval, whatever the budget; but not without a word before. */
void run_set_limit(struct run *run)
{
	const struct schedule *schedule = &run->schedule;
	unsigned least = fewest(run);
	double until_ns = run_elapsed_ns(run) + least * schedule->launch_ns;

	run->limit_ns = (double)run->common.budget_ns;
	if (until_ns > run->limit_ns + schedule->launch_ns) {
		say_longer(run, "the pilot and", least, until_ns,
			"use fewer trials, or fewer or smaller points");
		run->limit_ns = until_ns;
	}
	run->most_ns =
		fmax(patience * run->limit_ns, run->limit_ns + patience_ns);
}

/* May there be another launch, with fewer made than show an interval? */
static bool may_go_on(struct run *run)
{
	unsigned least = fewest(run);
	double one_ns = run->launch_took_ns;
	double until_ns = run_elapsed_ns(run) + (least - run->launch) * one_ns;

	if (until_ns <= run->limit_ns + one_ns)
		return true;
	if (until_ns <= run->most_ns) {
		say_longer(run, "slower than the pilot expected,", least,
			until_ns, "an interval needs this many");
		/* "About" holds a quarter more; it is not said again. */
		run->limit_ns = 1.25 * until_ns;
		return true;
	}
	if (run_elapsed_ns(run) <= run->limit_ns)
		return true;
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

	if (run->launch < fewest(run))
		return !may_go_on(run);
	return next_ns > (double)run->common.budget_ns;
}

/* ---- enough ----------------------------------------------------------- */

/* May the interval be looked at now, and is it narrow enough? Looks come when
 * the launches that count have reached their number for the first time. */
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
	if (atomic_load(&run->tape.header->full))
		return STOP_MAXIMUM;
	if (run->counted >= schedule->launches_most)
		return STOP_MAXIMUM;
	if (!fixed && precise_now(run))
		return STOP_PRECISION;
	return time_is_up(run) ? STOP_BUDGET : STOP_NONE;
}
