/*
 * The data of TCP segments that IP has fragmented (RFC 791, RFC 8200).
 *
 * Only the first fragment has a TCP header. The data of each later fragment
 * becomes a packet with the sequence number of its data, so that it is neither
 * lost nor reordered. A FIN follows all data, so it moves to the last fragment.
 * Old systems send the last fragment first: a fragment waits for its first one,
 * for at most 30 s (as in Linux), and as long as 32 others follow.
 */
#ifndef BENCHTOP_FRAGMENTS_H
#define BENCHTOP_FRAGMENTS_H

#include "decode.h"

enum { FRAGMENTS_KEPT = 32 };

struct fragments {
	/* First and later ones. Empty: number 0, or class PACKET_OTHER. */
	struct packet list[FRAGMENTS_KEPT];
	uint32_t next;
};

/* Stores a first fragment, and moves its FIN. */
void fragments_begin(struct fragments *, struct packet *first);
/* Makes a packet of a later fragment. False: it has no data of TCP, or it waits
 * for its first fragment. */
bool fragments_join(struct fragments *, struct packet *);
/* Returns the packets that waited for a first fragment, one by one. They have
 * its time and its number. */
bool fragments_next(struct fragments *, const struct packet *first,
	struct packet *);

#endif
