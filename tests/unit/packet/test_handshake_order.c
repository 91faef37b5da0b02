/* Handshakes of which a packet is missing, or recorded in another order. */
#include "talk.h"

/* An answer captured before its question: no leg is negative, and roles follow
 * from the SYN. */
static void test_reordered(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .side = SERVER, .flags = TCP_SYN | TCP_ACK, .seq = -1);
	SAY(&talk, .ms = 0.2, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 0.3);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(annotator_count(talk.annotator), 1);
	assert_int_equal(connection->role, ROLE_SYN);
	assert_int_equal(connection->client, 1);
	assert_int_equal(connection->handshake.a.state, LEG_OUT_OF_ORDER);
	assert_int_equal(connection->handshake.a.took_ns, UNKNOWN_NS);
	assert_int_equal(connection->handshake.b.took_ns, 300000);
	assert_int_equal(connection->handshake.path_ns, UNKNOWN_NS);
	talk_end(&talk);
}

static void say_synack(struct talk *talk, double ms, int64_t ack)
{
	SAY(talk, .ms = ms, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1, .ack = ack);
}

/* The SYN/ACK recorded after its acknowledgement: its time is wrong, so both
 * legs are unknown, and the place of the capture. */
static void test_synack_late(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 40);
	SAY(&talk, .ms = 40.3, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 40.5, .length = 200);
	const struct connection *connection = talk_connection(&talk);
	const struct handshake *handshake = &connection->handshake;
	assert_true(handshake->complete);
	assert_int_equal(handshake->ack_number, 2);
	assert_int_equal(handshake->a.state, LEG_OUT_OF_ORDER);
	assert_int_equal(handshake->b.state, LEG_OUT_OF_ORDER);
	assert_int_equal(handshake->path_ns, UNKNOWN_NS);
	assert_int_equal(connection->tap, TAP_UNKNOWN);
	talk_end(&talk);
}

/* The server's data, the second segment first, and perhaps its acknowledgement
 * are recorded before the SYN/ACK. That acknowledges the connection's own SYN,
 * so it does not use the port again. */
static void test_synack_after_data(void **state)
{
	for (int kind = 0; kind < 4; kind++) {
		bool acked = kind & 1, third = kind & 2;
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		if (third)
			SAY(&talk, .ms = 40);
		SAY(&talk, .ms = 40.1, .side = SERVER, .seq = 1000,
			.length = 1000);
		if (acked)
			SAY(&talk, .ms = 40.2, .ack = 2000);
		say_synack(&talk, 40.3, 0);
		SAY(&talk, .ms = 40.4, .side = SERVER, .length = 1000);
		SAY(&talk, .ms = 80, .ack = 2000);
		SAY(&talk, .ms = 90, .ack = 2000);
		const struct connection *connection = talk_connection(&talk);
		const struct side *server = &connection->side[SERVER];
		assert_int_equal(annotator_count(talk.annotator), 1);
		assert_int_equal(connection->handshake.synack.count, 1);
		assert_int_equal(side_stream_bytes(server), 2000);
		assert_int_equal(server->payload_bytes, 2000);
		assert_int_equal(server->gap_bytes, 0);
		assert_int_equal(server->gaps_open, 0);
		assert_int_equal(server->retransmitted_frames, 0);
		assert_int_equal(server->unclear, 0);
		assert_int_equal(count_events(connection, EVENT_CAPTURE_GAP),
			0);
		talk_end(&talk);
	}
}

/* A SYN/ACK after data from elsewhere in the sequence numbers, or for another
 * SYN, begins another connection. */
static void test_synack_of_another(void **state)
{
	for (int other = 0; other < 2; other++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 40, .side = SERVER,
			.seq = other ? 1000 : 70000, .length = 1000);
		say_synack(&talk, 40.3, other ? 5000 : 0);
		assert_int_equal(annotator_count(talk.annotator), 2);
		talk_end(&talk);
	}
}

/* A connection of 0.3 ms, recorded by several queues: its SYN follows a packet
 * of the client or of the server, or the client's FIN. */
