/*
 * From captured bytes to a TCP segment: link header, IP, TCP with its options.
 *
 * packet_decode() only reads the record's bytes, allocates nothing and never
 * fails. The class is the kind of packet. For an unreadable packet the class
 * shows whether the capture cut it (PACKET_TRUNCATED) or it is malformed
 * (PACKET_INVALID). Lengths are taken from the IP header, not from the capture.
 * If the header has length 0 (segmentation offload, BIG TCP), the length on the
 * wire is used. If the header claims more than the frame, a tool has shortened
 * the frame and its recorded length; the remaining length is used and the
 * packet is marked overlong. Checksums are not verified, because packets of
 * senders with checksum offload are captured without them.
 *
 * Sources: the registry of link types of tcpdump.org; RFC 791, 8200, 2675
 * (jumbo), 4302, 9293 (TCP), 7323 (window scale, timestamps), 2018 (SACK), 7413
 * (fast open), 8684 (MPTCP), 1661 and 1662 (PPP), 2516 (PPPoE), 2427 (frame
 * relay), 3032 and 4448 (MPLS), 1042 (SNAP), IEEE 802.1Q, 802.1ad and 802.11.
 * Those of tunnels are in decode_tunnel.c.
 */
#ifndef BENCHTOP_DECODE_H
#define BENCHTOP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* Link types that are read, with their numbers in capture files. */
enum link_type {
	LINK_NULL = 0,
	LINK_ETHERNET = 1,
	LINK_TOKEN_RING = 6,
	LINK_ARCNET = 7,
	LINK_SLIP = 8,
	LINK_PPP = 9,
	LINK_FDDI = 10,
	LINK_ATM_BSD = 11,
	LINK_RAW_BSD = 12,
	LINK_RAW_OPENBSD = 14,
	LINK_PPP_HDLC = 50,
	LINK_PPP_ETHER = 51,
	LINK_SYMANTEC = 99,
	LINK_ATM_RFC1483 = 100,
	LINK_RAW = 101,
	LINK_C_HDLC = 104,
	LINK_IEEE802_11 = 105,
	LINK_ATM_CLIP = 106,
	LINK_FRELAY = 107,
	LINK_LOOP = 108,
	LINK_ENC = 109,
	LINK_LINUX_SLL = 113,
	LINK_PFLOG = 117,
	LINK_IEEE802_11_PRISM = 119,
	LINK_IP_OVER_FC = 122,
	LINK_SUNATM = 123,
	LINK_IEEE802_11_RADIOTAP = 127,
	LINK_ARCNET_LINUX = 129,
	LINK_IEEE1394 = 138,
	LINK_DOCSIS = 143,
	LINK_PKTAP_DARWIN = 149, /* for the private use of others, but tcpdump
				  * of macOS writes it */
	LINK_IEEE802_11_AVS = 163,
	LINK_PPP_PPPD = 166,
	LINK_JUNIPER_PPPOE = 167,
	LINK_JUNIPER_ETHER = 178,
	LINK_JUNIPER_PPP = 179,
	LINK_JUNIPER_FRELAY = 180,
	LINK_JUNIPER_CHDLC = 181,
	LINK_PPI = 192,
	LINK_PPP_WITH_DIR = 204,
	LINK_MPLS = 219,
	LINK_IPNET = 226,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_NFLOG = 239,
	LINK_NETANALYZER = 240,
	LINK_NETANALYZER_TRANSPARENT = 241,
	LINK_IPOIB = 242,
	LINK_PKTAP = 258,
	LINK_EPON = 259,
	LINK_ETHERNET_MPACKET = 274,
	LINK_LINUX_SLL2 = 276,
	LINK_DSA_TAG_BRCM = 281,
	LINK_DSA_TAG_BRCM_PREPEND = 282,
	LINK_DSA_TAG_DSA = 284,
	LINK_DSA_TAG_EDSA = 285,
};
/* Its name as tcpdump prints it: "EN10MB"; NULL for an unknown number. */
const char *link_type_name(unsigned link_type);
bool link_type_is_read(unsigned link_type);

/* A captured packet. */
struct packet_record {
	int64_t t_ns;            /* CLOCK_REALTIME */
	const uint8_t *bytes;    /* captured_bytes of them; borrowed */
	uint32_t captured_bytes; /* readable bytes */
	uint32_t recorded_bytes; /* stored in the capture; 0: the same */
	uint32_t wire_bytes;     /* original length */
	uint32_t link_type;
	uint16_t interface; /* of those in a file, from 0 */
	bool stamp_invalid; /* a second had 10^9 ns or more; t_ns is clamped */
	bool stamp_sorted; /* the file has it behind later packets */
};

