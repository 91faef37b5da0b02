/* A packet that another queue of the capture recorded late is neither lost nor
 * retransmitted. Data that fills a hole counts as payload. */
#include "talk.h"

enum { SEGMENT = 1448 };

static void send(struct talk *talk, double ms, int segment)
{
	SAY(talk, .ms = ms, .seq = segment * SEGMENT, .length = SEGMENT);
}

/* Sent at 50 ms, recorded later. */
static void send_late(struct talk *talk, double ms, int segment)
{
	SAY(talk, .ms = ms, .seq = segment * SEGMENT, .length = SEGMENT,
		.tsval = 100050);
}

static void acknowledge(struct talk *talk, double ms, int segments)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = segments * SEGMENT);
}

static const struct side *client(const struct talk *talk)
{
	return talk_side(talk, CLIENT);
}

static void assert_whole(const struct talk *talk, uint64_t segments)
{
	const struct side *side = client(talk);

	assert_int_equal(side->payload_bytes, segments * SEGMENT);
	assert_int_equal(side_stream_bytes(side), segments * SEGMENT);
	assert_int_equal(side->frames, segments);
	assert_int_equal(side->gap_bytes, 0);
	assert_int_equal(side->gaps_open, 0);
	assert_int_equal(side->retransmitted_frames, 0);
	assert_int_equal(count_events(talk_connection(talk), EVENT_CAPTURE_GAP),
		0);
}

/* An acknowledgement recorded before its data, in order and over a hole, at any
 * tap. */
static void test_ack_first(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_LOOPBACK; tap++)
		for (int hole = 0; hole < 2; hole++) {
			struct talk talk;

			talk_begin(&talk, (enum tap)tap);
			talk_open(&talk, 40);
			send(&talk, 50, 0);
			if (hole)
				send(&talk, 89.9, 2);
			acknowledge(&talk, 90, 2 + hole);
			assert_int_equal(client(&talk)->gap_bytes, SEGMENT);
			assert_true(talk.last.marks & MARK_CAPTURE_GAP);
			send_late(&talk, 90.7, 1);
			assert_true(talk.last.marks & MARK_RECORDED_LATE);
			assert_int_equal(client(&talk)->recorded_late, 1);
			send(&talk, 130, 2 + hole);
			assert_whole(&talk, 3u + (unsigned)hole);
			/* It gave no sample of the round trip. */
			if (tap == TAP_CLIENT && !hole)
				assert_in_range(client(&talk)->rtt.least_ns,
					39000000, 40000000);
			talk_end(&talk);
		}
}

/* A record that is not in the order of times: data stamped before the packet
 * that seems to skip it, at any tap. */
static void test_time_order(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_LOOPBACK; tap++) {
		struct talk talk;

		talk_begin(&talk, (enum tap)tap);
		talk_open(&talk, 40);
		send(&talk, 50, 0);
		send(&talk, 58, 2);
		send(&talk, 56, 1);
		assert_true(talk.last.marks & MARK_RECORDED_LATE);
		acknowledge(&talk, 90, 3);
		assert_whole(&talk, 3);
		assert_int_equal(client(&talk)->recorded_late, 1);
		assert_int_equal(client(&talk)->reordered, 0);
		talk_end(&talk);
	}
}

/* After a millisecond the data counts as lost by the capture. The event names
 * the acknowledging packet and keeps its position in the order. */
static void test_lost_by_capture(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send(&talk, 50, 0);
	acknowledge(&talk, 90, 2);
	send(&talk, 90.9, 2);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(count_events(connection, EVENT_CAPTURE_GAP), 0);
	send(&talk, 91.1, 3);
	const struct tcp_event *event = connection->events;
	assert_int_equal(count_events(connection, EVENT_CAPTURE_GAP), 1);
	while (event->kind != EVENT_CAPTURE_GAP)
		event++;
	assert_int_equal(event->number, 5);
	for (uint32_t i = 1; i < connection->event_count; i++)
		assert_true(connection->events[i - 1].number <=
			connection->events[i].number);
	assert_int_equal(client(&talk)->gap_bytes, SEGMENT);
	assert_int_equal(client(&talk)->gaps, 1);
	talk_end(&talk);
}

/* The first sight of data more than a millisecond after its acknowledgement:
 * the recorder was late, or the data was sent again and the capture lost its
 * first copy. After the shortest timer it was sent again, needlessly. The
 * report of the loss is withdrawn, for each part that arrives. */
