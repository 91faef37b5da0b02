/*
 * The far end: the session that serves one near end, and what an experiment's
 * peer() may use in it.
 *
 * peer_session() speaks the protocol of wire.h from OPEN on, fills the
 * experiment's arguments in from what the near end says, each value held to
 * its row, and runs peer(). It is used by the child of a worker (loopback,
 * link) and by `benchtop serve`; for both it is a process of its own that may
 * block, with deadlines, and may end at any moment.
 *
 * peer() sets options on the sockets, calls peer_ready(), accepts data
 * connections with peer_accept() or meets the near end on the datagram socket
 * with peer_meet(), and works until the near end closes or sends END. Nothing
 * of what comes from outside decides how much memory is used or how long
 * something lasts: rows and limits do.
 */
#ifndef BENCHTOP_PEER_H
#define BENCHTOP_PEER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "probe.h"
#include "wire.h"

/* The most of a session; 0 without limit. */
struct peer_limits {
	uint64_t duration_ns, bytes, rate_bit_s, buffer_bytes;
	uint32_t streams;
};

enum {
	PEER_ARGS_MAX = 1024,  /* bytes of an experiment's arguments */
	PEER_SILENT_MS = 8000, /* of a near end from which something is due */
};

struct peer {
	const struct experiment *experiment;
	const void *args; /* as the near end has them; texts are "" */
	struct wire wire; /* the control connection */
	int listener;     /* TCP, listening once peer_ready() was called */
	int datagram;     /* UDP, bound */
	struct peer_limits limits;
	uint8_t cookie[WIRE_COOKIE];
	uint64_t began_ns;
	uint64_t bytes;    /* of data so far; peer_spend() */
	char verdict[160]; /* why it ended, for a log */
	bool ended;        /* well, and not by a fault */
	union {
		uint8_t bytes[PEER_ARGS_MAX];
		max_align_t align;
	} room;
};

/* ---- for whoever provides a far end ----------------------------------- */

struct peer_session {
	struct wire *wire; /* after WELCOME; copied */
	/* By name, NULL-terminated. */
	const struct experiment *const *experiments;
	struct sockaddr_storage address; /* to listen on; the port is not
					  * looked at */
	struct peer_limits limits;
};

/* Serves until the session is over: 0, or -1 where it did not end well. The
 * verdict is a few words for a log. */
int peer_session(const struct peer_session *, char *verdict, size_t size);

/* ---- for peer() ------------------------------------------------------- */

/* Listens, and tells the near end that it may come. 0 or -1, as all below:
 * then peer() returns -1, the verdict says why. */
int peer_ready(struct peer *);
/* The next data connection that shows the cookie; what else comes is closed.
 * Its options: no delay, TCP_USER_TIMEOUT, reading and writing time out after
 * a second (EAGAIN). The descriptor or -1. */
int peer_accept(struct peer *);
/* The same without a cookie: whoever comes from the near end's address. -1: no
 * connection within the time, or the session is over (peer_over()). */
int peer_accept_plain(struct peer *, int timeout_ms);
/* Waits for the near end's datagram with the cookie, returns it, and connects
 * the socket to where it came from: nobody else is heard or answered. */
int peer_meet(struct peer *);

/* Is the session over: its time or bytes used up, or the near end gone (looked
 * at where `look` is set: a system call)? */
bool peer_over(struct peer *, bool look);
/* Counts data against the limit. False: it is used up. */
bool peer_spend(struct peer *, uint64_t bytes);
/* Sends and receives frames of the experiment's own. receive returns their
 * type, 0 at the end of the session, -1 where it was lost. */
int peer_send(struct peer *, unsigned type, const struct wire_out *);
int peer_receive(struct peer *, struct wire_in *, int timeout_ms);
/* Ends the session well, unless it has ended before. */
void peer_end(struct peer *);
/* Says why it ends, for the log; returns -1. */
int peer_fail(struct peer *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads or writes exactly so many bytes. 1; 0 where the other end has closed
 * before the first; -1 where the session is lost or over. Timeouts of the
 * socket are waited through as long as the session lasts and something has
 * moved within PEER_SILENT_MS. */
int peer_read(struct peer *, int fd, void *, size_t length);
int peer_write(struct peer *, int fd, const void *, size_t length);

/* ---- OPEN, for both ends ---------------------------------------------- */

/* Writes an experiment's name and arguments. Texts are left out: what a near
 * end calls its hosts and files is none of a far end's business. */
void peer_put_open(struct wire_out *, const struct experiment *,
	const void *args);
/* Finds the experiment and fills in arguments of PEER_ARGS_MAX bytes: presets
 * first, then what was said. NULL with a refusal and its sentence. */
const struct experiment *peer_get_open(struct wire_in *,
	const struct experiment *const *experiments, void *args,
	enum wire_refusal *, char *sentence, size_t size);

#endif
