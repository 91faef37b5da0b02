/* The worker: one launch. */
#include "worker.h"

#include <alloca.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "canary.h"
#include "memory.h"
#include "overhead.h"
#include "results.h"
#include "ruler.h"
#include "worker_internal.h"

enum {
	FIFO_PRIORITY = 50,
	BURST_NS = 850 * 1000 * 1000, /* below the kernel's throttle */
	REST_NS = 60 * 1000 * 1000,
	ROOM_KEPT = 64, /* samples reserved for the end of a launch */
};

/* ---- emission --------------------------------------------------------- */

void worker_alive(const struct worker *worker)
{
	atomic_fetch_add_explicit(&worker->job->tape->header->alive, 1,
		memory_order_relaxed);
}

void worker_phase(struct worker *worker, enum worker_phase phase)
{
	atomic_store_explicit(&worker->job->tape->header->phase, phase,
		memory_order_relaxed);
	worker_alive(worker);
}

bool worker_ends(const struct worker *worker)
{
	struct tape *tape = worker->job->tape;

	if (atomic_load_explicit(&tape->header->stop, memory_order_relaxed))
		return true;
	if (tape_room(tape) >= ROOM_KEPT + worker->job->schedule->emits)
		return false;
	atomic_store_explicit(&tape->header->full, 1, memory_order_relaxed);
	return true;
}

void worker_put(struct worker *worker, struct sample sample)
{
	tape_put(worker->job->tape, &sample);
}

static void put_sample(struct probe *probe, const struct sample *sample)
{
	tape_put(probe->worker->job->tape, sample);
}

static void put_clock(struct worker *worker)
{
	struct moment point = moment_now(worker->job->clock->source);

	worker_put(worker,
		(struct sample){ .kind = SAMPLE_CLOCK,
			.at = (uint64_t)point.ticks,
			.ticks = point.raw_ns });
}

static void put_overhead(struct worker *worker, uint32_t when)
{
	struct overhead overhead = overhead_measure(&worker->probe,
		LAUNCH_PAIRS, worker->job->clock->quantum);

	worker->overhead = overhead.median;
	worker_put(worker,
		(struct sample){ .kind = SAMPLE_OVERHEAD,
			.n = when,
			.value = overhead.median,
			.value2 = overhead.jitter });
}

void worker_put_canary(struct worker *worker)
{
	const struct clock_facts *clock = worker->job->clock;
	struct canary canary = canary_run(&worker->probe, clock->canary_kind,
		clock->canary_multiplies);

	worker_put(worker,
		(struct sample){ .kind = SAMPLE_CANARY,
			.ticks = canary.latency,
			.extra = canary.throughput });
}

/* ---- visits ----------------------------------------------------------- */

void worker_put_visit(struct worker *worker, size_t point, unsigned clone,
	unsigned canary_every)
{
	worker_put(worker,
		(struct sample){ .kind = SAMPLE_VISIT,
			.n = (uint32_t)point,
			.metric = (uint8_t)clone,
			.extra = canary_every });
}

bool worker_set_up(struct worker *worker, size_t point, unsigned clone)
{
	const struct launch_job *job = worker->job;
	struct probe *probe = &worker->probe;

	atomic_store_explicit(&job->tape->header->point, (uint32_t)point,
		memory_order_relaxed);
	worker_phase(worker, PHASE_SETUP);
	probe->args = job->args[point];
	probe->clone = clone;
	probe->state = NULL;
	probe->found = job->schedule->points[point].found;
	probe->outcome = 0;
	if (job->experiment->setup && job->experiment->setup(probe))
		return false;
	return !probe->outcome;
}

void worker_clean_up(struct worker *worker)
{
	worker_phase(worker, PHASE_CLEANUP);
	if (worker->job->experiment->cleanup)
		worker->job->experiment->cleanup(&worker->probe);
}