static void test_too_late(void **state)
{
	static const int order[] = { 2, 4, 1, 3 };

	for (int i = 0; i < 4; i++) {
		bool timer = i & 1;
		double ms = timer ? 292.1 : 92.1;
		struct talk talk;

		talk_begin(&talk, i & 2 ? TAP_CLIENT : TAP_SERVER);
		talk.flow.timestamps = timer;
		talk_open(&talk, 40);
		send(&talk, 50, 0);
		acknowledge(&talk, 90, 2);
		acknowledge(&talk, 91, 5);
		send(&talk, 92.05, 5);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_CAPTURE_GAP),
			1);
		for (int k = 0; k < 4; k++) {
			send(&talk, ms + k, order[k]);
			assert_int_equal(talk.last.why,
				timer ? RETRANSMIT_SPURIOUS :
					RETRANSMIT_UNKNOWN);
			/* One gap is split twice, then filled. */
			int gaps = k < 2 ? 2 : 3 - k;
			assert_int_equal(client(&talk)->gaps_open, gaps);
			assert_int_equal(count_events(talk_connection(&talk),
						 EVENT_CAPTURE_GAP),
				gaps);
		}
		assert_int_equal(client(&talk)->payload_bytes, 6 * SEGMENT);
		assert_int_equal(side_stream_bytes(client(&talk)), 6 * SEGMENT);
		assert_int_equal(client(&talk)->gap_bytes, 0);
		assert_int_equal(client(&talk)->gaps, 0);
		assert_int_equal(client(&talk)->recorded_late, 0);
		assert_int_equal(client(&talk)->unclear, timer ? 0 : 4);
		assert_int_equal(client(&talk)->retransmitted_bytes,
			timer ? 4 * SEGMENT : 0);
		talk_end(&talk);
	}
}

/* The acknowledgement of a retransmission is recorded before it: its kind is
 * that of the hole, which opened long before. */
static void test_answer_first(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_LOOPBACK; tap++)
		for (int asked = 0; asked < 2; asked++) {
			struct talk talk;

			talk_begin(&talk, (enum tap)tap);
			talk.flow.timestamps = false;
			talk_open(&talk, 40);
			for (int i = 0; i < 10; i++)
				if (i != 4)
					send(&talk, 50 + i * 0.1, i);
			for (int i = 0; i < (asked ? 4 : 1); i++)
				acknowledge(&talk, 51 + i * 0.1, 4);
			double ms = asked ? 92 : 400;
			acknowledge(&talk, ms, 10);
			send(&talk, ms + 0.01, 4);
			assert_int_equal(talk.last.marks, MARK_RETRANSMISSION);
			assert_int_equal(talk.last.why,
				asked ? RETRANSMIT_FAST : RETRANSMIT_TIMEOUT);
			assert_int_equal(client(&talk)->gap_bytes, 0);
			talk_end(&talk);
		}
}

/* A segment without timestamps is late, and three ACKs asked for it; the round
 * trip is 40 ms. Only a repair takes a whole one, but a network may delay a
 * packet for a part of it. At the sender's tap there is no network. */
static void test_part_of_round_trip(void **state)
{
	static const struct {
		enum tap tap;
		double late_ms;
		unsigned marks;
	} cases[] = {
		{ TAP_SERVER, 15, MARK_REORDERED },
		{ TAP_SERVER, 25, MARK_REORDERED | MARK_RETRANSMISSION },
		{ TAP_MIDDLE, 35, MARK_REORDERED | MARK_RETRANSMISSION },
		{ TAP_SERVER, 40.1, MARK_RETRANSMISSION },
		{ TAP_CLIENT, 35, MARK_RETRANSMISSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, cases[i].tap);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		for (int k = 0; k < 5; k++)
			if (k != 1)
				send(&talk, 50, k);
		for (int k = 0; k < 4; k++)
			acknowledge(&talk, 50.1, 1);
		send(&talk, 50 + cases[i].late_ms, 1);
		assert_int_equal(talk.last.marks, cases[i].marks);
		talk_end(&talk);
	}
}

/* A packet whose bytes were partly recorded before is counted by bytes. What
 * the capture lost of them was sent before too, but is payload. */
static void test_overlap(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .seq = 0, .length = 100);
	SAY(&talk, .ms = 50, .seq = 300, .length = 100);
	SAY(&talk, .ms = 300, .seq = 50, .length = 400);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	assert_int_equal(client(&talk)->retransmitted_bytes, 350);
	assert_int_equal(client(&talk)->payload_bytes, 450);
	assert_int_equal(client(&talk)->frames, 3);
	assert_int_equal(client(&talk)->holes.count, 0);
	talk_end(&talk);
}

/* A retransmission whose first copy was lost before the tap also counts as
 * payload. */
