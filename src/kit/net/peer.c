/* The far end's session. */
#include "peer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tcp.h"

enum {
	OPEN_MS = 5000,
	COOKIE_MS = 5000,
	ACCEPT_MS = PEER_SILENT_MS,
	BACKLOG = 1024,
};

static const char broke_off[] = "a data connection broke";

int peer_fail(struct peer *peer, const char *format, ...)
{
	va_list list;

	if (*peer->verdict)
		return -1;
	va_start(list, format);
	vsnprintf(peer->verdict, sizeof peer->verdict, format, list);
	va_end(list);
	return -1;
}

/* Ends the session regularly, unless it has already ended. */
static void peer_end(struct peer *peer)
{
	if (*peer->verdict)
		return;
	peer_fail(peer, "ended");
	peer->ended = true;
}

/* ---- end of the session ----------------------------------------------- */

static uint64_t age_ns(const struct peer *peer)
{
	return tick_raw_ns() - peer->began_ns;
}

bool peer_over(struct peer *peer, bool look)
{
	struct wire_in in;

	if (*peer->verdict)
		return true;
	if (peer->limits.duration_ns &&
		age_ns(peer) > peer->limits.duration_ns) {
		wire_refuse(&peer->wire, WIRE_LIMIT,
			"the session exceeds the server's time limit");
		return peer_fail(peer, "its time limit is reached");
	}
	if (!look)
		return false;
	enum wire_got got = wire_take(&peer->wire, &in);
	if (got == WIRE_MORE)
		return false;
	if (got == WIRE_FRAME && in.type == WIRE_END)
		peer_end(peer);
	else
		peer_fail(peer, "the client %s", wire_got_words(got));
	return true;
}

bool peer_spend(struct peer *peer, uint64_t bytes)
{
	peer->bytes += bytes;
	if (!peer->limits.bytes || peer->bytes <= peer->limits.bytes)
		return true;
	wire_refuse(&peer->wire, WIRE_LIMIT,
		"the session exceeds the server's byte limit");
	peer_fail(peer, "its byte limit is reached");
	return false;
}

int peer_send(struct peer *peer, unsigned type, const struct wire_out *out)
{
	if (wire_send(&peer->wire, type, out))
		return peer_fail(peer, "the client accepts no answer");
	return 0;
}

int peer_receive(struct peer *peer, struct wire_in *in, int timeout_ms)
{
	enum wire_got got = wire_receive(&peer->wire, in, timeout_ms);

	if (peer_over(peer, false))
		return -1;
	if (got != WIRE_FRAME)
		return peer_fail(peer, "the client %s", wire_got_words(got));
	if (in->type != WIRE_END)
		return in->type;
	peer_end(peer);
	return 0;
}

/* ---- data ------------------------------------------------------------- */

/* After a call that moved no data: true to continue waiting. `since_ns` is the
 * begin of the wait, 0 before it. */
static bool wait_more(struct peer *peer, uint64_t *since_ns)
{
	if (errno != EAGAIN && errno != EINTR) {
		peer_fail(peer, broke_off);
		return false;
	}
	if (!*since_ns)
		*since_ns = tick_raw_ns();
	if (peer_over(peer, true))
		return false;
	if (tick_raw_ns() - *since_ns < PEER_SILENT_MS * UINT64_C(1000000))
		return true;
	peer_fail(peer, "the client was silent for too long");
	return false;
}

int peer_read(struct peer *peer, int fd, void *into, size_t length)
{
	uint64_t since_ns = 0;
	size_t done = 0;

	while (done < length) {
		ssize_t got = recv(fd, (char *)into + done, length - done, 0);

		if (got > 0) {
			done += (size_t)got;
			since_ns = 0;
		} else if (!got) {
			return done ? peer_fail(peer, broke_off) : 0;
		} else if (!wait_more(peer, &since_ns)) {
			return -1;
		}
	}
	return peer_spend(peer, length) ? 1 : -1;
}

int peer_write(struct peer *peer, int fd, const void *from, size_t length)
{
	uint64_t since_ns = 0;
	size_t done = 0;

	while (done < length) {
		ssize_t put = send(fd, (const char *)from + done, length - done,
			MSG_NOSIGNAL);

		if (put > 0) {
			done += (size_t)put;
			since_ns = 0;
		} else if (!wait_more(peer, &since_ns)) {
			return -1;
		}
	}
	return peer_spend(peer, length) ? 1 : -1;
}

/* True if the address is that of the control connection. The child of a worker
 * has no such address; only the worker knows its listener. */
static bool from_near(const struct peer *peer,
	const struct sockaddr_storage *from)
{
	struct sockaddr_storage near = { .ss_family = AF_UNSPEC };
	socklen_t length = sizeof near;

	if (getpeername(peer->wire.fd, (struct sockaddr *)&near, &length) ||
		near.ss_family == AF_UNIX)
		return true;
	return tcp_same_host(&near, from);
}

int peer_accept_plain(struct peer *peer, int timeout_ms)
{
	struct pollfd ready[2] = {
		{ .fd = peer->listener, .events = POLLIN },
		{ .fd = peer->wire.fd, .events = POLLIN },
	};
	uint64_t end_ns = tick_raw_ns() + (uint64_t)timeout_ms * 1000000u;

	while (!peer_over(peer, ready[1].revents != 0) &&
		tick_raw_ns() < end_ns) {
		struct sockaddr_storage from;
		socklen_t length = sizeof from;

		int fd = accept4(peer->listener, (struct sockaddr *)&from,
			&length, SOCK_CLOEXEC);
		if (fd >= 0 && from_near(peer, &from))
			return fd;
		if (fd >= 0)
			close(fd);
		else
			poll(ready, 2, 1000);
	}
	return -1;
}

