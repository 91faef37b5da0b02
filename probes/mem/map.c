/* What does it cost to map, unmap, protect or discard memory? */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "interrupts.h"
#include "probe.h"
#include "results.h"
#include "spinners.h"
#include "team.h"
#include "touches.h"

enum op { MMAP, MUNMAP, MPROTECT, MADVISE, OPS };
enum touched { NONE, ALL };
static const char *const op_names[] = { "mmap", "munmap", "mprotect", "madvise",
	NULL };
static const char *const toucheds[] = { "none", "all", NULL };
enum { SHARERS_MOST = 255 };

struct args {
	int op, touched;
	int64_t pages, sharers;
};

static int64_t sharers_most(void)
{
	return team_most() - 1;
}

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "mprotect: to read-only; madvise: MADV_DONTNEED",
		.preset = "mmap,munmap,mprotect,madvise",
		CHOICE_FIELD(struct args, op),
		.choices = op_names },
	{ .name = "touched",
		.label = "touched",
		.help = "pages that exist when the operation begins; mmap "
			"with all: MAP_POPULATE makes them",
		.preset = "none,all",
		CHOICE_FIELD(struct args, touched),
		.choices = toucheds },
	{ .name = "pages",
		.label = "pages",
		.help = "size of the mapping in pages",
		.preset = "1,16,256",
		WHOLE_FIELD(struct args, pages),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 1 << 14 },
	{ .name = "sharers",
		.label = "sharers",
		.help = "threads of the process that spin on other processors, "
			"whose TLBs must forget changed pages",
		.preset = "0",
		WHOLE_FIELD(struct args, sharers),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = SHARERS_MOST,
		.range_end = sharers_most },
	{ .name = NULL },
};

enum { TIME, PAGE };

static bool per_page(const void *context, double *weight)
{
	const struct args *args = context;

	weight[TIME] = 1 / (double)args->pages;
	return args->touched == ALL;
}

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per operation", .unit = UNIT_NS },
	{ .name = "page",
		.label = "time per page",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = per_page },
	{ .name = NULL },
};

/* ---- set-up ----------------------------------------------------------- */

struct state {
	const struct args *args;
	size_t page_bytes, bytes; /* of a page, of a mapping */
	char *area;               /* of slots; see reserve() */
	size_t slots;
	bool failed; /* a call of the trial */
	uint64_t faults, faults_expected;
	struct spinners sharers;
};

static int start_sharers(struct probe *probe, struct state *s)
{
	size_t count = (size_t)s->args->sharers;

	if (count + 1 > probe->row_count)
		return probe_unavailable(probe,
			"sharers=%zu needs %zu processors: expected at most "
			"sharers=%u",
			count, count + 1, probe->row_count - 1);
	int failed = spinners_start(&s->sharers, probe->row + 1, count);
	return failed ? probe_fail(probe, "cannot start a thread: %s",
				strerror(-failed)) :
			0;
}

/* ---- mappings --------------------------------------------------------- */

/* Each mapping has a slot between two guard pages, so that the kernel neither
 * merges it with another one nor splits it. */
static char *slot(const struct state *s, size_t i)
{
	return s->area + s->page_bytes + i * (s->bytes + s->page_bytes);
}

static int reserve(struct probe *probe, struct state *s, size_t slots)
{
	size_t stride = s->bytes + s->page_bytes;

	if (s->area)
		munmap(s->area, s->slots * stride + s->page_bytes);
	s->area = mmap(NULL, slots * stride + s->page_bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->area == MAP_FAILED)
		return probe_fail(probe, "cannot reserve addresses: %s",
			strerror(errno));
	s->slots = slots;
	for (size_t i = 0; i < slots; i++)
		munmap(slot(s, i), s->bytes);
	return 0;
}

static bool map(const struct state *s, size_t i, int flags)
{
	return mmap(slot(s, i), s->bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE |
			       flags,
		       -1, 0) == slot(s, i);
}

static void touch(const struct state *s, size_t i)
{
	for (size_t at = 0; at < s->bytes; at += s->page_bytes)
		*(volatile char *)(slot(s, i) + at) = 1;
}

/* Before and after a trial all slots are free. */
static void prepare(struct state *s, uint64_t ops)
{
	for (size_t i = 0; i < ops && s->args->op != MMAP; i++) {
		s->failed |= !map(s, i, 0);
		if (s->args->touched == ALL && !s->failed)
			touch(s, i);
	}
}

static void release(struct state *s, uint64_t ops)
{
	for (size_t i = 0; i < ops && s->args->op != MUNMAP; i++)
		munmap(slot(s, i), s->bytes);
}

static bool change(const struct state *s, size_t i)
{
	int populate = s->args->touched == ALL ? MAP_POPULATE : 0;

	switch ((enum op)s->args->op) {
	case MMAP:
		return map(s, i, populate);
	case MUNMAP:
		return !munmap(slot(s, i), s->bytes);
	case MPROTECT:
		return !mprotect(slot(s, i), s->bytes, PROT_READ);
	default:
		return !madvise(slot(s, i), s->bytes, MADV_DONTNEED);
	}
}

