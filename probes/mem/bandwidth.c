/* How fast do bytes move? */
#include <math.h>

#include "available.h"
#include "cache_sizes.h"
#include "digest.h"
#include "facts.h"
#include "highlight.h"
#include "memory_level.h"
#include "probe.h"
#include "results.h"
#include "traffic.h"
#include "traffic_expect.h"

struct args {
	int op, kernel, pages;
	int64_t threads, size_bytes;
};

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "performed on every byte",
		.preset = "read,write,copy",
		CHOICE_FIELD(struct args, op),
		.choices = kernel_ops },
	{ .name = "kernel",
		.label = "kernel",
		.help = "instructions used; best tries all that this processor "
			"supports and reports the fastest",
		.preset = "best",
		CHOICE_FIELD(struct args, kernel),
		.choices = kernel_names },
	{ .name = "threads",
		.label = "threads",
		.help = "number of threads, pinned, first one per core; auto: "
			"all processors",
		.preset = "1",
		WHOLE_FIELD(struct args, threads),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 1024,
		.automatic = true },
	{ .name = "size",
		.label = "size",
		.help = "bytes accessed by all threads together; auto: four "
			"times all last-level caches, at most a quarter of the "
			"available memory",
		.preset = "auto",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 0x1p40,
		.automatic = true },
	{ .name = "pages",
		.label = "pages",
		.help = "requested page size; the actual size is recorded",
		.preset = "4K",
		CHOICE_FIELD(struct args, pages),
		.choices = pages_choices },
	{ .name = NULL },
};

enum { LINE_BYTES = 64 };

enum { BANDWIDTH, LINE, TRAFFIC };

/* A copy moves each byte twice: one read and one write. */
static double bytes_per_line(const struct args *args)
{
	return args->op == KERNEL_COPY ? 2 * LINE_BYTES : LINE_BYTES;
}

static bool bytes_per_time(const void *context, double *weight)
{
	weight[LINE] = 1 / bytes_per_line(context);
	return true;
}

