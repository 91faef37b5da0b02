/* What do concurrent readers cost? */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "background_readers.h"
#include "basis.h"
#include "digest.h"
#include "file_source.h"
#include "probe.h"
#include "results.h"
#include "slope.h"

static const char *const patterns[] = { "sequential", "random",
	"sequential-mixed", "random-mixed", NULL };
static const char *const belongings[] = { "own", "same", NULL };
static const char *const caches[] = { "cold", "direct", NULL };
enum { SEQUENTIAL, RANDOM, SEQUENTIAL_MIXED, RANDOM_MIXED, PATTERNS };
enum { OWN, SAME };

struct args {
	const char *where;
	int64_t readers, size_bytes, block_bytes;
	int pattern, files, cache;
};

static const struct param params[] = {
	{ .name = "readers",
		.label = "readers",
		.help = "number of readers, the measured reader included",
		.preset = "1..16",
		WHOLE_FIELD(struct args, readers),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = BACKGROUND_MOST + 1 },
	{ .name = "pattern",
		.label = "pattern",
		.help = "order of reading; -mixed: the measured reader in this "
			"order, every other reader in the opposite",
		.preset = "sequential,random,sequential-mixed,random-mixed",
		CHOICE_FIELD(struct args, pattern),
		.choices = patterns },
	{ .name = "size",
		.label = "file size",
		.help = "of each reader",
		.preset = "1M",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 512,
		.max = 0x1p36 },
	{ .name = "files",
		.label = "files",
		.help = "own: one file per reader; same: one file for all, so "
			"that readers share cached blocks",
		.preset = "own",
		CHOICE_FIELD(struct args, files),
		.choices = belongings },
	{ .name = "cache",
		.label = "cache",
		.help = "cold: evicted and checked before each pass; direct: "
			"O_DIRECT, past the page cache",
		.preset = "cold",
		CHOICE_FIELD(struct args, cache),
		.choices = caches },
	FILE_FOLDER_ROW(struct args, where, "the files"),
	FILE_BLOCK_ROW(struct args, block_bytes),
	{ .name = NULL },
};

