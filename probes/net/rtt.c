/* How long is a round trip? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "basis.h"
#include "datagrams.h"
#include "digest.h"
#include "echo.h"
#include "highlight.h"
#include "memory.h"
#include "recorder.h"
#include "results.h"
#include "tcp.h"

enum proto { TCP, UDP, ICMP };
enum {
	DATAGRAM_MOST = 65507, /* of IPv4: 65535 minus both headers */
	LOST_MS = 200,         /* added to the path's time */
	FILL = 0x5a,
};

static const char *const protos[] = { "tcp", "udp", "icmp", NULL };
static const char *const switches[] = { "off", "on", NULL };

struct args {
	struct network network;
	int proto;
	int64_t payload_bytes, reply_bytes;
	int nodelay, placement, busy_poll;
};
_Static_assert(offsetof(struct args, network) == 0, "as network.h expects");

static const struct param params[] = {
	NETWORK_ROWS(struct args, network),
	{ .name = "proto",
		.label = "protocol",
		.help = "a process answers tcp and udp, the kernel answers "
			"icmp",
		.preset = "tcp",
		CHOICE_FIELD(struct args, proto),
		.choices = protos },
	{ .name = "payload",
		.label = "payload",
		.help = "size of the request, bytes",
		.preset = "56",
		WHOLE_FIELD(struct args, payload_bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 65536 },
	{ .name = "reply",
		.label = "reply",
		.help = "size of the reply, bytes; icmp returns the request",
		.preset = "56",
		WHOLE_FIELD(struct args, reply_bytes),
		.unit = UNIT_BYTES,
		.min = 1,
		.max = 65536 },
	{ .name = "nodelay",
		.label = "no delay",
		.help = "tcp: TCP_NODELAY, no Nagle's algorithm",
		.preset = "on",
		CHOICE_FIELD(struct args, nodelay),
		.choices = switches },
	PLACEMENT_ROW(struct args, placement, "same-cpu"),
	{ .name = "busy-poll",
		.label = "busy polling",
		.help = "both ends poll instead of sleeping, on two processors",
		.preset = "off",
		CHOICE_FIELD(struct args, busy_poll),
		.choices = switches },
	{ .name = NULL },
};

enum { RTT, LOST, DUPLICATED, BETWEEN };

static const struct metric metrics[] = {
	{ .name = "rtt", .label = "round trip", .unit = UNIT_NS },
	{ .name = "lost",
		.label = "lost datagrams",
		.unit = UNIT_NONE,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "duplicated",
		.label = "duplicated datagrams",
		.unit = UNIT_NONE,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = "between",
		.label = "from the request packet to the reply packet",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

static int check(const void *context, struct error *error)
{
	const struct args *args = context;

	if (network_check(args, error))
		return -1;
	if (args->proto == ICMP && args->payload_bytes != args->reply_bytes)
		return error_set(error, STATUS_USAGE,
			"reply: an ICMP echo returns the request: expected "
			"reply=%lld, as payload=%lld",
			(long long)args->payload_bytes,
			(long long)args->payload_bytes);
	if (args->proto != TCP &&
		(args->payload_bytes > DATAGRAM_MOST ||
			args->reply_bytes > DATAGRAM_MOST))
		return error_set(error, STATUS_USAGE,
			"payload: a datagram holds at most %d bytes",
			DATAGRAM_MOST);
	if (args->proto == ICMP && args->busy_poll)
		return error_set(error, STATUS_USAGE,
			"busy-poll: the kernel answers ICMP and does not poll: "
			"expected busy-poll=off");
	if (args->busy_poll && args->placement == PLACEMENT_SAME_CPU)
		return error_set(error, STATUS_USAGE,
			"busy-poll: two polling ends need two processors: "
			"expected placement=other");
	return 0;
}

/* ---- the far end ------------------------------------------------------ */

static int peer(struct peer *peer)
{
	const struct args *args = peer->args;
	const struct echo_plan plan = {
		.stream = args->proto == TCP,
		.payload_bytes = (size_t)args->payload_bytes,
		.reply_bytes = (size_t)args->reply_bytes,
		.nodelay = args->nodelay,
		.busy = args->busy_poll,
	};

	return echo_serve(peer, &plan);
}

/* ---- the near end ----------------------------------------------------- */

static struct state {
	struct far far;
	int fd; /* tcp, udp */
	struct icmp icmp;
	struct datagrams datagrams;
	uint8_t *out, *in;         /* tcp */
	struct recorder *recorder; /* tcp */
	struct echo_watch exchanges;
	uint64_t untold; /* trials whose exchange was not emitted yet */
} state;

extern const struct experiment probe_net_rtt;

static int open_session(struct probe *probe, const struct args *args)
{
	struct far *far = &state.far;

	if (far_open(far, probe, &probe_net_rtt, &args->network,
		    probe->place[args->placement]))
		return -1;
	state.fd = far_socket(far, probe,
		args->proto == TCP ? SOCK_STREAM : SOCK_DGRAM, 0);
	if (state.fd < 0)
		return -1;
	if (args->busy_poll)
		tcp_poll_busily(state.fd);
	if (args->proto == UDP)
		return far_meet(far, probe, state.fd);
	tcp_no_delay(state.fd, args->nodelay);
	const struct annotator_options options = {
		.watch = echo_see,
		.context = &state.exchanges,
	};
	state.recorder =
		recorder_open(probe, far, CAPTURE_FOR_LATENCY, &options);
	return far_connect(far, probe, state.fd);
}

static int open_icmp(struct probe *probe, const struct args *args)
{
	if (far_path(&state.far, probe, &args->network) ||
		icmp_open(&state.icmp, &state.far, probe,
			(size_t)args->payload_bytes, FILL))
		return -1;
	state.fd = state.icmp.fd;
	probe_note(probe, "icmp-socket", "%s", state.icmp.way);
	return 0;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	size_t payload = (size_t)args->payload_bytes;
	size_t reply = (size_t)args->reply_bytes;

	memset(&state, 0, sizeof state);
	state.fd = state.icmp.fd = state.far.wire.fd = -1;
	if (probe_placed(probe, args->placement) < 0)
		return -1;
	state.out = xcalloc(1, payload);
	state.in = xcalloc(1, reply);
	memset(state.out, FILL, payload);
	memset(state.in, FILL, reply);
	if (args->proto == ICMP ? open_icmp(probe, args) :
				  open_session(probe, args))
		return -1;
	if (args->proto == TCP)
		return 0;
	if (probe->packets_fd >= 0)
		probe_note(probe, "capture",
			CAPTURE_OFF "packets are annotated for TCP only");
	datagrams_init(&state.datagrams, &state.far, probe, payload, reply);
	state.datagrams.fd = state.fd;
	state.datagrams.icmp = args->proto == ICMP ? &state.icmp : NULL;
	state.datagrams.busy = args->busy_poll;
	tcp_timeouts(state.fd, LOST_MS);
	return 0;
}

/* ---- trials ----------------------------------------------------------- */

static int exchange_bytes(struct probe *probe, const struct args *args)
{
	size_t reply = (size_t)args->reply_bytes;
	ssize_t got = 0;

	if (far_write(&state.far, probe, state.fd, state.out,
		    (size_t)args->payload_bytes))
		return -1;
	if (args->busy_poll)
		got = datagrams_spin(state.fd, state.in, reply);
	return far_read(&state.far, probe, state.fd, state.in,
		reply - (got > 0 ? (size_t)got : 0));
}

/* Packets arrive in batches: emits at most as many exchanges as trials. */
static void emit_exchanges(struct probe *probe)
{
	double took_ns;

	recorder_take(state.recorder);
	for (; state.untold && echo_take(&state.exchanges, &took_ns);
		state.untold--)
		probe_value(probe, BETWEEN, took_ns);
}

static void stream_trial(struct probe *probe, const struct args *args,
	uint64_t ops)
{
	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		if (exchange_bytes(probe, args))
			return;
	probe_stop_slept(probe, RTT, ops);
	state.untold++;
	emit_exchanges(probe);
}

/* A trial that loses a datagram restarts: only completed round trips are
 * timed. */
static void datagram_trial(struct probe *probe, uint64_t ops)
{
	struct datagrams *d = &state.datagrams;
	uint64_t lost = d->lost, duplicated = d->duplicated, done = 0;

	probe_start(probe);
	while (done < ops) {
		int got = datagrams_exchange(d, probe);

		if (got < 0)
			return;
		done = got ? done + 1 : 0;
		if (!got)
			probe_start(probe);
	}
	probe_stop_slept(probe, RTT, ops);
	double took_ns = (double)(probe_now(probe) - probe->start) * 1e9 /
		(double)ops / probe->tick_hz;
	d->slowest_ns = fmax(d->slowest_ns, took_ns);
	probe_value(probe, LOST, (double)(d->lost - lost));
	probe_value(probe, DUPLICATED, (double)(d->duplicated - duplicated));
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;

	if (args->proto == TCP)
		stream_trial(probe, args, ops);
	else
		datagram_trial(probe, ops);
}

static void cleanup(struct probe *probe)
{
	const struct args *args = probe->args;

	if (args->proto != TCP && state.datagrams.lost)
		probe_note(probe, "lost", "%llu of %llu datagrams",
			(unsigned long long)state.datagrams.lost,
			(unsigned long long)state.datagrams.sent);
	/* The last packets arrive only now. */
	recorder_stop(state.recorder, probe);
	emit_exchanges(probe);
	recorder_close(state.recorder, probe);
	if (args->proto == ICMP)
		icmp_close(&state.icmp);
	else
		close(state.fd);
	far_close(&state.far);
	datagrams_free(&state.datagrams);
	free(state.out);
	free(state.in);
}

/* ---- findings --------------------------------------------------------- */

static bool median_where(const struct results *results, const char *where,
	double *rtt)
{
	return results_median(results, results_where(results, where), RTT, rtt);
}

static void find_icmp(const struct results *results, struct findings *findings)
{
	double tcp, icmp, udp;

	if (!median_where(results, "proto=icmp", &icmp))
		return;
	if (median_where(results, "proto=tcp", &tcp))
		finding_value(findings, "tcp-over-icmp", tcp / icmp, UNIT_NONE,
			"TCP takes %.2f times as long as ICMP, which the "
			"kernel answers without waking a process",
			tcp / icmp);
	if (median_where(results, "proto=udp", &udp))
		finding_value(findings, "udp-over-icmp", udp / icmp, UNIT_NONE,
			"UDP takes %.2f times as long as ICMP", udp / icmp);
}

/* The time of sleeping and waking: the difference to a round trip in which both
 * ends poll. */
static void find_waking(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	double asleep, awake, rtt;
	struct range change;

	if (median_where(results, "busy-poll=on", &awake) &&
		median_where(results, "busy-poll=off", &asleep))
		finding_value(findings, "waking", 1 - awake / asleep,
			UNIT_PERCENT,
			"waking up is %.0f %% of the round trip: %.3g us "
			"remain without it",
			100 * (1 - awake / asleep), awake * 1e-3);
	if (!median_where(results, "proto=tcp host=loopback placement=same-cpu",
		    &rtt) ||
		!facts_measured(facts, QUANTITY_SWITCH, NULL, &change))
		return;
	double share = change.low + change.high;
	finding_value(findings, "switching", share / rtt, UNIT_PERCENT,
		"two context switches are %.0f %% of the round trip over "
		"loopback",
		100 * share / rtt);
}

static void find_between(const struct results *results,
	struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		double rtt, between;

		if (results_median(results, point, RTT, &rtt) &&
			results_median(results, point, BETWEEN, &between))
			finding_value(findings, "between", between / rtt,
				UNIT_PERCENT,
				"%.0f %% of the round trip lie between the "
				"request packet and the reply packet, as "
				"captured on this host; this host causes the "
				"rest",
				100 * between / rtt);
	}
}

static void find_lost(const struct results *results, struct findings *findings)
{
	double lost = 0, back = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct digest digest;

		if (!digest_of(results, point, LOST, &digest) ||
			!digest.summary.trials)
			continue;
		lost += digest.summary.mean * (double)digest.summary.trials;
		back += (double)digest.summary.trials *
			(double)point->series[RTT].ops;
	}
	if (lost > 0)
		finding_value(findings, "lost", lost / (lost + back),
			UNIT_PERCENT,
			"%.0f datagrams were lost, %.0f were answered",
			lost, back);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_icmp(results, findings);
	find_waking(results, facts, findings);
	find_between(results, findings);
	find_lost(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool link = !strcmp(args->network.host, "link");
	bool local = link || !strcmp(args->network.host, "loopback");
	double bits = 8 * (double)(args->payload_bytes + args->reply_bytes);
	bool apart = local && args->placement != PLACEMENT_SAME_CPU;

	/* Four system calls and the path through IP, twice; two context
	 * switches, or an interrupt to another processor and back. */
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);
	struct range change = basis_switch_ns(&basis);

	prediction->software = (struct range){ 1500 + 4 * call.low + change.low,
		20000 + 4 * call.high + 2 * change.high };
	if (args->proto == ICMP)
		prediction->software = (struct range){ 1000, 12000 };
	else if (apart && !args->busy_poll)
		prediction->software.high += facts->hypervisor ? 100000 : 15000;
	if (link) {
		double path = (double)args->network.link.rtt_ns +
			bits / (double)args->network.link.rate_bit_s * 1e9;

		prediction->hardware = (struct range){ path, path };
		prediction->software.high += 200000; /* scheduling of the
						      * relay */
	} else if (!local) {
		prediction->hardware = (struct range){ 20e3, 50e6 };
	}
	prediction_sum(prediction);
	basis_say(&basis, prediction, "%s; both kernels%s",
		link          ? "the delay of the path and the bits over its "
			"rate" :
			local ? "no network" :
				"unknown network",
		args->proto == ICMP ? "" : ", four calls, two switches");
}

const struct experiment probe_net_rtt = {
	.name = "net.rtt",
	.title = "Round trip",
	.question = "How long is a round trip?",
	.method =
		"A message goes to the remote end, which reads all of it and "
		"answers. The time runs from before the send to after the last "
		"byte of the answer; it is never halved. TCP keeps one "
		"connection and reads exact lengths. Each datagram carries a "
		"mark that identifies its answer. A datagram without answer "
		"within 200 ms and four times the slowest round trip counts as "
		"lost, and its trial starts again. A duplicated answer is "
		"counted. The kernel of the remote end answers ICMP; a note "
		"names the kind of socket used. With busy polling both ends "
		"poll instead of sleeping. With capture=on the packets of TCP "
		"are captured on this host.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PEER | TRAIT_FAULTS |
		TRAIT_TAIL,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_NETWORK |
		SENSITIVE_COALESCING | SENSITIVE_ICMP,
	PROVIDES({ QUANTITY_ROUND_TRIP, "rtt", NULL },
		{ QUANTITY_TCP_ROUND_TRIP, "rtt", "proto=tcp" }),
	.waits = network_waits,
	.check = check,
	.setup = setup,
	HIGHLIGHTS({ "loopback round trip", "rtt", "proto=tcp host=loopback" }),
	.trial = trial,
	.cleanup = cleanup,
	.peer = peer,
	.findings = findings_of,
	.predict = predict,
};
