/* How big is the file cache? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "available.h"
#include "basis.h"
#include "file_cache.h"
#include "file_content.h"
#include "file_knee.h"
#include "file_made.h"
#include "file_reading.h"
#include "file_source.h"
#include "memory_limit.h"
#include "probe.h"
#include "results.h"
#include "text.h"

static const char *const orders[] = { "backward", "forward", NULL };
enum { BACKWARD, FORWARD };

/* ---- sizes to try ----------------------------------------------------- */

enum { MIB = 1 << 20, SIZE_LEAST = 16 * MIB };

/* The memory that the kernel could use as cache, or the group's limit. */
static int64_t expected_bytes(const struct filling_args *args)
{
	uint64_t available = memory_available("");

	if (args->limit_bytes != PARAM_AUTO)
		return args->limit_bytes;
	/* memory_available() has kept back an eighth. */
	return available == UINT64_MAX ? (int64_t)8 << 30 :
					 (int64_t)(available / 7 * 8);
}

/* Doubles up to half of the expected size, then uses fine steps around it: a
 * knee must lie between two sizes. */
static size_t sizes_of(const void *context, int64_t *values, size_t most)
{
	static const double steps[] = { .875, 1, 1.0625, 1.125, 1.25 };
	const struct filling_args *args = context;
	int64_t expected = expected_bytes(args);
	bool limited = args->limit_bytes != PARAM_AUTO;
	size_t count = 0;

	for (int64_t part = 8; part >= 2; part /= 2)
		if (expected / part >= SIZE_LEAST && count < most)
			values[count++] = expected / part / MIB * MIB;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if ((limited || steps[i] <= 1.125) && count < most)
			values[count++] =
				(int64_t)(steps[i] * (double)expected) / MIB *
				MIB;
	return count;
}

static const struct param params[] = {
	{ .name = "limit",
		.label = "limit",
		.help = "memory limit, by the worker's own memory cgroup; "
			"none: files up to all available memory, which is slow "
			"and evicts the pages of other programs",
		.preset = "512M",
		WHOLE_FIELD(struct filling_args, limit_bytes),
		.unit = UNIT_BYTES,
		.min = 64 * MIB,
		.max = 0x1p45,
		.automatic = true,
		.word = "none" },
	{ .name = "size",
		.label = "file size",
		.help = "auto: doubling, then in fine steps around the limit",
		.preset = "auto",
		WHOLE_FIELD(struct filling_args, size_bytes),
		.unit = UNIT_BYTES,
		.min = MIB,
		.max = 0x1p45,
		.automatic = true,
		.stands_for = sizes_of },
	{ .name = "order",
		.label = "order",
		.help = "order of filling and of reading; backward defeats "
			"read-ahead",
		.preset = "backward",
		CHOICE_FIELD(struct filling_args, order),
		.choices = orders },
	FILE_FOLDER_ROW(struct filling_args, where, "the file"),
	FILE_BLOCK_ROW(struct filling_args, block_bytes),
	{ .name = NULL },
};

enum { TIME = FILLING_TIME, RATE, RESIDENT };

static bool derive_rate(const void *context, double weight[METRICS_MAX])
{
	const struct filling_args *args = context;

	weight[TIME] = 1 / (double)args->block_bytes;
	return true;
}

