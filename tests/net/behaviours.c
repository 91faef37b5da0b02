/* Behaviours of the kernel's TCP, produced on the link. */
#include "behaviours.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEGMENT = 1448 };

#define MS INT64_C(1000000)
static const struct behaviour_script scripts[BEHAVIOURS] = {
	[BEHAVIOUR_LOSS] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 100000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 300,
		.drops = 1,
		.drop = { 100 } },
	[BEHAVIOUR_TAIL_LOSS] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 100000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 20,
		.drops = 5,
		.drop = { 17, 18, 19, 20, 21 } },
	[BEHAVIOUR_RTO_CHAIN] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 100000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 1,
		.drops = 4,
		.drop = { 2, 3, 4, 5 } },
	[BEHAVIOUR_ZERO_WINDOW] = { .rtt_ns = 20 * MS,
		.rate_bit_s = 100000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 100,
		.receive_bytes = 8192,
		.sleep_ms = 1000 },
	[BEHAVIOUR_HYSTART] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 20000000,
		.queue_packets = 1000,
		.congestion = "cubic",
		.segments = 1500 },
	[BEHAVIOUR_DELAYED] = { .rtt_ns = 30 * MS,
		.rate_bit_s = 5000000,
		.queue_packets = 1000,
		.congestion = "cubic",
		.segments = 400 },
	[BEHAVIOUR_OVERSHOOT] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 20000000,
		.queue_packets = 80,
		.congestion = "reno",
		.segments = 1500 },
	[BEHAVIOUR_WINDOW] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 1000000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 600,
		.receive_bytes = 65536 },
	[BEHAVIOUR_APPLICATION] = { .rtt_ns = 40 * MS,
		.rate_bit_s = 1000000000,
		.queue_packets = 1000,
		.congestion = "reno",
		.segments = 100,
		.first_segments = 35,
		.pause_ms = 150 },
	[BEHAVIOUR_SIMULTANEOUS] = { .rtt_ns = 100 * MS,
		.rate_bit_s = 20000000,
		.queue_packets = 80,
		.congestion = "reno" },
	[BEHAVIOUR_SELF] = { .rtt_ns = 100 * MS,
		.rate_bit_s = 20000000,
		.queue_packets = 80,
		.congestion = "reno" },
};

static int failed(const char *what, struct error *error)
{
	return error_set(error, STATUS_NETWORK, "%s: %s", what,
		strerror(errno));
}

static socklen_t port_of(const struct link *link, enum link_side side,
	struct sockaddr_storage *address)
{
	socklen_t size = link_address(link, side, AF_INET, address);

	((struct sockaddr_in *)(void *)address)->sin_port =
		htons(BEHAVIOUR_PORT);
	return size;
}

/* A stream socket on a side with the script's congestion control; if `bound`,
 * bound to the connection's port. */
static int stream(struct link *link, enum link_side side, bool bound,
	const struct behaviour_script *script, struct error *error)
{
	int made = link_socket(link, side, AF_INET, SOCK_STREAM, 0, error);
	struct sockaddr_storage address;
	socklen_t size = port_of(link, side, &address);

	if (made < 0)
		return -1;
	if (script->receive_bytes && side == LINK_FAR)
		setsockopt(made, SOL_SOCKET, SO_RCVBUF, &script->receive_bytes,
			sizeof script->receive_bytes);
	if (!setsockopt(made, IPPROTO_TCP, TCP_CONGESTION, script->congestion,
		    (socklen_t)strlen(script->congestion)) &&
		(!bound || !bind(made, (struct sockaddr *)&address, size)))
		return made;
	close(made);
	return failed(script->congestion, error);
}

/* ---- a transfer ------------------------------------------------------- */

static int connect_both(struct link *link,
	const struct behaviour_script *script, int ends[LINK_SIDES],
	struct error *error)
{
	int listening = stream(link, LINK_FAR, true, script, error);
	struct sockaddr_storage address;
	socklen_t size = port_of(link, LINK_FAR, &address);

	if (listening < 0)
		return -1;
	ends[LINK_NEAR] = stream(link, LINK_NEAR, false, script, error);
	if (listen(listening, 1) || ends[LINK_NEAR] < 0 ||
		connect(ends[LINK_NEAR], (struct sockaddr *)&address, size))
		return failed("connect", error);
	ends[LINK_FAR] = accept(listening, NULL, NULL);
	close(listening);
	return ends[LINK_FAR] < 0 ? failed("accept", error) : 0;
}

/* Notes between which samples the sender's kernel first set a threshold of slow
 * start. */