void worker_warm_up(struct worker *worker, uint64_t ops)
{
	struct probe *probe = &worker->probe;
	double least_ns = plan_warm_up_ns(worker->job->schedule);
	uint64_t begin_ns = tick_raw_ns();

	worker_phase(worker, PHASE_WARMUP);
	probe->quiet = true;
	for (int i = 0; i < 3 || (double)(tick_raw_ns() - begin_ns) < least_ns;
		i++) {
		worker->job->experiment->trial(probe, ops);
		if (probe->outcome || worker_ends(worker))
			break;
		worker_alive(worker);
	}
	probe->quiet = false;
}

/* The kernel's counts for this thread since `before`, as flags. */
static unsigned usage_flags(const struct worker *worker, struct rusage *before)
{
	unsigned traits = worker->job->experiment->traits;
	struct rusage now;
	unsigned flags = 0;

	getrusage(RUSAGE_THREAD, &now);
	bool faulted = now.ru_minflt != before->ru_minflt ||
		now.ru_majflt != before->ru_majflt;
	bool switched = now.ru_nvcsw != before->ru_nvcsw ||
		now.ru_nivcsw != before->ru_nivcsw;
	if (faulted && !(traits & TRAIT_FAULTS))
		flags |= FLAG_FAULTED;
	if (switched && !worker->rseq && !(traits & TRAIT_BLOCKS))
		flags |= FLAG_SWITCHED;
	if (!worker->rseq && sched_getcpu() != worker->probe.cpu)
		flags |= FLAG_MIGRATED;
	*before = now;
	return flags;
}

/* With SCHED_FIFO the kernel throttles a thread that never sleeps. Sleeping
 * between trials is better than being stopped within one. */
static void rest_if_due(struct worker *worker, uint64_t now_ns)
{
	const struct timespec rest = { 0, REST_NS };

	if (!worker->job->fifo || now_ns - worker->burst_ns < BURST_NS)
		return;
	nanosleep(&rest, NULL);
	worker->burst_ns = tick_raw_ns();
}

/* A probe calls this only outside its timed regions. */
static void live_on(struct probe *probe)
{
	worker_alive(probe->worker);
	rest_if_due(probe->worker, tick_raw_ns());
}

void batch_end(struct worker *worker, struct batch *batch)
{
	unsigned flags = usage_flags(worker, &batch->usage);

	worker_put(worker,
		(struct sample){ .kind = SAMPLE_USAGE,
			.n = flags,
			.extra = batch->trials });
	batch->trials = 0;
	worker_alive(worker);
}

void batch_begin(struct worker *worker, struct batch *batch)
{
	rest_if_due(worker, tick_raw_ns());
	/* Events during the rest are not disturbances. */
	getrusage(RUSAGE_THREAD, &batch->usage);
	batch->began_ns = tick_raw_ns();
}

bool batch_goes_on(struct worker *worker, struct batch *batch)
{
	if (tick_raw_ns() - batch->began_ns < BATCH_NS)
		return true;
	batch_end(worker, batch);
	if (worker_ends(worker))
		return false;
	batch_begin(worker, batch);
	return true;
}

static bool waits(const struct worker *worker, size_t point)
{
	const struct launch_job *job = worker->job;

	return job->experiment->waits &&
		job->experiment->waits(job->args[point]);
}

/* Reads the memory ruler if it is due. */
static void rule_memory(struct worker *worker, const struct sizing *sizing,
	unsigned trials)
{
	if (!sizing->ruler || !worker->ruler.base ||
		tick_raw_ns() - worker->ruled_ns < MEMORY_RULER_EVERY_NS)
		return;
	worker_put(worker,
		(struct sample){ .kind = SAMPLE_RULER,
			.n = trials,
			.ticks = memory_ruler_run(&worker->ruler,
				worker->probe.source) });
	worker->ruled_ns = tick_raw_ns();
}

