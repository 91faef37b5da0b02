/* What do setting up and tearing down a connection cost? */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "far.h"
#include "netstat.h"
#include "recorder.h"
#include "results.h"
#include "tcp.h"

enum how { FIN_CLIENT, FIN_SERVER, RST };
enum {
	/* Connections from one source address: half the number of ports that a
	 * kernel assigns by itself. */
	PER_ADDRESS = 14000,
	WAIT_MS = 1000,
	PACKETS_MS = 500, /* after the last packet of a connection */
};
enum frame { CLOSED = WIRE_OWN };

static const char *const ways[] = { "fin-client", "fin-server", "rst", NULL };

struct args {
	struct network network;
	int64_t count;
	int close, placement;
};
_Static_assert(offsetof(struct args, network) == 0, "as network.h expects");

static const struct param params[] = {
	NETWORK_ROWS(struct args, network),
	{ .name = "count",
		.label = "connections",
		.help = "per launch, one after the other",
		.preset = "100",
		WHOLE_FIELD(struct args, count),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 100000 },
	{ .name = "close",
		.label = "closed by",
		.help = "end that sends the first FIN and keeps TIME_WAIT; "
			"rst: a reset, without TIME_WAIT",
		.preset = "fin-client",
		CHOICE_FIELD(struct args, close),
		.choices = ways },
	PLACEMENT_ROW(struct args, placement, "same-cpu"),
	{ .name = NULL },
};

enum { CONNECT, CLOSE, LEG_A, LEG_B, FIN_FIRST, FIN_SECOND };

#define LEG_ROW(row, text) \
	{ \
		.name = (row), .label = (text), .unit = UNIT_NS, \
		.kind = METRIC_VALUE \
	}

static const struct metric metrics[] = {
	{ .name = "connect", .label = "connect()", .unit = UNIT_NS },
	{ .name = "close", .label = "close()", .unit = UNIT_NS },
	LEG_ROW("syn-to-synack", "SYN to SYN/ACK"),
	LEG_ROW("synack-to-ack", "SYN/ACK to ACK"),
	LEG_ROW("first-fin-to-ack", "first FIN to its ACK"),
	LEG_ROW("second-fin-to-ack", "second FIN to its ACK"),
	{ .name = NULL },
};

static void plan_for(const void *context, struct plan *plan)
{
	const struct args *args = context;

	plan->trials = (unsigned)args->count;
}

/* ---- the far end ------------------------------------------------------ */

/* Waits until the near end has closed; a reset appears as an error. */
static bool await_close(struct peer *peer, int fd)
{
	uint64_t began_ns = tick_raw_ns();
	char byte;

	while (recv(fd, &byte, 1, 0) < 0 && (errno == EAGAIN || errno == EINTR))
		if (peer_over(peer, true) ||
			tick_raw_ns() - began_ns >
				PEER_SILENT_MS * UINT64_C(1000000))
			return false;
	return true;
}

/* Serves one connection after the other. CLOSED reports when each is closed at
 * this end too, so that it does not affect the time of the next one. */
static int peer(struct peer *peer)
{
	const struct args *args = peer->args;

	/* Connections inherit this from the listener. */
	tcp_timeouts(peer->listener, WAIT_MS);
	if (peer_ready(peer))
		return -1;
	for (;;) {
		int fd = peer_accept_plain(peer, PEER_SILENT_MS);

		if (fd < 0)
			break;
		if (args->close != FIN_SERVER && !await_close(peer, fd))
			peer_fail(peer, "a connection was not closed");
		close(fd);
		if (peer_send(peer, CLOSED, NULL))
			break;
	}
	peer_fail(peer, "no connection arrived in time");
	return peer->ended ? 0 : -1;
}

/* ---- the near end ----------------------------------------------------- */

struct state {
	struct far far;
	struct sockaddr_storage address; /* of the far end's port */
	socklen_t length;
	uint32_t source; /* an address of 127/8 */
	uint64_t made;   /* connections from this address */
	uint64_t resent; /* connections whose SYN was retransmitted */
	uint64_t total;
	struct netstat before;
	struct recorder *recorder;
	uint64_t seen, third; /* connections in packets; with their ACK */
};
static struct state state;

extern const struct experiment probe_net_connect;

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	memset(&state, 0, sizeof state);
	state.far.wire.fd = -1;
	if (probe_placed(probe, args->placement) < 0)
		return -1;
	if (far_open(&state.far, probe, &probe_net_connect, &args->network,
		    probe->place[args->placement]))
		return -1;
	state.length = far_tcp_address(&state.far, &state.address);
	state.before = netstat_now();
	state.recorder =
		recorder_open(probe, &state.far, CAPTURE_FOR_LATENCY, NULL);
	return 0;
}

/* Ports never run out over loopback: after PER_ADDRESS connections the next
 * come from another of its 16 million addresses. */
