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
		cmocka_unit_test(test_third_missing),
		cmocka_unit_test(test_third_fast_open),
		cmocka_unit_test(test_clock_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
