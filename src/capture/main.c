/*
 * benchtop-capture: packets from an interface or a file, written to a pipe.
 *
 *     benchtop-capture file
 *         a pcap or pcapng file on standard input
 *     benchtop-capture live INTERFACE BYTES bandwidth|latency all|inbound PORT
 *             [MOST]
 *         BYTES of each packet; TCP of PORT (0: of all) and ICMP; until the end
 *         of standard input, or until MOST bytes have been written
 *
 * Standard output receives the records of capture_wire.h. This is the only
 * program that links libpcap, and the only one that ever has a privilege: it
 * opens the socket, drops all privileges, and then copies packets without
 * interpreting them.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "capture_wire.h"
#include "confine.h"

enum {
	BUFFER_BYTES = 256 << 10,
	RING_BYTES = 16 << 20,
	BLOCK_MS = 20,
	BATCH = 256,
	STATISTICS_MS = 200,
	/* For bandwidth: the ring holds half a second of the fastest loopback,
	 * and the measurement has the processor meanwhile. */
	NAP_MS = 100,
	NICE = 10,
};

struct output {
	char bytes[BUFFER_BYTES];
	size_t used;
	uint32_t link_type;
	uint64_t total; /* bytes flushed */
};

static struct output output;

/* If the reader of the pipe has ended, the helper ends too. */
static void flush(void)
{
	size_t done = 0;

	while (done < output.used) {
		ssize_t wrote = write(STDOUT_FILENO, output.bytes + done,
			output.used - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			exit(1);
		done += (size_t)wrote;
	}
	output.total += done;
	output.used = 0;
}

static void put(const struct capture_header *header, const void *bytes)
{
	size_t padded = capture_padded(header->byte_count);

	if (output.used + sizeof *header + padded > sizeof output.bytes)
		flush();
	char *at = output.bytes + output.used;
	memcpy(at, header, sizeof *header);
	memset(at + sizeof *header, 0, padded);
	if (header->byte_count)
		memcpy(at + sizeof *header, bytes, header->byte_count);
	output.used += sizeof *header + padded;
}

static int fail(enum capture_kind kind, const char *what, const char *why)
{
	char sentence[400];
	int length = snprintf(sentence, sizeof sentence, "%s%s%s", what,
		*why ? ": " : "", why);
	struct capture_header header = { .kind = (uint8_t)kind };

	if (length >= (int)sizeof sentence)
		length = sizeof sentence - 1;
	header.byte_count = (uint16_t)length;
	put(&header, sentence);
	flush();
	return 1;
}

/* ---- packets ---------------------------------------------------------- */

enum { NS_PER_S = 1000000000 };

/* A file may contain any values: seconds are limited to the range of 64 bits of
 * nanoseconds, the fraction to one second. */
static int64_t stamp_ns(const struct pcap_pkthdr *packet, uint8_t *invalid)
{
	const int64_t most_s = INT64_MAX / NS_PER_S - 1;
	int64_t second = packet->ts.tv_sec, fraction = packet->ts.tv_usec;

	if (second > most_s || second < 0) {
		*invalid = 1;
		second = second < 0 ? 0 : most_s;
	}
	if (fraction < 0 || fraction >= NS_PER_S) {
		*invalid = 1;
		fraction = NS_PER_S - 1;
	}
	return second * NS_PER_S + fraction;
}

static void forward(u_char *unused, const struct pcap_pkthdr *packet,
	const u_char *bytes)
{
	uint32_t count = packet->caplen < CAPTURE_BYTES_MOST ?
		packet->caplen :
		CAPTURE_BYTES_MOST;
	struct capture_header header = {
		.captured_bytes = packet->caplen,
		.wire_bytes = packet->len,
		.link_type = output.link_type,
		.byte_count = (uint16_t)count,
		.kind = CAPTURE_PACKET,
	};

	(void)unused;
	header.t_ns = stamp_ns(packet, &header.stamp_invalid);
	put(&header, bytes);
}

static void put_statistics(pcap_t *pcap)
{
	struct pcap_stat counts;

	if (pcap_stats(pcap, &counts))
		return;
	put(
		&(struct capture_header){
			.kind = CAPTURE_STATISTICS,
			.t_ns = counts.ps_recv,
			.captured_bytes = counts.ps_drop,
			.wire_bytes = counts.ps_ifdrop,
		},
		NULL);
}

static void put_ready(pcap_t *pcap)
{
	output.link_type = (uint32_t)pcap_datalink(pcap);
	put(
		&(struct capture_header){
			.kind = CAPTURE_READY,
			.captured_bytes = (uint32_t)pcap_snapshot(pcap),
			.wire_bytes = CAPTURE_VERSION,
			.link_type = output.link_type,
		},
		NULL);
}

static int put_end(void)
{
	put(&(struct capture_header){ .kind = CAPTURE_END }, NULL);
	flush();
	return 0;
}

/* ---- a file ----------------------------------------------------------- */

static int from_file(void)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	const char *failed = confine();

	if (failed)
		return fail(CAPTURE_FAILED, failed, "");
	pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(stdin,
		PCAP_TSTAMP_PRECISION_NANO, why);
	if (!pcap)
		return fail(CAPTURE_FAILED, why, "");
	put_ready(pcap);
	int got = pcap_loop(pcap, -1, forward, NULL);
	if (got == PCAP_ERROR)
		return fail(CAPTURE_FAILED, pcap_geterr(pcap), "");
	return put_end();
}

