/* Packets without IP identification that come again at once: captured twice,
 * sent again, or the next acknowledgement. The clock of their timestamps does
 * not tick between them. */
#include "talk.h"

enum { MSS = 1428, SENT = 10, STAMP = 100050, NO_IP_ID = 1 << 16 };

/* Without identification: of IPv6, or 0 in IPv4. */
static void begin(struct talk *talk, bool six)
{
	talk_begin(talk, TAP_UNKNOWN);
	talk->flow.six = six;
	talk_open(talk, 0.02);
}

static void say_data(struct talk *talk, double ms, int i)
{
	SAY(talk, .ms = ms, .seq = i * MSS, .length = MSS, .tsval = STAMP,
		.tsecr = STAMP, .ip_id = NO_IP_ID);
}

static void say_ack(struct talk *talk, double ms, int i)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = i * MSS, .tsval = STAMP,
		.tsecr = STAMP, .ip_id = NO_IP_ID);
}

/* On a path of 20 us SACK requests the first segment, which follows 35 us after
 * its original. */
static void test_fast(void **state)
{
	for (int six = 0; six < 2; six++) {
		struct talk talk;

		begin(&talk, six);
		for (int i = 0; i < 5; i++)
			say_data(&talk, 1 + i * 0.001, i);
		for (int i = 2; i <= 5; i++)
			SAY(&talk, .ms = 1.025 + i * 0.001, .side = SERVER,
				.sacks = 1, .sack = { { MSS, i * MSS } },
				.tsval = STAMP, .tsecr = STAMP,
				.ip_id = NO_IP_ID);
		say_data(&talk, 1.035, 0);
		assert_int_equal(talk.last.marks, MARK_RETRANSMISSION);
		assert_int_equal(talk.last.why, RETRANSMIT_FAST);
		assert_int_equal(talk_connection(&talk)->duplicates, 0);
		assert_int_equal(
			talk_side(&talk, CLIENT)->retransmitted_segments, 1);
		talk_end(&talk);
	}
}

/* A burst is lost as a whole, longer than any run that would show a capture of
 * packets twice, and sent again within 50 us. */
static void test_burst(void **state)
{
	enum { BURST = 40 };
	struct talk talk;

	begin(&talk, true);
	for (int i = 0; i < SENT; i++) {
		say_data(&talk, 1 + i, i);
		say_ack(&talk, 1.02 + i, i + 1);
	}
	for (int i = 0; i <= BURST; i++)
		say_data(&talk, 20 + i * 0.0001, SENT + i);
	SAY(&talk, .ms = 20.02, .side = SERVER, .ack = SENT * MSS, .sacks = 1,
		.sack = { { (SENT + BURST) * MSS, (SENT + BURST + 1) * MSS } },
		.tsval = STAMP, .tsecr = STAMP, .ip_id = NO_IP_ID);
	for (int i = 0; i < BURST; i++)
		say_data(&talk, 20.03 + i * 0.0001, SENT + i);
	assert_int_equal(talk_connection(&talk)->duplicates, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments,
		BURST);
	talk_end(&talk);
}

/* The first of many segments is lost. Without SACK, its requests are equal, 3
 * us apart, and soon outnumber everything that the server sent before. */
static void test_requests(void **state)
{
	enum { FLIGHT = 100 };

	for (int six = 0; six < 2; six++) {
		struct talk talk;

		begin(&talk, six);
		say_data(&talk, 1, 0);
		say_ack(&talk, 1.02, 1);
		for (int i = 1; i <= FLIGHT; i++)
			say_data(&talk, 2 + i * 0.001, i);
		for (int i = 1; i < FLIGHT; i++)
			say_ack(&talk, 2.12 + i * 0.003, 1);
		assert_int_equal(talk_connection(&talk)->duplicates, 0);
		assert_int_equal(talk_side(&talk, SERVER)->duplicate_acks,
			FLIGHT - 1);
		talk_end(&talk);
	}
}

/* Each packet is captured twice, 2 us apart, also the requests for a segment
 * and the segment, which is sent again. The second records of a burst follow
 * the first ones of all of it if `late`. */
