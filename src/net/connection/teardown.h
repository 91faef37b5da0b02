/* How a connection ended, see struct connection. */
#ifndef BENCHTOP_TEARDOWN_H
#define BENCHTOP_TEARDOWN_H

#include <stdbool.h>
#include <stdint.h>

enum close_kind {
	CLOSE_NONE,         /* no teardown in the capture, or not all of it */
	CLOSE_ORDERLY,      /* FIN and ACK both ways */
	CLOSE_SIMULTANEOUS, /* neither FIN acknowledges the other */
	CLOSE_HALF,         /* one FIN; the other side's data was captured */
	CLOSE_RESET, /* after at most one FIN */
	CLOSE_REFUSED,
	CLOSE_UNANSWERED, /* the last tries, until the capture ends */
	CLOSE_TIMEOUT,    /* enough of them that the sender gave up */
	CLOSES,
};

/* Two repeats by a timer without an answer are tries that failed. That the
 * sender gives up is certain only later: Linux sends its last repeat 805 s
 * after the data if nothing else is configured, the 15th, or an earlier one of
 * a slower timer. */
enum { TRIES_LEAST = 2, GIVEN_UP_TRIES = 8, GIVEN_UP_SECONDS = 800 };

enum reset_kind {
	RESET_NONE,
	RESET_REFUSED,    /* during the handshake */
	RESET_ABORT,      /* of an open connection */
	RESET_AFTER_FIN,  /* late data for a closed socket, or an abort */
	RESET_SUSPICIOUS, /* outside the window, or its sender continued:
			   * possibly from a third host */
	RESETS,
};

/* One side's FIN and its acknowledgement. */
struct close_leg {
	int64_t fin_ns, ack_ns; /* UNKNOWN_NS */
	uint64_t fin_number, ack_number;
	uint64_t fin_ack; /* acknowledgement in the FIN's packet; a position */
	uint32_t fins;    /* number of FINs */
};

struct teardown {
	struct close_leg leg[2];   /* by side */
	int first;                 /* side whose FIN the other acknowledges,
				    * else of the first FIN; -1 */
	bool crossed;              /* neither FIN acknowledges the other */
	uint64_t half_close_bytes; /* data after the other side's FIN */
	enum reset_kind reset;
	int reset_side;
	int64_t reset_ns;
	uint64_t reset_number, reset_position; /* packet; in the stream */
	uint64_t reset_highest; /* of the other side's data, at the reset */
	bool reset_old; /* its number is below the window: an answer */
	bool reset_ignored;     /* its side went on: it ended nothing */
	uint64_t reset_unacked_bytes; /* of both sides, at the reset */
	bool reset_unacked_known; /* both directions were captured; false in
				   * older sessions */
	uint32_t resets;
	int64_t unanswered_ns; /* silence before and between the latest
				* repeats, see connection_close() */
	char reset_text[40]; /* printable part of its payload */
};

/* True for an end that no user of the connection wants. */
static inline bool close_failed(enum close_kind close)
{
	return close == CLOSE_RESET || close == CLOSE_REFUSED ||
		close == CLOSE_UNANSWERED || close == CLOSE_TIMEOUT;
}

struct connection;

/* Restores failed tries, and an ignored reset, from the kind that a session
 * stores. Older sessions say "timeout" when only two tries had failed. */
void teardown_restore(struct connection *, const char *kind);

#endif