/* ---- an interface ------------------------------------------------------ */

struct live {
	const char *interface;
	int bytes;
	bool latency, inbound;
	int port;
	uint64_t most_bytes;
};

static void configure(pcap_t *pcap, const struct live *live)
{
	pcap_set_snaplen(pcap, live->bytes);
	pcap_set_promisc(pcap, 0);
	pcap_set_timeout(pcap, BLOCK_MS);
	pcap_set_buffer_size(pcap, RING_BYTES);
	/* Immediate delivery costs a wake-up per packet; otherwise the ring
	 * delivers blocks. */
	pcap_set_immediate_mode(pcap, live->latency);
	pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO);
}

static int activate_failed(pcap_t *pcap, const char *interface, int status)
{
	char what[128];
	bool denied = status == PCAP_ERROR_PERM_DENIED ||
		status == PCAP_ERROR_PROMISC_PERM_DENIED;

	snprintf(what, sizeof what, "cannot capture on %.32s", interface);
	if (denied)
		return fail(CAPTURE_DENIED, what, "needs CAP_NET_RAW");
	if (status == PCAP_ERROR)
		return fail(CAPTURE_FAILED, what, pcap_geterr(pcap));
	return fail(CAPTURE_FAILED, what, pcap_statustostr(status));
}

static int compile(pcap_t *pcap, const struct live *live, bool inbound,
	struct bpf_program *program)
{
	char text[96], port[24] = "";

	if (live->port)
		snprintf(port, sizeof port, " port %d", live->port);
	snprintf(text, sizeof text, "%s(tcp%s or icmp or icmp6)",
		inbound ? "inbound and " : "", port);
	return pcap_compile(pcap, program, text, 1, PCAP_NETMASK_UNKNOWN);
}

/* Avoids copying outgoing packets of loopback. Older kernels lack this
 * option. */
static void ignore_outgoing(pcap_t *pcap)
{
	int yes = 1;

	setsockopt(pcap_fileno(pcap), SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes,
		sizeof yes);
}

/* libpcap also applies its filter in user space, to packets that were in the
 * ring before the filter was set. There `inbound` would reject everything, the
 * whole first block. So libpcap has a filter without `inbound`, and only the
 * kernel has the full one. */
static int filter_inbound(pcap_t *pcap, const struct live *live)
{
	struct bpf_program program;

	if (compile(pcap, live, true, &program))
		return -1;
	_Static_assert(sizeof(struct bpf_insn) == sizeof(struct sock_filter),
		"one layout");
	const struct sock_fprog kernel = {
		.len = (unsigned short)program.bf_len,
		.filter = (struct sock_filter *)program.bf_insns,
	};
	int failed = setsockopt(pcap_fileno(pcap), SOL_SOCKET, SO_ATTACH_FILTER,
		&kernel, sizeof kernel);
	pcap_freecode(&program);
	ignore_outgoing(pcap);
	return failed;
}

