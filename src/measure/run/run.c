/* A run, from one launch to the next. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "facts.h"
#include "launch.h"
#include "memory.h"
#include "run_internal.h"
#include "splitmix.h"
#include "text.h"
#include "tick.h"
#include "worker.h"

/* time for a worker to end by itself: in a set-up, and in the pilot, where the
 * present trial ends first, and a clean-up removes files */
static const uint64_t set_up_ns = 500000000, pilot_ns = 2000000000;

static void fail(struct run *run, const char *sentence)
{
	run->stage = STAGE_OVER;
	run->results->state = RUN_FAILED;
	run->results->stopped.reason =
		run->feed.lost ? STOP_NETWORK : STOP_FAULT;
	if (!run->results->error)
		run->results->error = xstrdup(sentence);
	run_finish(run);
}

/* A worker receives one descriptor more than its tape: a run that captures has
 * no memory ruler. */
static int extra_of(const struct run *run)
{
	if (run->packets_fd >= 0)
		return run->packets_fd;
	return run->ruler_fd >= 0 ? run->ruler_fd : 0;
}

/* True if an earlier run of the session reported it of the same processor. */
static bool was_beside(const struct facts *facts, int cpu)
{
	for (size_t i = 0; facts && i < facts->earlier_count; i++)
		if (facts->earlier[i]->place.lab_beside &&
			facts->earlier[i]->place.cpu == cpu)
			return true;
	return false;
}

static void warn_of_place(struct run *run)
{
	const struct place_facts *place = &run->place.facts;

	if (place->lab_beside && !was_beside(run->facts, place->cpu))
		results_warn(run->results,
			"the lab runs on cpu %d, the SMT sibling of cpu %d, "
			"and may disturb trials",
			place->sibling.cpu, place->cpu);
}

static void begin_launch(struct run *run, unsigned number)
{
	enum { extra = CHILD_KEPT + KEPT_EXTRA };
	struct error error;
	struct launch_job job = {
		.number = number,
		.experiment = run->experiment,
		.schedule = &run->schedule,
		.place = &run->place,
		.clock = &run->results->clock,
		.tape = &run->tape,
		.fifo = run->common.priority == PRIORITY_FIFO,
		.packets_fd = run->packets_fd < 0 ? -1 : extra,
		.ruler_fd = run->ruler_fd < 0 ? -1 : extra,
		.counted = run->counters,
	};
	void **args = xcalloc(run->schedule.count, sizeof *args);

	for (size_t i = 0; i < run->schedule.count; i++)
		args[i] = run->results->points[i].args;
	job.args = args;
	/* Distinct for every launch, and reproducible from the run's seed. */
	job.seed = (run->results->seed + number) * SPLITMIX_STEP;
	run->stage = number ? STAGE_LAUNCH : STAGE_PILOT;
	if (!number)
		warn_of_place(run);
	run->launch = number;
	run->launch_began_ns = tick_raw_ns();
	watch_heard(&run->watch, run->launch_began_ns);
	atomic_store(&run->tape.header->phase, PHASE_START);
	run->child.keeps[KEPT_EXTRA] = extra_of(run);
	if (!number)
		run_foresee(run);
	if (number == 1)
		run_begin_others(run);
	if (launch_start(&run->child, &job, run->executes, run->place.cpu,
		    &error))
		fail(run, error.message);
	free(args);
}

static void begin_pilot(struct run *run)
{
	double wait_s = (double)run->common.wait_quiet_ns * 1e-9;
	struct error error;

	if (wait_s <= 0) {
		begin_launch(run, 0);
		return;
	}
	run->stage = STAGE_QUIET;
	if (quiet_start(&run->job, run->place.cpu, &run->results->clock,
		    wait_s, &error))
		fail(run, error.message);
}

/* Searches the sibling of the measured processor; false if not necessary. */
static bool start_siblings(struct run *run)
{
	cpu_set_t measured, others;
	struct error ignored;

	if (!place_asks(run->places, run->place.cpu, run->facts->hypervisor,
		    &others))
		return false;
	CPU_ZERO(&measured);
	CPU_SET((size_t)run->place.cpu, &measured);
	run->stage = STAGE_SIBLINGS;
	watch_heard(&run->watch, tick_raw_ns());
	return !siblings_start(&run->job, &measured, &others,
		&run->results->clock, &ignored);
}

void run_use_clock(struct run *run, const struct clock_facts *facts)
{
	run->results->clock = *facts;
	run->tape.header->clock = *facts;
	run->schedule.canary_multiplies = facts->canary_multiplies;
	if (*facts->why)
		results_warn(run->results, "timed by CLOCK_MONOTONIC_RAW: %s",
			facts->why);
	if (!facts->cycles_trusted)
		results_warn(run->results,
			"no cycles: the core's frequency could not be "
			"measured");
	else if (facts->cycles_assumed)
		results_warn(run->results,
			"the core was shared during calibration: cycles assume "
			"%.0f cycles per multiplication",
			facts->multiply_cycles);
	if (!start_siblings(run))
		begin_pilot(run);
}

