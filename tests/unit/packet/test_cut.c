/* Files with the records of two points, between which packets are cut: the card
 * of the sender cuts what the first point recorded as one packet. */
#include <stdlib.h>

#include "talk.h"

enum { MSS = 1448, JOINED = 4, FRAMES = 10, AGAIN = 5, RECORDS_MAX = 200 };

struct record_made {
	struct made made;
	int64_t t_ns;
};

struct file {
	struct flow flow;
	double apart_ms, skew_ms; /* the way; the clock beside the server */
	bool no_ids;
	struct record_made at[RECORDS_MAX];
	int count;
};

static void put(struct file *file, struct segment segment, bool far)
{
	double later_ms =
		(segment.side == far ? 0 : file->apart_ms) +
		(far ? file->skew_ms : 0);
	struct flow flow = file->flow;
	struct record_made *record = &file->at[file->count++];

	segment.tsval = 5000 + (int)segment.ms;
	record->made = segment_make(&flow, segment);
	if (file->no_ids && !flow.six)
		put16(record->made.bytes + 4, 0);
	record->t_ns = segment_ns(&flow, &segment) + (int64_t)(later_ms * 1e6);
}

static void both(struct file *file, struct segment segment)
{
	put(file, segment, segment.side);
	put(file, segment, !segment.side);
	segment_make(&file->flow, segment);
}

#define BOTH(file, ...) both((file), (struct segment){ __VA_ARGS__ })

/* Identifications count segments. */
static void send(struct file *file, double ms, int frame)
{
	struct segment segment = { .ms = ms,
		.seq = (int64_t)frame * JOINED * MSS,
		.length = JOINED * MSS,
		.ip_id = 700 + frame * JOINED };

	put(file, segment, false);
	segment.length = MSS;
	for (int i = 0; i < JOINED; i++) {
		put(file, segment, true);
		segment.seq += MSS;
		segment.ip_id++;
		segment.ms += 0.001;
	}
}

static void make(struct file *file)
{
	double way_ms = file->apart_ms;
	int mss = MSS + (file->flow.timestamps ? TIMESTAMPS_BYTES : 0);

	BOTH(file, .flags = TCP_SYN, .seq = -1, .mss = mss);
	BOTH(file, .ms = way_ms + 0.02, .side = SERVER, .seq = -1,
		.flags = TCP_SYN | TCP_ACK, .mss = mss);
	BOTH(file, .ms = 2 * way_ms + 0.04);
	for (int i = 0; i < FRAMES; i++)
		send(file, 2 * way_ms + 0.1 + 0.01 * i, i);
	BOTH(file, .ms = 3 * way_ms + 0.25, .side = SERVER,
		.ack = AGAIN * MSS);
	/* The capture lost no packet: the server discarded this one. */
	BOTH(file, .ms = 4 * way_ms + 0.3, .seq = AGAIN * MSS, .length = MSS,
		.ip_id = 900);
	BOTH(file, .ms = 5 * way_ms + 0.35, .side = SERVER,
		.ack = FRAMES * JOINED * MSS);
}

static int by_time(const void *a, const void *b)
{
	const struct record_made *one = a, *other = b;

	return (one->t_ns > other->t_ns) - (one->t_ns < other->t_ns);
}

static void check(bool six, bool stamped, double apart_ms, double skew_ms,
	size_t points)
{
	static struct file file;
	struct talk talk;

	file = (struct file){ .flow = flow_new(),
		.apart_ms = apart_ms,
		.skew_ms = skew_ms };
	file.flow.six = six;
	file.flow.timestamps = stamped;
	make(&file);
	qsort(file.at, file.count, sizeof *file.at, by_time);
	talk_begin(&talk, TAP_UNKNOWN);
	for (int i = 0; i < file.count; i++) {
		struct packet_record record = made_record(&file.at[i].made,
			LINK_RAW, file.at[i].t_ns);

		annotator_add(talk.annotator, &record);
	}
	assert_int_equal(annotator_count(talk.annotator), points);
	for (size_t i = 0; i < points; i++) {
		const struct connection *found =
			annotator_connection(talk.annotator, i);
		const struct side *side = &found->side[found->client];

		assert_int_equal(found->mixed, points == 1);
		assert_int_equal(side->payload_bytes, FRAMES * JOINED * MSS);
		assert_int_equal(side->retransmitted_segments, 1);
		assert_int_equal(side->retransmitted_bytes, MSS);
		assert_int_equal(side->frames,
			points == 1 ? side->frames :
			i	    ? FRAMES * JOINED :
				      FRAMES);
	}
	talk_end(&talk);
}

/* Less than a millisecond apart: the points are one, and copies are known by
 * their bytes, also if the clocks put a part of a packet before the whole. */
