/* A conversation told to an annotator, segment by segment. */
#ifndef BENCHTOP_TALK_H
#define BENCHTOP_TALK_H

#include "annotate.h"
#include "check.h"
#include "make_packets.h"

enum { CLIENT, SERVER };

struct talk {
	struct flow flow;
	struct annotator *annotator;
	struct sighting last; /* its pointers are not good any more */
};

static inline void note_last(void *context, const struct sighting *sighting)
{
	struct talk *talk = context;

	talk->last = *sighting;
}

static inline void talk_begin(struct talk *talk, enum tap tap)
{
	const struct annotator_options options = {
		.tap = tap,
		.watch = note_last,
		.context = talk,
	};

	*talk = (struct talk){
		.flow = flow_new(),
		.annotator = annotator_new(&options),
	};
}

static inline void talk_end(struct talk *talk)
{
	annotator_free(talk->annotator);
}

static inline void talk_add(struct talk *talk, struct segment segment)
{
	struct made made = segment_make(&talk->flow, segment);
	struct packet_record record =
		made_record(&made, LINK_RAW, segment_ns(&talk->flow, &segment));

	annotator_add(talk->annotator, &record);
}

#define SAY(talk, ...) talk_add((talk), (struct segment){ __VA_ARGS__ })

static inline const struct connection *talk_connection(const struct talk *talk)
{
	assert_true(annotator_count(talk->annotator) > 0);
	return annotator_connection(talk->annotator,
		annotator_count(talk->annotator) - 1);
}

static inline const struct side *talk_side(const struct talk *talk, int side)
{
	return &talk_connection(talk)->side[side];
}

/* SYN, SYN/ACK, ACK, captured at the client of a path of `rtt_ms`. */
static inline void talk_open(struct talk *talk, double rtt_ms)
{
	SAY(talk, .side = CLIENT, .flags = TCP_SYN, .seq = -1, .mss = 1460,
		.wscale = 8, .sack_permitted = true);
	SAY(talk, .ms = rtt_ms, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .sack_permitted = true);
	SAY(talk, .ms = rtt_ms + 0.05, .side = CLIENT);
}

/* A conversation over 40 ms, seen at its client and open. */
static inline void talk_start(struct talk *talk)
{
	talk_begin(talk, TAP_CLIENT);
	talk_open(talk, 40);
}

static inline uint64_t count_events(const struct connection *connection,
	enum event_kind kind)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < connection->event_count; i++)
		count += connection->events[i].kind == kind;
	return count;
}

#endif
