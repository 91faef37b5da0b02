/* How does a new connection find its speed? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "recorder.h"
#include "results.h"
#include "tcp_timeline_feed.h"
#include "tcp_timeline_tell.h"
#include "upload.h"

enum {
	AWAIT_MS = 2000,
	FEW_BYTES = 100 * 1000,
	MANY_BYTES = 1000 * 1000,
};
#define SHARE 0.9 /* of the path, reached when the speed is found */
/* 1448 bytes of data in each packet of 1500. */
#define DATA_SHARE    (1448.0 / 1500)
#define INITIAL_BYTES (10 * 1448.0)

struct args {
	struct network network;
	int congestion;
	int64_t bytes, receive_buffer_bytes;
	int placement;
};
_Static_assert(offsetof(struct args, network) == 0, "as network.h expects");

static const struct param params[] = {
	NETWORK_ROWS_OF(struct args, network, "link"),
	CONGESTION_ROW(struct args, congestion, "cubic,reno"),
	{ .name = "bytes",
		.label = "bytes",
		.help = "bytes that each connection carries",
		.preset = "4M",
		WHOLE_FIELD(struct args, bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 1 << 30 },
	{ .name = "receive-buffer",
		.label = "receive buffer",
		.help = "at the remote end; limits its window; auto: the "
			"kernel sizes it",
		.preset = "auto",
		WHOLE_FIELD(struct args, receive_buffer_bytes),
		.unit = UNIT_BYTES,
		.min = 4096,
		.max = 16 << 20,
		.automatic = true },
	PLACEMENT_ROW(struct args, placement, "other"),
	{ .name = NULL },
};

enum {
	FOUND,
	INITIAL,
	GROWTH,
	MOST,
	FEW,
	MANY,
	RESENT,
	RECOVERY,
	SEQUENCE,
	ACKED,
	IN_FLIGHT,
	WINDOW,
};

#define VALUE_ROW(row, text, of, which) \
	{ \
		.name = (row), .label = (text), .unit = (of), \
		.better = (which##_IS_BETTER), .kind = METRIC_VALUE \
	}
#define COUNT_ROW(row, text, which) \
	{ \
		.name = (row), .label = (text), .unit = UNIT_COUNT, \
		.better = (which##_IS_BETTER), .kind = METRIC_VALUE, \
		.steady = true \
	}
#define TRACE_ROW(row, text) \
	{ \
		.name = (row), .label = (text), .unit = UNIT_BYTES, \
		.better = NEITHER_IS_BETTER, .kind = METRIC_TRACE, \
		.across = "time since connect()", \
		.across_unit = UNIT_NS \
	}

static const struct metric metrics[] = {
	VALUE_ROW("to-90", "time to 90 % of the path", UNIT_NS, LESS),
	COUNT_ROW("initial-window", "segments of the first round", NEITHER),
	VALUE_ROW("growth", "growth per round in slow start", UNIT_NONE,
		NEITHER),
	VALUE_ROW("peak", "most in flight until slow start ended", UNIT_BYTES,
		NEITHER),
	COUNT_ROW("rounds-100k", "rounds for 100 KB", LESS),
	COUNT_ROW("rounds-1m", "rounds for 1 MB", LESS),
	VALUE_ROW("retransmissions", "segments retransmitted",
		UNIT_COUNT, LESS),
	VALUE_ROW("recovery", "from the first loss to recovery", UNIT_NS, LESS),
	TRACE_ROW("sequence", "sent"),
	TRACE_ROW("acknowledgement", "acknowledged"),
	TRACE_ROW("in-flight", "in flight"),
	TRACE_ROW("window", "congestion window"),
	{ .name = NULL },
};

static int peer(struct peer *peer)
{
	const struct args *args = peer->args;

	return upload_serve(peer, args->receive_buffer_bytes);
}

/* ---- the near end ----------------------------------------------------- */

/* In the order of tell_timeline(). */
static const unsigned traces[TELL_TRACES] = { SEQUENCE, ACKED, IN_FLIGHT };

struct state {
	struct far far;
	struct recorder *recorder;
	struct upload upload;
	struct tcp_timeline timeline; /* from packets, or from samples without a
				       * capture */
	struct window_log window;
};
static struct state state;

extern const struct experiment probe_net_slowstart;

/* Takes a packet of the connection, as annotated. */
static void watch(void *context, const struct sighting *sighting)
{
	timeline_take_packet(context, sighting, state.upload.port);
}

/* Appends the reports that the screen draws with the packets. */
static void tell_packets(const struct probe *probe, int64_t t_ns,
	const struct tcp_report *report)
{
	const struct args *args = probe->args;
	const struct upload *upload = &state.upload;
	bool link = state.far.kind == NETWORK_LINK;

	if (!state.window.count)
		packets_tell_path(probe->packets_fd, upload->port,
			upload->begin_ns, upload->used,
			link ? &args->network.link : NULL);
	packets_tell_sample(probe->packets_fd, upload->port, t_ns, report);
}

static void sample(void *context, int64_t t_ns, const struct tcp_report *report)
{
	if (!tcp_has(report, total_retrans))
		return;
	tell_packets(context, t_ns, report);
	window_log_take(&state.window, report, t_ns);
	if (!state.recorder)
		timeline_take_report(&state.timeline, report, t_ns);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	const struct annotator_options options = {
		.paced = !strcmp(network_controls[args->congestion], "bbr"),
		.watch = watch,
		.context = &state.timeline,
	};

	memset(&state, 0, sizeof state);
	state.far.wire.fd = -1;
	if (!strcmp(args->network.host, "loopback"))
		return probe_unavailable(probe,
			"not observable: a loopback round trip is shorter than "
			"sending a flight; use host=link");
	if (probe_placed(probe, args->placement) < 0)
		return -1;
	if (far_open(&state.far, probe, &probe_net_slowstart, &args->network,
		    probe->place[args->placement]))
		return -1;
	state.recorder =
		recorder_open(probe, &state.far, CAPTURE_FOR_LATENCY, &options);
	state.upload = (struct upload){
		.bytes = (uint64_t)args->bytes,
		.congestion = network_controls[args->congestion],
		.sample = sample,
		.context = probe,
	};
	return 0;
}

/* ---- results of a trial ----------------------------------------------- */

static double path_bytes_s(const struct args *args)
{
	if (state.far.kind == NETWORK_LINK)
		return (double)args->network.link.rate_bit_s / 8 * DATA_SHARE;
	/* On an unknown path: the delivery rate of the kernel. */
	return tcp_has(&state.upload.last, delivery_bytes_s) ?
		(double)state.upload.last.account.delivery_bytes_s :
		0;
}

static int64_t round_trip_ns(const struct args *args)
{
	if (state.far.kind == NETWORK_LINK && args->network.link.rtt_ns)
		return args->network.link.rtt_ns;
	return (int64_t)state.upload.last.account.rtt_us * 1000;
}

static void emit_packets(struct probe *probe,
	const struct connection *connection)
{
	const struct side *sender = &connection->side[connection->client];
	const struct rounds *rounds = &sender->rounds;
	struct initial_window first =
		side_initial_window(connection, connection->client);
	unsigned few = rounds_until(rounds, FEW_BYTES);
	unsigned many = rounds_until(rounds, MANY_BYTES);
	double growth = rounds_growth(rounds);

	if (rounds->basis == ROUNDS_TOO_SHORT) {
		probe_note(probe, "rounds",
			"not observable: the round trip is shorter than "
			"sending a flight");
		return;
	}
	if (first.state == WINDOW_WHOLE)
		probe_value(probe, INITIAL, (double)first.segments);
	if (isfinite(growth))
		probe_value(probe, GROWTH, growth);
	const struct slow_start_exit exit = side_exit(sender);
	if (exit.reason != EXIT_NONE)
		probe_value(probe, MOST, (double)exit.in_flight_bytes);
	if (few)
		probe_value(probe, FEW, few);
	if (many)
		probe_value(probe, MANY, many);
	tell_rounds(probe, rounds);
	/* A threshold set before any retransmission confirms HyStart. */
	tell_end(probe, &exit,
		state.window.threshold && !state.window.resent_then,
		state.far.kind == NETWORK_LINK ? path_bytes_s(probe->args) *
				1e-9 * (double)round_trip_ns(probe->args) :
						 0);
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	const struct connection *connection;

	(void)ops;
	recorder_take(state.recorder);
	timeline_begin(&state.timeline, 0);
	state.upload.port = 0;
	window_log_begin(&state.window);
	if (upload_run(&state.upload, &state.far, probe))
		return;
	state.timeline.begin_ns = state.upload.begin_ns;
	connection = recorder_await(state.recorder, probe, state.upload.port,
		AWAIT_MS);
	double rate = path_bytes_s(args);
	uint32_t resent = state.upload.last.account.total_retrans;
	int64_t found_ns = rate > 0 ?
		timeline_reached(&state.timeline, SHARE * rate,
			round_trip_ns(args)) :
		UNKNOWN_NS;
	if (found_ns != UNKNOWN_NS)
		probe_value(probe, FOUND, (double)found_ns);
	probe_value(probe, RESENT, resent);
	if (timeline_recovery(&state.timeline) != UNKNOWN_NS)
		probe_value(probe, RECOVERY,
			(double)timeline_recovery(&state.timeline));
	if (connection) {
		emit_packets(probe, connection);
		recorder_tell_resent(state.recorder, probe, resent);
	}
	tell_timeline(probe, &state.timeline, traces);
	window_log_tell(&state.window, probe, WINDOW, state.upload.begin_ns);
}

static void cleanup(struct probe *probe)
{
	recorder_close(state.recorder, probe);
	far_close(&state.far);
	timeline_free(&state.timeline);
}

/* ---- findings --------------------------------------------------------- */

static void find_shape(const struct results *results, const struct point *point,
	const char *with, struct findings *findings)
{
	const char *rounds = point_note(point, "rounds");
	const char *ended = point_note(point, "ended");
	double initial, growth;

	if (results_median(results, point, INITIAL, &initial))
		finding_value(findings, "initial-window", initial, UNIT_COUNT,
			"%s: the initial window is %.3g segment%s", with,
			initial, initial == 1 ? "" : "s");
	if (rounds && results_median(results, point, GROWTH, &growth))
		finding_value(findings, "growth", growth, UNIT_NONE,
			"%s: segments per round %s: in slow start each round "
			"is %.2f times the previous one",
			with, rounds, growth);
	if (ended)
		finding_add(findings, "ended", "%s: slow start ended by %s",
			with, ended);
}

static void find_losses(const struct results *results,
	const struct point *point, const char *with, struct findings *findings)
{
	double resent, recovery;
	struct text took = { 0 };

	if (!results_median(results, point, RESENT, &resent))
		return;
	/* The median of an even number of connections may end in .5. */
	int decimals = floor(resent) < resent;
	/* If most connections lost nothing, RECOVERY is from the others. */
	if (resent <= 0 ||
		!results_median(results, point, RECOVERY, &recovery)) {
		finding_value(findings, "losses", resent, UNIT_COUNT,
			"%s: retransmitted segments: %.*f", with,
			decimals, resent);
		return;
	}
	unit_show(&took, UNIT_NS, recovery);
	finding_value(findings, "losses", resent, UNIT_COUNT,
		"%s: retransmitted segments: %.*f; recovery took %s", with,
		decimals, resent, took.chars);
	text_free(&took);
}

static void find_speed(const struct results *results, const struct point *point,
	const char *with, struct findings *findings)
{
	double found, few, many;
	struct text took = { 0 };

	if (results_median(results, point, FOUND, &found)) {
		unit_show(&took, UNIT_NS, found);
		finding_value(findings, "to-90", found, UNIT_NS,
			"%s: 90 %% of the path were used after %s", with,
			took.chars);
	}
	if (results_median(results, point, FEW, &few))
		finding_value(findings, "rounds-100k", few, UNIT_COUNT,
			"%s: 100 KB take %.3g rounds", with, few);
	if (results_median(results, point, MANY, &many))
		finding_value(findings, "rounds-1m", many, UNIT_COUNT,
			"%s: 1 MB takes %.3g rounds", with, many);
	text_free(&took);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct text with = { 0 };

		if (point->state != POINT_OK || !point->args)
			continue;
		point_describe(results, point, true, &with);
		if (!with.length)
			text_add(&with, "congestion=%s",
				point_value(results, point, "congestion"));
		find_shape(results, point, text_chars(&with), findings);
		find_losses(results, point, text_chars(&with), findings);
		find_speed(results, point, text_chars(&with), findings);
		text_free(&with);
	}
}

/* The initial window doubles every round trip until it is the path's
 * bandwidth-delay product. The handshake takes one round trip. */
static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double rtt = (double)args->network.link.rtt_ns;
	double path = (double)args->network.link.rate_bit_s / 8 * rtt * 1e-9;
	double rounds =
		ceil(fmax(log2(SHARE * path * DATA_SHARE / INITIAL_BYTES), 0));

	(void)facts;
	if (strcmp(args->network.host, "link"))
		return;
	prediction->hardware =
		(struct range){ rtt * (rounds + 1), rtt * (rounds + 3) };
	prediction->software = (struct range){ 0, 2e6 };
	prediction_sum(prediction);
	snprintf(prediction->why, sizeof prediction->why,
		"10 segments x 2^round up to %.0f KB (bandwidth x delay): "
		"handshake one round trip, doubling %.0f, acknowledgement up "
		"to two",
		path * 1e-3, rounds);
}

const struct experiment probe_net_slowstart = {
	.name = "net.slowstart",
	.title = "Slow start",
	.question = "How does a new connection find its speed?",
	.method =
		"Each trial is a new connection that carries its bytes over a "
		"path of known rate and delay. The sender always has data. "
		"Packets are captured at the local end and annotated. "
		"Timestamp echoes separate the rounds; the first round is the "
		"initial window. The congestion window is the kernel's "
		"(TCP_INFO), sampled every millisecond. 90 % of the path are "
		"reached when one round trip acknowledges as much. "
		"Retransmissions in the packets are compared with the kernel's "
		"count. Without permission to capture, only the figures from "
		"TCP_INFO remain.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1,
		.trials = 1,
		.launches = 6,
		.budget_ns = INT64_C(60000000000),
		.traces = TELL_POINTS * (TELL_TRACES + 1) },
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PEER |
		TRAIT_FAULTS | TRAIT_CAPTURE,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_NETWORK |
		SENSITIVE_CONGESTION | SENSITIVE_LINK,
	.waits = network_waits,
	.check = network_check,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.peer = peer,
	.findings = findings_of,
	.predict = predict,
};
