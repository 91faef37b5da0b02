/* The start of a run: checks, placement, description, calibration. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

#include "facts.h"
#include "memo.h"
#include "memory.h"
#include "memory_ruler.h"
#include "run_internal.h"
#include "tick.h"

enum {
	PILOT_SAMPLES = 1 << 14,
	CLOCK_KEPT_S = 600,
};

static int check_fifo(const struct run *run, struct error *error)
{
	const struct sched_param fifo = { .sched_priority = 50 };
	const struct sched_param usual = { 0 };

	if (run->common.priority != PRIORITY_FIFO)
		return 0;
	if (run->place.facts.lab_shares)
		return error_set(error, STATUS_USAGE,
			"priority=fifo: needs a second processor, from which "
			"the worker can be stopped");
	/* Without SCHED_RESET_ON_FORK, which only CAP_SYS_NICE may clear: a
	 * user with only 'ulimit -r' could not leave the priority again. */
	if (sched_setscheduler(0, SCHED_FIFO, &fifo))
		return error_set(error, STATUS_PERMISSION,
			"priority=fifo: not permitted, needs CAP_SYS_NICE or "
			"'ulimit -r 50'");
	sched_setscheduler(0, SCHED_OTHER, &usual);
	return 0;
}

/* Only timed operations can be counted. */
static int choose_counters(struct run *run, struct text *note,
	struct error *error)
{
	const struct metric *row = run->experiment->metrics;
	unsigned asked = (unsigned)run->common.counters;

	if (asked >> COUNT_AUTO == 0)
		return 0;
	while (row->name && row->kind != METRIC_TIMED)
		row++;
	if (!row->name) {
		text_add(note, "nothing is counted: %s times no operations",
			run->experiment->name);
		return 0;
	}
	return counters_choose(&counter_calls, asked, &run->counters, note,
		error);
}

/* The placements that a run uses, as a mask. */
static unsigned parties_of(const struct param_set *args)
{
	unsigned parties = 0;

	for (size_t i = 0; i < args->count; i++) {
		if (args->rows[i].choices != placement_choices)
			continue;
		for (size_t v = 0; v < args->values[i].count; v++)
			parties |= 1u << args->values[i].list[v].choice;
	}
	return parties;
}

/* The maximum number of threads in a run. */
static unsigned threads_of(const struct experiment *experiment,
	const struct param_set *args)
{
	int64_t most = 1;

	for (size_t i = 0; i < args->count; i++) {
		if (!(experiment->traits & TRAIT_THREADS) ||
			strcmp(args->rows[i].name, "threads"))
			continue;
		for (size_t v = 0; v < args->values[i].count; v++) {
			int64_t whole = args->values[i].list[v].whole;

			if (whole == PARAM_AUTO)
				whole = CPUS_MAX;
			most = whole > most ? whole : most;
		}
	}
	return (unsigned)most;
}

static uint64_t draw_seed(const struct common *common)
{
	uint64_t seed;

	if (common->seed != PARAM_AUTO)
		return (uint64_t)common->seed;
	if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
		seed = tick_raw_ns();
	/* Below 2^53, so that every reader of the session can represent it. */
	return seed >> 11;
}

static void write_now(char *into, size_t size)
{
	time_t now = time(NULL);
	struct tm local;

	localtime_r(&now, &local);
	strftime(into, size, "%Y-%m-%dT%H:%M:%S%z", &local);
}

void run_describe_points(struct results *results,
	const struct experiment *experiment, const struct param_set *args)
{
	size_t points = param_set_points(args);

	for (size_t i = 0; i < points; i++) {
		struct point *point = results_add_point(results);

		for (size_t row = 0; row < args->count; row++) {
			struct text value = { 0 };

			param_set_text(args, i, row, &value);
			point->values[row] = text_take(&value);
		}
		point->args = xcalloc(1, experiment->args_size);
		param_set_args(args, i, point->args);
		results_own_texts(results, args->rows, point);
		for (size_t m = 0; m < results->metric_count; m++) {
			struct series *series = &point->series[m];

			if (results->metrics[m].kind != METRIC_DERIVED)
				continue;
			series->derived = true;
			if (!experiment->metrics[m].derive(point->args,
				    series->weight))
				memset(series->weight, 0,
					sizeof series->weight);
		}
	}
}

static void predict(struct run *run, const struct run_request *request)
{
	struct results *results = run->results;
	struct facts facts = { 0 };

	if (request->facts)
		facts = *request->facts;
	facts.realtime = run->common.priority == PRIORITY_FIFO;
	for (size_t i = 0; i < results->point_count && request->facts; i++) {
		struct point *point = &results->points[i];

		if (!run->experiment->predict)
			continue;
		run->experiment->predict(&facts, point->args, &point->model);
		point->model.by = BY_MODEL;
	}
	if (request->prediction)
		results->prediction = *request->prediction;
	else if (results->point_count == 1)
		results->prediction = results->points[0].model;
	snprintf(results->prediction.locked_at,
		sizeof results->prediction.locked_at, "%s", results->started);
}

