/*
 * Bytes for another process of the same program: pieces, each behind its
 * length. Every piece begins at a multiple of PARCEL_ALIGNED bytes of the
 * parcel, so that the receiver can use the piece where it is.
 */
#ifndef BENCHTOP_PARCEL_H
#define BENCHTOP_PARCEL_H

#include <stddef.h>

#include "text.h"

enum { PARCEL_ALIGNED = 16 };

void parcel_put(struct text *, const void *bytes, size_t length);

/* What is left to be read. */
struct parcel {
	char *at, *end;
};
/* The next piece and its length; NULL where the parcel ends before the piece
 * does. */
void *parcel_take(struct parcel *, size_t *length);
/* The same for a piece whose length is known: NULL for any other length. */
void *parcel_take_sized(struct parcel *, size_t length);

#endif
