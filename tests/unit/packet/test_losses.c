/* Retransmission or reordering, at the sender's tap and elsewhere; kinds of
 * retransmission; gaps; wraps. */
#include "talk.h"

/* Ten segments, all except `missing`, which passes the tap later or never. Its
 * identification is 3 + missing. */
static void send_but(struct talk *talk, int missing)
{
	for (int i = 0; i < 10; i++)
		if (i == missing)
			talk->flow.id_next[CLIENT]++;
		else
			SAY(talk, .ms = 50 + i * 0.1, .seq = i * 1448,
				.length = 1448);
}

/* At the sender's tap every packet passes in the order of sending, so an unseen
 * segment was neither lost nor reordered before. */
static void test_at_sender(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, 4);
	assert_int_equal(talk_side(&talk, CLIENT)->gaps, 1);
	SAY(&talk, .ms = 51, .seq = 4 * 1448, .length = 1448, .tsval = 100050,
		.ip_id = 7);
	assert_int_equal(talk.last.marks, MARK_RECORDED_LATE);
	assert_int_equal(talk_side(&talk, CLIENT)->reordered, 0);
	SAY(&talk, .ms = 150, .seq = 4 * 1448, .length = 1448);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	assert_int_equal(talk_side(&talk, CLIENT)->payload_bytes, 10 * 1448);
	talk_end(&talk);
}

/* The capture lost the first copy. The second was sent too late to be a late
 * record of the first: a round trip later, or a tick of the sender's clock. */
static void test_first_copy_lost(void **state)
{
	for (int tap = TAP_UNKNOWN; tap <= TAP_LOOPBACK; tap++)
		for (int stamped = 0; stamped < 2; stamped++) {
			struct talk talk;

			talk_begin(&talk, (enum tap)tap);
			talk.flow.timestamps = stamped;
			talk_open(&talk, 40);
			send_but(&talk, 4);
			for (int i = 0; i < 4; i++)
				SAY(&talk, .ms = 90 + i * 0.1, .side = SERVER,
					.ack = 4 * 1448);
			SAY(&talk, .ms = 90.6, .seq = 4 * 1448, .length = 1448);
			assert_int_equal(talk.last.marks, MARK_RETRANSMISSION);
			assert_int_equal(talk.last.why, RETRANSMIT_FAST);
			const struct side *side = talk_side(&talk, CLIENT);
			assert_int_equal(side->recorded_late, 0);
			assert_int_equal(side->payload_bytes, 10 * 1448);
			talk_end(&talk);
		}
}

/* At other taps the time stamp decides whether a segment was sent after packet
 * 7, which overtook it. For equal stamps the time decides, and never the IP
 * identification alone, which may be random; test_clocks.c has more of them,
 * and test_ids.c those that count. */
static void test_elsewhere(void **state)
{
	static const struct {
		double ms;
		int tsval, ip_id;
		bool again;
	} cases[] = {
		{ 51, 100051, 13, true }, /* a tick later: an upstream loss */
		{ 95, 100095, 13, true },
		{ 51, 100049, 7, false }, /* sent before what overtook it */
		{ 95, 100049, 7, false },
		{ 51, 100050, 7, false }, /* the same tick, at once */
		{ 51, 100050, 40000, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		send_but(&talk, 4);
		SAY(&talk, .ms = cases[i].ms, .seq = 4 * 1448, .length = 1448,
			.tsval = cases[i].tsval, .ip_id = cases[i].ip_id);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_int_equal(side->retransmitted_segments, cases[i].again);
		assert_int_equal(side->reordered, !cases[i].again);
		assert_int_equal(side->holes.count, 0);
		talk_end(&talk);
	}
}

static void test_no_timestamps(void **state)
{
	for (int late = 0; late < 2; late++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		send_but(&talk, 4);
		SAY(&talk, .ms = late ? 95 : 51, .seq = 4 * 1448,
			.length = 1448, .ip_id = 40000);
		assert_int_equal(talk_side(&talk, CLIENT)->reordered, !late);
		talk_end(&talk);
	}
}

static void acknowledge(struct talk *talk, double ms, int64_t ack, int64_t from,
	int64_t to)
{
	SAY(talk, .ms = ms, .side = SERVER, .ack = ack, .sacks = to > 0,
		.sack = { { from, to } });
}

/* Three duplicates, with or without SACK: fast retransmit. Later ones, until
 * all data is acknowledged, are recovery, also the third time. */
static void test_fast(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	acknowledge(&talk, 90, 1448, 0, 0);
	for (int i = 0; i < 4; i++)
		acknowledge(&talk, 90.5 + i * 0.1, 1448, 2 * 1448,
			(3 + i) * 1448);
	assert_int_equal(talk_connection(&talk)->side[1].duplicate_acks, 4);
	assert_int_equal(talk_connection(&talk)->side[1].sack_acks, 4);
	SAY(&talk, .ms = 91, .seq = 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_FAST);
	SAY(&talk, .ms = 91.1, .seq = 6 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_RECOVERY);
	SAY(&talk, .ms = 140, .seq = 6 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_AGAIN);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side_in_flight(side), (9 - 4) * 1448);
	assert_int_equal(count_events(talk_connection(&talk),
				 EVENT_THIRD_DUPLICATE_ACK),
		1);
	talk_end(&talk);
}

