/*
 * Serialised data for another process of the same program: a sequence of
 * pieces, each preceded by its length. Every piece begins at a multiple of
 * PARCEL_ALIGNED bytes of the parcel, so that the receiver can use it in place.
 */
#ifndef BENCHTOP_PARCEL_H
#define BENCHTOP_PARCEL_H

#include <stddef.h>

#include "text.h"

enum { PARCEL_ALIGNED = 16 };

void parcel_put(struct text *, const void *bytes, size_t length);

/* The part of a parcel that is still to be read. */
struct parcel {
	char *at, *end;
};
/* Returns the next piece and its length; NULL if the parcel ends within the
 * piece. */
void *parcel_take(struct parcel *, size_t *length);
/* The same for a piece of known length; NULL if the length differs. */
void *parcel_take_sized(struct parcel *, size_t length);

#endif
