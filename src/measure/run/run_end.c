/* The end of a run: its results completed, its worker's death described. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "digest.h"
#include "facts.h"
#include "memo.h"
#include "memory.h"
#include "quality.h"
#include "regime.h"
#include "run_internal.h"
#include "sharing.h"
#include "tick.h"
#include "worker.h"

enum {
	REFINE_NS_LEAST = 200 * 1000 * 1000,
	DRIFT_PPM_MOST = 50,
	FOUND_AT_ONCE = 20000, /* trials: some twenty milliseconds */
};

/* The first and the last launch read both clocks. Their distance is longer than
 * that of the calibration, so the rate is more precise. It also shows whether
 * the rate changed. */
static void refine_clock(struct run *run)
{
	const struct moment *first = &run->feed.clock_first;
	const struct moment *last = &run->feed.clock_last;
	struct clock_facts *clock = &run->results->clock;
	double span_ns = (double)(last->raw_ns - first->raw_ns);

	if (clock->source != TICK_COUNTER || !first->raw_ns ||
		span_ns < REFINE_NS_LEAST)
		return;
	double hz = (last->ticks - first->ticks) * 1e9 / span_ns;
	double ppm = fabs(hz / clock->hz - 1) * 1e6;
	if (ppm > DRIFT_PPM_MOST) {
		results_warn(run->results,
			"the counter's rate moved by %.0f ppm during the run",
			ppm);
		return;
	}
	clock->core_hz *= hz / clock->hz;
	clock->hz = hz;
	clock->hz_error_ppm = 100 / (clock->hz * span_ns * 1e-9) * 1e6;
}

/* A missing capture concerns the whole run, so notes of points are not enough.
 * Equal reasons of several points give one warning. */
static void warn_of_capture(struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const char *why = point_capture_off(&results->points[i]);

		if (why)
			results_warn(results, "capture is " CAPTURE_OFF "%s",
				why);
	}
}

/* For readers of the file who do not evaluate canaries. */
static void note_frequencies(struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++) {
		struct point *point = &results->points[i];
		double core_hz = results_core_hz(results, point);
		struct text text = { 0 };

		if (!isfinite(core_hz))
			continue;
		unit_show(&text, UNIT_HZ, core_hz);
		text_add(&text, " beside the trials");
		point_add_note(point, "frequency", text.chars);
		text_free(&text);
	}
}

/* The slowdown by a co-runner at the same point in an earlier run of the
 * session; NULL if none shows it. */
static const struct results *earlier_slowdown(const struct facts *facts,
	const struct results *results, const struct point *point,
	struct slowdown *slowdown)
{
	struct text where = { 0 };
	const struct results *found = NULL;

	point_describe(results, point, false, &where);
	for (size_t i = facts->earlier_count; i-- > 0 && !found;) {
		const struct results *run = facts->earlier[i];
		const struct point *same =
			!strcmp(run->experiment, results->experiment) ?
			results_where(run, text_chars(&where)) :
			NULL;
		struct regimes regimes;

		if (!same)
			continue;
		results_regimes(run, same, 0, &regimes);
		if (!regimes.slowdown.has_interval)
			continue;
		*slowdown = regimes.slowdown;
		found = run;
	}
	text_free(&where);
	return found;
}

/* For a figure of a shared core, adds an estimate for an unshared core, from
 * the slowdown by a co-runner at the same point before. */
static void note_estimate(const struct facts *facts,
	const struct results *results, struct point *point)
{
	enum unit unit = results->metrics[0].unit;
	struct slowdown slowdown;
	struct regimes regimes;
	struct text text = { 0 };

	results_regimes(results, point, 0, &regimes);
	if (regimes.headline != REGIME_SHARED)
		return;
	const struct results *earlier =
		earlier_slowdown(facts, results, point, &slowdown);
	if (!earlier)
		return;
	double shared = regimes.by_regime[REGIME_SHARED].median;
	unit_show(&text, unit, shared / slowdown.factor);
	text_add(&text, " ");
	unit_show_interval(&text, unit, shared / slowdown.interval.high,
		shared / slowdown.interval.low, shared / slowdown.factor);
	text_add(&text, ", from the slowdown of x%.3g in the run of %s",
		slowdown.factor, earlier->started);
	point_add_note(point, "alone-estimated", text.chars);
	text_free(&text);
}

static void note_estimates(const struct run *run)
{
	struct results *results = run->results;

	for (size_t i = 0; i < results->point_count; i++)
		note_estimate(run->facts, results, &results->points[i]);
}

/* Uses the clock of this run, so that the session file gives the same
 * findings. */
