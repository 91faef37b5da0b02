/*
 * Packets from an interface or a file, by way of the capture helper.
 *
 * The helper (benchtop-capture) is a program of its own, found beside this one
 * or in ../libexec/benchtop: it alone links libpcap and may have a privilege.
 * This module starts it, reads its pipe and never waits:
 *
 *     struct capture *capture = capture_open(&ask, &error);
 *     while ((got = capture_next(capture, &record, &error)) != CAPTURE_OVER)
 *             if (got == CAPTURE_GOT)
 *                     annotator_add(annotator, &record);
 *             else
 *                     poll(capture_descriptor(capture), POLLIN);
 *     capture_close(capture);
 *
 * A live capture goes on until capture_stop(); what had passed by then still
 * comes, then CAPTURE_OVER. Stop it 200 ms after the last FIN or RST. Before
 * the first packet of interest is sent, capture_wait() until it is ready.
 *
 * For bandwidth the kernel's ring hands packets over in blocks (TPACKET_V3,
 * 16 MB, which the helper empties ten times a second, standing back for whoever
 * measures): on loopback this costs some 2 % of the throughput, delivery one by
 * one 35 %; `inbound` saves loopback the copies of what goes out, since every
 * packet also comes in. Stamps are the kernel's, CLOCK_REALTIME, in
 * nanoseconds.
 */
#ifndef BENCHTOP_CAPTURE_H
#define BENCHTOP_CAPTURE_H

#include <stdint.h>
#include <sys/types.h>

#include "decode.h"
#include "error.h"

enum capture_use { CAPTURE_FOR_BANDWIDTH, CAPTURE_FOR_LATENCY };

struct capture_ask {
	const char *file;      /* a pcap or pcapng file, or */
	const char *interface; /* an interface: "lo" */
	enum capture_use use;
	bool inbound;   /* only what arrives: for loopback */
	uint16_t port;  /* TCP of this port; 0: of every port */
	uint32_t bytes; /* of each packet; 0: 144, enough for headers */
	/* A file that the records are appended to, to be read by packets.h;
	 * this module then has nothing to read. 0: none. */
	int into;
	uint64_t into_most; /* bytes of records; beyond, the capture ends */
	/* Starts a program elsewhere, in the namespace of a link, with three
	 * descriptors as 0, 1 and 2; its process id or -1. NULL: here. */
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

/* NULL and the error: STATUS_PERMISSION with the one command that would allow
 * it only once the helper has tried, see capture_wait(). */
struct capture *capture_open(const struct capture_ask *, struct error *);
/* Waits until packets are being captured, at most timeout_ms; -1 and the error
 * where that will not be. */
int capture_wait(struct capture *, int timeout_ms, struct error *);
/* Readable when there may be something to read. */
int capture_descriptor(const struct capture *);

enum capture_got {
	CAPTURE_GOT,    /* a packet; its bytes are good until the next call */
	CAPTURE_AGAIN,  /* nothing yet */
	CAPTURE_OVER,   /* nothing any more */
	CAPTURE_BROKEN, /* the error says why; nothing any more */
};
enum capture_got capture_next(struct capture *, struct packet_record *,
	struct error *);

/* What the kernel says as of now; complete after CAPTURE_OVER. */
struct capture_counts capture_counts(const struct capture *);
/* Bytes kept of each packet: of the file's own, or as asked. */
uint32_t capture_snap_bytes(const struct capture *);
void capture_stop(struct capture *);
/* After capture_stop(): has the helper ended, within so long? For one that
 * writes to a file. */
bool capture_gone(struct capture *, int timeout_ms);
/* The helper's process. */
pid_t capture_process(const struct capture *);
/* Ends the helper, whatever it does; NULL is nothing. */
void capture_close(struct capture *);

/* Where the helper is, to be freed, or NULL. */
char *capture_program(void);

#endif
