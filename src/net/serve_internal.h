/* What the parts of serve share. Private to it. */
#ifndef BENCHTOP_SERVE_INTERNAL_H
#define BENCHTOP_SERVE_INTERNAL_H

#include <sys/types.h>

#include "serve.h"

/* One in the greeting. */
struct guest {
	int fd; /* -1: a free place */
	struct sockaddr_storage from;
	uint64_t came_ns;
	bool challenged; /* HELLO came, PROOF is due */
	struct wire wire;
	struct wire_transcript transcript;
};

/* One that is served by a child. */
struct served {
	pid_t pid; /* 0: a free place */
	int pipe;  /* its verdict comes here */
	struct sockaddr_storage from;
	unsigned number;
	uint64_t deadline_ns; /* 0: none */
};

struct serve {
	struct serve_settings settings;
	int listener[SERVE_LISTENERS];
	size_t listeners;
	struct guest guest[SERVE_GUESTS];
	struct served served[SERVE_SESSIONS];
	unsigned number; /* of the last session */
};

/* "2026-11-21T20:00:00Z 192.0.2.1:4242 what happened"; `from` may be NULL. */
void serve_log(struct serve *, const struct sockaddr_storage *from,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Takes what a guest has sent. 1: it is through; 0: not yet; -1: it is refused,
 * or does not speak the protocol, and was logged. */
int greet_guest(struct serve *, struct guest *);

/* Forks a session for a guest that is through, or refuses it as busy. */
void served_begin(struct serve *, struct guest *);
/* The session whose pipe can be read has ended. */
void served_end(struct serve *, struct served *);
/* Ends sessions whose time is over. */
void served_expire(struct serve *);
/* Ends them all at once. */
void served_kill(struct serve *);
size_t served_count(const struct serve *);

#endif