void run_find(struct run *run)
{
	struct facts facts = *run->facts;

	if (run->found)
		return;
	run->found = true;
	note_estimates(run);
	if (!run->experiment->findings || !results_visited(run->results))
		return;
	facts_use_clock(&facts, &run->results->clock);
	run->experiment->findings(run->results, &facts,
		&run->results->findings);
}

/* If the core was shared most of the time, the known sibling may be wrong: the
 * next run searches again. */
static void ask_again(struct run *run)
{
	static const double most = .5;

	if (sharing_share(run->results) > most)
		run->places->siblings_ns[run->place.cpu] = 0;
}

/* The index of a warning that begins so; the number of warnings: none does. */
static size_t warning_at(const struct results *results, const char *begin)
{
	size_t i = 0;

	while (i < results->warning_count &&
		strncmp(results->warnings[i], begin, strlen(begin)) != 0)
		i++;
	return i;
}

/* A run that was to count other events than usual, and then counted none, has
 * the reason of the latter (counters_close()). */
static void settle_counters(struct run *run)
{
	struct results *results = run->results;

	if (!run->counters_note ||
		warning_at(results, "nothing is counted: ") ==
			results->warning_count)
		return;
	size_t note = warning_at(results, run->counters_note);
	if (note < results->warning_count)
		results_withdraw(results, note);
}

void run_finish(struct run *run)
{
	struct results *results = run->results;

	/* Not below 0 if the clock was set back. */
	results->took_s = fmax(0,
		(double)(int64_t)(tick_raw_ns() - run->began_ns) * 1e-9);
	run_settle_forecasts(run);
	settle_counters(run);
	if (run->tape.header)
		run->tape.header->complete = 1;
	refine_clock(run);
	memo_drop(results);      /* figures at the old rate */
	sharing_recall(results); /* the usual latencies depend on the rate */
	note_frequencies(results);
	warn_of_capture(results);
	run_warn_of_others(run);
	ask_again(run);
	if (results_trials(results) <= FOUND_AT_ONCE)
		run_find(run);
	if (run->experiment->tidy)
		run->experiment->tidy();
	if (run->applied)
		place_restore(run->places);
	run->applied = false;
	if (run->lock >= 0)
		close(run->lock);
	run->lock = -1;
	results->version++;
}

/* sigabbrev_np() is of glibc 2.32. */
static void name_signal(int number, struct text *text)
{
	const char *name = NULL;

#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 32)
	name = sigabbrev_np(number);
#endif
#endif
	if (name)
		text_add(text, "SIG%s", name);
	else
		text_add(text, "signal %d (%s)", number, strsignal(number));
}

static void describe_signal(const struct run *run, int number,
	struct text *text)
{
	const struct tape_header *header = run->tape.header;

	text_add(text, "the worker died of ");
	name_signal(number, text);
	if (header && header->fault_signal == number)
		text_add(text, " at address 0x%llx",
			(unsigned long long)header->fault_address);
	else if (number == SIGKILL)
		text_add(text, " (sent from outside, or out of memory)");
}

void run_describe_death(const struct run *run, int status, struct text *text)
{
	const struct tape_header *header = run->tape.header;
	size_t point = atomic_load(&header->point);
	enum worker_phase phase = atomic_load(&header->phase);

	if (run->hung == WATCH_SILENT)
		text_add(text,
			"the worker did not respond and was killed");
	else if (run->hung == WATCH_ENDLESS)
		text_add(text,
			"the worker faulted pages endlessly, did not respond "
			"and was killed");
	else if (WIFSIGNALED(status))
		describe_signal(run, WTERMSIG(status), text);
	else if (WEXITSTATUS(status) == CHILD_NOT_PINNED)
		text_add(text,
			"cannot pin the worker to cpu %d: it is offline or no "
			"longer allowed",
			run->place.cpu);
	else
		text_add(text, "the worker ended with exit code %d",
			WEXITSTATUS(status));
	text_add(text, " in %s", worker_phase_name(phase));
	if (point < run->results->point_count && run->results->param_count &&
		phase != PHASE_START) {
		text_add(text, " of ");
		point_describe(run->results, &run->results->points[point],
			false, text);
	}
	text_add(text, "; %zu trials are kept", results_trials(run->results));
}

/* The duration of the last launch, else of the plan; 0 before the pilot has
 * ended. */
static double launch_s_of(const struct run *run)
{
	double ns = run->launch_took_ns > 0 ? run->launch_took_ns :
					      run->schedule.launch_ns;

	return ns * 1e-9;
}