/* Runs a canary every `canary_every` trials; 0: none. */
static void run_trials(struct worker *worker, const struct sizing *sizing,
	unsigned canary_every)
{
	const struct launch_job *job = worker->job;
	struct probe *probe = &worker->probe;
	struct batch batch = { .trials = 0 };

	worker_phase(worker, PHASE_TRIALS);
	batch_begin(worker, &batch);
	rule_memory(worker, sizing, 0);
	if (canary_every)
		worker_put_canary(worker);
	for (unsigned i = 0; i < sizing->trials; i++) {
		job->experiment->trial(probe, sizing->ops);
		batch.trials++;
		if (probe->outcome)
			break;
		rule_memory(worker, sizing, i + 1);
		if (canary_every && (i + 1) % canary_every == 0)
			worker_put_canary(worker);
		if (!batch_goes_on(worker, &batch))
			break;
	}
	if (canary_every)
		worker_put_canary(worker);
	if (batch.trials)
		batch_end(worker, &batch);
}

static void visit(struct worker *worker, size_t point, unsigned clone)
{
	const struct sizing *sizing = &worker->job->schedule->points[point];
	unsigned canary_every = waits(worker, point) ? 0 : sizing->canary_every;

	worker_put_visit(worker, point, clone, canary_every);
	if (!worker_set_up(worker, point, clone))
		return;
	if (!(worker->job->experiment->traits & TRAIT_COLD))
		worker_warm_up(worker, sizing->ops);
	if (!worker->probe.outcome)
		run_trials(worker, sizing, canary_every);
	worker_clean_up(worker);
}

/* The clean-up counts as well: removing files may take as long as creating
 * them. */
static void pilot(struct worker *worker, size_t point)
{
	worker_put_visit(worker, point, 0, 0);
	uint64_t begin_ns = tick_raw_ns();
	worker->probe.share = 1;
	if (!worker_set_up(worker, point, 0))
		return;
	uint64_t around_ns = tick_raw_ns() - begin_ns;
	struct sample sized = worker_size(worker, point);
	begin_ns = tick_raw_ns();
	worker_clean_up(worker);
	around_ns += tick_raw_ns() - begin_ns;
	sized.at = (uint64_t)((double)around_ns / worker->probe.share);
	worker_put(worker, sized);
}

bool worker_failed(const struct worker *worker)
{
	return worker->probe.outcome == TEXT_FAILED + 1 ||
		worker->probe.outcome == TEXT_LOST + 1;
}

/* Random order. If two settings are compared: clones in random order, with both
 * points of each clone adjacent, A B in one launch, B A in the next, so that
 * drift affects both alike. */
static size_t *draw_order(const struct launch_job *job, gsl_rng *random)
{
	const struct schedule *schedule = job->schedule;
	size_t clones = schedule->clones, count = schedule->count * clones;
	size_t *order = xmalloc(count * sizeof *order);
	size_t first = job->number % 2 ? 0 : 1;

	for (size_t i = 0; i < count; i++)
		order[i] = i;
	if (!schedule->abba) {
		gsl_ran_shuffle(random, order, count, sizeof *order);
		return order;
	}
	gsl_ran_shuffle(random, order, clones, sizeof *order);
	for (size_t i = clones; i-- > 0;) {
		size_t clone = order[i];

		order[2 * i] = first * clones + clone;
		order[2 * i + 1] = (1 - first) * clones + clone;
	}
	return order;
}

/* Visits the clones in random order. */
static void visit_pairs(struct worker *worker, gsl_rng *random)
{
	size_t count = worker->job->schedule->clones;
	size_t *order = xmalloc(count * sizeof *order);

	for (size_t i = 0; i < count; i++)
		order[i] = i;
	gsl_ran_shuffle(random, order, count, sizeof *order);
	for (size_t i = 0; i < count && !worker_failed(worker); i++)
		if (!worker_ends(worker))
			worker_visit_pair(worker, (unsigned)order[i]);
	free(order);
}

static void visit_all(struct worker *worker, gsl_rng *random)
{
	const struct schedule *schedule = worker->job->schedule;

	if (schedule->paired) {
		visit_pairs(worker, random);
		return;
	}
	size_t count = schedule->count * schedule->clones;
	size_t *order = draw_order(worker->job, random);

	for (size_t i = 0; i < count && !worker_failed(worker); i++) {
		size_t point = order[i] / schedule->clones;

		if (worker_ends(worker))
			break;
		if (plan_visits(schedule, point, worker->job->number))
			visit(worker, point,
				(unsigned)(order[i] % schedule->clones));
	}
	free(order);
}

