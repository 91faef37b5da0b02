/* Captures without the beginning of a connection, or without a round trip. */
#include "talk.h"

enum { SEGMENT = 1448 };

/* In mid-stream the round trip is unknown: data that is late may have been sent
 * again if three duplicate ACKs asked for it, or if it repairs a second loss of
 * one recovery. Three packets that overtook it look the same. */
static void test_mid_stream(void **state)
{
	for (int again = 0; again < 2; again++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		talk.flow.timestamps = false;
		for (int i = 0; i < 3; i++) {
			SAY(&talk, .ms = 50 * i, .seq = i * 1448,
				.length = 1448);
			SAY(&talk, .ms = 50 * i + 0.1, .side = SERVER,
				.ack = (i + 1) * 1448);
		}
		SAY(&talk, .ms = 200, .seq = 4 * 1448, .length = 1448);
		for (int i = 0; again && i < 3; i++)
			SAY(&talk, .ms = 200.1 + i, .side = SERVER,
				.ack = 3 * 1448);
		SAY(&talk, .ms = 205, .seq = 3 * 1448, .length = 1448,
			.ip_id = 40000);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->reordered, !again);
		assert_int_equal(side->unclear, again);
		assert_int_equal(side->retransmitted_frames, 0);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_UNCLEAR),
			again);
		talk_end(&talk);
	}
}

static void test_mid_stream_second(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	for (int i = 0; i < 10; i++)
		if (i != 3 && i != 6)
			SAY(&talk, .ms = 50 + i * 0.1, .seq = i * 1448,
				.length = 1448);
	for (int i = 0; i < 5; i++)
		SAY(&talk, .ms = 51 + i * 0.1, .side = SERVER, .ack = 3 * 1448);
	SAY(&talk, .ms = 91, .seq = 3 * 1448, .length = 1448);
	SAY(&talk, .ms = 91.1, .side = SERVER, .ack = 6 * 1448);
	SAY(&talk, .ms = 131, .seq = 6 * 1448, .length = 1448);
	assert_int_equal(talk_side(&talk, CLIENT)->reordered, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->unclear, 2);
	talk_end(&talk);
}

/* Three times, a packet is overtaken by nine others with its timestamp. */
static void overtake(struct talk *talk, int ms)
{
	for (int k = 0; k < 3; k++, ms += 40) {
		int tsval = 100000 + ms;

		for (int i = 1; i < 10; i++)
			SAY(talk, .ms = ms + i * 0.1,
				.seq = (10 * k + i) * SEGMENT,
				.length = SEGMENT, .tsval = tsval, .ip_id = 7);
		for (int i = 0; i < 5; i++)
			SAY(talk, .ms = ms + 1 + i * 0.1, .side = SERVER,
				.ack = 10 * k * SEGMENT);
		SAY(talk, .ms = ms + 5, .seq = 10 * k * SEGMENT,
			.length = SEGMENT, .tsval = tsval, .ip_id = 7);
		SAY(talk, .ms = ms + 5.1, .side = SERVER,
			.ack = (10 * k + 10) * SEGMENT);
	}
}

/* The round trip is unknown: the capture begins in mid-stream, or recorded the
 * SYN/ACK after its acknowledgement. Data with the timestamp of what overtook
 * it was sent in the same tick, so three duplicate ACKs do not make it a
 * retransmission. Before the tick is measured, they leave it open. */
static void test_overtaken(void **state)
{
	for (int i = 0; i < 4; i++) {
		bool opened = i & 1, measured = i & 2;
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		if (opened) {
			SAY(&talk, .flags = TCP_SYN, .seq = -1);
			SAY(&talk, .ms = 40.1);
			SAY(&talk, .ms = 40.2, .side = SERVER, .seq = -1,
				.flags = TCP_SYN | TCP_ACK);
		} else {
			SAY(&talk, .ms = 40, .seq = -100, .length = 100);
		}
		overtake(&talk, measured ? 250 : 50);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->retransmitted_frames, 0);
		assert_int_equal(side->reordered + side->unclear, 3);
		assert_int_equal(side->unclear > 0, !measured);
		talk_end(&talk);
	}
}

