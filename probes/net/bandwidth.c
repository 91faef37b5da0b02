/* How fast do bytes cross? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "basis.h"
#include "bulk_packets.h"
#include "cache_sizes.h"
#include "digest.h"
#include "results.h"

enum mode { MESSAGE, STREAM };
enum direction_of { UP, DOWN };
enum {
	WARM_MESSAGES = 3,
	WARM_NS = 200 * 1000 * 1000,
	LOCAL_NS = 100 * 1000 * 1000,      /* of a stream */
	ROUNDS = 50,                       /* or this number of round trips */
	UNCAPTURED_MOST = 100,             /* transfers for comparison, */
	UNCAPTURED_NS = 300 * 1000 * 1000, /* before and after the trials */
};
#define FAR_NS 1e9

static const char *const modes[] = { "message", "stream", NULL };
static const char *const directions[] = { "up", "down", NULL };

struct args {
	struct network network;
	int mode;
	int64_t size_bytes;
	int direction, congestion;
	int64_t buffer_bytes, streams, duration_ns;
	int placement;
};
_Static_assert(offsetof(struct args, network) == 0, "as network.h expects");

static const struct param params[] = {
	NETWORK_ROWS(struct args, network),
	{ .name = "mode",
		.label = "mode",
		.help = "stream: new connections for a duration; message: each "
			"timed, on permanent connections",
		.preset = "stream",
		CHOICE_FIELD(struct args, mode),
		.choices = modes },
	{ .name = "size",
		.label = "size",
		.help = "size of a stream's writes, or of a message",
		.preset = "512..32M*4",
		WHOLE_FIELD(struct args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 1 << 30 },
	{ .name = "direction",
		.label = "direction",
		.help = "up: to the remote end; down: from the remote end",
		.preset = "up",
		CHOICE_FIELD(struct args, direction),
		.choices = directions },
	CONGESTION_ROW(struct args, congestion, "default"),
	{ .name = "buffer",
		.label = "socket buffers",
		.help = "at both ends; auto: the kernel sizes them",
		.preset = "auto",
		WHOLE_FIELD(struct args, buffer_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 16 << 20,
		.automatic = true },
	{ .name = "streams",
		.label = "streams",
		.help = "number of parallel connections",
		.preset = "1",
		WHOLE_FIELD(struct args, streams),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = TRANSFER_STREAMS },
	{ .name = "duration",
		.label = "duration",
		.help = "duration of a stream; auto: 100ms on this machine, "
			"else 1s or 50 round trips",
		.preset = "auto",
		WHOLE_FIELD(struct args, duration_ns),
		.unit = UNIT_NS,
		.min = 10e6,
		.max = BULK_MAX_NS,
		.automatic = true },
	PLACEMENT_ROW(struct args, placement, "other"),
	{ .name = NULL },
};

enum {
	BANDWIDTH,
	GOODPUT,
	STEADY,
	SENDER,
	PER_READ,
	READS,
	UNCAPTURED,
	EACH,
};

#define VALUE_ROW(row, text, of) \
	{ \
		.name = (row), .label = (text), .unit = (of), \
		.better = MORE_IS_BETTER, .kind = METRIC_VALUE \
	}

static const struct metric metrics[] = {
	VALUE_ROW("bandwidth", "bandwidth, from first write to last read",
		UNIT_BITS_PER_S),
	VALUE_ROW("goodput", "goodput, timed by the receiver", UNIT_BITS_PER_S),
	VALUE_ROW("steady", "goodput of the second half", UNIT_BITS_PER_S),
	VALUE_ROW("sender", "rate accepted by the sender's calls",
		UNIT_BITS_PER_S),
	VALUE_ROW("bytes-per-read", "bytes per read", UNIT_BYTES),
	VALUE_ROW("reads", "reads per second", UNIT_NONE),
	VALUE_ROW("uncaptured", "bandwidth without capture", UNIT_BITS_PER_S),
	{ .name = "each",
		.label = "bytes of each read",
		.unit = UNIT_BYTES,
		.kind = METRIC_TRACE,
		.across = "time since the first",
		.across_unit = UNIT_NS },
	{ .name = NULL },
};

static struct bulk_plan plan_of(const struct args *args)
{
	return (struct bulk_plan){
		.up = args->direction == UP,
		.fresh = args->mode == STREAM,
		.bytes = args->mode == STREAM ? 0 : (uint64_t)args->size_bytes,
		.call_bytes = (size_t)args->size_bytes,
		.streams = (size_t)args->streams,
		.congestion = network_controls[args->congestion],
		.buffer_bytes = args->buffer_bytes,
	};
}

static int peer(struct peer *peer)
{
	struct bulk_plan plan = plan_of(peer->args);

	return bulk_serve(peer, &plan);
}

/* ---- the near end ----------------------------------------------------- */

struct state {
	struct bulk bulk;
	struct bulk_packets packets;
	bool traced;
};
static struct state state;

extern const struct experiment probe_net_bandwidth;

static uint64_t duration_of(const struct args *args, const struct far *far)
{
	if (args->duration_ns != PARAM_AUTO)
		return (uint64_t)args->duration_ns;
	if (far->kind == NETWORK_LOOPBACK)
		return LOCAL_NS;
	return (uint64_t)fmin(fmax(FAR_NS, ROUNDS * far->round_trip_ns),
		BULK_MAX_NS);
}

/* Transfers messages until the connections have reached their speed. */
static int warm(const struct args *args)
{
	uint64_t begin_ns = tick_raw_ns();

	for (int i = 0; i < WARM_MESSAGES && args->mode == MESSAGE &&
		tick_raw_ns() - begin_ns < WARM_NS;
		i++)
		if (bulk_transfer(&state.bulk))
			return -1;
	return 0;
}

/* One transfer, with its rate as a metric. */
static int exchange(struct probe *probe, unsigned metric)
{
	if (bulk_transfer(&state.bulk))
		return -1;
	if (state.bulk.took_ns)
		probe_value(probe, metric,
			8e9 * (double)state.bulk.end.receipt.bytes /
				(double)state.bulk.took_ns);
	return 0;
}

static int exchange_uncaptured(struct probe *probe)
{
	uint64_t begin_ns = tick_raw_ns();

	for (int i = 0;
		i < UNCAPTURED_MOST && tick_raw_ns() - begin_ns < UNCAPTURED_NS;
		i++)
		if (exchange(probe, UNCAPTURED))
			return -1;
	return 0;
}

/* The cost of capture: transfers without it before the trials and as many after
 * them, so that a change of the machine's speed affects both alike. The first
 * transfer is not used, because it fills empty buffers. */
static int setup_capture(struct probe *probe)
{
	const struct args *args = probe->args;

	if (probe->packets_fd < 0)
		return 0;
	if (bulk_transfer(&state.bulk) || exchange_uncaptured(probe))
		return -1;
	bulk_packets_open(&state.packets, &state.bulk, probe,
		state.bulk.far.kind == NETWORK_LINK ? &args->network.link :
						      NULL);
	return 0;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct bulk_plan plan = plan_of(args);
	int cpu = probe_placed(probe, args->placement);

	if (cpu < 0)
		return -1;
	state.traced = false;
	state.packets.recorder = NULL;
	int failed = bulk_open(&state.bulk, probe, &probe_net_bandwidth,
		&args->network, cpu, &plan);
	if (!failed) {
		bulk_last(&state.bulk, duration_of(args, &state.bulk.far));
		failed = warm(args) || setup_capture(probe);
	}
	/* The engine does not clean up after a failed setup(). */
	if (failed)
		bulk_close(&state.bulk);
	return failed ? -1 : 0;
}

static void emit_trace(struct probe *probe, const struct receipt *receipt)
{
	if (state.traced || probe->quiet)
		return;
	state.traced = true;
	for (size_t i = 0; i < receipt->trace_count; i++)
		probe_trace(probe, EACH, (double)receipt->trace[i].at_ns,
			(double)receipt->trace[i].bytes);
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct receipt *receipt = &state.bulk.end.receipt;
	const struct dispatch *dispatch = &state.bulk.end.dispatch;

	(void)ops;
	if (exchange(probe, BANDWIDTH))
		return;
	bulk_packets_after(&state.packets, &state.bulk);
	double whole_s = (double)receipt->whole_ns * 1e-9;
	double steady_s = (double)receipt->steady_ns * 1e-9;
	double bytes = (double)receipt->bytes;
	if (receipt->whole_ns) {
		probe_value(probe, GOODPUT, 8 * bytes / whole_s);
		probe_value(probe, READS, (double)receipt->reads / whole_s);
	}
	if (receipt->steady_ns)
		probe_value(probe, STEADY,
			8 * (double)receipt->steady_bytes / steady_s);
	if (dispatch->took_ns)
		probe_value(probe, SENDER,
			8e9 * (double)dispatch->bytes /
				(double)dispatch->took_ns);
	probe_value(probe, PER_READ, bytes / (double)receipt->reads);
	emit_trace(probe, receipt);
}

static void cleanup(struct probe *probe)
{
	bool captured = state.packets.recorder != NULL;

	bulk_packets_close(&state.packets, &state.bulk, probe);
	if (captured && !probe->outcome)
		exchange_uncaptured(probe);
	bulk_close(&state.bulk);
}

/* ---- findings --------------------------------------------------------- */

static bool exceeds_l2(const struct facts *facts, double bytes)
{
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	return cache_sizes_level(&sizes, bytes) > 1;
}

static void find_shape(const struct results *results, const struct facts *facts,
	struct findings *findings)
{
	const struct args *peak = NULL, *least = NULL, *most = NULL;
	double best = 0, smallest = 0, largest = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;
		double bandwidth;

		if (!args ||
			!results_median(results, &results->points[i], BANDWIDTH,
				&bandwidth))
			continue;
		if (bandwidth > best) {
			best = bandwidth;
			peak = args;
		}
		if (!least || args->size_bytes < least->size_bytes) {
			least = args;
			smallest = bandwidth;
		}
		if (!most || args->size_bytes > most->size_bytes) {
			most = args;
			largest = bandwidth;
		}
	}
	if (!peak || least == most)
		return;
	struct text at = { 0 }, rate = { 0 };
	unit_show(&at, UNIT_BYTES, (double)peak->size_bytes);
	unit_show(&rate, UNIT_BITS_PER_S, best);
	finding_value(findings, "peak", best, UNIT_BITS_PER_S,
		"the highest bandwidth is at %s: %s", at.chars, rate.chars);
	double extra_us =
		8e6 * (double)least->size_bytes * (1 / smallest - 1 / best);
	if (smallest < .8 * best)
		finding_value(findings, "small", smallest / best, UNIT_PERCENT,
			"the smallest size reaches %.0f %% of that: calls, "
			"segments, wake-ups and the path's delay have a fixed "
			"cost, about %.*g us here",
			100 * smallest / best, text_digits(extra_us), extra_us);
	if (largest < .9 * best)
		finding_value(findings, "large", largest / best, UNIT_PERCENT,
			"the largest size reaches %.0f %%: %s",
			100 * largest / best,
			exceeds_l2(facts, (double)most->size_bytes) ?
				"the data exceeds the caches of the copying "
				"core" :
				"the sender waits for the receiver's buffer");
	text_free(&at);
	text_free(&rate);
}

/* The kernel's default congestion control may be bbr. */
static void find_pacing(const struct results *results,
	struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct args *args = results->points[i].args;
		const char *control = point_note(&results->points[i],
			"congestion-control");

		if (!args || args->mode != MESSAGE || !control ||
			strncmp(control, "bbr", 3) != 0)
			continue;
		finding_add(findings, "paced",
			"%s paces a stream, but not a message that fits into "
			"the congestion window: a message can be faster",
			control);
		return;
	}
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_shape(results, facts, findings);
	find_pacing(results, findings);
	bulk_packets_cost(results, BANDWIDTH, UNCAPTURED, findings);
}

