/* TCP: options, TCP_INFO, addresses. */
#include "tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { GUARD_MS = 1000, DEAD_MS = 8000, BUSY_POLL_US = 50 };

/* The kernel's layout, checked at some well-known fields. */
_Static_assert(offsetof(struct tcp_account, rto_us) == 8, "tcpi_rto");
_Static_assert(offsetof(struct tcp_account, total_retrans) == 100,
	"tcpi_total_retrans");
_Static_assert(offsetof(struct tcp_account, bytes_acked) == 120,
	"tcpi_bytes_acked");
_Static_assert(offsetof(struct tcp_account, delivery_bytes_s) == 160,
	"tcpi_delivery_rate");
_Static_assert(offsetof(struct tcp_account, send_window) == 228,
	"tcpi_snd_wnd");

static void set(int fd, int level, int name, int value)
{
	setsockopt(fd, level, name, &value, sizeof value);
}

static int get(int fd, int level, int name)
{
	int value = 0;
	socklen_t length = sizeof value;

	return getsockopt(fd, level, name, &value, &length) ? 0 : value;
}

void tcp_timeouts(int fd, int milliseconds)
{
	const struct timeval after = { milliseconds / 1000,
		milliseconds % 1000 * 1000 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &after, sizeof after);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &after, sizeof after);
}

void tcp_guard(int fd)
{
	tcp_timeouts(fd, GUARD_MS);
	set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, DEAD_MS);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 2);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 2);
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void tcp_no_delay(int fd, bool on)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, on);
}

void tcp_poll_busily(int fd)
{
	set(fd, SOL_SOCKET, SO_BUSY_POLL, BUSY_POLL_US);
}

int tcp_congestion(int fd, const char *name, char used[16])
{
	socklen_t length = 15;
	int failed = 0;

	if (*name &&
		setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name,
			(socklen_t)strlen(name)))
		failed = -errno;
	memset(used, 0, 16);
	getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, used, &length);
	return failed;
}

void tcp_buffers(int fd, int bytes)
{
	set(fd, SOL_SOCKET, SO_SNDBUF, bytes);
	set(fd, SOL_SOCKET, SO_RCVBUF, bytes);
}

int tcp_send_buffer(int fd)
{
	return get(fd, SOL_SOCKET, SO_SNDBUF);
}

int tcp_receive_buffer(int fd)
{
	return get(fd, SOL_SOCKET, SO_RCVBUF);
}

void tcp_reset_on_close(int fd)
{
	const struct linger now = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void tcp_report(int fd, struct tcp_report *report)
{
	socklen_t length = sizeof report->account;

	memset(report, 0, sizeof *report);
	if (!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &report->account, &length))
		report->length = length;
}

/* ---- addresses -------------------------------------------------------- */

uint16_t tcp_port_of(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} own = { .v6 = { 0 } };
	socklen_t length = sizeof own;

	if (getsockname(fd, &own.any, &length))
		return 0;
	return ntohs(own.any.sa_family == AF_INET6 ? own.v6.sin6_port :
						     own.v4.sin_port);
}

socklen_t tcp_set_port(struct sockaddr_storage *address, uint16_t port)
{
	if (address->ss_family == AF_INET6) {
		((struct sockaddr_in6 *)address)->sin6_port = htons(port);
		return sizeof(struct sockaddr_in6);
	}
	((struct sockaddr_in *)address)->sin_port = htons(port);
	return sizeof(struct sockaddr_in);
}

bool tcp_same_host(const struct sockaddr_storage *a,
	const struct sockaddr_storage *b)
{
	if (a->ss_family != b->ss_family)
		return false;
	if (a->ss_family == AF_INET6)
		return !memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
			&((const struct sockaddr_in6 *)b)->sin6_addr,
			sizeof(struct in6_addr));
	uint32_t one = ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr);
	uint32_t two = ntohl(((const struct sockaddr_in *)b)->sin_addr.s_addr);
	return one == two ||
		(one >> 24 == IN_LOOPBACKNET && two >> 24 == IN_LOOPBACKNET);
}

void tcp_address_text(const struct sockaddr_storage *address, char *into,
	size_t size)
{
	char host[INET6_ADDRSTRLEN] = "?";
	bool six = address->ss_family == AF_INET6;
	const void *raw = six ?
		(const void *)&((const struct sockaddr_in6 *)address)
			->sin6_addr :
		(const void *)&((const struct sockaddr_in *)address)->sin_addr;
	unsigned port =
		ntohs(six ? ((const struct sockaddr_in6 *)address)->sin6_port :
			    ((const struct sockaddr_in *)address)->sin_port);

	inet_ntop(address->ss_family, raw, host, sizeof host);
	if (!port)
		snprintf(into, size, "%s", host);
	else
		snprintf(into, size, six ? "[%s]:%u" : "%s:%u", host, port);
}
