/* The near end's interface to the far end: a session, and data transfer. */
#include "far.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "link.h"
#include "tcp.h"

enum {
	PATIENCE_MS = 6000,
	STEP_MS = 1000,
	MEET_MS = 200,
	ENDING_MS = 2000,
};

bool far_waits(const struct far *far, struct probe *probe, uint64_t began_ns)
{
	probe_alive(probe);
	return tick_raw_ns() - began_ns < far->patience_ns &&
		!far_link_ended(far, 0);
}

int far_gone(struct far *far, struct probe *probe, const char *format, ...)
{
	char sentence[WIRE_TEXT_MAX + 1];
	va_list list;

	if (far_link_ended(far, LINK_GONE_MS))
		return probe_lost(probe, LINK_GONE);
	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	return probe_lost(probe, "%s", sentence);
}

int far_lost(struct far *far, struct probe *probe, const char *doing)
{
	struct wire_in in;
	char sentence[WIRE_TEXT_MAX + 1];

	/* The far end may have sent the reason. */
	while (wire_receive(&far->wire, &in, 50) == WIRE_FRAME) {
		if (in.type != WIRE_REFUSED)
			continue;
		wire_get_refusal(&in, sentence, sizeof sentence);
		return probe_lost(probe, "the remote end (%s) closed the "
			"session: %s",
			far->name, sentence);
	}
	return far_gone(far, probe, "lost the remote end (%s) %s", far->name,
		doing);
}

/* ---- a child at the far end ------------------------------------------- */

/* Arguments of a child, which has a copy of the worker's memory. */
struct start {
	const struct experiment *list[2];
	struct sockaddr_storage address;
	struct wire wire;
	int cpu;
};

static int serve(void *context)
{
	struct start *start = context;
	struct peer_session session = {
		.wire = &start->wire,
		.experiments = start->list,
		.address = start->address,
	};
	char verdict[256];

	party_pin(start->cpu);
	return peer_session(&session, verdict, sizeof verdict) ? 1 : 0;
}

static void *serve_loopback(void *context)
{
	serve(context);
	return NULL;
}

/* The child has descriptor 0 for its control connection, and no other. */
static int serve_link(void *context)
{
	struct start *start = context;

	start->wire.fd = 0;
	return serve(start);
}

static int start_child(struct far *far, struct probe *probe,
	const struct experiment *experiment, int cpu)
{
	struct start start = { .list = { experiment }, .cpu = cpu };
	int ends[2];

	start.address = far->address;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return probe_fail(probe, "cannot open a socket pair: %s",
			strerror(errno));
	wire_init(&far->wire, ends[0]);
	wire_init(&start.wire, ends[1]);
	start.wire.payload_most = WIRE_PAYLOAD_MAX;
	int failed;
	if (far->kind == NETWORK_LINK) {
		failed =
			far_link_spawn(far, probe, ends[1], serve_link, &start);
	} else {
		failed = party_start(&far->party, false, cpu, serve_loopback,
			&start);
		if (failed)
			probe_fail(probe, "cannot start a remote end: %s",
				strerror(-failed));
	}
	close(ends[1]);
	far->child = !failed;
	return failed ? -1 : 0;
}

/* ---- the session ------------------------------------------------------ */

static int take_refusal(struct far *far, struct probe *probe,
	struct wire_in *in)
{
	char sentence[WIRE_TEXT_MAX + 1];
	enum wire_refusal why = wire_get_refusal(in, sentence, sizeof sentence);

	if (why == WIRE_LIMIT || why == WIRE_UNKNOWN)
		return probe_unavailable(probe, "refused by %s: %s", far->name,
			sentence);
	return probe_lost(probe, "refused by %s: %s", far->name, sentence);
}

static int take_ready(struct far *far, struct probe *probe)
{
	uint64_t began_ns = tick_raw_ns();
	enum wire_got got;
	struct wire_in in;

	do
		got = wire_receive(&far->wire, &in, STEP_MS);
	while (got == WIRE_TIMEOUT && far_waits(far, probe, began_ns));
	if (got != WIRE_FRAME)
		return far_gone(far, probe, "the remote end (%s) %s", far->name,
			wire_got_words(got));
	if (in.type == WIRE_REFUSED)
		return take_refusal(far, probe, &in);
	far->tcp_port = wire_get_u16(&in);
	far->udp_port = wire_get_u16(&in);
	wire_get_bytes(&in, far->cookie, sizeof far->cookie);
	far->streams = wire_get_u32(&in);
	if (in.type == WIRE_READY && !in.bad)
		return 0;
	return far_lost(far, probe, "before it was ready");
}

