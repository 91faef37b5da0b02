/* Bytes as packets. */
#include "annotate_input.h"

#include <stdlib.h>
#include <string.h>

/* Every type that is read, and one that is not. The order is that of LINKS in
 * seeds.py. */
const uint32_t input_links[INPUT_LINKS] = { LINK_NULL, LINK_ETHERNET, LINK_PPP,
	LINK_FDDI, LINK_RAW_BSD, LINK_RAW_OPENBSD, LINK_PPP_HDLC,
	LINK_PPP_ETHER, LINK_ATM_RFC1483, LINK_RAW, LINK_C_HDLC,
	LINK_IEEE802_11, LINK_FRELAY, LINK_LOOP, LINK_ENC, LINK_LINUX_SLL,
	LINK_PFLOG, LINK_IEEE802_11_PRISM, LINK_IP_OVER_FC, LINK_SUNATM,
	LINK_IEEE802_11_RADIOTAP, LINK_IEEE1394, LINK_IEEE802_11_AVS,
	LINK_PPP_PPPD, LINK_PPI, LINK_PPP_WITH_DIR, LINK_MPLS, LINK_IPNET,
	LINK_IPV4, LINK_IPV6, LINK_NFLOG, LINK_NETANALYZER,
	LINK_NETANALYZER_TRANSPARENT, LINK_IPOIB, LINK_PKTAP,
	LINK_ETHERNET_MPACKET, LINK_LINUX_SLL2, LINK_DSA_TAG_BRCM,
	LINK_DSA_TAG_BRCM_PREPEND, LINK_DSA_TAG_DSA, LINK_DSA_TAG_EDSA,
	LINK_TOKEN_RING, LINK_ARCNET, LINK_SLIP, LINK_SYMANTEC, LINK_ATM_CLIP,
	LINK_ARCNET_LINUX, LINK_DOCSIS, LINK_JUNIPER_PPPOE, LINK_JUNIPER_ETHER,
	LINK_JUNIPER_PPP, LINK_JUNIPER_FRELAY, LINK_JUNIPER_CHDLC, LINK_EPON,
	189 };

/* Returns the number of bytes in the ranges. */
static uint64_t check_ranges(const struct ranges *ranges, uint64_t below)
{
	uint64_t end = 0, bytes = 0;

	for (uint32_t i = 0; i < ranges->count; i++) {
		const struct byte_range *range = ranges_at(ranges, i);

		must(range->from < range->to && range->from >= end);
		must(range->to <= below);
		end = range->to;
		bytes += range->to - range->from;
	}
	return bytes;
}

static void check_rounds(const struct rounds *rounds)
{
	must(rounds->count <= ROUNDS_MAX);
	for (uint32_t i = 0; i < rounds->count; i++)
		must(rounds->at[i].segments < UINT32_MAX &&
			rounds->at[i].bytes < UINT64_MAX / 2);
}

static void check_side(const struct side *side)
{
	uint64_t kinds = 0;

	check_ranges(&side->holes, side->next);
	must(side->sacked_bytes == check_ranges(&side->sacked, side->next));
	must(side_in_flight(side) <= side->next);
	for (int i = 0; i < RETRANSMISSIONS; i++)
		kinds += side->retransmissions[i];
	must(kinds == side->retransmitted_segments);
	must(side->packets || !side->gaps);
	check_rounds(&side->rounds);
}

void check_connection(const struct connection *connection)
{
	const struct leg *legs[] = { &connection->handshake.a,
		&connection->handshake.b };

	for (int i = 0; i < 2; i++) {
		must(legs[i]->took_ns == UNKNOWN_NS || legs[i]->took_ns >= 0);
		must((legs[i]->state == LEG_KNOWN) ==
			(legs[i]->took_ns != UNKNOWN_NS));
		check_side(&connection->side[i]);
	}
	must(connection->event_count <= EVENTS_MAX);
}

/* The output is valid JSON, and text without terminal control characters. */
static void check_output(const struct annotator *annotator)
{
	const struct capture_origin origin = { .file = "input" };
	const struct list_choice every = { .order = ORDER_LIMIT };
	struct text json = { 0 }, text = { 0 };
	struct error error;

	connections_write(annotator, &origin, &json);
	cJSON *tree = json_parse(json.chars, json.length, "input", &error);
	must(tree != NULL);
	cJSON_Delete(tree);
	annotation_text(annotator, "input", &every.only, &text_layout_plain,
		&text);
	list_text(&(struct list_rows){ 0 }, annotator, &every,
		&text_layout_plain, &text);
	for (size_t i = 0; i < text.length; i++)
		must(text.chars[i] == '\n' ||
			(text.chars[i] >= ' ' && text.chars[i] < 0x7f));
	text_free(&json);
	text_free(&text);
}

/* Time advances by up to centuries, and wraps from the maximum to 0. */
static int64_t later(int64_t t_ns, const uint8_t *record)
{
	enum { BITS = 3 };
	uint64_t step_ns = (uint64_t)(record[6] | record[7] << 8) * 1000;

	step_ns <<= (record[1] & 15) * BITS;
	return (int64_t)(((uint64_t)t_ns + step_ns) & INT64_MAX);
}

void annotate_input(const uint8_t *data, size_t size)
{
	struct annotator *annotator = annotator_new(NULL);
	int64_t t_ns = INT64_C(1700000000000000000);

	while (size >= INPUT_HEADER) {
		uint32_t captured = data[2] | (uint32_t)data[3] << 8;
		uint32_t more = data[4] | (uint32_t)data[5] << 8;

		t_ns = later(t_ns, data);
		if (captured > size - INPUT_HEADER)
			captured = (uint32_t)(size - INPUT_HEADER);
		/* A separate allocation, so that sanitizers detect a read past
		 * its end. */
		uint8_t *bytes = malloc(captured ? captured : 1);
		must(bytes != NULL);
		memcpy(bytes, data + INPUT_HEADER, captured);
		const struct packet_record record = {
			.t_ns = t_ns,
			.bytes = bytes,
			.captured_bytes = captured,
			.wire_bytes = captured + more,
			.link_type = input_links[data[0] % INPUT_LINKS],
		};
		annotator_add(annotator, &record);
		free(bytes);
		data += INPUT_HEADER + captured;
		size -= INPUT_HEADER + captured;
	}
	for (size_t i = 0; i < annotator_count(annotator); i++)
		check_connection(annotator_connection(annotator, i));
	check_output(annotator);
	annotator_free(annotator);
}