/* ---- steps ------------------------------------------------------------ */

static void drain(struct run *run)
{
	if (!run->tape.header || run->stage < STAGE_PILOT)
		return;
	uint64_t length = tape_length(&run->tape);
	if (length == run->fed)
		return;
	if (length < run->fed) {
		feed_broken(&run->feed, "the tape shrank");
		return;
	}
	feed_samples(&run->feed, run->tape.samples + run->fed,
		length - run->fed);
	run->fed = length;
	watch_heard(&run->watch, tick_raw_ns());
	if (run->stage == STAGE_PILOT)
		run_foresee(run);
}

static void end(struct run *run, enum run_state state, enum stop_reason reason)
{
	run->stage = STAGE_OVER;
	run->results->state = state;
	run->results->stopped.reason = reason;
	run_finish(run);
}

/* The tape grows by one launch at a time, up to the maximum of a run. At the
 * maximum the worker finds it full and reports that. If it was full before,
 * launches need more samples than planned. */
static void make_room(struct run *run)
{
	_Atomic uint32_t *full = &run->tape.header->full;
	struct error error;

	if (atomic_exchange(full, 0))
		run->schedule.samples *= 2;
	uint64_t wanted = tape_length(&run->tape) + run->schedule.samples;
	run->cramped = wanted > TAPE_SAMPLES_MAX;
	if (run->cramped)
		wanted = TAPE_SAMPLES_MAX;
	if (!tape_extend(&run->tape, wanted, &error))
		return;
	run->cramped = true;
	results_warn(run->results, "%s: the run ends early", error.message);
}

/* Completes the plan with the results of the pilot. */
static void plan(struct run *run)
{
	size_t usable = 0;

	for (size_t i = 0; i < run->schedule.count; i++) {
		run_take_sizing(run, i, &run->schedule.points[i]);
		usable += !run->schedule.points[i].skip;
	}
	if (!usable) {
		bool invalid = run->results->points[0].state == POINT_INVALID;

		end(run, RUN_DONE, invalid ? STOP_INVALID : STOP_UNAVAILABLE);
		return;
	}
	plan_trials(&run->schedule, &run->plan, &run->common,
		run_elapsed_ns(run));
	run->results->plan.paired = run->schedule.paired;
	run_set_limit(run);
	make_room(run);
	begin_launch(run, 1);
}

static void after_launch(struct run *run)
{
	double took_ns = (double)(tick_raw_ns() - run->launch_began_ns);

	clock_cache_correct(run->clocks, run->place.cpu,
		run->results->clock.canary_alone);
	run->results->place.others = run_share_of_others(run);
	run->launch_took_ns = run->launch > 1 ?
		run->launch_took_ns * .5 + took_ns * .5 :
		took_ns;
	enum stop_reason reason = run_reason_to_end(run);
	if (reason != STOP_NONE) {
		end(run, reason == STOP_USER ? RUN_STOPPED : RUN_DONE, reason);
		return;
	}
	make_room(run);
	begin_launch(run, run->launch + 1);
}

static void after_clock(struct run *run, int status)
{
	struct clock_facts facts;
	struct error error;

	int failed = clock_finish(&run->job, status, &facts, &error);
	if (!failed)
		clock_cache_keep(run->clocks, run->place.cpu,
			run->place.facts.second, &facts);
	if (run->stopping)
		end(run, RUN_STOPPED, STOP_USER);
	else if (failed)
		fail(run, error.message);
	else
		run_use_clock(run, &facts);
}

/* If the search fails, the sibling stays unknown and the run continues. */
static void after_siblings(struct run *run, int status)
{
	struct error error;

	siblings_finish(&run->job, status, run->places, &error);
	if (run->stopping)
		end(run, RUN_STOPPED, STOP_USER);
	else if (run_place(run, &error))
		fail(run, error.message);
	else
		begin_pilot(run);
}

/* The waiting time is not part of the budget. */
static void after_quiet(struct run *run, int status)
{
	struct quiet_facts facts;
	struct error error;

	int failed = quiet_finish(&run->job, status, &facts, &error);
	run->began_ns += (uint64_t)(facts.waited_s * 1e9);
	if (!facts.quiet && !failed && !run->stopping)
		results_warn(run->results,
			"the core was still shared or busy after %.*g s of "
			"waiting",
			text_digits(facts.waited_s), facts.waited_s);
	if (run->stopping)
		end(run, RUN_STOPPED, STOP_USER);
	else if (failed)
		fail(run, error.message);
	else
		begin_launch(run, 0);
}

