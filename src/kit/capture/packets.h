/*
 * The packets of a run: the capture helpers of its workers append them to a
 * file, and any number of readers follow it.
 *
 * The file has no name and is in memory (memfd). The engine creates it for a
 * run that captures, workers inherit it in probe->packets_fd, and the lab keeps
 * it as long as the run. It contains complete records of capture_wire.h, one
 * helper after the other. It is opened with O_APPEND, so several processes may
 * write, and nothing is overwritten. Each reader has its own position:
 *
 *     struct packets *packets = packets_follow(fd);
 *     while (packets_next(packets, &record))
 *             annotator_add(annotator, &record);
 *     ..                       again, whenever there may be more
 *     packets_unfollow(packets);
 *
 * The experiment that made a connection also appends what the kernel reports
 * about it (packets_tell_path(), packets_tell_sample()). A reader collects
 * these reports (packets_tcpinfo()). They are not packets, and packets_save()
 * does not write them.
 *
 * Packets of loopback are returned without their empty Ethernet header, so that
 * they have the link type LINK_RAW, like those of a link, and fit in one pcap
 * file. Time stamps, bytes and order are the same for every reader and in the
 * file that packets_save() writes. So an annotator without options finds the
 * same connections in each.
 */
#ifndef BENCHTOP_PACKETS_H
#define BENCHTOP_PACKETS_H

#include "capture.h"
#include "link_rows.h"
#include "tcp.h"
#include "tcpinfo_log.h"

enum {
	/* Headers and records: at this size a run stops capturing. */
	PACKETS_BYTES_MOST = 128 << 20,
};

struct packets;

/* A reader that starts at the beginning. The descriptor is borrowed and must
 * stay open. */
struct packets *packets_follow(int fd);
/* The same, but starts at the present end. */
struct packets *packets_follow_new(int fd);
/* Returns the next packet; its bytes are valid until the next call. False if
 * there is no further packet so far. */
bool packets_next(struct packets *, struct packet_record *);
void packets_unfollow(struct packets *);

/* Reports of the helpers up to the reader's position. */
struct packets_state {
	unsigned begun, ended; /* helpers that began to capture, that ended */
	uint32_t snap_bytes;   /* of each packet */
	struct capture_counts counts; /* of all helpers together */
	bool damaged;  /* invalid data follows: no more packets are returned */
	bool denied;   /* a helper lacked permission; otherwise it failed: */
	char why[256]; /* "" */
};
const struct packets_state *packets_state(const struct packets *);

/* The reports about connections up to the reader's position. */
const struct tcpinfo_log *packets_tcpinfo(const struct packets *);

/* The time on the clock of packet time stamps, CLOCK_REALTIME. */
int64_t packets_now_ns(void);
/* For a worker: append reports about the connection with this local port.
 * packets_tell_path() appends when it was requested, its congestion control and
 * its link (NULL: unknown). packets_tell_sample() appends a sample of its
 * socket. Both do nothing for a descriptor below 0; the second also if an old
 * kernel reports no windows. */
void packets_tell_path(int fd, uint16_t port, int64_t t_ns,
	const char *congestion, const struct link_args *link);
void packets_tell_sample(int fd, uint16_t port, int64_t t_ns,
	const struct tcp_report *);

/* Writes the packets as a nanosecond pcap file. Returns 0, or -1 with an
 * error. */
int packets_save(int fd, const char *path, struct error *);

#endif
