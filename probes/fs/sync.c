/* How long does a durable write take? */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "durable_proof.h"
#include "durable_writer.h"
#include "file_flush.h"
#include "file_made.h"
#include "file_source.h"
#include "file_tree.h"
#include "party.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"

/* In the order of the enums in durable_writer.h. */
static const char *const hows[] = { "fdatasync", "fsync", "o_dsync", "o_sync",
	NULL };
static const char *const patterns[] = { "append", "overwrite", "prealloc",
	"rewrite", NULL };

struct args {
	int how, pattern;
	int64_t size_bytes, threads;
	const char *where;
};

enum { THREADS_MOST = 16, TAIL_SYNCS = 1000 };

static const struct param params[] = {
	{ .name = "how",
		.label = "made durable by",
		.help = "a call after the write, or a flag of the open file",
		.preset = "fdatasync,fsync",
		CHOICE_FIELD(struct args, how),
		.choices = hows },
	{ .name = "pattern",
		.label = "pattern",
		.help = "append: the file grows; overwrite: its blocks stay; "
			"prealloc: writes fill blocks that fallocate reserved; "
			"rewrite: one block again and again",
		.preset = "append,overwrite,prealloc",
		CHOICE_FIELD(struct args, pattern),
		.choices = patterns },
	{ .name = "size",
		.label = "size",
		.help = "bytes of one write",
		.preset = "4K",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 512,
		.max = 1 << 20 },
	{ .name = "threads",
		.label = "threads",
		.help = "threads that write at the same time, each to a file "
			"of its own; the first is measured",
		.preset = "1",
		WHOLE_FIELD(struct args, threads),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = THREADS_MOST },
	FILE_FOLDER_ROW(struct args, where, "the files"),
	{ .name = NULL },
};

enum { TIME, WRITE, SYNC, TAIL, FLUSHES, RATE, DURABLE };