static void test_near(void **state)
{
	static const double skews_ms[] = { 0, -0.1485 };

	for (int i = 0; i < 2; i++) {
		check(false, true, 0.15, skews_ms[i], 1);
		check(false, false, 0.15, skews_ms[i], 1);
	}
	check(true, true, 6, -6.1, 1);
}

/* Points that are told apart have the packets as they were cut there. */
static void test_far(void **state)
{
	check(false, true, 10, 0, 2);
	check(false, true, 10, 5, 2);
	check(true, true, 10, 0, 2);
}

/* Neither timestamps nor identifications: a second record of data may be a
 * repeat. None is certain until data is repeated after the silence of a
 * time-out. `first`: the first record that the file has. */
static void check_unproven(bool six, double apart_ms, int first)
{
	static struct file file;
	struct talk talk;

	file = (struct file){ .flow = flow_new(),
		.apart_ms = apart_ms,
		.no_ids = true };
	file.flow.six = six;
	file.flow.timestamps = false;
	make(&file);
	put(&file,
		(struct segment){ .ms = 900,
			.seq = (FRAMES * JOINED - 1) * MSS,
			.length = MSS,
			.ip_id = 950 },
		false);
	qsort(file.at, file.count, sizeof *file.at, by_time);
	talk_begin(&talk, TAP_UNKNOWN);
	for (int i = first; i < file.count; i++) {
		struct packet_record record = made_record(&file.at[i].made,
			LINK_RAW, file.at[i].t_ns);

		annotator_add(talk.annotator, &record);
	}
	const struct connection *found = annotator_connection(talk.annotator,
		annotator_count(talk.annotator) - 1);
	const struct side *side = &found->side[found->client];
	assert_int_equal(side->retransmitted_segments, 1);
	assert_in_range(side->unclear, JOINED, FRAMES * JOINED + 2);
	assert_int_equal(found->side[!found->client].retransmitted_segments, 0);
	talk_end(&talk);
}

static void test_unproven(void **state)
{
	static const double apart_ms[] = { 0.3, 0.9, 3 };

	for (int i = 0; i < 3; i++)
		for (int six = 0; six < 2; six++) {
			check_unproven(six, apart_ms[i], 0);
			check_unproven(six, apart_ms[i], 6);
		}
}

/* Frames larger than a segment, some twice. Only where packets are cut may the
 * second be that of another point: not on loopback, nor at a told place. */
static void check_one_point(enum tap tap, bool one_address, bool proven)
{
	enum { FRAME = 65483, REPEATED = 2 };
	struct talk talk;

	talk_begin(&talk, tap);
	if (one_address)
		talk.flow.address[SERVER] = talk.flow.address[CLIENT];
	for (int i = 0; i < FRAMES; i++)
		SAY(&talk, .ms = 0.01 * i, .seq = (int64_t)i * FRAME,
			.length = FRAME);
	SAY(&talk, .ms = 0.11, .side = SERVER, .ack = FRAMES * FRAME);
	for (int i = 0; i < REPEATED; i++)
		SAY(&talk, .ms = 0.12 + 0.01 * i, .seq = (int64_t)i * FRAME,
			.length = FRAME);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->retransmitted_frames, proven ? REPEATED : 0);
	assert_int_equal(side->unclear, proven ? 0 : REPEATED);
	assert_int_equal(side->payload_bytes, FRAMES * FRAME);
	talk_end(&talk);
}

static void test_one_point(void **state)
{
	check_one_point(TAP_UNKNOWN, false, false);
	check_one_point(TAP_UNKNOWN, true, true);
	check_one_point(TAP_LOOPBACK, false, true);
	check_one_point(TAP_CLIENT, false, true);
}

/* ---- without the SYN ---------------------------------------------------- */

/* The sides are in the order of their first packets. */
static const struct side *sender(const struct talk *talk)
{
	const struct connection *connection = talk_connection(talk);

	return &connection->side[connection->client];
}

/* An acknowledgement, recorded at two points, shows that they are mixed. */
static void begin_mixed(struct talk *talk)
{
	talk_begin(talk, TAP_UNKNOWN);
	for (int i = 0; i < 2; i++)
		SAY(talk, .ms = 2 * i, .side = SERVER, .ip_id = 40,
			.tsval = 9000, .tsecr = 4999);
	assert_true(talk_connection(talk)->mixed);
}

static void send_joined(struct talk *talk, double ms, int frame, int tsval)
{
	SAY(talk, .ms = ms, .seq = (int64_t)frame * JOINED * MSS,
		.length = JOINED * MSS, .ip_id = 700 + frame * JOINED,
		.tsval = tsval);
}

static void send_cut(struct talk *talk, double ms, int frame, int tsval)
{
	for (int i = 0; i < JOINED; i++)
		SAY(talk, .ms = ms + 0.001 * i,
			.seq = ((int64_t)frame * JOINED + i) * MSS,
			.length = MSS, .ip_id = 700 + frame * JOINED + i,
			.tsval = tsval);
}

