/* Rounds, slow start and the initial window, see struct connection. */
#ifndef BENCHTOP_ROUND_H
#define BENCHTOP_ROUND_H

#include <stdbool.h>
#include <stdint.h>

/* How rounds were separated. */
enum rounds_basis {
	ROUNDS_NONE,      /* no data, or an unknown round trip */
	ROUNDS_ECHO,      /* by the data's timestamp echo: exact at any tap if
			   * not `vague` */
	ROUNDS_ACK_CLOCK, /* by acknowledgements, at the sender's tap */
	ROUNDS_ESTIMATED, /* by time, or by ACKs recorded late (blurred) */
	ROUNDS_TOO_SHORT, /* the round trip is too short to separate
			   * flights */
};

enum { EARLY_SAMPLES = 8 }; /* as HyStart takes */

/* The data released by one flight of acknowledgements. */
struct round {
	int64_t start_ns, last_ns; /* of its first and last data packet */
	uint64_t number;           /* of its first packet */
	uint64_t first;            /* position of its first byte */
	uint64_t bytes, segments, frames;
	uint32_t echo; /* timestamp echo of its first packet */
	uint64_t in_flight_bytes; /* maximum, as seen at the tap */
	uint64_t window_bytes;    /* the receive window: least room seen */
	int64_t rtt_ns;           /* minimum of its data; UNKNOWN_NS */
	int64_t early_rtt_ns;     /* of the first EARLY_SAMPLES; UNKNOWN_NS */
	int64_t train_ns; /* of its acknowledgements, at most 2 ms apart */
	uint32_t rtt_samples;
	uint32_t retransmissions; /* while the round was open */
	uint64_t short_frames; /* incomplete segments followed by more data */
	uint64_t unprompted_bytes; /* not sent upon an acknowledgement */
	int64_t full_ns; /* limited by the receive window while it was open */
	int64_t idle_ns; /* app_limited: at its end, without data to send */
	bool window_known;
	bool window_full; /* its last packet used up the receive window */
	bool window_over; /* its data exceeds the window: this is no limit */
	bool app_limited; /* afterwards the sender had no data to send */
	bool silent;      /* .. or what it sent was lost before the tap */
	bool asked;       /* it began after data of the other side, a request */
	bool reduced;     /* while it was open, a loss was answered, which
			   * reduces the congestion window; */
	bool marked;      /* .. or a mark */
};

/* The latest repeats that reduced the congestion window, until what was sent
 * before the last of them is acknowledged. They are disproved if the receiver
 * reports each of them as needless (DSACK, RFC 2883), or if the first
 * acknowledgement of the first repeat echoes an older timestamp: it answers the
 * original (RFC 3522). */
struct reduction {
	uint64_t from, to; /* bounds of their data */
	uint64_t bytes, needless_bytes;
	uint64_t end;         /* of what was sent before the last of them */
	uint64_t number;      /* packet of the first; */
	uint64_t oldest;      /* the byte that it had to repair, */
	bool stamped;         /* .. if its answer was not yet seen; */
	uint32_t tsval;
	uint32_t round;       /* .. its round, from 0, */
	bool before;          /* .. which others had reduced before */
	int64_t recovery_ns;  /* of the side, before the first */
	bool disproved;
};

enum { ROUNDS_MAX = 1024 };

/* Why the congestion window stopped doubling. */
enum exit_reason {
	EXIT_NONE, /* it still doubles, or there are no rounds */
	EXIT_LOSS,
	EXIT_ECN,
	EXIT_WINDOW, /* the receive window */
	EXIT_APPLICATION,
	EXIT_HYSTART, /* growth stopped, with delay as the only cause left */
	EXIT_HYSTART_DELAY,
	EXIT_HYSTART_TRAIN,
	EXIT_PACING,
	EXIT_END_OF_DATA,
	EXIT_UNKNOWN,
	EXIT_SEND_BUFFER, /* flights of equal length, no whole segments */
	EXIT_REASONS,
};