/* The first captured segment has overtaken others, or they are repeats. Without
 * a newer timestamp it is known at the sender's tap only. */
static void test_overtaken_by_the_first(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_SERVER; tap++) {
		struct talk talk;

		talk_begin(&talk, (enum tap)tap);
		for (int i = 10; i < 20; i++)
			SAY(&talk, .ms = 50 + i * 0.1, .seq = i * SEGMENT,
				.length = SEGMENT, .tsval = 100050);
		for (int i = 0; i < 4; i++)
			SAY(&talk, .ms = 53, .side = SERVER,
				.ack = 7 * SEGMENT);
		SAY(&talk, .ms = 54, .seq = 7 * SEGMENT, .length = SEGMENT,
			.tsval = 100050);
		const struct side *side = talk_side(&talk, CLIENT);
		bool near = tap == TAP_CLIENT;
		assert_int_equal(side->retransmitted_frames, near);
		assert_int_equal(side->unclear, !near);
		talk_end(&talk);
	}
}

/* The capture begins while data is acknowledged that was sent before it. At the
 * first packet of the data's sender, that is neither lost nor in the stream;
 * what is acknowledged afterwards, and not captured, is lost. */
static void test_before_capture(void **state)
{
	for (int pure = 0; pure < 2; pure++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		for (int i = 2; i < 8; i++)
			SAY(&talk, .ms = 50 + i, .ack = i * SEGMENT);
		const struct side *server = talk_side(&talk, SERVER);
		assert_int_equal(server->gap_bytes, 5 * SEGMENT);
		for (int i = 10 - pure; i < 13; i++)
			SAY(&talk, .ms = 60 + i, .side = SERVER,
				.seq = (i < 10 ? 10 : i) * SEGMENT,
				.length = i < 10 ? 0 : SEGMENT);
		SAY(&talk, .ms = 110, .ack = 13 * SEGMENT);
		assert_int_equal(server->payload_bytes, 3 * SEGMENT);
		assert_int_equal(side_stream_bytes(server), 3 * SEGMENT);
		assert_int_equal(server->gap_bytes, 0);
		assert_int_equal(server->gaps_open, 0);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_CAPTURE_GAP),
			0);
		SAY(&talk, .ms = 120, .ack = 15 * SEGMENT);
		SAY(&talk, .ms = 130, .side = SERVER, .seq = 15 * SEGMENT,
			.length = SEGMENT);
		assert_int_equal(server->gap_bytes, 2 * SEGMENT);
		assert_int_equal(server->payload_bytes, 4 * SEGMENT);
		assert_int_equal(side_stream_bytes(server), 6 * SEGMENT);
		talk_end(&talk);
	}
}

/* An acknowledgement of the server is recorded before the client's data and
 * SYN: it is no sight of the data, which was sent once. */
static void test_ack_before_syn(void **state)
{
	enum { ANSWER, ACK, SYN, SYNACK, DATA, PACKETS };
	static const struct segment packets[PACKETS] = {
		[ANSWER] = { .side = SERVER, .length = SEGMENT, .ack = 100 },
		[ACK] = { .seq = 0 },
		[SYN] = { .flags = TCP_SYN, .seq = -1 },
		[SYNACK] = { .side = SERVER, .seq = -1,
			.flags = TCP_SYN | TCP_ACK },
		[DATA] = { .length = 100 },
	};
	static const int orders[][PACKETS] = {
		{ ANSWER, ACK, SYN, SYNACK, DATA },
		{ ANSWER, SYNACK, SYN, ACK, DATA },
		{ ANSWER, SYNACK, DATA, SYN, ACK },
		{ ANSWER, DATA, SYNACK, ACK, SYN },
	};

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		talk.flow.timestamps = false;
		for (int k = 0; k < PACKETS; k++) {
			struct segment packet = packets[orders[i][k]];

			packet.ms = 50 + 0.01 * k;
			talk_add(&talk, packet);
		}
		SAY(&talk, .ms = 90, .seq = 100, .ack = SEGMENT);
		const struct connection *connection = talk_connection(&talk);
		const struct side *client = &connection->side[1];
		assert_int_equal(annotator_count(talk.annotator), 1);
		assert_int_equal(connection->client, 1);
		assert_int_equal(client->payload_bytes, 100);
		assert_int_equal(side_stream_bytes(client), 100);
		assert_int_equal(client->retransmitted_frames, 0);
		assert_int_equal(client->recorded_late, 1);
		assert_int_equal(client->gap_bytes, 0);
		assert_int_equal(client->gaps_open, 0);
		talk_end(&talk);
	}
}

