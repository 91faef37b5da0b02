/* Link headers of generated packets. */
#include "make_packets.h"

/* What follows the constant bytes of a header. */
enum rest {
	REST_NONE,
	REST_ETHERTYPE,
	REST_PPP,
	REST_PPP_BYTE,
	REST_FAMILY,
	REST_ISO, /* the identifier of frame relay */
	REST_PPPOE,
	REST_NFLOG,
	REST_NFLOG_SWAPPED,
};

#define ADDRESSES 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2
#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0
#define ZEROS_16 ZEROS_8, ZEROS_8
#define ZEROS_32 ZEROS_16, ZEROS_16
#define JUNIPER 0x4d, 0x47, 0x43
#define SNAP 0xaa, 0xaa, 3, 0, 0, 0
#define FRAME(type, flags) (type), (flags), 0, 0, ADDRESSES, 2, 2, 2, 2, 2, 2, \
	0, 0

/* The length 0 stands for that of the frame. */
#define OUTER(protocol) 0x45, 0, 0, 0, 0, 9, 0, 0, 64, (protocol), 0, 0, \
	10, 9, 9, 1, 10, 9, 9, 2
#define OUTER_UDP(port) OUTER(17), 0x80, 1, (port) >> 8, (port) & 255, 0, 0, \
	0, 0

