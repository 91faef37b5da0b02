/* How long does a load take while other threads use memory? */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis.h"
#include "cache_sizes.h"
#include "caches.h"
#include "chain.h"
#include "digest.h"
#include "heading.h"
#include "loaded_tell.h"
#include "loaders.h"
#include "memory.h"
#include "memory_level.h"
#include "memory_load.h"
#include "probe.h"
#include "results.h"

enum { LINE_BYTES = 64, CPUS_MOST = 1024 };

struct args {
	int64_t pause_ns;
	int op, pages;
	int64_t threads, size_bytes;
};

static const struct param params[] = {
	{ .name = "pause",
		.label = "pause",
		.help = "pause of each load thread after 4 KiB; idle: no load "
			"threads",
		.preset = "0,50ns..3200ns*2,idle",
		WHOLE_FIELD(struct args, pause_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 100000,
		.automatic = true,
		.word = "idle",
		.drawn_as = "bandwidth" },
	{ .name = "op",
		.label = "operation",
		.help = "what the load threads do",
		.preset = "read",
		CHOICE_FIELD(struct args, op),
		.choices = kernel_ops },
	{ .name = "threads",
		.label = "threads",
		.help = "one follows the chain, the others load the memory; "
			"auto: all processors, an SMT sibling of the first "
			"only if it is the only other",
		.preset = "auto",
		WHOLE_FIELD(struct args, threads),
		.unit = UNIT_COUNT,
		.min = 2,
		.max = CPUS_MOST,
		.automatic = true },
	{ .name = "size",
		.label = "array size",
		.help = "of the chain, and of all load threads together; auto: "
			"four times the last-level cache, in a guest at most "
			"256M",
		.preset = "auto",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 4 << 20,
		.max = 0x1p40,
		.automatic = true },
	PAGES_ROW(struct args, pages),
	{ .name = NULL },
};

enum { LOAD, BANDWIDTH, TRAFFIC };
static const struct metric metrics[] = {
	{ .name = "load", .label = "time per load", .unit = UNIT_NS },
	{ .name = "bandwidth",
		.label = "bytes moved by the load threads",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "traffic",
		.label = "estimated traffic, with the chain's",
		.unit = UNIT_BYTES_PER_S,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

/* A trial has as many loads as in mem.latency: the median of long trials is
 * nearer to the mean, which is 3 to 5 % higher. Without pauses it is longer, so
 * that each load thread completes several of its large blocks.
 *
 * The trials of a visit pass ten groups of the chain or more. The adjacent-line
 * prefetcher makes the end of a group cheaper than its beginning, and a group
 * that the last-level cache still holds is cheaper than others: medians over
 * one group ranged from 76 to 117 ns, over ten from 91 to 111. */
enum {
	LOADS = 1000,
	LOADS_UNPAUSED = 2048,
	GROUPS = 10,
	TRIALS_LEAST = GROUPS * CHAIN_LOCAL_BYTES / LINE_BYTES / LOADS + 1,
};

static void plan_for(const void *context, struct plan *plan)
{
	const struct args *args = context;

	plan->ops_least = args->pause_ns ? LOADS : LOADS_UNPAUSED;
}

/* ---- one visit -------------------------------------------------------- */

/* The chain stays for the loaded points of a launch that have its size and
 * pages. */
static struct {
	struct buffer buffer;
	struct chain chain;
} chased;
static struct loaders loaders;
static const struct kernel *kernel, *chosen[KERNEL_OPS];
static int cpus[CPUS_MOST];

/* Called in the lab before it forks, so that an automatic size is the same in
 * all workers. */
static int check(const void *args, struct error *error)
{
	(void)args;
	(void)error;
	(void)caches_reach_bytes();
	return 0;
}

static uint64_t size_of(const struct args *args)
{
	return (uint64_t)(args->size_bytes == PARAM_AUTO ?
			caches_reach_bytes() :
			args->size_bytes);
}

static int64_t footprint(const void *args)
{
	return ((const struct args *)args)->size_bytes;
}

/* Fills in the processors of the threads; 0 after probe_unavailable(). A load
 * thread on the sibling slows the chain in the core as well as in memory, so
 * the sibling is used only if there is no other processor. */
static unsigned place_threads(struct probe *probe)
{
	const struct args *args = probe->args;
	int sibling = probe->place[PLACEMENT_SMT];
	unsigned count = 0;

	for (unsigned i = 0; i < probe->row_count && count < CPUS_MOST; i++)
		if (probe->row[i] != sibling)
			cpus[count++] = probe->row[i];
	if (count == 1 && probe->row_count > 1) {
		cpus[count++] = sibling;
		probe_warn(probe,
			"cpu %d, the SMT sibling of cpu %d, is the only one for "
			"a load thread: it slows loads also within the core, so "
			"the time beside it is an upper bound",
			sibling, cpus[0]);
	}
	if (count < 2) {
		probe_unavailable(probe,
			"this run has one processor: expected another one for "
			"a load thread");
		return 0;
	}
	if (args->threads == PARAM_AUTO)
		return count;
	if (args->threads > count) {
		probe_unavailable(probe,
			"threads=%" PRId64 ": there are %u processors for threads",
			args->threads, count);
		return 0;
	}
	return (unsigned)args->threads;
}

static bool is_idle(const struct args *args)
{
	return args->pause_ns == PARAM_AUTO;
}

/* An idle load has a new chain on new pages that warms the caches, as in
 * mem.latency. The old chain has been evicted from the last-level cache by what
 * load threads touched. */
static int build_chain(struct probe *probe)
{
	const struct args *args = probe->args;
	bool idle = is_idle(args);
	struct buffer_wish wish = {
		.size_bytes = size_of(args),
		.pages = (enum pages)args->pages,
		.seed = probe_random(probe) | 1,
	};
	struct error error;

	if (!idle && chased.buffer.start && chased.buffer.pages == wish.pages &&
		chased.buffer.size_bytes == wish.size_bytes)
		return 0;
	buffer_close(&chased.buffer);
	if (buffer_open(&chased.buffer, &wish, probe, &error))
		return probe_unavailable(probe, "%s", error.message);
	chain_build(&chased.chain, chased.buffer.start, wish.size_bytes,
		LINE_BYTES, ORDER_LOCAL, probe_random(probe), probe);
	if (idle ? chain_warm(&chased.chain, wish.size_bytes, probe) :
		   chain_lap(&chased.chain, probe))
		return 0;
	buffer_close(&chased.buffer);
	return probe_invalid(probe,
		"the chain of %" PRIu64 " nodes is not one cycle",
		chased.chain.nodes);
}

/* The pilot tries all kernels, and every launch measures its choice. */
static void choose(struct probe *probe)
{
	const struct args *args = probe->args;

	if (probe->found) {
		kernel = kernel_at(probe->found - 1u);
		return;
	}
	if (!chosen[args->op])
		chosen[args->op] = loaders_choose(&loaders);
	kernel = chosen[args->op];
	probe->found = (uint16_t)(kernel_number(kernel) + 1);
}

static void note(struct probe *probe)
{
	struct text pages = { 0 };

	buffer_describe(&chased.buffer, &pages);
	caches_note_serving(probe, chased.chain.nodes, LINE_BYTES);
	probe_note(probe, "pages", "%s", text_chars(&pages));
	probe_note(probe, "size", "%" PRIu64 " MiB",
		(uint64_t)chased.buffer.size_bytes >> 20);
	text_free(&pages);
}

static void note_load(struct probe *probe)
{
	probe_note(probe, "kernel", "%s", kernel->name);
	probe_note(probe, "load threads", "%u", loaders.threads - 1);
	if (kernel_ownership(kernel->op, kernel->store) == 0)
		probe_note(probe, "traffic",
			"not estimated: whether %s reads a line before it "
			"overwrites it is unknown",
			kernel->name);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	unsigned threads = place_threads(probe);
	struct error error;

	if (!threads || build_chain(probe))
		return -1;
	note(probe);
	loaders = (struct loaders){
		.op = (enum kernel_op)args->op,
		.pages = (enum pages)args->pages,
		.threads = threads,
		.cpus = cpus,
		.size_bytes = size_of(args),
	};
	if (is_idle(args))
		return 0;
	if (loaders_start(&loaders, probe, &error))
		return probe_unavailable(probe, "%s", error.message);
	choose(probe);
	loaders_prove(&loaders, kernel);
	note_load(probe);
	return 0;
}

static void chase(void *context)
{
	uint64_t ops = *(uint64_t *)context, rest = ops % 100;

	if (rest)
		chain_walk(&chased.chain, UNROLL_1, rest);
	chain_walk(&chased.chain, UNROLL_100, ops / 100);
}

/* Bytes by construction: each load of the chain fetches a line. */
static void put_traffic(struct probe *probe, uint64_t ops, uint64_t end,
	bool idle)
{
	double took_s = (double)(end - probe->start) / probe->tick_hz;
	double chain_per_s = (double)(ops * LINE_BYTES) / took_s;
	double ownership =
		idle ? 1 : kernel_ownership(kernel->op, kernel->store);

	/* Also without a block, which is an interruption: values have the flags
	 * of their trials if every trial has one. */
	probe_value(probe, BANDWIDTH, loaders.per_s);
	if (ownership > 0)
		probe_value(probe, TRAFFIC,
			loaders.per_s * ownership + chain_per_s);
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	bool idle = is_idle(args), interrupted;
	uint64_t end;

	if (idle) {
		probe_start(probe);
		chase(&ops);
		end = probe_end(probe);
		interrupted = probe_preempted(probe);
	} else {
		end = loaders_run(&loaders, kernel,
			(double)args->pause_ns, chase, &ops, &interrupted);
	}
	probe_stop_judged(probe, LOAD, ops, end, interrupted);
	put_traffic(probe, ops, end, idle);
	if (!idle)
		loaders_check(&loaders);
}

static void cleanup(struct probe *probe)
{
	(void)probe;
	loaders_stop(&loaders);
}

/* ---- findings --------------------------------------------------------- */

static bool is_alike(const struct args *a, const struct args *b)
{
	return a->op == b->op && a->pages == b->pages &&
		a->threads == b->threads && a->size_bytes == b->size_bytes;
}

static bool take_point(const struct results *results, const struct point *point,
	struct loaded_point *found)
{
	const struct args *args = point->args;
	struct digest load, bandwidth;

	if (point->state != POINT_OK ||
		!digest_of(results, point, LOAD, &load) ||
		!load.summary.trials)
		return false;
	*found = (struct loaded_point){
		.point = point,
		.idle = is_idle(args),
		.pause_ns = (double)args->pause_ns,
		.load = load.summary,
	};
	if (found->idle)
		return true;
	if (!digest_of(results, point, BANDWIDTH, &bandwidth) ||
		!bandwidth.summary.trials)
		return false;
	found->bandwidth = bandwidth.summary;
	return true;
}

static void find_curve(const struct results *results, const struct args *like,
	struct findings *findings)
{
	struct loaded_point *curve =
		xcalloc(results->point_count, sizeof *curve);
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++)
		if (is_alike(results->points[i].args, like) &&
			take_point(results, &results->points[i],
				&curve[count]))
			count++;
	loaded_tell(results, curve, count, kernel_ops[like->op], findings);
	free(curve);
}

/* True if no earlier point has the same curve. */
static bool is_new(const struct results *results, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (is_alike(results->points[j].args, results->points[i].args))
			return false;
	return true;
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		if (is_new(results, i))
			find_curve(results, results->points[i].args, findings);
}

/* ---- prediction ------------------------------------------------------- */

/* As mem.latency predicts order local, if memory was not measured. The
 * automatic size is chosen to exceed the caches. */
static struct cache_load expected_idle(const struct facts *facts,
	const struct args *args, const struct results **measured)
{
	double bytes = args->size_bytes == PARAM_AUTO ?
		INFINITY :
		(double)args->size_bytes;
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	struct cache_load load = cache_sizes_load(facts, &sizes, bytes);
	*measured = load.level == CACHE_SIZES ? memory_load(facts, &load.ns) :
						NULL;
	if (!*measured)
		load.ns.high += facts_cycles_ns(facts,
			CHAIN_LOCAL_WALK_CYCLES);
	return load;
}

/* A queue with random arrivals, as in Jain, "The Art of Computer Systems
 * Performance Analysis", 1991, chapter 31: the wait grows with u / (1 - u). It
 * is limited, because threads wait for their own requests. */
static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	enum { BLOCK_BYTES = 4096 };
	const struct args *args = context;
	const struct results *measured;
	struct cache_load load = expected_idle(facts, args, &measured);
	struct range rate = { 6e9, 20e9 };
	struct basis basis = { .facts = facts, .cycles = !measured };
	struct text queue = { 0 };
	double longer = 1;

	basis_take(&basis, QUANTITY_READ_RATE, NULL, &rate);
	if (!is_idle(args)) {
		double block_ns = BLOCK_BYTES / rate.high * 1e9;
		double used = block_ns / (block_ns + (double)args->pause_ns);

		longer = 1 + used / fmax(1 - used, .25);
	}
	prediction->hardware =
		(struct range){ load.ns.low, load.ns.high * longer };
	prediction->software = (struct range){ 0, 0 };
	prediction_sum(prediction);
	if (longer > 1)
		text_add(&queue, "; up to %.2g times that by queueing", longer);
	basis_say(&basis, prediction,
		"a load from %s without traffic %.0f to %.0f ns%s%s%s%s; no "
		"software",
		load.from, load.ns.low, load.ns.high, measured ? " (" : "",
		measured ? measured->experiment : "",
		measured ? ", this session)" : "", text_chars(&queue));
	text_free(&queue);
}

const struct experiment probe_mem_loaded = {
	.name = "mem.loaded",
	.title = "Loaded latency",
	.question =
		"How long does a load take while other threads use memory?",
	.method =
		"One thread follows a chain in local order, as in mem.latency, "
		"so that its loads do not overlap. At the same time the load "
		"threads, each on a core of its own, read, write or copy their "
		"own memory with the fastest kernel. They pause after each 4 "
		"KiB; with pause=0 they do not. With pause=idle no load thread "
		"runs, and the chain is new, on new pages, as in mem.latency: "
		"the caches hold what load threads touched before. Bandwidth "
		"is counted by construction: the blocks that each thread "
		"completed during the trial, divided by the time to the end of "
		"the last one and its pause. Sums, or words read back, verify "
		"the data. A trial is excluded if the kernel interrupted any "
		"thread. The chain's own traffic, a line per load, is only in "
		"the estimated traffic. The knee is the point farthest below "
		"the straight line from idle to the highest bandwidth. Plots "
		"have the bandwidth on the horizontal axis. Intel MLC switches "
		"the prefetchers off and also loads SMT siblings, so its "
		"latencies are higher.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	HEADINGS({ "ratio", "times idle" }),
	.plan = { .budget_ns = 15000000000, .trials_least = TRIALS_LEAST },
	.plan_for = plan_for,
	.traits = TRAIT_THREADS,
	.sensitive_to = SENSITIVE_MEMORY,
	.check = check,
	.footprint = footprint,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
