/*
 * `benchtop serve`: the far end of network experiments for other machines.
 *
 * One process polls: it accepts, and takes each guest through the greeting of
 * wire.h without ever waiting for one. A guest that is through is given a child
 * of its own, forked for it, which runs the session (peer.h) and may block; the
 * parent keeps nothing of it but a pipe for its verdict and a deadline.
 *
 * Whoever only connects, or speaks slowly, or nonsense, is forgotten 5 s after
 * it came; when all places of guests are taken, the one that came first goes.
 * Nothing is allocated on a guest's word. What a session may use is limited and
 * told in the greeting; sessions beyond their number are refused as busy. There
 * is no way to stop the program from outside.
 *
 * It listens on 127.0.0.1 and ::1 by itself. Another address needs a token, or
 * the word of whoever starts it that it needs none.
 */
#ifndef BENCHTOP_SERVE_H
#define BENCHTOP_SERVE_H

#include <stdio.h>

#include "error.h"
#include "peer.h"

enum {
	SERVE_GUESTS = 64, /* in the greeting */
	SERVE_SESSIONS = 16,
	SERVE_LISTENERS = 2,
	SERVE_GREET_MS = 5000,
};

struct serve_settings {
	const char *listen; /* ADDRESS[:PORT]; NULL: loopback */
	bool keyed;         /* a token is needed */
	uint8_t key[WIRE_KEY];
	struct peer_limits limits;
	unsigned sessions; /* at once, up to SERVE_SESSIONS */
	const struct experiment *const *experiments;
	const char *machine; /* its description */
	FILE *log;           /* a line for each event */
};

/* 60 s, 64 GiB, 10 Gbit/s, buffers of 16 MiB, 16 streams, 4 sessions. */
struct serve_settings serve_usual(void);

struct serve;
/* Listens; the settings are copied, what they point at must live on. NULL with
 * a sentence. */
struct serve *serve_open(const struct serve_settings *, struct error *);
/* Serves until `stop` (a descriptor) can be read; sessions that go on then have
 * 5 s to end. */
void serve_run(struct serve *, int stop);
void serve_close(struct serve *);

#endif
