/* Reading files block by block. */
#include "file_reading.h"

#include <inttypes.h>
#include <stdlib.h>

#include "file_cache.h"
#include "memory.h"

enum {
	PASS_BYTES = 1 << 30, /* of a cold pass, at most */
	ROW_BYTES = 128 << 10,
	ROW_BLOCKS = 64,
	PIECE_BYTES = 16 << 20, /* between two calls of probe_alive() */
	PIECE_BLOCKS = 64,
	LOOKED_AT = 512, /* bytes of a block compared after each trial */
};

const char *const reading_orders[] = { "sequential", "random", "backward",
	NULL };
const char *const reading_caches[] = { "cold", "direct", "warm", NULL };

/* The reciprocal of ns per byte. */
static bool derive_rate(const void *context, double weight[METRICS_MAX])
{
	const struct reading_args *args = context;

	weight[READING_TIME] = 1 / (double)args->block_bytes;
	return true;
}

const struct metric reading_metrics[] = {
	[READING_TIME] = { .name = "time",
		.label = "time per block",
		.unit = UNIT_NS },
	[READING_RATE] = READING_RATE_METRIC(derive_rate),
	[READING_EACH] = { .name = "each",
		.label = "each block in order, with clock overhead",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "block",
		.across_unit = UNIT_COUNT },
	{ .name = NULL },
};

bool reading_waits(const void *context)
{
	const struct reading_args *args = context;

	return args->cache != FILE_WARM;
}

static struct {
	struct file_source *source;
	struct file_reader reader;
	struct file_order order;
	size_t count;   /* blocks of a trial */
	size_t piece;   /* blocks between two calls of probe_alive() */
	int64_t before; /* pages in the cache before the trials */
} state;

static bool is_cold(void)
{
	return state.reader.caching == FILE_COLD;
}

/* ---- trials ----------------------------------------------------------- */

/* Reads the next blocks of the order; false after a report to the probe. */
static bool read_next(struct probe *probe, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t block = file_order_next(&state.order);

		if (__builtin_expect(!file_reader_get(&state.reader, block),
			    0)) {
			file_reader_failed(&state.reader, block, probe);
			return false;
		}
	}
	return true;
}

static void look_at_last(struct probe *probe)
{
	const struct file_order *order = &state.order;
	size_t last = (order->at ? order->at : order->count) - 1;
	uint32_t block = order->blocks[last];

	if (!file_reader_same(&state.reader, block, LOOKED_AT))
		probe_invalid(probe,
			"block %" PRIu32 " of the file differs from the data "
			"written",
			block);
}

static void trial_cold(struct probe *probe)
{
	struct error error;
	uint64_t ticks = 0;

	if (file_reader_chill(&state.reader, &error)) {
		file_void(probe, state.source, &error);
		return;
	}
	/* A random pass may be a part of the order; the next pass is another
	 * part. */
	if (state.count == state.order.count ||
		state.order.at + state.count > state.order.count)
		file_order_rewind(&state.order);
	probe_start(probe);
	for (size_t done = 0; done < state.count; done += state.piece) {
		size_t left = state.count - done;
		uint64_t begin = probe_now(probe);

		if (!read_next(probe, left < state.piece ? left : state.piece))
			return;
		ticks += probe_now(probe) - begin;
		probe_alive(probe);
	}
	probe_took(probe, READING_TIME, state.count, ticks);
}

void reading_trial(struct probe *probe, uint64_t ops)
{
	(void)ops;
	if (is_cold()) {
		trial_cold(probe);
	} else {
		probe_start(probe);
		if (!read_next(probe, state.count))
			return;
		/* Reads from the cache do not wait, so a switch is a
		 * disturbance. */
		if (state.reader.caching == FILE_WARM)
			probe_stop(probe, READING_TIME, state.count);
		else
			probe_stop_slept(probe, READING_TIME, state.count);
	}
	if (!probe->outcome)
		look_at_last(probe);
}

/* ---- set-up ----------------------------------------------------------- */

/* Compares all blocks, byte for byte, in the order of reading. */
static bool compare_all(struct probe *probe)
{
	for (size_t i = 0; i < state.order.count; i++) {
		uint32_t block = file_order_next(&state.order);

		if (!file_reader_get(&state.reader, block)) {
			file_reader_failed(&state.reader, block, probe);
			return false;
		}
		if (!file_reader_same(&state.reader, block, SIZE_MAX)) {
			probe_invalid(probe,
				"block %" PRIu32 " of the file differs from "
				"the data written",
				block);
			return false;
		}
		if (i % state.piece == 0)
			probe_alive(probe);
	}
	probe_note(probe, "verified", "%zu blocks of %zu bytes, byte for byte",
		state.order.count, state.reader.block_bytes);
	return true;
}

static bool read_traced(struct probe *probe, uint64_t *took, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t begin = probe_now(probe);

		if (!read_next(probe, 1))
			return false;
		took[i] = probe_now(probe) - begin;
		if (i % state.piece == 0)
			probe_alive(probe);
	}
	return true;
}

