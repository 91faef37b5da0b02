/*
 * Captures at both ends of a link, from before the first packet to after the
 * last, and their annotation.
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

/* A data packet of the side that connected. */
struct tapped {
	int64_t offset; /* in its stream */
	uint32_t bytes, tsval;
	bool again; /* marked as a retransmission by the annotator */
};

struct taps {
	int file[LINK_SIDES]; /* the packets, as packets.h reads them */
	struct capture *capture[LINK_SIDES];
	struct annotator *annotator[LINK_SIDES]; /* once annotated */
	struct tapped *data[LINK_SIDES];
	size_t data_count[LINK_SIDES];
	bool paced;         /* the sender uses pacing, as the test knows */
	struct error error; /* why there is no capture; status 0: there is
			     * one */
};

/* How the far tap classifies what is a retransmission at the near tap. */
struct taps_again {
	unsigned arrived; /* segments, without those that were lost again */
	unsigned told;    /* recognised at the far tap */
	unsigned fresh;   /* of arrived: beyond all data seen there before, so
			   * that no packet shows that it was sent before */
	unsigned wrong;   /* sent once, but called a retransmission */
};
struct taps_again taps_again(const struct taps *);

/* For struct behaviour_watch. */
void taps_begin(struct link *, void *taps);
void taps_end(void *taps);
/* The only connection at a side, from a complete capture; or NULL with the
 * error. Valid until taps_close(). */
const struct connection *taps_annotate(struct taps *, enum link_side,
	struct error *);
void taps_close(struct taps *);

#endif