enum packet_class {
	PACKET_TCP,
	PACKET_TOO_BIG,      /* ICMP: a router wants smaller packets */
	PACKET_FRAGMENT,     /* a fragment without a TCP header */
	PACKET_OTHER,        /* another protocol */
	PACKET_TRUNCATED,    /* the capture cut necessary bytes */
	PACKET_INVALID,      /* an impossible length or field */
	PACKET_UNKNOWN_LINK, /* an unsupported link type */
	PACKET_CLASSES,
};

enum tcp_flag {
	TCP_FIN = 1 << 0,
	TCP_SYN = 1 << 1,
	TCP_RST = 1 << 2,
	TCP_PSH = 1 << 3,
	TCP_ACK = 1 << 4,
	TCP_URG = 1 << 5,
	TCP_ECE = 1 << 6,
	TCP_CWR = 1 << 7,
	TCP_AE = 1 << 8, /* accurate ECN */
};

enum tcp_option {
	OPTION_MSS = 1 << 0,
	OPTION_WSCALE = 1 << 1,
	OPTION_SACK_PERMITTED = 1 << 2,
	OPTION_SACK = 1 << 3,
	OPTION_TIMESTAMPS = 1 << 4,
	OPTION_FAST_OPEN = 1 << 5,
	OPTION_MPTCP = 1 << 6,
	OPTION_OTHER = 1 << 7,
};

enum { SACK_BLOCKS_MAX = 4, TIMESTAMPS_BYTES = 12 /* with padding */ };

struct tcp_options {
	unsigned present; /* bits of enum tcp_option */
	enum cut_options {
		OPTIONS_WHOLE,
		OPTIONS_TRUNCATED, /* cut by the capture: the rest is unknown */
		OPTIONS_INVALID,   /* an impossible length */
	} state;
	uint16_t mss_bytes;
	uint8_t wscale; /* as sent; more than 14 counts as 14 */
	uint32_t tsval, tsecr;
	unsigned sack_count;
	struct {
		uint32_t from, to;
	} sack[SACK_BLOCKS_MAX];
};

/* An address and a port. IPv4 uses the first four bytes. */
struct endpoint {
	uint8_t address[16];
	uint16_t port;
	uint8_t version; /* 4 or 6 */
};

struct packet {
	enum packet_class class;
	int64_t t_ns;
	uint64_t number; /* in the capture, from 1 */
	uint32_t wire_bytes;

	uint8_t vlan_tags; /* number of 802.1Q and 802.1ad tags */
	bool pppoe;
	bool tunnelled; /* the addresses are those of a packet in a packet */
	bool overlong;  /* IP states a length beyond the frame */
	bool arriving;  /* received by the capturing machine, if the link
			 * tells (SLL, PKTAP, ..) */
	bool leaving;   /* sent by the capturing machine */

	struct endpoint from, to;
	uint32_t ip_id; /* IPv4 identification, IPv6 flow label */
	uint8_t ttl;        /* or the hop limit */
	uint16_t interface; /* of those in a file, from 0 */
	bool second;        /* it was captured before, at another point */
	bool ip_fragment; /* the first fragment: TCP header, incomplete data */
	bool fragment_last;
	bool stamp_invalid; /* t_ns is clamped, as in the record */
	uint32_t fragment_id;

	uint32_t seq, ack;
	uint16_t flags;       /* enum tcp_flag */
	uint16_t window;      /* as sent, not scaled */
	bool window_known;    /* the window was captured */
	uint8_t header_bytes; /* of TCP, with options */
	uint16_t fragment_at; /* of a fragment of a segment: where
			       * payload_bytes begin, from the TCP header */
	uint64_t payload_bytes;
	struct tcp_options options;
	const uint8_t *payload;    /* borrowed from the record */
	uint64_t payload_captured; /* readable bytes of it */

	uint32_t mtu_bytes; /* PACKET_TOO_BIG: size that fits; from, to and seq
			     * are those of the dropped packet */
	uint32_t vlan; /* the VLAN identifier, 12 bits; 0: none. Of several
			* tags the last two, the outer one in higher bits */
};

void packet_decode(const struct packet_record *, uint64_t number,
	struct packet *);

/* "10.0.0.1:80", "[2001:db8::1]:443"; RFC 5952. */
struct endpoint_text {
	char chars[56];
};
struct endpoint_text endpoint_text(const struct endpoint *);

/* The identifiers in the `vlan` of a packet. */
enum { VLAN_BITS = 12, VLAN_ID = (1 << VLAN_BITS) - 1 };

/* "20", "10.20"; "" for none. */
struct vlan_text {
	char chars[16];
};
struct vlan_text vlan_text(uint32_t vlan);

#endif
