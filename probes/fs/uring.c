/* What does a request by io_uring cost, and is it cheaper than a call? */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basis.h"
#include "digest.h"
#include "heading.h"
#include "memory.h"
#include "probe.h"
#include "results.h"
#include "uring_load.h"
#include "warm_file.h"

enum op { NOP, READ };
static const char *const ops[] = { "nop", "read", NULL };
enum mode { ENTER, SQPOLL, MODES };
static const char *const modes[] = { "enter", "sqpoll", NULL };

struct args {
	int op, mode, placement;
	int64_t depth, batch, block_bytes, size_bytes;
	const char *where;
};

enum { COMPARED = 512, USUAL_BYTES = 4096, LARGE_BYTES = 1 << 20,
	OPS_LEAST = 1024 };

static const struct param params[] = {
	{ .name = "op",
		.label = "request",
		.help = "nop: a request without work; read: of a random block "
			"from the page cache, beside the same reads by pread",
		.preset = "nop,read",
		CHOICE_FIELD(struct args, op),
		.choices = ops },
	{ .name = "mode",
		.label = "mode",
		.help = "enter: a system call submits; sqpoll: a thread of the "
			"kernel polls for requests",
		.preset = "enter,sqpoll",
		CHOICE_FIELD(struct args, mode),
		.choices = modes },
	{ .name = "depth",
		.label = "depth",
		.help = "most requests that are not answered",
		.preset = "1,8,64",
		WHOLE_FIELD(struct args, depth),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = URING_DEPTH_MOST },
	{ .name = "batch",
		.label = "batch",
		.help = "requests that are submitted together; depth: as many "
			"as that",
		.preset = "depth",
		WHOLE_FIELD(struct args, batch),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = URING_DEPTH_MOST,
		.automatic = true,
		.word = "depth" },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of the polling thread",
		.preset = "other",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices,
		.only = "mode=sqpoll" },
	{ .name = "size",
		.label = "file size",
		.help = "size of the file",
		.preset = "16M",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 512,
		.max = 1 << 30,
		.only = "op=read" },
	FILE_BLOCK_ROW(struct args, block_bytes),
	FILE_FOLDER_ROW(struct args, where, "the file"),
	{ .name = NULL },
};

enum { TIME, CPU, PREAD, PREAD_CPU, CALLS };

