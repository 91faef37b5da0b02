/* Shared by the files of decode.h: each continues where the previous one ended,
 * and sets the class if it is the last. */
#ifndef BENCHTOP_DECODE_INTERNAL_H
#define BENCHTOP_DECODE_INTERNAL_H

#include "cursor.h"
#include "decode.h"

/* decode_link.c: after the addresses of a link. */
/* An EtherType, or the length of a frame with LLC, and what follows. */
void decode_next(struct cursor *, struct packet *);
void decode_ethertype(struct cursor *, uint16_t type, struct packet *);
void decode_llc(struct cursor *, struct packet *);
void decode_mpls(struct cursor *, struct packet *);
void decode_sll(struct cursor *, struct packet *);
void decode_sll2(struct cursor *, struct packet *);
void decode_ipoib(struct cursor *, struct packet *);

/* decode_serial.c */
void decode_ppp(struct cursor *, struct packet *);
void decode_ppp_hdlc(struct cursor *, struct packet *);
void decode_ppp_way(struct cursor *, struct packet *);
void decode_pppoe(struct cursor *, struct packet *);
void decode_frame_relay(struct cursor *, struct packet *);

/* decode_wireless.c */
void decode_wireless(struct cursor *, struct packet *);
void decode_radiotap(struct cursor *, struct packet *);
void decode_prism(struct cursor *, struct packet *);
void decode_ppi(struct cursor *, struct packet *);

/* decode_rare.c */
void decode_token_ring(struct cursor *, struct packet *);
void decode_arcnet(struct cursor *, struct packet *);
void decode_clip(struct cursor *, struct packet *);
void decode_docsis(struct cursor *, struct packet *);
void decode_symantec(struct cursor *, struct packet *);
void decode_juniper_ether(struct cursor *, struct packet *);
void decode_juniper_ppp(struct cursor *, struct packet *);
void decode_juniper_frelay(struct cursor *, struct packet *);
void decode_juniper_hdlc(struct cursor *, struct packet *);

/* decode_log.c: headers that a system adds to what it captures. */
void decode_null(struct cursor *, struct packet *);
void decode_enc(struct cursor *, struct packet *);
void decode_pflog(struct cursor *, struct packet *);
void decode_nflog(struct cursor *, struct packet *);
void decode_pktap(struct cursor *, struct packet *);

/* Another link header within a header. False: its type is not read. */
bool decode_link(unsigned link_type, struct cursor *, struct packet *);
/* link_names.c: the name of a type that is not read, or NULL. */
const char *link_unread_name(unsigned link_type);

/* IP of either version, determined by the first four bits. */
void decode_ip(struct cursor *, struct packet *);
void decode_ipv4(struct cursor *, struct packet *);
void decode_ipv6(struct cursor *, struct packet *);
/* decode_tunnel.c */
void decode_gre(struct cursor *, struct packet *);
void decode_udp(struct cursor *, struct packet *);
/* The cursor's wire length must be that of header and payload. */
void decode_tcp(struct cursor *, struct packet *);
void decode_icmp(struct cursor *, unsigned version, struct packet *);

/* Sets TRUNCATED or INVALID, by the cursor's error. */
static inline void decode_failed(const struct cursor *cursor,
	struct packet *packet)
{
	packet->class = cursor->cut == CUT_TRUNCATED ? PACKET_TRUNCATED :
						       PACKET_INVALID;
}

#endif