static void pilot_all(struct worker *worker)
{
	for (size_t i = 0; i < worker->job->schedule->count; i++)
		if (!worker_failed(worker) && !worker_ends(worker))
			pilot(worker, i);
}

/* ---- the launch ------------------------------------------------------- */

static void take_priority(const struct launch_job *job)
{
	const struct sched_param fifo = { .sched_priority = FIFO_PRIORITY };
	/* Stops a worker that spins forever before it blocks the machine. */
	const struct rlimit most_us = { 2000000, 2500000 };

	if (!job->fifo)
		return;
	setrlimit(RLIMIT_RTTIME, &most_us);
	sched_setscheduler(0, SCHED_FIFO, &fifo);
}

static int launch(struct worker *worker, gsl_rng *random)
{
	const struct launch_job *job = worker->job;

	worker_put(worker,
		(struct sample){ .kind = SAMPLE_LAUNCH,
			.n = job->number,
			.ticks = job->seed });
	put_clock(worker);
	if (job->forked)
		probe_warn(&worker->probe,
			"workers are forked from the lab, since the program "
			"cannot be executed again: %s. All launches have the "
			"same addresses, and a fork in a worker also copies "
			"what the lab holds",
			strerror(job->forked));
	take_priority(job);
	worker->burst_ns = tick_raw_ns();
	put_overhead(worker, 0);
	if (job->number)
		visit_all(worker, random);
	else
		pilot_all(worker);
	put_overhead(worker, 1);
	put_clock(worker);
	if (job->number)
		worker_count(worker);
	worker_phase(worker, PHASE_END);
	worker_put(worker,
		(struct sample){ .kind = SAMPLE_END, .n = job->number });
	disturb_disarm(&worker->probe);
	return worker_failed(worker) ? WORKER_FAILED : 0;
}

/* Shifts all later heap allocations of the launch: Mytkowicz et al., "Producing
 * wrong data without doing anything obviously wrong", ASPLOS 2009. */
static void shift_heap(gsl_rng *random)
{
	size_t pages = gsl_rng_uniform_int(random, 512) + 1;
	char *heap = malloc(gsl_rng_uniform_int(random, 64 * 1024) + 1);

	probe_opaque(heap);
	/* It stays. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
	(void)mmap(NULL, pages * (size_t)sysconf(_SC_PAGESIZE), PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static __attribute__((noinline)) int on_shifted_stack(struct worker *worker,
	gsl_rng *random)
{
	size_t shift = gsl_rng_uniform_int(random, 256) * 16;
	char *gap = alloca(shift + 16);

	probe_opaque(gap);
	return launch(worker, random);
}

int worker_launch(void *context)
{
	const struct launch_job *job = context;
	struct worker worker = {
		.job = job,
		.probe = {
			.launch = job->number,
			.cpu = job->place->cpu,
			.packets_fd = job->packets_fd,
			.source = job->clock->source,
			.tick_hz = job->clock->hz,
			.random = job->seed,
			.put = put_sample,
			.alive = live_on,
		},
	};
	gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);

	gsl_rng_set(random, job->seed);
	worker.probe.worker = &worker;
	worker.probe.row = job->place->row;
	worker.probe.row_count = job->place->row_count;
	for (int i = 0; i < PLACEMENTS; i++)
		worker.probe.place[i] = job->place->at[i];
	worker_watch_faults(job->tape->header);
	worker.rseq = disturb_arm(&worker.probe);
	shift_heap(random);
	/* Locks memory against faults in timed regions. Not if faults or forks
	 * are timed: locked memory behaves differently there. */
	if (!(job->experiment->traits & TRAIT_FAULTS))
		mlockall(MCL_CURRENT);
	memory_ruler_map(&worker.ruler, job->ruler_fd, job->seed);
	return on_shifted_stack(&worker, random);
}