static int begin(struct far *far, struct probe *probe,
	const struct experiment *experiment)
{
	struct wire_out out = { 0 };

	far->wire.payload_most = WIRE_PAYLOAD_MAX;
	peer_put_open(&out, experiment, probe->args);
	if (wire_send(&far->wire, WIRE_OPEN, &out))
		return far_lost(far, probe, "at the start");
	return take_ready(far, probe);
}

static void note(const struct far *far, struct probe *probe)
{
	if (far->kind != NETWORK_REMOTE)
		return;
	probe_note(probe, "far-end", "%s", far->machine);
	probe_note(probe, "far-end-proof",
		far->proved ? "both ends hold the same token" :
			      "none: not authenticated");
}

static int init(struct far *far, struct probe *probe,
	const struct network *network, struct network_host *host)
{
	struct sockaddr_in *own = (struct sockaddr_in *)&far->address;
	struct error error;

	memset(far, 0, sizeof *far);
	far->wire.fd = -1;
	far->patience_ns = PATIENCE_MS * UINT64_C(1000000);
	if (network_host(network->host, host, &error))
		return probe_unavailable(probe, "%s", error.message);
	far->kind = host->kind;
	snprintf(far->name, sizeof far->name, "%s",
		host->kind == NETWORK_REMOTE ? host->name : network->host);
	if (host->kind == NETWORK_LINK)
		return far_link_open(far, probe, network);
	own->sin_family = AF_INET;
	own->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return 0;
}

int far_path(struct far *far, struct probe *probe,
	const struct network *network)
{
	struct network_host host;

	if (init(far, probe, network, &host))
		return -1;
	return host.kind == NETWORK_REMOTE ? far_find(far, probe, &host) : 0;
}

int far_open(struct far *far, struct probe *probe,
	const struct experiment *experiment, const struct network *network,
	int cpu)
{
	struct network_host host;

	if (init(far, probe, network, &host))
		return -1;
	int failed = host.kind == NETWORK_REMOTE ?
		far_remote(far, probe, &host) :
		start_child(far, probe, experiment, cpu);
	if (failed || begin(far, probe, experiment)) {
		far_close(far);
		return -1;
	}
	note(far, probe);
	return 0;
}

static void end_child(struct far *far)
{
	for (int i = 0; i < ENDING_MS && !far_link_ended(far, 0); i++) {
		if (waitpid(far->party.pid, NULL, WNOHANG))
			return;
		usleep(1000);
	}
	kill(far->party.pid, SIGKILL);
	waitpid(far->party.pid, NULL, 0);
}

void far_close(struct far *far)
{
	if (far->wire.fd >= 0) {
		wire_send(&far->wire, WIRE_END, NULL);
		close(far->wire.fd);
	}
	far->wire.fd = -1;
	if (far->child)
		end_child(far);
	far->child = false;
}

/* ---- sockets ---------------------------------------------------------- */

