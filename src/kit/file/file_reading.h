/*
 * Shared by fs.read and fs.remote: reading a file block by block, in an order,
 * cold, direct or warm, and the findings.
 *
 *     cold     a trial is a pass: the file is evicted, which is verified, and
 *              all its blocks are read; in random order at most
 *              READING_RANDOM_MOST. The figure is the mean of the pass, because
 *              read-ahead makes most blocks cheap and a few expensive.
 *     direct   a trial is one block; afterwards no page may be in the cache
 *     warm     a trial is a row of blocks, 128 KiB in total; before it and
 *              after it all pages must be in the cache
 *
 * In the first launch every block is read once more and compared with what was
 * written, and one pass is traced.
 */
#ifndef BENCHTOP_FILE_READING_H
#define BENCHTOP_FILE_READING_H

#include "basis.h"
#include "file_source.h"
#include "probe.h"

enum {
	READING_TRACE_MOST = 2048,
	READING_RANDOM_MOST = 2048, /* blocks of a cold pass */
};

/* The arguments of both experiments. `order` is an enum file_ordering, `cache`
 * an enum file_caching. */
struct reading_args {
	const char *where;
	int64_t size_bytes, block_bytes;
	int order, cache;
};
extern const char *const reading_orders[], *const reading_caches[];

/* The rows of both experiments, without the place of the file. */
#define READING_ROWS \
	{ .name = "size", \
		.label = "file size", \
		.help = "a multiple of the block", \
		.preset = "4K..64M*4", \
		WHOLE_FIELD(struct reading_args, size_bytes), \
		.unit = UNIT_BYTES, \
		.min = 512, \
		.max = 0x1p40 }, \
		{ .name = "order", \
			.label = "order", \
			.help = "order of the blocks; decides read-ahead", \
			.preset = "sequential,random", \
			CHOICE_FIELD(struct reading_args, order), \
			.choices = reading_orders }, \
		{ .name = "cache", \
			.label = "cache", \
			.help = "cold: the file is not cached (checked); " \
				"direct: O_DIRECT; warm: all of it is cached", \
			.preset = "cold", \
			CHOICE_FIELD(struct reading_args, cache), \
			.choices = reading_caches }, \
		FILE_BLOCK_ROW(struct reading_args, block_bytes)

/* Throughput; `from` derives it from the time per block. */
#define READING_RATE_METRIC(from) \
	{ .name = "rate", \
		.label = "throughput", \
		.unit = UNIT_BYTES_PER_S, \
		.better = MORE_IS_BETTER, \
		.kind = METRIC_DERIVED, \
		.derive = (from), \
		.rate = true }

enum { READING_TIME, READING_RATE, READING_EACH };
extern const struct metric reading_metrics[];

/* The common part of both descriptors: all but names, sentences, the row of the
 * file's place, findings and predictions. */
#define READING_DESCRIPTOR \
	.args_size = sizeof(struct reading_args), .metrics = reading_metrics, \
	.plan = { .ops = 1, \
		.traces = READING_TRACE_MOST, \
		.budget_ns = 30000000000, \
		.trials_least = 2 }, \
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_FAULTS, \
	.waits = reading_waits, .trial = reading_trial, \
	.cleanup = reading_cleanup

/* True for cold and direct reads, which wait for a device. */
bool reading_waits(const void *args);
/* `remote`: files that are not on another machine are refused. */
int reading_setup(struct probe *, bool remote);
void reading_trial(struct probe *, uint64_t ops);
void reading_cleanup(struct probe *);

/* Findings: random compared with sequential order; the size from which
 * throughput is flat. */
void reading_find(const struct results *, struct findings *);
/* Adds "size=4K order=random cache=cold block=4K" for a point. */
void reading_describe(const struct reading_args *, struct text *);
/* Time of a system call that copies a block from the file cache. */
struct range reading_call_ns(struct basis *, double block_bytes,
	double guest);
/* Prediction: time of a disk and the kernel for a block. */
void reading_predict(const struct facts *, const struct reading_args *,
	struct prediction *);

#endif
