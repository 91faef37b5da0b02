/* Retransmissions by a timer, and those that an acknowledgement requested. */
#include "talk.h"

enum { SEGMENT = 1448, WARM = 20, SENT = 10, RTT_MS = 200 };

static void acknowledge(struct talk *talk, double ms, int segments, int from,
	int to)
{
	SAY(talk, .ms = ms, .side = SERVER,
		.ack = (int64_t)segments * SEGMENT, .sacks = to > from,
		.sack = { { (int64_t)from * SEGMENT,
			(int64_t)to * SEGMENT } });
}

/* Opens a connection whose round trip of 200 ms hardly varies, and sends ten
 * more segments, of which the first is lost. Returns the time. */
static double lose_first(struct talk *talk)
{
	double ms = 2 * RTT_MS;

	talk_begin(talk, TAP_CLIENT);
	talk_open(talk, RTT_MS);
	for (int i = 0; i < WARM; i++, ms += RTT_MS) {
		SAY(talk, .ms = ms, .seq = i * SEGMENT, .length = SEGMENT);
		acknowledge(talk, ms + RTT_MS, i + 1, 0, 0);
	}
	for (int i = WARM; i < WARM + SENT; i++)
		SAY(talk, .ms = ms, .seq = i * SEGMENT, .length = SEGMENT);
	return ms;
}

/* On a long path a repair takes longer than the least time-out. If the receiver
 * has asked for it, it is by time-out only if it waited for one, which is at
 * least 200 ms longer than the round trip. */