static void request(struct talk *talk, double ms, int frame)
{
	for (int i = 0; i < 4; i++)
		SAY(talk, .ms = ms + 0.1 * i, .side = SERVER,
			.ack = frame * JOINED * MSS, .ip_id = 50 + i,
			.tsval = 9000 + (int)ms);
}

/* The later point records data after the request for its repeat. Since the size
 * of a segment is unknown, identifications show only that the first packet of
 * each frame is a copy. */
static void test_requested(void **state)
{
	struct talk talk;

	begin_mixed(&talk);
	talk.flow.timestamps = false;
	for (int i = 0; i < FRAMES; i++)
		send_joined(&talk, 3 + 0.01 * i, i, 0);
	request(&talk, 4, 1);
	for (int i = 1; i < FRAMES; i++)
		send_cut(&talk, 5 + 0.01 * i, i, 0);
	assert_int_equal(sender(&talk)->retransmitted_segments, 0);
	assert_int_equal(sender(&talk)->unclear,
		(FRAMES - 1) * (JOINED - 1));
	talk_end(&talk);
}

/* The records of a repeat at the later point are newer than the data too. */
static void test_repeat_copied(void **state)
{
	struct talk talk;

	begin_mixed(&talk);
	for (int i = 0; i < FRAMES; i++)
		send_joined(&talk, 3 + 0.01 * i, i, 5001);
	request(&talk, 40, 1);
	send_joined(&talk, 41, 1, 5041);
	assert_int_equal(sender(&talk)->retransmitted_bytes, JOINED * MSS);
	send_cut(&talk, 44, 1, 5041);
	assert_int_equal(sender(&talk)->retransmitted_bytes, JOINED * MSS);
	assert_int_equal(sender(&talk)->unclear, JOINED);
	talk_end(&talk);
}

/* A joined packet may be recorded before parts of it are at the other point:
 * its identification is that of its first byte, which was recorded before. */
static void test_partly_new(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	for (int i = 0; i < 2; i++)
		SAY(&talk, .ms = 0.15 * i, .flags = TCP_SYN, .seq = -1,
			.mss = MSS, .ip_id = 699);
	SAY(&talk, .ms = 1, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .mss = MSS);
	for (int i = 0; i < JOINED; i++) {
		if (i == 2)
			send_joined(&talk, 2.5, 0, 0);
		SAY(&talk, .ms = 2 + 0.3 * i, .seq = i * MSS, .length = MSS,
			.ip_id = 700 + i);
	}
	assert_int_equal(sender(&talk)->payload_bytes, JOINED * MSS);
	assert_int_equal(sender(&talk)->retransmitted_segments, 0);
	assert_int_equal(sender(&talk)->unclear, 0);
	talk_end(&talk);
}

/* When the file begins nothing shows that it has several points. Data from then
 * is known as a copy by its order: later data was recorded before it. */
static void test_behind(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .side = SERVER, .ip_id = 40, .tsval = 9000, .tsecr = 4999);
	send_cut(&talk, 1, 0, 5001);
	send_cut(&talk, 2, 1, 5002);
	send_cut(&talk, 3, 2, 5003);
	assert_false(talk_connection(&talk)->mixed);
	SAY(&talk, .ms = 3.3, .side = SERVER, .ip_id = 40, .tsval = 9000,
		.tsecr = 4999);
	assert_true(talk_connection(&talk)->mixed);
	send_joined(&talk, 4, 0, 5001);
	send_joined(&talk, 5, 1, 5002);
	const struct side *side = sender(&talk);
	assert_int_equal(side->retransmitted_segments, 0);
	assert_int_equal(side->unclear, 0);
	assert_int_equal(talk_connection(&talk)->duplicates, 3);
	talk_end(&talk);
}

/* The later point has its acknowledgements first: data below them was perhaps
 * not recorded before. After the silence of a time-out it was sent again. */
static void test_acked_first(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	SAY(&talk, .side = SERVER, .ack = 8 * JOINED * MSS);
	SAY(&talk, .ms = 0.003, .side = SERVER);
	send_cut(&talk, 0.006, 0, 0);
	SAY(&talk, .ms = 0.02, .side = SERVER, .ack = JOINED * MSS);
	const struct side *side = sender(&talk);
	assert_int_equal(side->retransmitted_segments, 0);
	assert_int_equal(side->unclear, JOINED - 1);
	SAY(&talk, .ms = 500, .length = MSS, .ip_id = 950);
	assert_int_equal(side->retransmitted_segments, 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_one_point),
		cmocka_unit_test(test_requested),
		cmocka_unit_test(test_repeat_copied),
		cmocka_unit_test(test_partly_new),
		cmocka_unit_test(test_behind),
		cmocka_unit_test(test_acked_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
