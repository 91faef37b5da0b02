/* Packets that a router or a bridge forwards, captured on all its interfaces:
 * each is recorded when it arrives and when it leaves. */
#include "talk.h"

enum { MSS = 1448, SEGMENTS = 8, LOST = 3, IN = 0, IN_OTHERS = 3, OUT = 4 };

struct way {
	enum encapsulation on; /* ON_SLL, ON_SLL2 */
	bool six, stamped, routed, cut;
	double delay_ms; /* in the machine */
};

static void record(struct talk *talk, const struct way *way,
	struct segment segment, unsigned direction)
{
	struct made ip = segment_make(&talk->flow, segment);
	struct made made = made_on(&ip, way->on, way->six);

	made.bytes[way->on == ON_SLL ? 1 : 10] = (uint8_t)direction;
	struct packet_record record = made_record(&made,
		encapsulation_link(way->on, way->six),
		segment_ns(&talk->flow, &segment));
	annotator_add(talk->annotator, &record);
}

/* The packet leaves as it came, or in two parts. */
static void forward(struct talk *talk, const struct way *way,
	struct segment segment)
{
	struct flow before = talk->flow, after;
	uint32_t whole = segment.length;

	segment.tsval = 1000 + (int)segment.ms;
	record(talk, way, segment, way->routed ? IN : IN_OTHERS);
	after = talk->flow;
	talk->flow = before;
	segment.ms += way->delay_ms;
	segment.ttl = way->routed ? 63 : 0;
	if (way->cut)
		segment.length /= 2;
	record(talk, way, segment, OUT);
	if (way->cut && whole) {
		segment.seq += segment.length;
		record(talk, way, segment, OUT);
	}
	talk->flow = after;
}

#define FORWARD(talk, way, ...) \
	forward((talk), (way), (struct segment){ __VA_ARGS__ })

static void check(const struct way *way)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.six = way->six;
	talk.flow.timestamps = way->stamped;
	FORWARD(&talk, way, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	FORWARD(&talk, way, .ms = 20, .side = SERVER, .seq = -1,
		.flags = TCP_SYN | TCP_ACK, .mss = 1460);
	FORWARD(&talk, way, .ms = 30);
	for (int i = 0; i < SEGMENTS; i++)
		if (i != LOST)
			FORWARD(&talk, way, .ms = 31 + 0.2 * i,
				.seq = 2 * i * MSS, .length = 2 * MSS);
	FORWARD(&talk, way, .ms = 51, .side = SERVER, .ack = 2 * LOST * MSS);
	FORWARD(&talk, way, .ms = 300, .seq = 2 * LOST * MSS,
		.length = 2 * MSS);
	FORWARD(&talk, way, .ms = 320, .side = SERVER,
		.ack = 2 * SEGMENTS * MSS);
	FORWARD(&talk, way, .ms = 700, .length = 2 * MSS);
	const struct connection *found = talk_connection(&talk);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_int_equal(found->points, POINTS_ONE);
	assert_false(found->mixed);
	assert_int_equal(found->handshake.path_ns, 30000000);
	assert_int_equal(found->packets, 3 + SEGMENTS + 3);
	assert_int_equal(found->duplicates,
		found->packets + (way->cut ? SEGMENTS + 1 : 0));
	assert_int_equal(found->side[0].payload_bytes, 2 * SEGMENTS * MSS);
	assert_int_equal(found->side[0].retransmitted_segments, 4);
	assert_int_equal(found->side[1].retransmitted_segments, 0);
	talk_end(&talk);
}

static void test_forwarded(void **state)
{
	static const double delays_ms[] = { 0.003, 0.3, 4 };

	for (int i = 0; i < 32; i++)
		for (int k = 0; k < 3; k++)
			check(&(struct way){
				.on = i & 1 ? ON_SLL : ON_SLL2,
				.six = i & 2,
				.stamped = i & 4,
				.routed = i & 8,
				.cut = i & 16,
				.delay_ms = delays_ms[k],
			});
}

/* Packets wait in the machine: their timestamps show that they are equal. */
static void test_queued(void **state)
{
	for (int i = 0; i < 8; i++)
		check(&(struct way){
			.on = ON_SLL2,
			.stamped = true,
			.six = i & 1,
			.routed = i & 2,
			.cut = i & 4,
			.delay_ms = 9.5,
		});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forwarded),
		cmocka_unit_test(test_queued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
