/*
 * benchtop-capture: packets from an interface or a file, written to a pipe.
 *
 *     benchtop-capture file
 *         a pcap or pcapng file on standard input, which may be compressed and
 *         may be a pipe; until its end or SIGINT
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
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "confine.h"
#include "order.h"
#include "read_file.h"

enum {
	RING_BYTES = 16 << 20,
	BLOCK_MS = 20,
	BATCH = 256,
	STATISTICS_MS = 200,
	/* For bandwidth: the ring holds half a second of the fastest loopback,
	 * and the measurement has the processor meanwhile. */
	NAP_MS = 100,
};

/* ---- an interface ------------------------------------------------------ */

struct live {
	const char *interface;
	int bytes;
	bool latency, inbound;
	int port;
	uint64_t most_bytes;
};

/* What pcap_dispatch() gives to forward(). */
struct reading {
	uint16_t link_type;
	int64_t until_s; /* later packets are not forwarded; 0: all are */
	bool over;       /* there was one */
};

static void forward(u_char *context, const struct pcap_pkthdr *packet,
	const u_char *bytes)
{
	struct reading *reading = (void *)context;

	reading->over |= reading->until_s &&
		packet->ts.tv_sec > reading->until_s;
	if (reading->over)
		return;
	order_packet(&(struct captured){
		.second = packet->ts.tv_sec,
		.ns = packet->ts.tv_usec,
		.captured_bytes = packet->caplen,
		.wire_bytes = packet->len,
		.link_type = reading->link_type,
		.bytes = bytes,
	});
}

static void put_statistics(pcap_t *pcap)
{
	struct pcap_stat counts;

	if (pcap_stats(pcap, &counts))
		return;
	output_put(
		&(struct capture_header){
			.kind = CAPTURE_STATISTICS,
			.t_ns = counts.ps_recv,
			.captured_bytes = counts.ps_drop,
			.wire_bytes = counts.ps_ifdrop,
		},
		NULL);
}

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
		return output_fail(CAPTURE_DENIED, what, "needs CAP_NET_RAW");
	if (status == PCAP_ERROR)
		return output_fail(CAPTURE_FAILED, what, pcap_geterr(pcap));
	return output_fail(CAPTURE_FAILED, what, pcap_statustostr(status));
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
static int take_all(pcap_t *pcap, uint64_t most_bytes, struct reading *reading)
{
	int total = 0, got;

	do {
		got = pcap_dispatch(pcap, BATCH, forward, (u_char *)reading);
		if (got < 0)
			return -1;
		total += got;
	} while (got == BATCH && !reading->over &&
		output_total() < most_bytes);
	order_release();
	output_flush();
	return total;
}

/* Runs until end of file on standard input, then reads what was captured until
 * then: a block is delivered within its timeout, on a busy machine later.
 * Traffic may continue. */
static int watch(pcap_t *pcap, const struct live *live)
{
	enum { LAST_S = 1, MOST_MS = 8000 };
	struct pollfd polled[2] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = pcap_get_selectable_fd(pcap), .events = POLLIN },
	};
	/* For latency, a packet wakes the helper; for bandwidth, it sleeps. */
	nfds_t watched = live->latency ? 2 : 1;
	int64_t told_ms = now_ms(), until_ms = 0;
	struct reading reading = { (uint16_t)pcap_datalink(pcap), 0, false };

	for (int idle = 0; !until_ms || idle < 3;) {
		int nap_ms = until_ms ? BLOCK_MS :
			live->latency ? STATISTICS_MS :
					NAP_MS;
		if (poll(polled, until_ms ? 2 : watched, nap_ms) < 0 &&
			errno != EINTR)
			return -1;
		if (!until_ms && polled[0].revents) {
			until_ms = now_ms() + MOST_MS;
			reading.until_s = time(NULL) + LAST_S;
			polled[0].fd = -1;
		}
		int got = take_all(pcap, live->most_bytes, &reading);
		if (got < 0)
			return -1;
		idle = got ? 0 : idle + 1;
		if (output_total() >= live->most_bytes || reading.over ||
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

static int from_interface(const struct live *live)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	pcap_t *pcap = pcap_create(live->interface, why);

	if (!pcap)
		return output_fail(CAPTURE_FAILED, "cannot capture", why);
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
		return output_fail(CAPTURE_FAILED, "cannot filter packets",
			pcap_geterr(pcap));
	const char *failed = confine();
	if (failed)
		return output_fail(CAPTURE_FAILED, failed, "");
	output_ready((uint16_t)pcap_datalink(pcap),
		(uint32_t)pcap_snapshot(pcap));
	output_flush();
	if (watch(pcap, live))
		return output_fail(CAPTURE_FAILED, "the capture broke",
			pcap_geterr(pcap));
	return output_end();
}

static int from_file(void)
{
	input_open();
	const char *failed = confine();
	return failed ? output_fail(CAPTURE_FAILED, failed, "") : read_file();
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