static void note_threshold(int near, struct behaved *behaved)
{
	struct tcp_info info = { .tcpi_snd_ssthresh = INT32_MAX };
	socklen_t size = sizeof info;
	struct timespec now;

	if (behaved->threshold_ns)
		return;
	getsockopt(near, IPPROTO_TCP, TCP_INFO, &info, &size);
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t now_ns = now.tv_sec * 1000 * MS + now.tv_nsec;
	if (info.tcpi_snd_ssthresh < INT32_MAX)
		behaved->threshold_ns = now_ns;
	else
		behaved->unlimited_ns = now_ns;
}

/* The sender's kernel is asked once in a millisecond, also while nothing
 * arrives. */
static int read_all(const int ends[LINK_SIDES], uint64_t size,
	struct behaved *behaved, struct error *error)
{
	enum { PATIENCE_MS = 60000 };
	static char bytes[1 << 16];
	struct pollfd polled = { ends[LINK_FAR], POLLIN, 0 };

	for (int waited_ms = 0; size && waited_ms < PATIENCE_MS; waited_ms++) {
		note_threshold(ends[LINK_NEAR], behaved);
		if (poll(&polled, 1, 1) != 1)
			continue;
		ssize_t got = recv(ends[LINK_FAR], bytes, sizeof bytes, 0);
		if (got <= 0)
			return failed("recv", error);
		size -= (uint64_t)got;
		waited_ms = 0;
	}
	return size ? failed("recv", error) : 0;
}

/* The writer is a separate process, so that a full buffer blocks only the
 * writer. */