static const struct metric metrics[] = {
	[TIME] = { .name = "time",
		.label = "time per request", .unit = UNIT_NS },
	[CPU] = { .name = "cpu",
		.label = "CPU time per request, with the kernel's threads",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[PREAD] = { .name = "pread",
		.label = "time per pread", .unit = UNIT_NS },
	[PREAD_CPU] = { .name = "pread-cpu",
		.label = "CPU time per pread",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[CALLS] = { .name = "calls",
		.label = "calls of io_uring_enter per request",
		.unit = UNIT_NONE,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

struct state {
	const struct args *args;
	struct uring_load load;
	/* A file for each way: a block that the polling thread has read is in
	 * the cache of its core, also for pread. */
	struct warm_file by_ring, by_pread;
	bool turn; /* pread first */
};

_Static_assert(4 * URING_DEPTH_MOST <= OPS_LEAST,
	"twice the operations must take twice as long");

static unsigned batch_of(const struct args *args)
{
	return (unsigned)(args->batch == PARAM_AUTO ? args->depth :
						      args->batch);
}

/* ---- trials ----------------------------------------------------------- */

/* CPU time from the second reading to the third, without that of a reading,
 * which is from the first to the second. */
static double per_request(const int64_t *ns, uint64_t count)
{
	return (double)(ns[2] - 2 * ns[1] + ns[0]) / (double)count;
}

static void failed_request(struct probe *probe, const struct state *s,
	int number)
{
	if (s->load.wrong)
		probe_fail(probe,
			"a request of io_uring failed: expected a kernel and a "
			"file system that can do op=%s",
			ops[s->args->op]);
	else
		probe_fail(probe, "io_uring_enter: %s", strerror(number));
}

/* The first requests are untimed: they wake the polling thread. */
static void by_ring(struct probe *probe, struct state *s, uint64_t count)
{
	struct uring_threads threads, after;
	int failed = uring_load_run(&s->load, s->load.depth);
	uint64_t calls = s->load.ring.calls;
	int64_t ns[3];

	uring_threads_find(&threads);
	ns[0] = uring_threads_ns(&threads);
	ns[1] = uring_threads_ns(&threads);
	probe_start(probe);
	failed = failed ? failed : uring_load_run(&s->load, count);
	probe_stop(probe, TIME, count);
	ns[2] = uring_threads_ns(&threads);
	calls = s->load.ring.calls - calls;
	if (failed) {
		failed_request(probe, s, -failed);
		return;
	}
	uring_threads_find(&after);
	if (ns[0] >= 0 && ns[2] >= 0 && after.count == threads.count)
		probe_value(probe, CPU, per_request(ns, count));
	probe_value(probe, CALLS, (double)calls / (double)count);
}

/* A program without a ring has no polling thread, which may share the core.
 * Polls, because a core that has slept is slower for a moment. */
static void let_poller_sleep(struct probe *probe, const struct uring *ring)
{
	uint64_t limit = probe_now(probe) + (uint64_t)probe->tick_hz;

	while (ring->polled && !uring_sleeps(ring))
		if (probe_now(probe) > limit) {
			probe_invalid(probe, "the polling thread is awake");
			return;
		}
}

static void by_pread(struct probe *probe, struct state *s, uint64_t count)
{
	int64_t ns[3];

	let_poller_sleep(probe, &s->load.ring);
	if (!warm_file_read(&s->by_pread, probe, s->load.depth))
		return;
	ns[0] = (int64_t)tick_used_ns();
	ns[1] = (int64_t)tick_used_ns();
	probe_start(probe);
	bool read = warm_file_read(&s->by_pread, probe, count);
	probe_stop(probe, PREAD, count);
	ns[2] = (int64_t)tick_used_ns();
	if (read)
		probe_value(probe, PREAD_CPU, per_request(ns, count));
}

/* Fewer reads of large blocks, so that a trial is short; but the depth, which
 * falls to 0 at the end of a trial, must fall for a quarter of it at most. If
 * that took seconds, each buffer is used once. */
static uint64_t requests_of(const struct state *s, uint64_t ops_wanted)
{
	uint64_t times = s->load.block_bytes > LARGE_BYTES ? 1 : 4;
	uint64_t least = times * s->load.depth, count = ops_wanted;

	if (s->load.block_bytes > USUAL_BYTES)
		count = count * USUAL_BYTES / s->load.block_bytes;
	return count < least ? least : count;
}

static void trial(struct probe *probe, uint64_t ops_wanted)
{
	struct state *s = probe->state;
	uint64_t count = requests_of(s, ops_wanted);

	s->turn = !s->turn;
	if (s->args->op == READ && s->turn)
		by_pread(probe, s, count);
	by_ring(probe, s, count);
	if (s->args->op == NOP || probe->outcome)
		return;
	if (!uring_load_same(&s->load, s->by_ring.source->made.seed, COMPARED))
		probe_invalid(probe,
			"a request read other data than was written");
	if (!s->turn)
		by_pread(probe, s, count);
}

/* ---- set-up ----------------------------------------------------------- */

static void close_all(struct state *s)
{
	uring_close(&s->load.ring);
	warm_file_close(&s->by_ring);
	warm_file_close(&s->by_pread);
	free(s->load.buffers);
	free(s);
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;
	uint32_t lost = uring_lost(&s->load.ring);

	if (lost || s->load.waiting)
		probe_invalid(probe,
			"the ring lost requests: %" PRIu32 " were refused or "
			"had no room, %" PRIu32 " have no answer",
			lost, s->load.waiting);
	close_all(s);
}

static int open_files(struct probe *probe, struct state *s)
{
	const struct args *args = s->args;
	struct uring_load *load = &s->load;

	if (warm_file_open(&s->by_ring, probe, args->where, args->size_bytes,
		    args->block_bytes, 0) ||
		warm_file_open(&s->by_pread, probe, args->where,
			args->size_bytes, args->block_bytes, 1))
		return -1;
	load->fd = s->by_ring.reader.fd;
	load->order = s->by_ring.order;
	load->block_bytes = (size_t)args->block_bytes;
	load->buffers = xpages(load->depth * load->block_bytes);
	memset(load->buffers, 1, load->depth * load->block_bytes);
	if (probe->launch == 1)
		file_source_note(s->by_ring.source, probe);
	return 0;
}

static int open_ring(struct probe *probe, struct state *s)
{
	const struct args *args = s->args;
	int poller = URING_NO_POLLER;
	struct error error;

	if (args->mode == SQPOLL) {
		poller = probe_placed(probe, args->placement);
		if (poller < 0)
			return -1;
		if (poller == probe->cpu)
			return probe_unavailable(probe,
				"the polling thread needs a processor of its "
				"own: expected another placement");
	}
	if (uring_open(&s->load.ring, s->load.depth, poller, &error))
		return probe_unavailable(probe, "%s", error.message);
	return 0;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	if (batch_of(args) > args->depth)
		return probe_unavailable(probe,
			"batch=%u exceeds depth=%" PRId64, batch_of(args),
			args->depth);
	struct state *s = xcalloc(1, sizeof *s);
	s->args = args;
	s->load.depth = (unsigned)args->depth;
	s->load.batch = batch_of(args);
	s->load.fd = -1;
	s->load.ring.fd = -1;
	uring_load_begin(&s->load);
	probe->state = s;
	if (!open_ring(probe, s) && (args->op == NOP || !open_files(probe, s)))
		return 0;
	close_all(s);
	return -1;
}

/* ---- findings --------------------------------------------------------- */

/* The point whose pread a point is compared with: the same without a polling
 * thread, if it was measured. With one, pread is slower: threads that share a
 * table of files count the users of each file. */
static const struct point *without_poller(const struct results *results,
	const struct point *point)
{
	const struct args *of = point->args;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;

		if (args && args->op == READ && args->mode == ENTER &&
			args->depth == of->depth && args->batch == of->batch &&
			args->block_bytes == of->block_bytes &&
			args->size_bytes == of->size_bytes &&
			!strcmp(args->where, of->where))
			return &results->points[i];
	}
	return point;
}

/* Compares requests with pread: the ratio of their times, or NaN. */
static double find_ratios(const struct results *results,
	const struct point *point, double *cpu_ratio, struct findings *findings)
{
	const struct args *args = point->args;
	double time, cpu, by_pread_ns, pread_cpu;

	if (args->op != READ)
		return NAN;
	const struct point *other = without_poller(results, point);
	if (!results_median(results, point, TIME, &time) ||
		!results_median(results, point, CPU, &cpu) ||
		!results_median(results, other, PREAD, &by_pread_ns) ||
		!results_median(results, other, PREAD_CPU, &pread_cpu))
		return NAN;
	*cpu_ratio = cpu / pread_cpu;
	finding_cell(findings, results, point, "time-ratio", time / by_pread_ns,
		UNIT_NONE);
	finding_cell(findings, results, point, "cpu-ratio", *cpu_ratio,
		UNIT_NONE);
	return time / by_pread_ns;
}

/* The ratios of all points of a mode, and the fastest reads. */
static void find_best(const struct results *results, enum mode mode,
	struct findings *findings)
{
	const struct args *best = NULL;
	double least = INFINITY, best_cpu = NAN, cpu_ratio = NAN;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;

		if (!args || args->mode != (int)mode)
			continue;
		double ratio = find_ratios(results, &results->points[i],
			&cpu_ratio, findings);
		if (ratio < least) {
			least = ratio;
			best = args;
			best_cpu = cpu_ratio;
		}
	}
	if (best)
		finding_value(findings, modes[mode], least, UNIT_NONE,
			"a read with mode=%s takes at best %.3g times as long "
			"as pread, with %.3g times its CPU time (depth=%" PRId64
			" batch=%u)",
			modes[mode], least, best_cpu, best->depth,
			batch_of(best));
}

/* From nops in small and in large batches: time = work + call / batch. */
static void find_call(const struct results *results, struct findings *findings)
{
	const struct args *few = NULL, *many = NULL;
	double few_ns = 0, many_ns = 0, time;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;

		if (!args || args->op != NOP || args->mode != ENTER ||
			!results_median(results, point, TIME, &time))
			continue;
		if (!few || batch_of(args) < batch_of(few)) {
			few = args;
			few_ns = time;
		}
		if (!many || batch_of(args) > batch_of(many)) {
			many = args;
			many_ns = time;
		}
	}
	if (!few || batch_of(few) == batch_of(many))
		return;
	double call = (few_ns - many_ns) /
		(1. / batch_of(few) - 1. / batch_of(many));
	finding_value(findings, "call", call, UNIT_NS,
		"a call of io_uring_enter costs %.3g ns, and a request without "
		"work %.3g ns (from batches of %u and %u)",
		call, many_ns - call / batch_of(many), batch_of(few),
		batch_of(many));
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (int mode = 0; mode < MODES; mode++)
		find_best(results, (enum mode)mode, findings);
	find_call(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	bool polled = args->mode == SQPOLL;
	double batch = batch_of(args);
	struct range call = polled ? (struct range){ 60, 2000 } :
				     basis_call_ns(&basis);
	/* The request and its answer cross between two cores. */
	struct range lines = { polled ? 60 / batch : 0, polled ? 200 : 0 };
	struct range work = { 20, 200 }, copy = { 0, 0 }; /* ns a request */

	if (args->op == READ) {
		copy = basis_copy_ns(&basis, (double)args->block_bytes);
		work = (struct range){ 100, 1200 };
	}
	prediction->hardware = (struct range){ .5 * copy.low + lines.low,
		copy.high + lines.high };
	prediction->software = (struct range){ work.low + call.low / batch,
		work.high + 3 * call.high / batch };
	prediction_sum(prediction);
	basis_say(&basis, prediction, "%g to %g ns in the kernel%s; %s",
		work.low, work.high, args->op == READ ? " and a copy" : "",
		polled ? "lines that cross between two cores" :
			 "a system call per batch");
}

const struct experiment probe_fs_uring = {
	.name = "fs.uring",
	.title = "io_uring",
	.question = "What does a request by io_uring cost, and is it cheaper "
		    "than a system call?",
	.method =
		"A batch of requests is put into the ring, then submitted: by "
		"one io_uring_enter, or by publishing it to the kernel's "
		"polling thread, which is pinned to another processor. At most "
		"`depth` requests wait for answers. With mode=enter the call "
		"waits; with mode=sqpoll the measured thread polls. Files and "
		"buffers are not registered; buffers begin at a page. The "
		"blocks are read in random order from the page cache, which "
		"holds the whole file. Such a read never waits: the call that "
		"submits it completes it. Before or after, each trial has as "
		"many reads of a second file by pread, while the polling thread "
		"sleeps. CPU time is that of all threads of the process, also "
		"of the polling thread, by the clock of each thread. Every "
		"request must be answered once and completely, and the last "
		"read of each buffer must equal the data written, or the figure "
		"is invalid. The ratios are to pread beside mode=enter, if it "
		"was measured, since a polling thread makes each pread slower.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops_least = OPS_LEAST },
	.traits = TRAIT_PARTIES,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	HEADINGS({ "time-ratio", "times pread" },
		{ "cpu-ratio", "times its CPU time" }),
	.predict = predict,
};
