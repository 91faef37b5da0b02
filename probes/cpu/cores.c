/* How long does a line take from core to core? */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "basis.h"
#include "cpu_times.h"
#include "digest.h"
#include "file.h"
#include "memory.h"
#include "pair_groups.h"
#include "probe.h"
#include "processors.h"
#include "results.h"
#include "team.h"

enum op { CAS, STORE };

static const char *const ops_[] = { "cas", "store", NULL };

struct args {
	int op;
	int64_t from, to;
};

/* The highest processor that this process may use, as it was at first. The lab
 * restricts itself during a run. */
static int64_t last_cpu(void)
{
	static int64_t last = -1;
	cpu_set_t allowed;

	if (last < 0 && !sched_getaffinity(0, sizeof allowed, &allowed))
		for (int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (CPU_ISSET((size_t)cpu, &allowed))
				last = cpu;
	return last < 0 ? 0 : last;
}

#define PROCESSOR_ROW(field, text) \
	.label = text, .preset = "0..auto", WHOLE_FIELD(struct args, field), \
	.unit = UNIT_COUNT, .min = 0, .max = CPUS_MAX - 1, \
	.range_end = last_cpu

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "cas: both processors change one line by compare and "
			"exchange; store: each stores to its own line and "
			"loads the other's",
		.preset = "cas",
		CHOICE_FIELD(struct args, op),
		.choices = ops_ },
	{ .name = "from",
		.help = "processor that begins and is timed",
		PROCESSOR_ROW(from, "from") },
	{ .name = "to",
		.help = "processor that answers; equal to from: one thread "
			"performs both parts, so no line is transferred",
		PROCESSOR_ROW(to, "to") },
	{ .name = NULL },
};

enum { TRIP };

static const struct metric metrics[] = {
	{ .name = "trip", .label = "round trip of a line", .unit = UNIT_NS },
	{ .name = NULL },
};

enum {
	PAGE_BYTES = 4096,
	LINE_BYTES = 128, /* processors fetch pairs of lines together */
	OPS_LEAST = 1000,
};

/* One line per party; with CAS both use the first. */
struct slot {
	_Alignas(LINE_BYTES) uint64_t first;
	_Alignas(LINE_BYTES) uint64_t second;
};
enum { SLOTS = PAGE_BYTES / sizeof(struct slot) };

struct state {
	struct team team;
	struct slot *page;
	struct slot *slot; /* of this trial */
	uint64_t trips;
};

/* ---- the exchange ----------------------------------------------------- */

/* Retries at once, like the other programs that measure this: each attempt
 * fetches the line. */
