/*
 * `benchtop serve`: the remote end of network experiments for other machines.
 *
 * One process polls. It accepts clients and performs the greeting of wire.h
 * with each, without blocking. A client that completes the greeting has a
 * child process of its own, which runs the session (peer.h) and may block. The
 * parent only keeps a pipe for the child's verdict and a deadline.
 *
 * A client that has not completed the greeting 5 s after it connected is
 * dropped. If all places are taken, the address with the most places loses its
 * oldest client. No memory is allocated because of a client's data. The limits
 * of a session are sent in the greeting; sessions beyond the maximum number are
 * refused as busy. The log has a limited size per minute (log_quota.h). The
 * program cannot be stopped over the network.
 *
 * By default it listens on 127.0.0.1 and ::1. Another address needs a token, or
 * an explicit option of the user to run without one.
 */
#ifndef BENCHTOP_SERVE_H
#define BENCHTOP_SERVE_H

#include <stdio.h>

#include "error.h"
#include "peer.h"

enum {
	SERVE_GUESTS = 64, /* clients in the greeting */
	SERVE_SESSIONS = 16,
	SERVE_LISTENERS = 2,
	SERVE_GREET_MS = 5000,
};

struct serve_settings {
	const char *listen; /* ADDRESS[:PORT]; NULL: loopback */
	bool keyed;         /* a token is required */
	uint8_t key[WIRE_KEY];
	struct peer_limits limits;
	unsigned sessions; /* concurrent, up to SERVE_SESSIONS */
	const struct experiment *const *experiments;
	const char *machine; /* its description */
	FILE *log;           /* one line per event, within the quota */
};

/* Defaults: 60 s, 64 GiB, 10 Gbit/s, buffers of 16 MiB, 16 streams, 4
 * sessions. */
struct serve_settings serve_usual(void);

struct serve;
/* Listens. The settings are copied; what they point at must stay valid. Returns
 * NULL with an error. */
struct serve *serve_open(const struct serve_settings *, struct error *);
/* Serves until the descriptor `stop` is readable. Sessions that are still
 * running then have 5 s to end. */
void serve_run(struct serve *, int stop);
void serve_close(struct serve *);

#endif