static void keep_figures_only(struct results *results, bool only)
{
	results->figures_only = only;
	if (only)
		results_warn(results,
			"The session keeps figures and launch medians of this "
			"run, but no trials: no histogram, trace or packets, "
			"and the figures cannot be recomputed.");
}

static void make_results(struct run *run, const struct run_request *request)
{
	struct results *results = results_new(run->experiment->name);

	run->results = results;
	results_describe(results, run->experiment);
	results_count(results, &run->counters);
	results->seed = draw_seed(&run->common);
	results->asked = xstrdup(request->line);
	results->place = run->place.facts;
	results->plan.launches = run->common.launches;
	results->plan.precision = run->common.precision;
	results->plan.budget_ns = run->common.budget_ns;
	results->plan.trials = run->common.trials;
	results->plan.fifo = run->common.priority == PRIORITY_FIFO;
	results->plan.clones = run->schedule.clones;
	keep_figures_only(results, run->common.keep == KEEP_FIGURES);
	results->plan.abba = run->schedule.abba;
	results->plan.paired = run->schedule.paired;
	write_now(results->started, sizeof results->started);
	run_describe_points(results, run->experiment, &run->args);
	predict(run, request);
	memo_begin(results);
	feed_init(&run->feed, results);
}

/* A trial emits each metric at most once. Traces are emitted by visits, and
 * have their own room in the plan. */
static unsigned emits_of(const struct experiment *experiment)
{
	unsigned emits = 0;

	for (const struct metric *row = experiment->metrics; row->name; row++)
		emits += row->kind == METRIC_TIMED || row->kind == METRIC_VALUE;
	return emits;
}

static void make_schedule(struct run *run)
{
	struct schedule *schedule = &run->schedule;

	run->plan = plan_at(run->experiment, &run->args, 0);
	schedule->count = param_set_points(&run->args);
	schedule->clones = run->plan.clones ? run->plan.clones : 1;
	schedule->fixed_ops = run->plan.ops != 0;
	schedule->emits = emits_of(run->experiment);
	schedule->counters =
		(unsigned)__builtin_popcount(run->counters.mask);
	schedule->traces = run->plan.traces;
	schedule->points = xcalloc(schedule->count, sizeof *schedule->points);
	for (size_t i = 0; i < schedule->count; i++) {
		struct plan plan = plan_at(run->experiment, &run->args, i);

		schedule->points[i].ops = run->plan.ops;
		schedule->points[i].ops_least = plan.ops_least;
		schedule->points[i].trials_fixed = plan.trials;
	}
	/* The experiment's own budget is a default: a requested budget has
	 * priority. */
	if (run->plan.budget_ns && !run->common_budget_asked)
		run->common.budget_ns = run->plan.budget_ns;
}

static void describe_tape(struct run *run)
{
	struct tape_header *header = run->tape.header;
	const struct results *results = run->results;

	snprintf(header->experiment, sizeof header->experiment, "%s",
		results->experiment);
	snprintf(header->started, sizeof header->started, "%s",
		results->started);
	snprintf(header->line, sizeof header->line, "%s", results->asked);
	header->seed = results->seed;
	header->place = results->place;
	header->counted = run->counters;
}

/* Network experiments capture on request; some always do. */
static void make_packets(struct run *run)
{
	unsigned traits = run->experiment->traits;
	bool asked = run->common.capture && traits & TRAIT_PEER;

	if (!asked && !(traits & TRAIT_CAPTURE))
		return;
	run->packets_fd = memfd_create("benchtop packets", MFD_CLOEXEC);
	if (run->packets_fd < 0)
		results_warn(run->results, "no packets are captured: %s",
			strerror(errno));
	/* The helper and the worker write at the same time. Without O_APPEND
	 * they would overwrite each other. */
	else if (fcntl(run->packets_fd, F_SETFL, O_APPEND))
		results_warn(run->results, "packets may be damaged: %s",
			strerror(errno));
}

static int plan_place(struct run *run, struct error *error)
{
	if (place_plan(run->places, run->common.cpu, parties_of(&run->args),
		    &run->place, error))
		return -1;
	place_threads(&run->place, threads_of(run->experiment, &run->args));
	return 0;
}

int run_place(struct run *run, struct error *error)
{
	const struct place_facts *facts = &run->place.facts;

	if (plan_place(run, error))
		return -1;
	place_apply(&run->place);
	run->results->place = *facts;
	run->tape.header->place = *facts;
	return 0;
}