/* 1448 of the 1500 bytes of a packet are data. A message also takes half a
 * round trip, and at worst the rounds of slow start from ten segments. */
static struct range predict_link(const struct args *args)
{
	double rate = (double)args->network.link.rate_bit_s;
	double trip_s = (double)args->network.link.rtt_ns * 1e-9;
	double bits = 8 * (double)args->size_bytes;
	double rounds = log2(1 + (double)args->size_bytes / 14480);
	struct range range = { .9 * rate, rate * 1448 / 1500 };

	if (args->mode == STREAM)
		return range;
	return (struct range){
		bits / (bits / range.low + (.5 + rounds) * trip_s),
		bits / (bits / range.high + .5 * trip_s),
	};
}

/* Two copies, and one to three microseconds per call. The source of a copy may
 * be cached. The receiver of a message has to wake up. */
static struct range predict_loopback(const struct args *args,
	struct basis *basis)
{
	double bytes = (double)args->size_bytes;
	struct range copy = basis_copy_ns(basis, bytes);
	struct range wake = { 0, 0 };

	if (args->mode == MESSAGE) {
		wake = basis_switch_ns(basis);
		wake.high += basis->facts->hypervisor ? 50e3 : 10e3;
	}
	return (struct range){
		8e9 * bytes / (3 * copy.high + 3e3 + wake.high),
		8e9 * bytes / (copy.low / 2 + 300 + wake.low),
	};
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	const char *message = args->mode == STREAM ? "" :
						     ", and for a message ";