static int filter(pcap_t *pcap, const struct live *live)
{
	struct bpf_program program;

	if (compile(pcap, live, false, &program))
		return -1;
	int failed = pcap_setfilter(pcap, &program);
	pcap_freecode(&program);
	if (failed || !live->inbound)
		return failed;
	return filter_inbound(pcap, live);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Reads everything in the ring. Returns the number of packets, or -1. */
static int take_all(pcap_t *pcap, uint64_t most_bytes)
{
	int total = 0, got;

	do {
		got = pcap_dispatch(pcap, BATCH, forward, NULL);
		if (got < 0)
			return -1;
		total += got;
	} while (got == BATCH && output.total < most_bytes);
	flush();
	return total;
}

/* Runs until end of file on standard input, then reads the rest of the ring: a
 * block is delivered within its timeout. Traffic may continue. */
static int watch(pcap_t *pcap, const struct live *live)
{
	enum { LAST_MS = 500 };
	struct pollfd polled[2] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = pcap_get_selectable_fd(pcap), .events = POLLIN },
	};
	/* For latency, a packet wakes the helper; for bandwidth, it sleeps. */
	nfds_t watched = live->latency ? 2 : 1;
	int64_t told_ms = now_ms(), until_ms = 0;

	for (int idle = 0; !until_ms || idle < 3;) {
		int nap_ms = until_ms ? BLOCK_MS :
			live->latency ? STATISTICS_MS :
					NAP_MS;
		if (poll(polled, until_ms ? 2 : watched, nap_ms) < 0 &&
			errno != EINTR)
			return -1;
		if (!until_ms && polled[0].revents) {
			until_ms = now_ms() + LAST_MS;
			polled[0].fd = -1;
		}
		int got = take_all(pcap, live->most_bytes);
		if (got < 0)
			return -1;
		idle = got ? 0 : idle + 1;
		if (output.total >= live->most_bytes ||
			(until_ms && now_ms() >= until_ms))
			break;
		if (now_ms() - told_ms >= STATISTICS_MS) {
			put_statistics(pcap);
			told_ms = now_ms();
		}
	}
	put_statistics(pcap);
	return 0;
}

/* Runs only when the processor is idle, so that it does not preempt the
 * measurement; the ring buffers the packets. */
static void stand_back(const struct live *live)
{
	const struct sched_param none = { 0 };

	if (live->latency)
		return;
	sched_setscheduler(0, SCHED_BATCH, &none);
	setpriority(PRIO_PROCESS, 0, NICE);
}

static int from_interface(const struct live *live)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	pcap_t *pcap = pcap_create(live->interface, why);

	if (!pcap)
		return fail(CAPTURE_FAILED, "cannot capture", why);
	configure(pcap, live);
	int status = pcap_activate(pcap);
	if (status == PCAP_ERROR) {
		/* No memory for the ring: tries half of it. */
		pcap_set_buffer_size(pcap, RING_BYTES / 2);
		status = pcap_activate(pcap);
	}
	if (status < 0)
		return activate_failed(pcap, live->interface, status);
	if (filter(pcap, live) || pcap_setnonblock(pcap, 1, why))
		return fail(CAPTURE_FAILED, "cannot filter packets",
			pcap_geterr(pcap));
	stand_back(live);
	const char *failed = confine();
	if (failed)
		return fail(CAPTURE_FAILED, failed, "");
	put_ready(pcap);
	flush();
	if (watch(pcap, live))
		return fail(CAPTURE_FAILED, "the capture broke",
			pcap_geterr(pcap));
	return put_end();
}

/* ---- arguments -------------------------------------------------------- */

static bool read_number(const char *word, int least, int most, int *value)
{
	char *end;
	long read;

	errno = 0;
	read = strtol(word, &end, 10);
	*value = (int)read;
	return !errno && *word && !*end && read >= least && read <= most;
}

/* Parses one of two words; *is becomes true for the first. */
static bool read_choice(const char *word, const char *yes, const char *no,
	bool *is)
{
	*is = !strcmp(word, yes);
	return *is || !strcmp(word, no);
}

static int usage(void)
{
	fprintf(stderr,
		"usage: benchtop-capture file | benchtop-capture live "
		"INTERFACE BYTES bandwidth|latency all|inbound PORT [MOST]\n"
		"This is a part of benchtop, which starts it.\n");
	return 2;
}

int main(int count, char **words)
{
	struct live live = { .most_bytes = UINT64_MAX };
	int most = 0;

	signal(SIGPIPE, SIG_IGN);
	if (count == 2 && !strcmp(words[1], "file"))
		return from_file();
	if (count < 7 || count > 8 || strcmp(words[1], "live") ||
		!read_number(words[3], 64, CAPTURE_BYTES_MOST, &live.bytes) ||
		!read_choice(words[4], "latency", "bandwidth", &live.latency) ||
		!read_choice(words[5], "inbound", "all", &live.inbound) ||
		!read_number(words[6], 0, 65535, &live.port) ||
		(count == 8 && !read_number(words[7], 0, INT_MAX, &most)))
		return usage();
	if (count == 8)
		live.most_bytes = (uint64_t)most;
	live.interface = words[2];
	return from_interface(&live);
}