/* Points that exceed the caches of a core use the memory ruler. */
static void make_ruler(struct run *run)
{
	static const double usual_bytes = 4 << 20;
	double cached = run->facts && run->facts->l2_bytes > 0 ?
		run->facts->l2_bytes :
		usual_bytes;
	bool any = false;

	for (size_t i = 0; i < run->schedule.count; i++) {
		const void *args = run->results->points[i].args;
		int64_t bytes = run->experiment->footprint ?
			run->experiment->footprint(args) :
			0;

		run->schedule.points[i].ruler =
			bytes == PARAM_AUTO || (double)bytes > cached;
		any |= run->schedule.points[i].ruler;
	}
	if (any && run->packets_fd < 0)
		run->ruler_fd = memory_ruler_make();
}

static void take_lock(struct run *run)
{
	pid_t holder;

	run->lock = place_lock(run->place.cpu, &holder);
	if (run->lock < 0 && holder)
		results_warn(run->results,
			"process %d also measures on cpu %d: the two runs "
			"disturb each other",
			(int)holder, run->place.cpu);
}

static bool clock_is_known(const struct run *run)
{
	uint64_t at_ns = run->clocks->measured_ns[run->place.cpu];
	int second = run->place.facts.second;

	/* A second party reads the clock on its own processor. */
	if (second >= 0 && second != run->place.cpu &&
		run->clocks->second[run->place.cpu] != second + 1)
		return false;
	return at_ns && tick_raw_ns() - at_ns < CLOCK_KEPT_S * 1000000000ull;
}

static int begin(struct run *run, struct error *error)
{
	if (tape_create(&run->tape, PILOT_SAMPLES, error))
		return -1;
	describe_tape(run);
	tape_show(&run->tape);
	make_packets(run);
	make_ruler(run);
	take_lock(run);
	run->applied = true;
	if (run_place(run, error))
		return -1;
	if (clock_is_known(run)) {
		run_use_clock(run, &run->clocks->facts[run->place.cpu]);
		return 0;
	}
	run->stage = STAGE_CLOCK;
	watch_heard(&run->watch, tick_raw_ns());
	if (clock_start(&run->job, run->place.cpu,
		    run->place.facts.second, error))
		return -1;
	return 0;
}

int run_check(const struct experiment *experiment, const struct param_set *set,
	struct error *error)
{
	if (param_set_check_points(set, error))
		return -1;
	if (!experiment->check)
		return 0;
	void *args = xcalloc(1, experiment->args_size);
	size_t points = param_set_points(set);
	int failed = 0;
	for (size_t i = 0; i < points && !failed; i++) {
		param_set_args(set, i, args);
		failed = experiment->check(args, error);
	}
	free(args);
	if (failed)
		error->column = 0;
	return failed;
}

void run_caution(const struct experiment *experiment,
	const struct param_set *set, struct text *text)
{
	if (!experiment->caution)
		return;
	void *args = xcalloc(1, experiment->args_size);
	/* Sweeps ascend, so the last point is the most expensive. */
	param_set_args(set, param_set_points(set) - 1, args);
	experiment->caution(args, text);
	free(args);
}

/* Keeps the cautions, for the arguments as requested. */
static void keep_caution(struct run *run, const struct param_set *asked)
{
	struct text text = { 0 };

	run_caution(run->experiment, asked, &text);
	if (text.length)
		results_warn(run->results, "%s", text.chars);
	text_free(&text);
}

struct run *run_start(const struct run_request *request, struct error *error)
{
	struct run *run = xcalloc(1, sizeof *run);

	/* Returns memory of a loaded session to the system first, because it
	 * belongs to the machine that is measured. */
	memory_trim();
	run->experiment = request->experiment;
	run->common = *request->common;
	run->common_budget_asked = request->budget_asked;
	run->facts = request->facts;
	run->places = request->places;
	run->clocks = request->clocks;
	run->executes = request->executes;
	run->lock = -1;
	run->tape.fd = -1;
	run->packets_fd = run->ruler_fd = -1;
	run->child.pidfd = -1;
	run->began_ns = tick_raw_ns();
	struct text note = { 0 };
	param_set_copy(&run->args, request->args);
	param_set_expand(&run->args, run->experiment->args_size);
	if (run_check(run->experiment, &run->args, error) ||
		plan_place(run, error) || check_fifo(run, error) ||
		choose_counters(run, &note, error)) {
		run_close(run, false);
		return NULL;
	}
	make_schedule(run);
	run->schedule.abba = request->abba && run->schedule.count == 2;
	run->schedule.paired = run->schedule.abba && !request->blocked &&
		run->experiment->traits & TRAIT_PAIRS;
	make_results(run, request);
	if (note.length)
		results_warn(run->results, "%s", note.chars);
	if (note.length && run->counters.mask)
		run->counters_note = text_take(&note);
	text_free(&note);
	keep_caution(run, request->args);
	if (begin(run, error)) {
		run_close(run, false);
		return NULL;
	}
	return run;
}
