/*
 * The far end: the session that serves one near end, and the functions that an
 * experiment's peer() may use.
 *
 * peer_session() implements the protocol of wire.h from OPEN on. It fills in
 * the experiment's arguments from the near end's message, checks each value
 * against its row, and runs peer(). The child of a worker (loopback, link) and
 * `benchtop serve` call it. In both cases it is a separate process that may
 * block, with deadlines, and may end at any moment.
 *
 * peer() sets options on the sockets and calls peer_ready(). Then it accepts
 * data connections with peer_accept(), or waits for the near end on the
 * datagram socket with peer_meet(). It works until the near end closes or sends
 * END. Received data never determines how much memory is used or how long
 * something takes: rows and limits do.
 */
#ifndef BENCHTOP_PEER_H
#define BENCHTOP_PEER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "probe.h"
#include "wire.h"

/* Limits of a session; 0: unlimited. */
struct peer_limits {
	uint64_t duration_ns, bytes, rate_bit_s, buffer_bytes;
	uint32_t streams;
};

enum {
	PEER_ARGS_MAX = 1024,  /* bytes of an experiment's arguments */
	PEER_SILENT_MS = 8000, /* timeout for an expected message of the near
				* end */
};

struct peer {
	const struct experiment *experiment;
	const void *args; /* as sent by the near end; texts are "" */
	struct wire wire; /* the control connection */
	int listener;     /* TCP, listening once peer_ready() was called */
	int datagram;     /* UDP, bound */
	struct peer_limits limits;
	uint8_t cookie[WIRE_COOKIE];
	uint64_t began_ns;
	uint64_t bytes;    /* of data so far, for peer_spend() */
	char verdict[160]; /* why the session ended, for a log */
	bool ended;        /* ended regularly, not by a failure */
	union {
		uint8_t bytes[PEER_ARGS_MAX];
		max_align_t align;
	} room;
};

/* ---- for providers of a far end --------------------------------------- */

struct peer_session {
	struct wire *wire; /* after WELCOME; copied */
	/* Known by name, NULL-terminated. */
	const struct experiment *const *experiments;
	struct sockaddr_storage address; /* to listen on; the port is ignored */
	struct peer_limits limits;
};

/* Serves until the session ends. Returns 0, or -1 after a failure. The verdict
 * is a short text for a log. */
int peer_session(const struct peer_session *, char *verdict, size_t size);

/* ---- for peer() ------------------------------------------------------- */

/* Listens, and sends READY to the near end. Returns 0 or -1. After -1 from this
 * or any function below, peer() returns -1; the verdict has the cause. */
int peer_ready(struct peer *);
/* Accepts the next data connection that sends the cookie; closes others. Its
 * options: TCP_USER_TIMEOUT, and timeouts of a second for reading and writing
 * (EAGAIN). Returns the descriptor or -1. */
int peer_accept(struct peer *);
/* The same without a cookie: any connection from the near end's address.
 * Returns -1 if none arrives in time, or the session is over (peer_over()). */
int peer_accept_plain(struct peer *, int timeout_ms);
/* Waits for the near end's datagram with the cookie, returns it, and connects
 * the socket to its source. Datagrams of other hosts are then neither received
 * nor answered. Returns 0 or -1. */
int peer_meet(struct peer *);

/* True if the session is over: time or bytes are used up, or the near end is
 * gone. The last is only checked if `look` is set, because it takes a system
 * call. */
bool peer_over(struct peer *, bool look);
/* Counts data against the limit. Returns false if the limit is reached. */
bool peer_spend(struct peer *, uint64_t bytes);
/* Send and receive frames defined by the experiment. peer_receive() returns the
 * type, 0 at the end of the session, or -1 if the session was lost. */
int peer_send(struct peer *, unsigned type, const struct wire_out *);
int peer_receive(struct peer *, struct wire_in *, int timeout_ms);
/* Sets the cause of the end, for the log. Returns -1. */
int peer_fail(struct peer *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Read or write exactly `length` bytes. Return 1; 0 if the other end closed
 * before the first byte; -1 if the session is lost or over. Timeouts of the
 * socket are retried while the session lasts, unless nothing moved for
 * PEER_SILENT_MS. */
int peer_read(struct peer *, int fd, void *, size_t length);
int peer_write(struct peer *, int fd, const void *, size_t length);

/* ---- OPEN, for both ends ---------------------------------------------- */

/* Writes an experiment's name and arguments. Texts are omitted: the far end
 * must not see the near end's host and file names. */
void peer_put_open(struct wire_out *, const struct experiment *,
	const void *args);
/* Finds the experiment and fills in arguments of PEER_ARGS_MAX bytes: defaults
 * first, then the received values. Returns NULL with a refusal and its
 * sentence. */
const struct experiment *peer_get_open(struct wire_in *,
	const struct experiment *const *experiments, void *args,
	enum wire_refusal *, char *sentence, size_t size);

#endif
