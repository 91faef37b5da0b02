/* ICMP echo. */
#include "icmp.h"

#include <errno.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link.h"
#include "memory.h"

/* ---- marks ------------------------------------------------------------ */

uint64_t mark_cut(uint64_t mark, size_t length)
{
	return length >= 8 ? mark : mark & ((UINT64_C(1) << 8 * length) - 1);
}

void mark_put(uint8_t *payload, size_t length, uint64_t mark)
{
	for (size_t i = 0; i < 8 && i < length; i++)
		payload[i] = (uint8_t)(mark >> 8 * i);
}

uint64_t mark_get(const uint8_t *payload, size_t length)
{
	uint64_t mark = 0;

	for (size_t i = 0; i < 8 && i < length; i++)
		mark |= (uint64_t)payload[i] << 8 * i;
	return mark;
}

/* ---- checksums: RFC 1071 ---------------------------------------------- */

static uint32_t sum(uint32_t so_far, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i + 1 < length; i += 2)
		so_far += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
	if (length & 1)
		so_far += (uint32_t)bytes[length - 1] << 8;
	return so_far;
}

static uint16_t folded(uint32_t so_far)
{
	while (so_far >> 16)
		so_far = (so_far & 0xffff) + (so_far >> 16);
	return (uint16_t)~so_far;
}

/* Number of bytes that change from message to message. */
static size_t changing(const struct icmp *icmp)
{
	return ICMP_HEAD + (icmp->length < 8 ? icmp->length : 8);
}

/* ---- sockets ---------------------------------------------------------- */

static void only_replies(const struct icmp *icmp)
{
	struct icmp_filter four = { .data = ~(1u << ICMP_ECHOREPLY) };
	struct icmp6_filter six;

	if (!icmp->six) {
		setsockopt(icmp->fd, SOL_RAW, ICMP_FILTER, &four, sizeof four);
		return;
	}
	ICMP6_FILTER_SETBLOCKALL(&six);
	ICMP6_FILTER_SETPASS(ICMP6_ECHO_REPLY, &six);
	setsockopt(icmp->fd, IPPROTO_ICMPV6, ICMP6_FILTER, &six, sizeof six);
}

/* If no socket is permitted outside: the loopback of a private namespace is
 * handled by the same kernel. */
static int open_private(struct icmp *icmp, struct far *far, struct probe *probe)
{
	static struct link *own;
	struct link_settings settings = link_preset();
	struct error error;

	if (far->kind != NETWORK_LOOPBACK ||
		(!own && link_open(&settings, &own, &error)))
		return probe_unavailable(probe,
			"ICMP is not permitted: needs CAP_NET_RAW, or `sysctl "
			"-w net.ipv4.ping_group_range='0 2147483647'`%s",
			far->kind == NETWORK_LOOPBACK ?
				", or user namespaces and /dev/net/tun" :
				"");
	icmp->fd = link_socket(own, LINK_NEAR, AF_INET, SOCK_RAW | SOCK_CLOEXEC,
		IPPROTO_ICMP, &error);
	icmp->raw = true;
	icmp->way = "raw, in a private namespace";
	return icmp->fd < 0 ? probe_unavailable(probe, "%s", error.message) : 0;
}

static int open_socket(struct icmp *icmp, struct far *far, struct probe *probe)
{
	int protocol = icmp->six ? IPPROTO_ICMPV6 : IPPROTO_ICMP;

	if (far->kind == NETWORK_LINK) {
		icmp->raw = true;
		icmp->way = "raw, in the link's namespace";
		icmp->fd = far_socket(far, probe, SOCK_RAW, protocol);
		return icmp->fd < 0 ? -1 : 0;
	}
	icmp->way = "datagram";
	icmp->fd = socket(far->address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC,
		protocol);
	if (icmp->fd >= 0)
		return 0;
	icmp->way = "raw";
	icmp->raw = true;
	icmp->fd = socket(far->address.ss_family, SOCK_RAW | SOCK_CLOEXEC,
		protocol);
	return icmp->fd >= 0 ? 0 : open_private(icmp, far, probe);
}

int icmp_open(struct icmp *icmp, struct far *far, struct probe *probe,
	size_t length, uint8_t fill)
{
	socklen_t size = far->address.ss_family == AF_INET6 ?
		sizeof(struct sockaddr_in6) :
		sizeof(struct sockaddr_in);

	*icmp = (struct icmp){
		.fd = -1,
		.six = far->address.ss_family == AF_INET6,
		.id = (uint16_t)probe_random_below(probe, UINT16_MAX),
		.length = length,
	};
	if (open_socket(icmp, far, probe))
		return -1;
	if (connect(icmp->fd, (struct sockaddr *)&far->address, size))
		return far_gone(far, probe, "no route to %s: %s", far->name,
			strerror(errno));
	if (icmp->raw)
		only_replies(icmp);
	icmp->message = xcalloc(1, ICMP_HEAD + length);
	icmp->room = xcalloc(1, ICMP_ROOM + length);
	icmp->message[0] = icmp->six ? ICMP6_ECHO_REQUEST : ICMP_ECHO;
	icmp->message[4] = (uint8_t)(icmp->id >> 8);
	icmp->message[5] = (uint8_t)icmp->id;
	memset(icmp->message + ICMP_HEAD, fill, length);
	icmp->rest = sum(0, icmp->message + changing(icmp),
		ICMP_HEAD + length - changing(icmp));
	return 0;
}

void icmp_close(struct icmp *icmp)
{
	if (icmp->fd >= 0)
		close(icmp->fd);
	free(icmp->message);
	free(icmp->room);
	*icmp = (struct icmp){ .fd = -1 };
}

int icmp_send(struct icmp *icmp, uint64_t mark, uint16_t sequence)
{
	uint8_t *message = icmp->message;

	message[2] = message[3] = 0;
	message[6] = (uint8_t)(sequence >> 8);
	message[7] = (uint8_t)sequence;
	mark_put(message + ICMP_HEAD, icmp->length, mark);
	/* The kernel computes the checksum for ICMPv6 and for datagram
	 * sockets. */
	uint16_t check = folded(sum(icmp->rest, message, changing(icmp)));
	message[2] = (uint8_t)(check >> 8);
	message[3] = (uint8_t)check;
	if (send(icmp->fd, message, ICMP_HEAD + icmp->length, MSG_NOSIGNAL) < 0)
		return -errno;
	return 0;
}

int icmp_receive(struct icmp *icmp, uint64_t *mark)
{
	ssize_t got = recv(icmp->fd, icmp->room, ICMP_ROOM + icmp->length, 0);

	if (got < 0)
		return -errno;
	size_t length = (size_t)got, at = 0;
	/* A raw IPv4 socket includes the IP header. */
	if (icmp->raw && !icmp->six && length)
		at = (size_t)(icmp->room[0] & 15) * 4;
	const uint8_t *message = icmp->room + at;
	if (length < at || length - at != ICMP_HEAD + icmp->length ||
		message[0] != (icmp->six ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY))
		return 0;
	if (icmp->raw && (message[4] << 8 | message[5]) != icmp->id)
		return 0;
	*mark = mark_get(message + ICMP_HEAD, icmp->length);
	return 1;
}
