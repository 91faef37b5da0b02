/* Captures without the beginning of a connection, or without a round trip. */
#include "talk.h"

/* In mid-stream the round trip is unknown: data that is late was only sent
 * again if three duplicate ACKs asked for it, or if it repairs a second loss of
 * one recovery. */
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
		assert_int_equal(talk_side(&talk, CLIENT)->reordered, !again);
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
	assert_int_equal(talk.last.why, RETRANSMIT_RECOVERY);
	assert_int_equal(talk_side(&talk, CLIENT)->reordered, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_frames, 2);
	talk_end(&talk);
}

/* The round trip is unknown: the capture begins in mid-stream, or recorded the
 * SYN/ACK after its acknowledgement. Data with the timestamp of what overtook
 * it was sent in the same tick, so three duplicate ACKs do not make it a
 * retransmission. */
static void test_overtaken(void **state)
{
	for (int opened = 0; opened < 2; opened++) {
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
		for (int k = 0; k < 3; k++) {
			for (int i = 1; i < 10; i++)
				SAY(&talk, .ms = 50 + 40 * k + i * 0.1,
					.seq = (10 * k + i) * 1448,
					.length = 1448,
					.tsval = 100050 + 40 * k);
			for (int i = 0; i < 5; i++)
				SAY(&talk, .ms = 51 + 40 * k + i * 0.1,
					.side = SERVER,
					.ack = 10 * k * 1448);
			SAY(&talk, .ms = 55 + 40 * k, .seq = 10 * k * 1448,
				.length = 1448, .tsval = 100050 + 40 * k);
			SAY(&talk, .ms = 55.1 + 40 * k, .side = SERVER,
				.ack = (10 * k + 10) * 1448);
		}
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->retransmitted_frames, 0);
		assert_int_equal(side->reordered, 3);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mid_stream),
		cmocka_unit_test(test_mid_stream_second),
		cmocka_unit_test(test_overtaken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
