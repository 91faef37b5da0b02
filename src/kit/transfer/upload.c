/* One new connection to the far end. */
#include "upload.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "account.h"
#include "memory.h"
#include "packets.h"

enum {
	DONE = WIRE_OWN,
	CALL_BYTES = 64 * 1024,
	ROOM_BYTES = 256 * 1024,
	SAMPLE_NS = 1000 * 1000,
	WAIT_MS = 1000,
	FILL = 0x5a,
};

/* ---- the far end ------------------------------------------------------ */

/* Reads a connection to its end. */
static bool read_all(struct peer *peer, int fd, char *room, uint64_t *bytes)
{
	uint64_t moved_ns = tick_raw_ns();

	for (*bytes = 0;;) {
		ssize_t got = recv(fd, room, ROOM_BYTES, 0);

		if (!got)
			return true;
		if (got > 0) {
			*bytes += (uint64_t)got;
			moved_ns = tick_raw_ns();
			if (!peer_spend(peer, (uint64_t)got))
				return false;
			continue;
		}
		if ((errno != EAGAIN && errno != EINTR) ||
			peer_over(peer, true) ||
			tick_raw_ns() - moved_ns >
				PEER_SILENT_MS * UINT64_C(1000000) ||
			peer_send(peer, WIRE_ALIVE, NULL))
			return false;
	}
}

static int serve(struct peer *peer, char *room)
{
	for (;;) {
		struct wire_out out = { 0 };
		uint64_t bytes;
		int fd = peer_accept_plain(peer, PEER_SILENT_MS);

		if (fd < 0)
			break;
		bool whole = read_all(peer, fd, room, &bytes);
		wire_put_u64(&out, bytes);
		if (whole)
			whole = !peer_send(peer, DONE, &out);
		close(fd);
		if (!whole)
			return peer_fail(peer, "a transfer broke");
	}
	peer_fail(peer, "no connection arrived in time");
	return peer->ended ? 0 : -1;
}

int upload_serve(struct peer *peer, int64_t receive_buffer_bytes)
{
	const struct peer_limits *limits = &peer->limits;
	char sentence[256];

	if (limits->buffer_bytes &&
		receive_buffer_bytes > (int64_t)limits->buffer_bytes) {
		wire_refuse(&peer->wire, WIRE_LIMIT,
			"buffers of at most %llu bytes are allowed",
			(unsigned long long)limits->buffer_bytes);
		return peer_fail(peer, "refused a buffer");
	}
	/* Connections inherit these settings from the listener. */
	if (account_prepare(peer->listener, "default", receive_buffer_bytes,
		    limits->rate_bit_s, sentence, sizeof sentence))
		return peer_fail(peer, "%s", sentence);
	tcp_timeouts(peer->listener, WAIT_MS);
	if (peer_ready(peer))
		return -1;
	char *room = xmalloc(ROOM_BYTES);
	int failed = serve(peer, room);
	free(room);
	return failed;
}

/* ---- the near end ----------------------------------------------------- */

static int begin(struct upload *upload, struct far *far, struct probe *probe,
	int fd)
{
	char sentence[256];

	if (account_prepare(fd, upload->congestion, PARAM_AUTO, 0, sentence,
		    sizeof sentence))
		return probe_unavailable(probe, "%s", sentence);
	tcp_congestion(fd, "", upload->used);
	tcp_timeouts(fd, WAIT_MS);
	upload->begin_ns = packets_now_ns();
	if (far_join(far, probe, fd))
		return -1;
	upload->port = tcp_port_of(fd);
	return 0;
}

struct sending {
	struct upload *upload;
	int fd;
	uint64_t left;
	int64_t sampled_ns;
	uint64_t moved_ns;  /* time of the last acknowledgement */
	uint64_t unacked;   /* unacknowledged bytes then */
	const char *buffer; /* CALL_BYTES of it */
};

/* Writes as much as fits. False if the connection is lost. */
static bool fill(struct sending *sending)
{
	while (sending->left) {
		size_t piece = sending->left < CALL_BYTES ?
			(size_t)sending->left :
			CALL_BYTES;
		ssize_t put = send(sending->fd, sending->buffer, piece,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (put < 0)
			return errno == EAGAIN || errno == EINTR;
		sending->left -= (uint64_t)put;
	}
	return true;
}

static void sample(struct sending *sending, bool always)
{
	struct upload *upload = sending->upload;
	int64_t t_ns = packets_now_ns();

	if (!always && t_ns - sending->sampled_ns < SAMPLE_NS)
		return;
	sending->sampled_ns = t_ns;
	tcp_report(sending->fd, &upload->last);
	if (upload->sample)
		upload->sample(upload->context, t_ns, &upload->last);
	const struct tcp_account *account = &upload->last.account;
	uint64_t unacked = account->unacked + sending->left +
		(tcp_has(&upload->last, unsent_bytes) ? account->unsent_bytes :
							0);
	if (unacked != sending->unacked)
		sending->moved_ns = tick_raw_ns();
	sending->unacked = unacked;
}

/* Sends until the last byte is acknowledged. */
static int move(struct sending *sending, struct far *far, struct probe *probe)
{
	const struct timespec nap = { 0, SAMPLE_NS };

	sample(sending, true);
	while (sending->left || sending->unacked) {
		struct pollfd polled = { sending->fd, POLLOUT, 0 };

		if (sending->left)
			poll(&polled, 1, 1);
		else
			nanosleep(&nap, NULL);
		if (!fill(sending)) {
			char doing[128];

			snprintf(doing, sizeof doing, "while sending data: %s",
				strerror(errno));
			return far_lost(far, probe, doing);
		}
		sample(sending, false);
		if (!far_waits(far, probe, sending->moved_ns))
			return far_lost(far, probe, "while sending data");
	}
	return 0;
}

static int finish(struct upload *upload, struct far *far, struct probe *probe,
	int fd)
{
	struct wire_in in;

	shutdown(fd, SHUT_WR);
	if (far_receive(far, probe, DONE, &in))
		return -1;
	/* After DONE, so that the report includes the FIN. */
	tcp_report(fd, &upload->last);
	uint64_t read = wire_get_u64(&in);
	if (read == upload->bytes && !in.bad)
		return 0;
	return probe_invalid(probe, "%llu bytes were sent, %llu were read",
		(unsigned long long)upload->bytes, (unsigned long long)read);
}

int upload_run(struct upload *upload, struct far *far, struct probe *probe)
{
	static char buffer[CALL_BYTES];
	uint64_t began_ns = tick_raw_ns();
	int fd = far_socket(far, probe, SOCK_STREAM, 0);
	struct sending sending = {
		.upload = upload,
		.fd = fd,
		.left = upload->bytes,
		.moved_ns = began_ns,
		.buffer = buffer,
	};

	if (fd < 0)
		return -1;
	memset(buffer, FILL, sizeof buffer);
	memset(&upload->last, 0, sizeof upload->last);
	int failed = begin(upload, far, probe, fd);
	sending.moved_ns = tick_raw_ns();
	if (!failed)
		failed = move(&sending, far, probe);
	if (!failed)
		failed = finish(upload, far, probe, fd);
	close(fd);
	upload->took_ns = tick_raw_ns() - began_ns;
	return failed;
}