static void test_rack(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	acknowledge(&talk, 90, 8 * 1448, 9 * 1448, 10 * 1448);
	SAY(&talk, .ms = 101, .seq = 8 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_RACK);
	talk_end(&talk);
}

/* The last segment again after two round trips: a probe. The oldest segment
 * after the timer: a timeout. */
static void test_timers(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	acknowledge(&talk, 90, 5 * 1448, 0, 0);
	SAY(&talk, .ms = 175, .seq = 9 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_TAIL_PROBE);
	SAY(&talk, .ms = 420, .seq = 5 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_TIMEOUT);
	SAY(&talk, .ms = 460.2, .seq = 6 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_RECOVERY);
	SAY(&talk, .ms = 1400, .seq = 5 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_TIMEOUT);
	assert_int_equal(connection_close(talk_connection(&talk)),
		CLOSE_UNANSWERED);
	talk_end(&talk);
}

/* Time-outs of the sender that the tap, with its estimate, expects later: a
 * probe is sent once, and only a timer repeats bytes while nothing arrives. */
static void test_series(void **state)
{
	static const struct {
		double ms;
		enum retransmission why;
	} series[] = {
		{ 900, RETRANSMIT_TAIL_PROBE },
		{ 1600, RETRANSMIT_TIMEOUT },
		{ 3000, RETRANSMIT_TIMEOUT },
	};
	struct talk talk;

	talk_begin(&talk, TAP_CLIENT);
	talk_open(&talk, 300);
	SAY(&talk, .ms = 400, .length = 100);
	for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
		SAY(&talk, .ms = series[i].ms, .length = 100);
		assert_int_equal(talk.last.why, series[i].why);
	}
	talk_end(&talk);
}

/* A retransmission ends slow start. If the receiver had the segment, it was not
 * a loss. */
static void test_needless(void **state)
{
	for (int needless = 0; needless < 2; needless++) {
		struct talk talk;

		talk_start(&talk);
		SAY(&talk, .ms = 41, .side = SERVER, .tsval = 41);
		send_but(&talk, -1);
		for (int i = 0; i < 4; i++)
			acknowledge(&talk, 90 + i * 0.1, 1448, 2 * 1448,
				(3 + i) * 1448);
		SAY(&talk, .ms = 91, .seq = 1448, .length = 1448);
		const struct slow_start_exit *end =
			&talk_side(&talk, CLIENT)->rounds.exit;
		assert_int_equal(end->reason, EXIT_LOSS);
		assert_true(end->certain);
		acknowledge(&talk, 131, 10 * 1448, needless ? 1448 : 3 * 1448,
			needless ? 2 * 1448 : 4 * 1448);
		assert_true(talk.last.marks & MARK_DSACK);
		assert_int_equal(end->certain, !needless);
		talk_end(&talk);
	}
}

/* The retransmission that ended slow start is sent again: a report that the
 * data arrived twice may be about the second copy. */
static void test_needless_second(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	for (int i = 0; i < 4; i++)
		acknowledge(&talk, 90 + i * 0.1, 1448, 2 * 1448,
			(3 + i) * 1448);
	SAY(&talk, .ms = 91, .seq = 1448, .length = 1448);
	SAY(&talk, .ms = 400, .seq = 1448, .length = 1448);
	acknowledge(&talk, 440, 10 * 1448, 1448, 2 * 1448);
	assert_true(talk.last.marks & MARK_DSACK);
	const struct slow_start_exit *end =
		&talk_side(&talk, CLIENT)->rounds.exit;
	assert_int_equal(end->reason, EXIT_LOSS);
	assert_true(end->certain);
	talk_end(&talk);
}