/* A keep-alive is the only packet of a side. */
static void test_only_keepalive(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .ms = 50, .ack = SEGMENT);
	SAY(&talk, .ms = 1000, .side = SERVER, .seq = SEGMENT - 1);
	assert_int_equal(side_stream_bytes(talk_side(&talk, SERVER)), 0);
	assert_int_equal(talk_side(&talk, SERVER)->keepalives, 1);
	talk_end(&talk);
}

/* An acknowledgement far beyond the window that was offered, before data that a
 * later one acknowledges: a receiver acknowledged what was never sent. Nothing
 * follows from it, whatever comes next. */
static void test_unsent_acknowledged(void **state)
{
	for (int stamped = 0; stamped < 2; stamped++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 100);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 100);
		SAY(&talk, .ms = 130, .side = SERVER, .ack = 3000000,
			.tsval = stamped ? 300130 : 0);
		const struct side *client = talk_side(&talk, CLIENT);
		assert_int_equal(client->gap_bytes, 0);
		SAY(&talk, .ms = 230, .seq = 100, .length = 100);
		SAY(&talk, .ms = 270, .side = SERVER, .ack = 200,
			.tsval = stamped ? 300270 : 0);
		SAY(&talk, .ms = 330, .seq = 200, .flags = TCP_FIN | TCP_ACK);
		SAY(&talk, .ms = 370, .side = SERVER, .ack = 201);
		assert_int_equal(client->payload_bytes, 200);
		assert_int_equal(side_stream_bytes(client), 200);
		assert_int_equal(client->retransmitted_frames, 0);
		assert_int_equal(client->unclear, 0);
		assert_int_equal(client->gaps, 0);
		assert_int_equal(client->acked - client->first, 201);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_UNSENT_ACKED),
			1);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_CAPTURE_GAP),
			0);
		talk_end(&talk);
	}
}

/* The capture lost a stretch of data and acknowledgements: the second
 * acknowledgement confirms the first, but an older one that comes later does
 * not refute it. */
static void test_stretch_lost(void **state)
{
	for (int older = 0; older < 2; older++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 100);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 100);
		SAY(&talk, .ms = 1130, .side = SERVER, .ack = 3000000,
			.tsval = 201130);
		if (older)
			SAY(&talk, .ms = 1140, .side = SERVER, .ack = 200000,
				.tsval = 201090);
		SAY(&talk, .ms = 1150, .side = SERVER, .ack = 3000000,
			.tsval = 201150);
		assert_int_equal(talk_side(&talk, CLIENT)->gap_bytes, 2999900);
		SAY(&talk, .ms = 1200, .seq = 3000000, .length = 100);
		assert_int_equal(talk_side(&talk, CLIENT)->payload_bytes, 200);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_UNSENT_ACKED),
			0);
		assert_int_equal(count_events(talk_connection(&talk),
					 EVENT_CAPTURE_GAP),
			1);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mid_stream),
		cmocka_unit_test(test_mid_stream_second),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_overtaken_by_the_first),
		cmocka_unit_test(test_before_capture),
		cmocka_unit_test(test_ack_before_syn),
		cmocka_unit_test(test_only_keepalive),
		cmocka_unit_test(test_unsent_acknowledged),
		cmocka_unit_test(test_stretch_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
