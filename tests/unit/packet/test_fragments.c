/* TCP segments that IP has fragmented: every byte counts once, in any order of
 * the fragments, and nothing is lost. */
#include "talk.h"

enum { LENGTH = 3000, FIRST_BYTES = 1480 };

/* A segment as an IP packet, of which fragments are added. */
struct whole {
	struct made made;
	int64_t t_ns;
	uint32_t ip_bytes; /* of the header */
	bool six;
};

static struct whole whole_of(struct talk *talk, struct segment segment)
{
	return (struct whole){
		.made = segment_make(&talk->flow, segment),
		.t_ns = segment_ns(&talk->flow, &segment),
		.ip_bytes = talk->flow.six ? 40 : 20,
		.six = talk->flow.six,
	};
}

static uint8_t *put_header(const struct whole *whole, uint32_t from,
	uint32_t bytes, bool last, uint8_t *at)
{
	memcpy(at, whole->made.bytes, whole->ip_bytes);
	if (!whole->six) {
		put16(at + 2, bytes + 20);
		put16(at + 6, from / 8 | (last ? 0 : 0x2000));
		return at + 20;
	}
	at[6] = 44;
	put16(at + 4, bytes + 8);
	at = put16(at + 40, 0x0600);
	return put32(put16(at, from | !last), 77);
}

/* Adds the fragment from `from` to `to` of the packet without its IP header. */
static void add_fragment(struct talk *talk, const struct whole *whole,
	uint32_t from, uint32_t to)
{
	const struct made *made = &whole->made;
	uint32_t length = made->wire - whole->ip_bytes;
	uint32_t there = made->captured - whole->ip_bytes;
	struct made part;

	to = to < length ? to : length;
	uint8_t *at = put_header(whole, from, to - from, to == length,
		part.bytes);
	uint32_t header = (uint32_t)(at - part.bytes);
	uint32_t kept = there < from ? 0 :
		there < to           ? there - from :
				       to - from;
	memcpy(at, made->bytes + whole->ip_bytes + (kept ? from : 0), kept);
	part.captured = header + kept;
	part.wire = header + to - from;
	const struct packet_record record =
		made_record(&part, LINK_RAW, whole->t_ns);
	annotator_add(talk->annotator, &record);
}

static void assert_whole(struct talk *talk, uint64_t frames)
{
	const struct side *side = talk_side(talk, CLIENT);

	SAY(talk, .ms = 90, .side = SERVER, .ack = LENGTH);
	SAY(talk, .ms = 100, .side = SERVER, .ack = LENGTH, .length = 10);
	assert_int_equal(side->payload_bytes, LENGTH);
	assert_int_equal(side_stream_bytes(side), LENGTH);
	assert_int_equal(side->frames, frames);
	assert_int_equal(side->largest_bytes, LENGTH);
	assert_int_equal(side->gap_bytes, 0);
	assert_int_equal(side->gaps_open, 0);
	assert_int_equal(side->retransmitted_frames, 0);
	assert_int_equal(side->recorded_late, 0);
	assert_int_equal(talk_side(talk, SERVER)->dupacks, 0);
}

static void test_order(void **state)
{
	for (int six = 0; six < 2; six++)
		for (int backwards = 0; backwards < 2; backwards++) {
			struct talk talk;

			talk_begin(&talk, TAP_CLIENT);
			talk.flow.six = six;
			talk_open(&talk, 40);
			struct whole whole = whole_of(&talk,
				(struct segment){ .ms = 50,
					.length = LENGTH });
			for (uint32_t i = 0; i < 3; i++) {
				uint32_t from = FIRST_BYTES *
					(backwards ? 2 - i : i);

				add_fragment(&talk, &whole, from,
					from + FIRST_BYTES);
			}
			assert_int_equal(talk_side(&talk, CLIENT)->reordered,
				0);
			assert_whole(&talk, 3);
			talk_end(&talk);
		}
}

/* The FIN of a fragmented segment is behind all its data. */
static void test_fin(void **state)
{
	struct talk talk;

	talk_start(&talk);
	struct whole whole = whole_of(&talk,
		(struct segment){ .ms = 50,
			.flags = TCP_FIN | TCP_ACK,
			.length = LENGTH });
	add_fragment(&talk, &whole, 0, FIRST_BYTES);
	assert_false(talk_side(&talk, CLIENT)->fin_seen);
	add_fragment(&talk, &whole, FIRST_BYTES, 2 * FIRST_BYTES);
	assert_false(talk_side(&talk, CLIENT)->fin_seen);
	add_fragment(&talk, &whole, 2 * FIRST_BYTES, LENGTH + 100);
	assert_true(talk_side(&talk, CLIENT)->fin_seen);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = LENGTH + 1);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->payload_bytes, LENGTH);
	assert_int_equal(side->gap_bytes, 0);
	assert_int_equal(side_stream_bytes(side), LENGTH);
	talk_end(&talk);
}

/* The first fragment ends in the options: the next one has the rest of them,
 * and data. */
static void test_short_first(void **state)
{
	struct talk talk;

	talk_start(&talk);
	struct whole whole = whole_of(&talk,
		(struct segment){ .ms = 50, .length = LENGTH });
	add_fragment(&talk, &whole, 0, 24);
	assert_int_equal(talk_side(&talk, CLIENT)->payload_bytes, 0);
	add_fragment(&talk, &whole, 24, 32); /* only options */
	add_fragment(&talk, &whole, 32, LENGTH + 100);
	assert_whole(&talk, 1);
	talk_end(&talk);
}

/* A fragment of another datagram is not data of this one. What no fragment
 * holds is missing in the capture. */
static void test_strangers(void **state)
{
	struct talk talk;

	talk_start(&talk);
	struct whole whole = whole_of(&talk,
		(struct segment){ .ms = 50, .length = LENGTH });
	struct whole other = whole;
	put16(other.made.bytes + 4, 999);
	add_fragment(&talk, &whole, 0, FIRST_BYTES);
	add_fragment(&talk, &other, FIRST_BYTES, LENGTH + 100);
	other = whole;
	other.made.bytes[15] = 9;
	add_fragment(&talk, &other, FIRST_BYTES, LENGTH + 100);
	other = whole;
	other.t_ns += 31 * INT64_C(1000000000);
	add_fragment(&talk, &other, FIRST_BYTES, LENGTH + 100);
	other = whole;
	other.made.bytes[9] = 17;
	add_fragment(&talk, &other, FIRST_BYTES, LENGTH + 100);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = LENGTH);
	SAY(&talk, .ms = 100, .side = SERVER, .ack = LENGTH, .length = 10);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->payload_bytes, FIRST_BYTES - 32);
	assert_int_equal(side->gap_bytes, LENGTH - (FIRST_BYTES - 32));
	const struct capture_facts *facts = annotator_facts(talk.annotator);
	assert_int_equal(facts->of_class[PACKET_FRAGMENT], 4);
	talk_end(&talk);
}

/* A first fragment without the flags of TCP tells nothing, and is valid. */
static void test_tiny(void **state)
{
	struct talk talk;

	talk_start(&talk);
	struct whole whole = whole_of(&talk,
		(struct segment){ .ms = 50, .length = LENGTH });
	add_fragment(&talk, &whole, 0, 8);
	const struct capture_facts *facts = annotator_facts(talk.annotator);
	assert_int_equal(facts->of_class[PACKET_FRAGMENT], 1);
	assert_int_equal(facts->of_class[PACKET_INVALID], 0);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_fin),
		cmocka_unit_test(test_short_first),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_tiny),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