static double expected_share(const struct run *run, double elapsed_s,
	double *left_s)
{
	double needed = run->needed ? run->needed : LAUNCHES_PRECISE;
	double launch_s = launch_s_of(run);
	double until_s =
		fmax((double)run->common.budget_ns, run->limit_ns) * 1e-9;
	/* Launches made at any budget, including the current one. */
	double due = (double)run->schedule.launches_least + 1 -
		(run->launch ? run->launch : 1);

	*left_s = 0;
	if (launch_s <= 0) /* before the pilot has ended */
		return 0;
	*left_s = fmax(needed - run->counted, 1) * launch_s;
	*left_s = fmin(*left_s, until_s - elapsed_s);
	*left_s = fmax(*left_s, fmax(due, 0) * launch_s);
	return elapsed_s / (elapsed_s + *left_s);
}

/* The expected number of launches, at most the limit. Repeated launches are not
 * foreseen. */
static unsigned launches_expected(const struct run *run, double left_s)
{
	unsigned most = run->schedule.launches_most, launch = run->launch;
	double launch_s = launch_s_of(run);

	if (launch_s <= 0 || !launch)
		return most;
	double all = launch - 1 + fmax(1, floor(left_s / launch_s));
	return all <= most ? (unsigned)all : launch > most ? launch : most;
}

/* Points that could not be sized count as done. */
static size_t point_being_sized(const struct run *run)
{
	const struct results *results = run->results;
	size_t behind = 0;

	for (size_t i = 0; i < results->point_count; i++)
		behind += run->feed.sized[i].ops ||
			results->points[i].state != POINT_OK;
	return behind < results->point_count ? behind + 1 : behind;
}

void run_progress(struct run *run, struct progress *progress)
{
	double elapsed_s = (double)(tick_raw_ns() - run->began_ns) * 1e-9;

	*progress = (struct progress){
		.stage = run->stage,
		.launch = run->stage == STAGE_LAUNCH ? run->launch : 0,
		.elapsed_s = elapsed_s,
		.stopping = run->stopping && run->stage == STAGE_LAUNCH,
		.lab_shares = run->place.facts.lab_shares,
		.lab_beside = run->place.facts.lab_beside,
	};
	double share = expected_share(run, elapsed_s, &progress->left_s);
	/* The displayed share must not decrease. */
	run->share = fmax(run->share, share);
	progress->share = run->share;
	if (run->stage == STAGE_PILOT) {
		progress->sizing = point_being_sized(run);
		progress->points = run->results->point_count;
	}
	progress->foretold = launch_s_of(run) > 0;
	progress->launches = launches_expected(run, progress->left_s);
	if (run->stage != STAGE_OVER)
		return;
	progress->share = 1;
	progress->left_s = 0;
}

void run_close(struct run *run, bool keep_tape)
{
	if (!run)
		return;
	child_kill(&run->child);
	if (run->child.pid)
		child_wait(&run->child, -1);
	job_abandon(&run->job);
	if (run->applied)
		place_restore(run->places);
	if (run->lock >= 0)
		close(run->lock);
	if (run->tape.fd >= 0)
		tape_close(&run->tape, keep_tape);
	if (run->packets_fd >= 0)
		close(run->packets_fd);
	if (run->ruler_fd >= 0)
		close(run->ruler_fd);
	feed_release(&run->feed);
	results_free(run->results);
	param_set_free(&run->args);
	free(run->schedule.points);
	free(run->counters_note);
	free(run);
}

struct results *run_recover(const struct experiment *experiment,
	const struct param_set *args, const struct facts *facts,
	const char *path, struct error *error)
{
	struct param_set expanded;
	struct tape tape;
	struct feed feed;

	if (tape_open(&tape, path, error))
		return NULL;
	struct results *results = results_new(experiment->name);
	results_describe(results, experiment);
	results_count(results, &tape.header->counted);
	results->recovered = true;
	results->asked = xstrdup(tape.header->line);
	results->clock = tape.header->clock;
	results->place = tape.header->place;
	results->seed = tape.header->seed;
	results->plan.launches = PARAM_AUTO;
	results->plan.trials = PARAM_AUTO;
	snprintf(results->started, sizeof results->started, "%s",
		tape.header->started);
	param_set_copy(&expanded, args);
	param_set_expand(&expanded, experiment->args_size);
	run_describe_points(results, experiment, &expanded);
	param_set_free(&expanded);
	feed_init(&feed, results);
	feed_samples(&feed, tape.samples, tape_length(&tape));
	feed_end(&feed);
	note_frequencies(results);
	results->took_s = fmax(0,
		(double)(int64_t)(feed.clock_last.raw_ns -
			feed.clock_first.raw_ns) * 1e-9);
	feed_release(&feed);
	results->state = tape.header->complete ? RUN_DONE : RUN_STOPPED;
	results->stopped.reason = STOP_FAULT;
	if (experiment->findings && results_visited(results))
		experiment->findings(results, facts, &results->findings);
	tape_close(&tape, true);
	return results;
}
