/* Shared by the parts of serve; private to it. */
#ifndef BENCHTOP_SERVE_INTERNAL_H
#define BENCHTOP_SERVE_INTERNAL_H

#include <sys/types.h>

#include "log_quota.h"
#include "origin.h"
#include "serve.h"

/* A client in the greeting. */
struct guest {
	int fd; /* -1: a free place */
	struct sockaddr_storage from;
	struct origin origin;
	uint64_t came_ns;
	bool challenged; /* HELLO was received, PROOF is expected */
	struct wire wire;
	struct wire_transcript transcript;
};

/* A client that is served by a child. */
struct served {
	pid_t pid; /* 0: a free place */
	int pipe;  /* for the child's verdict */
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
	struct log_quota quota;
	uint64_t minute_ns; /* begin of the quota's minute */
};

/* Logs "2026-11-21T20:00:00Z 192.0.2.1:4242 message"; the address may be
 * NULL. */
void serve_log(struct serve *, const struct sockaddr_storage *about,
	const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for what a client has caused, within the quota. */
void serve_log_client(struct serve *, enum log_kind,
	const struct sockaddr_storage *from, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Once a minute, or now if the server is over, logs how many lines were left
 * out. */
void serve_log_minute(struct serve *, bool over);

/* Marks all places as free. */
void guests_init(struct guest[SERVE_GUESTS]);
/* A free place; if there is none, that of the oldest client of the origin with
 * the most places. So an origin that floods the table only loses its own, and a
 * good client behind the same address has the time of a whole table. */
struct guest *guest_place(struct guest[SERVE_GUESTS]);
/* Accepts waiting connections, a limited number of them. */
void guests_accept(struct serve *, int listener);
/* Drops clients whose time for the greeting is over. */
void guests_expire(struct serve *);
void guest_drop(struct guest *);

/* Processes what a client has sent. Returns 1 if the greeting is complete, 0 if
 * not yet, or -1 if the client was refused or violated the protocol, which is
 * logged. */
int greet_guest(struct serve *, struct guest *);

/* Forks a session for a client after the greeting, or refuses it as busy. */
void served_begin(struct serve *, struct guest *);
/* Handles the end of a session, signalled by its pipe. */
void served_end(struct serve *, struct served *);
/* Kills sessions past their deadline. */
void served_expire(struct serve *);
/* Kills all sessions at once. */
void served_kill(struct serve *);
size_t served_count(const struct serve *);
/* Sessions that this client's origin may still begin: one origin never has the
 * last place, unless there is only one. */
size_t served_left(const struct serve *, const struct guest *);

#endif