static bool write_all(const struct behaviour_script *script, int near)
{
	size_t size = script->segments * SEGMENT;
	size_t first = script->first_segments * SEGMENT;
	char *bytes = calloc(1, size);

	if (!bytes ||
		(first &&
			send(near, bytes, first, MSG_NOSIGNAL) !=
				(ssize_t)first))
		return false;
	usleep(script->pause_ms * 1000);
	size -= first;
	return send(near, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static int transfer(const struct behaviour_script *script,
	const int ends[LINK_SIDES], struct behaved *behaved,
	struct error *error)
{
	pid_t writer = fork();

	if (!writer)
		_exit(!write_all(script, ends[LINK_NEAR]));
	usleep(script->sleep_ms * 1000);
	int wrong = read_all(ends, script->segments * SEGMENT, behaved, error);
	waitpid(writer, NULL, 0);
	return wrong;
}

/* Waits until all data is acknowledged; the last acknowledgement may still be
 * in transit. */
static void note_info(int near, struct behaved *behaved)
{
	struct tcp_info info;
	socklen_t size;

	for (int i = 0; i < 2000; i++) {
		size = sizeof info;
		memset(&info, 0, sizeof info);
		if (getsockopt(near, IPPROTO_TCP, TCP_INFO, &info, &size) ||
			!info.tcpi_unacked)
			break;
		usleep(1000);
	}
	behaved->retransmits = info.tcpi_total_retrans;
	behaved->cwnd = info.tcpi_snd_cwnd;
	behaved->ssthresh = info.tcpi_snd_ssthresh;
	behaved->rtt_us = info.tcpi_rtt;
	behaved->state = info.tcpi_state;
}

static int make_transfer(struct link *link,
	const struct behaviour_script *script, struct behaved *behaved,
	struct error *error)
{
	int ends[LINK_SIDES] = { -1, -1 };
	int wrong = connect_both(link, script, ends, error);

	if (!wrong)
		wrong = transfer(script, ends, behaved, error);
	if (!wrong)
		note_info(ends[LINK_NEAR], behaved);
	behaved->sent_bytes = script->segments * SEGMENT;
	close(ends[LINK_NEAR]);
	close(ends[LINK_FAR]);
	return wrong;
}

/* ---- odd ways to connect ---------------------------------------------- */

static int begin_connect(struct link *link, int from, enum link_side to)
{
	struct sockaddr_storage address;
	socklen_t size = port_of(link, to, &address);

	fcntl(from, F_SETFL, O_NONBLOCK);
	return connect(from, (struct sockaddr *)&address, size) &&
			errno != EINPROGRESS ?
		-1 :
		0;
}

/* Both sides call connect() within half a round trip, before either sees the
 * other's SYN. */
static int make_simultaneous(struct link *link,
	const struct behaviour_script *script, struct behaved *behaved,
	struct error *error)
{
	int near = stream(link, LINK_NEAR, true, script, error);
	int far = near < 0 ? -1 : stream(link, LINK_FAR, true, script, error);
	struct pollfd polled = { near, POLLOUT, 0 };

	if (far < 0)
		return -1;
	if (begin_connect(link, near, LINK_FAR) ||
		begin_connect(link, far, LINK_NEAR) ||
		poll(&polled, 1, 20000) != 1)
		return failed("connect", error);
	note_info(near, behaved);
	close(near);
	close(far);
	return 0;
}

static int make_self(struct link *link, const struct behaviour_script *script,
	struct behaved *behaved, struct error *error)
{
	int near = stream(link, LINK_NEAR, false, script, error);
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(BEHAVIOUR_PORT),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	char byte = 'x';

	if (near < 0)
		return -1;
	if (bind(near, (struct sockaddr *)&address, sizeof address) ||
		connect(near, (struct sockaddr *)&address, sizeof address) ||
		send(near, &byte, 1, 0) != 1 || recv(near, &byte, 1, 0) != 1)
		return failed("connect", error);
	note_info(near, behaved);
	behaved->sent_bytes = 1;
	close(near);
	return 0;
}

/* ---- the kernel's counters -------------------------------------------- */

static int copy_netstat(void *context)
{
	char piece[4096];
	int file = open("/proc/self/net/netstat", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	while (file >= 0 && (got = read(file, piece, sizeof piece)) > 0)
		if (write(*(int *)context, piece, (size_t)got) != got)
			return 1;
	return file < 0;
}

static void note_netstat(struct link *link, enum link_side side,
	char out[BEHAVIOUR_NETSTAT_BYTES])
{
	int ends[2], output = 0;
	size_t length = 0;
	ssize_t got;
	struct error error;

	if (pipe2(ends, O_CLOEXEC))
		return;
	const struct link_program program = {
		.body = copy_netstat,
		.context = &output,
		.fds = &ends[1],
		.fd_count = 1,
	};
	pid_t pid = link_spawn(link, side, &program, &error);
	close(ends[1]);
	while ((got = read(ends[0], out + length,
			BEHAVIOUR_NETSTAT_BYTES - 1 - length)) > 0)
		length += (size_t)got;
	out[length] = '\0';
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Lines come in pairs: "TcpExt: name name ..", "TcpExt: value value ..". */
int64_t behaved_counter(const struct behaved *behaved, enum link_side side,
	const char *name)
{
	const char *names = strstr(behaved->netstat[side], "TcpExt: ");
	const char *values = names ? strstr(names + 1, "TcpExt: ") : NULL;
	size_t length = strlen(name);

	while (values && names < values) {
		names += strcspn(names, " \n") + 1;
		values += strcspn(values, " \n") + 1;
		if (!strncmp(names, name, length) &&
			strchr(" \n", names[length]))
			return strtoll(values, NULL, 10);
		if (!strncmp(names, "TcpExt:", 7))
			break;
	}
	return -1;
}

/* ---- all behaviours --------------------------------------------------- */

static int perform(const struct behaviour_script *script,
	int (*make)(struct link *, const struct behaviour_script *,
		struct behaved *, struct error *),
	const struct behaviour_watch *watch, struct behaved *behaved,
	struct error *error)
{
	struct link_settings settings = link_preset();
	struct link *link;

	memset(behaved, 0, sizeof *behaved);
	settings.rtt_ns = script->rtt_ns;
	settings.rate_bit_s = script->rate_bit_s;
	settings.queue = script->queue_packets * UNIT_QUEUE_PACKETS;
	settings.drops[LINK_NEAR] = script->drops;
	memcpy(settings.drop[LINK_NEAR], script->drop, sizeof script->drop);
	if (link_open(&settings, &link, error))
		return -1;
	if (watch)
		watch->begin(link, watch->context);
	int wrong = make(link, script, behaved, error);
	/* Waits for the last packets of both sides, which close the
	 * connection. */
	usleep((useconds_t)(2 * script->rtt_ns / 1000));
	if (watch)
		watch->end(watch->context);
	for (int side = 0; side < LINK_SIDES; side++) {
		note_netstat(link, (enum link_side)side,
			behaved->netstat[side]);
		behaved->counters[side] =
			link_counters(link, (enum link_side)side);
	}
	link_close(link);
	return wrong;
}

int behave(enum behaviour what, const struct behaviour_watch *watch,
	struct behaved *behaved, struct error *error)
{
	return perform(&scripts[what],
		what == BEHAVIOUR_SIMULTANEOUS ? make_simultaneous :
			what == BEHAVIOUR_SELF ? make_self :
						 make_transfer,
		watch, behaved, error);
}

int behave_so(const struct behaviour_script *script,
	const struct behaviour_watch *watch, struct behaved *behaved,
	struct error *error)
{
	return perform(script, make_transfer, watch, behaved, error);
}