static void operate(struct state *s, uint64_t ops)
{
	for (size_t i = 0; i < ops; i++)
		s->failed |= !change(s, i);
}

static int setup(struct probe *probe)
{
	struct state *s = calloc(1, sizeof *s);

	if (!s)
		return probe_fail(probe, "no memory for the state");
	probe->state = s;
	s->args = probe->args;
	s->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	s->bytes = (size_t)s->args->pages * s->page_bytes;
	/* One fault per page. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	/* The stack of a thread that starts later would be in a free slot. */
	if (!start_sharers(probe, s) && !reserve(probe, s, 1))
		return 0;
	spinners_stop(&s->sharers);
	return -1;
}

/* ---- trials ----------------------------------------------------------- */

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;

	if (ops > s->slots && reserve(probe, s, ops))
		return;
	uint64_t begin = faults_now().minor;
	prepare(s, ops);
	spinners_note(&s->sharers);
	uint64_t before = faults_now().minor;
	probe_start(probe);
	operate(s, ops);
	uint64_t end = probe_end(probe);
	bool interrupted = probe_preempted(probe) || !spinners_ran(&s->sharers);
	uint64_t after = faults_now().minor;
	release(s, ops);
	/* Either the preparation makes all pages, or mmap does. */
	s->faults += s->args->op == MMAP ? after - before : before - begin;
	if (s->args->touched == ALL)
		s->faults_expected += ops * (uint64_t)s->args->pages;
	if (s->args->op != MMAP)
		interrupted |= after != before;
	probe_stop_judged(probe, TIME, ops, end, interrupted);
	if (s->failed)
		probe_fail(probe, "%s failed: %s", op_names[s->args->op],
			strerror(errno));
}

/* ---- verification ----------------------------------------------------- */

/* TLB shootdowns that the sharers' processors received; -1: not counted. */
static double shootdowns(const struct probe *probe, const struct state *s)
{
	struct interrupts counts;

	return interrupts_read(&counts, "", probe->row + 1,
		       s->sharers.count) &&
			counts.has_tlb ?
		(double)counts.tlb :
		-1;
}

/* Some processors and hypervisors flush the TLBs of other processors without an
 * interrupt that the kernel counts. Then it counts none at all. */
static void judge_shootdowns(struct probe *probe, double counted,
	double expected)
{
	if (counted <= 0)
		probe_note(probe, "shootdowns",
			"none counted: this machine flushes other TLBs without "
			"interrupts, so the flushes are not verified");
	else
		probe_note(probe, "shootdowns",
			"%.1f per operation and sharer, counted by the kernel",
			counted / expected);
	if (counted > 0 && counted < .5 * expected)
		probe_invalid(probe,
			"the kernel counted %.0f TLB shootdowns, expected "
			"%.0f: the sharers' TLBs were not flushed",
			counted, expected);
}

/* Further operations, which are counted and not timed: reading the counts
 * takes longer than many operations. As in the trials, only those count during
 * which all sharers ran. */
static void verify_shootdowns(struct probe *probe, struct state *s)
{
	enum { NEEDED = 4, WANTED = 16, ATTEMPTS = 400 };
	double expected = 0, counted = 0;

	for (int i = 0; i < ATTEMPTS && expected < WANTED; i++) {
		prepare(s, 1);
		double before = shootdowns(probe, s);
		spinners_note(&s->sharers);
		operate(s, 1);
		if (spinners_ran(&s->sharers)) {
			expected += (double)s->sharers.count;
			counted += shootdowns(probe, s) - before;
		}
		release(s, 1);
		if (before < 0)
			return;
	}
	if (expected < NEEDED)
		probe_invalid(probe,
			"other tasks run on the sharers' processors");
	else
		judge_shootdowns(probe, counted, expected);
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;
	double faults = (double)s->faults;
	double expected = (double)s->faults_expected;

	if (fabs(faults - expected) > .02 * expected + 4)
		probe_invalid(probe,
			"the kernel counted %.0f page faults, expected %.0f",
			faults, expected);
	/* Only changes of pages that exist reach other TLBs. */
	if (s->sharers.count && s->args->op != MMAP && s->args->touched == ALL)
		verify_shootdowns(probe, s);
	spinners_stop(&s->sharers);
	munmap(s->area,
		s->slots * (s->bytes + s->page_bytes) + s->page_bytes);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

/* The points of one operation that are like the first of them. */
static double along(const struct args *args, const struct args *first,
	enum op op, bool by_sharers)
{
	bool alike = by_sharers ? args->pages == first->pages :
				  args->sharers == first->sharers;

	if (args->op != (int)op || args->touched != ALL || !alike)
		return NAN;
	return (double)(by_sharers ? args->sharers : args->pages);
}

#define ALONG(name, op)                                                 \
	static double pages_of_##name(const void *args, const void *first) \
	{                                                               \
		return along(args, first, op, false);                   \
	}                                                               \
	static double sharers_of_##name(const void *args,               \
		const void *first)                                      \
	{                                                               \
		return along(args, first, op, true);                    \
	}
