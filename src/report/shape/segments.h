/*
 * The segments that a connection sent in each round trip, for a point with
 * captured packets. The source is the point's note `rounds`, "10,20,40,..".
 */
#ifndef BENCHTOP_SEGMENTS_H
#define BENCHTOP_SEGMENTS_H

#include "results.h"

enum { SEGMENTS_ROUNDS = 32 };

struct segments {
	unsigned long in[SEGMENTS_ROUNDS]; /* per round, from the first */
	size_t rounds;
	bool more;          /* more rounds follow than `in` holds */
	unsigned long most; /* in one round */
};

/* False if the point has no such note, or fewer than two rounds. */
bool segments_of(const struct point *, struct segments *);

#endif
