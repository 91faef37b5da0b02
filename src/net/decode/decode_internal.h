/* Shared by the files of decode.h: each continues where the previous one ended,
 * and sets the class if it is the last. */
#ifndef BENCHTOP_DECODE_INTERNAL_H
#define BENCHTOP_DECODE_INTERNAL_H

#include "cursor.h"
#include "decode.h"

/* IP of either version, determined by the first four bits. */
void decode_ip(struct cursor *, struct packet *);
void decode_ipv4(struct cursor *, struct packet *);
void decode_ipv6(struct cursor *, struct packet *);
/* The cursor's wire length must be that of header and payload. */
void decode_tcp(struct cursor *, struct packet *);
void decode_icmp(struct cursor *, unsigned version, struct packet *);
/* Sets TRUNCATED or INVALID, by the cursor's error. */
void decode_failed(const struct cursor *, struct packet *);

#endif
