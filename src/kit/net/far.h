/*
 * The near end's hold on the far end: loopback, link and remote differ here
 * and nowhere else.
 *
 *     loopback   a child of the worker, pinned, on 127.0.0.1; the control
 *                connection is a socket pair
 *     link       the same in the far namespace of an emulated path; the control
 *                connection is a socket pair and not on the path
 *     NAME       `benchtop serve` there; the control connection is TCP, with
 *                challenge and proof where a token is needed
 *
 * far_open() comes back when the far end's peer() is ready. Whatever waits for
 * the far end waits in steps of a second, shows that the worker lives, and ends
 * the run by probe_lost() after the far end's patience: a far end that vanishes
 * costs at most 10 s (on a slow link more, in round trips).
 */
#ifndef BENCHTOP_FAR_H
#define BENCHTOP_FAR_H

#include "network.h"
#include "party.h"
#include "peer.h"

struct far {
	enum network_kind kind;
	char name[256]; /* as sentences call it */
	struct wire wire;
	struct sockaddr_storage address; /* of the far end; port 0 */
	uint16_t tcp_port, udp_port;
	uint8_t cookie[WIRE_COOKIE];
	uint32_t streams; /* that it accepts; 0: any number */
	struct peer_limits limits;
	char machine[WIRE_TEXT_MAX]; /* its description, "" for this one */
	bool proved;                 /* both ends hold the token */
	struct link *link;           /* NETWORK_LINK; see far_link() */
	double round_trip_ns;        /* of the path, as far as known */
	uint64_t patience_ns;
	bool child;
	struct party party;
};

/* Opens a session for the experiment with the probe's arguments, a child of
 * this machine pinned to `cpu`. 0, or -1 after a word of the probe: then it is
 * closed. Notes what is at the far end. */
int far_open(struct far *, struct probe *, const struct experiment *,
	const struct network *, int cpu);
/* The path alone, without a session: for what the far end's kernel answers. */
int far_path(struct far *, struct probe *, const struct network *);
/* Says END and waits for a child. Safe after a failed far_open(). */
void far_close(struct far *);

/* A socket at this end. -1 after a word of the probe. */
int far_socket(struct far *, struct probe *, int type, int protocol);
/* Connects it to the far end's TCP port and shows the cookie. 0 or -1. */
int far_connect(struct far *, struct probe *, int fd);
/* The same without a cookie, and with the timeouts that the socket has: they
 * must be of a second or less (tcp_timeouts()). */
int far_join(struct far *, struct probe *, int fd);
/* The address to connect to, with the TCP port. */
socklen_t far_tcp_address(const struct far *, struct sockaddr_storage *);
/* Shows the cookie by datagram until it comes back; the socket is connected
 * then. 0 or -1. */
int far_meet(struct far *, struct probe *, int fd);

/* Exactly so many bytes; 0, or -1 after probe_lost(). */
int far_read(struct far *, struct probe *, int fd, void *, size_t length);
int far_write(struct far *, struct probe *, int fd, const void *,
	size_t length);
/* Frames of the experiment's own: waits for one of that type. 0 or -1. */
int far_send(struct far *, struct probe *, unsigned type,
	const struct wire_out *);
int far_receive(struct far *, struct probe *, unsigned type, struct wire_in *);
/* After something failed on a data connection: ends the run in words. */
int far_lost(struct far *, struct probe *, const char *doing);

/* ---- parts ------------------------------------------------------------ */

/* Finds the host's address. */
int far_find(struct far *, struct probe *, const struct network_host *);
/* Connects to `benchtop serve` and greets it. */
int far_remote(struct far *, struct probe *, const struct network_host *);
/* Greets on a connection: HELLO to WELCOME. 0, or -1 with the reason in
 * *refusal (0: none was given) and the sentence. */
int far_greet(struct far *, enum wire_refusal *refusal, char *sentence,
	size_t size);

/* Opens the emulated path, or gives the one of this worker other settings;
 * -1 after a word of the probe. */
int far_link_open(struct far *, struct probe *, const struct network *);
/* Starts body(context) in its far namespace, with `fd` as descriptor 0. */
int far_link_spawn(struct far *, struct probe *, int fd,
	int (*body)(void *context), void *context);
int far_link_socket(struct far *, struct probe *, int type, int protocol);

#endif