static int choose_source(struct probe *probe, int fd)
{
	struct sockaddr_in source = { .sin_family = AF_INET };
	int later = 1;

	if (state.far.kind != NETWORK_LOOPBACK)
		return 0;
	if (!state.source || state.made >= PER_ADDRESS) {
		state.source = INADDR_LOOPBACK - 1 + 256 +
			(uint32_t)probe_random_below(probe, 1 << 23);
		state.made = 0;
	}
	state.made++;
	source.sin_addr.s_addr = htonl(state.source);
	/* connect() chooses the port, as it does for unbound sockets. */
	setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &later,
		sizeof later);
	if (!bind(fd, (struct sockaddr *)&source, sizeof source))
		return 0;
	return probe_fail(probe, "cannot bind an address of 127/8: %s",
		strerror(errno));
}

static int refused(struct probe *probe, int why)
{
	char doing[128];

	if (why == EADDRNOTAVAIL)
		return probe_fail(probe,
			"source ports exhausted after %llu connections, each "
			"kept for a minute: expected a smaller count, "
			"close=fin-server or close=rst",
			(unsigned long long)state.total);
	snprintf(doing, sizeof doing, "while connecting: %s",
		strerror(why));
	return far_lost(&state.far, probe, doing);
}

/* Waits for a connection that takes longer than the socket's timeout. */
static int await_connected(struct probe *probe, int fd)
{
	struct pollfd made = { .fd = fd, .events = POLLOUT };
	uint64_t began_ns = tick_raw_ns();
	int failed = ETIMEDOUT;
	socklen_t length = sizeof failed;

	while (far_waits(&state.far, probe, began_ns)) {
		if (poll(&made, 1, WAIT_MS) <= 0)
			continue;
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
		break;
	}
	return failed;
}

static int await_end(struct probe *probe, int fd)
{
	char byte;

	return recv(fd, &byte, 1, 0) ?
		far_lost(&state.far, probe, "while waiting for the close") :
		0;
}

/* Checks between connect() and close(): was the SYN retransmitted, has the
 * other end closed first? */
static int look(struct probe *probe, const struct args *args, int fd)
{
	struct tcp_report report;

	tcp_report(fd, &report);
	state.resent += tcp_has(&report, total_retrans) &&
		report.account.total_retrans != 0;
	state.total++;
	if (args->close == RST)
		tcp_reset_on_close(fd);
	return args->close == FIN_SERVER ? await_end(probe, fd) : 0;
}

static void emit_fin(struct probe *probe, unsigned metric,
	const struct close_leg *leg)
{
	if (leg->fin_number && leg->ack_number && leg->ack_ns >= leg->fin_ns)
		probe_value(probe, metric, (double)(leg->ack_ns - leg->fin_ns));
}

/* Emits the times that the packets of the connection from this port show. */
static void emit_legs(struct probe *probe, uint16_t port)
{
	const struct connection *connection =
		recorder_await(state.recorder, probe, port, PACKETS_MS);

	if (!connection)
		return;
	const struct handshake *handshake = &connection->handshake;
	const struct teardown *teardown = &connection->teardown;
	state.seen++;
	state.third += handshake->ack_number != 0;
	if (handshake->a.state == LEG_KNOWN)
		probe_value(probe, LEG_A, (double)handshake->a.took_ns);
	if (handshake->b.state == LEG_KNOWN)
		probe_value(probe, LEG_B, (double)handshake->b.took_ns);
	if (teardown->first >= 0) {
		emit_fin(probe, FIN_FIRST, &teardown->leg[teardown->first]);
		emit_fin(probe, FIN_SECOND, &teardown->leg[!teardown->first]);
	}
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	const struct sockaddr *to = (struct sockaddr *)&state.address;
	int fd = far_socket(&state.far, probe, SOCK_STREAM, 0);
	struct wire_in in;
	int why = 0;

	if (fd < 0)
		return;
	tcp_timeouts(fd, WAIT_MS);
	if (choose_source(probe, fd)) {
		close(fd);
		return;
	}
	probe_start(probe);
	if (connect(fd, to, state.length))
		why = errno == EINPROGRESS ? await_connected(probe, fd) : errno;
	if (!why)
		probe_stop_slept(probe, CONNECT, ops);
	if (why ? refused(probe, why) : look(probe, args, fd)) {
		close(fd);
		return;
	}
	uint16_t port = state.recorder ? tcp_port_of(fd) : 0;
	probe_start(probe);
	close(fd);
	probe_stop_slept(probe, CLOSE, ops);
	if (!far_receive(&state.far, probe, CLOSED, &in) && state.recorder)
		emit_legs(probe, port);
}

