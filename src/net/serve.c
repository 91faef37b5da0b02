/* The poll loop of `benchtop serve`. */
#include "serve.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "memory.h"
#include "network.h"
#include "resolve.h"
#include "serve_internal.h"
#include "tcp.h"
#include "text.h"

enum {
	BACKLOG = 1024, /* a flood of one turn of the loop must fit */
	LOOK_MS = 500, /* delay with which a deadline may be noticed */
	DRAIN_MS = 5000,
	POLLED = 1 + SERVE_LISTENERS + SERVE_GUESTS + SERVE_SESSIONS,
};

struct serve_settings serve_usual(void)
{
	return (struct serve_settings){
		.limits = {
			.duration_ns = UINT64_C(60000000000),
			.bytes = UINT64_C(64) << 30,
			.rate_bit_s = UINT64_C(10000000000),
			.buffer_bytes = 16 << 20,
			.streams = 16,
		},
		.sessions = 4,
		.machine = "",
		.log = stderr,
	};
}

/* ---- listening -------------------------------------------------------- */

static int listen_on(struct serve *serve, const struct addrinfo *at)
{
	int fd = socket(at->ai_family,
		SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int one = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	/* IPv4 addresses then always appear as IPv4. */
	if (at->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
	if (bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, BACKLOG)) {
		int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	serve->listener[serve->listeners++] = fd;
	return 0;
}

static int listen_at(struct serve *serve, const char *name, const char *port,
	struct error *error)
{
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE,
	};
	struct addrinfo *list;
	int failed = resolve(name, port, &hints, &list);

	if (failed)
		return error_set(error, STATUS_NETWORK,
			"cannot listen on %s: %s: expected an address of this "
			"host, such as 0.0.0.0",
			text_quoted(name).chars, resolve_why(failed));
	failed = listen_on(serve, list);
	if (failed)
		error_set(error, STATUS_NETWORK,
			"cannot listen on %s, port %s: %s",
			text_quoted(name).chars, port, strerror(errno));
	freeaddrinfo(list);
	return failed;
}

static int listen_all(struct serve *serve, struct error *error)
{
	struct network_host host;
	struct error ignored;
	char port[8];

	if (serve->settings.listen) {
		if (network_host(serve->settings.listen, &host, error))
			return -1;
		if (host.kind == NETWORK_REMOTE)
			return listen_at(serve, host.name, host.port, error);
	}
	snprintf(port, sizeof port, "%d", WIRE_PORT);
	if (listen_at(serve, "127.0.0.1", port, error))
		return -1;
	/* A system without IPv6 is served only by IPv4. */
	listen_at(serve, "::1", port, &ignored);
	return 0;
}

/* Notifies systemd that the service is ready; see sd_notify(3). */
static void notify(void)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	if (!path || strlen(path) >= sizeof to.sun_path)
		return;
	memcpy(to.sun_path, path, strlen(path));
	if (*path == '@')
		to.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
		strlen(path));
	if (fd < 0)
		return;
	sendto(fd, "READY=1", 7, MSG_NOSIGNAL, (struct sockaddr *)&to, length);
	close(fd);
}

struct serve *serve_open(const struct serve_settings *settings,
	struct error *error)
{
	struct serve *serve = xcalloc(1, sizeof *serve);

	serve->settings = *settings;
	if (serve->settings.sessions > SERVE_SESSIONS)
		serve->settings.sessions = SERVE_SESSIONS;
	serve->minute_ns = tick_raw_ns();
	guests_init(serve->guest);
	if (listen_all(serve, error)) {
		serve_close(serve);
		return NULL;
	}
	for (size_t i = 0; i < serve->listeners; i++) {
		struct sockaddr_storage at;
		socklen_t length = sizeof at;

		getsockname(serve->listener[i], (struct sockaddr *)&at,
			&length);
		serve_log(serve, &at, "listening, %s",
			settings->keyed ? "a token is needed" :
					  "no token is needed");
	}
	notify();
	return serve;
}

/* ---- the loop --------------------------------------------------------- */

struct polled {
	struct pollfd fd[POLLED];
	void *owner[POLLED]; /* a client, a session; NULL: a listener */
	size_t count, guests, sessions; /* index of the first one */
};

static void add(struct polled *polled, int fd, void *owner)
{
	polled->owner[polled->count] = owner;
	polled->fd[polled->count++] =
		(struct pollfd){ .fd = fd, .events = POLLIN };
}

static void gather(struct serve *serve, struct polled *polled, int stop,
	bool draining)
{
	polled->count = 0;
	add(polled, draining ? -1 : stop, NULL);
	for (size_t i = 0; i < serve->listeners && !draining; i++)
		add(polled, serve->listener[i], NULL);
	polled->guests = polled->count;
	for (size_t i = 0; i < SERVE_GUESTS && !draining; i++)
		if (serve->guest[i].fd >= 0)
			add(polled, serve->guest[i].fd, &serve->guest[i]);
	polled->sessions = polled->count;
	for (size_t i = 0; i < SERVE_SESSIONS; i++)
		if (serve->served[i].pid)
			add(polled, serve->served[i].pipe, &serve->served[i]);
}

static void hear_guest(struct serve *serve, struct guest *guest)
{
	int through = greet_guest(serve, guest);

	if (!through)
		return;
	if (through > 0)
		served_begin(serve, guest);
	guest_drop(guest);
}

/* Returns true to stop. Sessions are handled first, because they free places;
 * new clients last, because they may replace a client that was polled. */
static bool turn(struct serve *serve, int stop, bool draining)
{
	struct polled polled;

	gather(serve, &polled, stop, draining);
	if (poll(polled.fd, polled.count, LOOK_MS) > 0) {
		if (polled.fd[0].revents)
			return true;
		for (size_t i = polled.sessions; i < polled.count; i++)
			if (polled.fd[i].revents)
				served_end(serve, polled.owner[i]);
		for (size_t i = polled.guests; i < polled.sessions; i++)
			if (polled.fd[i].revents)
				hear_guest(serve, polled.owner[i]);
		for (size_t i = 1; i < polled.guests; i++)
			if (polled.fd[i].revents)
				guests_accept(serve, polled.fd[i].fd);
	}
	guests_expire(serve);
	served_expire(serve);
	serve_log_minute(serve, false);
	return false;
}

void serve_run(struct serve *serve, int stop)
{
	while (!turn(serve, stop, false))
		;
	serve_log(serve, NULL, "stopping, %zu sessions continue",
		served_count(serve));
	uint64_t end_ns = tick_raw_ns() + DRAIN_MS * UINT64_C(1000000);
	while (served_count(serve) && tick_raw_ns() < end_ns)
		turn(serve, stop, true);
	serve_log_minute(serve, true);
}

void serve_close(struct serve *serve)
{
	served_kill(serve);
	for (size_t i = 0; i < SERVE_GUESTS; i++)
		if (serve->guest[i].fd >= 0)
			guest_drop(&serve->guest[i]);
	for (size_t i = 0; i < serve->listeners; i++)
		close(serve->listener[i]);
	free(serve);
}
