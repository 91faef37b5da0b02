/*
 * A capture at either end of a link, from before its first packet to after its
 * last, and what the annotator makes of it there.
 *
 *     struct taps taps = { 0 };
 *     const struct behaviour_watch watch = { taps_begin, taps_end, &taps };
 *     behave(what, &watch, &behaved, &error)
 *     taps_annotate(&taps, LINK_NEAR, &error)
 *     taps_close(&taps)
 */
#ifndef BENCHTOP_TAPS_H
#define BENCHTOP_TAPS_H

#include "annotate.h"
#include "capture_link.h"
#include "link.h"

/* A packet of data of the side that connected. */
struct tapped {
	int64_t offset; /* in its stream */
	uint32_t bytes, tsval;
	bool again; /* the annotator says that it was sent before */
};

struct taps {
	int file[LINK_SIDES]; /* the packets, as packets.h reads them */
	struct capture *capture[LINK_SIDES];
	struct annotator *annotator[LINK_SIDES]; /* once annotated */
	struct tapped *data[LINK_SIDES];
	size_t data_count[LINK_SIDES];
	bool paced;         /* the sender: known to who made it */
	struct error error; /* why there is no capture; status 0: there is */
};

/* What the far tap saw of what the near tap says was sent again. */
struct taps_again {
	unsigned arrived; /* segments; those that were lost again are not */
	unsigned told;    /* the far tap says the same */
	unsigned wrong;   /* it says so of what was sent once */
};
struct taps_again taps_again(const struct taps *);

/* For struct behaviour_watch. */
void taps_begin(struct link *, void *taps);
void taps_end(void *taps);
/* The only connection at a side, of a capture that is whole; or NULL and the
 * error. Good until taps_close(). */
const struct connection *taps_annotate(struct taps *, enum link_side,
	struct error *);
void taps_close(struct taps *);

#endif