struct slow_start_exit {
	enum exit_reason reason;
	bool certain;      /* false: inferred from growth alone; of EXIT_LOSS,
			    * the retransmission was needless, */
	bool flight_kept;  /* .. or the flight did not fall afterwards, */
	bool hystart;      /* .. or HyStart or pacing may have ended it, */
	bool unproven;     /* .. or nothing but a timer shows a loss; with
			    * `discarded`, one of them is the cause */
	bool incomplete;   /* the capture lost data before it */
	bool discarded;    /* EXIT_LOSS: by the receiver, beyond its window */
	bool beyond;       /* the data was beyond the window; not in files */
	uint64_t from, to; /* of the retransmission */
	bool probe;        /* it was a tail loss probe */
	bool again;        /* it was sent again: a DSACK may be about that */
	uint32_t round;    /* in which slow start ended; from 1 */
	uint64_t evidence; /* packet; 0: none */
	int64_t t_ns;
	uint64_t in_flight_bytes; /* maximum until then */
};

/* Whether the first round is the complete initial window. */
enum initial_window_state {
	WINDOW_UNKNOWN,        /* the start was not captured */
	WINDOW_WHOLE,          /* complete */
	WINDOW_CUT_BY_APP,     /* the application wrote no more: a lower
				* bound */
	WINDOW_CUT_BY_PEER,    /* limited by the peer's window: a lower bound */
	WINDOW_CUT_BY_LOSS,    /* losses hide its end: a lower bound */
	WINDOW_RECORDED_LATE,  /* the recorder was late or lost packets:
				* unknown */
	WINDOW_NOT_OBSERVABLE, /* nothing separates the first flight from the
				* second */
	WINDOW_NOT_GROWN,      /* the next round was not larger: a lower
				* bound */
	INITIAL_WINDOW_STATES,
};

struct initial_window {
	enum initial_window_state state;
	uint64_t segments, bytes; /* 0 if unknown */
};

struct rounds {
	enum rounds_basis basis;
	struct round *at; /* `count` rounds; the last is open if none is left
			   * out */
	uint32_t count, room;
	uint64_t left_out;   /* later rounds; */
	struct round beyond; /* .. the open one of them; not in files */
	uint64_t kept_end;   /* .. where the first of them began */
	struct round early; /* the first one, before the basis is known */
	bool vague; /* ROUNDS_ECHO: the other side's clock may tick less than
		     * twice in a round trip: the rounds are estimated */
	bool coarse; /* withdrawn: a tick of the echoed clock is too long; */
	bool crowded; /* .. or, on a short path, flights follow each other
		       * without a silence */
	bool acked; /* data of the open round is acknowledged, */
	uint32_t ack_round; /* the latest with acknowledged data, from 0 */
	bool ack_has_timestamps;
	uint32_t ack_tsval; /* at this value of the other side's clock, */
	uint32_t ack_tsecr; /* which echoed this value of the sender's clock, */
	int64_t ack_ns;
	uint64_t ack_from;  /* at this position in the other side's stream; */
	bool ack_unechoed;  /* data before it was not yet acknowledged */
	int64_t learned_ns; /* ROUNDS_ESTIMATED: from ACK to data */
	/* The data since the last change of the timestamp echo: the next round
	 * begins there if that echo released one. */
	struct round since_echo;
	bool short_before; /* the last frame was an incomplete segment */
	uint32_t echoed;
	bool echo_known;
	/* At the end of the first round: data counted to it although it was
	 * sent later, or possibly later (rounds.c); and the second kind. */
	uint64_t edge_bytes, edge_unknown_bytes;
	uint64_t after_bytes; /* of the first kind: after a silence, as a tail
			       * loss probe or by the application */
	uint64_t lone_bytes;  /* of the second kind: the first packet, until
			       * another one follows at once */
	/* End of the receive window before the first round and the open one. */
	uint64_t edge_known, edge_begun;
	bool ack_missed; /* in the first round, data echoes an acknowledgement
			  * that was not captured */
	uint32_t last_tsval; /* of the latest new data */
	uint32_t blurred; /* the first round, from 1, whose end late recording
			   * or, in estimated rounds, a full path hides; or 0 */
	struct slow_start_exit exit; /* as seen so far; read side_exit() */
	uint32_t slow_rounds; /* consecutive: growth below a quarter */
	struct reduction reduction;
	uint64_t filled_bytes; /* the longest round that filled the window */
};

/* The number of rounds, also of those that are not kept. */
static inline uint64_t rounds_all(const struct rounds *rounds)
{
	return rounds->count + rounds->left_out;
}

#endif