static const struct metric metrics[] = {
	[TIME] = { .name = "time",
		.label = "time of a durable write",
		.unit = UNIT_NS },
	[WRITE] = { .name = "write",
		.label = "time of the write",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[SYNC] = { .name = "sync",
		.label = "time of the sync",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[TAIL] = { .name = "tail",
		.label = "99th percentile of each 1000 syncs",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[FLUSHES] = { .name = "flushes",
		.label = "device cache flushes per durable write",
		.unit = UNIT_NONE,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	[RATE] = { .name = "rate",
		.label = "durable writes of all threads",
		.unit = UNIT_HZ,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	[DURABLE] = { .name = "durable",
		.label = "1: the write was durable, 0: it was not",
		.unit = UNIT_NONE,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

struct writer {
	struct durable_writer file;
	struct party party;
	_Atomic uint64_t writes;
	_Atomic int failed; /* errno */
};

static struct {
	struct writer writers[THREADS_MOST];
	size_t count;
	_Atomic bool over;
	struct file_tree tree; /* contains the files */
	struct file_flush flush;
	enum write_cache cache;
	double syncs_ns[TAIL_SYNCS]; /* since the last percentile */
	size_t sync_count;
} state;

/* ---- one durable write ------------------------------------------------ */

/* The body of the threads that are not measured. */
static void *write_always(void *context)
{
	struct writer *w = context;

	while (!atomic_load(&state.over)) {
		if (durable_prepare(&w->file) || durable_write(&w->file) ||
			durable_sync(&w->file)) {
			atomic_store(&w->failed, errno);
			break;
		}
		atomic_fetch_add(&w->writes, 1);
	}
	return NULL;
}

static uint64_t writes_of_all(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < state.count; i++)
		sum += atomic_load(&state.writers[i].writes);
	return sum;
}

static int failed_write(struct probe *probe, int error)
{
	const struct args *args = probe->args;

	return probe_fail(probe, "cannot write durably in %s: %s",
		file_folder_quoted(args->where).chars, strerror(error));
}

static int check_others(struct probe *probe)
{
	for (size_t i = 1; i < state.count; i++) {
		int failed = atomic_load(&state.writers[i].failed);

		if (failed)
			return failed_write(probe, failed);
	}
	return 0;
}

static void emit_tail(struct probe *probe, double sync_ns)
{
	state.syncs_ns[state.sync_count++] = sync_ns;
	if (state.sync_count < TAIL_SYNCS)
		return;
	values_sort(state.syncs_ns, TAIL_SYNCS);
	probe_value(probe, TAIL,
		quantile_sorted(state.syncs_ns, TAIL_SYNCS, .99));
	state.sync_count = 0;
}

/* No value if it is unknown. */
static void emit_durable(struct probe *probe, int64_t flushes)
{
	switch (state.cache) {
	case WRITE_CACHE_MEMORY:
		probe_value(probe, DURABLE, 0);
		break;
	case WRITE_CACHE_NONE:
		probe_value(probe, DURABLE, 1);
		break;
	case WRITE_CACHE_VOLATILE:
		if (state.count == 1 && flushes >= 0)
			probe_value(probe, DURABLE, flushes > 0);
		break;
	case WRITE_CACHE_UNKNOWN:
		break;
	}
}

static void emit(struct probe *probe, uint64_t middle, uint64_t end,
	int64_t flushes, uint64_t writes)
{
	const struct args *args = probe->args;
	double ns = 1e9 / probe->tick_hz;
	bool apart = durable_syncs(args->how);
	double write_ns = (double)(middle - probe->start) * ns;
	double sync_ns = (double)(end - middle) * ns;

	probe_took(probe, TIME, 1, end - probe->start);
	if (apart) {
		probe_value(probe, WRITE, write_ns);
		probe_value(probe, SYNC, sync_ns);
	}
	emit_tail(probe, apart ? sync_ns : write_ns);
	if (flushes >= 0)
		probe_value(probe, FLUSHES, (double)flushes);
	emit_durable(probe, flushes);
	probe_value(probe, RATE,
		(double)writes * 1e9 / ((double)(end - probe->start) * ns));
}

/* The kernel counts a flush before the call that waits for it returns. */
static void trial(struct probe *probe, uint64_t ops)
{
	struct writer *w = &state.writers[0];

	(void)ops;
	if (durable_prepare(&w->file)) {
		failed_write(probe, errno);
		return;
	}
	int64_t flushes = file_flush_count(&state.flush);
	uint64_t writes = writes_of_all();
	probe_start(probe);
	int failed = durable_write(&w->file);
	uint64_t middle = probe_now(probe);
	failed = failed || durable_sync(&w->file);
	uint64_t end = probe_now(probe);
	if (failed) {
		failed_write(probe, errno);
		return;
	}
	atomic_fetch_add(&w->writes, 1);
	writes = writes_of_all() - writes;
	if (flushes >= 0)
		flushes = file_flush_count(&state.flush) - flushes;
	if (!check_others(probe))
		emit(probe, middle, end, flushes, writes);
	probe_alive(probe);
}

/* ---- set-up ----------------------------------------------------------- */

static int open_writers(struct probe *probe, const char *folder)
{
	const struct args *args = probe->args;
	uint64_t all = (uint64_t)args->threads * DURABLE_FILE_BYTES;
	struct error error;

	if (file_check_space(folder, all, &error) ||
		file_tree_make(&state.tree, folder, &error))
		return file_refuse(probe, &error);
	while (state.count < (size_t)args->threads)
		if (durable_open(&state.writers[state.count++].file, args->how,
			    args->pattern, (size_t)args->size_bytes,
			    state.tree.path, args->where, probe))
			return -1;
	return 0;
}

/* The first write of each thread must succeed before anything is measured. */
static int start_others(struct probe *probe)
{
	for (size_t i = 1; i < state.count; i++) {
		struct writer *w = &state.writers[i];
		int cpu = probe->row[i % probe->row_count];
		int failed = party_start(&w->party, true, cpu, write_always, w);

		if (failed)
			return probe_fail(probe, "cannot start a thread: %s",
				strerror(-failed));
		while (!atomic_load(&w->writes) && !check_others(probe)) {
			usleep(1000);
			probe_alive(probe);
		}
		if (probe->outcome)
			return -1;
	}
	return 0;
}

/* Every other thread must have written throughout. */
static void verify(struct probe *probe)
{
	uint64_t own = atomic_load(&state.writers[0].writes);

	if (own)
		durable_verify(&state.writers[0].file, probe);
	for (size_t i = 1; i < state.count && !probe->outcome; i++)
		if (atomic_load(&state.writers[i].writes) < own / 16)
			probe_invalid(probe,
				"thread %zu did not write throughout", i + 1);
}

static void close_all(struct probe *probe)
{
	atomic_store(&state.over, true);
	for (size_t i = 0; i < state.count; i++) {
		if (state.writers[i].party.id)
			party_join(&state.writers[i].party);
		durable_close(&state.writers[i].file);
	}
	file_flush_close(&state.flush);
	file_tree_remove(&state.tree, probe);
}

static void cleanup(struct probe *probe)
{
	verify(probe);
	close_all(probe);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct error error;

	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// has no local calls to sync: expected a folder");
	memset(&state, 0, sizeof state);
	state.tree.fd = -1;
	char *folder = file_folder(args->where, &error);
	if (!folder)
		return file_refuse(probe, &error);
	int failed = open_writers(probe, folder);
	free(folder);
	if (!failed) {
		state.cache = durable_note_device(state.writers[0].file.fd,
			&state.flush, probe);
		failed = start_others(probe);
	}
	if (failed)
		close_all(probe);
	return failed;
}

/* ---- findings --------------------------------------------------------- */

/* The share of durable writes during which the device completed a flush; NaN
 * if flushes are not counted, or if those of other threads are counted too. */
static double flushed_share(const struct results *results,
	const struct point *point)
{
	const struct args *args = point->args;
	double *values;
	size_t with = 0, count = results_values(results, point, FLUSHES,
		SCALE_UNIT, &values, NULL);

	for (size_t i = 0; i < count; i++)
		with += values[i] >= 1;
	free(values);
	return count && args->threads == 1 ? (double)with / (double)count : NAN;
}

static void judge(const struct results *results, const struct point *point,
	struct text *answer)
{
	const struct args *args = point->args;

	durable_judge(point, flushed_share(results, point), args->threads > 1,
		answer);
}

/* One sentence for all points with the same answer. */
static void find_proof(const struct results *results, size_t of,
	struct findings *findings)
{
	struct text answer = { 0 }, other = { 0 };
	const struct point *point = &results->points[of];
	double share = flushed_share(results, point);
	bool known = false;

	judge(results, point, &answer);
	for (size_t i = 0; i < of && !known; i++) {
		text_free(&other);
		judge(results, &results->points[i], &other);
		known = !strcmp(text_chars(&other), text_chars(&answer));
	}
	if (answer.length && !known)
		finding_add(findings, "durable", "%s", answer.chars);
	if (!isnan(share))
		finding_cell(findings, results, point, "flushed", share,
			UNIT_PERCENT);
	text_free(&answer);
	text_free(&other);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		find_proof(results, i, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	struct range change = basis_switch_ns(&basis);
	struct range copy = basis_copy_ns(&basis, (double)args->size_bytes);
	bool journal = !durable_fills(args->pattern) ||
		args->how == DURABLE_FSYNC || args->how == DURABLE_O_SYNC;
	double commits = journal ? 2 : 1;

	/* From a cache that power loss does not erase to two turns of a
	 * disk. */
	prediction->hardware = (struct range){ 20e3 * commits,
		8.3e6 * 2 * commits + (double)args->size_bytes / .1 };
	prediction->software = (struct range){
		2 * call.low + 2 * change.low + copy.low,
		20 * call.high + 8 * change.high * commits + copy.high };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"device: %.0f flush%s, each from a cache with its own power "
		"to two turns of a disk; two calls, a copy and the switches of "
		"waiting",
		commits, commits > 1 ? "es" : "");
}

const struct experiment probe_fs_sync = {
	.name = "fs.sync",
	.title = "Durable writes",
	.question = "How long does a durable write take?",
	.method =
		"A write of random data and the call that makes it durable "
		"are timed, separately and together. With o_dsync and o_sync "
		"both are one call. Both results are checked. When 8 MiB are "
		"written, the file starts again, untimed. With overwrite, "
		"writes of the same size filled it before; with rewrite, each "
		"is at its start. Other threads write and sync their own "
		"files throughout. After the last sync no page of the file "
		"may be dirty. The kernel counts the cache flushes of the "
		"device, those of other programs too: let the device be "
		"otherwise idle. With one thread, a device with a volatile "
		"cache must complete one during each durable write: otherwise "
		"the write was acknowledged but not durable. The value durable "
		"is 1 after such a flush, or without a volatile cache. It is 0 "
		"without that flush, or in a file system in memory. It is "
		"absent if flushes are not counted, or are those of several "
		"threads. A disk has no warm-up: the first write counts, as in "
		"the peers. The 99th percentile of each 1000 syncs is a metric "
		"with an interval; with o_dsync and o_sync it is that of the "
		"write. pg_test_fsync prints the inverse of the mean, fio the "
		"percentiles of the sync alone.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_FAULTS | TRAIT_NOISY,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	.waits = waits_always,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.tidy = file_tree_sweep,
	.findings = findings_of,
	.predict = predict,
};