static void test_syn_after_data(void **state)
{
	for (int first = 0; first < 3; first++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		if (first == 0)
			SAY(&talk, .ms = 0.1, .length = 200);
		else if (first == 1)
			SAY(&talk, .ms = 0.2, .side = SERVER, .ack = 200);
		else
			SAY(&talk, .ms = 0.3, .seq = 200, .ack = 1000,
				.flags = TCP_FIN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		if (first > 0)
			SAY(&talk, .ms = 0.1, .length = 200);
		SAY(&talk, .ms = 0.22, .side = SERVER, .seq = 500,
			.length = 500, .ack = 200);
		say_synack(&talk, 0.05, 0);
		SAY(&talk, .ms = 0.21, .side = SERVER, .length = 500,
			.ack = 200);
		SAY(&talk, .ms = 0.31, .seq = 200, .ack = 1000);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(annotator_count(talk.annotator), 1);
		assert_int_equal(connection->role, ROLE_SYN);
		assert_int_equal(connection->end[connection->client].port,
			40000);
		assert_int_equal(connection->handshake.syn.count, 1);
		for (int i = 0; i < 2; i++) {
			const struct side *side = &connection->side[i];

			assert_int_equal(side->payload_bytes,
				i == connection->client ? 200 : 1000);
			assert_int_equal(side_stream_bytes(side),
				side->payload_bytes);
			assert_int_equal(side->gap_bytes, 0);
			assert_int_equal(side->retransmitted_frames, 0);
			assert_int_equal(side->unclear, 0);
		}
		talk_end(&talk);
	}
}

/* A SYN behind packets that are older than a recorder's delay, or from
 * elsewhere in the sequence numbers, begins another connection. */
static void test_syn_of_another(void **state)
{
	static const struct {
		double ms;
		int64_t seq;
	} cases[] = { { 0, 1000 }, { 2, 1000 }, { 0.5, 70000 }, { 0.5, -2 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .seq = cases[i].seq, .length = 200);
		SAY(&talk, .ms = 0.1, .seq = cases[i].seq + 200,
			.flags = TCP_RST);
		SAY(&talk, .ms = cases[i].ms, .flags = TCP_SYN, .seq = -1);
		assert_int_equal(annotator_count(talk.annotator), i ? 2 : 1);
		talk_end(&talk);
	}
}

/* The third packet was not captured. A later one of the client, after its first
 * data or with the acknowledgement of the server's, is not taken for it. */
static void test_third_missing(void **state)
{
	static const struct {
		int64_t seq, ack;
		bool third;
	} cases[] = {
		{ 0, 0, true },
		{ 100, 0, false },
		{ 0, 1448, false },
		{ 100, 1448, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int late = 0; late < 2; late++) {
			struct talk talk;

			talk_begin(&talk, TAP_UNKNOWN);
			SAY(&talk, .flags = TCP_SYN, .seq = -1);
			if (!late)
				say_synack(&talk, 0.1, 0);
			SAY(&talk, .ms = 80, .seq = cases[i].seq,
				.ack = cases[i].ack);
			if (late)
				say_synack(&talk, 80.1, 0);
			const struct connection *connection =
				talk_connection(&talk);
			const struct leg *leg = &connection->handshake.b;
			assert_int_equal(leg->state,
				!cases[i].third ? LEG_UNSEEN :
					late    ? LEG_OUT_OF_ORDER :
						  LEG_KNOWN);
			assert_int_equal(connection->tap,
				cases[i].third && !late ? TAP_SERVER :
							  TAP_UNKNOWN);
			talk_end(&talk);
		}
}

/* Data overtakes the third packet: it answers the SYN/ACK first. */
static void test_third_overtaken(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	say_synack(&talk, 0.1, 0);
	SAY(&talk, .ms = 20.1, .seq = 1448, .length = 1448);
	const struct handshake *handshake =
		&talk_connection(&talk)->handshake;
	assert_int_equal(handshake->b.state, LEG_UNSEEN);
	SAY(&talk, .ms = 35.1);
	assert_int_equal(handshake->b.took_ns, 20000000);
	assert_int_equal(handshake->ack_number, 3);
	assert_int_equal(handshake->path_ns, 20100000);
	talk_end(&talk);
}

/* The third packet was lost, and data came long after. The answer to the
 * repeated SYN/ACK does not make it an answer to the first. */
static void test_third_repeated(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.timestamps = false;
	SAY(&talk, .flags = TCP_SYN, .seq = -1);
	say_synack(&talk, 0.1, 0);
	SAY(&talk, .ms = 800, .seq = 1448, .length = 1448);
	say_synack(&talk, 1000, 0);
	SAY(&talk, .ms = 1030);
	const struct handshake *handshake =
		&talk_connection(&talk)->handshake;
	assert_int_equal(handshake->ack_number, 5);
	assert_int_equal(handshake->b.state, LEG_AMBIGUOUS);
	assert_int_equal(handshake_path_ns(handshake), UNKNOWN_NS);
	talk_end(&talk);
}

/* The SYN/ACK acknowledges data of the SYN, or only the SYN. */
static void test_third_fast_open(void **state)
{
	for (int64_t accepted = 0; accepted < 20; accepted += 10) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		SAY(&talk, .flags = TCP_SYN, .seq = -1, .length = 10);
		say_synack(&talk, 40, accepted);
		SAY(&talk, .ms = 40.1, .seq = accepted);
		assert_int_equal(talk_connection(&talk)->handshake.b.state,
			LEG_KNOWN);
		talk_end(&talk);
	}
}

/* Clocks of two processors: a step back counts as no elapsed time, and is
 * counted. Times are since the earliest packet, so that none is negative. */
static void test_clock_back(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	SAY(&talk, .ms = 10, .flags = TCP_SYN, .seq = -1);
	SAY(&talk, .ms = 9.99, .side = SERVER, .flags = TCP_SYN | TCP_ACK,
		.seq = -1);
	SAY(&talk, .ms = 10.1);
	assert_int_equal(talk_connection(&talk)->handshake.a.took_ns, 0);
	assert_int_equal(talk_connection(&talk)->last_ns -
			talk_connection(&talk)->first_ns,
		110000);
	assert_int_equal(annotator_facts(talk.annotator)->stamps_backwards, 1);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reordered),
		cmocka_unit_test(test_synack_late),
		cmocka_unit_test(test_synack_after_data),
		cmocka_unit_test(test_synack_of_another),
		cmocka_unit_test(test_syn_after_data),
		cmocka_unit_test(test_syn_of_another),
		cmocka_unit_test(test_third_missing),
		cmocka_unit_test(test_third_overtaken),
		cmocka_unit_test(test_third_repeated),
		cmocka_unit_test(test_third_fast_open),
		cmocka_unit_test(test_clock_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
