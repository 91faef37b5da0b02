/*
 * Packets generated for tests: a TCP segment as bytes, in IP and in every link
 * header, and whole flows.
 *
 * A flow has two sides. Offsets count from a side's first byte of data, so a
 * SYN is at -1. Payload is cut after 32 bytes, as in a capture.
 */
#ifndef BENCHTOP_MAKE_PACKETS_H
#define BENCHTOP_MAKE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "decode.h"

enum { PACKET_BYTES_MAX = 320, PAYLOAD_KEPT = 32 };

struct made {
	uint8_t bytes[PACKET_BYTES_MAX];
	uint32_t captured, wire;
};

struct segment {
	double ms; /* since the beginning of the flow */
	int side;
	unsigned flags;   /* TCP_ACK if 0 */
	int64_t seq, ack; /* offsets */
	uint32_t length;
	int window;      /* as sent; 0: 1000; -1: a zero window */
	int mss, wscale; /* in a SYN; 0: none; wscale is the shift plus one */
	bool sack_permitted;
	int tsval, tsecr; /* 0: from the flow's clock; -1: no timestamps */
	unsigned sacks;
	int64_t sack[4][2]; /* offsets of the other side */
	int ip_id;          /* 0: the next number */
	int ttl;
};

struct flow {
	int64_t start_ns;
	uint32_t isn[2];
	uint16_t port[2];
	uint8_t address[2]; /* the last byte of 10.0.0.x or 2001:db8::x */
	bool six, timestamps, self;
	uint32_t tsval_last[2]; /* value that the other side would echo */
	uint16_t id_next[2];
};

struct flow flow_new(void);
uint8_t *put16(uint8_t *at, uint32_t value);
uint8_t *put32(uint8_t *at, uint32_t value);
/* Makes a segment as an IP packet; fills in unset values from the flow. */
struct made segment_make(struct flow *flow, struct segment s);
int64_t segment_ns(const struct flow *flow, const struct segment *segment);

/* Link headers. _SWAPPED: in the other byte order. */
enum encapsulation {
	ON_ETHERNET,
	ON_VLAN,
	ON_QINQ,
	ON_VNTAG,
	ON_SNAP,
	ON_PPPOE,
	ON_MPLS,
	ON_MPLS_ETHERNET,
	ON_NULL,
	ON_NULL_SWAPPED,
	ON_LOOP,
	ON_RAW,
	ON_SLL,
	ON_SLL2,
	ON_IP,
	ON_PPP,
	ON_PPP_FRAMED,
	ON_PPP_SHORT, /* the protocol in one byte */
	ON_PPP_SERIAL,
	ON_PPP_CISCO,
	ON_PPP_ETHER,
	ON_PPP_PPPD,
	ON_PPP_WITH_DIR,
	ON_C_HDLC,
	ON_FRELAY,
	ON_FRELAY_SNAP,
	ON_FRELAY_CISCO,
	ON_MPLS_LINK,
	ON_WIRELESS,
	ON_RADIOTAP, /* with QoS */
	ON_PRISM,
	ON_AVS, /* both addresses of a bridge */
	ON_PPI,
	ON_NFLOG,
	ON_NFLOG_SWAPPED,
	ON_PKTAP,
	ON_PKTAP_DARWIN,
	ON_PFLOG,
	ON_ENC,
	ON_IPOIB,
	ON_FDDI,
	ON_ATM,
	ON_ATM_BSD,
	ON_DSA,
	ON_TOKEN_RING,
	ON_TOKEN_RING_ROUTED,
	ON_ARCNET,
	ON_ARCNET_EXCEPTION,
	ON_ARCNET_LINUX,
	ON_SLIP,
	ON_CLIP,
	ON_CLIP_IP, /* without LLC */
	ON_DOCSIS,  /* with an extended header */
	ON_SYMANTEC,
	ON_EPON,
	ON_JUNIPER_PPPOE,
	ON_JUNIPER_ETHER, /* with extensions */
	ON_JUNIPER_PPP,
	ON_JUNIPER_FRELAY,
	ON_JUNIPER_CHDLC,
	ON_JUNIPER_BARE, /* without a header of the link */
	ON_TUNNEL, /* IP in IP */
	ON_GRE,
	ON_GRE_BRIDGED, /* with checksum, key and sequence number */
	ON_ERSPAN,
	ON_PPTP,
	ON_VXLAN,
	ON_GENEVE, /* with an option */
	ON_GTP,    /* with an extension header */
	ENCAPSULATIONS,
};

uint32_t encapsulation_link(enum encapsulation on, bool six);
struct made made_on(const struct made *ip, enum encapsulation on, bool six);
struct packet_record made_record(const struct made *made, uint32_t link_type,
	int64_t t_ns);

#endif