static void test_filled(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 45, .side = SERVER, .length = SEGMENT);
	send(&talk, 50, 1);
	send(&talk, 51, 2);
	send(&talk, 95, 0);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	assert_int_equal(client(&talk)->retransmitted_bytes, SEGMENT);
	assert_int_equal(client(&talk)->payload_bytes, 3 * SEGMENT);
	assert_int_equal(connection_sender(talk_connection(&talk)), CLIENT);
	talk_end(&talk);
}

/* A FIN recorded before the data that precedes it. */
static void test_fin_first(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK, .seq = 341);
	SAY(&talk, .ms = 50.2, .length = 341);
	assert_int_equal(client(&talk)->payload_bytes, 341);
	assert_int_equal(side_stream_bytes(client(&talk)), 341);
	assert_int_equal(client(&talk)->frames, 1);
	/* The same for a FIN that was already acknowledged. */
	SAY(&talk, .ms = 51, .side = SERVER, .ack = 342);
	talk_end(&talk);
	talk_begin(&talk, TAP_SERVER);
	talk_open(&talk, 40);
	SAY(&talk, .ms = 50, .side = SERVER, .ack = 101);
	SAY(&talk, .ms = 50.1, .flags = TCP_FIN | TCP_ACK, .length = 100);
	assert_int_equal(client(&talk)->payload_bytes, 100);
	assert_int_equal(side_stream_bytes(client(&talk)), 100);
	assert_int_equal(client(&talk)->recorded_late, 1);
	talk_end(&talk);
}

/* If the capture begins in mid-stream, the first recorded packet may not be the
 * first sent. */
static void test_front(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	send(&talk, 50, 12);
	send(&talk, 50.1, 10);
	send(&talk, 50.2, 11);
	assert_int_equal(client(&talk)->payload_bytes, 3 * SEGMENT);
	assert_int_equal(side_stream_bytes(client(&talk)), 3 * SEGMENT);
	assert_int_equal(client(&talk)->retransmitted_frames, 0);
	/* Data sent before the capture began. */
	send(&talk, 60, 2);
	assert_int_equal(client(&talk)->payload_bytes, 3 * SEGMENT);
	assert_int_equal(side_stream_bytes(client(&talk)), 3 * SEGMENT);
	assert_int_equal(client(&talk)->retransmitted_frames, 1);
	talk_end(&talk);
}

/* A direction that was not captured is one range, and causes no event. */
static void test_one_direction(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	for (int i = 0; i < 10000; i++)
		SAY(&talk, .ms = 50 + i, .ack = i * 100);
	const struct side *server = talk_side(&talk, 1);
	assert_int_equal(server->gap_bytes, 9999 * 100);
	assert_in_range(server->gaps_open, 1, 3);
	assert_int_equal(server->gaps, 0);
	assert_int_equal(annotator_facts(talk.annotator)->gaps, 0);
	assert_int_equal(talk_connection(&talk)->event_count, 0);
	talk_end(&talk);
}

/* If there are more ranges than can be stored, the oldest are dropped but still
 * counted. */
static void test_many(void **state)
{
	enum { MANY = 3 * RANGES_MAX };
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < MANY; i++) {
		send(&talk, 50 + 2 * i, 2 * i);
		acknowledge(&talk, 51 + 2 * i, 2 * i + 2);
	}
	assert_int_equal(client(&talk)->gap_bytes, (uint64_t)MANY * SEGMENT);
	assert_in_range(client(&talk)->unseen.count, 1, RANGES_MAX);
	assert_int_equal(client(&talk)->gaps, MANY);
	talk_end(&talk);
}

static void send_all(struct talk *talk, double ms, const int *segments)
{
	for (int i = 0; segments[i] >= 0; i++)
		SAY(talk, .ms = ms + i * 0.1, .seq = segments[i] * SEGMENT,
			.length = SEGMENT, .tsval = -1);
}

static void answer(struct talk *talk, double ms, int segments)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = segments * SEGMENT,
		.tsval = -1);
}

/* Late records move no segment between rounds, at the front or at a boundary:
 * a round begins with the data that is missing before its first packet. If that
 * data never comes, it may belong to either round. */