static void test_asked(void **state)
{
	static const struct {
		int reports; /* of segments behind the lost one */
		bool selective;
		double ms; /* the repair, after sending */
		enum retransmission why;
	} cases[] = {
		{ 1, true, 1.25 * RTT_MS, RETRANSMIT_RACK },
		{ 9, true, RTT_MS + 2, RETRANSMIT_FAST },
		{ 9, false, RTT_MS + 2, RETRANSMIT_FAST },
		{ 0, true, RTT_MS + 2, RETRANSMIT_TIMEOUT },
		{ 1, true, 2 * RTT_MS + 5, RETRANSMIT_TIMEOUT },
		{ 9, true, 2 * RTT_MS + 5, RETRANSMIT_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		double ms = lose_first(&talk);

		for (int k = 1; k <= cases[i].reports; k++)
			acknowledge(&talk, ms + RTT_MS, WARM, WARM + 1,
				cases[i].selective ? WARM + 1 + k : 0);
		SAY(&talk, .ms = ms + cases[i].ms, .seq = WARM * SEGMENT,
			.length = SEGMENT);
		assert_int_equal(talk.last.why, cases[i].why);
		talk_end(&talk);
	}
}

/* A silence of more than 200 ms on a path of 10 ms is a timer, also after three
 * duplicate ACKs without SACK. With one segment in flight it may be that of a
 * tail loss probe, a tick of the sender's clock late. */
static void test_short_path(void **state)
{
	static const struct {
		int reports;
		double ms;
		enum retransmission why;
	} cases[] = {
		{ 3, 12, RETRANSMIT_FAST },
		{ 3, 204, RETRANSMIT_TIMEOUT },
		{ 0, 238, RETRANSMIT_TIMER },
		{ 0, 245, RETRANSMIT_TIMEOUT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int behind = cases[i].reports;
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk_open(&talk, 10);
		for (int k = 0; k <= behind; k++)
			SAY(&talk, .ms = 50, .seq = k * SEGMENT,
				.length = SEGMENT);
		for (int k = 0; k < behind; k++)
			acknowledge(&talk, 60, 0, 0, 0);
		SAY(&talk, .ms = 50 + cases[i].ms, .length = SEGMENT);
		assert_int_equal(talk.last.why, cases[i].why);
		talk_end(&talk);
	}
}

/* The capture ends within a recovery: its retransmissions are not unanswered
 * tries. After a time-out and its repetition they are. */
static void test_cut(void **state)
{
	for (int silent = 0; silent < 2; silent++) {
		struct talk talk;
		double ms = lose_first(&talk);

		for (int k = 1; !silent && k < 8; k++)
			acknowledge(&talk, ms + RTT_MS, WARM, WARM + 3,
				WARM + 3 + k);
		ms += silent ? 1000 : RTT_MS + 1;
		for (int k = 0; k < 3; k++)
			SAY(&talk, .ms = ms + k * (silent ? 2000 : 0.1),
				.seq = (WARM + (silent ? 0 : k)) * SEGMENT,
				.length = SEGMENT);
		assert_int_equal(talk.last.why,
			silent ? RETRANSMIT_TIMEOUT : RETRANSMIT_RECOVERY);
		assert_int_equal(connection_close(talk_connection(&talk)),
			silent ? CLOSE_UNANSWERED : CLOSE_NONE);
		talk_end(&talk);
	}
}

/* A time-out, or a repair of a segment behind the oldest. The acknowledgement
 * that follows echoes the original or the repeat. If it answers the original of
 * the oldest segment, nothing was lost. If it has no timestamp, a loss is not
 * proven. */
static void test_echo(void **state)
{
	static const struct {
		double ms;
		int repeated, tsecr;
		bool needless, unproven;
	} cases[] = {
		{ 350, 0, 100050, true, false },
		{ 350, 0, 100350, false, false },
		{ 350, 0, -1, false, true },
		{ 95, 3, 100050, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t repeated = cases[i].repeated * SEGMENT;
		struct talk talk;

		talk_start(&talk);
		for (int k = 0; k < SENT; k++)
			SAY(&talk, .ms = 50, .seq = k * SEGMENT,
				.length = SEGMENT);
		if (repeated)
			acknowledge(&talk, 90, 0, 4, SENT);
		SAY(&talk, .ms = cases[i].ms, .seq = repeated,
			.length = SEGMENT);
		const struct side *side = talk_side(&talk, CLIENT);
		assert_true(side->rounds.at[0].reduced);
		SAY(&talk, .ms = 351, .side = SERVER, .ack = 4 * SEGMENT,
			.tsecr = cases[i].tsecr,
			.tsval = cases[i].tsecr < 0 ? -1 : 0);
		SAY(&talk, .ms = 352, .side = SERVER, .ack = SENT * SEGMENT,
			.tsecr = 100050);
		assert_int_equal(side_exit(side).reason, EXIT_LOSS);
		assert_int_equal(side_exit(side).certain,
			!cases[i].needless && !cases[i].unproven);
		assert_int_equal(side_exit(side).unproven, cases[i].unproven);
		assert_int_equal(side->rounds.at[0].reduced,
			!cases[i].needless);
		if (cases[i].needless)
			assert_string_equal(side_exit_words(side),
				"a needless retransmission ended slow start");
		if (cases[i].unproven)
			assert_string_equal(side_exit_words(side),
				"loss may have ended slow start: neither SACK, "
				"duplicate ACKs nor timestamps show it");
		talk_end(&talk);
	}
}

/* A segment sent again by a timer. Duplicate ACKs that request more before a
 * round passes, or a tap that its original did not pass, prove a loss. */
static void test_proof(void **state)
{
	for (int proof = 0; proof < 3; proof++) {
		struct talk talk;

		talk_begin(&talk, proof == 2 ? TAP_SERVER : TAP_CLIENT);
		talk.flow.timestamps = false;
		talk_open(&talk, 40);
		for (int k = proof == 2; k < SENT; k++)
			SAY(&talk, .ms = 50, .seq = k * SEGMENT,
				.length = SEGMENT);
		SAY(&talk, .ms = 350, .length = SEGMENT);
		assert_true(talk.last.marks & MARK_RETRANSMISSION);
		for (int k = 4; proof == 1 && k <= SENT; k++)
			acknowledge(&talk, 390, 2, 3, k);
		if (proof == 1)
			SAY(&talk, .ms = 391, .seq = 2 * SEGMENT,
				.length = SEGMENT);
		acknowledge(&talk, 430, SENT, 0, 0);
		const struct slow_start_exit end =
			side_exit(talk_side(&talk, CLIENT));
		assert_int_equal(end.reason, EXIT_LOSS);
		assert_int_equal(end.unproven, !proof);
		talk_end(&talk);
	}
}

/* A network delays a segment until the sender has repeated it. At the
 * receiver's tap the repeat comes after the original, so it is needless there,
 * but the sender did not know this and took a loss for granted. If the sender
 * echoes the acknowledgement of the segment, slow start continued. */
static void test_delayed(void **state)
{
	for (int known = 0; known < 2; known++) {
		struct talk talk;

		talk_begin(&talk, TAP_SERVER);
		talk_open(&talk, 40);
		for (int k = 0; k < SENT; k++)
			if (k != 4)
				SAY(&talk, .ms = 50, .seq = k * SEGMENT,
					.length = SEGMENT);
		for (int k = 6; k <= SENT; k++)
			acknowledge(&talk, 51, 4, 5, k);
		SAY(&talk, .ms = 60, .seq = 4 * SEGMENT, .length = SEGMENT,
			.tsval = 100049);
		acknowledge(&talk, 61, SENT, 0, 0);
		SAY(&talk, .ms = 92, .seq = 4 * SEGMENT, .length = SEGMENT,
			.tsecr = known ? 200061 : 200051);
		assert_int_equal(talk.last.why, RETRANSMIT_SPURIOUS);
		acknowledge(&talk, 92, SENT, 4, 5);
		SAY(&talk, .ms = 93, .seq = SENT * SEGMENT,
			.flags = TCP_FIN | TCP_ACK);
		const struct slow_start_exit end =
			side_exit(talk_side(&talk, CLIENT));
		assert_int_equal(end.reason,
			known ? EXIT_END_OF_DATA : EXIT_LOSS);
		assert_int_equal(end.certain, known);
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_short_path),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_proof),
		cmocka_unit_test(test_delayed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