static void verify(struct probe *probe, const struct args *args)
{
	struct netstat since = netstat_since(state.before);

	if (since.known && state.far.kind != NETWORK_LINK)
		probe_note(probe, "kernel-counted",
			"%llu SYN retransmissions and %llu listen queue "
			"overflows, by all programs in this network namespace",
			(unsigned long long)since.syn_retransmissions,
			(unsigned long long)since.listen_overflows);
	if (!state.resent)
		return;
	/* On a link with loss, retransmissions are expected. */
	if (state.far.kind == NETWORK_LINK && args->network.link.loss > 0)
		probe_note(probe, "syn-sent-again", "%llu of %llu connections",
			(unsigned long long)state.resent,
			(unsigned long long)state.total);
	else
		probe_invalid(probe,
			"%llu of %llu connections retransmitted their SYN: the "
			"time includes the retransmission timeout",
			(unsigned long long)state.resent,
			(unsigned long long)state.total);
}

static void cleanup(struct probe *probe)
{
	verify(probe, probe->args);
	if (state.recorder)
		probe_note(probe, "packets",
			"of %llu connections, %llu with the third packet of "
			"the handshake",
			(unsigned long long)state.seen,
			(unsigned long long)state.third);
	recorder_close(state.recorder, probe);
	far_close(&state.far);
}

/* ---- findings --------------------------------------------------------- */

static void find_ratio(const struct results *results, const struct facts *facts,
	const struct point *point, struct findings *findings)
{
	const struct args *args = point->args;
	double connect, close_ns;
	struct range rtt;

	if (!args || !results_median(results, point, CONNECT, &connect) ||
		!results_median(results, point, CLOSE, &close_ns))
		return;
	finding_value(findings, "close-over-connect", close_ns / connect,
		UNIT_NONE, "close() takes %.*g times as long as connect() with "
			"close=%s",
		text_digits(close_ns / connect), close_ns / connect,
		ways[args->close]);
	if (!network_round_trip(facts, &args->network, &rtt))
		return;
	double ratio = connect / ((rtt.low + rtt.high) / 2);
	finding_value(findings, "connect-over-rtt", ratio, UNIT_NONE,
		"connect() takes %.2f times the round trip to host=%s with "
		"close=%s%s",
		ratio, args->network.host, ways[args->close],
		ratio < 1 ? ": it wakes no process at the remote end" : "");
}

/* The share of the network in connect(), and the part that does not wait for
 * it. */
static void find_legs(const struct results *results, const struct point *point,
	struct findings *findings)
{
	double connect, a, b;

	if (!results_median(results, point, CONNECT, &connect) ||
		!results_median(results, point, LEG_A, &a) ||
		!results_median(results, point, LEG_B, &b))
		return;
	finding_value(findings, "answered", a / connect, UNIT_PERCENT,
		"SYN to SYN/ACK is %.0f %% of connect(); the handshake ends "
		"%.3g us later, after connect() has returned",
		100 * a / connect, b * 1e-3);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		find_ratio(results, facts, &results->points[i], findings);
		find_legs(results, &results->points[i], findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool link = !strcmp(args->network.host, "link");
	struct range rtt = { 20e3, 50e6 };
	struct basis basis = { .facts = facts };

	/* A socket at both ends, and three segments through the stack. */
	struct range call = basis_call_ns(&basis);

	prediction->software =
		(struct range){ 4000 + 3 * call.low, 38000 + 3 * call.high };
	if (link) {
		rtt.low = rtt.high = (double)args->network.link.rtt_ns;
		prediction->software.high += 200000;
	} else if (!strcmp(args->network.host, "loopback")) {
		rtt = (struct range){ 0, 0 };
	} else {
		char where[300];

		snprintf(where, sizeof where, "host=%s", args->network.host);
		basis_take(&basis, QUANTITY_TCP_ROUND_TRIP, where, &rtt);
	}
	prediction->hardware = rtt;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"one round trip of the path; two sockets, three segments "
		"through the kernel");
}

const struct experiment probe_net_connect = {
	.name = "net.connect",
	.title = "Connection",
	.question = "What do setting up and tearing down a connection cost?",
	.method =
		"Connections are made one after the other. Each is timed as "
		"the caller sees it: connect() and close() from before the "
		"call to its return, without creating the socket. close() "
		"sends the first FIN, or a FIN after that of the remote end, "
		"or a reset. The next connection waits until the remote end "
		"has closed the last. Over loopback the source address in "
		"127/8 changes, so that ports are not exhausted by connections "
		"in TIME_WAIT. A retransmitted SYN, by the kernel's account, "
		"makes the visit invalid. With capture=on the packets show the "
		"parts of the handshake: connect() returns with the SYN/ACK "
		"and does not include the third packet.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_PEER | TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_NETWORK |
		SENSITIVE_COALESCING | SENSITIVE_PORTS,
	.plan_for = plan_for,
	.waits = network_waits,
	.check = network_check,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.peer = peer,
	.findings = findings_of,
	.predict = predict,
};
