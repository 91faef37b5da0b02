/* The link types, and where the headers of each begin. */
#include "decode.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "decode_internal.h"

/* Frequent types first. A header with nothing to decode before its EtherType,
 * LLC or IP is only skipped. */
static const struct link {
	unsigned type;
	const char *name;
	unsigned skip_bytes;
	void (*decode)(struct cursor *, struct packet *);
} links[] = {
	{ LINK_ETHERNET, "EN10MB", 12, decode_next },
	{ LINK_RAW, "RAW", 0, decode_ip },
	{ LINK_LINUX_SLL, "LINUX_SLL", 0, decode_sll },
	{ LINK_LINUX_SLL2, "LINUX_SLL2", 0, decode_sll2 },
	{ LINK_NULL, "NULL", 0, decode_null },
	{ LINK_LOOP, "LOOP", 0, decode_null },
	{ LINK_RAW_BSD, "RAW", 0, decode_ip },
	{ LINK_RAW_OPENBSD, "RAW", 0, decode_ip },
	{ LINK_IPV4, "IPV4", 0, decode_ipv4 },
	{ LINK_IPV6, "IPV6", 0, decode_ipv6 },
	{ LINK_PPP, "PPP", 0, decode_ppp },
	{ LINK_PPP_HDLC, "PPP_SERIAL", 0, decode_ppp_hdlc },
	{ LINK_PPP_ETHER, "PPP_ETHER", 0, decode_pppoe },
	{ LINK_PPP_PPPD, "PPP_PPPD", 0, decode_ppp_way },
	{ LINK_PPP_WITH_DIR, "PPP_WITH_DIR", 0, decode_ppp_way },
	{ LINK_C_HDLC, "C_HDLC", 2, decode_next },
	{ LINK_FRELAY, "FRELAY", 0, decode_frame_relay },
	{ LINK_MPLS, "MPLS", 0, decode_mpls },
	{ LINK_IEEE802_11, "IEEE802_11", 0, decode_wireless },
	{ LINK_IEEE802_11_RADIOTAP, "IEEE802_11_RADIO", 0,
		decode_radiotap },
	{ LINK_IEEE802_11_PRISM, "PRISM_HEADER", 0, decode_prism },
	{ LINK_IEEE802_11_AVS, "IEEE802_11_RADIO_AVS", 0, decode_prism },
	{ LINK_PPI, "PPI", 0, decode_ppi },
	{ LINK_NFLOG, "NFLOG", 0, decode_nflog },
	{ LINK_PKTAP, "PKTAP", 0, decode_pktap },
	{ LINK_PKTAP_DARWIN, "PKTAP", 0, decode_pktap },
	{ LINK_PFLOG, "PFLOG", 0, decode_pflog },
	{ LINK_ENC, "ENC", 0, decode_enc },
	{ LINK_IPNET, "IPNET", 24, decode_ip },
	{ LINK_IPOIB, "IPOIB", 0, decode_ipoib },
	{ LINK_FDDI, "FDDI", 13, decode_llc },
	{ LINK_IP_OVER_FC, "IP_OVER_FC", 16, decode_llc },
	{ LINK_ATM_RFC1483, "ATM_RFC1483", 0, decode_llc },
	{ LINK_ATM_BSD, "ATM_RFC1483", 0, decode_llc },
	{ LINK_SUNATM, "SUNATM", 4, decode_llc },
	{ LINK_ATM_CLIP, "ATM_CLIP", 0, decode_clip },
	{ LINK_TOKEN_RING, "IEEE802", 0, decode_token_ring },
	{ LINK_ARCNET, "ARCNET", 2, decode_arcnet },
	{ LINK_ARCNET_LINUX, "ARCNET_LINUX", 2 + 2, decode_arcnet },
	{ LINK_SLIP, "SLIP", 16, decode_ip },
	{ LINK_DOCSIS, "DOCSIS", 0, decode_docsis },
	{ LINK_SYMANTEC, "SYMANTEC_FIREWALL", 0, decode_symantec },
	{ LINK_EPON, "EPON", 8 + 12, decode_next },
	{ LINK_JUNIPER_PPPOE, "JUNIPER_PPPOE", 0, decode_juniper_ether },
	{ LINK_JUNIPER_ETHER, "JUNIPER_ETHER", 0, decode_juniper_ether },
	{ LINK_JUNIPER_PPP, "JUNIPER_PPP", 0, decode_juniper_ppp },
	{ LINK_JUNIPER_FRELAY, "JUNIPER_FRELAY", 0, decode_juniper_frelay },
	{ LINK_JUNIPER_CHDLC, "JUNIPER_CHDLC", 0, decode_juniper_hdlc },
	{ LINK_IEEE1394, "APPLE_IP_OVER_IEEE1394", 16, decode_next },
	{ LINK_NETANALYZER, "NETANALYZER", 4 + 12, decode_next },
	{ LINK_NETANALYZER_TRANSPARENT, "NETANALYZER_TRANSPARENT", 4 + 8 + 12,
		decode_next },
	{ LINK_ETHERNET_MPACKET, "ETHERNET_MPACKET", 8 + 12, decode_next },
	{ LINK_DSA_TAG_BRCM, "DSA_TAG_BRCM", 12 + 4, decode_next },
	{ LINK_DSA_TAG_BRCM_PREPEND, "DSA_TAG_BRCM_PREPEND", 4 + 12,
		decode_next },
	{ LINK_DSA_TAG_DSA, "DSA_TAG_DSA", 12 + 4, decode_next },
	{ LINK_DSA_TAG_EDSA, "DSA_TAG_EDSA", 12 + 8, decode_next },
};