static const struct metric metrics[] = {
	{ .name = "bandwidth",
		.label = "bytes the program moves",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_DERIVED,
		.derive = bytes_per_time,
		.rate = true },
	{ .name = "line", .label = "time per line of 64 B", .unit = UNIT_NS },
	{ .name = "traffic",
		.label = "estimate with reads for ownership",
		.unit = UNIT_BYTES_PER_S,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

/* Minimum per trial, by repeating a cached size: the common start takes a tenth
 * of a microsecond, which must not count. */
enum { PASSED_BYTES = 2 << 20 };

/* Minimum per visit: ten milliseconds, while making the buffers takes two
 * seconds. */
enum { TRIALS_LEAST = 20 };

static struct traffic traffic;
static const struct kernel *kernel;
static uint64_t repeats;
static double ownership; /* of the traffic, for this kernel */

/* ---- size ------------------------------------------------------------- */

/* Called in the lab before it forks, so that an automatic size is the same in
 * all workers. */
static int check(const void *args, struct error *error)
{
	(void)args;
	(void)error;
	(void)memory_quarter();
	return 0;
}

/* ---- one visit -------------------------------------------------------- */

static int refuse_kernel(struct probe *probe, const struct args *args)
{
	const char *name = kernel_names[args->kernel];
	const struct kernel *named =
		kernel_find((enum kernel_op)args->op, name);

	if (args->kernel == KERNEL_BEST)
		return 0;
	if (!named)
		return probe_unavailable(probe, "kernel=%s cannot %s", name,
			kernel_ops[args->op]);
	if (!kernel_runs(named))
		return probe_unavailable(probe,
			"not supported by this processor or its kernel: %s",
			named->needs);
	kernel = named;
	return 0;
}

/* The pilot tries all kernels, and every launch measures its choice. Trying
 * them in each launch would take most of its time. */
static const struct kernel *choose(struct probe *probe)
{
	const struct kernel *best =
		probe->found ? kernel_at(probe->found - 1u) : NULL;

	if (!best || best->op != traffic.op || !kernel_runs(best))
		best = traffic_choose(&traffic);
	probe->found = (uint16_t)(kernel_number(best) + 1);
	return best;
}

static int64_t footprint(const void *args)
{
	return ((const struct args *)args)->size_bytes;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	unsigned threads = team_size(args->threads, probe);
	uint64_t began_ns = tick_raw_ns();
	struct error error;

	if (!threads || refuse_kernel(probe, args))
		return -1;
	traffic = (struct traffic){
		.op = (enum kernel_op)args->op,
		.pages = (enum pages)args->pages,
		.threads = threads,
		.size_bytes = args->size_bytes == PARAM_AUTO ?
			traffic_auto_bytes(probe, (enum kernel_op)args->op) :
			(uint64_t)args->size_bytes,
	};
	if (traffic_open(&traffic, probe, &error))
		return probe_unavailable(probe, "%s", error.message);
	repeats = PASSED_BYTES / traffic.chunk_bytes;
	repeats += !repeats;
	uint64_t opened_ns = tick_raw_ns();
	if (args->kernel == KERNEL_BEST)
		kernel = choose(probe);
	uint64_t chosen_ns = tick_raw_ns();
	traffic_note(&traffic, kernel);
	ownership = traffic_ownership(&traffic, kernel);
	traffic_prove(&traffic, kernel);
	/* Launches do not spend the time of the choice. */
	double took_ns = (double)(tick_raw_ns() - began_ns);
	probe->share = took_ns / (took_ns - (double)(chosen_ns - opened_ns));
	if (!probe->outcome)
		return 0;
	/* The engine does not clean up after a failed setup(). */
	traffic_close(&traffic);
	return -1;
}

static void cleanup(struct probe *probe)
{
	(void)probe;
	traffic_close(&traffic);
}

static void trial(struct probe *probe, uint64_t ops)
{
	uint64_t lines = traffic_lines(&traffic, ops * repeats);
	bool interrupted;
	uint64_t end =
		traffic_run(&traffic, kernel, ops * repeats, &interrupted);
	double per_s = (double)lines * bytes_per_line(probe->args) *
		probe->tick_hz / (double)(end - probe->start);

	probe_stop_judged(probe, LINE, lines, end, interrupted);
	if (ownership > 0)
		probe_value(probe, TRAFFIC, per_s * ownership);
	traffic_check(&traffic);
}

/* ---- findings --------------------------------------------------------- */

/* The kernel measured at a point: the chosen one for "best". */
static const struct kernel *kernel_of(const struct point *point)
{
	const struct args *args = point->args;
	const char *winner = point_note(point, "kernel");

	if (args->kernel != KERNEL_BEST)
		return kernel_find((enum kernel_op)args->op,
			kernel_names[args->kernel]);
	return winner ? kernel_find((enum kernel_op)args->op, winner) : NULL;
}

/* The value of "auto" is in the notes of a measured point. */
static const char *threads_of(const struct results *results,
	const struct point *point)
{
	const char *noted = point_note(point, "threads");

	return noted ? noted : point_value(results, point, "threads");
}

static bool is_any(const struct point *point, const void *context)
{
	(void)point;
	(void)context;
	return true;
}

static bool is_of_memory(const struct point *point, const void *context)
{
	(void)context;
	return point_served_by(point, LEVEL_MEMORY);
}

/* The fastest point of an operation that `wanted` accepts, or NULL. */
static const struct point *best_of(const struct results *results, int op,
	bool (*wanted)(const struct point *, const void *), const void *context,
	double *most)
{
	const struct point *best = NULL;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;
		double median;

		if (!args || args->op != op || !wanted(point, context) ||
			!results_median(results, point, BANDWIDTH, &median) ||
			(best && median <= *most))
			continue;
		best = point;
		*most = median;
	}
	return best;
}

static void find_best(const struct results *results, int op,
	struct findings *findings)
{
	double most = 0, moved = 0;
	const struct point *best = best_of(results, op, is_any, NULL, &most);
	struct text rate = { 0 }, name = { 0 }, traffic_of = { 0 };

	if (!best)
		return;
	if (results_median(results, best, TRAFFIC, &moved))
		unit_show(&traffic_of, UNIT_BYTES_PER_S, moved);
	const char *level = point_note(best, "level");
	const struct kernel *by = kernel_of(best);
	unit_show(&rate, UNIT_BYTES_PER_S, most);
	text_add(&name, "best-%s", kernel_ops[op]);
	finding_value(findings, text_chars(&name), most, UNIT_BYTES_PER_S,
		"best %s: %s (%.4g GiB/s) by %s, threads=%s, %s%s%s",
		kernel_ops[op], text_chars(&rate), most / (1 << 30),
		by ? by->name : "?", threads_of(results, best),
		level ? level : "level unknown",
		traffic_of.length ? "; estimated traffic " : "",
		text_chars(&traffic_of));
	text_free(&rate);
	text_free(&name);
	text_free(&traffic_of);
}

/* A point that differs only in the kernel, with stores of the given kind. */
struct alike {
	const struct args *args;
	enum kernel_store store;
};

static bool is_alike(const struct point *point, const void *context)
{
	const struct alike *alike = context;
	const struct args *a = point->args, *b = alike->args;
	const struct kernel *by = kernel_of(point);

	return by && by->store == alike->store &&
		(!b ||
			(a->threads == b->threads &&
				a->size_bytes == b->size_bytes &&
				a->pages == b->pages));
}

static void find_streaming(const struct results *results, int op,
	struct findings *findings)
{
	struct alike wanted = { .store = STORE_STREAMS };
	double streaming = 0, owning = 0;
	const struct point *best =
		best_of(results, op, is_alike, &wanted, &streaming);
	struct text name = { 0 };

	if (!best || op == KERNEL_READ)
		return;
	wanted = (struct alike){ best->args, STORE_OWNS };
	if (!best_of(results, op, is_alike, &wanted, &owning))
		return;
	text_add(&name, "streaming-%s", kernel_ops[op]);
	finding_value(findings, text_chars(&name), streaming / owning,
		UNIT_NONE,
		"%s is %.2f times as fast with non-temporal stores as with "
		"ordinary stores",
		kernel_ops[op], streaming / owning);
	text_free(&name);
}

/* A single thread, served by the same level as the point of several threads. If
 * each thread's share fits a nearer cache than the whole size, the cache would
 * make the difference. */
static bool is_single(const struct point *point, const void *context)
{
	const struct point *team = context;
	const struct args *a = point->args, *b = team->args;
	struct serving one, all;

	return a->threads == 1 && a->kernel == b->kernel &&
		a->size_bytes == b->size_bytes && a->pages == b->pages &&
		point_serving(point, &one) && point_serving(team, &all) &&
		serving_same(&one, &all);
}

/* Several threads, with a single-thread point for comparison. */
static bool is_team(const struct point *point, const void *context)
{
	const struct results *results = context;
	const struct args *args = point->args;
	double one;

	return args->threads != 1 &&
		best_of(results, args->op, is_single, point, &one);
}

static void find_scaling(const struct results *results, int op,
	struct findings *findings)
{
	double many = 0, one = 0;
	const struct point *team =
		best_of(results, op, is_team, results, &many);
	struct text name = { 0 };

	if (!team || !best_of(results, op, is_single, team, &one))
		return;
	const char *level = point_note(team, "level");
	bool cached = !point_served_by(team, LEVEL_MEMORY);
	text_add(&name, "scaling-%s", kernel_ops[op]);
	finding_value(findings, text_chars(&name), many / one, UNIT_NONE,
		"%s threads %s %.2f times as fast as one%s%s%s",
		threads_of(results, team), kernel_ops[op], many / one,
		cached ? " (level: " : "", cached ? level : "",
		cached ? ")" : "");
	text_free(&name);
}

/* The peak of the memory modules is for all processors together. */
static void find_share(const struct results *results, int op, double peak,
	struct findings *findings)
{
	double most = 0;
	const struct point *best =
		best_of(results, op, is_of_memory, NULL, &most);
	struct text rate = { 0 }, name = { 0 };

	if (!best || peak <= 0)
		return;
	unit_show(&rate, UNIT_BYTES_PER_S, peak);
	text_add(&name, "peak-share-%s", kernel_ops[op]);
	finding_value(findings, text_chars(&name), most / peak, UNIT_NONE,
		"best %s in memory reaches %.0f %% of the modules' peak, %s, "
		"threads=%s",
		kernel_ops[op], 100 * most / peak, text_chars(&rate),
		threads_of(results, best));
	text_free(&rate);
	text_free(&name);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	for (int op = 0; op < KERNEL_OPS; op++) {
		find_best(results, op, findings);
		find_streaming(results, op, findings);
		find_scaling(results, op, findings);
		find_share(results, op, facts->memory_peak, findings);
	}
	cache_sizes_tell(results, facts, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct traffic_wish wish = {
		.op = (enum kernel_op)args->op,
		.kernel = args->kernel,
		.threads = args->threads == PARAM_AUTO ? fmax(facts->cpus, 1) :
							 (double)args->threads,
		.size_bytes = args->size_bytes == PARAM_AUTO ?
			0 :
			(double)args->size_bytes,
	};

	traffic_expect(&wish, facts, prediction);
}

const struct experiment probe_mem_bandwidth = {
	.name = "mem.bandwidth",
	.title = "Memory bandwidth",
	.question = "How fast do bytes move?",
	.method =
		"Each thread passes repeatedly over its own slice, which it "
		"touched first, in chunks of at most 8 MiB. A trial is the "
		"next chunk of every slice, from the common start to the end "
		"of the slowest thread. A fence waits for the last store. "
		"Kernels are written in assembly and access several regions at "
		"once. The figure counts the bytes that the program moves: "
		"read plus written, so a copy counts each byte twice (GB = "
		"10^9). An ordinary store also reads the line first; the "
		"traffic with these reads is a separate estimate, where the "
		"data exceeds the core's own caches. Data is never zero. "
		"Checksums verify the reads, reading back verifies the writes. "
		"The note `level` names the cache that holds the data. With "
		"kernel=best the pilot chooses the kernel.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .budget_ns = 30000000000, .trials_least = TRIALS_LEAST },
	.traits = TRAIT_THREADS,
	.sensitive_to = SENSITIVE_MEMORY,
	PROVIDES({ QUANTITY_READ_RATE, "bandwidth", "op=read threads=1" },
		{ QUANTITY_WRITE_RATE, "bandwidth", "op=write threads=1" },
		{ QUANTITY_COPY_RATE, "bandwidth", "op=copy threads=1" }),
	.check = check,
	.footprint = footprint,
	.setup = setup,
	HIGHLIGHTS({ "read of memory", "bandwidth", "op=read" }),
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
