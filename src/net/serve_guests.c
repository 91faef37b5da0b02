/* Clients in the greeting: their places, accepting and dropping them. */
#include <netinet/in.h>
#include <unistd.h>

#include "serve_internal.h"
#include "tcp.h"

/* Connections that are accepted before clients are heard again. */
enum { ACCEPT_MOST = 16 };

void guests_init(struct guest guests[SERVE_GUESTS])
{
	for (size_t i = 0; i < SERVE_GUESTS; i++)
		guests[i].fd = -1;
}

void guest_drop(struct guest *guest)
{
	close(guest->fd);
	guest->fd = -1;
}

static size_t places_of(const struct guest guests[SERVE_GUESTS],
	const struct origin *origin)
{
	size_t count = 0;

	for (size_t i = 0; i < SERVE_GUESTS; i++)
		count += guests[i].fd >= 0 &&
			origin_same(&guests[i].origin, origin);
	return count;
}

struct guest *guest_place(struct guest guests[SERVE_GUESTS])
{
	struct guest *chosen = NULL;
	size_t most = 0;

	for (size_t i = 0; i < SERVE_GUESTS; i++) {
		struct guest *guest = &guests[i];

		if (guest->fd < 0)
			return guest;
		size_t places = places_of(guests, &guest->origin);
		if (!chosen || places > most ||
			(places == most && guest->came_ns < chosen->came_ns)) {
			chosen = guest;
			most = places;
		}
	}
	return chosen;
}

static bool accept_guest(struct serve *serve, int listener)
{
	struct sockaddr_storage from;
	socklen_t length = sizeof from;
	int fd = accept4(listener, (struct sockaddr *)&from, &length,
		SOCK_CLOEXEC);

	if (fd < 0)
		return false;
	struct guest *guest = guest_place(serve->guest);
	if (guest->fd >= 0) {
		serve_log_client(serve, LOG_GREETING, &guest->from,
			"dropped: too many are waiting");
		guest_drop(guest);
	}
	tcp_guard(fd);
	tcp_no_delay(fd, true);
	guest->fd = fd;
	guest->from = from;
	guest->origin = origin_of(&from);
	guest->came_ns = tick_raw_ns();
	guest->challenged = false;
	wire_init(&guest->wire, fd);
	return true;
}

void guests_accept(struct serve *serve, int listener)
{
	for (int i = 0; i < ACCEPT_MOST; i++)
		if (!accept_guest(serve, listener))
			return;
}

void guests_expire(struct serve *serve)
{
	uint64_t now_ns = tick_raw_ns();

	for (size_t i = 0; i < SERVE_GUESTS; i++) {
		struct guest *guest = &serve->guest[i];

		if (guest->fd < 0 ||
			now_ns - guest->came_ns <
				SERVE_GREET_MS * UINT64_C(1000000))
			continue;
		serve_log_client(serve, LOG_GREETING, &guest->from,
			"dropped: no complete greeting within %d s",
			SERVE_GREET_MS / 1000);
		guest_drop(guest);
	}
}
