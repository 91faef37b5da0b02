/* Repeats of data, and originals that come after them. */
#include "talk.h"

enum { SEGMENT = 1448, SENT = 10, MISSING = 4 };

static void say_acked(struct talk *talk, double ms, int64_t acked, int64_t from,
	int64_t to)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = acked * SEGMENT,
		.sacks = to > from,
		.sack = { { from * SEGMENT, to * SEGMENT } });
}

/* Ten segments, of which `missing` does not pass. Identifications count nothing
 * here. */
static void say_flight(struct talk *talk, int missing)
{
	for (int i = 0; i < SENT; i++)
		if (i != missing)
			SAY(talk, .ms = 50 + i * 0.1, .seq = i * SEGMENT,
				.length = SEGMENT, .tsval = 100050, .ip_id = 7);
}

/* At `tap`, the receiver requests the missing segment, and its repeat comes. If
 * it is recorded late, its acknowledgement is before it. */
static void begin_repaired(struct talk *talk, enum tap tap, bool timestamps,
	bool late)
{
	talk_begin(talk, tap);
	talk->flow.timestamps = timestamps;
	talk_open(talk, 40);
	say_flight(talk, MISSING);
	for (int i = 0; i < 5; i++)
		say_acked(talk, 51 + i * 0.1, MISSING, MISSING + 1,
			MISSING + 2 + i);
	if (late)
		say_acked(talk, 95.1, SENT, 0, 0);
	SAY(talk, .ms = late ? 95.3 : 95, .seq = MISSING * SEGMENT,
		.length = SEGMENT, .tsval = 100095, .ip_id = 7);
	assert_int_equal(talk->last.marks, MARK_RETRANSMISSION);
	assert_int_equal(talk->last.why, RETRANSMIT_FAST);
	if (!late)
		say_acked(talk, 95.1, SENT, 0, 0);
}

static void say_missing(struct talk *talk, double ms, int tsval)
{
	SAY(talk, .ms = ms, .seq = MISSING * SEGMENT, .length = SEGMENT,
		.tsval = tsval, .ip_id = 1000 + (int)(10 * ms));
}

static void assert_counts(const struct talk *talk, uint64_t again,
	uint64_t reordered, uint64_t unclear)
{
	const struct side *side = talk_side(talk, CLIENT);

	assert_int_equal(side->retransmitted_segments, again);
	assert_int_equal(side->retransmitted_bytes, again * SEGMENT);
	assert_int_equal(side->reordered + side->recorded_late, reordered);
	assert_int_equal(side->unclear, unclear);
	assert_int_equal(side->payload_bytes, SENT * SEGMENT);
}

/* A packet with an older timestamp than the repeat is the original, whatever
 * passed between them: nothing was lost. A newer one was sent again. There is
 * one original. */
static void test_original(void **state)
{
	for (int tap = TAP_CLIENT; tap <= TAP_MIDDLE; tap++)
		for (int kind = 0; kind < 4; kind++) {
			bool twice = kind & 1;
			struct talk talk;

			begin_repaired(&talk, (enum tap)tap, true, kind & 2);
			if (twice)
				say_missing(&talk, 140, 100140);
			assert_counts(&talk, 1 + twice, 0, 0);
			say_missing(&talk, 550, 100050);
			assert_int_equal(talk.last.marks,
				tap == TAP_CLIENT ? MARK_RECORDED_LATE :
						    MARK_REORDERED);
			const struct rounds *rounds =
				&talk_side(&talk, CLIENT)->rounds;
			assert_false(rounds->exit.certain);
			assert_false(rounds->at[0].reduced);
			say_acked(&talk, 550.1, SENT, MISSING, MISSING + 1);
			assert_true(talk.last.marks & MARK_DSACK);
			assert_counts(&talk, 1 + twice, 1, 0);
			say_missing(&talk, 600, 100050);
			assert_counts(&talk, 2 + twice, 1, 0);
			talk_end(&talk);
		}
}

/* On a path of 0.65 ms the receiver reports a hole, and the data comes within
 * the time of a late recorder. Away from the sender it may be the repair, if a
 * round trip could have passed. */
