/*
 * The near end's interface to the far end. Loopback, link and remote differ
 * only here.
 *
 *     loopback   a child of the worker, pinned, on 127.0.0.1; the control
 *                connection is a socket pair
 *     link       the same in the far namespace of an emulated path; the control
 *                connection is a socket pair outside the path
 *     NAME       `benchtop serve` on that host; the control connection is TCP,
 *                with challenge and proof if a token is required
 *
 * far_open() returns when peer() of the far end is ready. Functions that wait
 * for the far end wait in steps of a second and call far_waits(). After
 * `patience_ns` they end the run by far_gone(). So a far end that vanishes
 * costs at most 10 s (on a slow link more, in round trips), and a link whose
 * relay is killed about a second.
 */
#ifndef BENCHTOP_FAR_H
#define BENCHTOP_FAR_H

#include "network.h"
#include "party.h"
#include "peer.h"

struct far {
	enum network_kind kind;
	char name[256]; /* name in messages */
	struct wire wire;
	struct sockaddr_storage address; /* of the far end; port 0 */
	uint16_t tcp_port, udp_port;
	uint8_t cookie[WIRE_COOKIE];
	uint32_t streams; /* maximum that it accepts; 0: any number */
	struct peer_limits limits;
	char machine[WIRE_TEXT_MAX]; /* its description; "" for this machine */
	bool proved;                 /* both ends hold the token */
	struct link *link;           /* NETWORK_LINK; see far_link() */
	double round_trip_ns;        /* of the path; 0 if unknown */
	uint64_t patience_ns;
	bool child;
	struct party party;
};

/* Opens a session for the experiment with the probe's arguments. A far end on
 * this machine is a child pinned to `cpu`. Adds notes about the far end.
 * Returns 0, or -1 after a report to the probe, with the session closed. */
int far_open(struct far *, struct probe *, const struct experiment *,
	const struct network *, int cpu);
/* Opens only the path, without a session: for replies by the far end's
 * kernel. */
int far_path(struct far *, struct probe *, const struct network *);
/* Sends END and waits for a child. Safe after a failed far_open(). */
void far_close(struct far *);

/* A socket at this end. Returns -1 after a report to the probe. */
int far_socket(struct far *, struct probe *, int type, int protocol);
/* Connects a socket to the far end's TCP port and sends the cookie. Returns 0
 * or -1. */
int far_connect(struct far *, struct probe *, int fd);
/* The same without a cookie, and with the socket's present timeouts, which must
 * be at most a second (tcp_timeouts()). */
int far_join(struct far *, struct probe *, int fd);
/* The address of the far end with its TCP port. */
socklen_t far_tcp_address(const struct far *, struct sockaddr_storage *);
/* Sends the cookie as a datagram until it comes back; then the socket is
 * connected. Returns 0 or -1. */
int far_meet(struct far *, struct probe *, int fd);

/* Transfers exactly `length` bytes. Returns 0, or -1 after probe_lost(). */
int far_read(struct far *, struct probe *, int fd, void *, size_t length);
int far_write(struct far *, struct probe *, int fd, const void *,
	size_t length);
/* Frames defined by the experiment: sends one; waits for one of that type.
 * Return 0 or -1. */
int far_send(struct far *, struct probe *, unsigned type,
	const struct wire_out *);
int far_receive(struct far *, struct probe *, unsigned type, struct wire_in *);
/* Calls probe_alive(). False if the wait is over: it began `patience_ns` ago,
 * or the emulated path has ended. */
bool far_waits(const struct far *, struct probe *, uint64_t began_ns);
/* Ends the run like probe_lost(), with this message unless the emulated path
 * has ended. Returns -1. */
int far_gone(struct far *, struct probe *, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Ends the run after a failure on a data connection, with a message. Returns
 * -1. */
int far_lost(struct far *, struct probe *, const char *doing);

/* ---- parts ------------------------------------------------------------ */

/* Resolves the host's address. */
int far_find(struct far *, struct probe *, const struct network_host *);
/* Connects to `benchtop serve` and performs the greeting. */
int far_remote(struct far *, struct probe *, const struct network_host *);
/* Performs the greeting on a connection: HELLO to WELCOME. Returns 0, or -1
 * with a sentence and the reason in *refusal (0: none). */
int far_greet(struct far *, enum wire_refusal *refusal, char *sentence,
	size_t size);

/* Opens the emulated path, or changes the settings of this worker's path.
 * Returns -1 after a report to the probe. */
int far_link_open(struct far *, struct probe *, const struct network *);
/* Starts body(context) in the far namespace, with `fd` as descriptor 0. */
int far_link_spawn(struct far *, struct probe *, int fd,
	int (*body)(void *context), void *context);
int far_link_socket(struct far *, struct probe *, int type, int protocol);
/* link_ended(); false for a far end without an emulated path. */
bool far_link_ended(const struct far *, int wait_ms);

#endif