	if (!strcmp(args->network.host, "link")) {
		prediction->hardware = predict_link(args);
		basis_say(&basis, prediction,
			"the link rate, 1448 of 1500 bytes being data%s%s",
			message, *message ? "half a round trip and slow start" :
					    ", less the time of slow start");
	} else if (!strcmp(args->network.host, "loopback")) {
		prediction->hardware = predict_loopback(args, &basis);
		basis_say(&basis, prediction,
			"one to three memory copies, and calls of 0.3 to 3 us"
			"%s%s",
			message, *message ? "waking the receiver" : "");
	} else {
		prediction->hardware = (struct range){ 10e6, 10e9 };
		basis_say(&basis, prediction, "unknown link rate");
	}
	prediction_sum(prediction);
}

const struct experiment probe_net_bandwidth = {
	.name = "net.bandwidth",
	.title = "Bandwidth",
	.question = "How fast do bytes cross?",
	.method =
		"The time runs from before the sender's first write to the "
		"return of the receiver's last read. Both ends of one host "
		"read the same clock. Between hosts the time runs to the "
		"acknowledgement of the transfer, less half the round trip in "
		"the note. Messages use persistent connections; the next one "
		"starts when the remote end has reported the last. A stream "
		"opens new connections, writes to them for a while and closes "
		"them. A message that fits into the congestion window waits "
		"for no acknowledgement, so it can be faster than a stream "
		"that bbr paces. Goodput is timed by the receiver, from the first "
		"readable byte. If a message is completely in its buffers "
		"before the receiver wakes up, that times only the reading. "
		"The steady figure is that of the second half, by bytes or by "
		"time; it excludes slow start. The sender's rate is higher, "
		"because some accepted bytes are still in buffers. Buffers, "
		"congestion control, segments and retransmissions are the "
		"kernel's account (TCP_INFO) before closing. With capture=on "
		"each launch begins and ends with transfers that are not "
		"captured. The cost of capture is the difference within a "
		"launch.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .traces = TRANSFER_TRACE + 2 * UNCAPTURED_MOST },
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PEER |
		TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_NETWORK |
		SENSITIVE_CONGESTION,
	.waits = network_waits,
	.check = network_check,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.peer = peer,
	.findings = findings_of,
	.predict = predict,
};