ALONG(mmap, MMAP)
ALONG(munmap, MUNMAP)
ALONG(mprotect, MPROTECT)
ALONG(madvise, MADVISE)

typedef double across(const void *args, const void *first);

static void find_slope(const struct results *results, across *of,
	const char *name, const char *what, const char *op,
	struct findings *findings)
{
	struct slope line;
	char full[40];

	if (!results_slope(results, TIME, of, &line))
		return;
	snprintf(full, sizeof full, "%s-%s", name, op);
	finding_interval(finding_value(findings, full, line.slope, UNIT_NS,
				 "each %s adds %.3g ns to %s; between pairs of "
				 "points %.3g to %.3g ns",
				 what, line.slope, op, line.low, line.high),
		line.low, line.high);
}

static void find_slopes(const struct results *results,
	struct findings *findings)
{
	static across *const by_pages[] = { pages_of_mmap, pages_of_munmap,
		pages_of_mprotect, pages_of_madvise };
	static across *const by_sharers[] = { sharers_of_mmap,
		sharers_of_munmap, sharers_of_mprotect, sharers_of_madvise };

	for (int i = 0; i < OPS; i++) {
		find_slope(results, by_pages[i], "per-page",
			"page that exists", op_names[i], findings);
		find_slope(results, by_sharers[i], "per-sharer", "sharer",
			op_names[i], findings);
	}
}

/* The time with sharers, beside that without. */
static void find_sharers(const struct results *results,
	const struct point *point, struct findings *findings)
{
	const char *op = point_value(results, point, "op");
	const char *touched = point_value(results, point, "touched");
	const char *pages = point_value(results, point, "pages");
	const char *sharers = point_value(results, point, "sharers");
	char alone[96];
	double with, without;

	snprintf(alone, sizeof alone, "op=%s touched=%s pages=%s sharers=0", op,
		touched, pages);
	if (!strcmp(sharers, "0") ||
		!results_comparable(results, point, TIME, &with) ||
		!results_comparable(results, results_where(results, alone),
			TIME, &without))
		return;
	finding_at(finding_value(findings, "by-sharers", with - without,
			   UNIT_NS,
			   "with sharers=%s, %s with touched=%s pages=%s takes "
			   "%.2f times as long as without sharers",
			   sharers, op, touched, pages, with / without),
		results, point);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	find_slopes(results, findings);
	for (size_t i = 0; i < results->point_count; i++)
		find_sharers(results, &results->points[i], findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	/* ns per existing page: to allocate and clear it, to free it, to change
	 * its entry. */
	static const struct range pages_ns[] = {
		[MMAP] = { 100, 1000 },
		[MUNMAP] = { 15, 250 },
		[MPROTECT] = { 1, 60 },
		[MADVISE] = { 15, 250 },
	};
	const struct args *args = context;
	double pages = args->touched == ALL ? (double)args->pages : 0;
	const struct range *page_ns = &pages_ns[args->op];
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);

	prediction->hardware = call;
	/* A shootdown interrupts the sharers and waits for all of them. */
	if (args->sharers && pages > 0 && args->op != MMAP) {
		double most = facts->hypervisor ? 40000 : 4000;

		prediction->hardware.low += 500;
		prediction->hardware.high +=
			most + 500 * (double)args->sharers;
	}
	prediction->software = (struct range){ 50 + pages * page_ns->low,
		3000 + pages * page_ns->high };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"a system call, the mapping 0.1 to 3 us, each existing page "
		"%g to %g ns%s",
		page_ns->low, page_ns->high,
		args->sharers ? ", an interrupt to the sharers" : "");
}

const struct experiment probe_mem_map = {
	.name = "mem.map",
	.title = "Changing mappings",
	.question =
		"What does it cost to map, unmap, protect or discard memory?",
	.method =
		"Each operation is one system call for a whole anonymous "
		"mapping of 4K pages between two guard pages, so that the "
		"kernel neither merges nor splits mappings. Pages are touched "
		"before the time begins, and page faults are not part of it. "
		"The exception is mmap with touched=all, which creates all "
		"pages by MAP_POPULATE. The faults of getrusage(2), which "
		"include such pages, must be one per page, or the figure is "
		"invalid. Sharers are threads "
		"that spin on other processors and make the kernel flush their "
		"TLBs by interrupts. A trial during which a sharer did not run "
		"is excluded. After the trials of a visit, further operations "
		"are counted, not timed: the kernel must count a TLB shootdown "
		"for each. One figure of lmbench's lat_mmap contains mmap, "
		"page faults and munmap.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.traits = TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS | SENSITIVE_MEMORY,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