int far_socket(struct far *far, struct probe *probe, int type, int protocol)
{
	if (far->kind == NETWORK_LINK)
		return far_link_socket(far, probe, type, protocol);
	int fd = socket(far->address.ss_family, type | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		probe_fail(probe, "cannot open a socket: %s", strerror(errno));
	return fd;
}

socklen_t far_tcp_address(const struct far *far,
	struct sockaddr_storage *address)
{
	*address = far->address;
	return tcp_set_port(address, far->tcp_port);
}

static socklen_t udp_address(const struct far *far,
	struct sockaddr_storage *address)
{
	*address = far->address;
	return tcp_set_port(address, far->udp_port);
}

/* Waits for a connection attempt, in steps. */
static int wait_connected(struct far *far, struct probe *probe, int fd)
{
	uint64_t began_ns = tick_raw_ns();
	struct pollfd made = { .fd = fd, .events = POLLOUT };

	do {
		int failed = 0;
		socklen_t length = sizeof failed;

		if (poll(&made, 1, STEP_MS) <= 0)
			continue;
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
		return failed;
	} while (far_waits(far, probe, began_ns));
	return ETIMEDOUT;
}

int far_join(struct far *far, struct probe *probe, int fd)
{
	struct sockaddr_storage address;
	socklen_t length = far_tcp_address(far, &address);
	int failed = 0;

	if (connect(fd, (struct sockaddr *)&address, length))
		failed = errno == EINPROGRESS ? wait_connected(far, probe, fd) :
						errno;
	if (!failed)
		return 0;
	return far_gone(far, probe,
		"cannot connect to port %u of the remote end (%s): %s",
		far->tcp_port, far->name, strerror(failed));
}

int far_connect(struct far *far, struct probe *probe, int fd)
{
	tcp_guard(fd);
	if (far_join(far, probe, fd))
		return -1;
	return far_write(far, probe, fd, far->cookie, sizeof far->cookie);
}

int far_meet(struct far *far, struct probe *probe, int fd)
{
	struct sockaddr_storage address;
	socklen_t length = udp_address(far, &address);
	uint64_t began_ns = tick_raw_ns();
	int wait_ms = MEET_MS + (int)(far->round_trip_ns * 2e-6);

	if (connect(fd, (struct sockaddr *)&address, length))
		return far_gone(far, probe,
			"no route to the remote end (%s): %s", far->name,
			strerror(errno));
	while (far_waits(far, probe, began_ns)) {
		struct pollfd back = { .fd = fd, .events = POLLIN };
		uint8_t shown[WIRE_COOKIE + 1];

		send(fd, far->cookie, sizeof far->cookie, MSG_NOSIGNAL);
		poll(&back, 1, wait_ms < STEP_MS ? wait_ms : STEP_MS);
		if (recv(fd, shown, sizeof shown, MSG_DONTWAIT) ==
				WIRE_COOKIE &&
			wire_same(shown, far->cookie, WIRE_COOKIE))
			return 0;
	}
	return far_gone(far, probe,
		"no datagram returns from port %u of the remote end (%s)",
		far->udp_port, far->name);
}

/* ---- data ------------------------------------------------------------- */

/* After a call that moved no data: true to continue waiting. */
static bool go_on(struct far *far, struct probe *probe, uint64_t *since_ns)
{
	if (errno != EAGAIN && errno != EINTR && errno != EINPROGRESS)
		return false;
	if (!*since_ns)
		*since_ns = tick_raw_ns();
	return far_waits(far, probe, *since_ns);
}

int far_read(struct far *far, struct probe *probe, int fd, void *into,
	size_t length)
{
	uint64_t since_ns = 0;
	size_t done = 0;

	while (done < length) {
		ssize_t got = recv(fd, (char *)into + done, length - done, 0);

		if (got > 0) {
			done += (size_t)got;
			since_ns = 0;
		} else if (!got || !go_on(far, probe, &since_ns)) {
			return far_lost(far, probe, "while waiting for data");
		}
	}
	return 0;
}

int far_write(struct far *far, struct probe *probe, int fd, const void *from,
	size_t length)
{
	uint64_t since_ns = 0;
	size_t done = 0;

	while (done < length) {
		ssize_t put = send(fd, (const char *)from + done, length - done,
			MSG_NOSIGNAL);

		if (put > 0) {
			done += (size_t)put;
			since_ns = 0;
		} else if (!go_on(far, probe, &since_ns)) {
			return far_lost(far, probe, "while sending data");
		}
	}
	return 0;
}

int far_send(struct far *far, struct probe *probe, unsigned type,
	const struct wire_out *out)
{
	if (wire_send(&far->wire, type, out))
		return far_lost(far, probe, "while sending a message");
	return 0;
}

int far_receive(struct far *far, struct probe *probe, unsigned type,
	struct wire_in *in)
{
	uint64_t began_ns = tick_raw_ns();
	enum wire_got got;

	do {
		got = wire_receive(&far->wire, in, STEP_MS);
		if (got == WIRE_FRAME && in->type == type)
			return 0;
		if (got == WIRE_FRAME && in->type == WIRE_ALIVE) {
			began_ns = tick_raw_ns();
			got = WIRE_TIMEOUT;
		}
	} while (got == WIRE_TIMEOUT && far_waits(far, probe, began_ns));
	if (got == WIRE_FRAME && in->type == WIRE_REFUSED)
		return take_refusal(far, probe, in);
	return far_gone(far, probe, "the remote end (%s) %s", far->name,
		wire_got_words(got));
}