static bool shows_cookie(struct peer *peer, int fd)
{
	uint64_t end_ns = tick_raw_ns() + COOKIE_MS * UINT64_C(1000000);
	uint8_t shown[WIRE_COOKIE];
	size_t done = 0;

	while (done < sizeof shown && tick_raw_ns() < end_ns) {
		ssize_t got = recv(fd, shown + done, sizeof shown - done, 0);

		if (got > 0)
			done += (size_t)got;
		else if (!got || (errno != EAGAIN && errno != EINTR) ||
			peer_over(peer, true))
			return false;
	}
	return done == sizeof shown &&
		wire_same(shown, peer->cookie, sizeof shown);
}

int peer_accept(struct peer *peer)
{
	uint64_t end_ns = tick_raw_ns() + ACCEPT_MS * UINT64_C(1000000);

	while (tick_raw_ns() < end_ns) {
		int fd = peer_accept_plain(peer, ACCEPT_MS);

		if (fd < 0)
			break;
		tcp_guard(fd);
		if (shows_cookie(peer, fd))
			return fd;
		close(fd);
	}
	return peer_fail(peer, "no data connection arrived");
}

int peer_meet(struct peer *peer)
{
	struct pollfd ready[2] = {
		{ .fd = peer->datagram, .events = POLLIN },
		{ .fd = peer->wire.fd, .events = POLLIN },
	};
	uint64_t end_ns = tick_raw_ns() + ACCEPT_MS * UINT64_C(1000000);

	while (!peer_over(peer, ready[1].revents != 0) &&
		tick_raw_ns() < end_ns) {
		struct sockaddr_storage from;
		socklen_t length = sizeof from;
		uint8_t shown[WIRE_COOKIE + 1];

		poll(ready, 2, 1000);
		ssize_t got = recvfrom(peer->datagram, shown, sizeof shown,
			MSG_DONTWAIT, (struct sockaddr *)&from, &length);
		if (got != WIRE_COOKIE ||
			!wire_same(shown, peer->cookie, WIRE_COOKIE))
			continue;
		if (connect(peer->datagram, (struct sockaddr *)&from, length))
			break;
		if (send(peer->datagram, shown, WIRE_COOKIE, MSG_NOSIGNAL) ==
			WIRE_COOKIE)
			return 0;
	}
	return peer_fail(peer, "no datagram arrived");
}

/* ---- the session ------------------------------------------------------ */

int peer_ready(struct peer *peer)
{
	struct wire_out out = { 0 };

	if (listen(peer->listener, BACKLOG))
		return peer_fail(peer, "cannot listen: %s", strerror(errno));
	wire_put_u16(&out, tcp_port_of(peer->listener));
	wire_put_u16(&out, tcp_port_of(peer->datagram));
	wire_put_bytes(&out, peer->cookie, sizeof peer->cookie);
	wire_put_u32(&out, peer->limits.streams);
	return peer_send(peer, WIRE_READY, &out);
}

static int open_one(struct peer *peer, const struct sockaddr_storage *address,
	int type)
{
	struct sockaddr_storage any = *address;
	socklen_t length = tcp_set_port(&any, 0);
	int fd = socket(any.ss_family, type | SOCK_CLOEXEC, 0);

	if (fd >= 0 && !bind(fd, (struct sockaddr *)&any, length))
		return fd;
	peer_fail(peer, "cannot open a socket: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_sockets(struct peer *peer,
	const struct sockaddr_storage *address)
{
	peer->listener = open_one(peer, address, SOCK_STREAM | SOCK_NONBLOCK);
	peer->datagram = open_one(peer, address, SOCK_DGRAM);
	if (peer->listener >= 0 && peer->datagram >= 0)
		return 0;
	wire_refuse(&peer->wire, WIRE_BUSY, "the remote end %s", peer->verdict);
	return -1;
}

static int receive_open(struct peer *peer, const struct peer_session *session)
{
	struct wire_in in;
	enum wire_refusal why = WIRE_UNKNOWN;
	char sentence[256];
	int type = peer_receive(peer, &in, OPEN_MS);

	if (type <= 0)
		return -1;
	if (type != WIRE_OPEN)
		return peer_fail(peer, "the client sent an unexpected message");
	peer->experiment = peer_get_open(&in, session->experiments,
		peer->room.bytes, &why, sentence, sizeof sentence);
	if (peer->experiment)
		return 0;
	wire_refuse(&peer->wire, why, "%s", sentence);
	return peer_fail(peer, "refused: %s", sentence);
}

static int serve(struct peer *peer, const struct peer_session *session)
{
	if (receive_open(peer, session) ||
		open_sockets(peer, &session->address))
		return -1;
	int failed = peer->experiment->peer(peer);
	if (!failed)
		peer_end(peer);
	return failed;
}

int peer_session(const struct peer_session *session, char *verdict, size_t size)
{
	struct peer peer = {
		.wire = *session->wire,
		.limits = session->limits,
		.listener = -1,
		.datagram = -1,
		.began_ns = tick_raw_ns(),
	};

	peer.args = peer.room.bytes;
	wire_random(peer.cookie, sizeof peer.cookie);
	int failed = serve(&peer, session);
	if (peer.listener >= 0)
		close(peer.listener);
	if (peer.datagram >= 0)
		close(peer.datagram);
	snprintf(verdict, size, "%s%s%.2f s, %.3g MB: %s",
		peer.experiment ? peer.experiment->name : "nothing", ", ",
		(double)age_ns(&peer) * 1e-9, (double)peer.bytes * 1e-6,
		peer.verdict);
	return failed && !peer.ended ? -1 : 0;
}