static const struct link *link_find(unsigned type)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (links[i].type == type)
			return &links[i];
	return NULL;
}

const char *link_type_name(unsigned link_type)
{
	const struct link *link = link_find(link_type);

	return link ? link->name : link_unread_name(link_type);
}

bool link_type_is_read(unsigned link_type)
{
	return link_find(link_type);
}

bool decode_link(unsigned link_type, struct cursor *cursor,
	struct packet *packet)
{
	const struct link *link = link_find(link_type);

	if (!link)
		return false;
	cursor_skip(cursor, link->skip_bytes);
	link->decode(cursor, packet);
	return true;
}

void packet_decode(const struct packet_record *record, uint64_t number,
	struct packet *packet)
{
	struct cursor cursor = cursor_of(record->bytes, record->captured_bytes,
		record->wire_bytes);

	*packet = (struct packet){
		.class = PACKET_OTHER,
		.t_ns = record->t_ns,
		.stamp_invalid = record->stamp_invalid,
		.number = number,
		.wire_bytes = record->wire_bytes,
		.interface = record->interface,
	};
	if (!decode_link(record->link_type, &cursor, packet))
		packet->class = PACKET_UNKNOWN_LINK;
}

struct endpoint_text endpoint_text(const struct endpoint *endpoint)
{
	struct endpoint_text text;
	char address[INET6_ADDRSTRLEN] = "?";
	bool six = endpoint->version == 6;

	inet_ntop(six ? AF_INET6 : AF_INET, endpoint->address, address,
		sizeof address);
	snprintf(text.chars, sizeof text.chars, six ? "[%s]:%u" : "%s:%u",
		address, endpoint->port);
	return text;
}

struct vlan_text vlan_text(uint32_t vlan)
{
	struct vlan_text text = { 0 };
	unsigned outer = vlan >> VLAN_BITS & VLAN_ID, inner = vlan & VLAN_ID;

	if (outer)
		snprintf(text.chars, sizeof text.chars, "%u.%u", outer, inner);
	else if (inner)
		snprintf(text.chars, sizeof text.chars, "%u", inner);
	return text;
}