static const struct {
	uint32_t link_type;
	enum rest rest;
	uint8_t count;
	uint8_t bytes[160];
} links[ENCAPSULATIONS] = {
	[ON_ETHERNET] = { LINK_ETHERNET, REST_ETHERTYPE, 12, { ADDRESSES } },
	/* Priorities without a VLAN. */
	[ON_VLAN] = { LINK_ETHERNET, REST_ETHERTYPE, 16,
		{ ADDRESSES, 0x81, 0, 0xe0, 0 } },
	[ON_QINQ] = { LINK_ETHERNET, REST_ETHERTYPE, 20,
		{ ADDRESSES, 0x88, 0xa8, 0x20, 0, 0x81, 0, 0xe0, 0 } },
	[ON_VNTAG] = { LINK_ETHERNET, REST_ETHERTYPE, 18,
		{ ADDRESSES, 0x89, 0x26, 0, 1, 0, 2 } },
	[ON_SNAP] = { LINK_ETHERNET, REST_ETHERTYPE, 20,
		{ ADDRESSES, 5, 0xdc, SNAP } },
	[ON_PPPOE] = { LINK_ETHERNET, REST_PPPOE, 18,
		{ ADDRESSES, 0x88, 0x64, 0x11, 0, 0, 7 } },
	[ON_MPLS] = { LINK_ETHERNET, REST_NONE, 22,
		{ ADDRESSES, 0x88, 0x47, 0, 1, 0, 64, 0, 2, 1, 64 } },
	[ON_MPLS_ETHERNET] = { LINK_ETHERNET, REST_ETHERTYPE, 34,
		{ ADDRESSES, 0x88, 0x47, 0, 1, 1, 64, 0, 0, 0, 9, ADDRESSES } },
	[ON_NULL] = { LINK_NULL, REST_FAMILY, 3, { 0, 0, 0 } },
	[ON_NULL_SWAPPED] = { LINK_NULL, REST_FAMILY, 0, { 0 } },
	[ON_LOOP] = { LINK_LOOP, REST_FAMILY, 3, { 0, 0, 0 } },
	[ON_RAW] = { LINK_RAW, REST_NONE, 0, { 0 } },
	[ON_SLL] = { LINK_LINUX_SLL, REST_ETHERTYPE, 14, { ZEROS_16 } },
	[ON_SLL2] = { LINK_LINUX_SLL2, REST_ETHERTYPE, 0, { 0 } },
	[ON_IP] = { LINK_IPV4, REST_NONE, 0, { 0 } },
	[ON_PPP] = { LINK_PPP, REST_PPP, 0, { 0 } },
	[ON_PPP_FRAMED] = { LINK_PPP, REST_PPP, 2, { 0xff, 3 } },
	[ON_PPP_SHORT] = { LINK_PPP, REST_PPP_BYTE, 0, { 0 } },
	[ON_PPP_SERIAL] = { LINK_PPP_HDLC, REST_PPP, 2, { 0xff, 3 } },
	[ON_PPP_CISCO] = { LINK_PPP_HDLC, REST_ETHERTYPE, 2, { 0x0f, 0 } },
	[ON_PPP_ETHER] = { LINK_PPP_ETHER, REST_PPPOE, 4, { 0x11, 0, 0, 7 } },
	[ON_PPP_PPPD] = { LINK_PPP_PPPD, REST_PPP, 2, { 0, 3 } },
	[ON_PPP_WITH_DIR] = { LINK_PPP_WITH_DIR, REST_PPP, 3, { 0, 0xff, 3 } },
	[ON_C_HDLC] = { LINK_C_HDLC, REST_ETHERTYPE, 2, { 0x8f, 0 } },
	[ON_FRELAY] = { LINK_FRELAY, REST_ISO, 3, { 0x18, 0x41, 3 } },
	[ON_FRELAY_SNAP] = { LINK_FRELAY, REST_ETHERTYPE, 8,
		{ 0x18, 0x41, 3, 0, 0x80, 0, 0, 0 } },
	[ON_FRELAY_CISCO] = { LINK_FRELAY, REST_ETHERTYPE, 2, { 0x18, 0x41 } },
	[ON_MPLS_LINK] = { LINK_MPLS, REST_NONE, 4, { 0, 1, 1, 64 } },
	[ON_WIRELESS] = { LINK_IEEE802_11, REST_ETHERTYPE, 30,
		{ FRAME(8, 1), SNAP } },
	[ON_RADIOTAP] = { LINK_IEEE802_11_RADIOTAP, REST_ETHERTYPE, 44,
		{ 0, 0, 12, 0, ZEROS_8, FRAME(0x88, 2), 6, 0, SNAP } },
	[ON_PRISM] = { LINK_IEEE802_11_PRISM, REST_ETHERTYPE, 62,
		{ 0x44, 0, 0, 0, 32, 0, 0, 0, ZEROS_16, ZEROS_8, FRAME(8, 1),
			SNAP } },
	[ON_AVS] = { LINK_IEEE802_11_AVS, REST_ETHERTYPE, 52,
		{ 0x80, 0x21, 0x10, 1, 0, 0, 0, 16, ZEROS_8, FRAME(8, 3), 2, 2,
			2, 2, 2, 2, SNAP } },
	[ON_PPI] = { LINK_PPI, REST_ETHERTYPE, 20,
		{ 0, 0, 8, 0, 1, 0, 0, 0, ADDRESSES } },
	[ON_NFLOG] = { LINK_NFLOG, REST_NFLOG, 12,
		{ 2, 0, 0, 1, 7, 0, 1, 0, 8, 0, 1, 0 } },
	[ON_NFLOG_SWAPPED] = { LINK_NFLOG, REST_NFLOG_SWAPPED, 12,
		{ 2, 0, 0, 1, 0, 7, 0, 1, 8, 0, 1, 0 } },
	[ON_PKTAP] = { LINK_PKTAP, REST_ETHERTYPE, 120,
		{ 108, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, ZEROS_32, ZEROS_32,
			ZEROS_32, ADDRESSES } },
	[ON_PKTAP_DARWIN] = { LINK_PKTAP_DARWIN, REST_ETHERTYPE, 120,
		{ 108, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, ZEROS_32, ZEROS_32,
			ZEROS_32, ADDRESSES } },
	[ON_PFLOG] = { LINK_PFLOG, REST_NONE, 64, { 61, 2, ZEROS_32 } },
	[ON_ENC] = { LINK_ENC, REST_NONE, 12, { 2 } },
	[ON_IPOIB] = { LINK_IPOIB, REST_ETHERTYPE, 40, { 0 } },
	[ON_FDDI] = { LINK_FDDI, REST_ETHERTYPE, 19,
		{ 0x50, ADDRESSES, SNAP } },
	[ON_ATM] = { LINK_ATM_RFC1483, REST_ETHERTYPE, 6, { SNAP } },
	[ON_ATM_BSD] = { LINK_ATM_BSD, REST_ETHERTYPE, 6, { SNAP } },
	[ON_DSA] = { LINK_DSA_TAG_EDSA, REST_ETHERTYPE, 20, { ADDRESSES } },
	[ON_TOKEN_RING] = { LINK_TOKEN_RING, REST_ETHERTYPE, 20,
		{ 0x10, 0x40, ADDRESSES, SNAP } },
	[ON_TOKEN_RING_ROUTED] = { LINK_TOKEN_RING, REST_ETHERTYPE, 26,
		{ 0x10, 0x40, 2, 2, 2, 2, 2, 2, 0x82, 2, 2, 2, 2, 2, 6, 0x30, 0,
			0x11, 0, 0x20, SNAP } },
	[ON_ARCNET] = { LINK_ARCNET, REST_NONE, 6, { 1, 2, 212, 0, 0, 7 } },
	[ON_ARCNET_EXCEPTION] = { LINK_ARCNET, REST_NONE, 10,
		{ 1, 2, 212, 0xff, 0xff, 0xff, 212, 0, 0, 7 } },
	[ON_ARCNET_LINUX] = { LINK_ARCNET_LINUX, REST_NONE, 8,
		{ 1, 2, 0, 0, 212, 0, 0, 7 } },
	[ON_SLIP] = { LINK_SLIP, REST_NONE, 16, { 1, 0x40 } },
	[ON_CLIP] = { LINK_ATM_CLIP, REST_ETHERTYPE, 6, { SNAP } },
	[ON_CLIP_IP] = { LINK_ATM_CLIP, REST_NONE, 0, { 0 } },
	[ON_DOCSIS] = { LINK_DOCSIS, REST_ETHERTYPE, 21,
		{ 1, 3, 0, 99, 0, 1, 2, 0xaa, 0xaa, ADDRESSES } },
	[ON_SYMANTEC] = { LINK_SYMANTEC, REST_ETHERTYPE, 6, { 0 } },
	[ON_EPON] = { LINK_EPON, REST_ETHERTYPE, 20, { ZEROS_8, ADDRESSES } },
	[ON_JUNIPER_PPPOE] = { LINK_JUNIPER_PPPOE, REST_PPPOE, 22,
		{ JUNIPER, 1, ADDRESSES, 0x88, 0x64, 0x11, 0, 0, 7 } },
	[ON_JUNIPER_ETHER] = { LINK_JUNIPER_ETHER, REST_ETHERTYPE, 21,
		{ JUNIPER, 0x81, 0, 3, 1, 1, 9, ADDRESSES } },
	[ON_JUNIPER_PPP] = { LINK_JUNIPER_PPP, REST_PPP, 6,
		{ JUNIPER, 0, 0xff, 3 } },
	[ON_JUNIPER_FRELAY] = { LINK_JUNIPER_FRELAY, REST_ISO, 7,
		{ JUNIPER, 0, 0x18, 0x41, 3 } },
	[ON_JUNIPER_CHDLC] = { LINK_JUNIPER_CHDLC, REST_ETHERTYPE, 6,
		{ JUNIPER, 0, 0x0f, 0 } },
	[ON_JUNIPER_BARE] = { LINK_JUNIPER_PPP, REST_NONE, 8,
		{ JUNIPER, 2, 0, 0, 0, 2 } },
	[ON_TUNNEL] = { LINK_RAW, REST_NONE, 20, { OUTER(4) } },
	[ON_GRE] = { LINK_RAW, REST_ETHERTYPE, 22, { OUTER(47), 0, 0 } },
	[ON_GRE_BRIDGED] = { LINK_RAW, REST_ETHERTYPE, 48,
		{ OUTER(47), 0xb0, 0, 0x65, 0x58, ZEROS_8, 0, 0, 0, 1,
			ADDRESSES } },
	[ON_ERSPAN] = { LINK_RAW, REST_ETHERTYPE, 48,
		{ OUTER(47), 0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, ZEROS_8,
			ADDRESSES } },
	[ON_PPTP] = { LINK_RAW, REST_PPP, 36,
		{ OUTER(47), 0x30, 0x81, 0x88, 0x0b, 0, 0, 0, 7, ZEROS_8 } },
	[ON_VXLAN] = { LINK_RAW, REST_ETHERTYPE, 48,
		{ OUTER_UDP(4789), 8, 0, 0, 0, 0, 0, 7, 0, ADDRESSES } },
	[ON_GENEVE] = { LINK_RAW, REST_ETHERTYPE, 52,
		{ OUTER_UDP(6081), 1, 0, 0x65, 0x58, 0, 0, 7, 0, 1, 2, 3, 0,
			ADDRESSES } },
	[ON_GTP] = { LINK_RAW, REST_NONE, 44,
		{ OUTER_UDP(2152), 0x34, 255, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x85,
			1, 0, 9, 0 } },
};

