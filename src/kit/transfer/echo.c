/* The far end of round trips. */
#include "echo.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "datagrams.h"
#include "memory.h"
#include "tcp.h"

enum {
	LOOK_MS = 20, /* interval at which a waiting far end checks for the
		       * end */
	FILL = 0x5a,
};

static int echo_stream(struct peer *peer, const struct echo_plan *plan,
	char *room)
{
	size_t payload = plan->payload_bytes;
	int fd = peer_accept(peer);
	int moved;

	if (fd < 0)
		return -1;
	tcp_no_delay(fd, plan->nodelay);
	if (plan->busy)
		tcp_poll_busily(fd);
	do {
		/* Polls for the beginning; peer_read() reads the rest. */
		ssize_t begun =
			plan->busy ? datagrams_spin(fd, room, payload) : 0;

		if (begun < 0)
			begun = 0;
		moved = (size_t)begun == payload ?
			1 :
			peer_read(peer, fd, room, payload - (size_t)begun);
		if (moved > 0)
			moved = peer_write(peer, fd, room, plan->reply_bytes);
	} while (moved > 0);
	close(fd);
	return moved;
}

/* The room also fits a cookie, which may be repeated. */
static int echo_datagrams(struct peer *peer, const struct echo_plan *plan,
	char *room, size_t room_bytes)
{
	size_t payload = plan->payload_bytes;
	uint64_t heard_ns = tick_raw_ns();
	int fd = peer->datagram;

	tcp_timeouts(fd, LOOK_MS);
	if (peer_meet(peer))
		return -1;
	while (!peer_over(peer, false)) {
		ssize_t got = plan->busy ?
			datagrams_spin(fd, room, room_bytes) :
			recv(fd, room, room_bytes, 0);

		if (got == WIRE_COOKIE &&
			wire_same(room, peer->cookie, WIRE_COOKIE)) {
			/* The near end has not yet received the returned
			 * cookie. */
			send(fd, room, WIRE_COOKIE, MSG_NOSIGNAL);
		} else if (got == (ssize_t)payload) {
			send(fd, room, plan->reply_bytes, MSG_NOSIGNAL);
			peer_spend(peer, payload + plan->reply_bytes);
			heard_ns = tick_raw_ns();
		} else if (got < 0 && peer_over(peer, true)) {
			break;
		} else if (tick_raw_ns() - heard_ns >
			10 * PEER_SILENT_MS * UINT64_C(1000000)) {
			return peer_fail(peer, "no datagram arrived in time");
		}
	}
	return peer->ended ? 0 : -1;
}

int echo_serve(struct peer *peer, const struct echo_plan *plan)
{
	size_t most = plan->payload_bytes > plan->reply_bytes ?
		plan->payload_bytes :
		plan->reply_bytes;
	size_t room_bytes = most + WIRE_COOKIE + 1;
	char *room = xcalloc(1, room_bytes);

	memset(room, FILL, most);
	int failed = peer_ready(peer);
	if (!failed)
		failed = plan->stream ?
			echo_stream(peer, plan, room) :
			echo_datagrams(peer, plan, room, room_bytes);
	free(room);
	return failed;
}

/* ---- captured exchanges ----------------------------------------------- */

void echo_see(void *context, const struct sighting *sighting)
{
	struct echo_watch *watch = context;
	const struct packet *packet = sighting->packet;

	if (!packet->payload_bytes || sighting->marks & MARK_COPY)
		return;
	if (sighting->side != sighting->connection->client) {
		watch->answered_ns = packet->t_ns;
		return;
	}
	if (watch->asked_ns && watch->answered_ns > watch->asked_ns &&
		watch->count < ECHO_KEPT)
		watch->took_ns[(watch->first + watch->count++) % ECHO_KEPT] =
			(double)(watch->answered_ns - watch->asked_ns);
	/* The first packet of a request counts. */
	if (!watch->asked_ns || watch->answered_ns)
		watch->asked_ns = packet->t_ns;
	watch->answered_ns = 0;
}

bool echo_take(struct echo_watch *watch, double *took_ns)
{
	if (!watch->count)
		return false;
	*took_ns = watch->took_ns[watch->first];
	watch->first = (watch->first + 1) % ECHO_KEPT;
	watch->count--;
	return true;
}
