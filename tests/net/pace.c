/* The precision of a link's timing. */
#include "pace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define S  (1000 * MS)
enum { PORT = 5009, DATAGRAM = LINK_MTU - 28 };

static _Noreturn void fail_on(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

int64_t pace_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * S + time.tv_nsec;
}

static int socket_on(struct link *link, enum link_side side, int type,
	int protocol)
{
	struct error error;
	int made = link_socket(link, side, AF_INET, type, protocol, &error);

	if (made >= 0)
		return made;
	fprintf(stderr, "%s\n", error.message);
	exit(1);
}

static socklen_t far_port(const struct link *link,
	struct sockaddr_storage *address)
{
	socklen_t size = link_address(link, LINK_FAR, AF_INET, address);

	((struct sockaddr_in *)(void *)address)->sin_port = htons(PORT);
	return size;
}

/* ---- round trips ------------------------------------------------------ */

static uint16_t sum_of(const void *bytes, size_t size)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < size; i += 2) {
		uint16_t word;

		memcpy(&word, (const char *)bytes + i, sizeof word);
		sum += word;
	}
	sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t) ~(sum + (sum >> 16));
}

/* Waits for the answer with this number. */
static int64_t answered(int raw, uint16_t number, int64_t sent_ns,
	int64_t until_ns)
{
	struct pollfd polled = { raw, POLLIN, 0 };

	while (pace_now_ns() < until_ns) {
		struct icmphdr answer;
		char got[256];

		if (poll(&polled, 1, 100) != 1 ||
			recv(raw, got, sizeof got, 0) < 28)
			continue;
		int64_t now_ns = pace_now_ns();
		memcpy(&answer, got + 20, sizeof answer);
		if (answer.type == ICMP_ECHOREPLY &&
			answer.un.echo.sequence == number)
			return now_ns - sent_ns;
	}
	return -1;
}

void pace_pings(struct link *link, int64_t *took_ns, unsigned count)
{
	int raw = socket_on(link, LINK_NEAR, SOCK_RAW, IPPROTO_ICMP);
	struct sockaddr_storage address;
	socklen_t size = link_address(link, LINK_FAR, AF_INET, &address);

	for (unsigned i = 0; i < count; i++) {
		struct icmphdr request = { .type = ICMP_ECHO };
		int64_t sent_ns = pace_now_ns();

		request.un.echo.sequence = (uint16_t)i;
		request.checksum = sum_of(&request, sizeof request);
		if (sendto(raw, &request, sizeof request, 0,
			    (struct sockaddr *)&address, size) < 0)
			fail_on("sendto");
		took_ns[i] =
			answered(raw, (uint16_t)i, sent_ns, sent_ns + 12 * S);
	}
	close(raw);
}

int64_t pace_ping_expected_ns(const struct link_settings *settings)
{
	return settings->rtt_ns / 2 * 2 +
		2 * (28 * 8 * S / settings->rate_bit_s);
}

/* ---- rate ------------------------------------------------------------- */

/* Keeps the path's queue full without overloading the relay: sends a tenth more
 * than the rate, and starts with a hundred packets. */
static _Noreturn void flood(int near, const struct sockaddr *address,
	socklen_t size, int64_t rate_bit_s)
{
	static const char datagram[DATAGRAM];
	int64_t begun_ns = pace_now_ns(), sent_bits = 0;

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		double gone_s = (double)(pace_now_ns() - begun_ns) / (double)S;
		int64_t due_bits = (int64_t)(1.1 * gone_s * (double)rate_bit_s);

		while (sent_bits < due_bits + 100 * 8 * LINK_MTU) {
			if (sendto(near, datagram, sizeof datagram, 0, address,
				    size) < 0 &&
				errno != ENOBUFS)
				fail_on("sendto");
			sent_bits += 8 * LINK_MTU;
		}
		usleep(1000);
	}
}

static pid_t start_flood(struct link *link, int64_t rate_bit_s)
{
	int near = socket_on(link, LINK_NEAR, SOCK_DGRAM, 0);
	struct sockaddr_storage address;
	socklen_t size = far_port(link, &address);
	pid_t parent = getpid();
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			flood(near, (struct sockaddr *)&address, size,
				rate_bit_s);
		_exit(1);
	}
	close(near);
	return pid;
}