uint32_t encapsulation_link(enum encapsulation on, bool six)
{
	return on == ON_IP && six ? LINK_IPV6 : links[on].link_type;
}

/* What follows an EtherType. */
static uint8_t *put_after(enum encapsulation on, uint8_t *at)
{
	unsigned count = on == ON_SLL2 ? 18 :
		on == ON_IPOIB	       ? 2 :
		on == ON_SYMANTEC      ? 36 :
					 0;

	memset(at, 0, count);
	return at + count;
}

static uint8_t *put_nflog(const struct made *ip, bool swapped, uint8_t *at)
{
	uint32_t length = ip->captured + 4;

	if (swapped)
		return put16(put16(at, length), 9);
	return put16(put16(at, __builtin_bswap16((uint16_t)length)), 0x0900);
}

static uint8_t *put_rest(const struct made *ip, enum encapsulation on, bool six,
	uint8_t *at)
{
	switch (links[on].rest) {
	case REST_ETHERTYPE:
		return put_after(on, put16(at, six ? 0x86dd : 0x0800));
	case REST_PPPOE:
		at = put16(at, ip->wire + 2);
		return put16(at, six ? 0x0057 : 0x0021);
	case REST_PPP:
		return put16(at, six ? 0x0057 : 0x0021);
	case REST_PPP_BYTE:
		*at = six ? 0x57 : 0x21;
		return at + 1;
	case REST_FAMILY:
		*at = six ? 30 : 2;
		if (on != ON_NULL_SWAPPED)
			return at + 1;
		memset(at + 1, 0, 3);
		return at + 4;
	case REST_ISO:
		*at = six ? 0x8e : 0xcc;
		return at + 1;
	case REST_NFLOG:
	case REST_NFLOG_SWAPPED:
		return put_nflog(ip, links[on].rest == REST_NFLOG_SWAPPED, at);
	default:
		return at;
	}
}

struct made made_on(const struct made *ip, enum encapsulation on, bool six)
{
	struct made made;

	memcpy(made.bytes, links[on].bytes, links[on].count);
	if (six && (on == ON_PFLOG || on == ON_ENC))
		made.bytes[on == ON_PFLOG] = 24;
	if (six && (on == ON_ARCNET || on == ON_ARCNET_EXCEPTION))
		made.bytes[2] = 196;
	if (six && on == ON_ARCNET_LINUX)
		made.bytes[4] = 196;
	if (six && on == ON_TUNNEL)
		made.bytes[9] = 41;
	uint8_t *at = put_rest(ip, on, six, made.bytes + links[on].count);
	uint32_t header = (uint32_t)(at - made.bytes);

	memcpy(at, ip->bytes, ip->captured);
	made.captured = ip->captured + header;
	/* Linux does not record how long a cut packet was. */
	made.wire = links[on].link_type == LINK_NFLOG ? made.captured :
							ip->wire + header;
	return made;
}