static const struct metric metrics[] = {
	[TIME] = { .name = "time", .label = "time per block", .unit = UNIT_NS },
	[RATE] = READING_RATE_METRIC(derive_rate),
	[RESIDENT] = { .name = "resident",
		.label = "share in the cache before reading",
		.unit = UNIT_PERCENT,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

/* ---- one visit -------------------------------------------------------- */

enum {
	SAMPLE_BLOCKS = 128,
	FILL_BYTES = 4 * MIB,
	ALIGNMENT = 4096,
	PILOT_BYTES = 4 * FILL_BYTES,
	TRIALS = 9,
};

/* The worker's file, as long as its longest point so far. */
static struct file_made file = { .fd = -1 };
static struct {
	struct memory_limit limit;
	uint32_t sample[SAMPLE_BLOCKS];
	size_t count;     /* of them */
	double resident;  /* share of the file */
	int64_t expected; /* bytes, before the file is cached */
	void *buffer;
} state;

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Draws random blocks, in the order of reading. */
static void draw_sample(struct probe *probe)
{
	const struct filling_args *args = probe->args;
	uint64_t blocks = (uint64_t)(args->size_bytes / args->block_bytes);

	for (size_t i = 0; i < state.count; i++)
		state.sample[i] = (uint32_t)probe_random_below(probe, blocks);
	qsort(state.sample, state.count, sizeof *state.sample, by_number);
	for (size_t i = 0; args->order == BACKWARD && i < state.count / 2;
		i++) {
		uint32_t block = state.sample[i];

		state.sample[i] = state.sample[state.count - 1 - i];
		state.sample[state.count - 1 - i] = block;
	}
}

static bool get(uint64_t at, size_t length)
{
	ssize_t got = pread(file.fd, state.buffer, length, (off_t)at);

	if (got >= 0 && got != (ssize_t)length)
		errno = 0;
	return got == (ssize_t)length;
}

static int refuse_read(struct probe *probe)
{
	const struct filling_args *args = probe->args;
	int number = errno;

	return probe_fail(probe, "cannot read the file in %s: %s",
		file_folder_quoted(args->where).chars,
		number ? strerror(number) : "unexpected end of file");
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct filling_args *args = probe->args;
	size_t block = (size_t)args->block_bytes;
	bool good = true;

	(void)ops;
	/* The pilot's file may be shorter. */
	if (probe->launch == 0) {
		probe_start(probe);
		good = get(0, block);
		probe_stop_slept(probe, TIME, 1);
		if (!good)
			refuse_read(probe);
		return;
	}
	draw_sample(probe);
	probe_start(probe);
	for (size_t i = 0; i < state.count && good; i++)
		good = get((uint64_t)state.sample[i] * block, block);
	probe_stop_slept(probe, TIME, state.count);
	if (!good) {
		refuse_read(probe);
		return;
	}
	uint64_t last = (uint64_t)state.sample[state.count - 1] * block;
	if (!file_content_same(file.seed, last, state.buffer, 512))
		probe_invalid(probe, "the data read is not the data written");
	probe_value(probe, RESIDENT, state.resident);
}

/* Bytes of the file to write and fill: the pilot determines the time for a
 * part. */
static uint64_t filled_bytes(const struct probe *probe)
{
	const struct filling_args *args = probe->args;
	uint64_t size = (uint64_t)args->size_bytes;

	return probe->launch || size < PILOT_BYTES ? size : PILOT_BYTES;
}

/* The first pass, in large pieces, because it is not timed. */
static int fill(struct probe *probe)
{
	const struct filling_args *args = probe->args;
	uint64_t size = filled_bytes(probe);

	for (uint64_t done = 0; done < size; done += FILL_BYTES) {
		uint64_t left = size - done;
		size_t length = left < FILL_BYTES ? (size_t)left : FILL_BYTES;

		if (!get(args->order == BACKWARD ? left - length : done,
			    length))
			return refuse_read(probe);
		probe_alive(probe);
	}
	state.resident =
		(double)file_resident(file.fd, size) / (double)file_pages(size);
	return 0;
}

/* ---- set-up ----------------------------------------------------------- */

static void note_all(struct probe *probe)
{
	struct file_system system;

	file_system_read(&system, file.fd, "");
	file_system_note(&system, probe);
	probe_note(probe, "advice", "random: no read-ahead");
	probe_note(probe, "expected", "%" PRId64, state.expected);
	if (state.limit.version)
		probe_note(probe, "limit",
			"by the worker's own memory cgroup (version %d): a "
			"limited demonstration, not the machine's cache",
			state.limit.version);
	else
		probe_note(probe, "limit",
			"none: cached pages of other programs may have been "
			"evicted");
}

static int make_file(struct probe *probe, const char *folder,
	struct error *error)
{
	const struct filling_args *args = probe->args;
	uint64_t size = filled_bytes(probe);

	if (!probe->launch &&
		file_check_space(folder, (uint64_t)args->size_bytes, error))
		return -1;
	if (file.fd < 0 ? file_make(&file, folder, size, probe, error) :
			  file_extend(&file, folder, size, probe, error))
		return -1;
	posix_fadvise(file.fd, 0, 0, POSIX_FADV_RANDOM);
	return file_evict(file.fd, file.size_bytes, error);
}

/* A limit above the available memory would have no effect. */
static int check_limit(int64_t limit_bytes, struct error *error)
{
	uint64_t available = memory_available("");
	struct text limit = { 0 }, has = { 0 };

	if (limit_bytes == PARAM_AUTO || (uint64_t)limit_bytes <= available)
		return 0;
	unit_show(&limit, UNIT_BYTES, (double)limit_bytes);
	unit_show(&has, UNIT_BYTES, (double)available);
	error_set(error, STATUS_USAGE,
		"limit=%s is above the available memory, %s: expected less, or "
		"limit=none",
		text_chars(&limit), text_chars(&has));
	text_free(&limit);
	text_free(&has);
	return -1;
}

static int prepare(struct probe *probe, struct error *error)
{
	const struct filling_args *args = probe->args;

	if (check_limit(args->limit_bytes, error))
		return -1;
	state.expected = expected_bytes(args);
	char *folder = file_folder(args->where, error);

	if (!folder)
		return -1;
	int failed = make_file(probe, folder, error);
	free(folder);
	if (!failed && args->limit_bytes != PARAM_AUTO)
		failed = memory_limit_enter(&state.limit, "",
			(uint64_t)args->limit_bytes, error);
	return failed;
}

static void cleanup(struct probe *probe)
{
	(void)probe;
	/* Cached pages that are charged to the group must not outlive it. */
	if (file.fd >= 0)
		posix_fadvise(file.fd, 0, 0, POSIX_FADV_DONTNEED);
	memory_limit_leave(&state.limit);
	free(state.buffer);
	state.buffer = NULL;
}

static int setup(struct probe *probe)
{
	const struct filling_args *args = probe->args;
	int64_t blocks = args->size_bytes / args->block_bytes;
	size_t most =
		(size_t)(args->block_bytes > FILL_BYTES ? args->block_bytes :
							  FILL_BYTES);
	struct error error;

	state.count = (size_t)(blocks < SAMPLE_BLOCKS ? blocks : SAMPLE_BLOCKS);
	state.limit = (struct memory_limit){ 0 };
	if (args->size_bytes % args->block_bytes)
		return probe_unavailable(probe,
			"the file size, %" PRId64 " bytes, is not a multiple "
			"of the block, %" PRId64 " bytes",
			args->size_bytes, args->block_bytes);
	if (file_nfs_is_url(args->where))
		return probe_unavailable(probe,
			"nfs:// has no page cache on this machine: expected a "
			"folder");
	if (posix_memalign(&state.buffer, ALIGNMENT, most))
		return probe_unavailable(probe, "no memory for a block");
	memset(state.buffer, 1, most);
	if (prepare(probe, &error))
		file_refuse(probe, &error);
	else if (!fill(probe) && probe->launch == 1)
		note_all(probe);
	if (!probe->launch)
		probe->share =
			(double)filled_bytes(probe) / (double)args->size_bytes;
	if (!probe->outcome)
		return 0;
	cleanup(probe);
	return -1;
}

static void tidy(void)
{
	memory_limit_sweep("");
	file_sweep();
}

static void plan_for(const void *context, struct plan *plan)
{
	const struct filling_args *args = context;

	if (args->limit_bytes != PARAM_AUTO)
		return;
	/* Writing and reading all of the memory takes minutes. */
	plan->launches = 1;
	plan->budget_ns = 1200000000000;
}

static void caution(const void *context, struct text *text)
{
	const struct filling_args *args = context;
	int64_t size = args->size_bytes;

	if (args->limit_bytes != PARAM_AUTO)
		return;
	/* The largest of sizes_of(). */
	if (size == PARAM_AUTO)
		size = (int64_t)(1.125 * (double)expected_bytes(args));
	text_add(text, "without a limit a file of ");
	unit_show(text, UNIT_BYTES, (double)size);
	text_add(text,
		" is written and read, which takes minutes and evicts the "
		"pages of other programs; limit=512M shows the same in a "
		"minute");
}

/* ---- prediction ------------------------------------------------------- */

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct filling_args *args = context;
	double guest = facts->hypervisor ? 2 : 1;
	double block = (double)args->block_bytes;
	double cache = (double)expected_bytes(args);
	double missed = fmax(0, 1 - cache / (double)args->size_bytes);
	struct text knee = { 0 }, read = { 0 };
	struct basis basis = { .facts = facts };
	struct range disk = { 15e3 + block / 4, 10e6 + block / .1 };

	text_add(&read, "order=random cache=cold block=");
	unit_write_whole(&read, UNIT_BYTES, args->block_bytes);
	basis_take(&basis, QUANTITY_FILE_READ, text_chars(&read), &disk);
	text_free(&read);
	prediction->software = reading_call_ns(&basis, block, guest);
	prediction->hardware =
		(struct range){ missed * disk.low / 2, missed * disk.high };
	/* Before a run has chosen its sizes: from no misses to only misses. */
	if (args->size_bytes == PARAM_AUTO)
		prediction->hardware = (struct range){ 0, disk.high };
	prediction_sum(prediction);
	unit_show(&knee, UNIT_BYTES, cache);
	basis_say(&basis, prediction,
		"a knee at %s; below, a system call and a copy; beyond, disk "
		"reads for the uncached share, 15 us (flash) to 10 ms (disk)",
		text_chars(&knee));
	text_free(&knee);
}

const struct experiment probe_fs_cache = {
	.name = "fs.cache",
	.title = "File cache",
	.question = "How big is the file cache?",
	.method =
		"A file is written, synced and evicted. A first pass reads all "
		"of it in order and fills the cache; mincore reports the "
		"resident share. The second pass is timed: randomly drawn "
		"blocks, read in the same order, without read-ahead. While the "
		"file fits, a block costs a system call and a copy. Beyond, "
		"the missing share comes from the disk, and the curve has a "
		"knee at the size of the cache, which is fitted. With a limit "
		"the worker is in its own memory cgroup: the knee shows in "
		"seconds and other programs keep their pages. This "
		"demonstrates in small what the whole memory does without a "
		"limit.",
	.params = params,
	.args_size = sizeof(struct filling_args),
	.metrics = metrics,
	.plan = { .ops = 1,
		.trials = TRIALS,
		.launches = 6,
		.launches_least = 3,
		.draws_least = 3,
		/* Limits the run to about a minute, because disks vary so
		 * much. */
		.budget_ns = 50000000000 },
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	.plan_for = plan_for,
	.caution = caution,
	.waits = waits_always,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.tidy = tidy,
	.findings = filling_find,
	.predict = predict,
};