/* Reads one pass and times each block. */
static void trace(struct probe *probe)
{
	size_t all = state.order.count;
	size_t count = all < READING_TRACE_MOST ? all : READING_TRACE_MOST;
	uint64_t *took = xcalloc(count, sizeof *took);
	struct error error;

	file_order_rewind(&state.order);
	if (is_cold() && file_reader_chill(&state.reader, &error))
		file_void(probe, state.source, &error);
	else if (read_traced(probe, took, count))
		for (size_t i = 0; i < count; i++)
			probe_trace(probe, READING_EACH, (double)i,
				(double)took[i] * 1e9 / probe->tick_hz);
	free(took);
	if (count < all)
		probe_note(probe, "trace", "the first %zu of %zu blocks", count,
			all);
	file_order_rewind(&state.order);
}

static void size_trial(const struct reading_args *args)
{
	size_t block = (size_t)args->block_bytes;
	size_t all = state.order.count;
	size_t most = args->order == FILE_SHUFFLED ? READING_RANDOM_MOST :
						     PASS_BYTES / block;
	size_t row = ROW_BYTES / block;

	state.count = is_cold() ? (all < most ? all : most) : 1;
	if (state.reader.caching == FILE_WARM)
		state.count = row < 1 ? 1 : row > ROW_BLOCKS ? ROW_BLOCKS : row;
	state.piece = PIECE_BYTES / block;
	if (state.piece > PIECE_BLOCKS)
		state.piece = PIECE_BLOCKS;
}

static void note_all(struct probe *probe)
{
	const struct reading_args *args = probe->args;

	file_source_note(state.source, probe);
	if (state.reader.fd >= 0)
		probe_note(probe, "advice", "%s",
			file_order_advice(args->order));
	if (is_cold() && state.count < state.order.count)
		probe_note(probe, "pass", "%zu of %zu blocks", state.count,
			state.order.count);
}

static int refuse_local(struct probe *probe)
{
	return probe_unavailable(probe,
		"this path is local: %s is on %s: expected a folder on a "
		"mounted remote file system or nfs://server/export/",
		file_folder_quoted(state.source->where).chars,
		state.source->system.type);
}

static int take_source(struct probe *probe, bool remote)
{
	const struct reading_args *args = probe->args;
	struct error error;

	if (args->size_bytes % args->block_bytes)
		return probe_unavailable(probe,
			"the file size, %" PRId64 " bytes, is not a multiple "
			"of the block, %" PRId64 " bytes",
			args->size_bytes, args->block_bytes);
	state.source = file_source_take(probe, args->where,
		(uint64_t)args->size_bytes, 0);
	if (!state.source)
		return -1;
	if (remote && !state.source->system.remote)
		return refuse_local(probe);
	if (file_reader_open(&state.reader, state.source, args->cache,
		    args->order, (size_t)args->block_bytes, probe, &error))
		return file_void(probe, state.source, &error);
	return 0;
}

int reading_setup(struct probe *probe, bool remote)
{
	const struct reading_args *args = probe->args;

	state.source = NULL;
	if (take_source(probe, remote)) {
		file_source_release(state.source);
		return -1;
	}
	file_order_draw(&state.order, args->order,
		(size_t)(args->size_bytes / args->block_bytes), &probe->random);
	size_trial(args);
	if (probe->launch == 1) {
		note_all(probe);
		if (compare_all(probe))
			trace(probe);
	}
	state.before = file_reader_resident(&state.reader);
	if (!probe->outcome)
		return 0;
	reading_cleanup(probe);
	return -1;
}

/* ---- checks after the trials ------------------------------------------ */

static void check_resident(struct probe *probe)
{
	const struct reading_args *args = probe->args;
	int64_t after = file_reader_resident(&state.reader);
	int64_t pages = (int64_t)file_pages((uint64_t)args->size_bytes);
	/* A cold pass begins with a verified eviction. */
	int64_t before = is_cold() ? 0 : state.before;

	if (state.reader.fd < 0 || probe->outcome)
		return;
	if (probe->launch == 1)
		probe_note(probe, "resident",
			"%" PRId64 " of %" PRId64 " pages before, %" PRId64
			" after",
			before, pages, after);
	if (args->cache == FILE_DIRECT && (before > 0 || after > 0))
		probe_invalid(probe,
			"direct reads filled the page cache with %" PRId64 " "
			"pages of the file",
			after);
	if (args->cache == FILE_WARM && after >= 0 &&
		(before < pages || after < pages))
		probe_invalid(probe,
			"the cache lost pages of the file: %" PRId64 " of "
			"%" PRId64 " remain",
			after, pages);
}

void reading_cleanup(struct probe *probe)
{
	check_resident(probe);
	file_reader_close(&state.reader);
	file_order_free(&state.order);
	file_source_release(state.source);
	state.source = NULL;
}
