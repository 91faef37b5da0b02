/*
 * The packets of a run: what the capture helpers of its workers append, while
 * whoever has the descriptor reads.
 *
 * The file has no name and lives in memory (memfd): the engine makes it for a
 * run that captures, workers inherit it in probe->packets_fd, and the lab keeps
 * it as long as it keeps the run. In it are records of capture_wire.h, whole
 * ones, helper after helper; nothing is ever overwritten: it is opened for
 * appending, O_APPEND, so that several may write. A reader has its own
 * position and may be as many as there are who want to know:
 *
 *     struct packets *packets = packets_follow(fd);
 *     while (packets_next(packets, &record))
 *             annotator_add(annotator, &record);
 *     ..                       again, whenever there may be more
 *     packets_unfollow(packets);
 *
 * What the kernel says of a connection while it lasts is put among them by the
 * experiment that made it (packets_tell_path(), packets_tell_sample()), and a
 * reader collects it (packets_tcpinfo()): it is no packet, and not in the file
 * that packets_save() writes.
 *
 * Loopback's packets come without their empty Ethernet header, so that they and
 * those of a link have one link type, LINK_RAW, and fit one pcap file. Stamps,
 * bytes and order are the same for every reader, and in the file that
 * packets_save() writes: an annotator without options makes the same
 * connections of all of them.
 */
#ifndef BENCHTOP_PACKETS_H
#define BENCHTOP_PACKETS_H

#include "capture.h"
#include "link_rows.h"
#include "tcp.h"
#include "tcpinfo_log.h"

enum {
	/* Of headers and records: beyond it a run captures no more. */
	PACKETS_BYTES_MOST = 128 << 20,
};

struct packets;

/* A reader from the beginning; the descriptor is borrowed and must stay open.
 */
struct packets *packets_follow(int fd);
/* The same from what will be appended from now on. */
struct packets *packets_follow_new(int fd);
/* The next packet; its bytes are good until the next call. False: there is no
 * other so far. */
bool packets_next(struct packets *, struct packet_record *);
void packets_unfollow(struct packets *);

/* What the helpers whose records were passed have said so far. */
struct packets_state {
	unsigned begun, ended; /* helpers that captured, and are through */
	uint32_t snap_bytes;   /* of each packet */
	struct capture_counts counts; /* of all of them together */
	bool damaged;  /* what follows is no record: nothing more comes */
	bool denied;   /* a helper was not permitted; else it failed: */
	char why[256]; /* "" */
};
const struct packets_state *packets_state(const struct packets *);

/* What the records that were passed have told beside packets. */
const struct tcpinfo_log *packets_tcpinfo(const struct packets *);

/* The time as packets are stamped: of CLOCK_REALTIME. */
int64_t packets_now_ns(void);
/* Tells, in a worker, of the connection whose near end has this port: when it
 * was asked for, by which congestion control, over which link (NULL: unknown);
 * and then what its socket says of it as it goes on. A descriptor below 0 is
 * nothing; an old kernel's report without windows is nothing. */
void packets_tell_path(int fd, uint16_t port, int64_t t_ns,
	const char *congestion, const struct link_args *link);
void packets_tell_sample(int fd, uint16_t port, int64_t t_ns,
	const struct tcp_report *);

/* Writes them as a nanosecond pcap file. 0, or -1 and the error. */
int packets_save(int fd, const char *path, struct error *);

#endif
