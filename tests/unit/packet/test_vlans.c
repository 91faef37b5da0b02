/* Connections between the same ends in different VLANs. */
#include "talk.h"

/* Feeds a segment of a flow in an Ethernet frame with a VLAN tag. */
static void add(struct talk *talk, struct flow *flow, unsigned vlan,
	struct segment segment)
{
	struct made ip = segment_make(flow, segment);
	struct made made = made_on(&ip, ON_VLAN, flow->six);

	put16(made.bytes + 14, vlan);
	struct packet_record record = made_record(&made, LINK_ETHERNET,
		segment_ns(flow, &segment));
	annotator_add(talk->annotator, &record);
}

static const struct segment segments[] = {
	{ .flags = TCP_SYN, .seq = -1 },
	{ .ms = 20, .side = SERVER, .flags = TCP_SYN | TCP_ACK, .seq = -1 },
	{ .ms = 20.1 },
	{ .ms = 30, .length = 1000 },
	{ .ms = 50, .side = SERVER, .ack = 1000 },
	{ .ms = 60, .flags = TCP_FIN | TCP_ACK, .seq = 1000 },
	{ .ms = 80, .side = SERVER, .flags = TCP_FIN | TCP_ACK, .ack = 1001 },
	{ .ms = 80.1, .seq = 1001, .ack = 1 },
};
enum { SEGMENTS = sizeof segments / sizeof *segments };

static struct segment segment_at(int i, double since_ms)
{
	struct segment segment = segments[i];

	segment.ms += since_ms;
	return segment;
}

static void assert_orderly(const struct talk *talk, size_t count)
{
	assert_int_equal(annotator_count(talk->annotator), count);
	for (size_t i = 0; i < count; i++) {
		const struct connection *connection =
			annotator_connection(talk->annotator, i);

		assert_int_equal(connection->packets, SEGMENTS);
		assert_int_equal(connection->duplicates, 0);
		assert_int_equal(connection->side[0].payload_bytes, 1000);
		assert_int_equal(connection->side[0].retransmitted_frames, 0);
		assert_int_equal(connection->handshake.a.state, LEG_KNOWN);
		assert_int_equal(connection_close(connection), CLOSE_ORDERLY);
	}
}

/* Two hosts of each VLAN have the same addresses and ports. */
static void test_collision(void **state)
{
	struct talk talk;
	struct flow other = flow_new();

	talk_begin(&talk, TAP_UNKNOWN);
	other.isn[0] += 12345;
	for (int i = 0; i < SEGMENTS; i++) {
		add(&talk, &talk.flow, 10, segment_at(i, 0));
		add(&talk, &other, 20, segment_at(i, 0.05));
	}
	assert_orderly(&talk, 2);
	assert_int_equal(talk_side(&talk, CLIENT)->vlan, 20);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(annotator_connection(talk.annotator, i)
				->handshake.twin, 0);
	talk_end(&talk);
}

/* Every packet is recorded in both VLANs of its path, 10 us apart. */
static void test_both(void **state)
{
	struct talk talk;
	struct flow routed;

	talk_begin(&talk, TAP_UNKNOWN);
	routed = talk.flow;
	for (int i = 0; i < SEGMENTS; i++) {
		add(&talk, &talk.flow, 10, segment_at(i, 0));
		add(&talk, &routed, 20, segment_at(i, 0.01));
	}
	assert_orderly(&talk, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(annotator_connection(talk.annotator, i)
				->handshake.twin, i ? 1 : 2);
	talk_end(&talk);
}

/* The directions of a connection have different VLANs, also when its ports are
 * reused. A priority tag (VLAN 0) is none. */
static void test_directions(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	for (int i = 0; i < 3 * SEGMENTS; i++) {
		const struct segment segment =
			segment_at(i % SEGMENTS, 100 * (i / SEGMENTS));

		talk.flow.isn[0] += i % SEGMENTS ? 0 : 50000;
		add(&talk, &talk.flow, segment.side ? 0 : 10, segment);
	}
	assert_orderly(&talk, 3);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collision),
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
