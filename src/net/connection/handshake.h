/* The SYN, the SYN/ACK and the packet that acknowledges it, each of which may
 * have been sent several times, and the two legs between them. */
#ifndef BENCHTOP_HANDSHAKE_H
#define BENCHTOP_HANDSHAKE_H

#include <stdbool.h>
#include <stdint.h>

#define UNKNOWN_NS INT64_MIN

enum { TRIES_MAX = 8 };

/* Each transmission of a SYN or SYN/ACK. */
struct try {
	int64_t t_ns;
	uint64_t number;
	uint32_t tsval, tsecr;
	bool has_timestamps;
	uint8_t side; /* the sender */
};

struct tries {
	struct try at[TRIES_MAX]; /* the first ones, and the last */
	uint32_t count;           /* total number, which may be larger */
};

enum leg_state {
	LEG_KNOWN,
	LEG_UNSEEN,       /* one of its two packets was not captured */
	LEG_AMBIGUOUS,    /* sent twice: which was answered? (Karn) */
	LEG_OUT_OF_ORDER, /* a reply was captured before its request */
	LEG_UNTIMED,      /* the connection has invalid timestamps */
	LEG_STATES,
};

struct leg {
	enum leg_state state;
	int64_t took_ns;   /* LEG_KNOWN, else UNKNOWN_NS */
	int64_t least_ns;  /* LEG_AMBIGUOUS: from the last copy;
			    * LEG_OUT_OF_ORDER: 0 if the request was recorded at
			    * most 1 ms after the reply */
	uint64_t from, to; /* packets; 0: none */
};

struct handshake {
	struct tries syn, synack; /* of client and server; in a simultaneous
				   * open, of side[client] and the other side */
	bool simultaneous;        /* both sides sent a SYN before any SYN/ACK */
	struct tries syn_other;   /* in that case, the other side's SYN */
	uint64_t twin;            /* the same SYN in another VLAN, or at another
				   * point of the path; 0: none */
	int64_t twin_apart_ns;    /* the time between both */
	int64_t ack_ns; /* the first packet that answers the SYN/ACK, usually
			 * the third; UNKNOWN_NS */
	uint64_t ack_number;
	int ack_side; /* its sender; in a simultaneous open, either */
	uint32_t ack_value, ack_tsecr;
	bool ack_has_timestamps, ack_with_data;
	/* The same of later data before it, which has overtaken it if it
	 * comes; number 0: none. */
	struct {
		int64_t t_ns;
		uint64_t number;
		uint32_t tsecr;
	} ahead;
	bool complete;
	bool waited; /* a leg includes a wait of the host: no path_ns */
	struct leg a;    /* SYN to SYN/ACK: the duration of connect() */
	struct leg b;    /* SYN/ACK to ACK: not part of connect() */
	int64_t path_ns; /* round trip of the path, a + b; UNKNOWN_NS */
	int64_t path_about_ns; /* the same; also known if leg a is
				* LEG_OUT_OF_ORDER and at most a tenth of b */
};

/* The last one, or NULL. */
const struct try *tries_last(const struct tries *);
/* True if the same side sent this packet before `i`, 0 .. count - 1. In a
 * simultaneous open, both sides send a SYN/ACK. */
bool tries_again(const struct tries *, uint32_t i);
/* How long connecting waited for a retransmission. */
struct handshake_wait {
	int64_t ns; /* 0 or less: it waited for none */
	bool syn;   /* of the SYN, else of the SYN/ACK */
	bool certain; /* false: a copy before it may have been answered */
};
struct handshake_wait handshake_wait(const struct handshake *);
/* The round trip of the path. UNKNOWN_NS too if a leg is ambiguous. */
int64_t handshake_path_ns(const struct handshake *);
const char *leg_state_name(enum leg_state);

#endif