/* The receiver already had the segment, and its acknowledgement shows this. */
static void test_spurious(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	acknowledge(&talk, 90, 5 * 1448, 0, 0);
	SAY(&talk, .ms = 91, .seq = 4 * 1448, .length = 1448);
	assert_int_equal(talk.last.why, RETRANSMIT_SPURIOUS);
	acknowledge(&talk, 131, 5 * 1448, 4 * 1448, 5 * 1448);
	assert_true(talk.last.marks & MARK_DSACK);
	assert_int_equal(talk_side(&talk, CLIENT)->sacked_bytes, 0);
	assert_int_equal(talk_connection(&talk)->side[1].dsacks, 1);
	talk_end(&talk);
}

/* A newer acknowledgement overtakes an ACK with a SACK block: the block is old,
 * but reports no duplicate data. */
static void test_overtaken_sack(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, -1);
	acknowledge(&talk, 90, 10 * 1448, 0, 0);
	acknowledge(&talk, 90.1, 1448, 2 * 1448, 3 * 1448);
	assert_false(talk.last.marks & (MARK_DSACK | MARK_SACK));
	assert_int_equal(talk_connection(&talk)->side[1].dsacks, 0);
	assert_int_equal(talk_side(&talk, CLIENT)->sacked_bytes, 0);
	talk_end(&talk);
}

/* Acknowledged but never captured: the capture lost it. */
static void test_capture_gap(void **state)
{
	struct talk talk;

	talk_start(&talk);
	send_but(&talk, 4);
	acknowledge(&talk, 90, 10 * 1448, 0, 0);
	assert_true(talk.last.marks & MARK_CAPTURE_GAP);
	acknowledge(&talk, 91, 12 * 1448, 0, 0);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->gaps, 2);
	assert_int_equal(side->gaps_open, 2);
	assert_int_equal(side->gap_bytes, 3 * 1448);
	assert_int_equal(side->retransmitted_frames, 0);
	/* Later data is new. */
	SAY(&talk, .ms = 92, .seq = 12 * 1448, .length = 1448);
	assert_true(talk.last.marks & MARK_NEW_DATA);
	assert_int_equal(side->gaps, 2);
	talk_end(&talk);
}

/* Sequence numbers wrap twice in ten GB, with gaps under 2^31; so does the
 * timestamp's clock. */
static void test_wraps(void **state)
{
	struct talk talk;
	const int64_t jump = INT64_C(1500000000);
	int64_t at = 0;

	talk_begin(&talk, TAP_CLIENT);
	talk.flow.isn[0] = UINT32_MAX - 5000;
	talk_open(&talk, 40);
	for (int i = 0; i < 7; i++, at += jump) {
		int ms = 50 + 400 * i;

		SAY(&talk, .ms = ms, .seq = at, .length = 1000,
			.tsval = (int)(0xfffffffdu + (uint32_t)i));
		SAY(&talk, .ms = ms + 300, .seq = at, .length = 1000,
			.tsval = (int)(0xfffffffeu + (uint32_t)i));
		SAY(&talk, .ms = ms + 340, .side = SERVER, .ack = at + 1000);
	}
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side_offset(side, side->next), 6 * jump + 1000);
	assert_int_equal(side_offset(side, side->acked), 6 * jump + 1000);
	assert_int_equal(side->payload_bytes, 7000);
	assert_int_equal(side->retransmitted_frames, 7);
	assert_int_equal(side->gaps, 6);
	assert_int_equal(side->gaps_open, 6);
	talk_end(&talk);
}

/* Merged segments count as the segments into which they will be split. */
static void test_super_segments(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 40 * 1448 + 1);
	const struct side *side = talk_side(&talk, CLIENT);
	assert_int_equal(side->frames, 1);
	assert_int_equal(side->segments, 41);
	assert_int_equal(side->super_frames, 1);
	SAY(&talk, .ms = 400, .length = 2 * 1448);
	assert_int_equal(side->retransmitted_segments, 2);
	talk_end(&talk);
}

/* Five small segments are sent again as one. */
static void test_repacked(void **state)
{
	struct talk talk;

	talk_start(&talk);
	for (int i = 0; i < 5; i++)
		SAY(&talk, .ms = 50 + i, .seq = i * 200, .length = 200);
	SAY(&talk, .ms = 400, .length = 1000);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_segments, 1);
	assert_int_equal(talk_side(&talk, CLIENT)->retransmitted_bytes, 1000);
	talk_end(&talk);
}

/* Copies made by the capture are not retransmissions; the same bytes with
 * another IP identification are. A copy that another point captured comes
 * later, and has timestamps. Once there is one, others may be as late as the
 * clocks of the points differ. */
