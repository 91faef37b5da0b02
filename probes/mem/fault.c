/* What does a page fault cost? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "digest.h"
#include "faulting.h"
#include "faulting_expect.h"
#include "faulting_tell.h"
#include "heading.h"
#include "highlight.h"
#include "memory.h"
#include "probe.h"
#include "results.h"
#include "touches.h"

enum order { FIXED, RANDOM };
enum touch { WRITE, READ };
enum pages { PAGES_4K, PAGES_THP };

/* In the order of enum faulting_kind. */
static const char *const kinds[] = { "minor-anon", "minor-zero", "cow",
	"minor-file", "major-file", NULL };
static const char *const orders[] = { "fixed", "random", NULL };
static const char *const advices[] = { "normal", "random", "sequential", NULL };
static const char *const touches[] = { "write", "read", NULL };
static const char *const page_sizes[] = { "4K", "thp", NULL };
static const int advice_flags[] = { MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL };

struct args {
	int64_t size_bytes, stride_bytes;
	int kind, order, advice, touch, pages;
};

static const struct param params[] = {
	{ .name = "kind",
		.label = "kind",
		.help = "minor-anon: new page; minor-zero: zero page; cow: "
			"page shared by fork; minor-file: cached file page; "
			"major-file: uncached file page",
		.preset = "minor-anon",
		CHOICE_FIELD(struct args, kind),
		.choices = kinds },
	{ .name = "size",
		.label = "size",
		.help = "touched memory or file",
		.preset = "64M",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = (double)((int64_t)1 << 40) },
	{ .name = "stride",
		.label = "stride",
		.help = "distance between touches",
		.preset = "4K",
		WHOLE_FIELD(struct args, stride_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 64 << 20 },
	{ .name = "order",
		.label = "order",
		.help = "order of touches: fixed is ascending, random is drawn "
			"for each launch",
		.preset = "fixed",
		CHOICE_FIELD(struct args, order),
		.choices = orders },
	{ .name = "advice",
		.label = "advice",
		.help = "madvise advice for the mapping; controls file "
			"read-ahead",
		.preset = "normal",
		CHOICE_FIELD(struct args, advice),
		.choices = advices },
	{ .name = "touch",
		.label = "touch",
		.help = "access to one byte per page; minor-zero always reads",
		.preset = "write",
		CHOICE_FIELD(struct args, touch),
		.choices = touches },
	{ .name = "pages",
		.label = "pages",
		.help = "page size of anonymous memory; the fault count "
			"verifies huge pages",
		.preset = "4K",
		CHOICE_FIELD(struct args, pages),
		.choices = page_sizes },
	{ .name = NULL },
};

enum { FAULT, TOUCH, PER_FAULT, EACH };
static const struct metric metrics[] = {
	{ .name = "fault",
		.label = "time per fault",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	{ .name = "touch", .label = "time per touch", .unit = UNIT_NS },
	{ .name = "pages-per-fault",
		.label = "pages touched per fault",
		.unit = UNIT_NONE,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "each",
		.label = "each touch in order, with clock overhead",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "touch",
		.across_unit = UNIT_COUNT },
	{ .name = NULL },
};

enum {
	TRACE_MOST = 1 << 14, /* touches */
	/* A disk may take 10 ms for one touch. */
	CHUNK_MINOR = 1 << 16,
	CHUNK_MAJOR = 256,
	/* Short enough to fit between two timer interrupts of the kernel. */
	WINDOW = 128,
	OTHERS_MOST = 16, /* one fault in 16 may be of another page */
};

static struct state {
	struct faulting faulting;
	struct touches touches;
	size_t window;     /* touches of a trial */
	size_t at;         /* where the next window begins */
	size_t chunk;      /* touches between two calls of probe_alive() */
	uint64_t expected; /* minor faults of a trial; 0: at most one per
			    * touch */
} state;

/* ---- the kernel's counts ---------------------------------------------- */

/* One fault may map many pages of a file; all other kinds are counted one by
 * one. */
static void verify(struct probe *probe, struct faults faults)
{
	bool major = state.faulting.kind == FAULTING_EVICTED;
	uint64_t count = faulting_count(state.faulting.kind, faults);
	uint64_t most = state.expected ? state.expected : state.window;
	uint64_t least = state.expected ? state.expected : 1;

	/* A disk may take seconds, in which the worker's own pages fault too,
	 * as the kernel balances NUMA nodes. */
	if (major)
		most += most / OTHERS_MOST;
	if (count >= least && count <= most && major == (faults.major > 0))
		return;
	probe_invalid(probe,
		"the kernel counted %" PRIu64 " minor and %" PRIu64 " major "
		"faults for %zu touches, expected %" PRIu64 " to %" PRIu64 " "
		"%s",
		faults.minor, faults.major, state.window, least, most,
		major ? "of both, at least one major fault" :
			"minor and no major faults");
}

/* ---- a pass ----------------------------------------------------------- */

/* After a fork the worker's own pages are shared too. Writes to those that the
 * pass will write, so that only the touches fault. */
static void settle(struct probe *probe)
{
	volatile char below[2 * 4096];

	for (size_t i = 0; i < sizeof below; i += 64)
		below[i] = 1;
	probe_alive(probe);
	probe_start(probe);
}

static int prepare(struct probe *probe)
{
	struct error error;

	return faulting_prepare(&state.faulting, &error) ?
		probe_unavailable(probe, "%s", error.message) :
		0;
}

/* For passes of seconds: sums the ticks of the pieces. */
static uint64_t touch_long(struct probe *probe)
{
	uint64_t ticks = 0;

	for (size_t at = 0; at < state.window; at += state.chunk) {
		uint64_t begin = probe_now(probe);

		touches_make(&state.touches, state.faulting.memory.start, at,
			at + state.chunk);
		ticks += probe_now(probe) - begin;
		probe_alive(probe);
	}
	return ticks;
}

static uint64_t touch_window(struct probe *probe)
{
	if (state.window > state.chunk)
		return touch_long(probe);
	probe_start(probe);
	touches_make(&state.touches, state.faulting.memory.start, state.at,
		state.at + state.window);
	return probe_end(probe) - probe->start;
}

/* The next window of the pass, or of a new pass. Emitting writes to memory,
 * which may fault, so the faults are counted before. */
static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	bool major = args->kind == FAULTING_EVICTED;

	(void)ops;
	if (state.at + state.window > state.touches.count) {
		faulting_dispose(&state.faulting);
		if (prepare(probe))
			return;
		state.at = 0;
	}
	settle(probe);
	struct faults before = faults_now();
	uint64_t ticks = touch_window(probe);
	struct faults faults = faults_since(before);
	bool preempted = !major && probe_preempted(probe);
	state.at += state.window;
	uint64_t count = faulting_count(state.faulting.kind, faults);
	/* Without faults there is no figure, and verify() reports it. */
	double divisor = count ? (double)count : 1;
	probe_value(probe, FAULT,
		(double)ticks * 1e9 / probe->tick_hz / divisor);
	probe_stop_judged(probe, TOUCH, state.window, probe->start + ticks,
		preempted);
	probe_value(probe, PER_FAULT, (double)state.window / divisor);
	verify(probe, faults);
}

/* One pass that times each touch. */
static void trace(struct probe *probe)
{
	size_t all = state.touches.count;
	size_t count = all < TRACE_MOST ? all : TRACE_MOST;
	uint64_t *took = xcalloc(count, sizeof *took);

	/* The array itself must not fault during the pass. */
	memset(took, 1, count * sizeof *took);
	if (!prepare(probe)) {
		settle(probe);
		for (size_t i = 0; i < count; i++) {
			uint64_t begin = probe_now(probe);

			touches_make(&state.touches,
				state.faulting.memory.start, i, i + 1);
			took[i] = probe_now(probe) - begin;
			if (i % CHUNK_MAJOR == 0)
				probe_alive(probe);
		}
		faulting_dispose(&state.faulting);
		for (size_t i = 0; i < count; i++)
			probe_trace(probe, EACH, (double)i,
				(double)took[i] * 1e9 / probe->tick_hz);
	}
	free(took);
	if (count < all)
		probe_note(probe, "trace", "the first %zu of %zu touches",
			count, all);
}

/* ---- set-up ----------------------------------------------------------- */

static int refuse_kind(struct probe *probe)
{
	const struct args *args = probe->args;

	if (args->kind == FAULTING_ANONYMOUS && args->touch == READ)
		return probe_unavailable(probe,
			"reading memory that was never written maps the zero "
			"page: use kind=minor-zero");
	if (args->kind == FAULTING_COPIED && args->touch == READ)
		return probe_unavailable(probe,
			"reading copies no page: kind=cow needs touch=write");
	if (args->pages == PAGES_THP && args->kind > FAULTING_ZERO)
		return probe_unavailable(probe,
			"pages=thp needs kind=minor-anon or minor-zero: "
			"copy-on-write splits huge pages, and the file system "
			"chooses the pages of files");
	if (args->kind == FAULTING_ZERO && args->touch == WRITE)
		probe_note(probe, "touch",
			"read: a write would allocate a page");
	return 0;
}

/* An untimed pass: it obtains memory from the host that the guest never had,
 * fills the kernel's lists of free pages, and shows whether huge pages are
 * available. A major fault has no warm-up. */
static int first_pass(struct probe *probe)
{
	const struct args *args = probe->args;

	if (args->kind == FAULTING_EVICTED || prepare(probe))
		return 0;
	struct faults before = faults_now();
	for (size_t at = 0; at < state.touches.count; at += CHUNK_MINOR) {
		touches_make(&state.touches, state.faulting.memory.start, at,
			at + CHUNK_MINOR);
		probe_alive(probe);
	}
	uint64_t got = faults_since(before).minor;
	faulting_dispose(&state.faulting);
	uint64_t huge = touches_pages(&state.touches, FRESH_ALIGNMENT);
	if (args->pages == PAGES_THP && got != huge)
		return probe_unavailable(probe,
			"no huge pages: %" PRIu64 " faults, expected "
			"%" PRIu64 "; see enabled and use_zero_page in "
			"/sys/kernel/mm/transparent_hugepage",
			got, huge);
	return 0;
}

static void cleanup(struct probe *probe)
{
	(void)probe;
	faulting_close(&state.faulting);
	touches_free(&state.touches);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct error error;
	bool major = args->kind == FAULTING_EVICTED;

	state = (struct state){
		.faulting = {
			.kind = args->kind,
			.size_bytes = (size_t)args->size_bytes,
			.advice = advice_flags[args->advice],
			.huge = args->pages == PAGES_THP,
		},
		.touches.writes =
			args->touch == WRITE && args->kind != FAULTING_ZERO,
		.chunk = major ? CHUNK_MAJOR : CHUNK_MINOR,
	};
	if (refuse_kind(probe))
		return -1;
	/* First, since it refuses sizes whose touches take long to draw. */
	if (faulting_open(&state.faulting, probe, &error))
		return probe_unavailable(probe, "%s", error.message);
	touches_draw(&state.touches, (size_t)args->size_bytes,
		(size_t)args->stride_bytes, args->order == RANDOM, probe);
	state.window = faulting_window(&state.faulting, &state.touches,
		args->order == FIXED, WINDOW, &state.expected);
	/* Makes the first trial begin a pass. */
	state.at = state.touches.count;
	if (!first_pass(probe) && !probe->outcome && probe->launch == 1)
		trace(probe);
	if (!probe->outcome)
		return 0;
	/* The engine does not clean up after a failed setup(). */
	cleanup(probe);
	return -1;
}

/* A major fault waits for the disk. */
static bool waits(const void *context)
{
	const struct args *args = context;

	return args->kind == FAULTING_EVICTED;
}

/* ---- findings --------------------------------------------------------- */

static double page_bytes_of(const struct args *args)
{
	return args->pages == PAGES_THP ? FRESH_ALIGNMENT :
					  (double)sysconf(_SC_PAGESIZE);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;
		struct faulting_costs costs;

		if (!args ||
			!results_median(results, point, FAULT,
				&costs.fault_ns) ||
			!results_median(results, point, TOUCH,
				&costs.touch_ns) ||
			!results_median(results, point, PER_FAULT,
				&costs.per_fault))
			continue;
		costs.kind = (enum faulting_kind)args->kind;
		costs.page_bytes = page_bytes_of(args);
		costs.stride_bytes = (double)args->stride_bytes;
		faulting_tell(&costs, results, point, facts, findings);
	}
}