static void after_worker(struct run *run, int status)
{
	drain(run);
	feed_end(&run->feed);
	if (run->cut) {
		end(run, RUN_STOPPED, STOP_USER);
		return;
	}
	if (run->feed.failed || !WIFEXITED(status) || WEXITSTATUS(status)) {
		struct text why = { 0 };

		run_describe_death(run, status, &why);
		fail(run, text_chars(&why));
		text_free(&why);
		return;
	}
	if (run->stage == STAGE_LAUNCH)
		after_launch(run);
	else if (run->stopping)
		end(run, RUN_STOPPED, STOP_USER);
	else
		plan(run);
}

static double longest_trial_ns(const struct run *run)
{
	double longest_ns = 0;

	for (size_t i = 0; i < run->schedule.count; i++)
		longest_ns = fmax(longest_ns, run->schedule.points[i].trial_ns);
	return longest_ns;
}

/* Kills a child that shows no progress. */
static void watch(struct run *run, struct child *child)
{
	uint32_t alive =
		run->tape.header ? atomic_load(&run->tape.header->alive) : 0;
	uint64_t now_ns = tick_raw_ns();
	struct watch_signs signs;

	if (alive != run->alive) {
		run->alive = alive;
		watch_heard(&run->watch, now_ns);
	}
	if (watch_wants(&run->watch, now_ns) &&
		watch_read("", child->pid, &signs))
		watch_look(&run->watch, &signs, now_ns);
	enum watch_verdict stuck =
		watch_stuck(&run->watch, longest_trial_ns(run), now_ns);
	if (stuck == WATCH_LIVES)
		return;
	run->hung = stuck;
	child_kill(child);
	watch_heard(&run->watch, now_ns);
}

/* The pilot and a set-up may take seconds, and nothing of them is kept. */
static bool stops_late(const struct run *run)
{
	if (!run->stopping || run->cut || run->stage < STAGE_PILOT ||
		!run->tape.header)
		return false;
	uint64_t waited_ns = tick_raw_ns() - run->stopping_ns;
	uint32_t phase = atomic_load(&run->tape.header->phase);

	return phase == PHASE_SETUP ? waited_ns > set_up_ns :
		run->stage == STAGE_PILOT && phase != PHASE_CLEANUP &&
			waited_ns > pilot_ns;
}

static struct child *child_of(struct run *run)
{
	return run->stage < STAGE_PILOT ? &run->job.child : &run->child;
}

void run_step(struct run *run)
{
	static void (*const after[])(struct run *, int status) = {
		[STAGE_CLOCK] = after_clock,
		[STAGE_SIBLINGS] = after_siblings,
		[STAGE_QUIET] = after_quiet,
		[STAGE_PILOT] = after_worker,
		[STAGE_LAUNCH] = after_worker,
	};
	struct child *child = child_of(run);
	int status;

	if (run->stage == STAGE_OVER)
		return;
	drain(run);
	if (child_reap(child, &status)) {
		after[run->stage](run, status);
		return;
	}
	if (run->feed.failed)
		child_kill(&run->child);
	if (stops_late(run))
		run_cut(run);
	/* A child that waits for an unshared core shows no other progress. */
	if (run->stage != STAGE_QUIET)
		watch(run, child);
}

void run_stop(struct run *run)
{
	if (!run->stopping)
		run->stopping_ns = tick_raw_ns();
	run->stopping = true;
	if (run->stage == STAGE_QUIET)
		child_kill(&run->job.child);
	if (run->tape.header)
		atomic_store(&run->tape.header->stop, 1);
}

void run_cut(struct run *run)
{
	run_stop(run);
	run->cut = true;
	child_kill(&run->child);
	child_kill(&run->job.child);
}

int run_descriptor(struct run *run)
{
	return run->stage == STAGE_OVER ? -1 : child_of(run)->pidfd;
}

bool run_over(const struct run *run)
{
	return run->stage == STAGE_OVER;
}

enum status run_status(const struct run *run)
{
	switch (run->results->state) {
	case RUN_FAILED:
		return run->feed.lost ? STATUS_NETWORK : STATUS_WORKER;
	case RUN_STOPPED:
		return STATUS_INTERRUPTED;
	case RUN_GOING:
	case RUN_DONE:
		break;
	}
	return STATUS_OK;
}

struct results *run_results(struct run *run)
{
	return run->results;
}

struct results *run_take(struct run *run)
{
	struct results *results = run->results;

	run->results = NULL;
	return results;
}

int run_packets(const struct run *run)
{
	return run->packets_fd;
}

int run_take_packets(struct run *run)
{
	int fd = run->packets_fd;

	run->packets_fd = -1;
	return fd;
}

double run_expected_s(const struct experiment *experiment,
	const struct common *common)
{
	int64_t budget_ns = experiment->plan.budget_ns ?
		experiment->plan.budget_ns :
		common->budget_ns;

	return (double)budget_ns * 1e-9;
}