static void test_copies(void **state)
{
	enum { SENT_AT = 200000 }; /* on the clock of the timestamps */
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .length = 1000, .ip_id = 500, .tsval = SENT_AT);
	SAY(&talk, .ms = 50.003, .length = 1000, .ip_id = 500,
		.tsval = SENT_AT);
	assert_int_equal(talk.last.marks, MARK_COPY);
	SAY(&talk, .ms = 1100, .length = 1000, .ip_id = 500, .tsval = SENT_AT);
	assert_true(talk.last.marks & MARK_RETRANSMISSION); /* too late */
	SAY(&talk, .ms = 1110, .length = 1000, .ip_id = 500, .tsval = SENT_AT);
	assert_int_equal(talk.last.marks, MARK_COPY);
	SAY(&talk, .ms = 1110.1, .length = 1000, .ip_id = 501,
		.tsval = SENT_AT);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	SAY(&talk, .ms = 9000, .length = 1000, .ip_id = 501, .tsval = SENT_AT);
	assert_int_equal(talk.last.marks, MARK_COPY);
	SAY(&talk, .ms = 9200, .length = 1000, .ip_id = 600, .tsval = -1);
	SAY(&talk, .ms = 9220, .length = 1000, .ip_id = 600, .tsval = -1);
	assert_true(talk.last.marks & MARK_RETRANSMISSION);
	assert_int_equal(talk_connection(&talk)->duplicates, 3);
	assert_int_equal(annotator_facts(talk.annotator)->copies, 3);
	assert_int_equal(annotator_facts(talk.annotator)->repeats, 5);
	talk_end(&talk);
}

/* ---- a position without data ------------------------------------------- */

enum { SEGMENT = 1448, SENT = 10, LOST = 5 };

static void send(struct talk *talk, double ms, int segment)
{
	SAY(talk, .ms = ms, .seq = segment * SEGMENT, .length = SEGMENT);
}

static void assert_again(const struct talk *talk, uint64_t segments)
{
	const struct side *side = talk_side(talk, CLIENT);

	assert_int_equal(side->retransmitted_segments, segments);
	assert_int_equal(side->reordered, 0);
	assert_int_equal(side->holes.count, 0);
}

/* Ten segments arrive, five more do not. Then the server sends data, and the
 * client's acknowledgement of it has the sequence number `seq`, the sender's
 * position. */
static void tell(struct talk *talk, bool six, bool timestamps, int64_t seq)
{
	talk_begin(talk, TAP_SERVER);
	talk->flow.six = six;
	talk->flow.timestamps = timestamps;
	talk_open(talk, 40);
	for (int i = 0; i < SENT; i++)
		send(talk, 50 + i * 0.1, i);
	SAY(talk, .ms = 90, .side = SERVER, .ack = SENT * SEGMENT);
	SAY(talk, .ms = 113, .side = SERVER, .ack = SENT * SEGMENT,
		.length = 500);
	SAY(talk, .ms = 154, .seq = seq, .ack = 500);
}

static void test_told(void **state)
{
	for (int i = 0; i < 4; i++) {
		struct talk talk;

		tell(&talk, i & 1, i & 2, (SENT + LOST) * SEGMENT);
		for (int k = 0; k < LOST; k++)
			send(&talk, 340 + k, SENT + k);
		assert_again(&talk, LOST);
		send(&talk, 346, SENT + LOST);
		assert_again(&talk, LOST);
		talk_end(&talk);
	}
}

/* Segments that an acknowledgement overtook were sent once. An acknowledgement
 * outside the window is ignored. */
static void test_not_told(void **state)
{
	struct talk talk;

	tell(&talk, true, true, (SENT + LOST) * SEGMENT);
	for (int k = 0; k < LOST; k++)
		SAY(&talk, .ms = 155 + k * 0.1, .seq = (SENT + k) * SEGMENT,
			.length = SEGMENT, .tsval = 100153);
	assert_again(&talk, 0);
	talk_end(&talk);
	tell(&talk, false, true, INT64_C(1) << 29);
	for (int k = 0; k < LOST; k++)
		send(&talk, 340 + k, SENT + k);
	assert_again(&talk, 0);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_sender),
		cmocka_unit_test(test_first_copy_lost),
		cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_no_timestamps),
		cmocka_unit_test(test_fast),
		cmocka_unit_test(test_rack),
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_needless),
		cmocka_unit_test(test_needless_second),
		cmocka_unit_test(test_spurious),
		cmocka_unit_test(test_overtaken_sack),
		cmocka_unit_test(test_capture_gap),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_super_segments),
		cmocka_unit_test(test_repacked),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