/* A fault maps at most the pages of one huge page, so on average it waits for
 * no more read-ahead than that. */
static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool ahead = advice_flags[args->advice] != MADV_RANDOM;
	struct faulting_wish wish = {
		.kind = (enum faulting_kind)args->kind,
		.page_bytes = page_bytes_of(args),
		.ahead_bytes = ahead ? FRESH_ALIGNMENT : 0,
	};

	faulting_expect(&wish, facts, prediction);
}

const struct experiment probe_mem_fault = {
	.name = "mem.fault",
	.title = "Page fault",
	.question = "What does a page fault cost?",
	.method =
		"A pass touches one byte in each stride. The loop of touches "
		"is timed: 128 touches at a time where each is a fault, else "
		"all together. Before each pass the memory is mapped again, "
		"shared with a stopped child (cow), or its file is evicted "
		"from the page cache. A major fault is timed only if the file "
		"was written, synced and dropped, and mincore found no page of "
		"it. The denominator is the kernel's count of faults, not the "
		"number of pages: one fault on a file can map many pages. With "
		"major-file, minor faults are counted too: a fault is minor if "
		"read-ahead is already fetching its page. For anonymous memory "
		"the count must equal the pages touched, or the figure is "
		"invalid. A fault includes the exception, finding the mapping, "
		"providing the page (zero, copy or read), and in a guest the "
		"host's share. It excludes mapping and unmapping.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	HEADINGS({ "per-fault", "per fault" },
		{ "pages-per-fault", "pages/fault" },
		{ "per-touch", "per page" },
		{ "per-byte", "per byte" },
		{ "over-load", "loads/fault" }),
	.plan = { .ops = 1, .traces = TRACE_MOST },
	.traits = TRAIT_COLD | TRAIT_FAULTS | TRAIT_BLOCKS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_MEMORY | SENSITIVE_DISK,
	.setup = setup,
	HIGHLIGHTS({ "page fault", "fault", "kind=minor-anon" }),
	.trial = trial,
	.cleanup = cleanup,
	.waits = waits,
	.findings = findings_of,
	.predict = predict,
};
