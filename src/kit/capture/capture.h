/*
 * Packets from an interface or a file, through the capture helper.
 *
 * The helper (benchtop-capture) is a separate program, found beside this one or
 * in ../libexec/benchtop. Only the helper links libpcap, and only the helper
 * may have a privilege. This module starts it, reads its pipe and never blocks:
 *
 *     struct capture *capture = capture_open(&ask, &error);
 *     while ((got = capture_next(capture, &record, &error)) != CAPTURE_OVER)
 *             if (got == CAPTURE_GOT)
 *                     annotator_add(annotator, &record);
 *             else
 *                     poll(capture_descriptor(capture), POLLIN);
 *     capture_close(capture);
 *
 * A live capture runs until capture_stop(), and a file until its end or
 * capture_stop(). The packets captured until then still arrive, followed by
 * CAPTURE_OVER. Stop a live capture 200 ms after the last FIN or RST. Before
 * sending the first packet of interest, call capture_wait() until the capture
 * is ready.
 *
 * For bandwidth, the kernel's ring delivers packets in blocks (TPACKET_V3, 16
 * MB). The helper empties it ten times a second, at a lower priority than the
 * measurement. On loopback this costs about 2 % of the throughput; delivery of
 * single packets costs 35 %. On loopback every packet is seen twice, outgoing
 * and incoming; `inbound` skips the outgoing copies. Time stamps are the
 * kernel's, CLOCK_REALTIME, in nanoseconds.
 */
#ifndef BENCHTOP_CAPTURE_H
#define BENCHTOP_CAPTURE_H

#include <stdint.h>
#include <sys/types.h>

#include "decode.h"
#include "error.h"

enum capture_use { CAPTURE_FOR_BANDWIDTH, CAPTURE_FOR_LATENCY };

struct capture_ask {
	const char *file;      /* a pcap or pcapng file, which may be compressed
			        * with gzip or zstd; "-": standard input; or */
	const char *interface; /* an interface: "lo" */
	enum capture_use use;
	bool inbound;   /* only incoming packets: for loopback */
	uint16_t port;  /* only TCP of this port; 0: every port */
	uint32_t bytes; /* captured of each packet; 0: 144, enough for
			 * headers */
	/* A file to which the helper appends the records, for packets.h; this
	 * module then reads no packets. 0: none. */
	int into;
	uint64_t into_most; /* bytes of records, at which the capture ends */
	/* Starts a program in another place, such as the namespace of a link,
	 * with three descriptors as 0, 1 and 2. Returns its process id, or -1.
	 * NULL: starts it in the caller's namespace. */
	pid_t (*spawn)(void *context, const char *const *argv, const int *fds,
		struct error *);
	void *context;
};

struct capture_counts {
	uint64_t received; /* by the kernel; twice on loopback,
				     * without inbound */
	uint64_t dropped;  /* the ring was full */
	uint64_t interface_dropped;
};

struct capture;

/* Returns NULL with an error. A missing permission is only known after the
 * helper has tried: capture_wait() then reports STATUS_PERMISSION with the
 * command that would grant it. */
struct capture *capture_open(const struct capture_ask *, struct error *);
/* Waits until packets are being captured, at most timeout_ms. Returns 0, or -1
 * with an error. */
int capture_wait(struct capture *, int timeout_ms, struct error *);
/* Readable when capture_next() may have data. */
int capture_descriptor(const struct capture *);

enum capture_got {
	CAPTURE_GOT,    /* a packet; its bytes are valid until the next call */
	CAPTURE_AGAIN,  /* no packet yet */
	CAPTURE_OVER,   /* no more packets */
	CAPTURE_BROKEN, /* no more packets; the error has the cause */
};
enum capture_got capture_next(struct capture *, struct packet_record *,
	struct error *);

/* The kernel's counters so far; complete after CAPTURE_OVER. */
struct capture_counts capture_counts(const struct capture *);
/* Captured bytes per packet: the snap length of the file, or as requested. */
uint32_t capture_snap_bytes(const struct capture *);
void capture_stop(struct capture *);
/* After capture_stop(): true if the helper has ended within timeout_ms. For a
 * helper that writes to a file. */
bool capture_gone(struct capture *, int timeout_ms);
/* The process id of the helper. */
pid_t capture_process(const struct capture *);
/* Ends the helper in any state; does nothing for NULL. */
void capture_close(struct capture *);

/* The path of the helper, which the caller frees, or NULL. */
char *capture_program(void);

#endif
