/* How fast do bytes move to another process? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "memory.h"
#include "party.h"
#include "probe.h"
#include "results.h"
#include "ring.h"

enum through { PIPE, UNIX_STREAM, SHM, THROUGHS };
static const char *const throughs[] = { "pipe", "unix-stream", "shm", NULL };
/* Of a ring, as of a pipe by default. */
enum { RING_BYTES = 64 << 10 };

struct args {
	int through, placement;
	int64_t size_bytes, capacity_bytes;
};

static const struct param params[] = {
	{ .name = "through",
		.label = "through",
		.help = "carrier of the bytes; shm: a ring in shared memory",
		.preset = "pipe,unix-stream,shm",
		CHOICE_FIELD(struct args, through),
		.choices = throughs },
	{ .name = "size",
		.label = "size",
		.help = "bytes of each write, and most bytes of each read",
		.preset = "64,1K,16K,64K",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 64,
		.max = 1 << 20 },
	{ .name = "capacity",
		.label = "capacity",
		.help = "bytes of the pipe, the sender's buffer or the ring; "
			"auto: the kernel's preset, for the ring 64K",
		.preset = "auto",
		WHOLE_FIELD(struct args, capacity_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 1 << 26,
		.automatic = true },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of the writer",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

enum { BANDWIDTH, BYTE, READ };

static bool per_byte(const void *args, double *weight)
{
	(void)args;
	weight[BYTE] = 1;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "bandwidth",
		.label = "bytes received",
		.unit = UNIT_BYTES_PER_S,
		.better = MORE_IS_BETTER,
		.kind = METRIC_DERIVED,
		.derive = per_byte,
		.rate = true },
	{ .name = "byte", .label = "time per byte", .unit = UNIT_NS },
	{ .name = "read",
		.label = "bytes per read",
		.unit = UNIT_BYTES,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

/* ---- the writer ------------------------------------------------------- */

/* A trial moves this many messages, but not more than these bytes. */
enum { MESSAGES = 8192, TOTAL_BYTES = 4 << 20 };

/* Shared by both processes. */
struct shared {
	size_t total_bytes;    /* to write next; 0: end */
	unsigned char pattern; /* of these bytes */
};

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct state {
	enum through through;
	int in, out; /* descriptors of the writer and the reader */
	size_t size_bytes, total_bytes;
	struct ring *ring;
	struct shared *shared;
	struct channel start, filled;
	struct party writer;
	char *buffer;
	size_t got_most; /* bytes of the largest read of the trial */
	unsigned char pattern;
};

static bool write_all(struct state *s, size_t total)
{
	for (size_t left = total; left;) {
		size_t size = lesser(left, s->size_bytes);
		ssize_t done = (ssize_t)size;

		if (s->through == SHM)
			ring_write(s->ring, s->buffer, size);
		else
			done = write(s->in, s->buffer, size);
		if (done <= 0)
			return false;
		left -= (size_t)done;
	}
	return true;
}

static void *writer_body(void *context)
{
	struct state *s = context;

	while (channel_receive(&s->start) && s->shared->total_bytes) {
		memset(s->buffer, s->shared->pattern, s->size_bytes);
		channel_send(&s->filled);
		channel_receive(&s->start);
		if (!write_all(s, s->shared->total_bytes))
			break;
	}
	return NULL;
}

/* ---- set-up ----------------------------------------------------------- */

static int open_pipe(struct probe *probe, struct state *s, int64_t capacity)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return probe_unavailable(probe, "cannot open a pipe: %s",
			strerror(errno));
	s->in = ends[1];
	s->out = ends[0];
	if (capacity != PARAM_AUTO &&
		fcntl(s->in, F_SETPIPE_SZ, (int)capacity) < 0)
		return probe_unavailable(probe,
			"a pipe of this capacity is not permitted: `sysctl "
			"fs.pipe-max-size` is the limit without root");
	probe_note(probe, "capacity", "%d bytes", fcntl(s->in, F_GETPIPE_SZ));
	return 0;
}

/* The kernel doubles the requested size of a buffer for its own data. */
static int open_socket(struct probe *probe, struct state *s, int64_t capacity)
{
	int ends[2], wanted = (int)capacity, got = 0;
	socklen_t length = sizeof got;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return probe_unavailable(probe, "cannot open a socket: %s",
			strerror(errno));
	s->in = ends[1];
	s->out = ends[0];
	if (capacity != PARAM_AUTO)
		setsockopt(s->in, SOL_SOCKET, SO_SNDBUF, &wanted,
			sizeof wanted);
	getsockopt(s->in, SOL_SOCKET, SO_SNDBUF, &got, &length);
	if (capacity != PARAM_AUTO && got < 2 * wanted)
		return probe_unavailable(probe,
			"a sender's buffer of this capacity is not permitted: "
			"`sysctl net.core.wmem_max` is the limit");
	probe_note(probe, "capacity", "%d bytes, the kernel's data included",
		got);
	return 0;
}

static int open_ring(struct probe *probe, struct state *s, int64_t capacity)
{
	s->ring = ring_new(
		capacity == PARAM_AUTO ? RING_BYTES : (size_t)capacity);
	if (!s->ring)
		return probe_fail(probe, "no memory for the ring");
	probe_note(probe, "capacity", "%zu bytes", ring_capacity(s->ring));
	return 0;
}

static int open_carrier(struct probe *probe, struct state *s)
{
	const struct args *args = probe->args;

	if (args->through == PIPE)
		return open_pipe(probe, s, args->capacity_bytes);
	if (args->through == UNIX_STREAM)
		return open_socket(probe, s, args->capacity_bytes);
	return open_ring(probe, s, args->capacity_bytes);
}

static struct state *new_state(const struct args *args)
{
	struct state *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	*s = (struct state){ .through = (enum through)args->through,
		.in = -1,
		.out = -1,
		.size_bytes = (size_t)args->size_bytes,
		.total_bytes = lesser((size_t)args->size_bytes * MESSAGES,
			TOTAL_BYTES),
		.shared = party_memory(sizeof *s->shared),
		.buffer = xpages((size_t)args->size_bytes) };
	if (!s->shared) {
		free(s->buffer);
		free(s);
		return NULL;
	}
	memset(s->buffer, 0, s->size_bytes);
	return s;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	int cpu = probe_placed(probe, args->placement);

	if (cpu < 0)
		return -1;
	struct state *s = new_state(args);
	if (!s)
		return probe_fail(probe, "no memory for the processes");
	probe->state = s;
	if (open_carrier(probe, s))
		return -1;
	int failed = channel_open(&s->start, CHANNEL_FUTEX, 1);
	if (!failed)
		failed = channel_open(&s->filled, CHANNEL_FUTEX, 1);
	if (!failed)
		failed = party_start(&s->writer, false, cpu, writer_body, s);
	if (failed)
		return probe_fail(probe, "cannot start a process: %s",
			strerror(-failed));
	/* Only the writer may keep it open, or its end would go unnoticed. */
	if (s->in >= 0)
		close(s->in);
	return 0;
}

/* ---- trials ----------------------------------------------------------- */

/* Returns the number of reads, or 0 if the writer has ended. */
static uint64_t read_all(struct state *s)
{
	uint64_t reads = 0;

	s->got_most = 0;
	for (size_t left = s->total_bytes; left; reads++) {
		size_t most = lesser(left, s->size_bytes);
		ssize_t got = s->through == SHM ?
			(ssize_t)ring_read(s->ring, s->buffer, most) :
			read(s->out, s->buffer, most);

		if (got <= 0)
			return 0;
		left -= (size_t)got;
		if ((size_t)got > s->got_most)
			s->got_most = (size_t)got;
	}
	return reads;
}

/* True if every byte that the reads left in the buffer is of this trial. */
static bool is_as_sent(const struct state *s)
{
	return (unsigned char)s->buffer[0] == s->pattern &&
		!memcmp(s->buffer, s->buffer + 1, s->got_most - 1);
}

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;

	(void)ops;
	s->shared->total_bytes = s->total_bytes;
	s->shared->pattern = ++s->pattern;
	channel_send(&s->start);
	channel_receive(&s->filled);
	probe_start(probe);
	channel_send(&s->start);
	uint64_t reads = read_all(s);
	probe_stop_slept(probe, BYTE, s->total_bytes);
	if (!reads) {
		probe_fail(probe, "the writer ended early");
		return;
	}
	probe_value(probe, READ, (double)s->total_bytes / (double)reads);
	if (!is_as_sent(s))
		probe_invalid(probe, "the bytes received are not those sent");
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;
	char more;

	s->shared->total_bytes = 0;
	channel_send(&s->start);
	if (party_join(&s->writer))
		probe_invalid(probe, "the writer ended with an error");
	else if (s->through == SHM ? ring_filled(s->ring) != 0 :
				     read(s->out, &more, 1) != 0)
		probe_invalid(probe, "more bytes were sent than received");
	if (s->out >= 0)
		close(s->out);
	channel_close(&s->start);
	channel_close(&s->filled);
	ring_free(s->ring);
	party_memory_free(s->shared, sizeof *s->shared);
	free(s->buffer);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

static bool like_first(const struct args *args, const struct args *first)
{
	return args->capacity_bytes == first->capacity_bytes &&
		args->placement == first->placement;
}

/* The size with the highest rate, at the first point's capacity and
 * placement. */
static double find_peak(const struct results *results, int through,
	struct findings *findings)
{
	const struct point *best = NULL;
	double most = 0, median;
	struct text rate = { 0 };
	char name[32];

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;

		if (args->through != through ||
			!like_first(args, results->points[0].args) ||
			!results_median(results, point, BANDWIDTH, &median) ||
			median <= most)
			continue;
		most = median;
		best = point;
	}
	if (!best)
		return 0;
	snprintf(name, sizeof name, "peak-%s", throughs[through]);
	finding_value(findings, name, most, UNIT_BYTES_PER_S,
		"%s moves at most %s, at size=%s", throughs[through],
		unit_show(&rate, UNIT_BYTES_PER_S, most),
		point_value(results, best, "size"));
	text_free(&rate);
	return most;
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	double peak[THROUGHS];

	(void)facts;
	for (int i = 0; i < THROUGHS; i++)
		peak[i] = find_peak(results, i, findings);
	if (peak[SHM] > 0 && peak[PIPE] > 0)
		finding_value(findings, "shm-over-pipe",
			peak[SHM] / peak[PIPE], UNIT_NONE,
			"a ring in shared memory moves %.2f times as many "
			"bytes per second as a pipe",
			peak[SHM] / peak[PIPE]);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double bytes = (double)args->size_bytes;
	double capacity = args->capacity_bytes == PARAM_AUTO ?
		RING_BYTES :
		(double)args->capacity_bytes;
	/* Two switches move what fits into the carrier, or a single message
	 * if the reader is woken at once. */
	double fits = fmax(1, capacity / bytes);
	struct basis basis = { .facts = facts };
	struct range copies = basis_copy_ns(&basis, 2 * bytes);
	struct range change = basis_switch_ns(&basis);
	double least = copies.low / 4 + 2 * change.low / fits;
	double most = 2 * copies.high + 2 * change.high;

	if (args->through != SHM) {
		struct range call = basis_call_ns(&basis);

		least += 2 * call.low;
		/* Pages or buffers are allocated on the way. */
		most += 8 * call.high + bytes / 4096 * 500;
	}
	if (args->placement != PLACEMENT_SAME_CPU)
		most += facts_wake_ns(facts);
	prediction->hardware = (struct range){ bytes / most * 1e9,
		bytes / least * 1e9 };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"per message two copies%s, at best in the cache, and two "
		"switches per message or per filled carrier",
		args->through == SHM ? "" : ", two calls");
}

const struct experiment probe_ipc_bandwidth = {
	.name = "ipc.bandwidth",
	.title = "Bandwidth between processes",
	.question = "How fast do bytes move to another process?",
	.method =
		"A process writes messages of one size, and the measured "
		"process reads them. Each trial moves 8192 messages, but at "
		"most 4 MiB. The carrier is empty before and after. The time "
		"begins when the reader wakes the writer and ends when the "
		"reader has received the last byte, so it includes the first "
		"wake-up. Bytes are counted at the reader. A pattern that "
		"changes with each trial shows that they are those of this "
		"trial. With shm both processes copy into and out of a ring in "
		"shared memory, and sleep on a futex if it is empty or full. "
		"The actual capacity is in the notes. Buffers begin at a page. "
		"The reader does not use the bytes. With size=64K, bw_pipe and "
		"bw_unix of lmbench measure the same.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS |
		SENSITIVE_SCHEDULER | SENSITIVE_MEMORY | SENSITIVE_IDLE,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
