/*
 * One end's report about its data connections, made before they are closed:
 * buffers, segments, retransmissions, congestion control.
 */
#ifndef BENCHTOP_ACCOUNT_H
#define BENCHTOP_ACCOUNT_H

#include "probe.h"
#include "tcp.h"
#include "wire.h"

struct account {
	char congestion[16];
	uint32_t mss, congestion_window; /* of the first connection */
	uint32_t least_rtt_us;
	uint32_t send_buffer, receive_buffer; /* as the kernel counts them */
	uint64_t segments, retransmissions;   /* of all connections; data
					       * only */
	bool segments_known;
};

/* Adds a connection to the report. */
void account_add(struct account *, int fd);
/* On the wire: text congestion control, u32 MSS, u32 window in segments, u32
 * least round trip in us, u32 and u32 buffers, u64 segments, u64
 * retransmissions, u8 whether the segments are known. */
void account_put(struct wire_out *, const struct account *);
void account_get(struct wire_in *, struct account *);
/* Adds notes to the point: the sender's report and the receiver's buffer. */
void account_note(struct probe *, const struct account *sender,
	const struct account *receiver);

/* Configures a socket that is connected or listens later. The congestion
 * control "" or "default" is the system's default. With 0 buffer_bytes the
 * kernel adapts its buffers; with rate 0 the rate is not limited. Returns 0, or
 * -1 with a sentence. */
int account_prepare(int fd, const char *congestion, int64_t buffer_bytes,
	uint64_t rate_bit_s, char *sentence, size_t size);

#endif
