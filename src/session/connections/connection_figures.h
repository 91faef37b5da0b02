/*
 * Figures of a whole transfer, which every output shows: JSON, text, screen.
 */
#ifndef BENCHTOP_CONNECTION_FIGURES_H
#define BENCHTOP_CONNECTION_FIGURES_H

#include "annotate.h"

/* The least round trip that the data of either side or the handshake shows;
 * UNKNOWN_NS. */
int64_t connection_rtt(const struct connection *);
/* Payload of both sides. */
uint64_t connection_bytes(const struct connection *);
/* Retransmitted segments, as in every output: with data, SYN or FIN. */
uint64_t side_resent(const struct side *);
/* Those of them with data. */
uint64_t side_resent_data(const struct side *);

/* side_resent() of the client and of the server; of a direction that was not
 * captured RESENT_UNKNOWN. */
#define RESENT_UNKNOWN UINT64_MAX
void connection_resent_of(const struct connection *, uint64_t resent[2]);
/* Their sum; RESENT_UNKNOWN if one is. */
uint64_t connection_resent_total(const uint64_t resent[2]);

/* What limited the transfer for most of its time. */
enum transfer_limit {
	LIMIT_UNKNOWN,     /* too little data, or not observable */
	LIMIT_APPLICATION, /* the sender had no data to send */
	LIMIT_SEND_BUFFER,
	LIMIT_NETWORK, /* the congestion window after a loss or mark, or a
			* queue */
	LIMIT_RECEIVER, /* the receive window */
	TRANSFER_LIMITS,
};

/* The time of a transfer, from first to last data, by its limit. */
struct transfer_time {
	/* Of the largest part; unknown if the rest, in which no limit is
	 * visible, is larger. */
	enum transfer_limit limit;
	bool known; /* false: nothing else is */
	/* Parts of the time, 0 .. 1. */
	double application, receiver, network;
};
/* From the rounds of the side that sent more. Where rounds are not observable,
 * from the times at a full window, without data and in recovery: at any tap if
 * the path is too short for rounds, else only at the sender's. */
void connection_time(const struct connection *, struct transfer_time *);
/* "receiver", "send buffer"; "-". */
const char *limit_words(enum transfer_limit);
/* The same for JSON: "send_buffer"; NULL: unknown. */
const char *limit_name(enum transfer_limit);

#endif