enum { TIME, MEAN, AGGREGATE, FAIRNESS };
static const struct metric metrics[] = {
	[TIME] = { .name = "time",
		.label = "time per block of the measured reader",
		.unit = UNIT_NS },
	[MEAN] = { .name = "mean",
		.label = "time per block, mean of all readers",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	[AGGREGATE] = { .name = "aggregate",
		.label = "throughput of all readers together",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	[FAIRNESS] = { .name = "fairness",
		.label = "Jain's index of the readers' throughputs",
		.unit = UNIT_NONE,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

static struct {
	struct file_source *source;
	struct file_reader reader;
	struct file_order order;
	struct background_readers background;
} state;

enum { PASSES_MOST = 100 };

/* ---- one pass --------------------------------------------------------- */

/* If all readers share one file, some page of it is always in use. */
static bool chill(struct probe *probe)
{
	const struct args *args = probe->args;
	struct error error;

	if (args->cache != FILE_COLD ||
		!file_reader_chill(&state.reader, &error) ||
		(args->files == SAME && state.background.count))
		return true;
	file_void(probe, state.source, &error);
	return false;
}

/* The measured reader's ticks in its blocks; 0 after a report to the probe. */
static uint64_t pass(struct probe *probe)
{
	enum { PIECE = 64 };
	uint64_t ticks = 0;

	if (!chill(probe))
		return 0;

	file_order_rewind(&state.order);
	for (size_t i = 0; i < state.order.count;) {
		uint64_t begin = probe_now(probe);

		for (size_t n = 0; n < PIECE && i < state.order.count; n++) {
			uint32_t block = file_order_next(&state.order);

			if (!file_reader_get(&state.reader, block)) {
				file_reader_failed(&state.reader, block, probe);
				return 0;
			}
			i++;
		}
		ticks += probe_now(probe) - begin;
		probe_alive(probe);
	}
	return ticks;
}

static void emit_of_all(struct probe *probe, uint64_t passes, uint64_t ticks,
	uint64_t span, const struct background_count *counts)
{
	const struct args *args = probe->args;
	double ns = 1e9 / probe->tick_hz;
	double own = (double)(state.order.count * passes);
	/* Per reader: blocks per tick, and ticks per block. */
	double rate = own / (double)span, sum = rate, squares = rate * rate;
	double blocks = own, mean = (double)ticks / own;
	size_t n = state.background.count;

	for (size_t i = 0; i < n; i++) {
		double read = (double)counts[i].blocks;

		rate = read / (double)span;
		sum += rate;
		squares += rate * rate;
		blocks += read;
		mean += (double)counts[i].ticks / read;
	}
	probe_value(probe, MEAN, mean / (double)(n + 1) * ns);
	probe_value(probe, AGGREGATE,
		blocks * (double)args->block_bytes / ((double)span * ns) * 1e9);
	probe_value(probe, FAIRNESS, sum * sum / ((double)(n + 1) * squares));
}

/* Makes passes until every background reader has read a block: usually one,
 * more if a pass is shorter than a time slice. */
static void trial(struct probe *probe, uint64_t ops)
{
	struct background_count counts[BACKGROUND_MOST];

	(void)ops;
	if (!background_begin(&state.background, probe)) {
		background_failed(&state.background, probe);
		return;
	}
	probe_start(probe);
	uint64_t passes = 0, ticks = 0;
	do
		ticks += pass(probe);
	while (++passes < PASSES_MOST && !probe->outcome &&
		!background_has_read(&state.background));
	uint64_t span = probe_now(probe) - probe->start;
	bool busy = background_end(&state.background, probe, counts);
	if (probe->outcome)
		return;
	probe_took(probe, TIME, state.order.count, ticks / passes);
	if (busy)
		emit_of_all(probe, passes, ticks, span, counts);
	else
		background_failed(&state.background, probe);
}

/* ---- set-up ----------------------------------------------------------- */

/* In a mixed pattern every second background reader uses the other order. */
static enum file_ordering ordering_of(int pattern, size_t other)
{
	switch (pattern) {
	case SEQUENTIAL:
		return FILE_ASCENDING;
	case RANDOM:
		return FILE_SHUFFLED;
	default:
		return other % 2 ? FILE_SHUFFLED : FILE_ASCENDING;
	}
}

static enum file_ordering own_ordering(int pattern)
{
	return pattern == RANDOM || pattern == RANDOM_MIXED ? FILE_SHUFFLED :
							      FILE_ASCENDING;
}

/* Evicts the measured reader's file before another reader can read it. */
static int take_own(struct probe *probe)
{
	const struct args *args = probe->args;
	struct error error;

	state.source = file_source_take(probe, args->where,
		(uint64_t)args->size_bytes, 0);
	if (!state.source)
		return -1;
	if (file_reader_open(&state.reader, state.source, args->cache,
		    own_ordering(args->pattern), (size_t)args->block_bytes,
		    probe, &error))
		return file_void(probe, state.source, &error);
	return 0;
}

static int start_others(struct probe *probe)
{
	const struct args *args = probe->args;
	size_t others = (size_t)args->readers - 1;
	struct background_seat seats[BACKGROUND_MOST];

	for (size_t i = 0; i < others; i++) {
		const struct file_source *source = args->files == SAME ?
			state.source :
			file_source_take(probe, args->where,
				(uint64_t)args->size_bytes, (unsigned)i + 1);

		if (!source)
			return -1;
		seats[i] = (struct background_seat){ source,
			ordering_of(args->pattern, i) };
	}
	return background_start(&state.background, seats, others,
		args->cache,
		(size_t)args->block_bytes, args->files == OWN, probe);
}

static void cleanup(struct probe *probe)
{
	(void)probe;
	background_stop(&state.background);
	file_reader_close(&state.reader);
	file_order_free(&state.order);
}

static void note_all(struct probe *probe)
{
	const struct args *args = probe->args;

	file_source_note(state.source, probe);
	probe_note(probe, "advice", "%s",
		file_order_advice(own_ordering(args->pattern)));
	if (args->readers > 1)
		probe_note(probe, "neighbours",
			"%" PRId64 " processes, on processors other than the "
			"measured one where possible; each read before, during "
			"and after every pass",
			args->readers - 1);
	if (args->files == SAME && args->cache == FILE_COLD)
		probe_note(probe, "same",
			"one shared file: a block read by one reader is cached "
			"for all");
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	state.background = (struct background_readers){ 0 };
	state.reader.buffer = NULL;
	state.reader.direct.fd = -1;
	if (args->size_bytes % args->block_bytes)
		return probe_unavailable(probe,
			"the file size, %" PRId64 " bytes, is not a multiple "
			"of the block, %" PRId64 " bytes",
			args->size_bytes, args->block_bytes);
	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// is one connection of one reader: expected a "
			"folder");
	file_order_draw(&state.order, own_ordering(args->pattern),
		(size_t)(args->size_bytes / args->block_bytes), &probe->random);
	if (!take_own(probe))
		start_others(probe);
	if (!probe->outcome && probe->launch == 1)
		note_all(probe);
	if (!probe->outcome)
		return 0;
	cleanup(probe);
	return -1;
}

/* ---- findings --------------------------------------------------------- */

enum { POINTS_MOST = 64 };

/* Points that differ only in the number of readers. */
struct line {
	double readers[POINTS_MOST], times[POINTS_MOST], rates[POINTS_MOST];
	size_t n;
};

static bool of_line(const struct args *a, const struct args *b)
{
	return a->pattern == b->pattern && a->files == b->files &&
		a->cache == b->cache && a->size_bytes == b->size_bytes &&
		a->block_bytes == b->block_bytes && !strcmp(a->where, b->where);
}

/* False if an earlier point belongs to the same line. */
static bool gather(const struct results *results, size_t first,
	struct line *line)
{
	const struct args *wanted = results->points[first].args;

	line->n = 0;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;
		double time, rate;

		if (!args || !wanted || !of_line(args, wanted))
			continue;
		if (i < first)
			return false;
		if (line->n == POINTS_MOST ||
			!results_median(results, point, TIME, &time) ||
			!results_median(results, point, AGGREGATE, &rate))
			continue;
		line->readers[line->n] = (double)args->readers;
		line->rates[line->n] = rate;
		line->times[line->n++] = time;
	}
	return line->n >= 3;
}

static void find_slope(const struct line *line, const struct args *args,
	struct findings *findings)
{
	struct slope slope;
	struct text added = { 0 }, range = { 0 };

	if (!slope_theil_sen(line->readers, line->times, line->n, &slope))
		return;
	unit_show(&added, UNIT_NS, slope.slope);
	unit_show_interval(&range, UNIT_NS, slope.low, slope.high, slope.slope);
	struct finding *finding = finding_value(findings, "per-reader",
		slope.slope, UNIT_NS,
		"each additional reader adds %s %s to a block of the measured "
		"reader (%s, %s, %s files)",
		text_chars(&added), text_chars(&range), patterns[args->pattern],
		caches[args->cache], belongings[args->files]);
	finding_interval(finding, slope.low, slope.high);
	text_free(&added);
	text_free(&range);
}

/* The fewest readers that together reach nine tenths of the best throughput. */
static void find_saturation(const struct line *line, const struct args *args,
	struct findings *findings)
{
	double best = 0, fewest = INFINITY, most = 0;
	struct text rate = { 0 };

	for (size_t i = 0; i < line->n; i++) {
		best = fmax(best, line->rates[i]);
		most = fmax(most, line->readers[i]);
	}
	for (size_t i = 0; i < line->n; i++)
		if (line->rates[i] >= .9 * best)
			fewest = fmin(fewest, line->readers[i]);
	unit_show(&rate, UNIT_BYTES_PER_S, best);
	if (fewest < most)
		finding_value(findings, "saturated-from", fewest, UNIT_COUNT,
			"%.0f reader%s saturate%s the device at %s (%s)",
			fewest, fewest > 1 ? "s" : "", fewest > 1 ? "" : "s",
			text_chars(&rate), patterns[args->pattern]);
	else
		finding_add(findings, "saturated-from",
			"%.0f readers do not saturate the device: %s and "
			"rising (%s)",
			most, text_chars(&rate), patterns[args->pattern]);
	text_free(&rate);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	struct line line;

	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		if (!gather(results, i, &line))
			continue;
		find_slope(&line, results->points[i].args, findings);
		find_saturation(&line, results->points[i].args, findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double guest = facts->hypervisor ? 2 : 1;
	double block = (double)args->block_bytes;
	double readers = (double)args->readers;
	bool ahead = own_ordering(args->pattern) == FILE_ASCENDING &&
		args->cache == FILE_COLD;

	/* From a device that serves many requests at once to one that serves
	 * them one after the other. */
	struct basis basis = { .facts = facts };
	struct text read = { 0 };
	struct range alone = { ahead ? block / 4 : 15e3 + block / 4,
		ahead ? 5e3 + block / .1 : 10e6 };

	text_add(&read,
		"order=%s cache=cold block=", ahead ? "sequential" : "random");
	unit_write_whole(&read, UNIT_BYTES, args->block_bytes);
	basis_take(&basis, QUANTITY_FILE_READ, text_chars(&read), &alone);
	text_free(&read);
	prediction->hardware =
		(struct range){ alone.low / 2, alone.high * readers };
	prediction->software = (struct range){ ahead ? 200 + block / 15 : 2e3,
		30e3 * guest * readers };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"device: from fully parallel to fully serial, %.0f times the "
		"time of one reader",
		readers);
}

const struct experiment probe_fs_contention = {
	.name = "fs.contention",
	.title = "Contention for files",
	.question = "What do concurrent readers cost?",
	.method =
		"The first reader is measured, pass by pass over its file. The "
		"other readers are processes that read their files "
		"continuously. All wait for each other before a pass. A pass "
		"begins when every other reader has read a block since; it "
		"counts only if each has read another block after its end. The "
		"counters thus prove that all were busy throughout. Files are "
		"written before and evicted before each pass, or read with "
		"O_DIRECT. The counters between begin and end give the mean of "
		"all readers, their sum, and Jain's index of fairness: 1 when "
		"all read equally fast, 1/n when only one reads.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .budget_ns = 60000000000, .trials_least = 2 },
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_FAULTS | TRAIT_NOISY,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	.waits = waits_always,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
