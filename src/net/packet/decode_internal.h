/* What the files of decode.h share: each goes on where the one before ended,
 * and sets the class when it is the last that can say something. */
#ifndef BENCHTOP_DECODE_INTERNAL_H
#define BENCHTOP_DECODE_INTERNAL_H

#include "cursor.h"
#include "decode.h"

/* IP of either version, by the first four bits. */
void decode_ip(struct cursor *, struct packet *);
void decode_ipv4(struct cursor *, struct packet *);
void decode_ipv6(struct cursor *, struct packet *);
/* The cursor's wire length is that of header and payload. */
void decode_tcp(struct cursor *, struct packet *);
void decode_icmp(struct cursor *, unsigned version, struct packet *);
/* TRUNCATED or INVALID, as the cursor has it. */
void decode_failed(const struct cursor *, struct packet *);

#endif