struct pace pace_rate(struct link *link, const struct link_settings *settings,
	int64_t span_ns)
{
	int far = socket_on(link, LINK_FAR, SOCK_DGRAM, 0);
	struct sockaddr_storage address;
	socklen_t size = far_port(link, &address);
	struct pace pace;

	/* A bound socket that is not read, so that no ICMP errors come back. */
	if (bind(far, (struct sockaddr *)&address, size))
		fail_on("bind");
	pid_t pid = start_flood(link, settings->rate_bit_s);
	usleep((useconds_t)(settings->rtt_ns / 1000 + 200000));
	struct link_counters first = link_counters(link, LINK_NEAR);
	int64_t first_ns = pace_now_ns();
	usleep((useconds_t)(span_ns / 1000));
	struct link_counters last = link_counters(link, LINK_NEAR);
	pace.took_ns = pace_now_ns() - first_ns;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(far);
	pace.bit_s = 8 *
		(double)(last.delivered_bytes - first.delivered_bytes) /
		((double)pace.took_ns / (double)S);
	pace.busy =
		(double)(last.busy_ns - first.busy_ns) / (double)pace.took_ns;
	pace.late_peak_ns = (int64_t)last.late_peak_ns;
	return pace;
}

/* ---- goodput ---------------------------------------------------------- */

static _Noreturn void pour(int near)
{
	static const char bytes[65536];

	signal(SIGPIPE, SIG_IGN);
	while (send(near, bytes, sizeof bytes, 0) > 0)
		continue;
	_exit(0);
}

static int connected(struct link *link, const char *congestion, pid_t *pid)
{
	int listening = socket_on(link, LINK_FAR, SOCK_STREAM, 0);
	int near = socket_on(link, LINK_NEAR, SOCK_STREAM, 0);
	struct sockaddr_storage address;
	socklen_t size = far_port(link, &address);
	const int yes = 1;

	/* The connection of an earlier attempt may still be closing. */
	if (setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
		bind(listening, (struct sockaddr *)&address, size) ||
		listen(listening, 1) ||
		setsockopt(near, IPPROTO_TCP, TCP_CONGESTION, congestion,
			(socklen_t)strlen(congestion)) ||
		connect(near, (struct sockaddr *)&address, size))
		fail_on("connect");
	int far = accept(listening, NULL, NULL);
	close(listening);
	*pid = fork();
	if (!*pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pour(near);
	}
	close(near);
	return far;
}

/* Reads until a time. Reports the first and the last moment, and the bytes
 * after the first read. */
static int64_t read_until(int far, int64_t until_ns, int64_t *from_ns,
	int64_t *to_ns)
{
	static char bytes[1 << 20];
	int64_t read_bytes = -1;

	do {
		ssize_t got = recv(far, bytes, sizeof bytes, 0);

		if (got <= 0)
			fail_on("recv");
		*to_ns = pace_now_ns();
		if (read_bytes < 0)
			*from_ns = *to_ns;
		read_bytes += read_bytes < 0 ? 1 : got;
	} while (*to_ns < until_ns);
	return read_bytes;
}

struct pace pace_goodput(struct link *link, const char *congestion,
	int64_t span_ns)
{
	pid_t pid;
	int far = connected(link, congestion, &pid);
	int64_t begun_ns = pace_now_ns(), from_ns, to_ns;
	struct pace pace = { .busy = 1 };

	read_until(far, begun_ns + span_ns / 2, &from_ns, &to_ns);
	struct link_counters first = link_counters(link, LINK_NEAR);
	int64_t got = read_until(far, begun_ns + span_ns, &from_ns, &to_ns);
	struct link_counters last = link_counters(link, LINK_NEAR);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(far);
	pace.took_ns = to_ns - from_ns;
	pace.bit_s = 8 * (double)got / ((double)pace.took_ns / (double)S);
	pace.busy =
		(double)(last.busy_ns - first.busy_ns) / (double)pace.took_ns;
	pace.late_peak_ns = (int64_t)last.late_peak_ns;
	return pace;
}
