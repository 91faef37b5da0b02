/* How many loads does the memory serve at once? */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "arena.h"
#include "basis.h"
#include "buffer.h"
#include "caches.h"
#include "chain.h"
#include "probe.h"
#include "results.h"

enum {
	LOADS_LEAST = 2000, /* of a walk: most trials are not interrupted */
	TRIALS_LEAST = CHAIN_LOCAL_BYTES / 64 / LOADS_LEAST + 1,
	STRIDE_BYTES = 64,
};

static const char *const orders[] = { "local", "random", NULL };
_Static_assert(ORDER_LOCAL == 0 && ORDER_RANDOM == 1, "indices of the choices");

struct args {
	int64_t chains, size_bytes;
	int order, pages;
};

static const struct param params[] = {
	{ .name = "chains",
		.label = "chains",
		.help = "chains of dependent loads that are walked at once",
		.preset = "1,2,4,6,8,10,12",
		WHOLE_FIELD(struct args, chains),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = CHAIN_WALKS_MOST },
	{ .name = "size",
		.label = "array size",
		.help = "one pointer per 64 bytes, of all chains together; "
			"auto: four times the last-level cache, in a guest at "
			"most 256M",
		.preset = "auto",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 0x1p40,
		.automatic = true },
	{ .name = "order",
		.label = "order",
		.help = "order of nodes: local (within groups of 2 MiB, the "
			"load alone), random (page walks included)",
		.preset = "local",
		CHOICE_FIELD(struct args, order),
		.choices = orders },
	PAGES_ROW(struct args, pages),
	{ .name = NULL },
};

enum { PARALLEL, LOAD, SINGLE };
static const struct metric metrics[] = {
	{ .name = "parallel",
		.label = "loads served at once",
		.unit = UNIT_NONE,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "load",
		.label = "time per load, all chains",
		.unit = UNIT_NS },
	{ .name = "single",
		.label = "time per load, one chain",
		.unit = UNIT_NS },
	{ .name = NULL },
};

/* ---- one visit -------------------------------------------------------- */

static struct chain chain;
static char *at[CHAIN_WALKS_MOST];

/* Called in the lab before it forks, so that an automatic size is the same in
 * all workers. */
static int check(const void *args, struct error *error)
{
	(void)args;
	(void)error;
	(void)caches_reach_bytes();
	return 0;
}

static int64_t footprint(const void *args)
{
	return ((const struct args *)args)->size_bytes;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	uint64_t size_bytes = (uint64_t)(args->size_bytes == PARAM_AUTO ?
			caches_reach_bytes() :
			args->size_bytes);
	enum pages pages = (enum pages)args->pages;
	struct text described = { 0 };
	const struct arena *arena;
	char *base;

	if (arena_check(probe, size_bytes, pages))
		return -1;
	arena = arena_take(probe, size_bytes, pages, false, &base);
	if (!arena)
		return -1;
	chain_build(&chain, base, size_bytes, STRIDE_BYTES,
		(enum order)args->order, probe_random(probe), probe);
	if (!chain_warm(&chain, size_bytes, probe))
		return probe_invalid(probe,
			"the chain of %" PRIu64 " nodes is not one cycle",
			chain.nodes);
	chain_divide(&chain, (unsigned)args->chains, at);
	caches_note_serving(probe, chain.nodes, STRIDE_BYTES);
	buffer_describe(&arena->buffer, &described);
	probe_note(probe, "pages", "%s", text_chars(&described));
	text_free(&described);
	return 0;
}

/* One walk and all walks in the same trial: what slows the core slows both. A
 * clock reading is a hundredth of either. Another task may have run since the
 * last trial and evicted the page tables: walks that are not timed bring them
 * back, or the first timed walk alone would pay for it. */
static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t one_turn = unroll_loads[UNROLL_100];
	uint64_t turn = (uint64_t)args->chains * CHAIN_ROUND;
	uint64_t one_turns = (ops + one_turn - 1) / one_turn;
	uint64_t turns = (ops + turn - 1) / turn;

	chain_walk_together(at, (unsigned)args->chains, turns);
	uint64_t begin = probe_now(probe);
	probe_start(probe);
	chain_walk(&chain, UNROLL_100, one_turns);
	uint64_t end = probe_end(probe);
	probe_stop_at(probe, SINGLE, one_turns * one_turn, end);
	double one = (double)(end - begin) / (double)(one_turns * one_turn);

	begin = probe_now(probe);
	probe_start(probe);
	chain_walk_together(at, (unsigned)args->chains, turns);
	end = probe_end(probe);
	probe_stop_at(probe, LOAD, turns * turn, end);
	double all = (double)(end - begin) / (double)(turns * turn);

	probe_value(probe, PARALLEL, one / all);
}

/* ---- findings --------------------------------------------------------- */

/* Of the points that differ only in the number of chains. */
static void find_most(const struct results *results, size_t first,
	struct findings *findings)
{
	const struct args *like = results->points[first].args;
	const struct point *best = NULL;
	double most = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;
		double parallel;

		if (!args || args->size_bytes != like->size_bytes ||
			args->order != like->order ||
			args->pages != like->pages)
			continue;
		if (i < first)
			return;
		if (results_median(results, point, PARALLEL, &parallel) &&
			parallel > most) {
			most = parallel;
			best = point;
		}
	}
	if (!best)
		return;
	const char *chains = point_value(results, best, "chains");
	finding_at(finding_value(findings, "most", most, UNIT_NONE,
			   "%s chains: an array of size %s serves %.1f loads "
			   "in the time of one",
			   chains, point_value(results, best, "size"), most),
		results, best);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		if (results->points[i].args)
			find_most(results, i, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double chains = (double)args->chains;
	struct basis basis = { .facts = facts };

	prediction->hardware =
		(struct range){ fmin(chains, 8) * .6, chains * 1.1 };
	prediction->software = (struct range){ 0, 0 };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"one load per chain; a core has 8 or more misses in flight");
}

const struct experiment probe_mem_parallel = {
	.name = "mem.parallel",
	.title = "Memory parallelism",
	.question = "How many loads does the memory serve at once?",
	.method =
		"The chain of mem.latency is walked from several nodes at "
		"once, as far apart as possible. A load waits for the previous "
		"load of its own walk only, so a core can have one in flight "
		"for each walk. Each trial also makes one walk alone. The time "
		"per load of that walk, divided by the time per load of all "
		"walks, is the number of loads that were served at once. The "
		"lap that warms the caches verifies that the chain is one "
		"cycle through every node. The walks are in registers, at most "
		"12: a core may serve more.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = LOADS_LEAST,
		.budget_ns = 20000000000,
		.trials_least = TRIALS_LEAST,
		.draws_least = 2 },
	.sensitive_to = SENSITIVE_MEMORY,
	.check = check,
	.footprint = footprint,
	.setup = setup,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
