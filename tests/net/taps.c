/* Capturing at both ends of a link. */
#include "taps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"
#include "packets.h"
#include "tick.h"

enum { BEGIN_MS = 20000, END_MS = 20000 };

static int begin_side(struct taps *taps, struct link *link, enum link_side side)
{
	struct packet_record record;
	uint64_t until_ns = tick_raw_ns() + BEGIN_MS * UINT64_C(1000000);

	taps->file[side] = memfd_create("packets", MFD_CLOEXEC);
	const struct capture_ask ask = {
		.use = CAPTURE_FOR_LATENCY,
		.into = taps->file[side],
		.into_most = PACKETS_BYTES_MOST,
	};
	taps->capture[side] = capture_open_link(link, side, &ask, &taps->error);
	if (!taps->capture[side])
		return -1;
	struct packets *packets = packets_follow(taps->file[side]);
	const struct packets_state *state = packets_state(packets);
	while (!state->begun && !*state->why && tick_raw_ns() < until_ns)
		if (!packets_next(packets, &record))
			usleep(1000);
	if (!state->begun)
		error_set(&taps->error,
			state->denied ? STATUS_PERMISSION : STATUS_NETWORK,
			"no capture: %s",
			*state->why ? state->why : "it does not begin");
	packets_unfollow(packets);
	return taps->error.status ? -1 : 0;
}

void taps_begin(struct link *link, void *context)
{
	struct taps *taps = context;
	bool paced = taps->paced;

	*taps = (struct taps){ .file = { -1, -1 }, .paced = paced };
	for (int side = 0; side < LINK_SIDES; side++)
		if (begin_side(taps, link, (enum link_side)side))
			return;
}

void taps_end(void *context)
{
	struct taps *taps = context;

	for (int side = 0; side < LINK_SIDES; side++) {
		if (!taps->capture[side])
			continue;
		capture_stop(taps->capture[side]);
		if (!capture_gone(taps->capture[side], END_MS))
			error_set(&taps->error, STATUS_NETWORK,
				"the capture does not end");
		capture_close(taps->capture[side]);
		taps->capture[side] = NULL;
	}
}

struct tapping {
	struct taps *taps;
	enum link_side side;
};

static void see(void *context, const struct sighting *sighting)
{
	enum { ROOM = 1 << 14 };
	const struct tapping *tapping = context;
	struct taps *taps = tapping->taps;
	enum link_side at = tapping->side;
	const struct connection *connection = sighting->connection;
	const struct side *side = &connection->side[sighting->side];

	if (sighting->side != connection->client ||
		!sighting->packet->payload_bytes ||
		taps->data_count[at] == ROOM)
		return;
	if (!taps->data[at])
		taps->data[at] = xcalloc(ROOM, sizeof *taps->data[at]);
	taps->data[at][taps->data_count[at]++] = (struct tapped){
		.offset = side_offset(side, sighting->position),
		.bytes = (uint32_t)sighting->packet->payload_bytes,
		.tsval = sighting->packet->options.tsval,
		.again = sighting->marks & MARK_RETRANSMISSION,
	};
}

/* Finds the packet of the far tap among the packets of the near tap. Copies of
 * one range have different time stamps; within one tick of that clock, their
 * order decides. */
static const struct tapped *sent_as(const struct taps *taps,
	const struct tapped *seen)
{
	const struct tapped *found = NULL;

	for (size_t i = 0; i < taps->data_count[LINK_NEAR]; i++) {
		const struct tapped *sent = &taps->data[LINK_NEAR][i];

		if (sent->offset == seen->offset &&
			sent->bytes == seen->bytes &&
			sent->tsval == seen->tsval)
			found = sent;
	}
	return found;
}

struct taps_again taps_again(const struct taps *taps)
{
	struct taps_again counted = { 0 };
	int64_t highest = 0;

	for (size_t i = 0; i < taps->data_count[LINK_FAR]; i++) {
		const struct tapped *seen = &taps->data[LINK_FAR][i];
		const struct tapped *sent = sent_as(taps, seen);
		bool again = sent && sent->again;

		counted.arrived += again;
		counted.told += again && seen->again;
		counted.fresh += again && seen->offset >= highest;
		counted.wrong += !again && seen->again;
		if (seen->offset + seen->bytes > highest)
			highest = seen->offset + seen->bytes;
	}
	return counted;
}

const struct connection *taps_annotate(struct taps *taps, enum link_side side,
	struct error *error)
{
	const struct annotator_options options = {
		.tap = side == LINK_NEAR ? TAP_CLIENT : TAP_SERVER,
		.paced = taps->paced,
		.watch = see,
		.context = &(struct tapping){ taps, side },
	};
	struct annotator *annotator = annotator_new(&options);
	struct packet_record record;

	if (taps->error.status) {
		*error = taps->error;
		return NULL;
	}
	taps->annotator[side] = annotator;
	struct packets *packets = packets_follow(taps->file[side]);
	while (packets_next(packets, &record))
		annotator_add(annotator, &record);
	struct packets_state state = *packets_state(packets);
	packets_unfollow(packets);
	if (state.ended != 1 || state.counts.dropped ||
		annotator_count(annotator) != 1) {
		error_set(error, STATUS_NETWORK,
			"the capture is not whole: %u ends, %llu packets lost, "
			"%zu connections",
			state.ended, (unsigned long long)state.counts.dropped,
			annotator_count(annotator));
		return NULL;
	}
	return annotator_connection(annotator, 0);
}

void taps_close(struct taps *taps)
{
	for (int side = 0; side < LINK_SIDES; side++) {
		annotator_free(taps->annotator[side]);
		free(taps->data[side]);
		if (taps->file[side] > 0)
			close(taps->file[side]);
	}
}