static inline void change(uint64_t *word, uint64_t from)
{
	uint64_t seen;

	do
		seen = from;
	while (!__atomic_compare_exchange_n(word, &seen, from + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

static inline void await(const uint64_t *word, uint64_t value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
		;
}

static void exchange_cas(void *context, unsigned member)
{
	const struct state *s = context;
	uint64_t *word = &s->slot->first, end = 2 * s->trips;

	if (s->team.count == 1) {
		for (uint64_t i = 0; i < end; i++)
			change(word, i);
		return;
	}
	for (uint64_t i = member; i < end; i += 2)
		change(word, i);
	/* The last answer must arrive. */
	if (!member)
		await(word, end);
}

static void exchange_store(void *context, unsigned member)
{
	const struct state *s = context;
	uint64_t *mine = member ? &s->slot->second : &s->slot->first;
	uint64_t *other = member ? &s->slot->first : &s->slot->second;

	for (uint64_t i = 1; i <= s->trips; i++) {
		if (member)
			await(other, i);
		__atomic_store_n(mine, i, __ATOMIC_RELEASE);
		if (s->team.count == 1)
			__atomic_store_n(other, i, __ATOMIC_RELEASE);
		if (!member)
			await(other, i);
	}
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;
	bool interrupted;

	s->slot = &s->page[probe_random_below(probe, SLOTS)];
	s->slot->first = s->slot->second = 0;
	s->trips = ops;
	/* The first thread has awaited the last answer. The clock of the other
	 * processor may differ. */
	team_run(&s->team, args->op == CAS ? exchange_cas : exchange_store, s,
		&interrupted);
	probe_stop_judged(probe, TRIP, ops, s->team.members[0].end,
		interrupted);
	uint64_t expected = args->op == CAS ? 2 * ops : ops;
	if (s->slot->first != expected)
		probe_invalid(probe,
			"the line was changed %llu times, expected %llu",
			(unsigned long long)s->slot->first,
			(unsigned long long)expected);
}

/* ---- one visit -------------------------------------------------------- */

/* True if a list of the kernel, as "0-3,8", contains a processor. */
static bool is_listed(int cpu, const char *list, int other)
{
	char path[128], line[4096];
	struct processors set;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu,
		list);
	if (file_peek(path, line, sizeof line))
		return false;
	processors_read(line, &set);
	return set.has[other];
}

/* The lab finds the SMT sibling of its processor by an experiment, also in a
 * guest whose kernel reports none. */
static bool are_siblings(const struct probe *probe, int cpu, int other)
{
	int sibling = probe->place[PLACEMENT_SMT];

	return sibling >= 0 && ((cpu == probe->cpu && other == sibling) ||
		(cpu == sibling && other == probe->cpu));
}

static const char *relation(const struct probe *probe, int cpu, int other)
{
	static const struct {
		const char *name, *list;
	} relations[] = {
		{ "same cluster, by the kernel", "topology/cluster_cpus_list" },
		{ "same last-level cache, by the kernel",
			"cache/index3/shared_cpu_list" },
		{ "same package, by the kernel", "topology/package_cpus_list" },
	};

	if (cpu == other)
		return "same processor";
	if (is_listed(cpu, "topology/core_cpus_list", other))
		return "same core, by the kernel";
	if (are_siblings(probe, cpu, other))
		return "same core, by an experiment";
	for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
		if (is_listed(cpu, relations[i].list, other))
			return relations[i].name;
	return "different packages, by the kernel";
}

/* Moves this thread, also to show that it may run there. */
static int move_to(struct probe *probe, int64_t cpu)
{
	party_pin((int)cpu);
	if (sched_getcpu() == cpu)
		return 0;
	party_pin(probe->cpu);
	return probe_unavailable(probe,
		"processor %lld is offline or not permitted for this process",
		(long long)cpu);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	int cpus[] = { (int)args->from, (int)args->to };

	if (move_to(probe, args->to) || move_to(probe, args->from))
		return -1;
	struct state *s = aligned_alloc(_Alignof(struct state), sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory");
	/* A fresh page, whose first toucher is a party: where a line is at home
	 * matters. */
	s->page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	int failed = s->page == MAP_FAILED ?
		-ENOMEM :
		team_start(&s->team, cpus, args->from == args->to ? 1 : 2,
			probe);
	if (failed)
		return probe_fail(probe, "cannot start a thread: %s",
			strerror(-failed));
	probe_note(probe, "relation", "%s", relation(probe, cpus[0], cpus[1]));
	probe->state = s;
	return 0;
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	team_stop(&s->team);
	munmap(s->page, PAGE_BYTES);
	free(s);
	party_pin(probe->cpu);
}

/* ---- findings --------------------------------------------------------- */

/* The pairs of an operation. Each pair is listed once, with both directions if
 * both were measured. */
static size_t find_pairs(const struct results *results, int op,
	struct processor_pair *pairs)
{
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *there = &results->points[i], *back;
		const struct args *args = there->args;
		char reverse[80];
		double unused;

		if (args->op != op || args->from == args->to ||
			!results_median(results, there, TRIP, &unused))
			continue;
		snprintf(reverse, sizeof reverse, "op=%s from=%lld to=%lld",
			ops_[op], (long long)args->to, (long long)args->from);
		back = results_where(results, reverse);
		bool both = results_median(results, back, TRIP, &unused);
		if (both && args->from > args->to)
			continue;
		pairs[count++] = (struct processor_pair){
			.from = args->from,
			.to = args->to,
			.there = there,
			.back = both ? back : there,
		};
	}
	return count;
}

static void find_groups(const struct results *results, int op,
	struct findings *findings)
{
	struct processor_pair *pairs =
		xmalloc((results->point_count + 1) * sizeof *pairs);
	size_t count = find_pairs(results, op, pairs);

	pair_groups_tell(results, TRIP, ops_[op], pairs, count, findings);
	free(pairs);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	find_groups(results, CAS, findings);
	find_groups(results, STORE, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts, .cycles = true };
	bool same = args->from == args->to;
	/* A store takes a line away from the other, whose load fetches it
	 * back. */
	int transfers = args->op == CAS ? 2 : 4;
	struct range cycles = { transfers * 30, transfers * 1000 };

	if (same)
		cycles = args->op == CAS ? (struct range){ 8, 80 } :
					   (struct range){ 1, 20 };
	prediction->hardware =
		(struct range){ facts_cycles_ns(facts, cycles.low),
			facts_cycles_ns(facts, cycles.high) };
	prediction->software = (struct range){ 0, facts_cycles_ns(facts, 8) };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		same ? "two operations on a line of the first cache" :
		       "%d transfers of a line: 30 cycles between SMT "
		       "siblings, up to 1000 between packages",
		transfers);
}

const struct experiment probe_cpu_cores = {
	.name = "cpu.cores",
	.title = "Core to core",
	.question = "How long does a cache line take from core to core and "
		    "back?",
	.method =
		"Two pinned threads hand a line to and fro. With cas each "
		"waits until its own compare and exchange succeeds; with store "
		"each stores to its own line and loads the other's. A round "
		"trip is never halved, because the two ways may differ. Each "
		"pair and launch uses a fresh page that the first processor "
		"touches, and each trial one of its lines, chosen at random. "
		"Each launch visits the pairs in random order. The number of "
		"changes of the line is verified. from and to form a matrix; "
		"its diagonal is the time of the operations by one thread. "
		"Pairs whose times are alike are a group. Its figure is the "
		"median of its pairs, with an interval over launches, and its "
		"name the relation that the kernel reports. The SMT sibling of "
		"the measured processor is known from an experiment, also in a "
		"guest. "
		"core-to-core-latency prints half of this time.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = OPS_LEAST },
	.traits = TRAIT_PARTIES,
	.sensitive_to = SENSITIVE_MEMORY,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
