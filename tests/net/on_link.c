/* Shared by the tests of the link. */
#include "on_link.h"

#include <netinet/in.h>
#include <poll.h>
#include <time.h>

int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * S + time.tv_nsec;
}

void need_link(void)
{
	struct link_settings settings = link_preset();
	struct link *link;
	struct error error;

	if (!link_open(&settings, &link, &error)) {
		link_close(link);
		return;
	}
	if (error.status != STATUS_PERMISSION) {
		fprintf(stderr, "%s\n", error.message);
		exit(1);
	}
	printf("SKIP: not permitted here: %s\n", error.message);
	exit(77);
}

struct link *opened(const struct link_settings *settings)
{
	struct link *link;
	struct error error = { 0 };

	if (link_open(settings, &link, &error))
		fail_msg("%s", error.message);
	return link;
}

struct link_settings quick_path(void)
{
	struct link_settings settings = link_preset();

	settings.rtt_ns = 0;
	settings.rate_bit_s = 1000000000;
	settings.queue = 10000 * UNIT_QUEUE_PACKETS;
	return settings;
}

int socket_on(struct link *link, enum link_side side, int domain, int type,
	int protocol)
{
	struct error error = { 0 };
	int made = link_socket(link, side, domain, type, protocol, &error);

	if (made < 0)
		fail_msg("%s", error.message);
	return made;
}

socklen_t at_port(const struct link *link, enum link_side side, int family,
	uint16_t port, struct sockaddr_storage *out)
{
	socklen_t size = link_address(link, side, family, out);

	assert_true(size > 0);
	/* sockaddr_in and sockaddr_in6 have the port at the same offset. */
	((struct sockaddr_in *)(void *)out)->sin_port = htons(port);
	return size;
}

int bound(struct link *link, enum link_side side, int family, int type,
	uint16_t port)
{
	int made = socket_on(link, side, family, type, 0);
	struct sockaddr_storage address;
	socklen_t size = at_port(link, side, family, port, &address);

	if (bind(made, (struct sockaddr *)&address, size))
		fail_msg("bind: %s", strerror(errno));
	return made;
}

bool readable(int fd, int timeout_ms)
{
	struct pollfd polled = { fd, POLLIN, 0 };

	return poll(&polled, 1, timeout_ms) == 1;
}

void connected(struct link *link, uint16_t port, int ends[2])
{
	int listening = bound(link, LINK_FAR, AF_INET, SOCK_STREAM, port);
	struct sockaddr_storage address;
	socklen_t size = at_port(link, LINK_FAR, AF_INET, port, &address);

	assert_int_equal(listen(listening, 1), 0);
	ends[0] = socket_on(link, LINK_NEAR, AF_INET, SOCK_STREAM, 0);
	if (connect(ends[0], (struct sockaddr *)&address, size))
		fail_msg("connect: %s", strerror(errno));
	ends[1] = accept(listening, NULL, NULL);
	assert_true(ends[1] >= 0);
	close(listening);
}

struct link_counters settled(const struct link *link, enum link_side from,
	uint64_t packets)
{
	int64_t until_ns = now_ns() + 20 * S;
	struct link_counters counters;

	do {
		counters = link_counters(link, from);
		uint64_t done =
			counters.lost + counters.refused + counters.delivered;

		if (counters.packets >= packets && done == counters.packets)
			return counters;
		usleep(1000);
	} while (now_ns() < until_ns);
	fail_msg("%lu packets arrived, expected %lu, or some are under way",
		(unsigned long)counters.packets, (unsigned long)packets);
	return counters;
}