static void check_double(bool opened, bool late)
{
	struct talk talk;
	int total = 0;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.six = true;
	for (int i = 0; i < 4 && opened; i++, total++)
		SAY(&talk, .ms = i / 2 * 0.02 + i % 2 * 0.002, .side = i / 2,
			.seq = -1, .mss = 1460,
			.flags = i / 2 ? TCP_SYN | TCP_ACK : TCP_SYN,
			.tsval = STAMP);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 2 * SENT; i++, total++)
			say_data(&talk, 1 + round + i * 0.001,
				round * SENT + (late ? i % SENT : i / 2));
		for (int i = 0; i < 2 * SENT; i++, total++)
			say_ack(&talk, 1.03 + round + i * 0.001,
				round * SENT + i / 2 + 1);
	}
	int next = 20 * SENT;
	for (int i = 0; i < 2 * SENT; i++, total++)
		say_data(&talk, 30 + i * 0.001, next + i / 2);
	for (int i = 0; i < 2 * 4; i++, total++)
		say_ack(&talk, 30.03 + i * 0.003, next);
	for (int i = 0; i < 2; i++, total++)
		say_data(&talk, 30.1 + i * 0.002, next);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->duplicates, total / 2);
	assert_int_equal(connection->side[0].retransmitted_segments, 1);
	assert_int_equal(connection->side[1].duplicate_acks, 4);
	talk_end(&talk);
}

static void test_double(void **state)
{
	for (int way = 0; way < 4; way++)
		check_double(way & 1, way & 2);
}

/* Without timestamps data comes again after 20 ms, at the receiver. A new
 * identification shows that it was sent again; with the same one, the network
 * may have copied it, unless it is the oldest data after the silence of a
 * timer: some systems keep the identification. */
static void test_named(void **state)
{
	for (int again = 0; again < 2; again++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = MSS, .ip_id = 7);
		SAY(&talk, .ms = 50.1, .side = SERVER, .ack = MSS);
		for (int i = 1; i < 100; i++)
			SAY(&talk, .ms = 51, .seq = i * MSS, .length = MSS,
				.ip_id = 10 + i);
		SAY(&talk, .ms = 70, .length = MSS, .ip_id = 7 + again);
		SAY(&talk, .ms = 400, .seq = MSS, .length = MSS, .ip_id = 11);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->retransmitted_frames, again + 1);
		assert_int_equal(side->unclear, !again);
		assert_int_equal(side->payload_bytes, 100 * MSS);
		talk_end(&talk);
	}
}

/* The receiver had a segment twice that its sender sent once. The network makes
 * copies then, also of a repeat, whose DSACK proves no longer that it was
 * needless. */
static void test_copied(void **state)
{
	for (int copied = 0; copied < 2; copied++) {
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		SAY(&talk, .ms = 41, .length = MSS);
		SAY(&talk, .ms = 81, .side = SERVER, .ack = MSS);
		if (copied)
			SAY(&talk, .ms = 82, .side = SERVER, .ack = MSS,
				.sacks = 1, .sack = { { 0, MSS } });
		for (int i = 1; i < 5; i++)
			SAY(&talk, .ms = 83, .seq = i * MSS, .length = MSS);
		SAY(&talk, .ms = 383, .seq = MSS, .length = MSS);
		SAY(&talk, .ms = 424, .side = SERVER, .ack = 5 * MSS);
		SAY(&talk, .ms = 425, .side = SERVER, .ack = 5 * MSS,
			.sacks = 1, .sack = { { MSS, 2 * MSS } });
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->retransmitted_frames, 1);
		assert_int_equal(side->rounds.reduction.disproved, !copied);
		talk_end(&talk);
	}
}

/* A capture of packets twice begins between the two records of a packet, in an
 * open connection: until enough of them came twice, those that do may have been
 * sent again. */
static void test_between(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.six = true;
	for (int i = 0; i < 40; i++)
		for (int k = !i; k < 2; k++)
			say_data(&talk, 1 + i + k * 0.01, i);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->retransmitted_frames, 0);
	assert_in_range(side->unclear, 1, DOUBLES_ENOUGH);
	assert_int_equal(talk_connection(&talk)->duplicates,
		39 - side->unclear);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fast),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_double),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
