/* A conversation fed to an annotator. */
#include "talk.h"

static void note_last(void *context, const struct sighting *sighting)
{
	struct talk *talk = context;

	talk->last = *sighting;
}

void talk_begin(struct talk *talk, enum tap tap)
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

void talk_end(struct talk *talk)
{
	annotator_free(talk->annotator);
}

void talk_add(struct talk *talk, struct segment segment)
{
	struct made made = segment_make(&talk->flow, segment);
	struct packet_record record =
		made_record(&made, LINK_RAW, segment_ns(&talk->flow, &segment));

	annotator_add(talk->annotator, &record);
}

const struct connection *talk_connection(const struct talk *talk)
{
	assert_true(annotator_count(talk->annotator) > 0);
	return annotator_connection(talk->annotator,
		annotator_count(talk->annotator) - 1);
}

const struct side *talk_side(const struct talk *talk, int side)
{
	return &talk_connection(talk)->side[side];
}

void talk_open(struct talk *talk, double rtt_ms)
{
	SAY(talk, .side = CLIENT, .flags = TCP_SYN, .seq = -1, .mss = 1460,
		.wscale = 8, .sack_permitted = true);
	SAY(talk, .ms = rtt_ms, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = 1460, .wscale = 8, .sack_permitted = true);
	SAY(talk, .ms = rtt_ms + 0.05, .side = CLIENT);
}

void talk_start(struct talk *talk)
{
	talk_begin(talk, TAP_CLIENT);
	talk_open(talk, 40);
}

void talk_start_narrow(struct talk *talk, int segments)
{
	talk_start(talk);
	SAY(talk, .ms = 45, .side = SERVER, .window = 35);
	for (int i = 0; i < segments; i++)
		SAY(talk, .ms = 50, .seq = i * 1448, .length = 1448);
	SAY(talk, .ms = 90, .side = SERVER, .ack = segments * 1448);
}

uint64_t count_events(const struct connection *connection, enum event_kind kind)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < connection->event_count; i++)
		count += connection->events[i].kind == kind;
	return count;
}