static void test_rounds_late(void **state)
{
	static const int first[] = { 1, 3, 0, 2, -1 };
	static const int second[] = { 6, 5, 4, 9, 8, 7, -1 };
	static const int lost[] = { 6, 5, 9, 8, 7, -1 };

	for (int whole = 0; whole < 2; whole++) {
		struct talk talk;

		talk_start(&talk);
		answer(&talk, 45, 0);
		send_all(&talk, 50, first);
		answer(&talk, 90, 2);
		send_all(&talk, 90.1, whole ? second : lost);
		const struct connection *connection = talk_connection(&talk);
		const struct rounds *rounds = &client(&talk)->rounds;
		struct initial_window window =
			side_initial_window(connection, CLIENT);
		assert_int_equal(rounds->count, 2);
		assert_int_equal(rounds->at[0].segments, 4);
		assert_int_equal(rounds->at[1].segments, 6);
		assert_int_equal(window.segments, 4);
		assert_int_equal(window.state,
			whole ? WINDOW_WHOLE : WINDOW_CUT_BY_LOSS);
		assert_int_equal(side_rounds_basis(connection, CLIENT),
			ROUNDS_ACK_CLOCK);
		assert_int_equal(client(&talk)->reordered, 0);
		talk_end(&talk);
	}
}

/* If packets were recorded late, and data shortly before an acknowledgement,
 * then the acknowledgement may have released that data. */
static void test_rounds_blurred(void **state)
{
	static const int late[] = { 1, 0, 2, 3, -1 };
	static const int orderly[] = { 0, 1, 2, 3, -1 };
	static const int more[] = { 4, 5, -1 };

	for (int kind = 0; kind < 3; kind++) {
		bool blurred = kind == 1;
		struct talk talk;

		talk_start(&talk);
		answer(&talk, 45, 0);
		send_all(&talk, 50, kind ? late : orderly);
		answer(&talk, kind == 2 ? 52 : 50.5, 2);
		send_all(&talk, 90, more);
		const struct connection *connection = talk_connection(&talk);
		struct initial_window window =
			side_initial_window(connection, CLIENT);
		assert_int_equal(window.state,
			blurred ? WINDOW_RECORDED_LATE : WINDOW_WHOLE);
		assert_int_equal(window.segments, blurred ? 0 : 4);
		assert_int_equal(side_rounds_basis(connection, CLIENT),
			blurred ? ROUNDS_ESTIMATED : ROUNDS_ACK_CLOCK);
		talk_end(&talk);
	}
}

/* At the receiver's tap, data of the second flight that is recorded after its
 * acknowledgement is counted to the first: then its size is unknown. */
static void test_far_late(void **state)
{
	for (int late = 0; late < 2; late++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 45, .side = SERVER, .tsval = 299990);
		for (int i = 0; i < 4; i++)
			SAY(&talk, .ms = 85 + i * 0.01, .seq = i * SEGMENT,
				.length = SEGMENT, .tsecr = 299990);
		SAY(&talk, .ms = 86, .side = SERVER, .ack = 4 * SEGMENT,
			.tsval = 300000);
		if (late)
			SAY(&talk, .ms = 126, .side = SERVER,
				.ack = 6 * SEGMENT, .tsval = 300040);
		for (int i = 4; i < 8; i++)
			SAY(&talk, .ms = 126.5 + i * 0.01, .seq = i * SEGMENT,
				.length = SEGMENT, .tsecr = 300000);
		struct initial_window window =
			side_initial_window(talk_connection(&talk), CLIENT);
		assert_int_equal(window.state,
			late ? WINDOW_RECORDED_LATE : WINDOW_WHOLE);
		assert_int_equal(window.segments, late ? 0 : 4);
		talk_end(&talk);
	}
}

/* Data that a server's tap recorded before the third packet is not reordered:
 * that packet shows where the tap is. */
static void test_before_third(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 0.1, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 39.8, .side = SERVER, .seq = 1448, .length = 1448);
	SAY(&talk, .ms = 39.9, .side = SERVER, .length = 1448,
		.tsval = 200038);
	assert_int_equal(talk_side(&talk, SERVER)->reordered, 1);
	SAY(&talk, .ms = 40);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->tap, TAP_SERVER);
	assert_int_equal(connection->side[SERVER].reordered, 0);
	assert_int_equal(connection->side[SERVER].recorded_late, 1);
	assert_int_equal(count_events(connection, EVENT_REORDERED), 0);
	assert_int_equal(count_events(connection, EVENT_RECORDED_LATE), 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ack_first),
		cmocka_unit_test(test_time_order),
		cmocka_unit_test(test_lost_by_capture),
		cmocka_unit_test(test_too_late),
		cmocka_unit_test(test_answer_first),
		cmocka_unit_test(test_part_of_round_trip),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_filled),
		cmocka_unit_test(test_fin_first),
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_rounds_late),
		cmocka_unit_test(test_rounds_blurred),
		cmocka_unit_test(test_far_late),
		cmocka_unit_test(test_before_third),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