static void test_short_path(void **state)
{
	static const struct {
		double waited_ms;
		enum tap tap;
		int requests;
		bool opened, stamped, reordered, again;
	} cases[] = {
		{ 0.65, TAP_SERVER, 5, true, false, false, false },
		{ 0.65, TAP_SERVER, 5, true, true, false, false },
		{ 0.65, TAP_SERVER, 5, false, false, false, false },
		{ 0.65, TAP_SERVER, 0, true, false, true, false },
		{ 0.2, TAP_SERVER, 5, true, false, true, false },
		{ 0.65, TAP_CLIENT, 5, true, false, true, false },
		{ 3, TAP_SERVER, 5, true, false, false, false },
		{ 3, TAP_CLIENT, 5, true, false, false, true },
		{ 250, TAP_SERVER, 5, true, false, false, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, cases[i].tap);
		talk.flow.timestamps = cases[i].stamped;
		if (cases[i].opened)
			talk_open(&talk, 0.6);
		for (int k = 0; k < SENT; k++)
			if (k != MISSING)
				SAY(&talk, .ms = 50 + k * 0.001,
					.seq = k * SEGMENT, .length = SEGMENT,
					.tsval = 100050, .ip_id = 7);
		for (int k = 0; k < cases[i].requests; k++)
			say_acked(&talk, 50.01 + k * 0.001, MISSING,
				MISSING + 1, MISSING + 2 + k);
		say_missing(&talk, 50.005 + cases[i].waited_ms, 100050);
		assert_counts(&talk, cases[i].again, cases[i].reordered,
			!cases[i].reordered && !cases[i].again);
		talk_end(&talk);
	}
}

/* Half of the original was repeated, and passed the tap, before. */
static void test_part(void **state)
{
	struct talk talk;

	begin_repaired(&talk, TAP_SERVER, true, false);
	SAY(&talk, .ms = 550, .seq = (MISSING - 1) * SEGMENT,
		.length = 2 * SEGMENT, .tsval = 100050);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	assert_counts(&talk, 2, 0, 0);
	talk_end(&talk);
}

/* Without timestamps, the second copy is the original or another repeat. The
 * third one is a repeat. No network is before the sender's tap. */
static void test_no_timestamps(void **state)
{
	struct talk talk;

	begin_repaired(&talk, TAP_SERVER, false, false);
	say_missing(&talk, 550, 0);
	assert_int_equal(talk.last.marks,
		MARK_RETRANSMISSION | MARK_REORDERED);
	assert_int_equal(talk.last.why, RETRANSMIT_UNKNOWN);
	assert_counts(&talk, 1, 0, 1);
	assert_int_equal(talk_side(&talk, CLIENT)->recover, 0);
	assert_false(talk_side(&talk, CLIENT)->rounds.exit.certain);
	assert_string_equal(side_exit_words(talk_side(&talk, CLIENT)),
		"slow start ended at a retransmission that may have been "
		"needless");
	say_missing(&talk, 600, 0);
	assert_counts(&talk, 2, 0, 1);
	talk_end(&talk);
	begin_repaired(&talk, TAP_CLIENT, false, false);
	say_missing(&talk, 550, 0);
	assert_counts(&talk, 2, 0, 0);
	talk_end(&talk);
}

/* The receiver has reported all but three segments, two of them at the front.
 * The next ACK, of `acked` segments, may show that it dropped them: it asks for
 * one of them, or reports none. The sixth is sent again. */
static void test_reneging(void **state)
{
	static const struct {
		int acked, sacked_from, length;
		bool needless;
	} cases[] = {
		{ 3, 0, 0, false },
		{ 1, 0, 0, false },
		{ 3, 7, 0, false },
		{ 1, 7, 0, true },
		{ 3, 3, 0, true },
		{ 1, 0, 100, true }, /* a data packet may have no room */
		{ 8, 0, 0, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		int from = cases[i].sacked_from;

		talk_start(&talk);
		say_flight(&talk, -1);
		say_acked(&talk, 90, 0, 2, 7);
		say_acked(&talk, 90.1, 0, 8, SENT);
		SAY(&talk, .ms = 91, .length = SEGMENT);
		SAY(&talk, .ms = 131, .side = SERVER,
			.ack = cases[i].acked * SEGMENT,
			.length = cases[i].length, .sacks = from > 0,
			.sack = { { from * SEGMENT, SENT * SEGMENT } });
		SAY(&talk, .ms = 132, .seq = 5 * SEGMENT, .length = SEGMENT);
		assert_true(talk.last.marks & MARK_RETRANSMISSION);
		assert_int_equal(talk.last.why == RETRANSMIT_SPURIOUS,
			cases[i].needless);
		talk_end(&talk);
	}
}

/* A FIN is sent again with the last data, then alone: the report of the data
 * ends before it. */
static void test_fin(void **state)
{
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < 2; i++)
		SAY(&talk, .ms = 50 + i * 1000, .length = SEGMENT,
			.flags = TCP_FIN | TCP_ACK);
	const struct side *side = talk_side(&talk, CLIENT);
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(side->retransmitted_partly, 0);
	int reports = 0;
	for (uint32_t i = 0; i < connection->event_count; i++) {
		const struct tcp_event *event = &connection->events[i];

		if (event->kind != EVENT_RETRANSMISSION)
			continue;
		assert_int_equal(event->to - event->from, SEGMENT);
		reports++;
	}
	assert_int_equal(reports, 1);
	SAY(&talk, .ms = 3000, .seq = SEGMENT, .flags = TCP_FIN | TCP_ACK);
	assert_int_equal(side->retransmitted_segments, 2);
	talk_end(&talk);
}

/* The only segment in flight is sent again. A probe waits for two round trips
 * and a delayed ACK, once, and needs SACK; a time-out may wait as long. */
static void test_last(void **state)
{
	static const struct {
		double ms; /* after the segment */
		bool sack;
		enum retransmission why;
	} cases[] = {
		{ 285, true, RETRANSMIT_TIMER },
		{ 285, false, RETRANSMIT_TIMEOUT },
		{ 600, true, RETRANSMIT_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		struct segment syn = { .flags = TCP_SYN, .seq = -1,
			.mss = 1460, .sack_permitted = cases[i].sack };

		talk_begin(&talk, TAP_CLIENT);
		talk_add(&talk, syn);
		syn.ms = 40;
		syn.side = SERVER;
		syn.flags |= TCP_ACK;
		talk_add(&talk, syn);
		SAY(&talk, .ms = 40.1);
		SAY(&talk, .ms = 50, .length = SEGMENT);
		say_acked(&talk, 90, 1, 0, 0);
		SAY(&talk, .ms = 100, .seq = SEGMENT, .length = SEGMENT);
		SAY(&talk, .ms = 100 + cases[i].ms, .seq = SEGMENT,
			.length = SEGMENT);
		assert_int_equal(talk.last.why, cases[i].why);
		SAY(&talk, .ms = 900, .seq = SEGMENT, .length = SEGMENT);
		assert_int_equal(talk.last.why, RETRANSMIT_TIMEOUT);
		talk_end(&talk);
	}
}

/* ---- copies -------------------------------------------------------------- */

/* Of IPv6 without timestamps, a mirror captures each packet twice: no timer
 * sends data or a SYN again within microseconds. */
static void test_copies_unnamed(void **state)
{
	enum { PACKETS = 20, MSS = 1440 };
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.six = true;
	talk.flow.timestamps = false;
	for (int twice = 0; twice < 2; twice++)
		SAY(&talk, .ms = 0.002 * twice, .flags = TCP_SYN, .seq = -1);
	for (int twice = 0; twice < 2; twice++)
		SAY(&talk, .ms = 40 + 0.002 * twice, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
	for (int i = 0; i < PACKETS; i++)
		for (int twice = 0; twice < 2; twice++) {
			double ms = 41 + i + 0.002 * twice;

			SAY(&talk, .ms = ms, .seq = i * MSS, .length = MSS);
			SAY(&talk, .ms = ms + 0.001, .side = SERVER,
				.ack = (i + 1) * MSS);
		}
	const struct connection *connection = talk_connection(&talk);
	assert_int_equal(connection->duplicates, 2 + 2 * PACKETS);
	assert_int_equal(connection->side[0].retransmitted_segments, 0);
	assert_int_equal(connection->side[1].retransmitted_segments, 0);
	assert_int_equal(connection->side[1].duplicate_acks, 0);
	talk_end(&talk);
}

/* A network copies one packet without identification. Beyond the sender's tap
 * nothing tells the copy from a repeat; at this tap it is none. */
static void test_copied_once(void **state)
{
	enum { MSS = 1428 };

	for (int near = 0; near < 2; near++)
		for (int fin = 0; fin < 2; fin++) {
			struct talk talk;

			talk_begin(&talk, near ? TAP_CLIENT : TAP_SERVER);
			talk.flow.six = true;
			talk_open(&talk, 40);
			for (int i = 0; i < 40; i++)
				SAY(&talk, .ms = 50 + i, .seq = i * MSS,
					.length = MSS);
			for (int twice = 0; twice < 2; twice++)
				SAY(&talk, .ms = 90 + 0.002 * twice,
					.seq = 40 * MSS,
					.length = fin ? 0 : MSS,
					.flags = TCP_ACK | (fin ? TCP_FIN : 0));
			const struct side *side = talk_side(&talk, CLIENT);
			assert_int_equal(side->retransmitted_segments, near);
			assert_int_equal(side->unclear, !near);
			talk_end(&talk);
		}
}

/* At the server's tap: the SYN/ACK is lost, its timer sends it again, and the
 * SYN comes again 2 or 50 ms later and is answered. None has an identification
 * or a timestamp. The answer may be recorded before the SYN. */
static void test_answers_to_syns(void **state)
{
	for (int way = 0; way < 4; way++) {
		double ms = way & 1 ? 1050 : 1002;
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		talk.flow.timestamps = false;
		talk.flow.six = true;
		SAY(&talk, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = 0.02, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
		SAY(&talk, .ms = 1000, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
		if (way < 2)
			SAY(&talk, .ms = ms, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = ms + 0.02, .side = SERVER,
			.flags = TCP_SYN | TCP_ACK, .seq = -1);
		if (way >= 2)
			SAY(&talk, .ms = ms, .flags = TCP_SYN, .seq = -1);
		SAY(&talk, .ms = ms + 40);
		const struct connection *connection = talk_connection(&talk);
		assert_int_equal(connection->duplicates, 0);
		assert_false(connection->mixed);
		assert_int_equal(connection->handshake.syn.count, 2);
		assert_int_equal(connection->handshake.synack.count, 3);
		talk_end(&talk);
	}
}

/* Without a SYN, the first data that is repeated before anything is answered
 * shows it. An answer between makes it a retransmission. */
static void test_copies_of_data(void **state)
{
	for (int answered = 0; answered < 2; answered++) {
		struct talk talk;

		talk_begin(&talk, TAP_UNKNOWN);
		talk.flow.six = true;
		talk.flow.timestamps = false;
		SAY(&talk, .ms = 1, .length = 1000);
		if (answered)
			SAY(&talk, .ms = 1.01, .side = SERVER, .ack = 0);
		SAY(&talk, .ms = 1.02, .length = 1000);
		assert_int_equal(talk_connection(&talk)->duplicates, !answered);
		talk_end(&talk);
	}
}

/* A repeat that brings missing data was sent again as a whole, also if the
 * records may be of several points: of those, nothing else was missing. */
static void test_partly_missing(void **state)
{
	struct talk talk;

	talk_begin(&talk, TAP_UNKNOWN);
	talk.flow.six = true;
	talk.flow.timestamps = false;
	talk_open(&talk, 40);
	SAY(&talk, .ms = 50, .seq = 0, .length = 4000);
	SAY(&talk, .ms = 50.1, .seq = 5000, .length = 1000);
	SAY(&talk, .ms = 95, .seq = 3000, .length = 2000);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(talk.last.marks, MARK_RETRANSMISSION);
	assert_int_equal(side->retransmitted_bytes, 2000);
	assert_int_equal(side->unclear, 0);
	/* Without missing data it may be another record. */
	SAY(&talk, .ms = 96, .seq = 3000, .length = 2000);
	assert_int_equal(side->retransmitted_bytes, 2000);
	assert_int_equal(side->unclear, 1);
	talk_end(&talk);
}

/* The capture lost the acknowledgement of the data: the last byte of a segment
 * is a keep-alive, but not a segment of one byte, one at the acknowledgement or
 * one with the mark of a write's end. */
static void test_keepalive_lost(void **state)
{
	static const struct {
		uint32_t last, acked, flags;
		bool keepalive;
	} cases[] = {
		{ 300, 0, TCP_ACK, true },
		{ 1, 0, TCP_ACK, false },
		{ 300, 299, TCP_ACK, false },
		{ 300, 0, TCP_ACK | TCP_PSH, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 50, .length = 1000);
		SAY(&talk, .ms = 90, .side = SERVER, .ack = 1000);
		SAY(&talk, .ms = 100, .seq = 1000, .length = cases[i].last);
		if (cases[i].acked)
			SAY(&talk, .ms = 140, .side = SERVER,
				.ack = 1000 + cases[i].acked);
		SAY(&talk, .ms = 30000, .seq = 999 + cases[i].last,
			.length = 1, .flags = (uint16_t)cases[i].flags);
		const struct side *client = talk_side(&talk, CLIENT);
		assert_int_equal(client->keepalives, cases[i].keepalive);
		assert_int_equal(client->retransmitted_frames,
			!cases[i].keepalive);
		talk_end(&talk);
	}
}

/* Data comes again before a quarter of the round trip, and nothing requested
 * it: no sender does that. */
static void test_too_soon(void **state)
{
	static const double after_ms[] = { .06, 9.9, 10.1 };

	for (int i = 0; i < 3; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk.flow.timestamps = false;
		talk.flow.six = true;
		talk_open(&talk, 40);
		SAY(&talk, .ms = 50, .length = SEGMENT);
		SAY(&talk, .ms = 50 + after_ms[i], .length = SEGMENT);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->unclear, i < 2);
		assert_int_equal(side->retransmitted_segments, i == 2);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_original),
		cmocka_unit_test(test_too_soon),
		cmocka_unit_test(test_short_path),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_no_timestamps),
		cmocka_unit_test(test_reneging),
		cmocka_unit_test(test_fin),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_copies_unnamed),
		cmocka_unit_test(test_copied_once),
		cmocka_unit_test(test_answers_to_syns),
		cmocka_unit_test(test_copies_of_data),
		cmocka_unit_test(test_partly_missing),
		cmocka_unit_test(test_keepalive_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
